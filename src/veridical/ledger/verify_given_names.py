"""Which document does a citation that came with an answer mean?"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from veridical.ledger.citations import MOST_LISTED, DocumentNames
from veridical.ledger.wire_given import WEB_ANNOTATION, GivenCitation
from veridical.sources.document import Document


def named_document(citation: GivenCitation, names: DocumentNames) -> tuple[Document | None, str]:
    """The document that a citation means, and where there is none, why.

    Its number counts only where it gives no name: another document than the one that it names is
    never taken for it.
    """
    said = [name for name in (citation.title, citation.url) if name and name.strip()]
    for name in said:
        found = names.named_by(name)
        if len(found) == 1:
            other = _called(citation, names) if name is not citation.url else ()
            if len(other) == 1 and other[0].name != found[0].name:
                return None, f"{name!r} means {found[0].name}, but its address {other[0].name}"
            return found[0], ""
        if found:
            return None, _ambiguous(name, found)
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


def _ambiguous(name: str, found: Sequence[Document]) -> str:
    listed = ", ".join(document.name for document in found[:MOST_LISTED])
    return f"{name!r} may mean any of {listed}"


def _called(citation: GivenCitation, names: DocumentNames) -> tuple[Document, ...]:
    """The documents whose file name the address of a citation has."""
    try:
        path = unquote(urlsplit(citation.url or "").path)
    except ValueError:  # It is no address, such as http://[x.
        return ()
    return names.called(path) if path else ()
