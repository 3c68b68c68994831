"""Addresses that a statement sends its reader to."""

from __future__ import annotations

import re

_ADDRESS = re.compile(
    r"\b(?:https?://|www\.)\S+|[\w.+-]{1,64}@[\w-]{1,64}\.\w+"
    r"|\b[\w-]{1,64}\.(?:com|net|org|io|example)\b\S*",
    re.IGNORECASE,
)


def adds_an_address(text: str, source: str) -> bool:
    """Whether it sends its reader to an address that the source does not have."""
    shown = source.lower()
    return any(found.rstrip(".,;:)").lower() not in shown for found in _ADDRESS.findall(text))
