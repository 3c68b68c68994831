"""Which sentences around a deciding one belong to it: what it points back to, or is limited by."""

from __future__ import annotations

import re
from collections.abc import Collection

from veridical.answering.quoting import without_bullet
from veridical.judging.words import read_words
from veridical.matching.passages import STOP_WORDS
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.shown import collapse, is_heading, sentence_text
from veridical.retrieval.tables.layout import Layout
from veridical.sources.document import Format
from veridical.text.lexicon import any_of

EVERYONE = frozenset(
    """
    staff employee employees everyone everybody anyone anybody person persons people colleague
    colleagues worker workers team all
    """.split()
)
"""Words for all that a policy is for: of these, any stands for any other."""

# Lists of a chunk: which sentences are items, and which line introduces them.


_MOST_ITEMS = 12
"""Items of one list that are shown with their introducing line."""

_MOST_BACK = 100
"""Sentences that are gone back over to find the line that introduces a list."""

_MARKER = re.compile(r"(?:[-*+•‣◦▪▫●○■□∙⁃–\uf0b7]|\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)])\s+(?=\S)")
_ITEM_TAG = re.compile(r"<(li|dd|dt)\b[^<>]*>\s*(?:<[^<>]*>\s*){0,8}\Z", re.IGNORECASE)
_TAG_REACH = 300

_BLOCK_ENDS = re.compile(
    r"\n[ \t\r]*\n(?![ \t]{2,}\Z)|</?(?:p|li|ul|ol|dl|dt|dd|div|br|h\d)\b",
    re.IGNORECASE,
)
"""What parts a list item from the text after it; an indented paragraph is still of the item."""

_ENDED = re.compile(r"[.!?][\"'”’)]*\Z")


def is_item(layout: Layout, index: int) -> bool:
    """Whether sentence `index` opens an item of a list."""
    return bool(_tag_before(layout, index) or _MARKER.match(sentence_text(layout.chunk, index)))


def is_term(layout: Layout, index: int) -> bool:
    """Whether sentence `index` is a term of a list of definitions."""
    return index >= 0 and _tag_before(layout, index) == "dt"


def item_of(layout: Layout, index: int) -> int | None:
    """The sentence that opens the list item which sentence `index` stands in."""
    chunk = layout.chunk
    for at in range(index, max(-1, index - _MOST_BACK), -1):
        if is_item(layout, at):
            return at
        if at == 0 or is_heading(chunk, at) or layout.is_row(at):
            return None
        gap = chunk.document.text[chunk.sentences[at - 1].end : chunk.sentences[at].start]
        if _BLOCK_ENDS.search(gap):
            return None
    return None


def introducing(layout: Layout, index: int) -> int | None:
    """The line that introduces the list which sentence `index` stands in: the one straight before
    its first item, with a colon at its end or without.
    """
    item = item_of(layout, index)
    if item is None:
        return None
    at = item - 1
    while at >= max(0, item - _MOST_BACK) and not is_heading(layout.chunk, at):
        if is_term(layout, at):
            return at
        within = item_of(layout, at)
        if within is None:
            return None if layout.is_row(at) else at
        at = within - 1
    return None


def introduced(layout: Layout, index: int) -> tuple[int, ...]:
    """The items, or the rows of the table, that a line introduces: one with a colon at its end, or
    that a list follows on without a full stop.
    """
    line = layout.plain(index)
    colon = line.endswith(":")
    if not colon and (_ENDED.search(line) or is_item(layout, index)):
        return ()
    found: list[int] = []
    for at in range(index + 1, min(len(layout.chunk.sentences), index + 1 + _MOST_ITEMS)):
        if layout.is_head(at):
            continue
        if not is_item(layout, at) and not (colon and layout.is_row(at)):
            break
        found.append(at)
    return tuple(found)


def _tag_before(layout: Layout, index: int) -> str:
    """The tag of the list item that a sentence of HTML opens; empty where it opens none."""
    document = layout.chunk.document
    if document.format is not Format.HTML:
        return ""
    start = layout.chunk.sentences[index].start
    found = _ITEM_TAG.search(document.text[max(0, start - _TAG_REACH) : start])
    return found[1].lower() if found else ""


# What limits a sentence, takes it back or conditions it: before it, after it, in a note.


_REACH_BEFORE = 6
"""Sentences before one within which is looked for what takes it back."""

_MOST_AFTER = 2
"""Exceptions that are brought along."""

_SHORT = 5
"""Words of a denial that leaves out what it denies: "Contractors cannot."."""

_LIMITS = re.compile(
    r"(?:however|but|except|exceptions?|unless|otherwise|nevertheless|notwithstanding|only|not|"
    r"never|provided|the (?:only )?exceptions?|an exception|in exceptional|apart from|other than|"
    r"(?:this|that|these|those|it|they) (?:does|do|is|are|may|must|can|cannot|will|shall)"
    r"(?: not|n['’]t)?|(?:this|the) (?:limit|rule|allowance|entitlement|amount|benefit|period)\b"
    r"[^.]{0,60}\b(?:not|only|unless|except))\b",
    re.IGNORECASE,
)
_LIMITS_INSIDE = re.compile(
    r"\b(?:do(?:es)? not|don['’]t|doesn['’]t|will not|shall not) (?:apply|count|include|cover)\b"
    r"|\bexceptions?\b|\bunless\b|\bexcept\b|\bis exempt\b|\bare exempt\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    rf"\b(?:{any_of('negations')}|neither|only|forbidden|prohibited|banned|refused|denied|excluded|"
    r"exempt|loses?|lapses?|expires?|forfeit(?:s|ed)?|withheld)\b|n['’]t\b",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"\b(?:no|not) (?:more|less|fewer|later|earlier|only)\b|\bno matter\b", re.IGNORECASE
)
_PRONOUN = re.compile(
    r"\b(?:it|they|them|"
    r"(?:this|these|that|those) (?:is|are|does|do|was|were|may|must|can|cannot|will|"
    r"holds?|appl(?:y|ies)|rules?|limits?)|"
    r"the (?:same|former|latter|above))\b",
    re.IGNORECASE,
)
_OPENING_PRONOUN = re.compile(
    r"(?!th(?:is|ese) (?:policy|policies|guide|section|document|handbook)\b)"
    r"(?:this|that|these|those|it|they|both)\b",
    re.IGNORECASE,
)
_EMPTY = (
    EVERYONE
    | STOP_WORDS
    | frozenset(
        """
        minute minutes hour hours day days week weeks month months year years time times working
        business calendar first last least most up within
        """.split()
    )
)
"""Words that two sentences on different matters may have in common."""

_POINTS_ON = re.compile(
    r"\b(?:the following(?! (?:day|week|month|year)s?\b)|as follows|below)\b", re.IGNORECASE
)
_NOT_IN_FORCE = re.compile(
    r"\b(?:repealed|rejected|withdrawn|superseded|revoked|rescinded|obsolete|outdated|former|"
    r"formerly|previous(?:ly)?|old|drafts?|proposed|proposals?|examples?|invalid|void|abolished|"
    r"historical|archived?|fictitious|no longer|not (?:yet )?(?:in force|valid|approved|adopted)|"
    r"was the rule)\b",
    re.IGNORECASE,
)
_FORBIDDING = re.compile(
    r"\b(?:not?|never|forbidden|prohibited|prohibitions?|banned|disallowed|excluded|exclusions?|"
    r"exceptions?|exempt|refused|non-\w+)\b",
    re.IGNORECASE,
)


def limited_by(layout: Layout, index: int) -> tuple[int, ...]:
    """The sentences straight after one that limit it, deny a part of it or say that it does not
    hold.
    """
    found: list[int] = []
    subject = set(_about(layout.plain(index)))
    for at in range(index + 1, min(len(layout.chunk.sentences), index + 1 + _MOST_AFTER)):
        if is_heading(layout.chunk, at) or layout.is_row(at):
            break
        text, item = layout.plain(at), item_of(layout, at)
        if item is not None and item != item_of(layout, index):
            # Another item is about another matter, unless it says that it takes something back.
            limits = at == index + 1 and item_of(layout, index) is not None and _excepts(text)
        else:
            limits = _excepts(text) or (_takes_back(text) and _is_of(subject, text))
        if not limits:
            break
        found.append(at)
    return tuple(found)


def qualified_by(layout: Layout, index: int) -> tuple[int, ...]:
    """The sentence before one that points on to it, or that says that what follows is not so."""
    for at in range(index - 1, max(-1, index - 1 - _REACH_BEFORE), -1):
        # What introduces a list ends with the list.
        if is_heading(layout.chunk, at) or layout.is_row(at) or item_of(layout, at) is not None:
            return ()
        text = layout.plain(at)
        points_on = text.endswith(":") or _POINTS_ON.search(text)
        if points_on and (at == index - 1 or _NOT_IN_FORCE.search(text)):
            return (at,)
    return ()


def heading_over(layout: Layout) -> str:
    """The title over a chunk that takes back, forbids or excepts what stands under it; or none."""
    path = layout.chunk.heading_path
    for depth, title in reversed(list(enumerate(path))):
        # The title of a whole document names its subject: a "No smoking policy" allows things too.
        if _NOT_IN_FORCE.search(title) or (depth and _FORBIDDING.search(title)):
            return collapse(title).rstrip(".:")
    return ""


def may_be_void(chunk: Chunk) -> bool:
    """Whether a title over a chunk says that it is not in force: repealed, a draft, an example."""
    return any(map(_NOT_IN_FORCE.search, chunk.heading_path))


def _excepts(text: str) -> bool:
    """Whether a sentence says of itself that it is an exception from the one before."""
    return bool(_LIMITS.match(text) or _LIMITS_INSIDE.search(text))


def _takes_back(text: str) -> bool:
    return bool(_DENIES.search(_NO_DENIAL.sub("", text)) or _NOT_IN_FORCE.search(text))


def _is_of(subject: Collection[str], text: str) -> bool:
    """Whether a denial straight behind a sentence is about it."""
    pointing = _PRONOUN.search(text) or _OPENING_PRONOUN.match(text)
    return (
        bool(pointing) or len(text.split()) <= _SHORT or not set(subject).isdisjoint(_about(text))
    )


def _about(text: str) -> list[str]:
    """The stems of the content words of a sentence, words for everyone and times aside."""
    return [
        word.stem
        for word in read_words(text)
        if word.content and word.number is None and word.key not in _EMPTY
    ] or [""]


_MOST_BROUGHT = 2
"""Sentences that are brought along because the next one points back to them."""

_POINTS_BACK = re.compile(
    r"(?!th(?:is|ese) (?:policy|policies|guide|section|document|handbook|chapter|page|plan)\b)"
    r"(?:this|these|that|those|it|they|he|she|such|its|their|both|neither|either|otherwise|however|"
    r"but|also|in (?:this|that|these|those|such) cases?|(?:in )?the (?:same|latter|former|above)|"
    r"then|instead|nor|nevertheless|in addition|additionally|furthermore|moreover|therefore|"
    r"conversely|likewise|similarly|for this|after this|after that|until then|thereafter)\b",
    re.IGNORECASE,
)


def belonging(layout: Layout, index: int) -> tuple[int, ...]:
    """The sentences of a chunk that sentence `index` is not understood without, it among them.

    In the order of the text: the line that introduces a list, what a "this" points back to or
    that says that the following does not hold, the items behind a colon, and exceptions.
    """
    if layout.is_row(index):
        return (index,)
    leads = leading(layout, index)
    before = leads or _pointed_to(layout, index)
    first = before[0] if before else index
    around = (*qualified_by(layout, first), *before, *introduced(layout, index))
    return tuple(sorted({index, *around, *limited_by(layout, index)}))


def leading(layout: Layout, index: int) -> tuple[int, ...]:
    """The line that sentence `index` says something else without: it introduces its list, or says
    that what follows does not hold.
    """
    line = introducing(layout, index)
    return qualified_by(layout, index) if line is None else (line,)


def in_words(layout: Layout, indexes: tuple[int, ...]) -> str:
    """Sentences of a chunk, in order, as one text; rows with their titles, items after a colon
    parted by semicolons.
    """
    title = heading_over(layout)
    text = f"{title}:" if title else ""
    before = -1
    for index in indexes:
        words = layout.row_in_words(index) or without_bullet(layout.plain(index))
        listed = is_item(layout, index) or layout.is_row(index)
        if text and listed and not text.endswith((":", ".", "!", "?", ";")):
            text += _parting(layout, before, index)
        text = f"{text} {words}" if text else words
        before = index
    return text


def _parting(layout: Layout, before: int, index: int) -> str:
    """The mark between a listed sentence and the shown one before it, which ends without one."""
    if layout.is_row(index):
        return "."
    return ";" if is_item(layout, before) and not is_term(layout, before) else ":"


def _pointed_to(layout: Layout, index: int) -> tuple[int, ...]:
    """The sentences before one that begins with what points back to them."""
    first = index
    while (
        index - first < _MOST_BROUGHT
        and first > 0
        and _POINTS_BACK.match(layout.plain(first))
        and not is_heading(layout.chunk, first - 1)
        and not layout.is_row(first - 1)
        and not is_item(layout, first - 1)
    ):
        first -= 1
    return tuple(range(first, index))
