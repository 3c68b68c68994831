"""Recordings beside the records that were made of them, and rubrics with their versions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import Connection, Select, delete, func, insert, select

from veridical.errors import ConflictError
from veridical.ledger.ids import content_id
from veridical.store.engine import now
from veridical.store.rows import columns_of, first, found, row_of
from veridical.store.tables import jobs, recordings, records, rubrics
from veridical.store.workspaces import Part, ensure_workspace


@dataclass(frozen=True, slots=True)
class NewRecording:
    """A recording as it is given; `keep_seconds` after the report it is taken away, None: never."""

    filename: str
    media_type: str
    content: bytes
    keep_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that is kept. `goes_at` is when it is taken away: None while the report is not
    made, and where it is kept as long as its record.
    """

    filename: str
    media_type: str
    size_bytes: int
    keep_seconds: int | None
    goes_at: datetime | None = None


def add_recording(
    connection: Connection, workspace_id: str, record_id: str, given: NewRecording
) -> None:
    """Keep the recording of a record."""
    row = {"workspace_id": workspace_id, "record_id": record_id, "size_bytes": len(given.content)}
    connection.execute(insert(recordings).values(**row, **row_of(given, recordings)))


_MOST_BYTES = (1 << 31) - 1
"""What databases take for a length."""


class Recordings(Part):
    """The recordings of one workspace. One whose time is over is not given any more."""

    def of_record(self, record_id: str) -> Recording | None:
        """The recording of a record, without its bytes."""
        with self._reading("A recording") as connection:
            row = connection.execute(_with_end(record_id).where(self._here(recordings))).first()
        if row is None:
            return None
        goes_at = None
        if row.keep_seconds is not None and row.ended_at is not None:
            goes_at = row.ended_at + timedelta(seconds=row.keep_seconds)
        if goes_at is not None and goes_at <= now():
            return None
        return Recording(row.filename, row.media_type, row.size_bytes, row.keep_seconds, goes_at)

    def given(self, record_id: str) -> NewRecording | None:
        """The recording of a record as it was given, for another record of the same."""
        kept = self.of_record(record_id)
        content = self.content(record_id) if kept else b""
        if kept is None or not content:
            return None
        return NewRecording(kept.filename, kept.media_type, content, kept.keep_seconds)

    def content(self, record_id: str, start: int = 0, end: int | None = None) -> bytes:
        """The bytes from `start` up to `end`; none where there is no such recording."""
        most = _MOST_BYTES if end is None else end - start
        part = func.substr(recordings.c.content, start + 1, most)
        query = select(part).where(self._here(recordings), recordings.c.record_id == record_id)
        with self._reading("A recording") as connection:
            return bytes(connection.execute(query).scalar() or b"")


def _with_end(record_id: str) -> Select[tuple[object, ...]]:
    columns = (one for one in recordings.c if one.name != "content")
    return (
        select(*columns, jobs.c.ended_at)
        .join(records, records.c.id == recordings.c.record_id)
        .outerjoin(jobs, jobs.c.id == records.c.job_id)
        .where(recordings.c.record_id == record_id)
    )


def purge_recordings(connection: Connection, most: int) -> int:
    """Take away recordings whose time is over, at most so many; how many there were.

    Jobs are forgotten long after: a recording without one has waited long enough.
    """
    query = (
        select(recordings.c.record_id, recordings.c.keep_seconds, jobs.c.id, jobs.c.ended_at)
        .join(records, records.c.id == recordings.c.record_id)
        .outerjoin(jobs, jobs.c.id == records.c.job_id)
        .where(recordings.c.keep_seconds.is_not(None))
    )
    moment = now()
    over = [
        row.record_id
        for row in connection.execute(query)
        if row.id is None
        or (row.ended_at and row.ended_at + timedelta(seconds=row.keep_seconds) <= moment)
    ][:most]
    connection.execute(delete(recordings).where(recordings.c.record_id.in_(over)))
    return len(over)


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricVersion:
    """A version of a rubric, as somebody wrote it. `text` is YAML or JSON; lists leave it out."""

    name: str
    version: int
    created_by: str
    created_at: datetime
    text: str = ""


class Rubrics(Part):
    """The rubrics of one workspace. A version is never changed; a change is a new one."""

    def names(self) -> tuple[RubricVersion, ...]:
        """The newest version of each, by name."""
        newest = (
            select(rubrics.c.name, func.max(rubrics.c.version).label("version"))
            .where(self._here(rubrics))
            .group_by(rubrics.c.name)
            .subquery()
        )
        query = (
            select(*_LISTED)
            .join(newest, newest.c.name == rubrics.c.name)
            .where(self._here(rubrics), rubrics.c.version == newest.c.version)
            .order_by(rubrics.c.name)
        )
        with self._reading("A rubric") as connection:
            return found(connection, query, RubricVersion)

    def versions(self, name: str) -> tuple[RubricVersion, ...]:
        """All versions of one, the newest first."""
        query = select(*_LISTED).where(self._here(rubrics), rubrics.c.name == name)
        with self._reading("A rubric") as connection:
            return found(connection, query.order_by(rubrics.c.version.desc()), RubricVersion)

    def get(self, name: str, version: int | None = None) -> RubricVersion | None:
        """A version of one; the newest unless told which."""
        query = select(*_WHOLE).where(self._here(rubrics), rubrics.c.name == name)
        if version is not None:
            query = query.where(rubrics.c.version == version)
        with self._reading("A rubric") as connection:
            newest = query.order_by(rubrics.c.version.desc()).limit(1)
            return first(connection, newest, RubricVersion)

    def add(self, name: str, text: str, *, by: str, seen: int = 0) -> RubricVersion:
        """Keep a new version of one, whose newest is the one that was `seen` (0 for none).

        Raises ConflictError where somebody else kept another meanwhile.
        """

        def work(connection: Connection) -> RubricVersion:
            place = ensure_workspace(connection, self._workspace)
            here = (self._here(rubrics), rubrics.c.name == name)
            last = connection.execute(select(func.max(rubrics.c.version)).where(*here)).scalar()
            if (last or 0) != seen:
                raise ConflictError(
                    f"Somebody else saved version {last} of this rubric meanwhile. Look at it, "
                    "then save yours anew."
                    if last
                    else "This rubric was deleted meanwhile."
                )
            made = RubricVersion(
                name=name, version=seen + 1, created_by=by, created_at=now(), text=text
            )
            row = {"id": str(uuid4()), "workspace_id": place, **row_of(made, rubrics)}
            connection.execute(insert(rubrics).values(row))
            return made

        return self._database.write(work, content_id("rubric", self._workspace_id, name))


_WHOLE = columns_of(RubricVersion, rubrics)
_LISTED = [one for one in _WHOLE if one.name != "text"]
