"""The store: documents with their versions and chunks, and ledgers, in one database.

Every query of the service goes through a `Shelf`, which is bound to its workspace here and nowhere
else. What is not on a shelf does not exist for whoever holds it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from secrets import token_bytes, token_hex
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select

from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.ids import DEFAULT_WORKSPACE, content_id
from veridical.sources.document import Document
from veridical.store import documents
from veridical.store.documents import IngestReport
from veridical.store.engine import Database, now
from veridical.store.export_files import ExportFiles, ExportRecord
from veridical.store.failures import ledger_name, readable
from veridical.store.inquiries import Inquiries
from veridical.store.jobs import JobBoard, Jobs
from veridical.store.ledgers import (
    Ledgers,
    LedgerSummaryRow,
    Reviews,
    Saved,
    StoredLedger,
    find,
    newest,
    stored,
)
from veridical.store.library import Library
from veridical.store.recordings import Recordings, Rubrics
from veridical.store.records import Records
from veridical.store.requests import Requests
from veridical.store.rows import columns_of, found, row_of
from veridical.store.schema import prepare
from veridical.store.tables import ended_log_ins, exports, secrets, sessions, workspaces
from veridical.store.upkeep import sweep
from veridical.store.workspaces import Tokens, ensure_workspace, workspace_id

if TYPE_CHECKING:
    from veridical.retrieval.chunks import Chunk


@dataclass(frozen=True, slots=True)
class Shelf:
    """The parts of one workspace. Made by `Store.shelf`."""

    workspace: str
    workspace_id: str
    documents: Library
    inquiries: Inquiries
    ledgers: Ledgers
    reviews: Reviews
    records: Records
    exports: ExportFiles
    jobs: Jobs
    recordings: Recordings
    rubrics: Rubrics


# Log-ins that were ended before their time: their cookies are good no longer, in any process.


class EndedLogIns:
    """All of a database, each known by its nonce (at most 64 characters)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def end(self, nonce: str, *, seconds: float) -> None:
        """End one, and remember that for so many seconds: as long as it could last by itself.

        Clears those that need not be remembered any longer.
        """
        table, moment = ended_log_ins.c, now()
        until = moment + timedelta(seconds=seconds)

        def work(connection: Connection) -> None:
            over = (table.until <= moment) | (table.nonce == nonce)
            connection.execute(delete(ended_log_ins).where(over))
            connection.execute(insert(ended_log_ins).values(nonce=nonce, until=until))

        self._database.write(work, content_id("log_in", nonce))

    def has(self, nonce: str) -> bool:
        """Whether this one was ended."""
        query = select(ended_log_ins.c.nonce).where(ended_log_ins.c.nonce == nonce)
        with self._database.reading("A log-in") as connection:
            return connection.execute(query).first() is not None


DEFAULT_URL = "sqlite:///veridical.db"

_SECRET_BYTES = 32

MOST_LISTED = 1_000
"""How many ledgers `Store.list` gives at once."""


class Store:
    """Documents and ledgers, kept apart by workspace. Open it with `Store.open`; close it.

    May be used from several threads and processes at once: a writer waits for another, for a while
    (see `open`). What a method writes is written whole or not at all, but for `ingest`,
    which writes document by document. Every method raises StoreError where the database cannot be
    read or written.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(
        cls,
        url: str | os.PathLike[str] = DEFAULT_URL,
        *,
        create: bool = True,
        busy_seconds: float | None = None,
    ) -> Store:
        """The store at a URL (`sqlite:///file.db`, `postgresql://user@host/database`) or path.

        Makes the tables where the database is empty and brings those of an older version up to
        date, unless `create` is false: who only reads changes nothing. `busy_seconds` is how long a
        writer waits for another one, `engine.BUSY_SECONDS` unless it is given.

        Raises StoreError for a database that cannot be used, or that another program or a newer
        Veridical made; ConfigurationError for a URL of another kind; MissingExtraError for
        PostgreSQL without its driver.
        """
        database = Database(url, busy_seconds=busy_seconds)
        try:
            prepare(database, create=create, upgrade=create)
        except BaseException:
            database.close()
            raise
        return cls(database)

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def ingest(
        self,
        items: Iterable[tuple[Document, Sequence[Chunk]]],
        workspace: str = DEFAULT_WORKSPACE,
    ) -> IngestReport:
        """Keep documents with their chunks, each in a transaction of its own.

        A document is known by its name. The same one again changes nothing; another text is a new
        version, and the old one is superseded: still there for older ledgers, but not looked at.
        A run that was killed left whole documents, and doing it again completes it.

        Raises StoreError for two different documents of one name.
        """
        return documents.ingest(self._database, items, workspace)

    def save(self, ledger: EvidenceLedger, workspace: str = DEFAULT_WORKSPACE) -> Saved:
        """Keep a ledger, in one transaction. The same one again changes nothing.

        The same work done at another time counts as the same: the first times stay. A ledger that
        differs otherwise from the one of its id takes its place, and that one stays as an earlier
        revision, with the exports that were made of it.

        Raises StoreError where ids are not UUIDs, or times or scores not as a ledger's are.
        """
        return self.shelf(workspace).inquiries.save(ledger)

    def load(
        self, id: str, workspace: str = DEFAULT_WORKSPACE, *, revision: int | None = None
    ) -> EvidenceLedger:
        """The ledger of this id, equal to what was saved: the newest of it unless told otherwise.

        `id` is that of the ledger or of its session, or the beginning of one; `revision` counts
        from 1. Raises StoreError where no ledger has it, or several do (which it lists).
        """
        return self.load_record(id, workspace, revision=revision).ledger

    def load_record(
        self, id: str, workspace: str = DEFAULT_WORKSPACE, *, revision: int | None = None
    ) -> StoredLedger:
        """The same with its revision, and with the head of the seal that it had when it was saved.

        `is_as_saved` of it tells whether rows were changed since; whoever can write the database
        can change the head too.
        """
        with self._database.reading() as connection:
            return stored(connection, find(connection, id, workspace, revision))

    def list(
        self,
        workspace: str = DEFAULT_WORKSPACE,
        *,
        limit: int = 50,
        after: str | None = None,
    ) -> tuple[LedgerSummaryRow, ...]:
        """The ledgers of a workspace, newest first, at most `limit` (1 to `MOST_LISTED`).

        Of each only the newest revision. Raises StoreError for one that cannot be read.
        The next page is that `after` the ledger id of the last row.
        """
        with self._database.reading() as connection:
            return newest(connection, workspace, min(max(limit, 1), MOST_LISTED), after)

    def record_export(
        self,
        ledger: str,
        workspace: str = DEFAULT_WORKSPACE,
        *,
        format: str,
        sha256: str,
        path: str | os.PathLike[str],
        revision: int | None = None,
    ) -> ExportRecord:
        """Note that a ledger was written out: `sha256` of the bytes, `path` where they went.

        It stays with the revision that is given, the newest without.
        """
        key, moment = str(uuid4()), now()

        def work(connection: Connection) -> ExportRecord:
            place = find(connection, ledger, workspace, revision)
            made = ExportRecord(key, format, sha256, os.fspath(path), moment, place.revision)
            row = insert(exports).values(session_id=place.key, **row_of(made, exports))
            connection.execute(row)
            return made

        return self._database.write(work, key)

    def exports(self, ledger: str, workspace: str = DEFAULT_WORKSPACE) -> tuple[ExportRecord, ...]:
        """The exports of all revisions of a ledger, oldest first."""
        of = sessions.c
        with self._database.reading() as connection:
            ledger_id = find(connection, ledger, workspace).ledger_id
            query = (
                select(*columns_of(ExportRecord, exports, revision=of.revision))
                .join(sessions, of.id == exports.c.session_id)
                .where(of.workspace_id == workspace_id(workspace), of.ledger_id == ledger_id)
                .order_by(exports.c.created_at, exports.c.id)
            )
            with readable(ledger_name(ledger_id)):
                return found(connection, query, ExportRecord)

    def shelf(self, workspace: str = DEFAULT_WORKSPACE) -> Shelf:
        """What one workspace holds. Raises StoreError for an unusable name."""
        parts = (
            Library,
            Inquiries,
            Ledgers,
            Reviews,
            Records,
            ExportFiles,
            Jobs,
            Recordings,
            Rubrics,
        )
        made: Any = (part(self._database, workspace) for part in parts)
        return Shelf(workspace, workspace_id(workspace), *made)

    def workspaces(self) -> tuple[str, ...]:
        """The names of all workspaces, sorted."""
        with self._database.reading("The list of workspaces") as connection:
            return tuple(sorted(connection.execute(select(workspaces.c.name)).scalars()))

    def add_workspace(self, name: str) -> bool:
        """Make a workspace; False where it was there. Raises StoreError for an unusable name."""
        key = workspace_id(name)
        kept = select(workspaces.c.id).where(workspaces.c.id == key)

        def work(connection: Connection) -> bool:
            is_there = connection.execute(kept).first() is not None
            ensure_workspace(connection, name)
            return not is_there

        return self._database.write(work, key)

    @property
    def tokens(self) -> Tokens:
        """Who may do what."""
        return Tokens(self._database)

    @property
    def job_board(self) -> JobBoard:
        """The jobs of all workspaces, for whoever works on them."""
        return JobBoard(self._database)

    def requests(self, workspace: str) -> Requests:
        """The calls of a workspace that were made with an idempotency key.

        Raises StoreError for an unusable name.
        """
        return Requests(self._database, workspace)

    @property
    def ended_log_ins(self) -> EndedLogIns:
        """Log-ins that are good no longer."""
        return EndedLogIns(self._database)

    def secret(self, name: str) -> bytes:
        """32 random bytes of this name (at most 64 characters), made when first asked for: what the
        service signs with, the same for every process that serves the database.
        """
        kept = select(secrets.c.value).where(secrets.c.name == name)

        def work(connection: Connection) -> bytes:
            # Another process may have made it while this one waited.
            found = connection.execute(kept).scalar()
            if found is None:
                found = token_bytes(_SECRET_BYTES)
                row = insert(secrets).values(name=name, value=found, created_at=now())
                connection.execute(row)
            return bytes(found)

        with self._database.reading() as connection:
            found = connection.execute(kept).scalar()
        return bytes(found or self._database.write(work, content_id("secret", name)))

    def sweep(self) -> dict[str, int]:
        """Take away, in all workspaces, what expired or is remembered long enough: see `sweep`."""
        return sweep(self._database)

    def ping(self) -> None:
        """Raises StoreError where the database does not answer, or nothing can be written to it."""
        name = f"ping-{token_hex(8)}"

        def work(connection: Connection) -> None:
            row = insert(secrets).values(name=name, value=b"", created_at=now())
            connection.execute(row)
            connection.execute(delete(secrets).where(secrets.c.name == name))

        self._database.require_room()
        self._database.write_at_once(work)
