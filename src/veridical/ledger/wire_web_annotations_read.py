"""Citations that come in as W3C Web Annotations, or as the rows that Hypothesis exports.

Source: W3C Web Annotation Data Model, 2017; the API of Hypothesis (`GET /api/search`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from veridical.ledger.text_fragments import parse_directives
from veridical.ledger.wire_given import MAX_CITATIONS, WEB_ANNOTATION, Given, GivenCitation
from veridical.sources.span import Span

_PAGE = re.compile(r"(?:^|&)page=([0-9]{1,9})(?:&|$)")
_MOST_REFINED = 8


def citations_from_web_annotations(data: object) -> tuple[GivenCitation, ...]:
    """The citations in annotations: one, a list, a page, a collection, or rows of Hypothesis.

    Each target that selects a part of something is one; notes on a whole page are none. Whether
    they are true `check_given_citations` says, of a `CitedAnswer` with them.
    Raises ValidationError that names the path of what is not as the model has it.
    """
    found: list[GivenCitation] = []
    for annotation in _annotations(Given(data, "annotations")):
        for target in _listed(annotation.at("target")):
            citation = _citation(annotation, target)
            if citation is not None:
                found.append(citation)
            if len(found) > MAX_CITATIONS:
                raise annotation.refused(f"more than {MAX_CITATIONS:,} citations", "maxItems")
    return tuple(found)


def _annotations(given: Given) -> Iterator[Given]:
    if isinstance(given.value, list):
        yield from given.items()
        return
    if given.at("rows").value is not None:
        yield from given.at("rows").items()
    elif given.at("first").value is not None:
        first = given.at("first")
        if isinstance(first.value, str):
            raise first.refused("must hold the page itself; links are not followed", "type")
        if first.at("next").value is not None:
            raise first.at("next").refused("links to more pages are not followed", "type")
        yield from first.at("items").items()
    elif given.at("items").value is not None:
        yield from given.at("items").items()
    elif given.at("total").value != 0:
        yield given


def _listed(given: Given) -> Iterator[Given]:
    if isinstance(given.value, list):
        yield from given.items()
    elif given.value is not None:
        yield given


def _citation(annotation: Given, target: Given) -> GivenCitation | None:
    if isinstance(target.value, str):
        return _of_link(annotation, target.text())
    selected = _Selected()
    for selector in _listed(target.at("selector")):
        selected.take(selector, _MOST_REFINED)
    source = target.at("source")
    if isinstance(source.value, Mapping):
        url, title = source.at("id").text_or_none(), source.at("label").text_or_none()
    else:
        url, title = source.text_or_none() or annotation.at("uri").text_or_none(), None
    title = title or _title(annotation.at("document"))
    if not selected.any:
        return _of_link(annotation, url or "")
    return GivenCitation(
        WEB_ANNOTATION, Span(0, 0), selected.exact, title,
        source_span=selected.position, pages=selected.pages, url=url,
        prefix=selected.prefix, suffix=selected.suffix,
    )  # fmt: skip


class _Selected:
    """What the selectors of one target say together."""

    exact: str | None = None
    prefix: str | None = None
    suffix: str | None = None
    position: Span | None = None
    pages: Span | None = None

    @property
    def any(self) -> bool:
        return self.exact is not None or self.position is not None or self.pages is not None

    def take(self, selector: Given, left: int) -> None:
        """Add what a selector says; what selects a part of its part, too. Other kinds say nothing
        that is used here.
        """
        if isinstance(selector.value, str):
            return  # the name of a selector that stands elsewhere
        if left == 0:
            raise selector.refused("refined too often", "maxItems")
        match selector.at("type").text_or_none():
            case "TextQuoteSelector":
                self.exact = selector.at("exact").text()
                self.prefix = selector.at("prefix").text_or_none()
                self.suffix = selector.at("suffix").text_or_none()
            case "TextPositionSelector":
                self.position = selector.span("start", "end")
            case "PageSelector":
                index = selector.at("index").whole()
                self.pages = Span(index + 1, index + 2)
            case "FragmentSelector":
                page = _PAGE.search(selector.at("value").text())
                if page is not None:
                    self.pages = Span(int(page[1]), int(page[1]) + 1)
        for refining in _listed(selector.at("refinedBy")):
            self.take(refining, left - 1)


def _of_link(annotation: Given, url: str) -> GivenCitation | None:
    """A link to words, as its text directive has them; none of a link to a whole document."""
    for directive in parse_directives(url):
        if directive.end is None:
            return GivenCitation(
                WEB_ANNOTATION, Span(0, 0), directive.start, _title(annotation.at("document")),
                url=url.partition("#")[0], prefix=directive.prefix, suffix=directive.suffix,
            )  # fmt: skip
    return None


def _title(document: Given) -> str | None:
    """The title of a row's document: Hypothesis has it in a list."""
    if not isinstance(document.value, Mapping):
        return None
    return next((title.text() for title in _listed(document.at("title"))), None)
