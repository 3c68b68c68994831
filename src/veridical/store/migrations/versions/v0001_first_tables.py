"""The first tables: documents, what they are cut into, and the ledgers over them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from veridical.store.columns import AnyText, EmptyIds, Json, NewId, Utc, id_list_type, id_type

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_READY = sa.text("status = 'ready'")


def upgrade() -> None:
    """To this version."""
    _documents()
    _sessions()
    _entries()


def downgrade() -> None:
    """To an empty database."""
    for table in (
        "exports",
        "evidence_ledger",
        "claims",
        "sessions",
        "document_chunks",
        "documents",
        "workspaces",
    ):
        op.drop_table(table)


def _documents() -> None:
    op.create_table(
        "workspaces",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("name", AnyText(), nullable=False),
        sa.Column("created_at", Utc(), server_default=sa.func.now(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_workspaces"),
        sa.UniqueConstraint("name", name="uq_workspaces_name"),
    )
    op.create_table(
        "documents",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("series_id", id_type(), nullable=False),
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("filename", AnyText(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("text", AnyText(), nullable=False),
        sa.Column("structure", Json(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("chars", sa.Integer(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("created_at", Utc(), server_default=sa.func.now(), nullable=True),
        sa.CheckConstraint(
            "status IN ('ready', 'superseded', 'deleted')", name=op.f("ck_documents_status")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name="fk_documents_workspace_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        sa.UniqueConstraint("series_id", "version", name="uq_documents_series_id_version"),
    )
    op.create_index(
        "idx_documents_one_ready",
        "documents",
        ["series_id"],
        unique=True,
        sqlite_where=_READY,
        postgresql_where=_READY,
    )
    op.create_index(
        "idx_documents_workspace", "documents", ["workspace_id", "status"], unique=False
    )
    op.create_table(
        "document_chunks",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("document_id", id_type(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("chunk_hash", sa.String(length=64), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.Column("heading_path", Json(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("sentences", Json(), nullable=False),
        sa.Column("table_head", Json(), nullable=True),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name="fk_document_chunks_document_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_document_chunks"),
        sa.UniqueConstraint(
            "document_id", "ordinal", name="uq_document_chunks_document_id_ordinal"
        ),
    )
    op.create_index("idx_chunks_hash", "document_chunks", ["chunk_hash"], unique=False)


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("ledger_id", id_type(), nullable=False),
        sa.Column("session_id", id_type(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("seal_head", sa.String(length=64), nullable=True),
        sa.Column("title", AnyText(), nullable=False),
        sa.Column("query", AnyText(), nullable=False),
        sa.Column("answer", AnyText(), nullable=False),
        sa.Column("mode", sa.Text(), server_default="answer", nullable=False),
        sa.Column("judge", Json(), nullable=False),
        sa.Column("sources", Json(), nullable=False),
        sa.Column("summary", Json(), nullable=False),
        sa.Column("risk_flags", Json(), nullable=False),
        sa.Column("follow_up_questions", Json(), nullable=False),
        sa.Column("actions", Json(), nullable=False),
        sa.Column("warnings", Json(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("updated_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_sessions_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.UniqueConstraint(
            "workspace_id",
            "ledger_id",
            "revision",
            name="uq_sessions_workspace_id_ledger_id_revision",
        ),
    )
    op.create_index(
        "idx_sessions_newest", "sessions", ["workspace_id", "created_at", "ledger_id"], unique=False
    )
    op.create_index(
        "idx_sessions_session", "sessions", ["workspace_id", "session_id"], unique=False
    )
    op.create_table(
        "exports",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("session_id", id_type(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("path", AnyText(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name="fk_exports_session_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_exports"),
    )
    op.create_index("idx_exports_session", "exports", ["session_id"], unique=False)


def _entries() -> None:
    op.create_table(
        "claims",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("session_id", id_type(), nullable=False),
        sa.Column("claim_text", AnyText(), nullable=False),
        sa.Column("claim_type", sa.Text(), nullable=False),
        sa.Column("importance", sa.Text(), nullable=False),
        sa.Column("requires_citation", sa.Boolean(), server_default=sa.true(), nullable=True),
        sa.Column("start_offset", sa.Integer(), nullable=True),
        sa.Column("end_offset", sa.Integer(), nullable=True),
        sa.Column("created_at", Utc(), server_default=sa.func.now(), nullable=True),
        sa.Column("uid", id_type(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("statement", AnyText(), nullable=False),
        sa.Column("context", AnyText(), nullable=False),
        sa.Column("markers", Json(), nullable=False),
        sa.CheckConstraint(
            "claim_type IN ('fact', 'policy', 'numeric', 'definition')",
            name=op.f("ck_claims_claim_type"),
        ),
        sa.CheckConstraint(
            "importance IN ('critical', 'material', 'minor')", name=op.f("ck_claims_importance")
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name="fk_claims_session_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_claims"),
    )
    op.create_index("idx_claims_session", "claims", ["session_id"], unique=False)
    op.create_table(
        "evidence_ledger",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("session_id", id_type(), nullable=False),
        sa.Column("claim_id", id_type(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("confidence_score", sa.Float(), nullable=True),
        sa.Column("chunk_ids", id_list_type(), server_default=EmptyIds(), nullable=False),
        sa.Column("evidence_snippet", AnyText(), nullable=True),
        sa.Column("notes", AnyText(), nullable=True),
        sa.Column("created_at", Utc(), server_default=sa.func.now(), nullable=True),
        sa.Column("uid", id_type(), nullable=False),
        sa.Column("entry", Json(), nullable=False),
        sa.CheckConstraint(
            "verdict IN ('supported', 'weak', 'contradicted', 'not_found')",
            name=op.f("ck_evidence_ledger_verdict"),
        ),
        sa.CheckConstraint(
            "confidence_score >= 0 AND confidence_score <= 1",
            name=op.f("ck_evidence_ledger_confidence_score"),
        ),
        sa.ForeignKeyConstraint(
            ["claim_id"], ["claims.id"], name="fk_evidence_ledger_claim_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name="fk_evidence_ledger_session_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_evidence_ledger"),
        sa.UniqueConstraint(
            "claim_id", "session_id", name="uq_evidence_ledger_claim_id_session_id"
        ),
    )
    op.create_index("idx_ledger_session", "evidence_ledger", ["session_id"], unique=False)
    op.create_index("idx_ledger_verdict", "evidence_ledger", ["verdict"], unique=False)
