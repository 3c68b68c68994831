"""Seconds as people read them."""

from __future__ import annotations


def clock(seconds: float) -> str:
    """`1:02` for 62.9 seconds, `1:00:00` for an hour; parts of a second are cut off."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
