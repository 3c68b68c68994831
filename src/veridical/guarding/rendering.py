"""Writes the text that may be shown, sentence by sentence."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from veridical.guarding.report import (
    CLOSE,
    FAILING,
    LEFT_OUT,
    NOT_CHECKED,
    OPEN,
    GuardedSentence,
    OnFail,
    Standing,
    nearest,
    worst,
)
from veridical.guarding.window import Settled
from veridical.ledger.entry import LedgerEntry
from veridical.ledger.extraction.page import BlockKind, cells
from veridical.sources.document import Span

# The marks that a guard writes into an answer, and how nobody else can.


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


# Signs of emphasis whose other half stands in another sentence: `**It is so. It was not.**`.


_SIGN = re.compile(
    r"\\.|(?<!`)(?P<code>`+)(?!`)[^`]*(?P=code)(?!`)|(?P<run>\*+|~~+|(?<!\w)_+|(?<!_)_+(?!\w))",
    re.DOTALL,
)


def unpaired(text: str) -> list[str]:
    """The runs of a text that are not closed, or not opened in it, in order."""
    found: list[str] = []
    for sign in _SIGN.finditer(text):
        run = sign["run"]
        before, after = (
            text[max(0, sign.start() - 1) : sign.start()],
            text[sign.end() : sign.end() + 1],
        )
        if not run or (not before.strip() and after.isspace()):
            continue
        if run in found:
            found.remove(run)
        else:
            found.append(run)
    return found


@dataclass(slots=True)
class Emphasis:
    """The halves of pairs in one block: those in what was kept, and those that were left out."""

    _kept: list[str] = field(default_factory=list)
    _lost: list[str] = field(default_factory=list)

    def kept(self, text: str) -> str:
        """What opens again before a sentence that is kept, for what it closes."""
        opening = ""
        for run in unpaired(text):
            if run in self._kept:
                self._kept.remove(run)
            elif run in self._lost:
                self._lost.remove(run)
                opening = run + opening
            else:
                self._kept.append(run)
        return opening

    def dropped(self, text: str, prefix: str = "") -> tuple[str, str]:
        """What closes in place of a sentence that is left out, and of `prefix`, which stands
        unwritten before the block, what is still to be written.
        """
        closing = ""
        for run in unpaired(text):
            if run in self._kept:
                self._kept.remove(run)
                closing += run
            elif run in self._lost:
                self._lost.remove(run)
            elif run == _end_run(prefix):
                prefix = prefix[: -len(run)]
            else:
                self._lost.append(run)
        return closing, prefix


def _end_run(prefix: str) -> str:
    sign = prefix[-1:]
    return prefix[len(prefix.rstrip(sign)) :] if sign and sign in "*~_" else ""


_MARKUP_START = re.compile(r"[#>+\-*=|~`:\[<]|\d{1,9}[.)]|[ \t]")
"""What begins a block at the start of a line, and did not where it stood."""


_CLOSING_HASHES = re.compile(r"[ \t]*#+[ \t]*\r?\n")


class Renderer:
    """Takes the sentences in order and gives for each the text to be written."""

    def __init__(self, on_fail: OnFail, names: dict[str, str]) -> None:
        self._on_fail = on_fail
        self._names = names
        self._dropping = _Dropper()

    def write(self, answer: str, settled: Settled, sentence: GuardedSentence) -> str:
        """The text for a sentence, with what stands before it."""
        fails = sentence.standing in FAILING
        if self._on_fail is OnFail.DROP:
            return self._dropping.write(answer, settled, drop=fails)
        head = unmarked(answer[settled.lead : settled.mark_at])
        tail = unmarked(answer[settled.mark_at : settled.end])
        is_told = fails or sentence.standing is Standing.REFUSAL
        if not is_told or self._on_fail is OnFail.FAIL:
            return head + tail
        said = mark(sentence, self._on_fail, self._names)
        if settled.kind is BlockKind.CODE:
            return f"{head}{tail}\n\n{said}\n"
        space = "" if head[-1:].isspace() else " "
        return f"{head}{space}{said}{tail}"


class _Dropper:
    """Leaves sentences out, and with the last of a block its list mark and its lines."""

    def __init__(self) -> None:
        self._break = ""
        """The line ends to be written before what is kept next, and `own` those of this block."""
        self._own = ""
        self._prefix = ""
        self._emphasis = Emphasis()
        self._begun = False
        self._written = False
        self._block: tuple[BlockKind | None, int] = (None, 0)
        self._lost: tuple[int, str] | None = None
        """The level and the list mark of an item that was left out, while in what lies in it."""

    def write(self, answer: str, settled: Settled, *, drop: bool) -> str:
        """The text to be written for a sentence, or for what stands before one that is dropped."""
        lead = unmarked(answer[settled.lead : settled.start])
        body = unmarked(answer[settled.start : settled.end])
        between = self._enter(settled, lead) if settled.first else ""
        if drop and settled.kind is BlockKind.COLUMNS:  # without titles no table would be left
            body, drop = _without_titles(body), False
        if drop:
            said = body if settled.first else lead + body
            closing, self._prefix = self._emphasis.dropped(said, self._prefix)
            return between + closing
        if self._begun:
            return lead + self._emphasis.kept(lead + body) + body
        if settled.kind is None:
            return between + (self._break if self._written else "") + self._prefix
        again = self._emphasis.kept(self._prefix + body)
        return between + self._opening() + self._safely(settled, again + body) + again + body

    def _enter(self, settled: Settled, lead: str) -> str:
        """Begin a block. What stands between blocks and is more than white space is kept."""
        self._leave(settled)
        at = max(lead.rfind("\n"), lead.rfind("\r")) + 1
        before, self._prefix = lead[:at], lead[at:]
        if not self._begun and _CLOSING_HASHES.match(before):
            before = before[before.index("\n") :]
        self._begun, self._block = False, (settled.kind, settled.level)
        self._emphasis = Emphasis()
        words = before.strip("\r\n")
        if not words.strip():
            self._own = before
            self._break = max(self._break, before, key=_lines)
            return ""
        inner = before.index(words)
        opening = max(self._break, before[:inner], key=_lines)
        self._break = self._own = before[inner + len(words) :]
        opening, self._written = (opening if self._written else ""), True
        return opening + words

    def _leave(self, settled: Settled) -> None:
        kind, level = self._block
        if self._lost is None and kind is BlockKind.ITEM and not self._begun:
            self._lost = level, self._prefix
        if self._lost is not None:
            outer = self._lost[0]
            is_item = settled.kind is BlockKind.ITEM
            if settled.level < outer or (is_item and settled.level == outer):
                self._lost = None

    def _opening(self) -> str:
        """What is written before the first words of a block that are kept."""
        opening = self._break if self._written else ""
        if self._lost is not None:
            opening += f"{self._lost[1]}{LEFT_OUT}{self._own}"
        self._lost, self._break = None, ""
        self._begun = self._written = True
        return opening + self._prefix

    @staticmethod
    def _safely(settled: Settled, body: str) -> str:
        """Something to hold the place of what was left out, where else a block would begin."""
        is_text = settled.kind in (BlockKind.TEXT, BlockKind.ITEM)
        is_moved = is_text and not settled.first
        return f"{LEFT_OUT} " if is_moved and _MARKUP_START.match(body) else ""


def _lines(text: str) -> int:
    return text.count("\n")


def _without_titles(head: str) -> str:
    """The head of a table with something in place of each title."""
    for cell in reversed(cells(head, Span(0, len(head)))):
        if len(cell):
            head = f"{head[: cell.start]}{LEFT_OUT}{head[cell.end :]}"
    return head
