"""Does a quote without names read as the raw words do?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.sources.span import Span
from veridical.text.spoken import spoken_keys, spoken_tokens
from veridical.validation.values import same_values

MOST_NAME_TOKENS = 4
"""How many words of the transcript one neutral phrase may stand for."""


def reads_as(shown: str, raw: str, phrase: str, *, has_capitals: bool) -> bool:
    """Whether `shown` is `raw` with names replaced by the phrase, and nothing else changed.

    In a transcript that `has_capitals`, what a phrase stands for must be written as names are.
    """
    stand_in = " ".join(spoken_keys(phrase))
    if not stand_in:
        return False
    # Tokens are letters and digits only, so that they can stand in a pattern as they are.
    # "Maria's" became "a fellow member's", whose last token is "members".
    name = rf"(\\S+(?: \\S+){{0,{MOST_NAME_TOKENS - 1}}})"
    pattern = re.sub(rf"(?<!\S){stand_in}s?(?!\S)", name, " ".join(spoken_keys(shown)))
    found = re.fullmatch(pattern, " ".join(spoken_keys(raw)))
    if found is None:
        return False
    names = list(_names(raw, found))
    if has_capitals and any(raw[n.start : n.end].islower() for n in names):
        return False
    return same_values(_replaced(raw, names, phrase), shown)


def _names(raw: str, found: re.Match[str]) -> Iterator[Span]:
    """Where in the raw words the names stand, in order."""
    tokens = spoken_tokens(raw)
    for group in range(1, found.re.groups + 1):
        first = found.string.count(" ", 0, found.start(group))
        last = first + found[group].count(" ")
        yield Span(tokens.starts[first], tokens.ends[last])


def _replaced(raw: str, names: list[Span], phrase: str) -> str:
    for name in reversed(names):
        said = raw[name.start : name.end]
        owner = re.search(r"['\u2019]s$", said)
        raw = raw[: name.start] + phrase + (owner.group() if owner else "") + raw[name.end :]
    return raw
