"""The tables of documents and ledgers. `migrations/` makes them; a test holds that the two agree.

Those of the service are in `service_tables`, of the same `metadata`.

Section 10 of the ledger specification gives `claims` and `evidence_ledger`; the columns after
theirs hold what a ledger needs to come back exactly as it was saved.

Ids. The ids of a ledger follow from its content, so that one claim may stand in several ledgers
(judged by another judge, kept in another workspace). The primary keys of `sessions`, `claims` and
`evidence_ledger` are therefore the store's own, and the ledger's ids stand beside them, in `uid`,
`ledger_id` and `session_id`: a row of `sessions` is one answer as one judge saw it, and of several
rows of one `ledger_id` the one with the highest `revision` counts.

`seal_head` is the head of the seal of the ledger's file, without a key, when it was saved: it tells
whether the rows were changed since. A change of `ledger.wire` changes heads, and so needs a step in
`migrations/`.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
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


def one_of(column: str, *values: str) -> CheckConstraint:
    """A check that a column holds one of these words."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def own_key() -> Column[str]:
    """A primary key that is a UUID."""
    return Column("id", id_type(), primary_key=True, server_default=NewId())


def moment_now(name: str) -> Column[object]:
    """A moment, now unless told otherwise."""
    return Column(name, Utc(), server_default=func.now())


def parent(name: str, column: str) -> Column[str]:
    """The key of the row that this one goes with."""
    return Column(name, id_type(), ForeignKey(column, ondelete="CASCADE"), nullable=False)


workspaces = Table(
    "workspaces",
    metadata,
    own_key(),
    Column("name", AnyText(), nullable=False, unique=True),
    moment_now("created_at"),
)

# A row a version. `series_id` is what all versions of a document share: `Source.id` of a ledger.
documents = Table(
    "documents",
    metadata,
    own_key(),
    Column("series_id", id_type(), nullable=False),
    parent("workspace_id", "workspaces.id"),
    Column("filename", AnyText(), nullable=False),
    Column("version", Integer(), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("status", Text(), nullable=False),
    Column("format", Text(), nullable=False),
    Column("text", AnyText(), nullable=False),
    Column("structure", Json(), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("chars", Integer(), nullable=False),
    Column("size_bytes", BigInteger(), nullable=False),
    moment_now("created_at"),
    one_of("status", "ready", "superseded", "deleted"),
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
    own_key(),
    parent("document_id", "documents.id"),
    Column("ordinal", Integer(), nullable=False),
    Column("chunk_hash", String(64), nullable=False),
    Column("start_offset", Integer(), nullable=False),
    Column("end_offset", Integer(), nullable=False),
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
    own_key(),
    parent("workspace_id", "workspaces.id"),
    Column("sources", Json(), nullable=False),
    UniqueConstraint("workspace_id"),
)

indexed_files = Table(
    "indexed_files",
    metadata,
    own_key(),
    parent("index_id", "indexes.id"),
    parent("document_id", "documents.id"),
    Column("path", AnyText(), nullable=False),
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
    own_key(),
    parent("workspace_id", "workspaces.id"),
    Column("ledger_id", id_type(), nullable=False),
    Column("session_id", id_type(), nullable=False),
    Column("revision", Integer(), nullable=False),
    Column("seal_head", String(64)),
    Column("title", AnyText(), nullable=False),
    Column("query", AnyText(), nullable=False),
    Column("answer", AnyText(), nullable=False),
    Column("mode", Text(), nullable=False, server_default="answer"),
    Column("judge", Json(), nullable=False),
    Column("sources", Json(), nullable=False),
    Column("summary", Json(), nullable=False),
    Column("risk_flags", Json(), nullable=False),
    Column("follow_up_questions", Json(), nullable=False),
    Column("actions", Json(), nullable=False),
    Column("warnings", Json(), nullable=False),
    Column("created_at", Utc(), nullable=False),
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
    own_key(),
    parent("session_id", "sessions.id"),
    Column("claim_text", AnyText(), nullable=False),
    Column("claim_type", Text(), nullable=False),
    Column("importance", Text(), nullable=False),
    Column("requires_citation", Boolean(), server_default=true()),
    Column("start_offset", Integer()),
    Column("end_offset", Integer()),
    moment_now("created_at"),
    Column("uid", id_type(), nullable=False),
    Column("ordinal", Integer(), nullable=False),
    Column("statement", AnyText(), nullable=False),
    Column("context", AnyText(), nullable=False),
    Column("markers", Json(), nullable=False),
    one_of("claim_type", "fact", "policy", "numeric", "definition"),
    one_of("importance", "critical", "material", "minor"),
    Index("idx_claims_session", "session_id"),
)

evidence_ledger = Table(
    "evidence_ledger",
    metadata,
    own_key(),
    parent("session_id", "sessions.id"),
    parent("claim_id", "claims.id"),
    Column("verdict", Text(), nullable=False),
    Column("confidence_score", Float()),
    Column("chunk_ids", id_list_type(), nullable=False, server_default=EmptyIds()),
    Column("evidence_snippet", AnyText()),
    Column("notes", AnyText()),
    moment_now("created_at"),
    Column("uid", id_type(), nullable=False),
    Column("entry", Json(), nullable=False),
    one_of("verdict", "supported", "weak", "contradicted", "not_found"),
    CheckConstraint("confidence_score >= 0 AND confidence_score <= 1", name="confidence_score"),
    # In this order its index also finds the entry of a claim that is deleted.
    UniqueConstraint("claim_id", "session_id"),
    Index("idx_ledger_session", "session_id"),
    Index("idx_ledger_verdict", "verdict"),
)

exports = Table(
    "exports",
    metadata,
    own_key(),
    parent("session_id", "sessions.id"),
    Column("format", Text(), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("path", AnyText(), nullable=False),
    Column("created_at", Utc(), nullable=False),
    Index("idx_exports_session", "session_id"),
)
