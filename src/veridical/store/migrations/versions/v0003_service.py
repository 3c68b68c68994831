"""The service: jobs, uploads, inquiries with their reviews and exports, records, and access."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from veridical.store.columns import AnyText, Json, NewId, Utc, id_type

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_TABLES = ("jobs", "uploads", "upload_contents", "inquiries", "entry_reviews", "export_files",
           "export_contents", "records", "tokens", "keyed_requests", "ended_log_ins",
           "secrets")  # fmt: skip
_OPEN = sa.text("state IN ('waiting', 'running')")
_UNREAD = sa.text("state <> 'ready'")


def _one_of(table: str, column: str, *values: str) -> sa.CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} IN ({listed})", name=op.f(f"ck_{table}_{column}"))


def _part_of(table: str, column: str, whole: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{whole}.id"], name=f"fk_{table}_{column}", ondelete="CASCADE"
    )


def _of_workspace(table: str) -> sa.ForeignKeyConstraint:
    return _part_of(table, "workspace_id", "workspaces")


def _of_inquiry(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id", "session_id"],
        ["inquiries.workspace_id", "inquiries.id"],
        name=f"fk_{table}_workspace_id",
        ondelete="CASCADE",
    )


def upgrade() -> None:
    """To this version: each session that has a ledger becomes an inquiry that shows the newest."""
    op.create_index(
        "idx_documents_name", "documents", ["workspace_id", "status", "filename", "series_id"]
    )
    op.create_index(
        "idx_documents_state", "documents", ["workspace_id", "status", "series_id", "fingerprint"]
    )
    # Ledgers that are there keep the empty one, which none that is saved from now on gets.
    stamp = sa.Column("stamp", sa.String(length=32), server_default=sa.text("''"), nullable=False)
    op.add_column("sessions", stamp)
    _jobs_and_uploads()
    _inquiries()
    _files_and_records()
    _access()
    _fill_inquiries()


def downgrade() -> None:
    """To the version before, which knows documents and ledgers only: the rest is lost."""
    for table in reversed(_TABLES):
        op.drop_table(table)
    op.drop_column("sessions", "stamp")
    op.drop_index("idx_documents_state", "documents")
    op.drop_index("idx_documents_name", "documents")


def _jobs_and_uploads() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject_id", id_type(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("step", AnyText(), nullable=False),
        sa.Column("message", AnyText(), nullable=False),
        sa.Column("cancel_asked", sa.Boolean(), nullable=False),
        sa.Column("times_begun", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("started_at", Utc(), nullable=True),
        sa.Column("ended_at", Utc(), nullable=True),
        _one_of(
            "jobs",
            "kind",
            "ingest",
            "ledger",
            "export",
            "validation",
            "speech",
            "scorecard",
            "evaluation",
        ),
        _one_of("jobs", "state", "waiting", "running", "done", "failed", "cancelled"),
        _of_workspace("jobs"),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
    )
    op.create_index("idx_jobs_newest", "jobs", ["workspace_id", "created_at", "id"])
    op.create_index(
        "idx_jobs_open",
        "jobs",
        ["created_at", "id"],
        sqlite_where=_OPEN,
        postgresql_where=_OPEN,
    )
    op.create_index("idx_jobs_ended", "jobs", ["ended_at"])
    op.create_index("idx_jobs_subject", "jobs", ["subject_id"])
    op.create_table(
        "uploads",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("series_id", id_type(), nullable=False),
        sa.Column("filename", AnyText(), nullable=False),
        sa.Column("media_type", AnyText(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("message", AnyText(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("job_id", id_type(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        _one_of("uploads", "state", "waiting", "reading", "ready", "failed", "cancelled"),
        _of_workspace("uploads"),
        sa.PrimaryKeyConstraint("id", name="pk_uploads"),
    )
    op.create_index(
        "idx_uploads_document",
        "uploads",
        ["workspace_id", "series_id", "created_at", "id"],
    )
    op.create_index(
        "idx_uploads_unread",
        "uploads",
        ["workspace_id", "filename", "series_id", "state"],
        sqlite_where=_UNREAD,
        postgresql_where=_UNREAD,
    )
    op.create_table(
        "upload_contents",
        sa.Column("upload_id", id_type(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        _part_of("upload_contents", "upload_id", "uploads"),
        sa.PrimaryKeyConstraint("upload_id", name="pk_upload_contents"),
    )


def _inquiries() -> None:
    op.create_table(
        "inquiries",
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("id", id_type(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("title", AnyText(), nullable=False),
        sa.Column("query", AnyText(), nullable=False),
        sa.Column("message", AnyText(), nullable=False),
        sa.Column("ledger_key", id_type(), nullable=True),
        sa.Column("risks", sa.Integer(), nullable=False),
        sa.Column("job_id", id_type(), nullable=True),
        sa.Column("created_by", AnyText(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("answer", AnyText(), nullable=False),
        sa.Column("details", Json(), nullable=True),
        _one_of("inquiries", "mode", "answer", "verify"),
        _one_of("inquiries", "state", "waiting", "working", "ready", "failed", "cancelled"),
        sa.ForeignKeyConstraint(
            ["ledger_key"], ["sessions.id"], name="fk_inquiries_ledger_key", ondelete="SET NULL"
        ),
        _of_workspace("inquiries"),
        sa.PrimaryKeyConstraint("workspace_id", "id", name="pk_inquiries"),
    )
    op.create_index("idx_inquiries_ledger", "inquiries", ["ledger_key"])
    op.create_index("idx_inquiries_newest", "inquiries", ["workspace_id", "created_at", "id"])
    op.create_table(
        "entry_reviews",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("session_id", id_type(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("ledger_id", id_type(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("entry_id", id_type(), nullable=False),
        sa.Column("claim_id", id_type(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("machine_verdict", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("reason", AnyText(), nullable=False),
        sa.Column("reviewer", AnyText(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        _one_of("entry_reviews", "decision", "accept", "overrule", "withdraw"),
        _one_of(
            "entry_reviews", "machine_verdict", "supported", "weak", "contradicted", "not_found"
        ),
        _one_of("entry_reviews", "verdict", "supported", "weak", "contradicted", "not_found"),
        _of_inquiry("entry_reviews"),
        sa.PrimaryKeyConstraint("id", name="pk_entry_reviews"),
        sa.UniqueConstraint(
            "workspace_id",
            "session_id",
            "ordinal",
            name="uq_entry_reviews_workspace_id_session_id_ordinal",
        ),
    )


def _files_and_records() -> None:
    op.create_table(
        "export_files",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("session_id", id_type(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("ledger_key", id_type(), nullable=False),
        sa.Column("reviews", sa.Integer(), nullable=False),
        sa.Column("filename", AnyText(), nullable=False),
        sa.Column("media_type", AnyText(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("job_id", id_type(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("expires_at", Utc(), nullable=False),
        _of_inquiry("export_files"),
        sa.PrimaryKeyConstraint("id", name="pk_export_files"),
    )
    op.create_index("idx_export_files_expiry", "export_files", ["expires_at"])
    op.create_index("idx_export_files_session", "export_files", ["workspace_id", "session_id"])
    op.create_table(
        "export_contents",
        sa.Column("export_id", id_type(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        _part_of("export_contents", "export_id", "export_files"),
        sa.PrimaryKeyConstraint("export_id", name="pk_export_contents"),
    )
    op.create_table(
        "records",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", AnyText(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("message", AnyText(), nullable=False),
        sa.Column("summary", Json(), nullable=False),
        sa.Column("job_id", id_type(), nullable=False),
        sa.Column("created_by", AnyText(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("request", Json(), nullable=False),
        sa.Column("result", Json(), nullable=True),
        _one_of("records", "kind", "validation", "speech", "scorecard", "evaluation"),
        _one_of("records", "state", "waiting", "working", "ready", "failed", "cancelled"),
        _of_workspace("records"),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
    )
    op.create_index("idx_records_newest", "records", ["workspace_id", "kind", "created_at", "id"])


def _access() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("name", AnyText(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("secret_sha256", sa.String(length=64), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("expires_at", Utc(), nullable=True),
        sa.Column("revoked_at", Utc(), nullable=True),
        _one_of("tokens", "role", "reader", "reviewer", "admin"),
        _of_workspace("tokens"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("secret_sha256", name="uq_tokens_secret_sha256"),
    )
    op.create_index("idx_tokens_workspace", "tokens", ["workspace_id"])
    op.create_table(
        "keyed_requests",
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("key_sha256", sa.String(length=64), nullable=False),
        sa.Column("request_sha256", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("subject_id", id_type(), nullable=True),
        sa.Column("begun_at", Utc(), nullable=False),
        _of_workspace("keyed_requests"),
        sa.PrimaryKeyConstraint("workspace_id", "key_sha256", name="pk_keyed_requests"),
    )
    op.create_index("idx_keyed_requests_age", "keyed_requests", ["begun_at"])
    op.create_index("idx_keyed_requests_subject", "keyed_requests", ["subject_id"])
    op.create_table(
        "ended_log_ins",
        sa.Column("nonce", sa.String(length=64), nullable=False),
        sa.Column("until", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("nonce", name="pk_ended_log_ins"),
    )
    op.create_index("idx_ended_log_ins_until", "ended_log_ins", ["until"])
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )


def _fill_inquiries() -> None:
    if op.get_bind().dialect.name == "postgresql":
        risks = "CASE json_typeof(risk_flags) WHEN 'array' THEN json_array_length(risk_flags) END"
    else:
        risks = "CASE json_valid(risk_flags) WHEN 1 THEN json_array_length(risk_flags) END"
    op.execute(
        "INSERT INTO inquiries (workspace_id, id, mode, state, title, query, message, ledger_key,"  # noqa: S608
        " risks, created_by, created_at, answer)"
        " SELECT workspace_id, session_id, 'verify', 'ready', title, query, '', id,"
        f" COALESCE({risks}, 0), '', created_at, answer"
        " FROM (SELECT sessions.*, ROW_NUMBER() OVER (PARTITION BY workspace_id, session_id"
        " ORDER BY created_at DESC, ledger_id DESC, revision DESC) AS place FROM sessions) AS kept"
        " WHERE place = 1"
    )
