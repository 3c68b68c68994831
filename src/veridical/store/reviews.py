"""What reviewers decided about verdicts. Kept for good, beside the machine's verdict."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, RowMapping, Select, insert, select

from veridical.codec import EXACT, Codec, Form
from veridical.errors import ConflictError, ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.review import Decision, EntryReview, decision_problem
from veridical.store.engine import now
from veridical.store.failures import reading
from veridical.store.inquiries import session_lock
from veridical.store.paging import is_id
from veridical.store.rows import stamp
from veridical.store.tables import claims, entry_reviews, evidence_ledger, inquiries, sessions
from veridical.store.workspaces import Part


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
        if not is_id(session_id) or not is_id(entry_id):
            return None

        def work(connection: Connection) -> EntryReview | None:
            entry = connection.execute(self._entry(session_id, entry_id)).mappings().first()
            if entry is None:
                return None
            _require_same(entry, expected_revision, expected_stamp)
            earlier = self._all(connection, session_id)
            last = next((one for one in reversed(earlier) if one.entry_id == entry_id), None)
            _require_seen(last, expected_last)
            machine = Verdict(entry["verdict"])
            said = machine if decision is Decision.ACCEPT and verdict is None else verdict
            if problem := decision_problem(decision, machine, said, reason):
                raise ValidationError(problem)
            if decision is Decision.WITHDRAW:
                _require_standing(last, machine)
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
        if not is_id(session_id):
            return ()
        with reading(self._database, "A review") as connection:
            return self._all(connection, session_id)

    def reviewed(self, session_ids: Sequence[str]) -> frozenset[str]:
        """Which of these sessions have reviews, in one query; for at most a page of them."""
        ids = list(filter(is_id, session_ids))
        query = select(entry_reviews.c.session_id).where(
            self._here(entry_reviews),
            entry_reviews.c.session_id.in_(ids),
        )
        with reading(self._database, "A review") as connection:
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
        return tuple(_ROWS.read(EntryReview, row, at=stamp(row["created_at"])) for row in rows)

    def _write(
        self, connection: Connection, review: EntryReview, ordinal: int, moment: datetime
    ) -> None:
        connection.execute(
            insert(entry_reviews).values(
                workspace_id=self._workspace_id,
                ordinal=ordinal,
                created_at=moment,
                **_ROWS.write(review),
            )
        )


_ROWS = Codec({EntryReview: Form(apart={"at"})}, values=EXACT)


def _require_same(entry: RowMapping, revision: int | None, stamp: str | None) -> None:
    if revision in (None, entry["revision"]) and stamp in (None, entry["stamp"]):
        return
    raise ConflictError(
        "The ledger was built anew meanwhile. Look at what it says now, then decide."
    )


def _require_seen(last: EntryReview | None, expected: str | None) -> None:
    if expected is not None and expected != ("" if last is None else last.id):
        raise ConflictError(
            "Somebody else reviewed this claim meanwhile. Look at that, then decide anew."
        )


def _require_standing(last: EntryReview | None, machine: Verdict) -> None:
    if last is None or last.decision is Decision.WITHDRAW or last.machine_verdict is not machine:
        raise ValidationError("There is no review of this claim to withdraw.")
