"""Citations of an answer: which chunk or document they point to, if to any."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import PurePosixPath

from veridical.errors import ValidationError
from veridical.ledger.entry import AnswerClaim, CitationCheck, Marker, MarkerKind
from veridical.ledger.ids import DEFAULT_WORKSPACE, document_id
from veridical.ledger.markers import SUFFIX
from veridical.reports.words import some
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.corpus import LEAST_ANCHOR_DIGITS, Corpus, shortest_anchors
from veridical.sources.document import Document
from veridical.sources.patterns import lazy
from veridical.text.normalize import fold

# Which source a claim says that it is from, in its own words: "According to travel.md, ...".


_FLAGS = re.IGNORECASE | re.VERBOSE
_FILE = rf"[\w()%+&/\\-][\w.()%+&/\\-]{{0,99}}?{SUFFIX}(?!\w)"
_IN = (
    r"(?:according\ to|as\ per|based\ on|(?:as\ )?(?:stated|noted|described|set\ out|outlined|"
    r"specified|mentioned|written|laid\ down)\ (?:in|by))"
)
_SAYS = r"(?:states?|says?|notes|explains?|specif(?:y|ies)|provides?|tells?|reads)"

_FILE_BEHIND = lazy(
    rf"\b(?:{_IN}|per|see(?:\ also)?|sources?:)[\s*_`\"'(\[]+(?P<name>{_FILE})", _FLAGS
)
_FILE_SPEAKS = lazy(rf"(?:\A|[\s*_`\"'(])(?P<name>{_FILE})[*_`\"')]*\s+{_SAYS}\b", _FLAGS)
_FILE_BEGINS = lazy(rf"\A\W*(?:(?:from|in)\W+)?(?P<name>{_FILE})[*_`\"')]*[:,]", _FLAGS)
_TITLE_BEHIND = lazy(
    rf"\b{_IN}\s+(?:the|our)\s+(?P<name>[^,;:.\n()]{{1,80}})(?=[,;:.()]|\Z)", _FLAGS
)
_TITLE_SPEAKS = lazy(
    rf"\A\W*(?:as\ )?(?:the|our)\s+(?P<name>[^,;:.\n]{{1,80}}?)\s+{_SAYS}(?:\ that\b|,)", _FLAGS
)
_IN_CLAIM = (_FILE_BEHIND, _FILE_SPEAKS, _FILE_BEGINS, _TITLE_BEHIND, _TITLE_SPEAKS)
_LABEL = lazy(rf"\W*(?:(?:from|in|{_IN}|file|sources?)\W+)?(?P<name>{_FILE})\W*", _FLAGS)


def attributions(text: str, context: str) -> Iterator[str]:
    """What a claim, and the lines above it that lead in to it, call its sources."""
    lines = [part for line in context.splitlines() for part in line.split(" > ")]
    for said in (text, *(line for line in lines if line.rstrip().endswith(":"))):
        for pattern in _IN_CLAIM:
            yield from (found["name"].strip() for found in pattern().finditer(said))
    for line in lines:
        if label := _LABEL().fullmatch(line):
            yield label["name"]


UNAVAILABLE = "Citation references deleted or unavailable chunk"
"""Source: section 5.3 of the ledger specification."""

NO_SOURCE_LIST = "the answer has no source list"
"""Why a number leads nowhere in an answer that does not say what its numbers stand for."""

MOST_LISTED = 5
"""Candidates that an error about an ambiguous citation lists."""

_HASH_DIGITS = 64
_ANCHOR = re.compile(rf"[0-9a-fA-F]{{{LEAST_ANCHOR_DIGITS},{_HASH_DIGITS}}}")
_FILE_NAME = re.compile(r"\.\w{1,8}\Z")
_LEAST_WORDS_WITHIN = 2
"""Words that a title needs so that it counts where it is only a part of what the list says."""


@dataclass(frozen=True, slots=True)
class CitationResolution:
    """What a citation anchor points to.

    `candidates` are all chunks that it fits. It resolves where they are of one content, and `chunk`
    is then the first of them; `error` says why it does not resolve.
    """

    chunk_hash: str
    resolved: bool
    chunk: Chunk | None = None
    error: str | None = None
    candidates: tuple[Chunk, ...] = ()


def resolve_citation(prefix: str, chunks: Corpus | Iterable[Chunk]) -> CitationResolution:
    """The chunk that an anchor, a prefix of a chunk's SHA-256 of at least 8 hex digits, points to.

    Raises ValidationError for anything that is no such prefix.
    Source: section 5.3 of the ledger specification, with the ambiguous case that it leaves open.
    """
    if not _ANCHOR.fullmatch(prefix):
        raise ValidationError(
            f"{prefix[:_HASH_DIGITS]!r} is no citation anchor: it must have "
            f"{LEAST_ANCHOR_DIGITS} to {_HASH_DIGITS} hex digits"
        )
    prefix = prefix.lower()
    if isinstance(chunks, Corpus):
        found = chunks.with_prefix(prefix)
    else:
        found = tuple(chunk for chunk in chunks if chunk.sha256.startswith(prefix))
    if not found:
        return CitationResolution(prefix, resolved=False, error=UNAVAILABLE)
    if len({chunk.sha256 for chunk in found}) > 1:
        return CitationResolution(
            prefix, resolved=False, error=_ambiguous(prefix, found), candidates=found
        )
    return CitationResolution(prefix, resolved=True, chunk=found[0], candidates=found)


def _ambiguous(prefix: str, found: Sequence[Chunk]) -> str:
    # What parts these hashes from each other parts them from all others, which lack the prefix.
    anchors = shortest_anchors(chunk.sha256 for chunk in found)
    listed = [
        f"{anchors[chunk.sha256]} ({', '.join((chunk.document.name, *chunk.heading_path[-1:]))})"
        for chunk in found
    ]
    return f"Citation {prefix} is ambiguous; it fits {some(listed, MOST_LISTED)}"


def lacks_source_list(check: CitationCheck) -> bool:
    """Whether a citation is no mistake of its own: no number of the answer is explained."""
    return check.problem.endswith(NO_SOURCE_LIST)


class DocumentNames:
    """Finds the document that a text names: by file name, name without suffix, or title."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = tuple(documents)

    def named_by(self, text: str) -> tuple[Document, ...]:
        """The documents that a text, such as a line of a source list, may mean; best none or one.

        What the whole text says counts before what a part of it says, a longer name before a
        shorter one, and a single word within a longer text names nothing unless it is a file name.
        """
        if text in self._by_name:
            return (self._by_name[text],)
        said = fold(text)
        if said in self._by_key:
            return tuple(self._by_key[said])
        padded = f" {said} "
        within = [key for key in self._long_keys if f" {key} " in padded]
        longest = max(map(len, within), default=0)
        found = {
            document.name: document
            for key in within
            if len(key) == longest
            for document in self._by_key[key]
        }
        return tuple(found.values())

    def called(self, name: str) -> tuple[Document, ...]:
        """The documents that have this file name, with or without folders; best none or one."""
        if name in self._by_name:
            return (self._by_name[name],)
        for said in (fold(name), fold(PurePosixPath(name.replace("\\", "/")).name)):
            if said in self._by_key:
                return tuple(self._by_key[said])
        return ()

    @cached_property
    def _by_name(self) -> dict[str, Document]:
        return {document.name: document for document in self.documents}

    @cached_property
    def _by_key(self) -> dict[str, list[Document]]:
        keys: defaultdict[str, list[Document]] = defaultdict(list)
        for document in self.documents:
            for key in dict.fromkeys(map(fold, _names_of(document))):
                if key:
                    keys[key].append(document)
        return keys

    @cached_property
    def _long_keys(self) -> list[str]:
        files = {fold(_path(document).name) for document in self.documents}
        return [
            key for key in self._by_key if key.count(" ") + 1 >= _LEAST_WORDS_WITHIN or key in files
        ]


def _path(document: Document) -> PurePosixPath:
    return PurePosixPath(document.name.replace("\\", "/"))


def _names_of(document: Document) -> Iterable[str]:
    path = _path(document)
    yield from (document.name, path.name, path.stem)
    if document.sections:
        yield document.sections[0].title


class CitationChecker:
    """Checks the markers of one answer. Make one and use it for all claims.

    `source_list` is the answer's own: what it says of each number. `workspace` is that of the ids.
    """

    def __init__(
        self,
        corpus: Corpus,
        source_list: Mapping[int, str] | None = None,
        workspace: str = DEFAULT_WORKSPACE,
    ) -> None:
        self._corpus = corpus
        self._listed = source_list or {}
        self._workspace = workspace
        names = DocumentNames(corpus.documents)
        self._named_by, self._called = cache(names.named_by), cache(names.called)

    def check(self, markers: Iterable[Marker]) -> tuple[CitationCheck, ...]:
        """One check a marker, in their order. Nothing is guessed: what may mean several documents
        means none.
        """
        return tuple(
            self._anchor(marker) if marker.kind is MarkerKind.ANCHOR else self._document(marker)
            for marker in markers
        )

    def attributed(self, claim: AnswerClaim) -> tuple[str, ...]:
        """The ids of the sources that a claim says in its own words to be from, each once."""
        found = map(self._called, attributions(claim.text, claim.context))
        return tuple(dict.fromkeys(self._id(one[0]) for one in found if len(one) == 1))

    def _anchor(self, marker: Marker) -> CitationCheck:
        try:
            resolution = resolve_citation(marker.value, self._corpus)
        except ValidationError as error:
            return CitationCheck(marker, None, problem=str(error))
        if (chunk := resolution.chunk) is None:
            return CitationCheck(marker, None, problem=resolution.error or UNAVAILABLE)
        return CitationCheck(marker, self._id(chunk.document), chunk.sha256)

    def _document(self, marker: Marker) -> CitationCheck:
        """A file name must be that of a document; a source list and a footnote may call it
        otherwise.
        """
        said, who = marker.value, f"{marker.value}: it"
        if marker.kind is MarkerKind.NUMBER:
            number = int(said) if re.fullmatch(r"[0-9]{1,9}", said) else -1
            if number not in self._listed:
                unlisted = "the answer does not list it as a source"
                lacks = unlisted if self._listed else NO_SOURCE_LIST
                return CitationCheck(marker, None, problem=f"[{said}]: {lacks}")
            said, who = self._listed[number], f"[{said}]: the source list"
        is_file = marker.kind is MarkerKind.NAME and _FILE_NAME.search(said)
        found = self._called(said) if is_file else self._named_by(said)
        if len(found) == 1:
            return CitationCheck(marker, self._id(found[0]))
        problem = f"{who} names no document that is at hand"
        if found:
            names = ", ".join(document.name for document in found[:MOST_LISTED])
            problem = f"{who} may mean any of {names}"
        return CitationCheck(marker, None, problem=problem)

    def _id(self, document: Document) -> str:
        return document_id(document.name, self._workspace)
