"""Sentences that the tests try, in files: a title in square brackets, then a sentence a line."""

from __future__ import annotations

import re
from pathlib import Path

_MARKED = re.compile(r"\[([^\]]+)\]")


def cases(file: str) -> dict[str, list[str]]:
    """The sentences of a file by their title."""
    found: dict[str, list[str]] = {}
    for line in Path(__file__).with_name(file).read_text("utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            sentences = found.setdefault(line[1:-1], [])
        elif line and not line.startswith("# "):
            sentences.append(line)
    return found


def of_rules(file: str, title: str) -> list[tuple[str, str]]:
    """Each rule with each sentence under a title such as `story: seen`."""
    titles = ((name.partition(": "), said) for name, said in cases(file).items())
    return [(rule, line) for (rule, _, rest), said in titles if rest == title for line in said]


def written(case: str) -> str:
    """The sentence as somebody writes it, without the brackets about names."""
    return _MARKED.sub(r"\1", case)


def without_names(case: str, phrase: str) -> str:
    """The sentence with the phrase in the place of each name."""
    return _MARKED.sub(phrase, case)
