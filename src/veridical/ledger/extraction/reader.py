"""Goes through the blocks of an answer and tells claims from what claims nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from veridical.ledger.extraction.extractor import Skipped, SkipReason
from veridical.ledger.extraction.page import AnswerPage, Block, BlockKind, cells
from veridical.ledger.extraction.reference_list import names_source
from veridical.ledger.extraction.remarks import (
    asks_by_denial,
    citation_tail,
    is_bare,
    is_yes_or_no,
    plain_statement,
    points_to_question,
    remark,
    without_pointer,
)
from veridical.ledger.extraction.sentences import ShownText, sentences, shown_text
from veridical.ledger.extraction.words import (
    AMOUNT,
    ANAPHORS,
    AUXILIARIES,
    BACKWARD,
    FINITE_VERBS,
    LEADING,
    LIMITS,
    has_verb,
    is_full_statement,
    is_statement,
    words_of,
)
from veridical.ledger.markers import Markers
from veridical.sources.document import Span
from veridical.sources.patterns import UNSPACED
from veridical.text.reading import NEGATING_SIGNS, SENTENCE_ENDS

MAX_PART_CHARS = 300
"""Longer parts of a context are cut at a word; the end is what stands nearest."""

BELOW_HEADINGS = 7
"""The level of a line in bold that serves as a heading: below all real ones."""

_ANAPHOR_WORDS = 3
_FRAGMENT_WORDS = 5
_GENERAL = frozenset(
    (
        "answer|response|summary|short answer|in short|tl;dr|overview|key points|key facts|details|"
        "introduction|conclusion|explanation|note|notes|results|findings|"
        "zusammenfassung|antwort|r\u00e9sum\u00e9|resumen"
    ).split("|")
)
"""Headings that say nothing of the subject."""

_UNSPACED = re.compile(f"[{UNSPACED}]")
_FOREIGN = frozenset(
    "er sie es diese dieser dieses dies das dabei hierf\u00fcr il elle ils elles cela ceci ce ces "
    "cette celui este esta esto estos estas ello ellos ellas".split()
)


@dataclass(slots=True)
class Outline:
    """What has been read so far, as far as later claims may refer to it."""

    headings: list[tuple[int, str]] = field(default_factory=list)
    parents: list[tuple[int, str]] = field(default_factory=list)
    anchor: str = ""
    """The last sentence that stands by itself, and `previous` the last one of all."""
    previous: str = ""

    def heading(self, level: int, title: str) -> None:
        """Enter a section; one without a title only ends those that it is not below."""
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        if title:
            self.headings.append((level, title))
        self.parents.clear()
        self.anchor = self.previous = ""

    def enter(self, level: int, *, item: bool) -> None:
        """Begin a block of this depth in lists: what lies deeper, or beside an item, is over."""
        deepest = level - item
        while self.parents and (self.parents[-1][0] > deepest or level == 0):
            self.parents.pop()

    def introduce(self, level: int, text: str) -> None:
        """Note what introduces, or holds, the items that are deeper than `level`."""
        self.parents.append((level, text))

    def said(self, statement: str) -> None:
        """Note a sentence that later ones may refer to."""
        if not self.anchor or not leans(statement):
            self.anchor = statement
        self.previous = statement

    def context(self, statement: str, *, first_of_item: bool, columns: str = "") -> str:
        """What the words of a claim refer to: the sections, the introductions, what was said."""
        parts = [" > ".join(title for _, title in self.headings if title.lower() not in _GENERAL)]
        parts.extend(text for _, text in self.parents)
        parts.append(columns)
        introduced = first_of_item and (self.parents or not refers_back(statement))
        if not columns and not introduced and leans(statement):
            parts.extend((self.anchor, self.previous))
        kept = (_shortened(part) for part in parts if part and part != statement)
        return "\n".join(dict.fromkeys(kept))


def leans(statement: str) -> bool:
    """Whether a sentence refers back: by a pronoun near its start, or because it is no sentence."""
    if refers_back(statement):
        return True
    is_short = len(words_of(statement, _FRAGMENT_WORDS + 1)) <= _FRAGMENT_WORDS
    return is_short and statement.isascii() and ":" not in statement and not has_verb(statement)


def refers_back(statement: str) -> bool:
    """Whether a sentence has a pronoun near its start, or is of a language that drops them."""
    words = words_of(statement, _ANAPHOR_WORDS)
    if _UNSPACED.search(statement) or (words and words[0] in ANAPHORS | _FOREIGN):
        return True
    return not BACKWARD.isdisjoint(words)


def _shortened(text: str) -> str:
    if len(text) <= MAX_PART_CHARS:
        return text
    tail = text[-MAX_PART_CHARS:]
    return tail[tail.find(" ") + 1 :]


# Sentences of two independent clauses, cut in two where that cannot change what is said.


_JOINTS = re.compile(r",\s+and\s+|;\s+")
_GROUPED = re.compile(r"[()\[\]\"\u201c\u201d\u201e\u00ab\u00bb:?\u2013\u2014]")
_MOST_SUBJECT_WORDS = 8
_LEAST_WORDS = 3
_MOST_CHARS = 600


def clauses(sentence: str) -> list[tuple[int, int]]:
    """The claims of a sentence as ranges of it: two independent clauses, or the whole."""
    whole = [(0, len(sentence))]
    if len(sentence) > _MOST_CHARS or not sentence.isascii():
        return whole
    joints = list(_JOINTS.finditer(sentence))
    if len(joints) != 1 or _GROUPED.search(sentence) or LIMITS().search(sentence):
        return whole
    joint = joints[0]
    left, right = sentence[: joint.start()], sentence[joint.end() :]
    if "," in left or "," in right or not (_stands(left) and _stands(right)):
        return whole
    return [(0, joint.start()), (joint.end(), len(sentence))]


def _stands(clause: str) -> bool:
    """Whether a clause begins with its subject and has a finite verb after it."""
    words = words_of(clause)
    if len(words) < _LEAST_WORDS or words[0] in LEADING or words[0] in FINITE_VERBS:
        return False
    if words[-1] in AUXILIARIES or words[-1] == "not" or words[0].endswith(("ing", "ly", "ed")):
        return False
    return not FINITE_VERBS.isdisjoint(words[1 : _MOST_SUBJECT_WORDS + 1])


# Lines that name what follows, and state nothing: headings, labels, lines in bold.


_BOLD_LINE = re.compile(
    r"[ \t]*(\*\*|__)(?=\S)[^\r\n*_]{1,200}(?:\1[:\uff1a]?|:\1)[ \t]*(?=\r|\n|\Z)"
)
"""A line that is in bold as a whole."""

_RUN_IN = re.compile(r"[ \t]*(\*\*|__)(?=\S)([^\r\n*_.]{1,60})\.\1(?=[ \t]+\S)")
"""A label in bold that text follows on the same line: "**Leave.** It is paid."."""

_ENDED = re.compile(rf"[{SENTENCE_ENDS}][)\"'\u201d\u00bb*_]*\s*$")
_ENDED_INSIDE = re.compile(rf"[{SENTENCE_ENDS}][)\"'\u201d\u00bb*_]*(?=\s+(?:[^\w\s]|[A-Z]))")
_VALUE = re.compile(r"[:\uff1a]\s*\S")
_NUMBER = re.compile(r"\A\s*(?:step|section|part)?\s*\d+(?:\.\d+)*[.):]?\s", re.IGNORECASE)
_MOST_TITLE_WORDS = 8
_FEW_WORDS = 3
_LONG_WORD = 4
_LEAST_STATED = 4


def is_title(heading: str) -> bool:
    """Whether a heading is only a title: "Annual leave", not "Annual leave is paid"."""
    words = words_of(heading, 200)
    if heading.rstrip().endswith(("?", ":", "\uff1a")):
        return True
    if len(words) >= _LEAST_STATED and _ENDED.search(heading):
        return False
    # A sentence may end within it: what stands over a line of `-` may be any text.
    end = max((found.end() for found in _ENDED_INSIDE.finditer(heading)), default=0)
    holds_sentence = len(words_of(heading[:end], _LEAST_STATED)) >= _LEAST_STATED
    if is_full_statement(heading) or holds_sentence:
        return False
    stated = is_statement(heading) or _VALUE.search(heading)
    return not (stated and AMOUNT().search(_NUMBER.sub("", heading)))


def states_something(text: str) -> bool:
    """Whether a short text has a verb, an amount, or is a whole sentence."""
    long_enough = len(words_of(text, _LEAST_STATED)) >= _LEAST_STATED
    return bool(
        AMOUNT().search(text) or is_statement(text) or (long_enough and _ENDED.search(text))
    )


def is_label(text: str, *, title: bool) -> bool:
    """Whether a block of one line is a label. With `title` it must also look like one."""
    words = words_of(text, _MOST_TITLE_WORDS + 1)
    if not words or len(words) > _MOST_TITLE_WORDS or not text.isascii():
        return False
    bare = text.strip()
    if _ENDED.search(bare) or AMOUNT().search(bare) or has_verb(bare) or ":" in bare:
        return False
    if not title:
        return True
    return len(words) <= _FEW_WORDS or all(
        word[:1].isupper() for word in bare.split() if len(word) >= _LONG_WORD
    )


_LEADING = re.compile(
    r"(?:(?:[\s\u2022\u2023\u25a0-\u25e6\u2013\u2014\u27a4\u2192\u2b50\u2705\u2713\u2714\u2611\ufe0f\u200d]"
    rf"|[\U0001F300-\U0001FAFF])(?<![{NEGATING_SIGNS}]))+"
)
"""Bullets and pictures before a claim; crosses and no-entry signs stay: they deny what follows."""

_FINAL = re.compile(rf"[\s{SENTENCE_ENDS}:\uff1a]+\Z")
_SHORT_FORM = re.compile(r"(?:\b[^\W\d_]\.[^\W\d_]\.|\u2026|\.\.\.)\s*\Z")
_MOST_TAIL = 60
_STARTING = (BlockKind.ITEM, BlockKind.MEANING)
_PLAIN = (BlockKind.TEXT, BlockKind.ITEM, BlockKind.MEANING, BlockKind.NOTE)


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim before it is classified. Claims of one `sentence` (its offset) share its markers."""

    span: Span
    statement: str
    context: str
    kind: BlockKind
    block: int
    sentence: int


class ClaimReader:
    """Reads an answer block by block; collects `drafts` and `skipped`, both in order."""

    def __init__(self, page: AnswerPage, markers: Markers, most: int) -> None:
        self.drafts: list[Draft] = []
        self.skipped: list[Skipped] = []
        self.openings: dict[Span, SkipReason] = {}
        """Of bare answers among `skipped`: what they are where a claim follows."""
        self.stopped_at: int | None = None
        self._page = page
        self._cuts = markers.cuts
        self._most = most
        self._outline = Outline()
        self._term = ""
        self._columns: list[str] = []
        self._index = 0
        self._edge = 0

    def read(self) -> None:
        """Read all blocks, or as many as hold the claims that are allowed."""
        sources = self._page.sources.span
        if sources:
            self._skip(sources, SkipReason.SOURCES)
        for index, block in enumerate(self._page.blocks):
            self._index = index
            for part in _outside(block, sources):
                self._block(part)
            if self.stopped_at is not None:
                return

    def _skip(self, span: Span, reason: SkipReason) -> None:
        if len(span):
            self.skipped.append(Skipped(span, reason))

    def _skip_title(self, span: Span, title: str, reason: SkipReason) -> None:
        """Skip a heading or a label; a bare answer is one only where something is claimed below."""
        if is_bare(title):
            self.openings[span] = reason
            reason = SkipReason.BARE_ANSWER
        self._skip(span, reason)

    def _place(self, shown: ShownText, start: int, end: int) -> Span:
        """Where a part of a block stands; markup between two parts goes with the first."""
        span = shown.source(self._page.text, start, end)
        place = Span(max(span.start, self._edge), span.end)
        self._edge = max(self._edge, place.end)
        return place

    def _shown(self, start: int, end: int) -> ShownText:
        return shown_text(self._page.document, start, end, self._cuts)

    def _block(self, block: Block) -> None:
        kind, span = block.kind, Span(block.start, block.end)
        if block.mark:
            self._skip(block.mark, SkipReason.LIST_MARK)
        if kind in _PLAIN:
            self._outline.enter(block.level, item=kind is BlockKind.ITEM)
            self._text(block)
        elif kind is BlockKind.HEADING:
            self._heading(block)
        elif kind is BlockKind.ROW:
            self._row(block)
        elif kind is BlockKind.COLUMNS:
            if self._page.blocks[self._index - 1].kind is not BlockKind.TEXT:
                self._outline.parents.clear()
            self._head(block)
        elif kind is BlockKind.TERM:
            self._term = self._plain(span)
            self._skip(span, SkipReason.TERM)
        else:
            self._skip(span, SkipReason.CODE if kind is BlockKind.CODE else SkipReason.LIST_MARK)

    def _plain(self, span: Span) -> str:
        return " ".join(self._shown(span.start, span.end).text.split())

    def _heading(self, block: Block) -> None:
        span = Span(block.start, block.end)
        title = self._plain(span)
        if is_title(title):
            self._skip_title(span, title, SkipReason.HEADING)
            self._outline.heading(block.level, title)
        else:
            self._outline.heading(block.level, "")
            self._text(replace(block, kind=BlockKind.TEXT, level=0))

    # Text.

    def _text(self, block: Block) -> None:
        text, kind = self._page.text, block.kind
        line = _BOLD_LINE.match(text, block.start, block.end)
        if line and kind is BlockKind.TEXT:
            place = Span(block.start, line.end())
            title = self._plain(place)
            if not states_something(title):
                self._skip_title(place, title, SkipReason.HEADING)
                self._outline.heading(BELOW_HEADINGS, title.rstrip(":\uff1a "))
                block = replace(block, start=place.end)
        label = _RUN_IN.match(text, block.start, block.end)
        is_named = kind in (BlockKind.TEXT, BlockKind.ITEM)
        if label and is_named and is_label(label[2], title=False):
            place = Span(block.start, label.end())
            title = self._plain(place).rstrip(". ")
            self._skip_title(place, title, SkipReason.LABEL)
            if kind is BlockKind.TEXT and block.level == 0:
                self._outline.heading(BELOW_HEADINGS, title)
            else:
                self._outline.introduce(block.level, title)
            block = replace(block, start=place.end)
        shown = self._shown(block.start, block.end)
        found = list(sentences(shown))
        if len(found) == 1:
            only = shown.text[found[0][0] : found[0][1]]
            if remark(only, introduces=False) is None and self._is_name(block, only):
                return
        for number, (start, end) in enumerate(found):
            if len(self.drafts) >= self._most:
                self.stopped_at = shown.starts[start]
                return
            self._sentence(block, shown, start, end, number, last=end == found[-1][1])

    def _is_name(self, block: Block, text: str) -> bool:
        """Whether a block is a label or a title in disguise; it is then skipped and noted."""
        span = Span(block.start, block.end)
        following = self._page.blocks[self._index + 1 : self._index + 2]
        if block.kind is BlockKind.TEXT and following and is_label(text, title=True):
            self._skip(span, SkipReason.HEADING)
            self._outline.heading(BELOW_HEADINGS, text)
            return True
        nests = bool(following) and following[0].level > block.level
        if block.kind is BlockKind.ITEM and is_label(text, title=not nests):
            is_bold = _BOLD_LINE.fullmatch(self._page.text, block.start, block.end)
            if not self._outline.parents or (nests and is_bold):
                self._skip(span, SkipReason.LABEL)
                self._outline.introduce(block.level, text)
                return True
        if block.kind is BlockKind.NOTE and not states_something(text) and names_source(text):
            self._skip(span, SkipReason.SOURCES)
            return True
        return False

    def _sentence(
        self, block: Block, shown: ShownText, start: int, end: int, number: int, *, last: bool
    ) -> None:
        text = shown.text[start:end]
        introduces = last and any(
            after.kind is not BlockKind.HEADING
            for after in self._page.blocks[self._index + 1 : self._index + 2]
        )
        reason = remark(text, introduces=introduces)
        if introduces and text.rstrip().endswith((":", "\uff1a")):
            self._outline.introduce(block.level, " ".join(text.split()))
        if self._is_bare(block, text, reason):
            place = self._place(shown, start, end)
            if block.kind is BlockKind.TEXT and is_yes_or_no(text):
                self.openings[place] = SkipReason.PLEASANTRY
            reason = SkipReason.BARE_ANSWER
            self._skip(place, reason)
            return
        if reason is not None:
            self._skip(self._place(shown, start, end), reason)
            return
        at = start
        for first, final in clauses(text):
            self._connective(shown, at, start + first, at > start)
            at = start + final
            self._claim(block, shown, start + first, at, (number, start))
        if number == 0 and block.kind is BlockKind.ITEM and self.drafts:
            self._outline.introduce(block.level, self.drafts[-1].statement)

    def _is_bare(self, block: Block, text: str, reason: SkipReason | None) -> bool:
        """Whether a sentence is an answer in a word. In a list it may be on what introduces it."""
        if block.kind is BlockKind.MEANING or reason not in (None, SkipReason.PLEASANTRY):
            return False
        if reason is None and block.kind is BlockKind.ITEM and self._outline.parents:
            return False
        said_before = self._outline.context(text, first_of_item=False)
        return is_bare(text) or (not said_before and points_to_question(text))

    def _connective(self, shown: ShownText, start: int, end: int, between: bool) -> None:
        """Note the "and" between two claims of a sentence."""
        word = shown.text[start:end].strip(",; \t\r\n")
        if between and word:
            first = shown.text.index(word, start, end)
            self._skip(self._place(shown, first, first + len(word)), SkipReason.CONNECTIVE)

    def _claim(
        self, block: Block, shown: ShownText, start: int, end: int, sentence: tuple[int, int]
    ) -> None:
        whole = end
        start, end = _core(shown.text, start, end)
        statement = plain_statement(shown.text[start:end])
        if not any(character.isalnum() for character in statement):
            if start < whole:  # signs around a citation, as in "_(see [1])"
                self._skip(self._place(shown, start, whole), SkipReason.CITATION)
            return
        number, offset = sentence
        if shown.text[end:whole].startswith((":", "\uff1a")):
            statement = without_pointer(statement)
        is_first = number == 0
        context = self._outline.context(
            statement, first_of_item=is_first and block.kind in _STARTING
        )
        self._outline.said(statement)
        if block.kind is BlockKind.MEANING and self._term and is_first:
            statement = f"{self._term}: {statement}"
        kind = block.kind if is_first or block.kind is BlockKind.NOTE else BlockKind.TEXT
        span = self._place(shown, start, end)
        self.drafts.append(Draft(span, statement, context, kind, self._index, shown.starts[offset]))
        if any(character.isalpha() for character in shown.text[end:whole]):
            self._skip(self._place(shown, end, whole), SkipReason.CITATION)

    # Tables.

    def _head(self, block: Block) -> None:
        """The titles of columns; above no row there are no columns, and it may state something."""
        span = Span(block.start, block.end)
        titles = [self._plain(cell) for cell in cells(self._page.text, span)]
        said = any(states_something(title) or is_bare(title) for title in titles if title)
        if not self._has_rows() and (said or is_full_statement(" ".join(titles))):
            self._columns = []
            self._row(block)
        else:
            self._columns = titles
            self._skip(span, SkipReason.COLUMN_TITLES)

    def _has_rows(self) -> bool:
        """Whether the line below that under the titles is a row with words."""
        for row in self._page.blocks[self._index + 2 : self._index + 3]:
            return row.kind is BlockKind.ROW and any(
                map(str.isalnum, self._plain(Span(row.start, row.end)))
            )
        return False

    def _row(self, block: Block) -> None:
        places = cells(self._page.text, Span(block.start, block.end))
        row = [self._shown(cell.start, cell.end) for cell in places]
        values = [" ".join(cell.text.split()) for cell in row]
        if not any(character.isalnum() for value in values for character in value):
            return
        if len(self.drafts) >= self._most:
            self.stopped_at = next(cell.start for cell in places if len(cell))
            return
        filled = [cell for cell, value in zip(row, values, strict=True) if value]
        first, last = (
            cell.source(self._page.text, *cell.core()) for cell in (filled[0], filled[-1])
        )
        span = Span(first.start, last.end)
        is_alone = sum(1 for cell in places if len(cell)) == 1 < len(self._columns)
        if is_alone and not any(map(states_something, values)):
            self._skip(span, SkipReason.LABEL)
            return
        titled = zip_longest(self._columns[: len(values)], values, fillvalue="")
        statement = "; ".join(
            f"{title}: {value}" if title else value for title, value in titled if value
        )
        titles = ", ".join(title for title in self._columns if title)
        context = self._outline.context(statement, first_of_item=True, columns=titles)
        self.drafts.append(Draft(span, statement, context, BlockKind.ROW, self._index, span.start))


def _outside(block: Block, sources: Span | None) -> list[Block]:
    """The parts of a block before and after the source list."""
    if not sources or block.end <= sources.start or block.start >= sources.end:
        return [block]
    parts: list[Block] = []
    if block.start < sources.start:
        parts.append(replace(block, end=sources.start))
    if block.end > sources.end:
        parts.append(replace(block, start=sources.end, mark=None))
    return parts


def _core(text: str, start: int, end: int) -> tuple[int, int]:
    """A sentence without the bullets before it and the full stop behind it."""
    leading = _LEADING.match(text, start, end)
    start = leading.end() if leading else start
    if asks_by_denial(text[start:end]):
        return start, end
    while not _SHORT_FORM.search(text[max(start, end - 8) : end]):
        tail = _FINAL.search(text[max(start, end - 16) : end])
        less = len(tail[0]) if tail else citation_tail(text[max(start, end - _MOST_TAIL) : end])
        if not less:
            break
        end -= less
    return start, end
