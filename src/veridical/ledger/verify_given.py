"""Citations that came with an answer: read, and held against the documents.

They are true where their words stand there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from urllib.parse import unquote, urlsplit

from veridical.errors import ValidationError
from veridical.ledger.citations import MOST_LISTED, DocumentNames
from veridical.ledger.verification import EvidenceStatus, Location
from veridical.ledger.verify_find import (
    Found,
    WordFinder,
    Words,
    begins_or_ends_unseen,
    place_of,
    stands_at,
)
from veridical.ledger.wire_given import (
    WEB_ANNOTATION,
    CitedAnswer,
    GivenCitation,
    answer_from_anthropic,
)
from veridical.ledger.wire_web_annotations import answer_from_web_annotations
from veridical.sources.document import Document, Format, Span
from veridical.validation.differences import Alteration
from veridical.validation.schema_errors import shorten

# The forms in which other programs hand citations over, told apart by what they are made of.


class GivenForm(StrEnum):
    """A form in which citations come in; the value is how commands call it."""

    ANTHROPIC = "anthropic"
    WEB_ANNOTATIONS = "web-annotations"


_OF_COLLECTIONS = ("@context", "rows", "first", "items", "target")


def read_cited(data: object, form: GivenForm | None = None) -> CitedAnswer:
    """The answer and the citations in parsed JSON of this form; without one, of the form that it
    shows. Web Annotations have no answer: its text is empty.

    Raises ValidationError where it is of no known form, or not as the form has it.
    """
    match form or _form_of(data):
        case GivenForm.ANTHROPIC:
            return answer_from_anthropic(data)
        case GivenForm.WEB_ANNOTATIONS:
            return answer_from_web_annotations(data)


def _form_of(data: object) -> GivenForm:
    """The form of parsed JSON. Raises ValidationError where it shows none."""
    first = data[0] if isinstance(data, list) and data else data
    if isinstance(first, Mapping):
        if any(name in first for name in _OF_COLLECTIONS):
            return GivenForm.WEB_ANNOTATIONS
        if isinstance(first.get("content"), list) or isinstance(first.get("type"), str):
            return GivenForm.ANTHROPIC
    raise ValidationError(
        f"it holds citations in no form that is known ({', '.join(GivenForm)}): got {shorten(data)}"
    )


# Which document does a citation that came with an answer mean?


def named_document(citation: GivenCitation, names: DocumentNames) -> tuple[Document | None, str]:
    """The document that a citation means, and where there is none, why.

    Its number counts only where it gives no name: another document than the one that it names is
    never taken for it.
    """
    address = _address(citation)
    said = [name for name in (citation.title, address) if name and name.strip()]
    for name in said:
        found = names.named_by(name)
        if len(found) == 1:
            other = _called(citation, names) if name is not address else ()
            if len(other) == 1 and other[0].name != found[0].name:
                return None, f"{name!r} means {found[0].name}, but its address {other[0].name}"
            return found[0], ""
        if found:
            listed = ", ".join(document.name for document in found[:MOST_LISTED])
            return None, f"{name!r} may mean any of {listed}"
    if citation.kind == WEB_ANNOTATION and len(found := _called(citation, names)) == 1:
        return found[0], ""
    if said:
        listed = " and ".join(map(repr, said))
        return None, f"{listed}, which it names, is not among those given"
    if citation.document_index is None:
        return None, "it names no document"
    if citation.document_index < len(names.documents):
        return names.documents[citation.document_index], ""
    return None, (
        f"document {citation.document_index:,}, counted from 0, is not among those given: they are "
        f"{len(names.documents):,}"
    )


def _address(citation: GivenCitation) -> str:
    """The address of a citation; the words that its link shows are no part of what it names."""
    address, _, fragment = (citation.url or "").partition("#")
    fragment = fragment.partition(":~:")[0]
    return f"{address}#{fragment}" if fragment else address


def _called(citation: GivenCitation, names: DocumentNames) -> tuple[Document, ...]:
    """The documents whose file name the address of a citation has."""
    try:
        path = unquote(urlsplit(_address(citation)).path)
    except ValueError:  # It is no address, such as http://[x.
        return ()
    return names.called(path) if path else ()


# The very words that a citation quotes, in the text that its places count in.


MOST_PLACES = 1_000
"""Places of one quote that are looked at."""


class _QuotedWords:
    """Finds quotes in one document, which is made ready once: what selectors of a web annotation
    select of a page is its text content, all else is the text as written.
    """

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _content(self) -> str:
        return self._document.content.slice(0, len(self._document.text))

    def check(self, citation: GivenCitation) -> GivenCitationCheck | None:
        """The check of a citation whose words stand in the text as given, whole words that a reader
        sees; None where they do not.
        """
        document, exact = self._document, citation.cited_text or ""
        selected = citation.kind == WEB_ANNOTATION
        in_content = selected and document.format is Format.HTML
        text = self._content if in_content else document.text
        for start, as_selected in _starts(
            text, citation, exact, _expected_start(document, citation)
        ):
            end = start + len(exact)
            span = self._written(start, end) if in_content else Span(start, end)
            if span is None or begins_or_ends_unseen(document, span):
                continue
            shown = document.shown(span)
            words = Words(shown, document.text[span.start : span.end], span.start)
            if not shown.strip() or not stands_at(document, words, span.start):
                continue  # no reader sees whole words there
            now = place_of(document, span)
            if selected:
                held = as_selected and (
                    citation.pages is None or now.page in (None, citation.pages.start)
                )
            else:
                held = _as_said(document, citation, span)
            status = EvidenceStatus.HELD if held else EvidenceStatus.MOVED
            return GivenCitationCheck(citation, document.name, status, now)
        return None

    def _written(self, start: int, end: int) -> Span | None:
        """The place in the document of a part of the text content."""
        document = self._document
        offsets, position = range(len(document.text) + 1), document.content.position
        first = bisect_right(offsets, start, key=position) - 1
        last = bisect_left(offsets, end, key=position)
        for mask in document.masks.between(first, first + 1):
            first = mask.start
        return Span(first, last) if 0 <= first < last else None


def _starts(
    text: str, citation: GivenCitation, exact: str, near: int
) -> Iterator[tuple[int, bool]]:
    """Where a quote stands, most likely place first, and whether selectors lead there."""
    told = citation.source_span
    if told is not None:
        near = told.start
        if text.startswith(exact, near) and near < len(text):
            yield near, len(told) == len(exact)
    places: list[int] = []
    at = text.find(exact)
    while at >= 0 and len(places) < MOST_PLACES:
        places.append(at)
        at = text.find(exact, at + 1)

    def in_context(start: int) -> bool:
        before, after = citation.prefix or "", citation.suffix or ""
        begins = max(0, start - len(before))
        fits = text[begins:start] == before[-start:] if before and start else not before
        return fits and text.startswith(after, start + len(exact))

    for start in sorted(places, key=lambda start: (not in_context(start), abs(start - near))):
        if told is None or start != told.start:
            yield start, told is None and in_context(start)


_NO_QUOTE = "it quotes nothing, so that there is nothing to check"


@dataclass(frozen=True, slots=True)
class GivenCitationCheck:
    """What is true of a citation.

    `status` is HELD where its words stand where it says, MOVED elsewhere in the document, ALTERED
    or ORPHANED where they do not; None where nothing could be checked, and `problem` says why.
    `now` is where the words, or those most like them, stand. `not_checked` names what else the
    citation says and nobody looked at, whatever became of its words.
    """

    citation: GivenCitation
    document: str | None
    status: EvidenceStatus | None
    now: Location | None = None
    changes: tuple[Alteration, ...] = ()
    problem: str = ""
    not_checked: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the cited words stand in the document that is named."""
        return self.status in (EvidenceStatus.HELD, EvidenceStatus.MOVED)


def check_given_citations(
    answer: CitedAnswer, documents: Iterable[Document]
) -> tuple[GivenCitationCheck, ...]:
    """One check a citation, in their order.

    A citation names its document by title, address or file name; only where it gives none, by
    `document_index` among `documents` in their order.
    """
    names = DocumentNames(documents)
    checks: list[GivenCitationCheck | None] = []
    quoting: defaultdict[str, list[int]] = defaultdict(list)
    found = {document.name: document for document in names.documents}
    for index, citation in enumerate(answer.citations):
        document, problem = named_document(citation, names)
        name = None if citation.unread or document is None else document.name
        if name is not None and (citation.cited_text or "").strip():
            quoting[name].append(index)
            checks.append(None)
        else:
            problem = citation.unread or problem or _NO_QUOTE
            checks.append(GivenCitationCheck(citation, name, None, problem=problem))
    for name, indices in quoting.items():
        outcomes = _checked(found[name], [answer.citations[index] for index in indices])
        for index, outcome in zip(indices, outcomes, strict=True):
            checks[index] = outcome
    return tuple(
        _with_rest(check, found.get(check.document or "")) for check in checks if check is not None
    )


def _with_rest(check: GivenCitationCheck, document: Document | None) -> GivenCitationCheck:
    """A check that tells what of its citation nobody looked at."""
    citation, rest = check.citation, list(check.citation.unchecked)
    if document is not None and citation.pages is not None and not document.pages:
        rest.append("the page: the document has none")
    if citation.blocks is not None:
        rest.append("the content blocks")
    return replace(check, not_checked=tuple(rest)) if rest else check


def _checked(document: Document, citations: list[GivenCitation]) -> list[GivenCitationCheck]:
    quoted = _QuotedWords(document)
    outcomes = [quoted.check(citation) for citation in citations]
    left = [index for index, outcome in enumerate(outcomes) if outcome is None]
    wanted = []
    for index in left:
        cited = citations[index].cited_text or ""
        wanted.append(Words(cited, cited, _expected_start(document, citations[index])))
    places = WordFinder(document).find(wanted)
    for index, place in zip(left, places, strict=True):
        outcomes[index] = _outcome(document, citations[index], place)
    return [outcome for outcome in outcomes if outcome is not None]


def _expected_start(document: Document, citation: GivenCitation) -> int:
    if citation.source_span is not None and citation.kind != WEB_ANNOTATION:
        return min(citation.source_span.start, len(document.text))
    if citation.pages is not None:
        starts = (p.span.start for p in document.pages if p.number >= citation.pages.start)
        return next(starts, 0)
    return 0


def _as_said(document: Document, citation: GivenCitation, span: Span) -> bool:
    if citation.source_span is not None and citation.kind != WEB_ANNOTATION:
        return citation.source_span == span
    page = document.page_at(span.start)
    if citation.pages is not None and page is not None:
        return citation.pages.start <= page < max(citation.pages.end, citation.pages.start + 1)
    return True


def _outcome(
    document: Document, citation: GivenCitation, found: Found | None
) -> GivenCitationCheck:
    if found is None:
        return GivenCitationCheck(citation, document.name, EvidenceStatus.ORPHANED)
    status = EvidenceStatus.MOVED if found.same else EvidenceStatus.ALTERED
    now = place_of(document, found.span)
    return GivenCitationCheck(citation, document.name, status, now, found.comparison.alterations)
