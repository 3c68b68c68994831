"""Are the citations that came with an answer true? Their words must stand in the documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from veridical.ledger.citations import DocumentNames
from veridical.ledger.verification import Change, EvidenceStatus, Location, WordDiff
from veridical.ledger.verify_evidence import changes_of, diff_of, place_of
from veridical.ledger.verify_find import Found, WordFinder, Words, begins_or_ends_unseen, stands_at
from veridical.ledger.verify_selectors import SelectedWords
from veridical.ledger.wire_given import WEB_ANNOTATION, CitedAnswer, GivenCitation
from veridical.sources.document import Document
from veridical.sources.span import Span


@dataclass(frozen=True, slots=True)
class GivenCitationCheck:
    """What is true of a citation.

    `status` is HELD where its words stand where it says, MOVED elsewhere in the document, ALTERED
    or ORPHANED where they do not; None where nothing could be checked, and `problem` says why.
    `now` is where the words, or those most like them, stand.
    """

    citation: GivenCitation
    document: str | None
    status: EvidenceStatus | None
    now: Location | None = None
    changes: tuple[Change, ...] = ()
    diff: tuple[WordDiff, ...] = ()
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether the cited words stand in the document that is named."""
        return self.status in (EvidenceStatus.HELD, EvidenceStatus.MOVED)


def check_given_citations(
    answer: CitedAnswer, documents: Iterable[Document]
) -> tuple[GivenCitationCheck, ...]:
    """One check a citation, in their order.

    A citation names its document by title or file name; only where it gives none, or one that is
    unknown, by `document_index` among `documents` in their order.
    """
    names = DocumentNames(documents)
    checks: dict[int, GivenCitationCheck] = {}
    by_document: defaultdict[str, list[tuple[int, GivenCitation]]] = defaultdict(list)
    found = {document.name: document for document in names.documents}
    for index, citation in enumerate(answer.citations):
        document, problem = _document(citation, names)
        if document is None:
            checks[index] = GivenCitationCheck(citation, None, None, problem=problem)
        elif not (citation.cited_text or "").strip():
            problem = "it quotes nothing, so that there is nothing to check"
            checks[index] = GivenCitationCheck(citation, document.name, None, problem=problem)
        else:
            by_document[document.name].append((index, citation))
    for name, group in by_document.items():
        outcomes = _checked(found[name], [citation for _, citation in group])
        checks.update(zip((index for index, _ in group), outcomes, strict=True))
    return tuple(checks[index] for index in range(len(answer.citations)))


def _document(citation: GivenCitation, names: DocumentNames) -> tuple[Document | None, str]:
    for said in (citation.title, citation.url):
        found = names.named_by(said) if said else ()
        if len(found) == 1:
            return found[0], ""
        if found:
            listed = ", ".join(document.name for document in found[:5])
            return None, f"{said!r} may mean any of {listed}"
    if citation.kind == WEB_ANNOTATION and citation.url:
        found = names.called(unquote(urlsplit(citation.url).path))
        if len(found) == 1:
            return found[0], ""
    index = citation.document_index
    if index is not None and index < len(names.documents):
        return names.documents[index], ""
    return None, "the document that it names is not among those given"


def _checked(document: Document, citations: list[GivenCitation]) -> list[GivenCitationCheck]:
    selected = SelectedWords(document)
    outcomes = [_by_selectors(selected, c) or _verbatim(document, c) for c in citations]
    left = [index for index, outcome in enumerate(outcomes) if outcome is None]
    wanted = [_words(document, citations[index]) for index in left]
    places = WordFinder(document).find(wanted)
    for index, place in zip(left, places, strict=True):
        outcomes[index] = _outcome(document, citations[index], place)
    return [outcome for outcome in outcomes if outcome is not None]


def _words(document: Document, citation: GivenCitation) -> Words:
    cited = citation.cited_text or ""
    return Words(cited, cited, _expected_start(document, citation))


def _expected_start(document: Document, citation: GivenCitation) -> int:
    if citation.source_span is not None and citation.kind != WEB_ANNOTATION:
        return min(citation.source_span.start, len(document.text))
    if citation.pages is not None:
        starts = (p.span.start for p in document.pages if p.number >= citation.pages.start)
        return next(starts, 0)
    return 0


def _by_selectors(selected: SelectedWords, citation: GivenCitation) -> GivenCitationCheck | None:
    """The check of a web annotation whose words stand in the text that its selectors count in."""
    if citation.kind != WEB_ANNOTATION:
        return None
    found = selected.find(citation)
    if found is None:
        return None
    document, span = selected.document, found.span
    now = Location(
        document.name, span, document.line_number(span.start), document.page_at(span.start)
    )
    on_page = citation.pages is None or now.page is None or citation.pages.start == now.page
    status = EvidenceStatus.HELD if found.as_said and on_page else EvidenceStatus.MOVED
    return GivenCitationCheck(citation, document.name, status, now)


def _verbatim(document: Document, citation: GivenCitation) -> GivenCitationCheck | None:
    """The check of a citation whose words, markup included, stand in the text as given."""
    cited, expected = citation.cited_text or "", _expected_start(document, citation)
    starts = (
        document.text.find(cited, expected),
        document.text.rfind(cited, 0, expected + len(cited)),
    )
    for start in sorted((s for s in starts if s >= 0), key=lambda s: abs(s - expected)):
        span = Span(start, start + len(cited))
        shown = document.shown(span)
        seen = shown.strip() and not begins_or_ends_unseen(document, span)
        if seen and stands_at(document, Words(shown, cited, start), start):
            status = (
                EvidenceStatus.HELD if _as_said(document, citation, span) else EvidenceStatus.MOVED
            )
            now = Location(
                document.name, span, document.line_number(start), document.page_at(start)
            )
            return GivenCitationCheck(citation, document.name, status, now)
    return None


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
    return GivenCitationCheck(
        citation,
        document.name,
        status,
        place_of(found),
        changes_of(found.comparison),
        diff_of(found.comparison),
    )
