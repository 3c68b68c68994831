"""Which of the documents at hand is which source of a ledger?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from pathlib import PurePosixPath

from veridical.ledger.entry import Source
from veridical.sources.document import Document


def match_sources(sources: Sequence[Source], documents: Sequence[Document]) -> dict[str, Document]:
    """The document that each source is now, by source id; a missing source has none.

    By name, then by file name in whatever folder, then by text. The last two only where one source
    and one document are left that agree in it: a guess would call the wrong document changed.
    """
    matched: dict[str, Document] = {}
    rules: tuple[tuple[Callable[[Source], Hashable], Callable[[Document], Hashable]], ...] = (
        (lambda source: source.filename, lambda document: document.name),
        (lambda source: file_name(source.filename), lambda document: file_name(document.name)),
        (lambda source: source.sha256, lambda document: document.sha256),
    )
    for of_source, of_document in rules:
        taken = {document.name for document in matched.values()}
        left_sources: defaultdict[Hashable, list[Source]] = defaultdict(list)
        left_documents: defaultdict[Hashable, list[Document]] = defaultdict(list)
        for source in sources:
            if source.id not in matched:
                left_sources[of_source(source)].append(source)
        for document in documents if left_sources else ():
            if document.name not in taken:
                left_documents[of_document(document)].append(document)
        for agreed, candidates in left_sources.items():
            if len(candidates) == len(left_documents[agreed]) == 1:
                matched[candidates[0].id] = left_documents[agreed][0]
    return matched


def file_name(name: str) -> str:
    """The last part of a path, whatever system it was written on."""
    return PurePosixPath(name.replace("\\", "/")).name
