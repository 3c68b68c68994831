"""Ledgers in a database, found by their ids, and in one workspace by their session; and what
reviewers decided about their verdicts, kept for good, beside the machine's verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    bindparam,
    exists,
    insert,
    literal,
    or_,
    select,
    tuple_,
)

from veridical.errors import ConflictError, StoreError, ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger, JudgeRecord, LedgerSummary
from veridical.ledger.ids import content_id
from veridical.ledger.review import Decision, EntryReview, decision_problem
from veridical.store.bulk import without_collector
from veridical.store.documents import Status, in_parts
from veridical.store.engine import now
from veridical.store.failures import ledger_name, readable
from veridical.store.rows import (
    CLAIM_COLUMNS,
    ROWS,
    ledger_of,
    seal_head,
    stamp,
)
from veridical.store.tables import (
    claims,
    documents,
    entry_reviews,
    evidence_ledger,
    inquiries,
    sessions,
)
from veridical.store.workspaces import Part, workspace_id

MOST_CANDIDATES = 10
"""How many ids a message lists where several begin alike."""

_HEX = frozenset("0123456789abcdef")

PLACE = (sessions.c.id, sessions.c.ledger_id, sessions.c.revision)
"""The columns of a `Found`."""

_READ_OF_ENTRY = ("uid", "verdict", "confidence_score", "chunk_ids", "evidence_snippet", "notes",
                  "entry")  # fmt: skip


class Saved(StrEnum):
    """What saving a ledger did. What a ledger replaces stays, as an earlier revision of it."""

    ADDED = "added"
    UNCHANGED = "unchanged"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class LedgerSummaryRow:
    """A ledger in a list. `created_at` is as in the ledger; `query` may be empty.

    `revision` is the newest, which the other fields are of: there are those from 1 on.
    """

    ledger_id: str
    session_id: str
    title: str
    query: str
    created_at: str
    judge: JudgeRecord
    summary: LedgerSummary
    revision: int


@dataclass(frozen=True, slots=True)
class StoredLedger:
    """A ledger as it comes out of the database.

    `revision` counts from 1 what was saved under its id. `seal_head` is the head of the seal of
    its file, made without a key when it was saved; None where no file can hold it.
    """

    ledger: EvidenceLedger
    revision: int
    seal_head: str | None

    @property
    def is_as_saved(self) -> bool:
        """Whether what came out is what was saved, to the six decimals of a ledger's file.

        It shows that rows were changed by accident or by hand, not by someone who takes care:
        whoever can write the database can change the head too.
        """
        return seal_head(self.ledger) == self.seal_head


@dataclass(frozen=True, slots=True)
class Found:
    """A row of `sessions`; `key` is its primary key."""

    key: str
    ledger_id: str
    revision: int


def find(connection: Connection, id: str, workspace: str, revision: int | None = None) -> Found:
    """The row of `sessions` that an id or the beginning of one leads to.

    Raises StoreError where there is none, or more than one; a ledger of just this id counts alone.
    """
    low, high = _range(id)
    of_ledger, of_session = sessions.c.ledger_id, sessions.c.session_id
    query = (
        select(*PLACE)
        .where(
            sessions.c.workspace_id == workspace_id(workspace),
            or_(of_ledger.between(low, high), of_session.between(low, high)),
            _is_newest() if revision is None else sessions.c.revision == revision,
        )
        .order_by(of_ledger != low, of_ledger)
        .limit(MOST_CANDIDATES + 1)
    )
    with readable(_some_ledger(workspace)):
        found = [Found(*row) for row in connection.execute(query)]
    if low == high:
        found = [row for row in found if row.ledger_id == low] or found
    if not found:
        which = "" if revision is None else f" with a revision {revision}"
        raise StoreError(f"There is no ledger {id}{which} in the workspace {workspace!r}.")
    if len(found) > 1:
        listed = ", ".join(row.ledger_id for row in found[:MOST_CANDIDATES])
        more = " and more" if len(found) > MOST_CANDIDATES else ""
        raise StoreError(f"Several ledgers begin with {id}: {listed}{more}. Give more of the id.")
    return found[0]


def newest(
    connection: Connection, workspace: str, limit: int, after: str | None
) -> tuple[LedgerSummaryRow, ...]:
    """The ledgers of a workspace, newest first, those behind `after` only."""
    order = (sessions.c.created_at, sessions.c.ledger_id)
    here = [sessions.c.workspace_id == workspace_id(workspace), _is_newest()]
    if after is not None:
        here.append(tuple_(*order) < _place_in_order(connection, after, workspace))
    query = select(sessions.c.ledger_id).where(*here)
    query = query.order_by(*(column.desc() for column in order)).limit(limit)
    with readable(_some_ledger(workspace)):
        ids = connection.execute(query).scalars().all()
    listed = (sessions.c[field.name] for field in fields(LedgerSummaryRow))
    rows = connection.execute(query.with_only_columns(*listed)).mappings()
    return tuple(_summary(rows, ledger) for ledger in ids)


def _place_in_order(connection: Connection, id: str, workspace: str) -> ColumnElement[Any]:
    found = find(connection, id, workspace)
    moment = sessions.c.created_at
    with readable(ledger_name(found.ledger_id)):
        created = connection.execute(select(moment).where(sessions.c.id == found.key)).scalar_one()
    return tuple_(
        literal(created, moment.type), literal(found.ledger_id, sessions.c.ledger_id.type)
    )


def _is_newest() -> ColumnElement[bool]:
    later = sessions.alias()
    return ~exists().where(
        later.c.workspace_id == sessions.c.workspace_id,
        later.c.ledger_id == sessions.c.ledger_id,
        later.c.revision > sessions.c.revision,
    )


def _summary(rows: Iterator[RowMapping], ledger: str) -> LedgerSummaryRow:
    """The next row, which is that of this ledger: to fetch it is to read its values."""
    with readable(ledger_name(ledger)):
        row = next(rows)
        return ROWS.read(LedgerSummaryRow, {**row, "created_at": stamp(row["created_at"])})


def stored(connection: Connection, place: Found) -> StoredLedger:
    """The ledger of a row of `sessions`."""
    claim = claims.c
    query = (
        select(
            *(evidence_ledger.c[name] for name in _READ_OF_ENTRY),
            claim.uid.label("claim_uid"),
            *(claim[name] for name in CLAIM_COLUMNS[4:]),
        )
        .join(claims, claims.c.id == evidence_ledger.c.claim_id)
        .where(evidence_ledger.c.session_id == place.key)
        .order_by(claim.ordinal)
    )
    with readable(ledger_name(place.ledger_id)):
        session = connection.execute(select(sessions).where(sessions.c.id == place.key))
        row = session.mappings().one()
        entries: Any = connection.execute(query)
        return StoredLedger(ledger_of(row, entries), place.revision, row["seal_head"])


def _some_ledger(workspace: str) -> str:
    return f"A ledger in the workspace {workspace!r}"


def _range(id: str) -> tuple[str, str]:
    """The first and the last UUID that begin with `id`."""
    digits = id.strip().lower().replace("-", "")
    if not digits or len(digits) > 32 or not _HEX.issuperset(digits):
        raise StoreError(f"{id[:40]!r} is not the id of a ledger, nor the beginning of one.")
    return str(UUID(digits.ljust(32, "0"))), str(UUID(digits.ljust(32, "f")))


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


class Ledgers(Part):
    """The ledgers of one workspace."""

    def mark(self, session_id: str) -> LedgerMark | None:
        """The newest ledger of a session; cheap (one indexed query)."""
        bound = {"place": self._workspace_id, "session": session_id}
        with self._database.glancing(_some_ledger(self._workspace)) as connection:
            row = connection.execute(_MARK, bound).first()
            if row is None:
                return None
            return LedgerMark(
                session_id, row.ledger_id, row.revision, row.stamp, row.last_review or ""
            )

    def load(self, mark: LedgerMark) -> StoredLedger:
        """The ledger that a mark stands for. Raises ConflictError where it was taken away since."""
        query = select(sessions.c.id).where(
            self._here(sessions),
            sessions.c.ledger_id == mark.ledger_id,
            sessions.c.revision == mark.revision,
            sessions.c.stamp == mark.stamp,
        )
        with self._reading("A ledger") as connection, without_collector():
            key = connection.execute(query).scalar()
            if key is None:
                raise ConflictError("The ledger was taken away meanwhile.")
            return stored(connection, Found(key, mark.ledger_id, mark.revision))

    def versions(self, texts: Mapping[str, str]) -> dict[str, int]:
        """Which version of each document has the text of this hash: `texts` has SHA-256 by document
        id, as `Source` of a ledger does. One that is not kept any more is missing. Cheap.
        """
        found: dict[str, int] = {}
        with self._database.glancing(_some_ledger(self._workspace)) as connection:
            for ids in in_parts(texts):
                rows = connection.execute(_VERSIONS, {"place": self._workspace_id, "ids": ids})
                found |= {key: number for key, number, sha in rows if texts.get(key) == sha}
        return found


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


def session_lock(place: str, session_id: str) -> str:
    """What writers of ledgers of one session wait for, in a workspace of this id."""
    return content_id("session_ledgers", place, session_id)


class Reviews(Part):
    """The reviews of one workspace. Nothing is changed or taken away; the last one counts."""

    def add(
        self,
        session_id: str,
        entry_id: str,
        decision: Decision,
        *,
        by: str,
        verdict: Verdict | None = None,
        reason: str = "",
        expected_last: str | None = None,
        expected_revision: int | None = None,
        expected_stamp: str | None = None,
    ) -> EntryReview | None:
        """Keep a decision about an entry of the newest ledger of a session; None where there is no
        such entry. An acceptance may go without a verdict.

        So that nobody decides about what they have not seen, ConflictError where the last review of
        the entry is not the one of the id `expected_last` ("" for none), or the ledger is not of
        `expected_revision`, or not the one of `expected_stamp` (`LedgerMark.stamp`: it also tells
        ledgers apart that were deleted and built anew). Raises ValidationError for a decision that
        is none (`decision_problem`), and where there is none to take back.
        """

        def work(connection: Connection) -> EntryReview | None:
            entry = connection.execute(self._entry(session_id, entry_id)).mappings().first()
            if entry is None:
                return None
            same = expected_revision in (None, entry["revision"])
            if not same or expected_stamp not in (None, entry["stamp"]):
                raise ConflictError(_ANEW)
            earlier = self._all(connection, session_id)
            last = next((one for one in reversed(earlier) if one.entry_id == entry_id), None)
            if expected_last not in (None, "" if last is None else last.id):
                raise ConflictError(_MEANWHILE)
            machine = Verdict(entry["verdict"])
            said = machine if decision is Decision.ACCEPT and verdict is None else verdict
            if problem := decision_problem(decision, machine, said, reason):
                raise ValidationError(problem)
            stands = last is not None and last.decision is not Decision.WITHDRAW
            is_of_this = last is not None and last.machine_verdict is machine
            if decision is Decision.WITHDRAW and not (stands and is_of_this):
                raise ValidationError("There is no review of this claim to withdraw.")
            moment = now()
            review = EntryReview(
                id=str(uuid4()),
                session_id=session_id,
                ledger_id=entry["ledger_id"],
                revision=entry["revision"],
                entry_id=entry_id,
                claim_id=entry["claim_id"],
                decision=decision,
                machine_verdict=machine,
                verdict=said,
                reason=reason.strip(),
                reviewer=by,
                at=stamp(moment),
            )
            self._write(connection, review, len(earlier) + 1, moment)
            return review

        return self._database.write(work, session_lock(self._workspace_id, session_id))

    def of_session(self, session_id: str) -> tuple[EntryReview, ...]:
        """All decisions about the ledgers of a session, oldest first."""
        with self._database.reading("A review") as connection:
            return self._all(connection, session_id)

    def reviewed(self, session_ids: Sequence[str]) -> frozenset[str]:
        """Which of these sessions have reviews, in one query; for at most a page of them."""
        query = select(entry_reviews.c.session_id).where(
            self._here(entry_reviews),
            entry_reviews.c.session_id.in_(session_ids),
        )
        with self._database.reading("A review") as connection:
            return frozenset(connection.execute(query.distinct()).scalars())

    def _entry(self, session_id: str, entry_id: str) -> Select[Any]:
        """An entry of the newest ledger of a session, with what a review says of it."""
        return (
            select(
                evidence_ledger.c.verdict,
                claims.c.uid.label("claim_id"),
                sessions.c.ledger_id,
                sessions.c.revision,
                sessions.c.stamp,
            )
            .join(inquiries, inquiries.c.ledger_key == evidence_ledger.c.session_id)
            .join(claims, claims.c.id == evidence_ledger.c.claim_id)
            .join(sessions, sessions.c.id == evidence_ledger.c.session_id)
            .where(
                self._here(inquiries),
                inquiries.c.id == session_id,
                evidence_ledger.c.uid == entry_id,
            )
        )

    def _all(self, connection: Connection, session_id: str) -> tuple[EntryReview, ...]:
        query = select(entry_reviews).where(
            self._here(entry_reviews),
            entry_reviews.c.session_id == session_id,
        )
        rows = connection.execute(query.order_by(entry_reviews.c.ordinal)).mappings()
        return tuple(ROWS.read(EntryReview, row, at=stamp(row["created_at"])) for row in rows)

    def _write(
        self, connection: Connection, review: EntryReview, ordinal: int, moment: datetime
    ) -> None:
        connection.execute(
            insert(entry_reviews).values(
                workspace_id=self._workspace_id,
                ordinal=ordinal,
                created_at=moment,
                **ROWS.write(review),
            )
        )


_ANEW = "The ledger was built anew meanwhile. Look at what it says now, then decide."
_MEANWHILE = "Somebody else reviewed this claim meanwhile. Look at that, then decide anew."
