"""The answer of a session as its reader sees it: its Markdown, each claim underlined and linked to
its row, each citation to the words that it stands for.

An answer's own markup decides nothing but the kind of a block and how letters look. Its tags, links
and images are never put out, and every word of it is escaped.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from markupsafe import Markup, escape

from veridical.ledger.citations import lacks_source_list
from veridical.ledger.entry import MarkerKind
from veridical.ledger.export import wording
from veridical.ledger.extraction.page import Block, BlockKind, cells, read_page
from veridical.reports.texts import one_line, visible
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.service.pages.claims import Claim
from veridical.service.pages.rendering import document_link
from veridical.sources.document import Span

_STYLES = {"*": "em", "_": "em", "**": "strong", "__": "strong", "~~": "s", "~": "s"}
_TICKS = re.compile(r"`+")
_QUOTED = re.compile(r"[ \t]*>[ \t>]*")
_RULE = re.compile(r"(?:[-*_][ \t]*){3,}")
_FIRST, _LOWEST = 3, 6  # of HTML's headings; the page has two levels above those of an answer
_DEEPEST = 6
_TABLE = (BlockKind.COLUMNS, BlockKind.ROW)
_PLAIN = {
    BlockKind.TERM: Markup('<p class="term">{}</p>'),
    BlockKind.MEANING: Markup('<p class="meaning">{}</p>'),
    BlockKind.NOTE: Markup('<p class="small muted">{}</p>'),
}
_HEADING = Markup("<h{0}>{1}</h{0}>")
_PARAGRAPH = Markup("<p{}>{}</p>")
_ITEM = Markup('<li class="deep-{}"><span class="list-mark">{}</span> {}</li>')
_LIST = Markup('<ul class="plain-list">{}</ul>')
_QUOTE = Markup("<blockquote>{}</blockquote>")
_CODE = Markup("<pre><code>{}</code></pre>")
_GRID = Markup(
    '<div class="wide" tabindex="0" role="region" aria-label="Table of the answer">'
    "<table>{}</table></div>"
)
_ROW = Markup("<tr>{}</tr>")
_CELL = Markup("<{0}>{1}</{0}>")
_SAID = Markup(
    '<a class="said said-{}"{} href="#claim-{}" data-n="{}" data-words="{}" title="{}">{}{}</a>'
)
_NUMBER = Markup("<sup>{}</sup>")
_CITED = Markup('<a class="cited{}" href="{}" data-n="{}" data-words="{}" title="{}">{}</a>')
_STYLED = Markup("<{0}>{1}</{0}>")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the answer: of `claims` (their numbers from 1), or the marker of a `citation`,
    which is the number of a claim and the place of the citation among its own; `is_last` where no
    other piece of its claims follows.
    """

    span: Span
    claims: tuple[int, ...] = ()
    citation: tuple[int, int] | None = None
    is_last: bool = True


def answer_html(view: LedgerView, claims: Sequence[Claim]) -> Markup:
    """The answer of a ledger as HTML; `claims` are those of the ledger, in its order."""
    return _Answer(view.ledger.answer, wording.stretches(view.ledger), claims).html()


def plain_answer_html(answer: str) -> Markup:
    """An answer as HTML whose claims are not known yet."""
    return _Answer(answer, [wording.Stretch(answer)], ()).html()


class _Answer:
    def __init__(
        self, answer: str, stretches: Iterable[wording.Stretch], claims: Sequence[Claim]
    ) -> None:
        self._stretches, self._claims = stretches, claims
        self._page = read_page(answer)
        self._text, self._masks = self._page.document.text, self._page.document.masks
        self._pieces = list(self._cut())
        self._begin = [one.start for block in self._page.blocks for one in self._shown(block)]
        levels = (b.level for b in self._page.blocks if b.kind is BlockKind.HEADING)
        self._highest = min(levels, default=1)
        self._styles: list[str] = []
        self._named: set[int] = set()

    def html(self) -> Markup:
        """All blocks, those of one list, table, quote or code block together."""
        kept = [b for b in self._page.blocks if b.kind is not BlockKind.MARK or self._is_rule(b)]
        groups = groupby(kept, key=self._group)
        return Markup("\n").join(
            made for (kind, quoted), blocks in groups for made in self._made(kind, quoted, blocks)
        )

    def _is_rule(self, block: Block) -> bool:
        return bool(_RULE.fullmatch(self._text[block.start : block.end]))

    def _group(self, block: Block) -> tuple[BlockKind, bool]:
        mark = block.mark.start if block.mark else block.start
        line = self._text.rfind("\n", 0, mark) + 1
        kind = BlockKind.ROW if block.kind is BlockKind.COLUMNS else block.kind
        return kind, bool(_QUOTED.match(self._text, line, mark))

    def _made(self, kind: BlockKind, quoted: bool, blocks: Iterator[Block]) -> Iterator[Markup]:
        if kind is BlockKind.CODE:
            spans = blocks if quoted else map(self._whole_line, blocks)
            lines = (self._text[one.start : one.end] for one in spans)
            made = [_CODE.format(escape(visible("\n".join(lines))))]
        elif kind is BlockKind.ITEM:
            made = [_LIST.format(Markup("").join(map(self._item, blocks)))]
        elif kind is BlockKind.ROW:
            made = [_GRID.format(Markup("").join(map(self._row, blocks)))]
        else:
            made = [self._block(block, quoted=quoted) for block in blocks]
        yield _QUOTE.format(Markup("").join(made)) if quoted else Markup("\n").join(made)

    def _whole_line(self, block: Block) -> Span:
        """A line of code with its indentation."""
        return Span(self._text.rfind("\n", 0, block.start) + 1, block.end)

    def _block(self, block: Block, *, quoted: bool) -> Markup:
        if block.kind is BlockKind.MARK:
            return Markup("<hr>")
        words = self._inline(block.start, block.end)
        if block.kind is BlockKind.HEADING:
            return _HEADING.format(min(_LOWEST, _FIRST + block.level - self._highest), words)
        if block.kind in _PLAIN:
            return _PLAIN[block.kind].format(words)
        deep = 0 if quoted else min(block.level, _DEEPEST)
        return _PARAGRAPH.format(Markup(' class="deep-{}"').format(deep) if deep else "", words)

    def _item(self, block: Block) -> Markup:
        mark = "" if block.mark is None else self._text[block.mark.start : block.mark.end].strip()
        shown = mark if any(map(str.isalnum, mark)) else "•"
        return _ITEM.format(
            min(max(block.level, 1), _DEEPEST), shown, self._inline(block.start, block.end)
        )

    def _row(self, block: Block) -> Markup:
        tag = "th" if block.kind is BlockKind.COLUMNS else "td"
        found = cells(self._text, Span(block.start, block.end))
        inside = (_CELL.format(tag, self._inline(cell.start, cell.end)) for cell in found)
        return _ROW.format(Markup("").join(inside))

    # Words of a block: claims, citations, and how letters look.

    def _cut(self) -> Iterator[_Piece]:
        """The answer in pieces, cut where claims and their citation markers start and end."""
        markers: dict[Span, tuple[int, int]] = {}
        for claim in self._claims:
            for place, check in enumerate(claim.entry.citations):
                markers.setdefault(check.marker.span, (claim.number, place))
        left = deque(sorted(markers))
        at = 0
        for stretch in self._stretches:
            end = at + len(stretch.text)
            edges = [at]
            while left and left[0].start < end:
                span = left.popleft()
                if edges[-1] <= span.start and span.end <= end:
                    edges += [span.start, span.end]
            edges.append(end)
            parts = [Span(a, b) for a, b in pairwise(edges) if a < b]
            words = [part for part in parts if part not in markers]
            for part in parts:
                if part in markers:
                    yield _Piece(part, citation=markers[part])
                else:
                    yield _Piece(part, stretch.claims, is_last=part == words[-1])
            at = end

    def _shown(self, block: Block) -> list[Span]:
        """The stretches of a block that `_inline` is asked for."""
        if block.kind in (BlockKind.MARK, BlockKind.CODE):
            return []
        whole = Span(block.start, block.end)
        return cells(self._text, whole) if block.kind in _TABLE else [whole]

    def _inline(self, start: int, end: int) -> Markup:
        self._styles = []
        made: list[Markup] = []
        after = bisect_left(self._begin, end)
        following = self._begin[after] if after < len(self._begin) else len(self._text)
        first = bisect_right(self._pieces, start, key=_end_of)
        for piece in map(self._pieces.__getitem__, range(first, len(self._pieces))):
            low, high = max(start, piece.span.start), min(end, piece.span.end)
            if low >= end:
                break
            words = self._words(low, high)
            if piece.citation is not None:
                words = self._cited(*piece.citation, words or escape(self._text[low:high]))
            elif piece.claims:
                is_last = piece.is_last and following >= piece.span.end
                words = self._said(piece.claims, words, is_last=is_last)
            made.append(words)
        return Markup("").join(made)

    def _said(self, numbers: Sequence[int], words: Markup, *, is_last: bool) -> Markup:
        """Words of claims, linked to the first of them; at their end the numbers of all."""
        made = []
        for at, number in enumerate(numbers if is_last else numbers[:1]):
            claim = self._claims[number - 1]
            name = "" if number in self._named else Markup(' id="said-{}"').format(number)
            self._named.add(number)
            made.append(_SAID.format(
                claim.verdict.value, name, number, number, f"{claim.address}/words", _title(claim),
                "" if at else words, _NUMBER.format(number) if is_last else "",
            ))  # fmt: skip
        return Markup("").join(made)

    def _cited(self, number: int, place: int, words: Markup) -> Markup:
        claim = self._claims[number - 1]
        check = claim.entry.citations[place]
        view = claim.view
        if check.marker.kind is MarkerKind.NUMBER and words.strip() == check.marker.value:
            words = Markup("[{}]").format(words)  # a reference of Markdown is shown without its own
        source = view.sources.get(check.source_id or "")
        if source is None:
            title = check.problem or "It leads to no source"
            kind = " unlisted" if lacks_source_list(check) else " broken"
            return _CITED.format(kind, f"#claim-{number}", number, "", title, words)
        told = one_line(source.filename)
        kind = " broken" if check.problem else ""
        told = f"{told}: {check.problem}" if check.problem else told
        pieces = claim.pieces(place)
        link = claim.link_to(pieces[0]) if pieces else ""
        link = link or document_link(source.id, view.versions.get(source.id))
        asked = f"{claim.address}/words?source={place}" if pieces else ""
        return _CITED.format(kind, link, number, asked, told, words)

    def _words(self, start: int, end: int) -> Markup:
        """What a reader sees of a stretch; marks of emphasis turn styles on and off."""
        made, at = [], start
        for mask in self._masks.between(start, end):
            made.append(self._styled(self._text[at : max(at, mask.start)]))
            at = min(mask.end, end)
            written = self._text[mask.start : mask.end]
            style = "code" if _TICKS.fullmatch(written) else _STYLES.get(written)
            if mask.start < start:
                continue
            if style is None:
                made.append(self._styled("" if mask.unseen else mask.shown))
            elif style in self._styles:
                self._styles.remove(style)
            else:
                self._styles.append(style)
        made.append(self._styled(self._text[at:end]))
        return Markup("").join(made)

    def _styled(self, text: str) -> Markup:
        made = escape(visible(text)) if text else Markup("")
        for style in self._styles if text else ():
            made = _STYLED.format(style, made)
        return made


def _end_of(piece: _Piece) -> int:
    return piece.span.end


def _title(claim: Claim) -> str:
    return f"Claim {claim.number}: {wording.said(claim.verdict, claim.review)}"
