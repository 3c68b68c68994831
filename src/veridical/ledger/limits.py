"""Bounds of what a ledger is built from."""

from __future__ import annotations

MAX_ANSWER_CHARS = 4_000_000
"""A longer answer is refused."""
