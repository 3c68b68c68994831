"""Checks answers against texts that a program holds: retrieved passages, documents, a corpus."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from veridical.errors import ConfigurationError, DocumentParsingError, ValidationError
from veridical.judging.judge import Judge
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.checking import AnswerChecker, ProblemKind
from veridical.ledger.entry import LedgerEntry
from veridical.ledger.grounding import GroundedClaim, Grounding, SourceWords
from veridical.ledger.own_work import without_own_work
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document, Format
from veridical.sources.loader import document_from_text, load_documents

TextSource: TypeAlias = "Document | str | tuple[str, str] | os.PathLike[str]"
"""A document, a text, a name and a text, or the `Path` of a file or a folder."""

MAX_SOURCES = 10_000
"""Texts given with one answer."""

MAX_SOURCES_CHARS = 50_000_000
"""Characters of all of them together."""

_MOST_NAME_CHARS = 200
_MOST_PATH_CHARS = 1_000
_HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]")


class GroundingChecker:
    """Checks any number of answers against the same sources, which are indexed once, on first use.

    `sources` are documents, texts, pairs of a name and a text, or `Path`s of files and folders; or
    a mapping of names to texts, one `Path`, or a `Corpus`. A string is a text: one that is also the
    name of a file or a folder is refused, as it is not clear what is meant; a pair may hold any
    text. Ledgers that Veridical wrote are left out of files and folders. A source without a visible
    character is left out. Names that occur twice get a number. `judge` is the embedded one unless
    given. May be used from several threads at once.

    `indices` are the places among the sources given of the documents of `corpus`, in their order.
    Without any source each claim is `not_found`: a retriever that found nothing is no error.
    Raises DocumentParsingError for a source that cannot be read, NoDocumentsError for a folder
    without one, ValidationError for more sources than `MAX_SOURCES` or `MAX_SOURCES_CHARS`, and
    ConfigurationError for what is no source.
    """

    def __init__(
        self,
        sources: Iterable[TextSource] | Mapping[str, str] | os.PathLike[str] | Corpus,
        *,
        judge: Judge | None = None,
    ) -> None:
        if isinstance(sources, Corpus):
            self.corpus = sources
            self.indices = tuple(range(len(sources.documents)))
            self._names = tuple(document.name for document in sources.documents)
        else:
            given = _documents(sources)
            self.indices = tuple(index for index, _ in given)
            self._names = tuple(document.name for _, document in given)
            self.corpus = Corpus(_with_unique_names([document for _, document in given]))
        self._checker = AnswerChecker(self.corpus, judge=judge)
        self._statements = LedgerBuilder(self.corpus, judge=judge)
        self._places = {source.id: at for at, source in enumerate(self._statements.sources)}

    def check(self, answer: str, *, query: str = "") -> Grounding:
        """The verdict on each claim of an answer; `query` is the question that it answers.

        Raises what `LedgerBuilder.build` raises.
        """
        checked = self._checker.check(answer, query=query)
        return Grounding(
            answer=answer,
            claims=tuple(self._claim(entry) for entry in checked.ledger.entries),
            unchecked=checked.of_kinds((ProblemKind.UNCHECKED,)),
            warnings=checked.ledger.warnings,
        )

    def check_statements(self, statements: Sequence[str]) -> tuple[GroundedClaim, ...]:
        """The verdict on each of some whole statements, which are no answer's.

        Raises what `LedgerBuilder.judged` raises.
        """
        return tuple(self._claim(entry) for entry in self._statements.judged(statements))

    def _claim(self, entry: LedgerEntry) -> GroundedClaim:
        return GroundedClaim(
            text=entry.claim.text,
            span=entry.claim.span,
            verdict=entry.verdict,
            reason=entry.notes,
            confidence=entry.confidence_score,
            words=self._words(entry),
        )

    def _words(self, entry: LedgerEntry) -> SourceWords | None:
        for evidence in (*entry.evidence, *entry.near):
            at = self._places[evidence.source_id]
            return SourceWords(
                text=evidence.snippet,
                source=self._names[at],
                index=self.indices[at],
                span=evidence.snippet_span,
                page=evidence.page_number,
            )
        return None


def check_answer(
    answer: str,
    sources: Iterable[TextSource] | Mapping[str, str] | os.PathLike[str] | Corpus,
    *,
    query: str = "",
    judge: Judge | None = None,
) -> Grounding:
    """The verdict on each claim of one answer: see `GroundingChecker`, which is for several."""
    return GroundingChecker(sources, judge=judge).check(answer, query=query)


def _documents(
    sources: Iterable[TextSource] | Mapping[str, str] | os.PathLike[str],
) -> list[tuple[int, Document]]:
    """The documents of the sources, each with the place of its source among all."""
    if isinstance(sources, str):
        raise ConfigurationError(
            "sources must be a list of texts or documents, not one text; for a file or a folder "
            "give its pathlib.Path"
        )
    if isinstance(sources, os.PathLike):
        sources = [sources]
    elif isinstance(sources, Mapping):
        sources = list(sources.items())  # walked through as it is, its names would be the texts
    elif not isinstance(sources, Iterable):
        raise ConfigurationError(
            f"sources must be a list of texts or documents, not a {type(sources).__name__}"
        )
    found: list[tuple[int, Document]] = []
    chars = 0
    for index, source in enumerate(sources):
        if index >= MAX_SOURCES:
            raise ValidationError(
                f"more than {MAX_SOURCES:,} sources were given; make a Corpus of them once"
            )
        for document in _read(source, index):
            chars += len(document.text)
            if chars > MAX_SOURCES_CHARS:
                raise ValidationError(
                    f"the sources have more than {MAX_SOURCES_CHARS:,} characters together; make "
                    "a Corpus of them once, or check against fewer"
                )
            found.append((index, document))
    return found


def _read(source: TextSource, index: int) -> Iterator[Document]:
    """The documents of a source: none where a text holds nothing, several of a folder."""
    if isinstance(source, Document):
        yield source
    elif isinstance(source, os.PathLike):
        loaded = load_documents([source])
        if loaded.failures:
            raise DocumentParsingError(loaded.failures[0].message)
        yield from without_own_work(loaded.documents)
    else:
        if isinstance(source, str):
            _require_text(source, index)
        name, text = ("", source) if isinstance(source, str) else _pair(source, index)
        if text.removeprefix("\ufeff").strip():
            yield _of_text(name, text, index)


def _require_text(source: str, index: int) -> None:
    """Raise ConfigurationError for a name of what lies here: other functions take it as a path."""
    if len(source) <= _MOST_PATH_CHARS and source and os.path.lexists(source):
        raise ConfigurationError(
            f"source {index + 1} is the string {source!r}, the name of a file or a folder here, "
            f"but a string is taken for a text. For what lies there give pathlib.Path({source!r}); "
            f"for these words as a text, a name and a text: ('note', {source!r})"
        )


def _of_text(name: str, text: str, index: int) -> Document:
    # A byte-order mark at the start would be cut off, and move the offsets.
    clean = _HALF_OF_A_PAIR.sub("\ufffd", text)
    clean = f" {clean[1:]}" if clean.startswith("\ufeff") else clean
    name = _plain(name) or f"source {index + 1}"
    document = document_from_text(clean, name)
    if document.format is Format.PLAIN_TEXT and _may_be_markdown(name, clean):
        return document_from_text(clean, name, Format.MARKDOWN)
    # A transcript's text is another than that of its file: places would not be those of the source.
    same = document.text == clean
    return document if same else document_from_text(clean, name, Format.PLAIN_TEXT)


def _may_be_markdown(name: str, text: str) -> bool:
    """A passage cut out of a page may show nothing of its format, and hold what was struck out."""
    return name.lower().endswith((".md", ".markdown")) or "~~" in text


def _pair(source: object, index: int) -> tuple[str, str]:
    if (
        isinstance(source, tuple)
        and len(source) == 2
        and isinstance(source[0], str)
        and isinstance(source[1], str)
    ):
        return source[0], source[1]
    raise ConfigurationError(
        f"source {index + 1} is a {type(source).__name__}; give a document, a text, a name and a "
        "text, or a pathlib.Path"
    )


def _plain(name: str) -> str:
    return _HALF_OF_A_PAIR.sub("\ufffd", " ".join(name.split()))[:_MOST_NAME_CHARS]


def _with_unique_names(documents: Sequence[Document]) -> list[Document]:
    taken: set[str] = set()
    named: list[Document] = []
    numbers: dict[str, int] = {}
    for document in documents:
        name = document.name
        while name in taken:
            numbers[document.name] = numbers.get(document.name, 1) + 1
            name = f"{document.name} ({numbers[document.name]})"
        taken.add(name)
        named.append(document if name == document.name else replace(document, name=name))
    return named
