"""Which ledgers were written out, as what and where."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import Connection, insert, select

from veridical.store.engine import Database
from veridical.store.ledgers import find
from veridical.store.tables import exports, sessions
from veridical.store.unreadable import ledger_name, readable
from veridical.store.workspaces import workspace_id


@dataclass(frozen=True, slots=True)
class ExportRecord:
    """A ledger as it was written out: `sha256` is that of the bytes, `path` where they went.

    `revision` is that of the ledger that was written.
    """

    id: str
    format: str
    sha256: str
    path: str
    created_at: datetime
    revision: int


def record(
    database: Database,
    ledger: str,
    workspace: str,
    *,
    format: str,
    sha256: str,
    path: str,
    revision: int | None,
) -> ExportRecord:
    """Note an export of a ledger, of the newest revision of it unless another is given."""
    made, moment = str(uuid4()), datetime.now(UTC)

    def work(connection: Connection) -> ExportRecord:
        found = find(connection, ledger, workspace, revision)
        connection.execute(
            insert(exports).values(
                id=made,
                session_id=found.key,
                format=format,
                sha256=sha256,
                path=path,
                created_at=moment,
            )
        )
        return ExportRecord(made, format, sha256, path, moment, found.revision)

    return database.write(work, made)


def recorded(database: Database, ledger: str, workspace: str) -> tuple[ExportRecord, ...]:
    """The exports of all revisions of a ledger, oldest first."""
    table, of = exports.c, sessions.c
    columns = (table.id, table.format, table.sha256, table.path, table.created_at, of.revision)
    with database.reading() as connection:
        found = find(connection, ledger, workspace)
        query = (
            select(*columns)
            .join(sessions, of.id == table.session_id)
            .where(of.workspace_id == workspace_id(workspace), of.ledger_id == found.ledger_id)
            .order_by(table.created_at, table.id)
        )
        with readable(ledger_name(found.ledger_id)):
            return tuple(ExportRecord(*row) for row in connection.execute(query))
