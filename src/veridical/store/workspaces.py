"""Workspaces keep what is stored apart, and tokens let others into them.

Nothing of one workspace is seen from another. A token says who may do what, in which workspace;
only hashes of them are kept.
"""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from secrets import choice
from string import ascii_letters, digits
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    bindparam,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from veridical.errors import StoreError, ValidationError
from veridical.ledger.ids import content_id
from veridical.store.engine import Database, now
from veridical.store.rows import ROWS, columns_of, found, row_of
from veridical.store.tables import tokens, workspaces

MOST_NAME_CHARS = 200


def workspace_id(name: str) -> str:
    """The id of a workspace, which need not be there. Raises StoreError for an unusable name."""
    if not name.isprintable() or not name.strip() or len(name) > MOST_NAME_CHARS:
        raise StoreError(
            f"A workspace needs a name of 1 to {MOST_NAME_CHARS} printable characters, "
            f"not {name[:40]!r}."
        )
    return content_id("workspace", name)


def ensure_workspace(connection: Connection, name: str) -> str:
    """The id of a workspace, which is there afterwards."""
    key = workspace_id(name)
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    row = insert(workspaces).values(id=key, name=name)
    connection.execute(row.on_conflict_do_nothing(index_elements=["id"]))
    return key


class Part:
    """What one workspace holds of a kind. No query of it leaves out the workspace, which need not
    be there yet.
    """

    def __init__(self, database: Database, workspace: str) -> None:
        self._database = database
        self._workspace = workspace
        self._workspace_id = workspace_id(workspace)

    def _here(self, table: Table) -> ColumnElement[bool]:
        """Holds for the rows of a table that are of the workspace."""
        return table.c.workspace_id == self._workspace_id

    def _reading(self, what: str) -> AbstractContextManager[Connection]:
        """A transaction that reads something of the workspace, which is what errors call it."""
        return self._database.reading(f"{what} in the workspace {self._workspace!r}")


TOKEN_PREFIX = "vrd_"  # noqa: S105
MOST_BEARER_CHARS = 100

_LETTERS = ascii_letters + digits
_SECRET_CHARS = 43
"""As many of these characters as hold 256 random bits."""


class Role(StrEnum):
    """Each may do what those before it may."""

    READER = "reader"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def covers(self, needed: Role) -> bool:
        """Whether this role may do what needs that one."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret. `name` is who bears it: what reviews are signed with."""

    id: str
    workspace: str
    name: str
    role: Role
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None

    def is_good(self, now: datetime) -> bool:
        """Whether it may still be used."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


class Tokens:
    """All tokens of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self, workspace: str, name: str, role: Role, *, expires_at: datetime | None = None
    ) -> tuple[Token, str]:
        """A new token and its secret (`vrd_` and 43 letters and digits), which is not kept.

        The workspace is made where there is none. Raises ValidationError for a name that is not 1
        to `MOST_BEARER_CHARS` printable characters, StoreError for an unusable workspace.
        """
        if not name.strip() or not name.isprintable() or len(name) > MOST_BEARER_CHARS:
            raise ValidationError(
                f"A token needs a name of 1 to {MOST_BEARER_CHARS} printable characters: "
                "reviews are signed with it."
            )
        secret = TOKEN_PREFIX + "".join(choice(_LETTERS) for _ in range(_SECRET_CHARS))
        token = Token(str(uuid4()), workspace, name, role, now(), expires_at, None)

        def work(connection: Connection) -> None:
            place = ensure_workspace(connection, workspace)
            row = {**row_of(token, tokens), "secret_sha256": secret_hash(secret)}
            connection.execute(insert(tokens).values(workspace_id=place, **row))

        self._database.write(work, token.id)
        return token, secret

    def by_secret(self, secret: str) -> Token | None:
        """The token of a secret, good or not; None where there is none."""
        return self._one(_BY_SECRET, secret_hash(secret))

    def by_id(self, id: str) -> Token | None:
        """The token of an id."""
        return self._one(_BY_ID, id)

    def hashes(self) -> frozenset[str]:
        """The hashes of all secrets that are not revoked, as `secret_hash` makes them."""
        query = select(tokens.c.secret_sha256).where(tokens.c.revoked_at.is_(None))
        with self._database.reading("The list of tokens") as connection:
            return frozenset(connection.execute(query).scalars())

    def of(self, workspace: str | None = None) -> tuple[Token, ...]:
        """All tokens, or those of a workspace, oldest first."""
        query = _ALL.order_by(tokens.c.created_at, tokens.c.id)
        if workspace is not None:
            query = query.where(tokens.c.workspace_id == workspace_id(workspace))
        with self._database.reading("The list of tokens") as connection:
            return found(connection, query, Token)

    def revoke(self, id: str, workspace: str | None = None) -> bool:
        """Make one useless; False where there is none (in that workspace).

        One that was revoked stays revoked at its time.
        """
        here = [tokens.c.id == id]
        if workspace is not None:
            here.append(tokens.c.workspace_id == workspace_id(workspace))
        revoked_at = func.coalesce(tokens.c.revoked_at, literal(now(), tokens.c.revoked_at.type))

        def work(connection: Connection) -> bool:
            row = update(tokens).where(*here).values(revoked_at=revoked_at)
            return connection.execute(row).rowcount > 0

        return self._database.write(work, id)

    def _one(self, query: Select[Any], value: str) -> Token | None:
        with self._database.reading("A token") as connection:
            row = connection.execute(query, {"value": value}).mappings().first()
            return None if row is None else ROWS.read(Token, row)


_ALL = select(*columns_of(Token, tokens, workspace=workspaces.c.name)).join(
    workspaces, workspaces.c.id == tokens.c.workspace_id
)
_BY_SECRET = _ALL.where(tokens.c.secret_sha256 == bindparam("value"))
_BY_ID = _ALL.where(tokens.c.id == bindparam("value"))


def secret_hash(secret: str) -> str:
    """What is kept of a secret."""
    # One round is enough: a secret is drawn from 62^43, and nobody tries those out.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
