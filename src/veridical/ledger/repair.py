"""What to do next: the shortest repair of each claim that does not hold, in the source's words.

A repair puts the exact values of the source in place of the claim's, or the source's sentence in
place of the claim, or takes the claim out. Nothing is invented: each word that is put in stands in
a source. A repair is made only if the answer with it, checked again, is no worse anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

from rapidfuzz.distance import Levenshtein

from veridical.judging.verdict import Verdict
from veridical.judging.words import read_words
from veridical.ledger.build import LedgerBuilder, extracted
from veridical.ledger.entry import AnswerClaim, EvidenceLedger, LedgerEntry
from veridical.ledger.extraction.page import Block, BlockKind, read_page
from veridical.ledger.extraction.sentences import ShownText, sentences, shown_text
from veridical.ledger.quotes import QuoteCheck
from veridical.sources.document import Span
from veridical.text.normalize import EDITORIAL_LETTER, one_line
from veridical.text.tokens import Token, TokenKind, prepare, tokenize
from veridical.validation import lexicon
from veridical.validation.alterations import unit_of

MOST_REPAIRED = 100
"""Claims of one answer that repairs are sought for; each is judged again."""

_LEAST_SHARED = 0.5
"""Share of a claim's words that must stand in a passage for the two to be laid side by side."""

_MOST_READ_CHARS = 2_000_000  # while repairs are tried one by one: the whole answer for each
_MOST_TOLD_CHARS = 300
_VALUES = {*lexicon.NUMBERS, *lexicon.DATE_WORDS}
_WORST_LAST = (Verdict.SUPPORTED, Verdict.WEAK, Verdict.NOT_FOUND, Verdict.CONTRADICTED)
_TEXTS = (BlockKind.TEXT, BlockKind.ITEM)
_MARKUP = re.compile(r"[*_`<>|\[\]\\]|\s{2,}")
_LIST_MARK = re.compile(r"\A[-\u2022*][ \t]+")


class RepairKind(StrEnum):
    """What a repair does, the shortest first."""

    VALUES = "values"
    SENTENCE = "sentence"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """`new` in place of what stands from `start` to `end` in the answer, which is `old`."""

    start: int
    end: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Repair:
    """What to do about a claim that does not hold.

    `edits` make it, in order; `fixed` makes those that are `applied` and leaves the rest to a
    person. `replacement` is what then stands for the claim, and `words` those of the source that it
    is from; `missing` are words of the claim that do not stand there.
    """

    kind: RepairKind
    edits: tuple[Edit, ...] = ()
    words: str = ""
    replacement: str = ""
    missing: str = ""
    applied: bool = True

    @property
    def told(self) -> str:
        """The repair for a reader, without a full stop."""
        if self.kind is RepairKind.VALUES:
            return "put " + ", ".join(f"“{e.new}” for “{e.old}”" for e in self.edits)
        if self.kind is RepairKind.SENTENCE:
            lacks = f", which does not say “{self.missing}”" if self.missing else ""
            return f"say what the source says: “{one_line(self.words, _MOST_TOLD_CHARS)}”{lacks}"
        return "remove it" if self.applied else "remove it, or add the source that says it"


def fixed(answer: str, repairs: Iterable[Repair | None], *, marked: bool = False) -> str:
    """The answer with the repairs that are applied; `marked` as CriticMarkup, which shows what was
    taken out beside what was put in: `{~~28~>27~~}`, `{--gone--}`.
    """
    parts, at = [], 0
    for edit in sorted({e for one in repairs if one and one.applied for e in one.edits}):
        if edit.end <= at:  # another takes it out already
            continue
        start = max(at, edit.start)
        new, old = edit.new, answer[start : edit.end]
        if marked and (bare := old.rstrip()):
            new = f"{{~~{old}~>{new}~~}}" if new else f"{{--{bare}--}}{old[len(bare) :]}"
        parts += [answer[at:start], new]
        at = edit.end
    return "".join([*parts, answer[at:]])


def find_repairs(builder: LedgerBuilder, ledger: EvidenceLedger) -> dict[Span, Repair]:
    """The repairs of the claims of a ledger, which `builder` made, by the places of the claims."""
    problems = [e for e in ledger.entries if e.verdict is not Verdict.SUPPORTED][:MOST_REPAIRED]
    if not problems:
        return {}
    page = _Page(ledger, problems)
    plans = {entry.claim.span: list(_plan(entry, page)) for entry in problems}
    left = {span: plan[-1] for span, plan in plans.items()}
    return left | _settled(builder, page, plans)


def repair_of_quote(answer: str, quote: QuoteCheck) -> Repair | None:
    """The source's words for a quote that was changed; None where nothing is like it."""
    if quote.grounded or quote.nearest is None:
        return None
    old, new = answer[quote.span.start : quote.span.end], quote.nearest.text
    edit = Edit(quote.span.start, quote.span.end, old, new)
    return Repair(RepairKind.SENTENCE, (edit,), new, new)


# What may be done about a claim, the shortest first.


def _plan(entry: LedgerEntry, page: _Page) -> Iterator[Repair]:
    """The repairs to try, in order; the last is told where none of them can be made."""
    claim, span, pieces = entry.claim, entry.claim.span, (*entry.evidence, *entry.near)
    said = [_best_sentence(piece.snippet, claim.words) for piece in pieces[:2]]
    for words in said:
        if edits := _value_edits(words, span, page):
            made = Repair(RepairKind.VALUES, edits, words)
            yield replace(made, replacement=fixed(page.text[: span.end], [made])[span.start :])
    words = next(iter(said), "")
    stems = {word.stem for word in read_words(words)}
    content = [word for word in read_words(claim.words) if word.content]
    lacks = [word.text for word in content if word.stem not in stems]
    put, is_weak = page.instead(span, words), entry.verdict is Verdict.WEAK
    edits = (page.edit(span.start, span.end, put),) if put else ()
    sentence = Repair(RepairKind.SENTENCE, edits, words, put, " ".join(lacks))
    is_near = bool(said) and len(lacks) < _LEAST_SHARED * len(content)
    if edits and not is_weak and is_near:
        yield sentence
    if lacks and not is_weak and page.removal(span, {span}):
        yield Repair(RepairKind.REMOVE)
    yield replace(sentence if is_near else Repair(RepairKind.REMOVE), applied=False)


def _best_sentence(passage: str, claim: str) -> str:
    """The sentence of a passage that has most of the words of a claim."""
    ours = {word.stem for word in read_words(claim)}
    found = [passage[start:end] for start, end in sentences(ShownText(passage))] or [passage]
    best = max(found, key=lambda one: len(ours & {word.stem for word in read_words(one)}))
    return _LIST_MARK.sub("", best.strip())


def _value_edits(words: str, span: Span, page: _Page) -> tuple[Edit, ...]:
    """What puts the values of a source's words for those of the claim that stands at `span`."""
    words, shown, edits = " ".join(words.split()), page.shown(span.start, span.end), []
    if EDITORIAL_LETTER.search(shown.text):  # a word in two parts is not laid side by side
        return ()
    ours, theirs = (
        tokenize(prepared) if len(prepared := prepare(text)) == len(text) else []
        for text in (shown.text, words)
    )
    for first, last, low, high in _unlike(ours, theirs):
        start, end = ours[first].start, ours[last].end
        new = words[theirs[low].start : theirs[high].end]
        edit = page.edit(shown.starts[start], shown.ends[end - 1], new)
        if edit.old != shown.text[start:end]:  # markup stands within
            return ()
        edits += [edit] if edit.old != new else []
    return tuple(edits)


def _unlike(ours: Sequence[Token], theirs: Sequence[Token]) -> Iterator[tuple[int, int, int, int]]:
    """The first and last of the values in which two differ where they are laid side by side."""
    blocks = Levenshtein.opcodes([t.key for t in ours], [t.key for t in theirs])
    shared = sum(b.src_end - b.src_start for b in blocks if b.tag == "equal")
    for block in blocks if shared >= _LEAST_SHARED * len(ours) else ():
        mine = [at for at in range(block.src_start, block.src_end) if _is_value(ours[at])]
        said = [at for at in range(block.dest_start, block.dest_end) if _is_value(theirs[at])]
        if block.tag == "equal" or not mine or not said:
            continue
        if len(mine) == len(said) <= mine[-1] - mine[0]:  # other words stand between
            yield from ((i, i, j, j) for i, j in zip(mine, said, strict=True))
        else:
            yield mine[0], mine[-1], said[0], said[-1]


def _is_value(token: Token) -> bool:
    """Whether it is a number, a unit or sign, a date, or may be a name."""
    known = token.kind is not TokenKind.WORD or token.key in _VALUES
    return known or unit_of(token) is not None or token.capitalised


# Where claims stand in the Markdown of an answer, and how one is taken out of it.


class _Page:
    """An answer, and where the claims that do not hold stand in it: block, sentence, neighbours."""

    def __init__(self, ledger: EvidenceLedger, problems: Sequence[LedgerEntry]) -> None:
        self.ledger, self.text = ledger, ledger.answer
        self._page = read_page(ledger.answer)
        claims = [entry.claim for entry in ledger.entries]
        self._cuts = sorted({marker.span for claim in claims for marker in claim.markers})
        self._blocks: dict[Span, Block] = {}
        self._wholes = {entry.claim.span: self._whole(entry.claim) for entry in problems}
        self._beside = {
            span: [claim.span for claim in claims if claim.span.overlap(whole)]
            for span, whole in self._wholes.items()
        }

    def shown(self, start: int, end: int) -> ShownText:
        """What a reader sees of a stretch, less the citation markers."""
        return shown_text(self._page.document, start, end, self._cuts)

    def _whole(self, claim: AnswerClaim) -> Span:
        """The sentence or row that a claim stands in, with the markers behind its full stop."""
        whole = [claim.span]
        for block in (b for b in self._page.blocks if b.start <= claim.span.start < b.end):
            self._blocks[claim.span] = block
            shown = self.shown(block.start, block.end)
            found = [] if block.kind is BlockKind.ROW else sentences(shown)
            places = (shown.source(self.text, start, end) for start, end in found)
            whole += [place for place in places if place.overlap(claim.span)]
        low, high = min(one.start for one in whole), max(one.end for one in whole)
        for marker in (marker.span for marker in claim.markers):
            is_behind = marker.start >= high and not self.text[high : marker.start].strip()
            high = marker.end if is_behind else high
        return Span(low, high)

    def instead(self, span: Span, words: str) -> str:
        """The words of a source as they can stand for a claim; empty where they cannot."""
        is_text = span in self._blocks and self._blocks[span].kind in _TEXTS
        if not is_text or self._beside[span] != [span] or _MARKUP.search(words):
            return ""
        ended = "." in self.text[span.end : self._wholes[span].end]
        return " ".join((words.rstrip(".") if ended else words).split())

    def removal(self, span: Span, removed: set[Span]) -> tuple[Edit, ...]:
        """The edits that take a claim out while those of `removed` go too; none where what hangs
        below it would hang elsewhere, or it is neither text, item nor row.
        """
        block, beside, whole = self._blocks.get(span), self._beside[span], self._wholes[span]
        if block is None or block.kind not in (*_TEXTS, BlockKind.ROW):
            return ()
        below = self._page.blocks[self._page.blocks.index(block) + 1 :][:1]
        if block.kind is BlockKind.ITEM and below and below[0].level > block.level:
            return ()
        at = beside.index(span)
        if not removed.issuperset(beside[:at]):
            return (self.edit(beside[at - 1].end, span.end),)
        if not removed.issuperset(beside):  # what follows begins the sentence now
            first = beside[at + 1].start
            upper = self.edit(first, first + 1, self.text[first].upper())
            capital = self.text[span.start].isupper() and beside[at + 1] not in removed
            return (self.edit(span.start, first), *([upper] if capital else []))
        gone = sorted(self._wholes[one] for one in removed if self._blocks[one] == block)
        starts, ends = [block.start, *(one.end for one in gone)], [one.start for one in gone]
        left = (self.text[a:b] for a, b in zip(starts, [*ends, block.end], strict=True))
        if not any(map(str.isalnum, "".join(left))):
            return (self._line(block),)
        rest = self.text[whole.end : block.end]
        if rest.strip():
            return (self.edit(whole.start, whole.end + len(rest) - len(rest.lstrip())),)
        return (self.edit(len(self.text[: whole.start].rstrip(" \t\r\n>")), whole.end),)

    def edit(self, start: int, end: int, new: str = "") -> Edit:
        """A change of what stands at a place; without `new` it is taken out."""
        return Edit(start, end, self.text[start:end], new)

    def _line(self, block: Block) -> Edit:
        """A whole block with its mark, its lines and, of a paragraph, the blank ones behind it."""
        mark = block.mark.start if block.mark else block.start
        start = self.text.rfind("\n", 0, mark) + 1
        end = self.text.find("\n", block.end) + 1 or len(self.text)
        if self.text[start:mark].strip(" \t>|"):  # another mark stands on the line
            return self.edit(block.start, block.end)
        rest = self.text[end:].lstrip("\r\n" if block.kind is BlockKind.TEXT else "")
        if not rest:
            return self.edit(len(self.text[:start].rstrip()), len(self.text.rstrip()))
        return self.edit(start, len(self.text) - len(rest))


# Which of them are made: those after which nothing is worse.


def _settled(
    builder: LedgerBuilder, page: _Page, plans: Mapping[Span, Sequence[Repair]]
) -> dict[Span, Repair]:
    """The repairs to apply: all at once where the answer, checked again, bears that out, or else
    one by one, the first of each plan with which it does.
    """
    entries = page.ledger.entries
    known = {_key(entry.claim): entry.verdict for entry in entries}

    def bears(chosen: dict[Span, Repair]) -> bool:
        removed = {span for span, one in chosen.items() if one.kind is RepairKind.REMOVE}
        for span in removed:
            chosen[span] = replace(chosen[span], edits=page.removal(span, removed))
        least, text = len(entries) - len(removed), fixed(page.text, chosen.values())
        claims = extracted(builder, text, page.ledger.query).claims
        new = {_key(claim): claim for claim in claims if _key(claim) not in known}
        judged = builder.entries_of(list(new.values()), answer=text)
        known.update((_key(entry.claim), entry.verdict) for entry in judged)
        after = {claim.words: _WORST_LAST.index(known[_key(claim)]) for claim in claims}
        left = [entry for entry in entries if entry.claim.span not in chosen]
        kept = {entry.claim.words: _WORST_LAST.index(entry.verdict) for entry in left}
        is_worse = any(rank > kept.get(words, 0) for words, rank in after.items())
        return not is_worse and kept.keys() <= after.keys() and len(claims) >= least

    ahead = {span: [one for one in plan if one.applied] for span, plan in plans.items()}
    first = {span: plan[0] for span, plan in ahead.items() if plan}
    if not first or bears(first):
        return first
    made: dict[Span, Repair] = {}
    tries = ((span, one) for span, plan in ahead.items() for one in plan)
    for span, one in islice(tries, 1 + _MOST_READ_CHARS // len(page.text)):
        tried = {**made, span: one}
        if span not in made and bears(tried):
            made = tried
    return made


def _key(claim: AnswerClaim) -> tuple[object, ...]:
    return claim.words, claim.context, tuple((m.kind, m.value) for m in claim.markers)
