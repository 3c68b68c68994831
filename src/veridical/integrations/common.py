"""What the adapters share: sources as their settings name them, and the judge."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias, TypeVar

from veridical.errors import ConfigurationError, UngroundedError
from veridical.judging.judge import Judge, OperatingPoint
from veridical.judging.reader_judge import ReaderJudge
from veridical.ledger.grounding import (
    Grounding,
    GroundingChecker,
    GroundingOutcome,
    TextSource,
    documents_of,
)
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document, Span

_Choice = TypeVar("_Choice", bound=StrEnum)
Path: TypeAlias = "str | os.PathLike[str]"
Documents: TypeAlias = "Corpus | Path | Iterable[Document | Path]"
"""Whole documents to check against: a corpus, documents, or the paths of files and folders."""


def corpus_of(documents: Documents) -> Corpus:
    """The corpus of what an adapter's `documents` names.

    Raises DocumentParsingError for a path that cannot be read: a document that is silently left
    out would make every claim about it `not_found`; and ConfigurationError where nothing is named.
    """
    if isinstance(documents, Corpus):
        return documents
    given = [documents] if isinstance(documents, str | os.PathLike) else list(documents)
    if not given:
        raise ConfigurationError("no document is given; name files or folders, or leave it out")
    return Corpus(documents_of([pathlib.Path(e) if isinstance(e, str) else e for e in given]))


class AnswerCheck:
    """What an adapter checks answers with: whole documents where it was given any, else the sources
    that came with the answer; by the judge that was given, or the embedded one at `point`.

    Raises ConfigurationError for an unknown point, and as `corpus_of`.
    """

    def __init__(
        self,
        documents: Documents | None = None,
        *,
        judge: Judge | None = None,
        point: str = "strict",
        allow_no_claims: bool = False,
    ) -> None:
        self._judge = judge_of(judge, point)
        self._allow_no_claims = allow_no_claims
        self._over_documents: GroundingChecker | None = None
        if documents is not None:
            self._over_documents = GroundingChecker(corpus_of(documents), judge=self._judge)

    def check(
        self, answer: str, query: object, sources: Callable[[], Iterable[TextSource]]
    ) -> Grounding:
        """The verdict on an answer. `sources` are asked for where there are no whole documents;
        a `query` that is no text is left out.
        """
        checker = self._over_documents or GroundingChecker(sources(), judge=self._judge)
        return checker.check(answer, query=query if isinstance(query, str) else "")

    def passes(self, grounding: Grounding) -> bool:
        """Whether an answer may pass: it is grounded, or claims nothing where that is allowed."""
        if grounding.outcome is GroundingOutcome.NO_CLAIMS:
            return self._allow_no_claims
        return grounding.grounded


def judge_of(judge: Judge | None, point: str) -> Judge:
    """The judge that was given, or the embedded one at an operating point.

    Raises ConfigurationError for an unknown point.
    """
    if judge is not None:
        return judge
    return ReaderJudge(choice_of(OperatingPoint, point, "the point"))


def choice_of(kind: type[_Choice], given: str, name: str) -> _Choice:
    """What a setting names. Raises ConfigurationError where it is unknown."""
    try:
        return kind(given)
    except ValueError:
        known = ", ".join(one.value for one in kind)
        raise ConfigurationError(f"{name} {given!r} is unknown; it is one of {known}") from None


def sources_of(context: Any) -> list[TextSource]:
    """The sources in what a data set, a chain or a program holds as context.

    A text, or a list of texts, of mappings with `text` and perhaps `name`, or of objects with
    `page_content` and `metadata`, as LangChain's documents are. Raises ConfigurationError else.
    """
    if isinstance(context, str | Mapping) or hasattr(context, "page_content"):
        context = [context]
    if not isinstance(context, Iterable) or isinstance(context, bytes):
        raise ConfigurationError(
            f"the context is of the type {type(context).__name__}; give a text, or a list of texts "
            "or documents"
        )
    return [_source(each) for each in context]


def _source(given: Any) -> TextSource:
    if isinstance(given, Document):
        return given
    if isinstance(given, str):
        return ("", given)  # a passage may be a word that is also the name of a file
    if isinstance(given, Mapping):
        name, text = given.get("name", ""), given.get("text")
    else:
        text = getattr(given, "page_content", None)
        name = name_in(getattr(given, "metadata", None) or {})
    if not isinstance(text, str):
        raise ConfigurationError(
            f"the context holds a {type(given).__name__} without text; give texts, documents, or "
            'mappings with "name" and "text"'
        )
    return (str(name), text)


def name_in(metadata: Mapping[str, Any]) -> str:
    """What the metadata of a retrieved passage calls its source; empty where it does not say."""
    named = (metadata.get(key) for key in ("source", "file_path", "file_name", "title"))
    return str(next(filter(None, named), ""))


def ungrounded(grounding: Grounding) -> UngroundedError:
    """The error that says why an answer does not pass, with the place of its first problem."""
    places = [
        (one.span, one.text, one.verdict.value) for one in grounding.claims if not one.grounded
    ]
    places += [(one.span, one.text, "") for one in grounding.unchecked]
    places += [(one.span, one.text, "") for one in grounding.misquoted]
    span, sentence, verdict = min(places, default=(Span(0, 0), "", ""))
    return UngroundedError(
        grounding.reason, sentence=sentence, start=span.start, end=span.end, verdict=verdict
    )
