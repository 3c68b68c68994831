"""The tables of the service: what was asked for, what became of it, and who may ask.

An inquiry has the id of its session, which follows from content for ledgers of the command line:
two workspaces may hold the same one, so its key has the workspace too. The key of what a job works
on stands in `jobs.subject_id` without a reference: a job outlives what it was for.

Bytes of files are in tables of their own, which lists do not touch.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from veridical.store.columns import AnyText, Json, Utc, id_type
from veridical.store.tables import metadata, one_of, own_key, parent

__all__ = [
    "ended_log_ins",
    "entry_reviews",
    "export_contents",
    "export_files",
    "inquiries",
    "job_steps",
    "jobs",
    "keyed_requests",
    "metadata",
    "records",
    "secrets",
    "tokens",
    "upload_contents",
    "uploads",
]

_OPEN = text("state IN ('waiting', 'running')")
_UNREAD = text("state <> 'ready'")


def _made() -> Column[object]:
    return Column("created_at", Utc(), nullable=False)


def _words(name: str) -> Column[str]:
    return Column(name, AnyText(), nullable=False)


def _count(name: str) -> Column[int]:
    return Column(name, Integer(), nullable=False)


def _of_inquiry() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["workspace_id", "session_id"],
        ["inquiries.workspace_id", "inquiries.id"],
        ondelete="CASCADE",
    )


# `worker` is the process that has a job at work, and `beat` grows as long as that lives: who wants
# to take the job up must know the present one.
jobs = Table(
    "jobs",
    metadata,
    own_key(),
    parent("workspace_id", "workspaces.id"),
    Column("kind", Text(), nullable=False),
    Column("subject_id", id_type(), nullable=False),
    Column("state", Text(), nullable=False),
    _count("done"),
    _count("total"),
    _words("step"),
    _words("message"),
    Column("cancel_asked", Boolean(), nullable=False),
    _count("times_begun"),
    _count("revision"),
    _made(),
    Column("started_at", Utc()),
    Column("ended_at", Utc()),
    Column("worker", String(32)),
    Column("beat", Integer(), nullable=False, server_default=text("0")),
    one_of("kind", "ingest", "ledger", "export", "validation", "speech", "scorecard", "evaluation"),
    one_of("state", "waiting", "running", "done", "failed", "cancelled"),
    Index("idx_jobs_newest", "workspace_id", "created_at", "id"),
    Index("idx_jobs_subject", "subject_id"),
    Index("idx_jobs_open", "created_at", "id", sqlite_where=_OPEN, postgresql_where=_OPEN),
    Index("idx_jobs_ended", "ended_at"),
)

# What was paid for in a job that is not over, so that it is not paid for again.
job_steps = Table(
    "job_steps",
    metadata,
    own_key(),
    parent("job_id", "jobs.id"),
    _words("name"),
    _words("output"),
    Index("idx_job_steps_job", "job_id"),
)

uploads = Table(
    "uploads",
    metadata,
    own_key(),
    parent("workspace_id", "workspaces.id"),
    Column("series_id", id_type(), nullable=False),
    _words("filename"),
    _words("media_type"),
    Column("size_bytes", BigInteger(), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("state", Text(), nullable=False),
    _words("message"),
    Column("version", Integer()),
    Column("job_id", id_type(), nullable=False),
    _made(),
    one_of("state", "waiting", "reading", "ready", "failed", "cancelled"),
    Index("idx_uploads_document", "workspace_id", "series_id", "created_at", "id"),
    Index(
        "idx_uploads_unread",
        "workspace_id",
        "filename",
        "series_id",
        "state",
        sqlite_where=_UNREAD,
        postgresql_where=_UNREAD,
    ),
)

upload_contents = Table(
    "upload_contents",
    metadata,
    Column("upload_id", id_type(), ForeignKey("uploads.id", ondelete="CASCADE"), primary_key=True),
    Column("content", LargeBinary(), nullable=False),
)

# `ledger_key` is the row of `sessions` that the inquiry shows: the ledger that was saved last.
inquiries = Table(
    "inquiries",
    metadata,
    parent("workspace_id", "workspaces.id"),
    Column("id", id_type(), nullable=False),
    Column("mode", Text(), nullable=False),
    Column("state", Text(), nullable=False),
    _words("title"),
    _words("query"),
    _words("message"),
    Column("ledger_key", id_type(), ForeignKey("sessions.id", ondelete="SET NULL")),
    _count("risks"),
    Column("job_id", id_type()),
    _words("created_by"),
    _made(),
    _words("answer"),
    Column("details", Json()),
    one_of("mode", "answer", "verify"),
    one_of("state", "waiting", "working", "ready", "failed", "cancelled"),
    PrimaryKeyConstraint("workspace_id", "id"),
    Index("idx_inquiries_newest", "workspace_id", "created_at", "id"),
    Index("idx_inquiries_ledger", "ledger_key"),
)

# `ordinal` numbers the reviews of a session from 1, in the order in which they were made.
entry_reviews = Table(
    "entry_reviews",
    metadata,
    own_key(),
    Column("workspace_id", id_type(), nullable=False),
    Column("session_id", id_type(), nullable=False),
    _count("ordinal"),
    Column("ledger_id", id_type(), nullable=False),
    _count("revision"),
    Column("entry_id", id_type(), nullable=False),
    Column("claim_id", id_type(), nullable=False),
    Column("decision", Text(), nullable=False),
    Column("machine_verdict", Text(), nullable=False),
    Column("verdict", Text()),
    _words("reason"),
    _words("reviewer"),
    _made(),
    one_of("decision", "accept", "overrule", "withdraw"),
    one_of("machine_verdict", "supported", "weak", "contradicted", "not_found"),
    one_of("verdict", "supported", "weak", "contradicted", "not_found"),
    UniqueConstraint("workspace_id", "session_id", "ordinal"),
    _of_inquiry(),
)

records = Table(
    "records",
    metadata,
    own_key(),
    parent("workspace_id", "workspaces.id"),
    Column("kind", Text(), nullable=False),
    _words("title"),
    Column("state", Text(), nullable=False),
    _words("message"),
    Column("summary", Json(), nullable=False),
    Column("job_id", id_type(), nullable=False),
    _words("created_by"),
    _made(),
    Column("request", Json(), nullable=False),
    Column("result", Json()),
    one_of("kind", "validation", "speech", "scorecard", "evaluation"),
    one_of("state", "waiting", "working", "ready", "failed", "cancelled"),
    Index("idx_records_newest", "workspace_id", "kind", "created_at", "id"),
)

# `ledger_key` and `reviews` (their number) say of which state of the session it was asked for.
export_files = Table(
    "export_files",
    metadata,
    own_key(),
    Column("workspace_id", id_type(), nullable=False),
    Column("session_id", id_type(), nullable=False),
    Column("format", Text(), nullable=False),
    Column("ledger_key", id_type(), nullable=False),
    _count("reviews"),
    _words("filename"),
    _words("media_type"),
    Column("sha256", String(64), nullable=False),
    Column("size_bytes", BigInteger(), nullable=False),
    Column("job_id", id_type(), nullable=False),
    _made(),
    Column("expires_at", Utc(), nullable=False),
    _of_inquiry(),
    Index("idx_export_files_expiry", "expires_at"),
    Index("idx_export_files_session", "workspace_id", "session_id"),
)

export_contents = Table(
    "export_contents",
    metadata,
    Column(
        "export_id", id_type(), ForeignKey("export_files.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("content", LargeBinary(), nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    own_key(),
    parent("workspace_id", "workspaces.id"),
    _words("name"),
    Column("role", Text(), nullable=False),
    Column("secret_sha256", String(64), nullable=False, unique=True),
    _made(),
    Column("expires_at", Utc()),
    Column("revoked_at", Utc()),
    one_of("role", "reader", "reviewer", "admin"),
    Index("idx_tokens_workspace", "workspace_id"),
)

# A call that was made with an idempotency key. `status` is 0 while it is being worked on, and -1
# when it was let go of. What it makes is to have the id `subject_id`; once it ended, that is the id
# of what the body tells of, which is emptied when that is deleted.
keyed_requests = Table(
    "keyed_requests",
    metadata,
    parent("workspace_id", "workspaces.id"),
    Column("key_sha256", String(64), nullable=False),
    Column("request_sha256", String(64), nullable=False),
    _count("status"),
    Column("body", LargeBinary(), nullable=False),
    Column("subject_id", id_type()),
    Column("begun_at", Utc(), nullable=False),
    PrimaryKeyConstraint("workspace_id", "key_sha256"),
    Index("idx_keyed_requests_age", "begun_at"),
    Index("idx_keyed_requests_subject", "subject_id"),
)

# Log-ins that were ended before `until`, when they would have ended by themselves.
ended_log_ins = Table(
    "ended_log_ins",
    metadata,
    Column("nonce", String(64), primary_key=True),
    Column("until", Utc(), nullable=False),
    Index("idx_ended_log_ins_until", "until"),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", LargeBinary(), nullable=False),
    _made(),
)
