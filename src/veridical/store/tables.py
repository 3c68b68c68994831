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

from veridical.store.columns import AnyText, EmptyIds, Json, NewId, Utc, id_list_type, id_type

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _one_of(column: str, *values: str) -> CheckConstraint:
    """A check that a column holds one of these words."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def _own_key() -> Column[str]:
    """A primary key that is a UUID."""
    return Column("id", id_type(), primary_key=True, server_default=NewId())


def _moment_now(name: str) -> Column[object]:
    """A moment, now unless told otherwise."""
    return Column(name, Utc(), server_default=func.now())


def _parent(name: str, column: str) -> Column[str]:
    """The key of the row that this one goes with."""
    return Column(name, id_type(), ForeignKey(column, ondelete="CASCADE"), nullable=False)


_RECORDS = ("validation", "speech", "scorecard", "evaluation")
_VERDICTS = ("supported", "weak", "contradicted", "not_found")
_STATES = ("waiting", "working", "ready", "failed", "cancelled")
_IS_OPEN = text("state IN ('waiting', 'running')")
_IS_UNREAD = text("state <> 'ready'")


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


workspaces = Table(
    "workspaces",
    metadata,
    _own_key(),
    Column("name", AnyText(), nullable=False, unique=True),
    _moment_now("created_at"),
)

# A row a version. `series_id` is what all versions of a document share: `Source.id` of a ledger.
documents = Table(
    "documents",
    metadata,
    _own_key(),
    Column("series_id", id_type(), nullable=False),
    _parent("workspace_id", "workspaces.id"),
    _words("filename"),
    _count("version"),
    Column("sha256", String(64), nullable=False),
    Column("status", Text(), nullable=False),
    Column("format", Text(), nullable=False),
    _words("text"),
    Column("structure", Json(), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    _count("chars"),
    Column("size_bytes", BigInteger(), nullable=False),
    _moment_now("created_at"),
    _one_of("status", "ready", "superseded", "deleted"),
    UniqueConstraint("series_id", "version"),
    Index("idx_documents_workspace", "workspace_id", "status"),
    # All that lists of names read.
    Index("idx_documents_name", "workspace_id", "status", "filename", "series_id"),
    # All that `Library.state` reads but the name, so that it does not walk through the texts.
    Index("idx_documents_state", "workspace_id", "status", "series_id", "fingerprint"),
    Index(
        "idx_documents_one_ready",
        "series_id",
        unique=True,
        sqlite_where=text("status = 'ready'"),
        postgresql_where=text("status = 'ready'"),
    ),
)

document_chunks = Table(
    "document_chunks",
    metadata,
    _own_key(),
    _parent("document_id", "documents.id"),
    _count("ordinal"),
    Column("chunk_hash", String(64), nullable=False),
    _count("start_offset"),
    _count("end_offset"),
    Column("heading_path", Json(), nullable=False),
    Column("page", Integer()),
    Column("sentences", Json(), nullable=False),
    Column("table_head", Json()),
    UniqueConstraint("document_id", "ordinal"),
    Index("idx_chunks_hash", "chunk_hash"),
)

# What a folder of policies was when it was read: one index a workspace, the files of each.
indexes = Table(
    "indexes",
    metadata,
    _own_key(),
    _parent("workspace_id", "workspaces.id"),
    Column("sources", Json(), nullable=False),
    UniqueConstraint("workspace_id"),
)

indexed_files = Table(
    "indexed_files",
    metadata,
    _own_key(),
    _parent("index_id", "indexes.id"),
    _parent("document_id", "documents.id"),
    _words("path"),
    Column("size_bytes", BigInteger(), nullable=False),
    Column("modified_ns", BigInteger()),
    Column("changed_ns", BigInteger()),
    Column("sha256", String(64), nullable=False),
    Column("made_by", String(64), nullable=False),
    UniqueConstraint("index_id", "path"),
    Index("idx_indexed_files_document", "document_id"),
)

sessions = Table(
    "sessions",
    metadata,
    _own_key(),
    _parent("workspace_id", "workspaces.id"),
    Column("ledger_id", id_type(), nullable=False),
    Column("session_id", id_type(), nullable=False),
    _count("revision"),
    Column("seal_head", String(64)),
    _words("title"),
    _words("query"),
    _words("answer"),
    Column("mode", Text(), nullable=False, server_default="answer"),
    Column("judge", Json(), nullable=False),
    Column("sources", Json(), nullable=False),
    Column("summary", Json(), nullable=False),
    Column("risk_flags", Json(), nullable=False),
    Column("follow_up_questions", Json(), nullable=False),
    Column("actions", Json(), nullable=False),
    Column("warnings", Json(), nullable=False),
    _made(),
    Column("updated_at", Utc(), nullable=False),
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
    _words("claim_text"),
    Column("claim_type", Text(), nullable=False),
    Column("importance", Text(), nullable=False),
    Column("requires_citation", Boolean(), server_default=true()),
    Column("start_offset", Integer()),
    Column("end_offset", Integer()),
    _moment_now("created_at"),
    Column("uid", id_type(), nullable=False),
    _count("ordinal"),
    _words("statement"),
    _words("context"),
    Column("markers", Json(), nullable=False),
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
    Column("verdict", Text(), nullable=False),
    Column("confidence_score", Float()),
    Column("chunk_ids", id_list_type(), nullable=False, server_default=EmptyIds()),
    Column("evidence_snippet", AnyText()),
    Column("notes", AnyText()),
    _moment_now("created_at"),
    Column("uid", id_type(), nullable=False),
    Column("entry", Json(), nullable=False),
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
    Column("format", Text(), nullable=False),
    Column("sha256", String(64), nullable=False),
    _words("path"),
    _made(),
    Index("idx_exports_session", "session_id"),
)

# What was asked of the service, what became of it, and who may ask.

# `worker` is the process that has a job at work, and `beat` grows as long as that lives: who wants
# to take the job up must know the present one.
jobs = Table(
    "jobs",
    metadata,
    _own_key(),
    _parent("workspace_id", "workspaces.id"),
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
    _one_of("kind", "ingest", "ledger", "export", *_RECORDS),
    _one_of("state", "waiting", "running", "done", "failed", "cancelled"),
    Index("idx_jobs_newest", "workspace_id", "created_at", "id"),
    Index("idx_jobs_subject", "subject_id"),
    Index("idx_jobs_open", "created_at", "id", sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
    Index("idx_jobs_ended", "ended_at"),
)

# What was paid for in a job that is not over, so that it is not paid for again.
job_steps = Table(
    "job_steps",
    metadata,
    _own_key(),
    _parent("job_id", "jobs.id"),
    _words("name"),
    _words("output"),
    Index("idx_job_steps_job", "job_id"),
)

uploads = Table(
    "uploads",
    metadata,
    _own_key(),
    _parent("workspace_id", "workspaces.id"),
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
    _one_of("state", "waiting", "reading", "ready", "failed", "cancelled"),
    Index("idx_uploads_document", "workspace_id", "series_id", "created_at", "id"),
    Index(
        "idx_uploads_unread",
        "workspace_id",
        "filename",
        "series_id",
        "state",
        sqlite_where=_IS_UNREAD,
        postgresql_where=_IS_UNREAD,
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
    _parent("workspace_id", "workspaces.id"),
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
    Column("earlier_id", id_type()),
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
    _parent("workspace_id", "workspaces.id"),
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
    _one_of("kind", *_RECORDS),
    _one_of("state", *_STATES),
    Index("idx_records_newest", "workspace_id", "kind", "created_at", "id"),
)

# `ledger_key` and `reviews` (their number) say of which state of the session it was asked for.
export_files = Table(
    "export_files",
    metadata,
    _own_key(),
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
    _own_key(),
    _parent("workspace_id", "workspaces.id"),
    _words("name"),
    Column("role", Text(), nullable=False),
    Column("secret_sha256", String(64), nullable=False, unique=True),
    _made(),
    Column("expires_at", Utc()),
    Column("revoked_at", Utc()),
    _one_of("role", "reader", "reviewer", "admin"),
    Index("idx_tokens_workspace", "workspace_id"),
)

# A call that was made with an idempotency key. `status` is 0 while it is being worked on, and -1
# when it was let go of. What it makes is to have the id `subject_id`; once it ended, that is the id
# of what the body tells of, which is emptied when that is deleted.
keyed_requests = Table(
    "keyed_requests",
    metadata,
    _parent("workspace_id", "workspaces.id"),
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
