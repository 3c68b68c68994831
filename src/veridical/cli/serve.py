"""`veridical serve`: the service with its pages."""

from __future__ import annotations

import click

from veridical.cli.db import database_option
from veridical.cli.errors import reported
from veridical.cli.options import answering_options
from veridical.ledger.ids import DEFAULT_WORKSPACE
from veridical.service.settings import REFRESH_SECONDS, Auth, ServiceSettings

_USUAL = ServiceSettings()


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
@click.option(
    "--workspace",
    default=DEFAULT_WORKSPACE,
    show_default=True,
    metavar="NAME",
    help="Workspace of the documents, and the one that open access begins in.",
)
@click.option(
    "--allow-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Host name that requests may be for, beside this machine's. May be given several times.",
)
@click.option("--secure-cookies", is_flag=True, help="Log-ins over HTTPS only.")
@click.option(
    "--forwarded-allow-ips",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESSES",
    help="Proxies whose word about the client's address is taken, with commas between.",
)
@click.option(
    "--rate",
    type=click.IntRange(min=0),
    default=_USUAL.rate_per_minute,
    show_default=True,
    metavar="N",
    help="Most calls of a token in a minute; 0 for no limit.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=_USUAL.workers,
    show_default=True,
    metavar="N",
    help="Jobs that are worked on at a time.",
)
@click.option(
    "--refresh",
    type=click.FloatRange(min=0),
    default=REFRESH_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How often to look for changed documents; 0 for never.",
)
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    help="Log each request, and what goes wrong, to standard error in this form.",
)
def serve(
    documents: tuple[str, ...],
    host: str,
    port: int,
    database: str | None,
    demo: bool,
    auth: str,
    workspace: str,
    allowed_hosts: tuple[str, ...],
    secure_cookies: bool,
    forwarded_allow_ips: str,
    rate: int,
    workers: int,
    refresh: float,
    log_format: str | None,
    model: str | None,
    base_url: str | None,
    verbose: bool,
) -> None:
    """Serve pages for people and an API for programs, over one database.

    GET /ready answers 200 while requests may be sent here. Documents of folders that change are
    read again while it runs. On another address than this machine's own it needs --auth token.
    Needs: pip install 'veridical[serve]'.

    Exit code 0: stopped by Ctrl-C or SIGTERM. 2: it could not be started.
    """
    with reported():
        from veridical.cli import serve_run

        serve_run.run(
            ServiceSettings(
                workspace=workspace,
                documents=documents,
                refresh_seconds=refresh,
                auth=Auth(auth),
                rate_per_minute=rate,
                allowed_hosts=allowed_hosts,
                secure_cookies=secure_cookies,
                workers=workers,
            ),
            serve_run.Listening(host, port, forwarded_allow_ips),
            database=database,
            demo=demo,
            model=model,
            base_url=base_url,
            log_format=log_format,
            verbose=verbose,
        )
