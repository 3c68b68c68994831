"""W3C Web Annotations: evidence as such, and citations that come in as such, or as the rows that
Hypothesis exports.

Of what comes in only quotes say words that can be checked. All else that selects is kept by its
name, so that nobody passes over it in silence.

Source: W3C Web Annotation Data Model and Vocabulary, and Selectors and States, 2017; pages of a PDF
as RFC 8118 names them; the API of Hypothesis (`GET /api/search`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from veridical.ledger.entry import EvidenceLedger, Source
from veridical.ledger.export import wording
from veridical.ledger.export.originals import Cited, placed
from veridical.ledger.ids import content_id
from veridical.ledger.review import EntryReview
from veridical.ledger.wire_given import (
    MAX_CITATIONS,
    WEB_ANNOTATION,
    CitedAnswer,
    Given,
    GivenCitation,
)
from veridical.sources.document import Document, Format, Span
from veridical.sources.sniff import KINDS
from veridical.text.normalize import one_line
from veridical.validation.wire import selectors

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
PDF_FRAGMENTS = "http://tools.ietf.org/rfc/rfc8118"
GENERATOR = {"type": "Software", "name": "Veridical"}

_WEB = ("https://", "http://")
_IN_ADDRESS = ":/?#[]@!$&'()*+,;=%~"


def source_iri(source: Source, base_url: str | None = None) -> str:
    """What a source is called in annotations: its name, where that is a web address; its name under
    `base_url`, where that is given; else a URN of its id.
    """
    if source.filename.startswith(_WEB):
        return quote(source.filename.encode("utf-8", "surrogateescape"), safe=_IN_ADDRESS)
    if base_url is None:
        return f"urn:uuid:{source.id}"
    path = source.filename.replace("\\", "/").encode("utf-8", "surrogateescape")
    return f"{base_url.rstrip('/')}/{quote(path.lstrip(b'/'))}"


def to_web_annotations(
    ledger: EvidenceLedger,
    documents: Iterable[Document],
    *,
    reviews: Sequence[EntryReview] = (),
    base_url: str | None = None,
) -> dict[str, Any]:
    """An AnnotationCollection with one annotation for each piece of evidence, in one page.

    `documents` are the ledger's sources as they were. The same arguments give the same data: ids
    follow from the content, `created` is the time of the ledger. `state` of a target holds the
    SHA-256 of the source's text.

    Raises ValidationError where a source that is cited is missing or has another text now, and
    where other words stand in it than the ledger quotes.
    """
    sources = wording.sources_by_id(ledger)
    items = [
        _annotation(ledger, row, document, sources[row.piece.source_id], base_url)
        for row, document in placed(ledger, documents, reviews)
    ]
    collection = f"urn:uuid:{content_id('annotation collection', ledger.id)}"
    made: dict[str, Any] = {
        "@context": CONTEXT,
        "id": collection,
        "type": "AnnotationCollection",
        "label": wording.heading(ledger),
        "generator": GENERATOR,
        "created": ledger.created_at,
        "total": len(items),
    }
    if items:
        page = f"urn:uuid:{content_id('annotation page', ledger.id)}"
        made["first"] = {"id": page, "type": "AnnotationPage", "startIndex": 0, "items": items}
        made["last"] = page
    return made


def _annotation(
    ledger: EvidenceLedger, row: Cited, document: Document, source: Source, base_url: str | None
) -> dict[str, Any]:
    tags = ["veridical", f"verdict:{row.entry.verdict.value}"]
    if row.verdict is not row.entry.verdict:
        tags.append(f"reviewed:{row.verdict.value}")
    comment = {"type": "TextualBody", "format": "text/plain"}
    bodies: list[dict[str, Any]] = [
        {**comment, "value": row.note(), "purpose": "assessing"},
        *({"type": "TextualBody", "value": tag, "purpose": "tagging"} for tag in tags),
    ]
    return {
        "id": f"urn:uuid:{row.id}",
        "type": "Annotation",
        "motivation": "assessing",
        "created": ledger.created_at,
        "generator": GENERATOR,
        "body": bodies,
        "target": {
            "type": "SpecificResource",
            "source": {
                "id": source_iri(source, base_url),
                "type": "Text",
                "format": KINDS[document.format].media_type,
                "label": source.filename,
            },
            "selector": _selectors(document, row.piece.snippet_span),
            "state": {
                "type": "TimeState",
                "sourceDate": ledger.created_at,
                "schema:sha256": source.sha256,
            },
        },
    }


def _selectors(document: Document, span: Span) -> list[dict[str, Any]]:
    made = selectors(document, span)
    page = document.page_at(span.start)
    if page is None or document.format is not Format.PDF:
        return made
    fragment = {"type": "FragmentSelector", "conformsTo": PDF_FRAGMENTS, "value": f"page={page}"}
    return [{**fragment, "refinedBy": made[0]}, *made]


_HOLDERS = ("rows", "first", "items")
"""Where lists of annotations stand: the rows of Hypothesis, a collection, a page."""

_AROUND = ("prefix", "suffix")
_MOST_NESTED = 8
_PAGE = re.compile(r"(?:^|&)page=([0-9]{1,9})(?:&|$)")
_MOST_LEFT = 20
_MOST_CHARS = 60


def answer_from_web_annotations(data: object) -> CitedAnswer:
    """The citations in annotations: one, a list, a page, a collection, or rows of Hypothesis. There
    is no answer: its text is empty.

    Each quote by which a target selects a part of something is one; annotations of something whole
    are counted as `uncited`. What cannot be read, and pages that are not given, are citations with
    `unread`. Raises ValidationError that names the path of what is not as the model has it.
    """
    reader = _Reader()
    for annotation in reader.annotations(Given(data, "annotations"), _MOST_NESTED):
        reader.take(annotation)
    return CitedAnswer("", tuple(reader.found), reader.whole)


class _Reader:
    """Reads annotations, and keeps what they cite."""

    def __init__(self) -> None:
        self.found: list[GivenCitation] = []
        self.whole = 0

    def annotations(self, given: Given, left: int) -> Iterator[Given]:
        """Each annotation in something that may hold several; what it lacks is kept as unread."""
        if left == 0:
            raise given.refused("pages within pages too often", "maxItems")
        if isinstance(given.value, list):
            for item in given.items():
                yield from self.annotations(item, left - 1)
            return
        held = next((name for name in _HOLDERS if given.at(name).value is not None), None)
        if held is None or given.at("target").value is not None:
            if held is not None or given.at("total").value != 0:
                yield given
            return
        inner = given.at(held)
        if held == "first" and isinstance(inner.value, str):
            raise inner.refused("must hold the page itself; links are not followed", "type")
        if held != "first" and not isinstance(inner.value, list):
            raise inner.refused("must be a list", "type")
        count = 0
        for annotation in self.annotations(inner, left - 1):
            count += 1
            yield annotation
        for reply in given.at("replies").items():
            yield from self.annotations(reply, left - 1)
        self._told_more(given, count)

    def _told_more(self, given: Given, count: int) -> None:
        """Keep that a page, a collection or a reply says of itself that there is more than is given
        here.
        """
        total, of = given.at("total"), given.at("partOf")
        others = [given.at(name).value for name in ("next", "prev", "startIndex")]
        last = given.at("last") if total.value is None else Given(None, "")
        if any(other not in (None, 0) for other in others):
            self._unread(given, "there are more pages than are given here: they are not checked")
        elif last.value is not None and _id(last) != _id(given.at("first")):
            self._unread(given, "its last page is not given here, and is not checked")
        for told in (total, *([of.at("total")] if _is_object(of) else [])):
            if told.value is not None and told.whole() > count:
                why = f"it tells of {told.whole():,} annotations, and {count:,} are given here"
                self._unread(told, why)

    def take(self, annotation: Given) -> None:
        """Keep what an annotation cites: by its targets, and by bodies that select something."""
        targets = list(_listed(annotation.at("target")))
        if not targets:
            self._unread(annotation, "it has no target, so that what it cites is not known")
        selecting = [
            each for each in _listed(annotation.at("body")) if _selects(each, _MOST_NESTED)
        ]
        for target in (*targets, *selecting):
            self._target(annotation, target, _MOST_NESTED)
        if len(self.found) > MAX_CITATIONS:
            raise annotation.refused(f"more than {MAX_CITATIONS:,} citations", "maxItems")

    def _target(self, annotation: Given, target: Given, left: int) -> None:
        if left == 0:
            raise target.refused("targets within targets too often", "maxItems")
        selection = Selection()
        url: str | None
        title: str | None = None
        if isinstance(target.value, str):
            url = target.text()
        else:
            members = list(_listed(target.at("items")))
            for member in members:
                self._target(annotation, member, left - 1)
            if members and target.at("selector").value is None:
                return
            for selector in _listed(target.at("selector")):
                selection.take(selector)
            url, title = _source(annotation, target, selection)
        if url:
            selection.take_fragment(url.partition("#")[2], "the fragment")
        if selection.any:
            title = title or _title(annotation.at("document"))
            self.found.extend(selection.citations(title, url or None))
        elif url:
            self.whole += 1
        else:
            self._unread(target, "it names no source, so that what it cites is not known")

    def _unread(self, given: Given, why: str) -> None:
        self.found.append(given.unread(WEB_ANNOTATION, why))


def _source(
    annotation: Given, target: Given, selection: Selection
) -> tuple[str | None, str | None]:
    """The address and the title of what a target selects from."""
    source = target.at("source")
    if _is_object(source):
        if source.at("selector").value is not None:
            selection.leave("the selector of its source")
        return source.at("id").text_or_none(), source.at("label").text_or_none()
    named = source.text_or_none() or target.at("id").text_or_none()
    return named or annotation.at("uri").text_or_none(), None


def _selects(body: Given, left: int) -> bool:
    """Whether a body is a part of something, and so cites it too."""
    if not _is_object(body) or left == 0:
        return False
    return body.at("selector").value is not None or any(
        _selects(member, left - 1) for member in _listed(body.at("items"))
    )


def _listed(given: Given) -> Iterator[Given]:
    if isinstance(given.value, list):
        yield from given.items()
    elif given.value is not None:
        yield given


def _is_object(given: Given) -> bool:
    return isinstance(given.value, Mapping)


def _id(given: Given) -> object:
    return given.at("id").value if _is_object(given) else given.value


def _title(document: Given) -> str | None:
    """The title of a row's document: Hypothesis has it in a list."""
    if not _is_object(document):
        return None
    return next((title.text() for title in _listed(document.at("title"))), None)


_Quote = tuple[str | None, str | None, str | None]


class Selection:
    """What selects, added one by one.

    All selectors of a target mean the same part of the same thing: so each quote must be found. Of
    what cannot be, or is told twice in two ways, the name is kept.
    """

    def __init__(self) -> None:
        self._quotes: dict[_Quote, tuple[str, ...]] = {}
        """What is unchecked of each quote: its words, and what stands before and after them."""
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
        self._left[name if len(self._left) < _MOST_LEFT else "and more"] = None

    def take(self, selector: Given, left: int = _MOST_NESTED, within: str | None = None) -> None:
        """Add what a selector says, and what selects a part of its part. `within` is the kind of
        the selector that this one refines.
        """
        if isinstance(selector.value, str):
            self.leave(f"the selector at “{one_line(selector.text(), _MOST_CHARS)}”")
            return
        if left == 0:
            raise selector.refused("refined too often", "maxItems")
        kind = selector.at("type").text_or_none() or "a selector without a type"
        match kind:
            case "TextQuoteSelector":
                prefix, suffix = (selector.at(name).text_or_none() for name in _AROUND)
                quote = (selector.at("exact").text(), prefix, suffix)
                # Both quotes are looked for, but not the one in the other.
                nested = "that this quote is within the other"
                self._quotes.setdefault(quote, (nested,) if within == kind else ())
            case "TextPositionSelector":
                self._take_position(selector.span("start", "end"), within)
            case "PageSelector":
                self._take_page(selector.at("index").whole() + 1, kind)
            case "FragmentSelector":
                self.take_fragment(selector.at("value").text().removeprefix("#"), kind)
            case _:
                self.leave(one_line(kind, _MOST_CHARS))
        for refining in _listed(selector.at("refinedBy")):
            if refining.value is not None:
                self.take(refining, left - 1, kind)

    def take_fragment(self, fragment: str, kind: str) -> None:
        """Add what the fragment of a link selects; `kind` is what it is called where it is left."""
        page = _PAGE.search(fragment)
        if page is not None:
            self._take_page(int(page[1]), kind)
        if fragment and (page is None or page[0] != fragment):
            self.leave(f"{kind} “{one_line(fragment, _MOST_CHARS)}”")

    def citations(self, title: str | None, url: str | None) -> Iterator[GivenCitation]:
        """A citation for each quote; where there is none, one that quotes nothing."""
        nothing: dict[_Quote, tuple[str, ...]] = {(None, None, None): ()}
        for (exact, prefix, suffix), unchecked in (self._quotes or nothing).items():
            yield GivenCitation(
                WEB_ANNOTATION,
                Span(0, 0),
                exact,
                title,
                source_span=self._position,
                pages=self._pages,
                url=url,
                prefix=prefix,
                suffix=suffix,
                unchecked=(*self._left, *unchecked),
            )

    def _take_position(self, position: Span, within: str | None) -> None:
        if within is not None:  # It counts from there.
            self.leave(f"TextPositionSelector within {one_line(within, _MOST_CHARS)}")
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
