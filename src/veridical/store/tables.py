"""All tables. `steps` brings those of older versions along; a test holds that the two agree.

Section 10 of the ledger specification gives `claims` and `evidence_ledger`; the columns after
theirs hold what a ledger needs to come back exactly as it was saved.

Ids. The ids of a ledger follow from its content, so that one claim may stand in several ledgers
(judged by another judge, kept in another workspace). The primary keys of `sessions`, `claims` and
`evidence_ledger` are therefore the store's own, and the ledger's ids stand beside them, in `uid`,
`ledger_id` and `session_id`: a row of `sessions` is one answer as one judge saw it, and of several
rows of one `ledger_id` the one with the highest `revision` counts.

`seal_head` is the head of the seal of the ledger's file, without a key, when it was saved: it tells
whether the rows were changed since. A change of `ledger.wire` changes heads, and so needs a step in
`steps`.

An inquiry has the id of its session, which follows from content for ledgers of the command line:
two workspaces may hold the same one, so its key has the workspace too. The key of what a job works
on stands in `jobs.subject_id` without a reference: a job outlives what it was for.

Bytes of files are in tables of their own, which lists do not touch.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
    true,
)

from veridical.store.columns import AnyText, EmptyIds, Id, Json, NewId, Utc, id_list_type

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _columns(kind: Callable[[], Any], *names: str, **options: Any) -> list[Column[Any]]:
    """Columns of one type, which hold a value in every row unless told otherwise."""
    return [Column(name, kind(), **{"nullable": False, **options}) for name in names]


_ids = partial(_columns, Id)
_words = partial(_columns, AnyText)
_terms = partial(_columns, Text)
_hashes = partial(_columns, partial(String, 64))
_counts = partial(_columns, Integer)
_sizes = partial(_columns, BigInteger)
_moments = partial(_columns, Utc)
_json = partial(_columns, Json)
_bytes = partial(_columns, LargeBinary)


def _own_key() -> Column[str]:
    """A primary key that is a UUID."""
    return Column("id", Id(), primary_key=True, server_default=NewId())


def _moment_now(name: str) -> Column[object]:
    """A moment, now unless told otherwise."""
    return Column(name, Utc(), server_default=func.now())


def _parent(name: str, column: str, **options: Any) -> Column[str]:
    """The key of the row that this one goes with."""
    key = ForeignKey(column, ondelete="CASCADE")
    return Column(name, Id(), key, **{"nullable": False, **options})


def _workspace() -> Column[str]:
    return _parent("workspace_id", "workspaces.id")


def _of_inquiry() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["workspace_id", "session_id"],
        ["inquiries.workspace_id", "inquiries.id"],
        ondelete="CASCADE",
    )


def _one_of(column: str, *values: str) -> CheckConstraint:
    """A check that a column holds one of these words."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def _index_where(condition: str, name: str, *columns: str, unique: bool = False) -> Index:
    """An index of the rows of which something holds."""
    holds = text(condition)
    return Index(name, *columns, unique=unique, sqlite_where=holds, postgresql_where=holds)


_RECORDS = ("validation", "speech", "scorecard", "evaluation")
_VERDICTS = ("supported", "weak", "contradicted", "not_found")
_STATES = ("waiting", "working", "ready", "failed", "cancelled")

workspaces = Table(
    "workspaces",
    metadata,
    _own_key(),
    *_words("name", unique=True),
    _moment_now("created_at"),
)

# A row a version. `series_id` is what all versions of a document share: `Source.id` of a ledger.
documents = Table(
    "documents",
    metadata,
    _own_key(),
    *_ids("series_id"),
    _workspace(),
    *_words("filename"),
    *_counts("version"),
    *_hashes("sha256"),
    *_terms("status", "format"),
    *_words("text"),
    *_json("structure"),
    *_hashes("fingerprint"),
    *_counts("chars"),
    *_sizes("size_bytes"),
    _moment_now("created_at"),
    _one_of("status", "ready", "superseded", "deleted"),
    UniqueConstraint("series_id", "version"),
    Index("idx_documents_workspace", "workspace_id", "status"),
    # All that lists of names read.
    Index("idx_documents_name", "workspace_id", "status", "filename", "series_id"),
    # All that `Library.state` reads but the name, so that it does not walk through the texts.
    Index("idx_documents_state", "workspace_id", "status", "series_id", "fingerprint"),
    _index_where("status = 'ready'", "idx_documents_one_ready", "series_id", unique=True),
)

document_chunks = Table(
    "document_chunks",
    metadata,
    _own_key(),
    _parent("document_id", "documents.id"),
    *_counts("ordinal"),
    *_hashes("chunk_hash"),
    *_counts("start_offset", "end_offset"),
    *_json("heading_path"),
    *_counts("page", nullable=True),
    *_json("sentences"),
    *_json("table_head", nullable=True),
    UniqueConstraint("document_id", "ordinal"),
    Index("idx_chunks_hash", "chunk_hash"),
)

# What a folder of policies was when it was read: one index a workspace, the files of each.
indexes = Table(
    "indexes",
    metadata,
    _own_key(),
    _workspace(),
    *_json("sources"),
    UniqueConstraint("workspace_id"),
)

indexed_files = Table(
    "indexed_files",
    metadata,
    _own_key(),
    _parent("index_id", "indexes.id"),
    _parent("document_id", "documents.id"),
    *_words("path"),
    *_sizes("size_bytes"),
    *_sizes("modified_ns", "changed_ns", nullable=True),
    *_hashes("sha256", "made_by"),
    UniqueConstraint("index_id", "path"),
    Index("idx_indexed_files_document", "document_id"),
)

sessions = Table(
    "sessions",
    metadata,
    _own_key(),
    _workspace(),
    *_ids("ledger_id", "session_id"),
    *_counts("revision"),
    *_hashes("seal_head", nullable=True),
    *_words("title", "query", "answer"),
    *_terms("mode", server_default="answer"),
    *_json("judge", "sources", "summary", "risk_flags"),
    *_json("follow_up_questions", "actions", "warnings"),
    *_moments("created_at", "updated_at"),
    # Never the same twice, though a ledger that is deleted and saved anew gets the same key.
    Column("stamp", String(32), nullable=False, server_default=text("''")),
    UniqueConstraint("workspace_id", "ledger_id", "revision"),
    Index("idx_sessions_session", "workspace_id", "session_id"),
    Index("idx_sessions_newest", "workspace_id", "created_at", "ledger_id"),
)

claims = Table(
    "claims",
    metadata,
    _own_key(),
    _parent("session_id", "sessions.id"),
    *_words("claim_text"),
    *_terms("claim_type", "importance"),
    Column("requires_citation", Boolean(), server_default=true()),
    *_counts("start_offset", "end_offset", nullable=True),
    _moment_now("created_at"),
    *_ids("uid"),
    *_counts("ordinal"),
    *_words("statement", "context"),
    *_json("markers"),
    _one_of("claim_type", "fact", "policy", "numeric", "definition"),
    _one_of("importance", "critical", "material", "minor"),
    Index("idx_claims_session", "session_id"),
)

evidence_ledger = Table(
    "evidence_ledger",
    metadata,
    _own_key(),
    _parent("session_id", "sessions.id"),
    _parent("claim_id", "claims.id"),
    *_terms("verdict"),
    Column("confidence_score", Float()),
    Column("chunk_ids", id_list_type(), nullable=False, server_default=EmptyIds()),
    *_words("evidence_snippet", "notes", nullable=True),
    _moment_now("created_at"),
    *_ids("uid"),
    *_json("entry"),
    _one_of("verdict", *_VERDICTS),
    CheckConstraint("confidence_score >= 0 AND confidence_score <= 1", name="confidence_score"),
    # In this order its index also finds the entry of a claim that is deleted.
    UniqueConstraint("claim_id", "session_id"),
    Index("idx_ledger_session", "session_id"),
    Index("idx_ledger_verdict", "verdict"),
)

exports = Table(
    "exports",
    metadata,
    _own_key(),
    _parent("session_id", "sessions.id"),
    *_terms("format"),
    *_hashes("sha256"),
    *_words("path"),
    *_moments("created_at"),
    Index("idx_exports_session", "session_id"),
)

# What was asked of the service, what became of it, and who may ask.

# `worker` is the process that has a job at work, and `beat` grows as long as that lives: who wants
# to take the job up must know the present one.
jobs = Table(
    "jobs",
    metadata,
    _own_key(),
    _workspace(),
    *_terms("kind"),
    *_ids("subject_id"),
    *_terms("state"),
    *_counts("done", "total"),
    *_words("step", "message"),
    Column("cancel_asked", Boolean(), nullable=False),
    *_counts("times_begun", "revision"),
    *_moments("created_at"),
    *_moments("started_at", "ended_at", nullable=True),
    Column("worker", String(32)),
    *_counts("beat", server_default=text("0")),
    _one_of("kind", "ingest", "ledger", "export", *_RECORDS),
    _one_of("state", "waiting", "running", "done", "failed", "cancelled"),
    Index("idx_jobs_newest", "workspace_id", "created_at", "id"),
    Index("idx_jobs_subject", "subject_id"),
    _index_where("state IN ('waiting', 'running')", "idx_jobs_open", "created_at", "id"),
    Index("idx_jobs_ended", "ended_at"),
)

# What was paid for in a job that is not over, so that it is not paid for again.
job_steps = Table(
    "job_steps",
    metadata,
    _own_key(),
    _parent("job_id", "jobs.id"),
    *_words("name", "output"),
    Index("idx_job_steps_job", "job_id"),
)

uploads = Table(
    "uploads",
    metadata,
    _own_key(),
    _workspace(),
    *_ids("series_id"),
    *_words("filename", "media_type"),
    *_sizes("size_bytes"),
    *_hashes("sha256"),
    *_terms("state"),
    *_words("message"),
    *_counts("version", nullable=True),
    *_ids("job_id"),
    *_moments("created_at"),
    _one_of("state", "waiting", "reading", "ready", "failed", "cancelled"),
    Index("idx_uploads_document", "workspace_id", "series_id", "created_at", "id"),
    _index_where(
        "state <> 'ready'",
        "idx_uploads_unread", "workspace_id", "filename", "series_id", "state",
    ),
)  # fmt: skip

upload_contents = Table(
    "upload_contents",
    metadata,
    _parent("upload_id", "uploads.id", primary_key=True),
    *_bytes("content"),
)

# `ledger_key` is the row of `sessions` that the inquiry shows: the ledger that was saved last.
inquiries = Table(
    "inquiries",
    metadata,
    _workspace(),
    *_ids("id"),
    *_terms("mode", "state"),
    *_words("title", "query", "message"),
    Column("ledger_key", Id(), ForeignKey("sessions.id", ondelete="SET NULL")),
    *_counts("risks"),
    *_ids("job_id", nullable=True),
    *_words("created_by"),
    *_moments("created_at"),
    *_words("answer"),
    *_json("details", nullable=True),
    *_ids("earlier_id", nullable=True),
    _one_of("mode", "answer", "verify"),
    _one_of("state", *_STATES),
    PrimaryKeyConstraint("workspace_id", "id"),
    Index("idx_inquiries_newest", "workspace_id", "created_at", "id"),
    Index("idx_inquiries_ledger", "ledger_key"),
    Index("idx_inquiries_earlier", "workspace_id", "earlier_id"),
)

# `ordinal` numbers the reviews of a session from 1, in the order in which they were made.
entry_reviews = Table(
    "entry_reviews",
    metadata,
    _own_key(),
    *_ids("workspace_id", "session_id"),
    *_counts("ordinal"),
    *_ids("ledger_id"),
    *_counts("revision"),
    *_ids("entry_id", "claim_id"),
    *_terms("decision", "machine_verdict"),
    *_terms("verdict", nullable=True),
    *_words("reason", "reviewer"),
    *_moments("created_at"),
    _one_of("decision", "accept", "overrule", "withdraw"),
    _one_of("machine_verdict", *_VERDICTS),
    _one_of("verdict", *_VERDICTS),
    UniqueConstraint("workspace_id", "session_id", "ordinal"),
    _of_inquiry(),
)

records = Table(
    "records",
    metadata,
    _own_key(),
    _workspace(),
    *_terms("kind"),
    *_words("title"),
    *_terms("state"),
    *_words("message"),
    *_json("summary"),
    *_ids("job_id"),
    *_words("created_by"),
    *_moments("created_at"),
    *_json("request"),
    *_json("result", nullable=True),
    _one_of("kind", *_RECORDS),
    _one_of("state", *_STATES),
    Index("idx_records_newest", "workspace_id", "kind", "created_at", "id"),
)

# What a record was made of, taken away `keep_seconds` after its job ended; null: with the record.
recordings = Table(
    "recordings",
    metadata,
    _workspace(),
    _parent("record_id", "records.id", primary_key=True),
    *_words("filename", "media_type"),
    *_sizes("size_bytes"),
    *_counts("keep_seconds", nullable=True),
    *_bytes("content"),
)

rubrics = Table(
    "rubrics",
    metadata,
    _own_key(),
    _workspace(),
    *_words("name"),
    *_counts("version"),
    *_words("text", "created_by"),
    *_moments("created_at"),
    UniqueConstraint("workspace_id", "name", "version"),
)

# `ledger_key` and `reviews` (their number) say of which state of the session it was asked for.
export_files = Table(
    "export_files",
    metadata,
    _own_key(),
    *_ids("workspace_id", "session_id"),
    *_terms("format"),
    *_ids("ledger_key"),
    *_counts("reviews"),
    *_words("filename", "media_type"),
    *_hashes("sha256"),
    *_sizes("size_bytes"),
    *_ids("job_id"),
    *_moments("created_at", "expires_at"),
    _of_inquiry(),
    Index("idx_export_files_expiry", "expires_at"),
    Index("idx_export_files_session", "workspace_id", "session_id"),
)

export_contents = Table(
    "export_contents",
    metadata,
    _parent("export_id", "export_files.id", primary_key=True),
    *_bytes("content"),
)

tokens = Table(
    "tokens",
    metadata,
    _own_key(),
    _workspace(),
    *_words("name"),
    *_terms("role"),
    *_hashes("secret_sha256", unique=True),
    *_moments("created_at"),
    *_moments("expires_at", "revoked_at", nullable=True),
    _one_of("role", "reader", "reviewer", "admin"),
    Index("idx_tokens_workspace", "workspace_id"),
)

# A call that was made with an idempotency key. `status` is 0 while it is being worked on, and -1
# when it was let go of. What it makes is to have the id `subject_id`; once it ended, that is the id
# of what the body tells of, which is emptied when that is deleted.
keyed_requests = Table(
    "keyed_requests",
    metadata,
    _workspace(),
    *_hashes("key_sha256", "request_sha256"),
    *_counts("status"),
    *_bytes("body"),
    *_ids("subject_id", nullable=True),
    *_moments("begun_at"),
    PrimaryKeyConstraint("workspace_id", "key_sha256"),
    Index("idx_keyed_requests_age", "begun_at"),
    Index("idx_keyed_requests_subject", "subject_id"),
)

# Log-ins that were ended before `until`, when they would have ended by themselves.
ended_log_ins = Table(
    "ended_log_ins",
    metadata,
    *_hashes("nonce", primary_key=True),
    *_moments("until"),
    Index("idx_ended_log_ins_until", "until"),
)

secrets = Table(
    "secrets",
    metadata,
    *_hashes("name", primary_key=True),
    *_bytes("value"),
    *_moments("created_at"),
)
