"""The program under test: it stands in for one that asks a language model."""

from __future__ import annotations

_ANSWERS = {
    "How much leave do I get?": "Full-time staff are entitled to 26 days of leave in each calendar "
    "year.",
    "Can I keep some for next year?": "Yes. Up to four days may be carried over into the next "
    "year, and they must be used by 31 March.",
    "How much leave does a new colleague get?": "Full-time staff are entitled to 28 days of leave "
    "in each calendar year.",
}


def answer(question: str) -> str:
    """What the assistant says."""
    return _ANSWERS[question]
