"""Runs the service until it is stopped."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from importlib.util import find_spec
from ipaddress import ip_address

from veridical.answering.index.place import IndexPlace
from veridical.answering.index.policy_index import PolicyIndex
from veridical.cli.index_run import named_or_here
from veridical.cli.models import chosen_model
from veridical.cli.setup import set_up_logging
from veridical.cli.terminal import clean, err
from veridical.errors import ConfigurationError, MissingExtraError

_SHUTDOWN_SECONDS = 10
_BACKLOG = 1024


def run(
    documents: Sequence[str],
    *,
    host: str,
    port: int,
    database: str | None,
    model: str | None,
    base_url: str | None,
    refresh_seconds: float,
    verbose: bool,
) -> None:
    """Serve until interrupted.

    Raises MissingExtraError without the web packages, NoDocumentsError, ConfigurationError and
    StoreError where there is nothing to answer from, and ConfigurationError for an address that
    cannot be listened on.
    """
    set_up_logging(verbose=verbose)
    if any(find_spec(name) is None for name in ("fastapi", "jinja2", "uvicorn")):
        raise MissingExtraError("The service", "serve")
    chosen = chosen_model(model, base_url)
    sources = named_or_here(documents, database=database)
    if database is not None:
        IndexPlace.find(sources, database, writes=True).files()  # fails now where it cannot be used
    with _listening(host, port) as listener:
        import uvicorn

        from veridical.service.app import create_app

        app = create_app(
            lambda: PolicyIndex.open(sources, database=database),
            model=chosen,
            refresh_seconds=refresh_seconds,
        )
        bound = listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        err(f"Serving on http://{clean(shown)}:{bound} (Ctrl-C stops it)")
        if not _is_loopback(host):
            err(
                "veridical: warning: this address can be reached from elsewhere, and whoever "
                "reaches it can ask"
            )
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,  # an address of the page holds the question
            server_header=False,
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
        try:
            uvicorn.Server(config).run(sockets=[listener])
        except KeyboardInterrupt:
            err("Stopped.")


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigurationError(
            f"cannot listen on {host}, port {port}: {reason}. Choose another with --port or --host."
        ) from error
    # asyncio does this for sockets that it makes. Without it a reply of two packets waits 40 ms for
    # the client to acknowledge the first; connections inherit it.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
