"""Creating calls that were made with an idempotency key, and what was replied."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from veridical.ledger.ids import content_id
from veridical.store.engine import now
from veridical.store.tables import keyed_requests
from veridical.store.workspaces import Part, ensure_workspace

KEPT_SECONDS = 24 * 3600
"""How long a key is remembered."""

_UNDER_WAY = 0
_LET_GO = -1
"""What stands for the status of a reply that there is none of."""


@dataclass(frozen=True, slots=True)
class KeptReply:
    """What was replied to a call; `status` 0 while it is still being worked on. An ended one has no
    `body` once what it told of was deleted.
    """

    request_sha256: str
    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Claim:
    """A key is ours. What the call makes is to have the id `subject_id`, however often it is tried:
    a try that was broken off may have made it already.
    """

    subject_id: str


class Requests(Part):
    """The keyed calls of one workspace."""

    def begin(self, key: str, request_sha256: str, *, stale_seconds: float) -> KeptReply | Claim:
        """Claim a key, or learn what is kept of it. One that was let go of, or that somebody began
        more than `stale_seconds` ago and never ended, can be claimed anew; one that is older than
        `KEPT_SECONDS` is as if it were new.
        """
        moment = now()
        table = keyed_requests.c
        old = table.begun_at <= moment - timedelta(seconds=KEPT_SECONDS)
        stale = moment - timedelta(seconds=stale_seconds)
        columns = (table.request_sha256, table.status, table.body, table.subject_id, table.begun_at)

        def work(connection: Connection) -> KeptReply | Claim:
            connection.execute(delete(keyed_requests).where(*self._one(key), old))
            kept = connection.execute(select(*columns).where(*self._one(key))).first()
            subject_id = str(uuid4())
            if kept is not None:
                is_left = kept.status == _UNDER_WAY and kept.begun_at <= stale
                if kept.status != _LET_GO and not is_left:
                    return KeptReply(kept.request_sha256, kept.status, bytes(kept.body))
                if kept.request_sha256 == request_sha256:
                    subject_id = kept.subject_id or subject_id
                connection.execute(delete(keyed_requests).where(*self._one(key)))
            place = ensure_workspace(connection, self._workspace)
            connection.execute(
                insert(keyed_requests).values(
                    workspace_id=place,
                    key_sha256=_hash(key),
                    request_sha256=request_sha256,
                    status=_UNDER_WAY,
                    body=b"",
                    subject_id=subject_id,
                    begun_at=moment,
                )
            )
            return Claim(subject_id)

        return self._database.write(work, self._lock(key))

    def end(self, key: str, status: int, body: bytes, subject_id: str | None = None) -> None:
        """Keep what was replied, until what has the id `subject_id` is deleted."""
        values = {"status": status, "body": body, "subject_id": subject_id}
        row = update(keyed_requests).where(*self._one(key)).values(values)
        self._database.write(lambda connection: connection.execute(row), self._lock(key))

    def forget(self, key: str) -> None:
        """Let go of a key whose call failed, so that it can be made again."""
        row = update(keyed_requests).where(*self._one(key)).values(status=_LET_GO)
        self._database.write(lambda connection: connection.execute(row), self._lock(key))

    def _one(self, key: str) -> tuple[ColumnElement[bool], ...]:
        return self._here(keyed_requests), keyed_requests.c.key_sha256 == _hash(key)

    def _lock(self, key: str) -> str:
        return content_id("keyed_request", self._workspace_id, key)


def empty_replies(connection: Connection, place: str, subject_id: str) -> None:
    """Keep nothing of what was replied about something of a workspace, as part of the transaction
    that deletes it. That the calls were made stays known: none is done again.
    """
    table = keyed_requests.c
    told = (table.workspace_id == place, table.subject_id == subject_id)
    connection.execute(update(keyed_requests).where(*told).values(body=b""))


def _hash(key: str) -> str:
    """What stands for a key: as long as any other, whatever a caller sends."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
