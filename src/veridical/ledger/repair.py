"""What to do next: the shortest repair of each claim that does not hold, in the source's words.

A repair puts the exact values of the source in place of the claim's, or the source's sentence in
place of the claim, or takes the claim out. Nothing is invented: each word that is put in stands in
a source. A repair is made only if the answer with it, checked again, is no worse anywhere.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from veridical.judging.verdict import Verdict
from veridical.judging.words import read_words
from veridical.ledger.build import LedgerBuilder, extracted
from veridical.ledger.entry import AnswerClaim, EvidenceLedger, LedgerEntry
from veridical.ledger.extraction.page import Block, BlockKind, read_page
from veridical.ledger.extraction.sentences import ShownText, sentences, shown_text
from veridical.sources.document import Span
from veridical.text.normalize import one_line
from veridical.text.tokens import Token, TokenKind, prepare, tokenize
from veridical.validation import lexicon
from veridical.validation.alterations import unit_of

MOST_REPAIRED = 500
"""Claims of one answer that repairs are sought for; each is judged again."""

_LEAST_SHARED = 0.5
"""Share of a claim's words that must stand in a passage for the two to be laid side by side."""

_MOST_PIECES = 2
_MOST_ROUNDS = 12
_MOST_TOLD_CHARS = 300
_RANK = (Verdict.SUPPORTED, Verdict.WEAK, Verdict.NOT_FOUND, Verdict.CONTRADICTED)
_TEXTS = (BlockKind.TEXT, BlockKind.ITEM)
_MARKUP = re.compile(r"[*_`<>|\[\]\\]|\s{2,}")
_BLANK = " \t\r\n>"
_LIST_MARK = re.compile(r"[-\u2022*][ \t]+")


class RepairKind(StrEnum):
    """What a repair does, the shortest first."""

    VALUES = "values"
    SENTENCE = "sentence"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """`new` in place of what stands at `span` of the answer, which is `old`."""

    span: Span
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Repair:
    """What to do about the claim at `span`, which does not hold.

    `edits` make the repair, in order; empty where a person must see to it. `applied` says whether
    `fixed` makes them: what holds in part is left to a person. `replacement` is what then stands
    for the claim, and `words` those of the source that it is from; both are empty where the claim
    is taken out. `missing` are words of the claim that do not stand in `words`.
    """

    kind: RepairKind
    span: Span
    edits: tuple[Edit, ...] = ()
    replacement: str = ""
    words: str = ""
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
    for edit in _disjoint(repairs):
        new, old = edit.new, answer[edit.span.start : edit.span.end]
        if marked and old.strip():
            new = f"{{~~{old}~>{new}~~}}" if new else f"{{--{old.rstrip()}--}}"
            new += old[len(old.rstrip()) :] if not edit.new else ""
        parts += [answer[at : edit.span.start], new]
        at = edit.span.end
    return "".join([*parts, answer[at:]])


def _disjoint(repairs: Iterable[Repair | None]) -> Iterator[Edit]:
    """The edits to apply, in order, without what an earlier one takes out already."""
    at = 0
    for edit in sorted({e for one in repairs if one and one.applied for e in one.edits}):
        start = max(at, edit.span.start)
        at = max(at, edit.span.end)
        if start < at:
            yield replace(edit, span=Span(start, at))


def find_repairs(builder: LedgerBuilder, ledger: EvidenceLedger) -> dict[Span, Repair]:
    """The repairs of the claims of a ledger, which `builder` made, by the places of the claims."""
    problems = [e for e in ledger.entries if e.verdict is not Verdict.SUPPORTED][:MOST_REPAIRED]
    if not problems:
        return {}
    wrong = {entry.claim.span for entry in problems}
    page = _Page(ledger.answer, [entry.claim for entry in ledger.entries], wrong)
    plans = {entry.claim.span: list(_plan(entry, page)) for entry in problems}
    left = {span: plan[-1] for span, plan in plans.items()}
    return left | _settled(builder, ledger, page, plans)


# What may be done about a claim, the shortest first.


def _plan(entry: LedgerEntry, page: _Page) -> Iterator[Repair]:
    """The repairs to try, in order; the last is told where none of them can be made."""
    claim, span, pieces = entry.claim, entry.claim.span, (*entry.evidence, *entry.near)
    said = [best_sentence(piece.snippet, claim.words) for piece in pieces[:_MOST_PIECES]]
    for words in said:
        if edits := _value_edits(claim, words, page):
            made = Repair(RepairKind.VALUES, span, edits, words=words)
            yield replace(made, replacement=fixed(page.text[: span.end], [made])[span.start :])
    words = next(iter(said), "")
    stems = {word.stem for word in read_words(words)}
    content = [word for word in read_words(claim.words) if word.content]
    lacks = [word.text for word in content if word.stem not in stems]
    put, is_weak = page.instead(span, words), entry.verdict is Verdict.WEAK
    edits = (page.edit(span.start, span.end, put),) if put else ()
    sentence = Repair(RepairKind.SENTENCE, span, edits, put, words, " ".join(lacks))
    is_near = bool(said) and len(lacks) <= _LEAST_SHARED * len(content)
    if edits and not is_weak and (is_near or entry.verdict is Verdict.CONTRADICTED):
        yield sentence
    if lacks and not is_weak and page.is_removable(span):
        yield Repair(RepairKind.REMOVE, span)
    yield replace(sentence if is_near else Repair(RepairKind.REMOVE, span), applied=False)


def best_sentence(passage: str, claim: str) -> str:
    """The sentence of a passage that has most of the words of a claim."""
    ours = {word.stem for word in read_words(claim)}
    found = [passage[start:end] for start, end in sentences(ShownText(passage))]
    best = max(found or [passage], key=lambda one: len(ours & {w.stem for w in read_words(one)}))
    return _LIST_MARK.sub("", best.strip(), count=1) if best[:1] in "-\u2022*" else best.strip()


_Run = tuple[int, int]


def _tokens(text: str) -> list[Token]:
    """The tokens of a text; none where they do not stand at the same places in it."""
    prepared = prepare(text)
    return tokenize(prepared) if len(prepared) == len(text) else []


def _value_edits(claim: AnswerClaim, words: str, page: _Page) -> tuple[Edit, ...]:
    """What puts the values of a source's words for those of a claim."""
    words, shown, edits = " ".join(words.split()), page.shown(claim.span.start, claim.span.end), []
    ours, theirs = _tokens(shown.text), _tokens(words)
    for (first, last), (low, high) in _unlike(ours, theirs) or _numbers(ours, theirs):
        start, end = ours[first].start, ours[last - 1].end
        new = words[theirs[low].start : theirs[high - 1].end]
        edit = page.edit(shown.starts[start], shown.ends[end - 1], new)
        if edit.old != shown.text[start:end]:  # markup stands within
            return ()
        edits += [edit] if edit.old != new else []
    return tuple(edits)


def _numbers(ours: Sequence[Token], theirs: Sequence[Token]) -> list[tuple[_Run, _Run]]:
    """The numbers in which the two differ and what they count is the same, however it is worded;
    none where one has no such other.
    """
    known = {token.key for token in ours} & {token.key for token in theirs}
    mine, said = (
        [at for at, token in enumerate(side) if _is_number(token) and token.key not in known]
        for side in (ours, theirs)
    )
    counted = {_counted(theirs, at): at for at in reversed(said)}
    other = [counted.get(_counted(ours, at)) for at in mine]
    pairs = zip(mine, other, strict=True)
    return [] if None in other else [((i, i + 1), (j, j + 1)) for i, j in pairs if j is not None]


def _counted(tokens: Sequence[Token], at: int) -> tuple[str, ...]:
    """The words beside a number that say what it counts."""
    beside = (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])
    return tuple(unit for token in beside if (unit := unit_of(token)))


def _is_number(token: Token) -> bool:
    return token.kind is TokenKind.NUMBER or token.key in lexicon.NUMBERS


def _is_value(token: Token) -> bool:
    dated = token.key in lexicon.DATE_WORDS
    return _is_number(token) or unit_of(token) is not None or dated or token.capitalised


def _unlike(ours: Sequence[Token], theirs: Sequence[Token]) -> list[tuple[_Run, _Run]]:
    """The values in which the two differ where their words are laid side by side."""
    blocks = Levenshtein.opcodes([t.key for t in ours], [t.key for t in theirs])
    shared = sum(b.src_end - b.src_start for b in blocks if b.tag == "equal")
    if shared < _LEAST_SHARED * len(ours):
        return []
    runs: list[tuple[_Run, _Run]] = []
    for block in blocks:
        mine = [at for at in range(block.src_start, block.src_end) if _is_value(ours[at])]
        said = [at for at in range(block.dest_start, block.dest_end) if _is_value(theirs[at])]
        if block.tag == "equal" or not mine or not said:
            continue
        if len(mine) == len(said) <= mine[-1] - mine[0]:  # other words stand between
            runs += [((i, i + 1), (j, j + 1)) for i, j in zip(mine, said, strict=True)]
        else:
            runs.append(((mine[0], mine[-1] + 1), (said[0], said[-1] + 1)))
    return runs


# Where claims stand in the Markdown of an answer, and how one is taken out of it.


class _Page:
    """An answer, and where the claims that do not hold stand in it: block, sentence, neighbours."""

    def __init__(self, answer: str, claims: Sequence[AnswerClaim], wrong: set[Span]) -> None:
        self.text = answer
        self._page = read_page(answer)
        self._cuts = sorted({marker.span for claim in claims for marker in claim.markers})
        self._split: dict[Block, list[Span]] = {}
        self._blocks: dict[Span, Block] = {}
        self._wholes: dict[Span, Span] = {}
        self._beside: dict[Span, list[Span]] = {}
        for claim in (claim for claim in claims if claim.span in wrong):
            whole = self._whole(claim)
            self._wholes[claim.span] = whole
            self._beside[claim.span] = [c.span for c in claims if c.span.overlap(whole)]

    def shown(self, start: int, end: int) -> ShownText:
        """What a reader sees of a stretch, less the citation markers."""
        return shown_text(self._page.document, start, end, self._cuts)

    def _whole(self, claim: AnswerClaim) -> Span:
        """The sentence or row that a claim stands in, with the markers behind its full stop."""
        low, high = claim.span.start, claim.span.end
        for block in (b for b in self._page.blocks if b.start <= low < b.end):
            self._blocks[claim.span] = block
            if block.kind in _TEXTS and block not in self._split:
                shown = self.shown(block.start, block.end)
                found = (shown.source(self.text, a, b) for a, b in sentences(shown))
                self._split[block] = list(found)
            around = [one for one in self._split.get(block, ()) if one.overlap(claim.span)]
            low = min([low, *(one.start for one in around)])
            high = max([high, *(one.end for one in around)])
        for marker in (marker.span for marker in claim.markers):
            if marker.start >= high and not self.text[high : marker.start].strip():
                high = marker.end
        return Span(low, high)

    def instead(self, span: Span, words: str) -> str:
        """The words of a source as they can stand for a claim; empty where they cannot."""
        is_text = span in self._blocks and self._blocks[span].kind in _TEXTS
        if not is_text or self._beside[span] != [span] or _MARKUP.search(words):
            return ""
        ended = "." in self.text[span.end : self._wholes[span].end]
        return words.rstrip(".") if ended else words

    def is_removable(self, span: Span) -> bool:
        """Whether a claim can be taken out without harm to what hangs below it."""
        block = self._blocks.get(span)
        if block is None or block.kind is not BlockKind.ITEM:
            return block is not None and block.kind in (BlockKind.TEXT, BlockKind.ROW)
        below = self._page.blocks[self._page.blocks.index(block) + 1 :][:1]
        return not below or below[0].level <= block.level

    def removal(self, span: Span, removed: set[Span]) -> tuple[Edit, ...]:
        """The edits that take a claim out while those of `removed` go too."""
        block, beside, whole = self._blocks[span], self._beside[span], self._wholes[span]
        at = beside.index(span)
        if not removed.issuperset(beside[:at]):
            return (self.edit(beside[at - 1].end, span.end),)
        if not removed.issuperset(beside):  # what follows begins the sentence now
            first = beside[at + 1].start
            letter = self.text[first]
            capital = self.text[span.start].isupper() and beside[at + 1] not in removed
            upper = self.edit(first, first + 1, letter.upper() if capital else letter)
            return (self.edit(span.start, first), *([upper] if upper.new != upper.old else []))
        left, start = "", block.start
        for gone in sorted(self._wholes[one] for one in removed if self._blocks[one] == block):
            left, start = left + self.text[start : gone.start], max(start, gone.end)
        if not any(map(str.isalnum, left + self.text[start : block.end])):
            return (self._line(block),)
        rest = self.text[whole.end : block.end]
        if rest.strip():
            return (self.edit(whole.start, whole.end + len(rest) - len(rest.lstrip())),)
        return (self.edit(len(self.text[: whole.start].rstrip(_BLANK)), whole.end),)

    def edit(self, start: int, end: int, new: str = "") -> Edit:
        """A change of what stands at a place; without `new` it is taken out."""
        return Edit(Span(start, end), self.text[start:end], new)

    def _line(self, block: Block) -> Edit:
        """A whole block with its mark, its lines and, of a paragraph, the blank ones behind it."""
        mark = block.mark.start if block.mark else block.start
        start = self.text.rfind("\n", 0, mark) + 1
        end = self.text.find("\n", block.end) + 1 or len(self.text)
        if self.text[start:mark].strip(" \t>|"):  # another mark stands on the line
            return self.edit(block.start, block.end)
        rest = self.text[end:].lstrip("\r\n")
        if block.kind is BlockKind.TEXT and rest:
            end = len(self.text) - len(rest)
        elif block.kind is BlockKind.TEXT:
            start, end = len(self.text[:start].rstrip()), len(self.text.rstrip())
        return self.edit(start, end)


# Which of them are made: those after which nothing is worse.


def _settled(
    builder: LedgerBuilder,
    ledger: EvidenceLedger,
    page: _Page,
    plans: Mapping[Span, Sequence[Repair]],
) -> dict[Span, Repair]:
    """The repairs to apply: the first of each plan that the answer, checked again, bears out."""
    ahead = {span: [one for one in plan if one.applied] for span, plan in plans.items()}
    known = {_key(entry.claim): entry.verdict for entry in ledger.entries}
    before = {entry.claim.span: entry.verdict for entry in ledger.entries}
    for turn in range(_MOST_ROUNDS):
        chosen = {span: plan[0] for span, plan in ahead.items() if plan}
        if not chosen:
            break
        removed = {span for span, one in chosen.items() if one.kind is RepairKind.REMOVE}
        for span in removed:
            chosen[span] = replace(chosen[span], edits=page.removal(span, removed))
        text = fixed(page.text, chosen.values())
        claims = extracted(builder, text, ledger.query).claims
        new = {_key(claim): claim for claim in claims if _key(claim) not in known}
        judged = builder.entries_of(list(new.values()), answer=text)
        known |= {_key(entry.claim): entry.verdict for entry in judged}
        blamed = _worse([(claim.span, known[_key(claim)]) for claim in claims], before, chosen)
        if not blamed:
            return chosen
        for span in blamed:
            ahead[span] = ahead[span][1:] if turn < _MOST_ROUNDS // 2 else []
    return {}


def _key(claim: AnswerClaim) -> tuple[object, ...]:
    return claim.words, claim.context, tuple((m.kind, m.value) for m in claim.markers)


def _worse(
    after: Sequence[tuple[Span, Verdict]],
    before: Mapping[Span, Verdict],
    chosen: Mapping[Span, Repair],
) -> set[Span]:
    """The claims whose repairs make something worse, or do not make them better."""
    edits = list(_disjoint(chosen.values()))
    starts, ends = [at.start for at, _ in after], [at.end for at, _ in after]
    blamed: set[Span] = set()
    owned: set[Span] = set()
    for span, verdict in before.items():
        repair, low, high = chosen.get(span), _moved(span.start, edits), _moved(span.end, edits)
        first = bisect_right(ends, low)
        found = after[first : bisect_left(starts, high)]
        owned.update(at for at, _ in found)
        if repair is not None and repair.kind is RepairKind.REMOVE:
            continue
        allowed = _RANK.index(Verdict.SUPPORTED if repair else verdict)
        if not found or any(_RANK.index(then) > allowed for _, then in found):
            # Another may lean on the nearest one before it.
            near = min(chosen, key=lambda one: (one > span, abs(one.start - span.start)))
            blamed.add(span if repair else near)
    for at, then in after:
        if at not in owned and then is not Verdict.SUPPORTED:
            blamed.add(min(chosen, key=lambda one: abs(_moved(one.start, edits) - at.start)))
    return blamed


def _moved(offset: int, edits: Sequence[Edit]) -> int:
    """Where a place of the answer stands after some edits; what is gone, where it was."""
    passed = [edit for edit in edits if edit.span.start < offset]
    return offset + sum(
        len(e.new) - len(e.span) if e.span.end <= offset else e.span.start - offset for e in passed
    )
