"""Bounds on what is read: documents are untrusted, and each bound stops one way to do harm."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """Limits of one document. A document beyond one is refused with an error that names it."""

    max_bytes: int = 50 * MEBIBYTE
    max_text_chars: int = 50 * MEBIBYTE
    max_pages: int = 5_000
    max_nesting: int = 1_000
    max_unpacked_bytes: int = 256 * MEBIBYTE
    max_parse_seconds: float = 60.0
    max_worker_memory_bytes: int = 2048 * MEBIBYTE


DEFAULT_LIMITS = SourceLimits()

PAGE_LIMITS = SourceLimits(max_parse_seconds=10.0, max_worker_memory_bytes=1024 * MEBIBYTE)
"""Limits of looking at one page, for which a reader waits."""
