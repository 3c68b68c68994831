"""`veridical token`: who may use a service that asks for tokens."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from veridical.cli.db import database_option, database_url
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.terminal import clean, err, out

if TYPE_CHECKING:
    from veridical.store.workspaces import Token

_ROLES = ("reader", "reviewer", "admin")
_MOST_DAYS = 3_650


@click.group()
def token() -> None:
    """Let people and programs into a service that asks for tokens, and out again."""


@token.command()
@click.option("--workspace", required=True, metavar="NAME", help="What it opens; made if new.")
@click.option(
    "--role",
    required=True,
    type=click.Choice(_ROLES),
    help="reader looks; reviewer also adds and decides; admin also deletes and lets others in.",
)
@click.option("--name", default="", metavar="WHO", help="Who bears it: reviews are signed so.")
@click.option(
    "--expires",
    type=click.IntRange(1, _MOST_DAYS),
    metavar="DAYS",
    help=f"Good for so many days, at most {_MOST_DAYS:,}; until it is revoked without it.",
)
@database_option
@with_exit_code
def create(workspace: str, role: str, name: str, expires: int | None, database: str | None) -> None:
    """Make a token. Its secret is printed once, alone on standard output.

    Only a hash of it is kept. The database is made where there is none.

    Exit code 0: done. 2: it could not be done.
    """
    from veridical.store.store import Store
    from veridical.store.workspaces import Role

    ends = None if expires is None else datetime.now(UTC) + timedelta(days=expires)
    with Store.open(database_url(database)) as store:
        made, secret = store.tokens.create(
            workspace, name.strip() or role, Role(role), expires_at=ends
        )
    err(
        f"The token {made.id} of {clean(made.name)}, {role} in {clean(workspace)}, is good "
        f"{_until(made)}. This is its secret, which is not shown again:"
    )
    out(secret)


@token.command("list")
@click.option("--workspace", metavar="NAME", help="Those of this workspace only.")
@database_option
@with_exit_code
def list_tokens(workspace: str | None, database: str | None) -> None:
    """List tokens, oldest first: id, state, role, workspace, name.

    Exit code 0: done. 2: it could not be done.
    """
    from veridical.store.store import Store

    with Store.open(database_url(database), create=False) as store:
        found = store.tokens.of(workspace)
    moment = datetime.now(UTC)
    for one in found:
        words = (one.id, _state(one, moment), one.role.value, one.workspace, one.name)
        out("  ".join(map(clean, words)))
    if not found:
        err("There are no tokens.")


@token.command()
@click.argument("token_id", metavar="ID")
@database_option
@with_exit_code
def revoke(token_id: str, database: str | None) -> int:
    """Make a token useless, from its next use on. ID is as `veridical token list` shows it.

    Exit code 0: it is revoked. 1: there is none of this id. 2: it could not be done.
    """
    from veridical.store.store import Store

    with Store.open(database_url(database), create=False) as store:
        there = store.tokens.revoke(token_id.strip().lower())
    err(f"{clean(token_id)} is revoked." if there else f"There is no token {clean(token_id)}.")
    return 0 if there else NEGATIVE_RESULT


def _until(token: Token) -> str:
    if token.expires_at is None:
        return "until it is revoked"
    return f"until {token.expires_at:%Y-%m-%d %H:%M} UTC"


def _state(token: Token, moment: datetime) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return _until(token) if token.is_good(moment) else "expired"
