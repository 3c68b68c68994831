"""Indexes: which files the documents of a workspace were read from, and how those were then."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from veridical.store.columns import AnyText, Json, NewId, id_type

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """To this version."""
    op.create_table(
        "indexes",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("workspace_id", id_type(), nullable=False),
        sa.Column("sources", Json(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_indexes_workspace_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_indexes"),
        sa.UniqueConstraint("workspace_id", name="uq_indexes_workspace_id"),
    )
    op.create_table(
        "indexed_files",
        sa.Column("id", id_type(), server_default=NewId(), nullable=False),
        sa.Column("index_id", id_type(), nullable=False),
        sa.Column("document_id", id_type(), nullable=False),
        sa.Column("path", AnyText(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("modified_ns", sa.BigInteger(), nullable=True),
        sa.Column("changed_ns", sa.BigInteger(), nullable=True),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["index_id"], ["indexes.id"], name="fk_indexed_files_index_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name="fk_indexed_files_document_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_indexed_files"),
        sa.UniqueConstraint("index_id", "path", name="uq_indexed_files_index_id_path"),
    )
    op.create_index("idx_indexed_files_document", "indexed_files", ["document_id"], unique=False)


def downgrade() -> None:
    """To the version before, which could not reach the documents of an index: they go with it."""
    op.execute("DELETE FROM documents WHERE id IN (SELECT document_id FROM indexed_files)")
    op.execute(
        "DELETE FROM workspaces WHERE id IN (SELECT workspace_id FROM indexes)"
        " AND id NOT IN (SELECT workspace_id FROM documents)"
        " AND id NOT IN (SELECT workspace_id FROM sessions)"
    )
    op.drop_table("indexed_files")
    op.drop_table("indexes")
