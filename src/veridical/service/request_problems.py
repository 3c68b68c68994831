"""What is wrong with the address or the form of a request, for whoever came with a browser."""

from __future__ import annotations

from typing import Any

_NOUNS = {"query": "In the address", "path": "In the address"}
_IN_A_FORM = "In the form"


def problem_words(problem: dict[str, Any]) -> str:
    """A problem that was found with a request as a sentence; never with what was sent.

    It is told by its kind: the words of the library that found it are for programmers.
    """
    place, *names = problem["loc"]
    what = f"“{names[-1]}”" if names else "what was sent"
    rule = _rule(str(problem["type"]), problem.get("ctx", {}))
    return f"{_NOUNS.get(str(place), _IN_A_FORM)}, {what} {rule}."


def _rule(kind: str, limits: dict[str, Any]) -> str:
    for begins, words in _RULES:
        if kind.startswith(begins):
            return words.format_map(limits)
    return "cannot be used"


_RULES = (
    ("missing", "is missing"),
    ("int", "must be a whole number"),
    ("float", "must be a number"),
    ("bool", "must be true or false"),
    ("greater_than_equal", "must be {ge} or more"),
    ("less_than_equal", "must be {le} or less"),
    ("string_too_long", "must have {max_length} characters or fewer"),
    ("string_too_short", "must have {min_length} characters or more"),
    ("literal_error", "must be one of {expected}"),
    ("enum", "must be one of {expected}"),
)
"""How kinds of problems begin, and what each says; the first that fits."""
