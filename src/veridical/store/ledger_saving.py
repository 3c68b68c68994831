"""Ledgers written to a database, each with the inquiry of its session, which shows it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from uuid import uuid4

from sqlalchemy import Connection, insert, select

from veridical.errors import StoreError
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.ids import content_id
from veridical.store.bulk import insert_rows, without_collector
from veridical.store.engine import Database
from veridical.store.inquiry_rows import (
    Mode,
    inquiry_of_ledger,
    show_ledger,
    take_words,
    write_inquiry,
)
from veridical.store.ledgers import PLACE, Found, Saved, stored
from veridical.store.rows import (
    CLAIM_COLUMNS,
    ENTRY_COLUMNS,
    claim_rows,
    entry_rows,
    header,
    require_storable,
    seal_head,
)
from veridical.store.tables import claims, evidence_ledger, sessions
from veridical.store.workspaces import ensure_workspace, workspace_id


def save(database: Database, ledger: EvidenceLedger, workspace: str) -> Saved:
    """Keep a ledger, whole or not at all, and have the inquiry of its session show it."""
    require_storable(ledger)
    place = workspace_id(workspace)
    with without_collector():
        head = seal_head(ledger)

        def work(connection: Connection) -> Saved:
            put = put_ledger(connection, ledger, head, workspace, Mode.VERIFY)
            if put.what is not Saved.UNCHANGED:
                _show(connection, place, put.key, ledger)
            return put.what

        return database.write(work, session_lock(place, ledger.session_id))


def _show(connection: Connection, place: str, key: str, ledger: EvidenceLedger) -> None:
    """Have the inquiry of a session show a ledger; one is made where there is none."""
    if show_ledger(connection, place, key, ledger):
        take_words(connection, place, ledger)
    else:
        write_inquiry(connection, place, inquiry_of_ledger(ledger))
        show_ledger(connection, place, key, ledger)


def session_lock(place: str, session_id: str) -> str:
    """What writers of ledgers of one session wait for, in a workspace of this id."""
    return content_id("session_ledgers", place, session_id)


@dataclass(frozen=True, slots=True)
class Put:
    """What saving a ledger did, and the row of `sessions` that it is in."""

    what: Saved
    key: str


def put_ledger(
    connection: Connection, ledger: EvidenceLedger, head: str | None, workspace: str, mode: Mode
) -> Put:
    """Write a ledger as part of a transaction; `head` is its `seal_head`."""
    last = _newest_of(connection, ledger.id, workspace)
    if last is not None and _holds(connection, last, ledger):
        return Put(Saved.UNCHANGED, last.key)
    revision = 1 if last is None else last.revision + 1
    place = ensure_workspace(connection, workspace)
    key = content_id("stored_ledger", place, ledger.id, str(revision))
    connection.execute(
        insert(sessions).values(
            id=key,
            workspace_id=place,
            revision=revision,
            stamp=uuid4().hex,
            mode=mode.value,
            **header(ledger, head),
        )
    )
    insert_rows(connection, claims, CLAIM_COLUMNS, claim_rows(key, ledger))
    insert_rows(connection, evidence_ledger, ENTRY_COLUMNS, entry_rows(key, ledger))
    return Put(Saved.ADDED if last is None else Saved.REPLACED, key)


def _newest_of(connection: Connection, ledger: str, workspace: str) -> Found | None:
    row = connection.execute(
        select(*PLACE)
        .where(sessions.c.workspace_id == workspace_id(workspace), sessions.c.ledger_id == ledger)
        .order_by(sessions.c.revision.desc())
        .limit(1)
    ).first()
    return None if row is None else Found(*row)


def _holds(connection: Connection, place: Found, given: EvidenceLedger) -> bool:
    """Whether a ledger differs from what is kept there in nothing but when it was built.

    Where the rows were changed since they were saved it is not there any more.
    """
    with suppress(StoreError):
        kept = stored(connection, place)
        created, updated = kept.ledger.created_at, kept.ledger.updated_at
        same = kept.ledger == replace(given, created_at=created, updated_at=updated)
        return same and kept.is_as_saved
    return False
