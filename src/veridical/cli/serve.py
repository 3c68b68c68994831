"""`veridical serve`: the service with its pages, until it is stopped."""

from __future__ import annotations

import gc
import logging
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from veridical.cli.db import database_option, database_url
from veridical.cli.errors import reported
from veridical.cli.options import answering_options, usual_option
from veridical.cli.terminal import clean, err
from veridical.errors import ConfigurationError, require_package
from veridical.ledger.ids import DEFAULT_WORKSPACE
from veridical.service.settings import REFRESH_SECONDS, Auth, ServiceSettings

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI

    from veridical.store.store import Store

_MOST_DIGITS = 6
_USUAL = ServiceSettings()
_SHUTDOWN_SECONDS = 10
_BACKLOG = 1024
_PACKAGES = ("fastapi", "jinja2", "multipart", "prometheus_client", "uvicorn")
_NOT_HERE = (
    "{host} can be reached from elsewhere, so only those with a token may come in: make one with "
    "`veridical token create`, in the same database, and start the service with --auth token."
)

_NOBODY_MAY = (
    "No token in this database is good, so nobody can come in yet: make one with "
    "`veridical token create --workspace NAME --role admin --database URL`, while this runs or not."
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listening:
    """Where to listen, and the proxies in front of it, as uvicorn takes them."""

    host: str
    port: int
    proxies: str


@click.command()
@answering_options("Folder or file to keep indexed in the workspace.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@database_option
@click.option("--demo", is_flag=True, help="Show samples, in a database that is thrown away.")
@click.option(
    "--auth",
    type=click.Choice([mode.value for mode in Auth]),
    default=Auth.OPEN.value,
    show_default=True,
    help="Who may come in: whoever reaches it, or those with a token.",
)
@usual_option(
    "--workspace",
    DEFAULT_WORKSPACE,
    "NAME",
    "Workspace of the documents, and the one that open access begins in.",
)
@click.option(
    "--allow-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Host name that requests may be for, beside this machine's. May be given several times.",
)
@click.option("--secure-cookies", is_flag=True, help="Log-ins over HTTPS only.")
@usual_option(
    "--forwarded-allow-ips",
    "127.0.0.1",
    "ADDRESSES",
    "Proxies whose word about the client's address is taken, with commas between.",
)
@usual_option(
    "--rate",
    _USUAL.rate_per_minute,
    "N",
    "Most calls of a token in a minute; 0 for no limit.",
    type=click.IntRange(min=0),
)
@usual_option(
    "--workers",
    _USUAL.workers,
    "N",
    "Jobs that are worked on at a time.",
    type=click.IntRange(1, 64),
)
@usual_option(
    "--refresh",
    REFRESH_SECONDS,
    "SECONDS",
    "How often to look for changed documents; 0 for never.",
    type=click.FloatRange(min=0),
)
@click.option(
    "--transcriber",
    metavar="URL",
    help="Server with /v1/audio/transcriptions that hears recordings which come without a "
    "transcript; without it faster-whisper does, on this machine.",
)
@click.option(
    "--keep",
    metavar="MINUTES|always",
    help="How long recordings are kept after their report: 10 minutes of a speech, always of what "
    "is scored, unless this says otherwise.",
)
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    help="Log each request, and what goes wrong, to standard error in this form.",
)
def serve(
    host: str,
    port: int,
    database: str | None,
    demo: bool,
    auth: str,
    forwarded_allow_ips: str,
    rate: int,
    refresh: float,
    log_format: str | None,
    model: str | None,
    base_url: str | None,
    verbose: bool,
    keep: str | None,
    **given: Any,
) -> None:
    """Serve pages for people and an API for programs, over one database.

    GET /ready answers 200 while requests may be sent here. Documents of folders that change are
    read again while it runs. On another address than this machine's own it needs --auth token.
    Needs: pip install 'veridical[serve]'.

    Exit code 0: stopped by Ctrl-C or SIGTERM. 2: it could not be started.
    """
    from veridical.cli.models import chosen_model

    if keep is not None:
        given |= dict.fromkeys(("keep_speech_seconds", "keep_scoring_seconds"), _kept(keep))
    # The options that are not named here are called as the settings are.
    settings = ServiceSettings(
        auth=Auth(auth), rate_per_minute=rate, refresh_seconds=refresh, **given
    )
    listening = Listening(host, port, forwarded_allow_ips)
    with reported(), _until_stopped(), _place_of(database, demo=demo) as url:
        settings = replace(settings, database=url)
        _check(settings, listening)
        _set_up_logging(log_format, verbose=verbose)
        ignore_missing_socks()
        settings = replace(settings, model=chosen_model(model, base_url))
        with _socket(listening) as bound:
            _serve(settings, listening, bound, demo=demo)
    _leave_threads()


def _kept(told: str) -> int | None:
    """How many seconds recordings are kept; None for always."""
    if told == "always":
        return None
    if not (told.isascii() and told.isdecimal() and len(told) <= _MOST_DIGITS):
        raise ConfigurationError(f"--keep {told!r} is neither whole minutes nor always")
    return 60 * int(told)


def _leave_threads() -> None:
    """End here where a thread that nobody waits for is still at work, such as one that makes a
    corpus ready.

    A thread inside a network cannot be ended in order: the interpreter would abort under it.
    """
    if any(thread.daemon for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _check(settings: ServiceSettings, listening: Listening) -> None:
    from veridical.answering.index.given import check_sources
    from veridical.service.settings import is_loopback

    for name in _PACKAGES:
        require_package(name, "The service", "serve")
    if settings.auth is Auth.OPEN and not is_loopback(listening.host):
        raise ConfigurationError(_NOT_HERE.format(host=listening.host))
    check_sources(settings.documents)


def _set_up_logging(log_format: str | None, *, verbose: bool) -> None:
    if log_format is None:
        from veridical.cli.files import set_up_logging

        set_up_logging(verbose=verbose)
        return
    from veridical.service.observing.logs import LogFormat, handler_of

    logging.basicConfig(handlers=[handler_of(LogFormat(log_format))], level=logging.WARNING)
    logging.getLogger("veridical").setLevel(logging.DEBUG if verbose else logging.INFO)


def ignore_missing_socks() -> None:
    """Keep urllib3 from telling that proxies of a kind that nobody asked for need another package.

    `requests`, which the embedded model imports, silences it too; but a thread that sets the
    filters for warnings back at that moment takes its filter away.
    """
    warnings.filterwarnings("ignore", message="SOCKS support in urllib3")


@contextmanager
def _until_stopped() -> Iterator[None]:
    """Ctrl-C and SIGTERM end the block, whatever it is at, and not the program."""
    import signal

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    earlier = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        err("Stopped.")
    finally:
        signal.signal(signal.SIGTERM, earlier)


@contextmanager
def _place_of(database: str | None, *, demo: bool) -> Iterator[str]:
    """The URL of the database: the one that is named, or that of the samples, or the usual one."""
    if database is not None or not demo:
        yield database_url(database)
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="veridical-demo-", ignore_cleanup_errors=True) as folder:
        yield f"sqlite:///{folder}/demo.db"


def _serve(
    settings: ServiceSettings, listening: Listening, bound: socket.socket, *, demo: bool
) -> None:
    with _all_kept():
        import uvicorn

        from veridical.service.app import create_app
        from veridical.service.observing.telemetry import set_up_from_environment
        from veridical.service.server import BehindProxies, Server, http_protocol

        end_tracing = set_up_from_environment(warn=err)
        app = create_app(settings)
    _tell(settings, listening, bound.getsockname()[1])
    if settings.auth is Auth.TOKEN:
        _tell_who_may_come(app.state.service.store)
    if demo:
        threading.Thread(target=_load_samples, args=(app,), name="demo", daemon=True).start()
    config = uvicorn.Config(
        BehindProxies(app, listening.proxies),
        http=http_protocol(),
        ws="none",
        log_config=None,
        access_log=False,  # an address may hold a question; `veridical.access` tells the rest
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    try:
        Server(config, app.state.service.stopping).run(sockets=[bound])
    finally:
        if end_tracing is not None:
            end_tracing()


@contextmanager
def _all_kept() -> Iterator[None]:
    """What is made inside stays until the end. Looking through it for garbage again and again would
    take a sixth of the start, and some milliseconds of requests ever after.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _tell(settings: ServiceSettings, listening: Listening, port: int) -> None:
    from veridical.store.engine import Database

    err(f"{clean(Database(settings.database).place)} keeps everything.")
    shown = f"[{listening.host}]" if ":" in listening.host else listening.host
    err(f"Serving on http://{clean(shown)}:{port} (Ctrl-C stops it)")


def _tell_who_may_come(store: Store) -> None:
    """Nobody can log in where there is no token, and no page could say so to nobody."""
    if not any(token.is_good(datetime.now(UTC)) for token in store.tokens.of()):
        err(_NOBODY_MAY)


def _load_samples(app: FastAPI) -> None:
    from veridical.service import demo

    service = app.state.service
    try:
        demo.load(service.store, service.settings.workspace)
    except Exception as error:  # noqa: BLE001  # the service works without them
        logger.error("the samples cannot be loaded (%s)", type(error).__name__)


def _socket(listening: Listening) -> socket.socket:
    import socket

    host, port = listening.host, listening.port
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        bound = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigurationError(
            f"cannot listen on {host}, port {port}: {reason}. Choose another with --port or --host."
        ) from error
    # asyncio does this for sockets that it makes. Without it a reply of two packets waits 40 ms for
    # the client to acknowledge the first; connections inherit it.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound
