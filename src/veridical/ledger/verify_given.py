"""Citations that came with an answer, held against the documents.

They are true where their words stand there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

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
from veridical.ledger.wire_given import CitedAnswer, GivenCitation
from veridical.sources.document import Document, Span
from veridical.validation.differences import Alteration

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


MOST_PLACES = 1_000
"""Places of one quote that are looked at."""


def _verbatim(document: Document, citation: GivenCitation) -> GivenCitationCheck | None:
    """The check of a citation whose words stand in the document as given, whole words that a reader
    sees; None where they do not.
    """
    exact = citation.cited_text or ""
    for start in _starts(document.text, citation, _expected_start(document, citation)):
        span = Span(start, start + len(exact))
        if begins_or_ends_unseen(document, span):
            continue
        shown = document.shown(span)
        if not shown.strip() or not stands_at(document, Words(shown, exact, start), start):
            continue  # no reader sees whole words there
        held = _as_said(document, citation, span)
        status = EvidenceStatus.HELD if held else EvidenceStatus.MOVED
        return GivenCitationCheck(citation, document.name, status, place_of(document, span))
    return None


def _starts(text: str, citation: GivenCitation, near: int) -> Iterator[int]:
    """Where a quote stands, most likely place first."""
    exact, told = citation.cited_text or "", citation.source_span
    if told is not None and told.start < len(text) and text.startswith(exact, told.start):
        yield told.start
    places: list[int] = []
    at = text.find(exact)
    while at >= 0 and len(places) < MOST_PLACES:
        places.append(at)
        at = text.find(exact, at + 1)
    yield from sorted(places, key=lambda start: abs(start - near))


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
    citation, rest = check.citation, []
    if document is not None and citation.pages is not None and not document.pages:
        rest.append("the page: the document has none")
    if citation.blocks is not None:
        rest.append("the content blocks")
    return replace(check, not_checked=tuple(rest)) if rest else check


def _checked(document: Document, citations: list[GivenCitation]) -> list[GivenCitationCheck]:
    outcomes = [_verbatim(document, citation) for citation in citations]
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
    if citation.source_span is not None:
        return min(citation.source_span.start, len(document.text))
    if citation.pages is not None:
        starts = (p.span.start for p in document.pages if p.number >= citation.pages.start)
        return next(starts, 0)
    return 0


def _as_said(document: Document, citation: GivenCitation, span: Span) -> bool:
    if citation.source_span is not None:
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
