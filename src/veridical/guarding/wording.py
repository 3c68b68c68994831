"""The marks that a guard writes into an answer, and how nobody else can."""

from __future__ import annotations

import re
import unicodedata

from veridical.guarding.report import GuardedSentence, nearest, worst
from veridical.guarding.settings import CLOSE, NOT_CHECKED, OPEN, OnFail, Standing
from veridical.ledger.entry import LedgerEntry

_MOST_QUOTED = 240
_INSTEAD = "\ufffd"
_ENTITY = re.compile(
    r"&(?=(?:#0*(?:10214|10215)(?!\d)|#x0*27e[67](?![0-9a-f])|[lr]obrk"
    r"|(?:left|right)doublebracket)(?:;|\b))",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"([\\`*_\[\]<>|~#&$!])")
_BRACKETS = str.maketrans({OPEN: _INSTEAD, CLOSE: _INSTEAD})
_HIDDEN = frozenset({"Cc", "Cf", "Cs"})


def unmarked(text: str) -> str:
    """A part of an answer in which no mark stands: the brackets of marks become \ufffd.

    Nor do they as entities of HTML, which a reader would be shown as brackets.
    """
    return _ENTITY.sub("&amp;", text.translate(_BRACKETS))


def mark(sentence: GuardedSentence, on_fail: OnFail, names: dict[str, str]) -> str:
    """What is added to a sentence: its verdict, and for ANNOTATE the nearest words of a source."""
    entry = worst(sentence.claims)
    if sentence.standing is not Standing.UNSUPPORTED or entry is None:
        return f"{OPEN}{NOT_CHECKED}{CLOSE}"
    return entry_mark(entry, on_fail, names)


def entry_mark(entry: LedgerEntry, on_fail: OnFail, names: dict[str, str], of: str = "") -> str:
    """The mark of a claim. `of` are the words that it is about, where they stand elsewhere."""
    said = entry.verdict.value.replace("_", " ")
    if of:
        said += f": \u201c{quoted(of)}\u201d"
    near = nearest(entry)
    if on_fail is OnFail.ANNOTATE and near is not None:
        name = quoted(names.get(near.source_id, "a source"))
        how = "nearest" if entry.near and not entry.evidence else "says"
        said += f"; {name} {how}: \u201c{quoted(near.snippet)}\u201d"
    return f"{OPEN}{said}{CLOSE}"


def quoted(text: str) -> str:
    """Words of a source or an answer on one line, without a meaning as markup, cut where long."""
    line = " ".join(text.translate(_BRACKETS).split())
    line = "".join(_INSTEAD if unicodedata.category(c) in _HIDDEN else c for c in line)
    line = line if len(line) <= _MOST_QUOTED else f"{line[: _MOST_QUOTED - 2]} \u2026"
    return _MARKUP.sub(r"\\\1", line)
