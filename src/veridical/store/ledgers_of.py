"""Ledgers of one workspace, by their session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, select

from veridical.errors import ConflictError
from veridical.store.bulk import without_collector
from veridical.store.documents import Status
from veridical.store.engine import Database
from veridical.store.ledgers import Found, StoredLedger, stored
from veridical.store.library_queries import in_parts
from veridical.store.paging import is_id
from veridical.store.service_tables import entry_reviews, inquiries
from veridical.store.tables import documents, sessions
from veridical.store.unreadable import readable, reading


@dataclass(frozen=True, slots=True)
class LedgerMark:
    """Which ledger a session shows now, without its entries: what a cache is keyed by.

    `stamp` is given to a ledger whenever it is saved and to no other, so that one that was deleted
    and built anew has another mark. `last_review` is the id of what was decided last about its
    claims, empty for nothing.
    """

    session_id: str
    ledger_id: str
    revision: int
    stamp: str
    last_review: str


class Ledgers:
    """The ledgers of one workspace."""

    def __init__(self, database: Database, workspace: str, workspace_id: str) -> None:
        self._database = database
        self._workspace = workspace
        self._workspace_id = workspace_id

    def mark(self, session_id: str) -> LedgerMark | None:
        """The newest ledger of a session; cheap (one indexed query)."""
        if not is_id(session_id):
            return None
        bound = {"place": self._workspace_id, "session": session_id}
        with self._database.glancing() as connection, readable(self._some()):
            row = connection.execute(_MARK, bound).first()
            if row is None:
                return None
            return LedgerMark(
                session_id, row.ledger_id, row.revision, row.stamp, row.last_review or ""
            )

    def load(self, mark: LedgerMark) -> StoredLedger:
        """The ledger that a mark stands for. Raises ConflictError where it was taken away since."""
        query = select(sessions.c.id).where(
            sessions.c.workspace_id == self._workspace_id,
            sessions.c.ledger_id == mark.ledger_id,
            sessions.c.revision == mark.revision,
            sessions.c.stamp == mark.stamp,
        )
        with reading(self._database, self._some()) as connection, without_collector():
            key = connection.execute(query).scalar()
            if key is None:
                raise ConflictError("The ledger was taken away meanwhile.")
            return stored(connection, Found(key, mark.ledger_id, mark.revision))

    def revisions(self, session_id: str) -> tuple[int, ...]:
        """The revisions of a session's ledger, oldest first."""
        mark = self.mark(session_id)
        if mark is None:
            return ()
        query = select(sessions.c.revision).where(
            sessions.c.workspace_id == self._workspace_id, sessions.c.ledger_id == mark.ledger_id
        )
        with reading(self._database, self._some()) as connection:
            return tuple(connection.execute(query.order_by(sessions.c.revision)).scalars())

    def versions(self, texts: Mapping[str, str]) -> dict[str, int]:
        """Which version of each document has the text of this hash: `texts` has SHA-256 by document
        id, as `Source` of a ledger does. One that is not kept any more is missing. Cheap.
        """
        found: dict[str, int] = {}
        with self._database.glancing() as connection, readable(self._some()):
            for ids in in_parts(texts):
                rows = connection.execute(_VERSIONS, {"place": self._workspace_id, "ids": ids})
                found |= {key: number for key, number, sha in rows if texts.get(key) == sha}
        return found

    def _some(self) -> str:
        return f"A ledger in the workspace {self._workspace!r}"


_LAST_REVIEW = (
    select(entry_reviews.c.id)
    .where(
        entry_reviews.c.workspace_id == inquiries.c.workspace_id,
        entry_reviews.c.session_id == inquiries.c.id,
    )
    .order_by(entry_reviews.c.ordinal.desc())
    .limit(1)
)
_MARK = (
    select(
        sessions.c.ledger_id,
        sessions.c.revision,
        sessions.c.stamp,
        _LAST_REVIEW.scalar_subquery().label("last_review"),
    )
    .join(inquiries, inquiries.c.ledger_key == sessions.c.id)
    .where(inquiries.c.workspace_id == bindparam("place"), inquiries.c.id == bindparam("session"))
)
_VERSIONS = select(documents.c.series_id, documents.c.version, documents.c.sha256).where(
    documents.c.workspace_id == bindparam("place"),
    documents.c.series_id.in_(bindparam("ids", expanding=True)),
    documents.c.status != Status.DELETED.value,
)
"""Made once: to put such queries together takes longer than the database needs for them."""
