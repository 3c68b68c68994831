"""What the selectors of one target of a Web Annotation say together, and the fragment of a link.

Only quotes say words that can be checked. All else that selects is kept by its name, so that nobody
passes over it in silence.

Source: W3C Selectors and States, 2017.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from veridical.ledger.wire_given import WEB_ANNOTATION, Given, GivenCitation
from veridical.sources.span import Span

_DELIMITER = ":~:"
_PAGE = re.compile(r"(?:^|&)page=([0-9]{1,9})(?:&|$)")
_MOST_REFINED = 8
_MOST_LEFT = 20
_MOST_CHARS = 60


@dataclass(frozen=True, slots=True)
class Quote:
    """Words by which something is selected, and what stands around them."""

    exact: str
    prefix: str | None = None
    suffix: str | None = None


def has_directives(url: str) -> bool:
    """Whether a link has directives, such as text to be shown, after its fragment."""
    return _DELIMITER in url.partition("#")[2]


def without_directives(url: str) -> str:
    """A link without a fragment that has directives: their words are no part of what it names."""
    return url.partition("#")[0] if has_directives(url) else url


def linked_words(url: str) -> tuple[str, ...]:
    """The name of what a link with directives shows, which is not checked."""
    return ("the words that its link shows",) if has_directives(url) else ()


class Selection:
    """What selects, added one by one.

    All selectors of a target mean the same part of the same thing: so each quote must be found. Of
    what cannot be, or is told twice in two ways, the name is kept.
    """

    def __init__(self) -> None:
        self._quotes: dict[Quote, tuple[str, ...]] = {}
        self._position: Span | None = None
        self._pages: Span | None = None
        self._left: dict[str, None] = {}

    @property
    def any(self) -> bool:
        """Whether anything selects a part."""
        placed = self._position is not None or self._pages is not None
        return placed or bool(self._quotes or self._left)

    def leave(self, name: str) -> None:
        """Keep the name of what is not checked."""
        if len(self._left) < _MOST_LEFT:
            self._left[name] = None
        else:
            self._left["and more"] = None

    def take(self, selector: Given, left: int = _MOST_REFINED, within: str | None = None) -> None:
        """Add what a selector says, and what selects a part of its part. `within` is the kind of
        the selector that this one refines.
        """
        if isinstance(selector.value, str):
            self.leave(f"the selector at “{_brief(selector.text())}”")
            return
        if left == 0:
            raise selector.refused("refined too often", "maxItems")
        kind = selector.at("type").text_or_none() or "a selector without a type"
        match kind:
            case "TextQuoteSelector":
                self._take_quote(selector, within)
            case "TextPositionSelector":
                self._take_position(selector.span("start", "end"), within)
            case "PageSelector":
                index = selector.at("index").whole()
                self._take_page(index + 1, kind)
            case "FragmentSelector":
                self._take_fragment(selector.at("value").text().removeprefix("#"), kind)
            case _:
                self.leave(_brief(kind))
        refining = selector.at("refinedBy")
        several = refining.items() if isinstance(refining.value, list) else iter((refining,))
        for each in several:
            if each.value is not None:
                self.take(each, left - 1, kind)

    def take_link(self, url: str) -> None:
        """Add what the fragment of a link selects."""
        self._take_fragment(url.partition("#")[2], "the fragment")

    def citations(self, title: str | None, url: str | None) -> Iterator[GivenCitation]:
        """A citation for each quote; where there is none, one that quotes nothing."""
        plain = GivenCitation(
            WEB_ANNOTATION,
            Span(0, 0),
            title=title,
            source_span=self._position,
            pages=self._pages,
            url=url,
            unchecked=tuple(self._left),
        )
        for quote, left in self._quotes.items():
            yield replace(
                plain,
                cited_text=quote.exact,
                prefix=quote.prefix,
                suffix=quote.suffix,
                unchecked=(*plain.unchecked, *left),
            )
        if not self._quotes:
            yield plain

    def _take_quote(self, selector: Given, within: str | None) -> None:
        exact = selector.at("exact").text()
        prefix, suffix = (selector.at(name).text_or_none() for name in ("prefix", "suffix"))
        # Both quotes are looked for, but not the one in the other.
        nested = ("that this quote is within the other",) if within == "TextQuoteSelector" else ()
        self._quotes.setdefault(Quote(exact, prefix, suffix), nested)

    def _take_position(self, position: Span, within: str | None) -> None:
        if within is not None:
            self.leave(f"TextPositionSelector within {_brief(within)}")  # It counts from there.
        elif self._position in (None, position):
            self._position = position
        else:
            self.leave("another TextPositionSelector")

    def _take_page(self, page: int, kind: str) -> None:
        pages = Span(page, page + 1)
        if self._pages in (None, pages):
            self._pages = pages
        else:
            self.leave(f"{kind} of page {page}, too")

    def _take_fragment(self, fragment: str, kind: str) -> None:
        for words in linked_words(f"#{fragment}"):
            self.leave(words)
        plain = fragment.partition(_DELIMITER)[0]
        page = _PAGE.search(plain)
        if page is not None:
            self._take_page(int(page[1]), kind)
        if plain and (page is None or page[0] != plain):
            self.leave(f"{kind} “{_brief(plain)}”")


def _brief(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 2]} …"
