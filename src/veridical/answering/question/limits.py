"""Bounds of a question."""

from __future__ import annotations

MIN_QUESTION_CHARS = 1
MAX_QUESTION_CHARS = 2_000
"""In characters, white space collapsed."""
