"""LangChain: a runnable that verifies answers, one that guards them, and a document transformer."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from veridical.errors import ConfigurationError, MissingExtraError
from veridical.guarding.guard import Guard
from veridical.guarding.report import OnFail
from veridical.integrations.common import (
    AnswerCheck,
    Documents,
    choice_of,
    corpus_of,
    judge_of,
    sources_of,
    ungrounded,
)
from veridical.judging.judge import Judge
from veridical.ledger.grounding import GroundingChecker, TextSource
from veridical.retrieval.chunks import DEFAULT, ChunkPolicy
from veridical.retrieval.corpus import Corpus

try:
    from langchain_core.documents import BaseDocumentTransformer, Document
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import Runnable, RunnableConfig
except ImportError as problem:
    raise MissingExtraError("The LangChain adapter", "langchain") from problem

Answer: TypeAlias = "str | BaseMessage | Mapping[str, Any]"


class GroundedCheck(Runnable[Any, dict[str, Any]]):
    """Says of an answer whether its sources bear it out, claim by claim.

    Takes what a retrieval chain gives, a mapping with the answer under `answer_key` and the
    retrieved documents or texts under `context_key`, and gives it back with the verdict under
    `grounding`: `Grounding.to_dict()`. Or takes a text or a message, and gives a mapping with
    `answer` and `grounding`. `source_index` of a claim counts in the context given.

    With `documents` (files, folders, documents or a `Corpus`) those are what is checked against,
    whatever was retrieved: a passage that was cut out of its document may lack its exceptions.

    `raising` raises UngroundedError where a claim is not supported, and where the answer claims
    nothing, unless `allow_no_claims`: the chain can then fall back to another answer. `judge`
    is the embedded one at `point` unless given.

    Raises ConfigurationError for an input without an answer, or without anything to check against.
    """

    def __init__(
        self,
        documents: Documents | None = None,
        *,
        raising: bool = False,
        allow_no_claims: bool = False,
        answer_key: str = "answer",
        context_key: str = "context",
        query_key: str = "input",
        judge: Judge | None = None,
        point: str = "strict",
    ) -> None:
        self._check = AnswerCheck(
            documents, judge=judge, point=point, allow_no_claims=allow_no_claims
        )
        self._raising = raising
        self._answer_key = answer_key
        self._context_key = context_key
        self._query_key = query_key

    def invoke(
        self, input: Answer, config: RunnableConfig | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        """The input with the verdict on its answer."""
        return self._call_with_config(self._checked, input, config, **kwargs)

    def _checked(self, given: Answer) -> dict[str, Any]:
        values = dict(given) if isinstance(given, Mapping) else {"answer": text_of(given)}
        answer = self._answer(given)
        query = values.get(self._query_key) if isinstance(given, Mapping) else ""
        grounding = self._check.check(answer, query, lambda: self._context(given))
        if self._raising and not self._check.passes(grounding):
            raise ungrounded(grounding)
        return {**values, "grounding": grounding.to_dict()}

    def _answer(self, given: Answer) -> str:
        if not isinstance(given, Mapping):
            return text_of(given)
        if self._answer_key not in given:
            raise ConfigurationError(
                f"the input has no {self._answer_key!r}, which holds the answer; it has "
                f"{', '.join(map(repr, given)) or 'nothing'}. Name the key: answer_key=..."
            )
        return text_of(given[self._answer_key])

    def _context(self, given: Answer) -> list[TextSource]:
        if not isinstance(given, Mapping) or self._context_key not in given:
            raise ConfigurationError(
                f"there is nothing to check against: the input has no {self._context_key!r}. Name "
                "the key of the retrieved documents (context_key=...), or give documents=..."
            )
        return sources_of(given[self._context_key])


class GuardedAnswer(Runnable[Any, str]):
    """Lets an answer through as its sources bear it out, sentence by sentence while it streams.

    Takes texts or messages, whole or in pieces, and gives text: unsupported sentences are marked,
    dropped or annotated, or end the answer with UngroundedError, as `on_fail` says. See `Guard`.
    Raises ConfigurationError for an unknown `on_fail` or `point`.
    """

    def __init__(
        self,
        documents: Documents,
        *,
        on_fail: OnFail | str = OnFail.MARK,
        judge: Judge | None = None,
        point: str = "strict",
    ) -> None:
        self._corpus = corpus_of(documents)
        self._on_fail = choice_of(OnFail, on_fail, "on_fail")
        self._judge = judge_of(judge, point)
        self._idle: deque[Guard] = deque()

    @contextmanager
    def _guard(self) -> Iterator[Guard]:
        """A guard that nobody else uses: one serves one answer at a time, a chain runs several."""
        try:
            guard = self._idle.pop()
        except IndexError:
            guard = Guard(self._corpus, on_fail=self._on_fail, judge=self._judge)
        try:
            yield guard
        finally:
            self._idle.append(guard)

    def invoke(
        self, input: str | BaseMessage, config: RunnableConfig | None = None, **kwargs: Any
    ) -> str:
        """The whole answer as it may be shown."""
        return self._call_with_config(self._whole, input, config, **kwargs)

    def stream(
        self, input: str | BaseMessage, config: RunnableConfig | None = None, **kwargs: Any
    ) -> Iterator[str]:
        """The answer as it may be shown, in pieces."""
        yield from self.transform(iter((input,)), config, **kwargs)

    def transform(
        self, input: Iterator[Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> Iterator[str]:
        """What may be shown of a streamed answer, as soon as it may."""
        yield from self._transform_stream_with_config(input, self._guarded, config, **kwargs)

    async def atransform(
        self, input: AsyncIterator[Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[str]:
        """The same, asynchronously; sentences are judged on a thread of their own."""
        async for piece in self._atransform_stream_with_config(
            input, self._aguarded, config, **kwargs
        ):
            yield piece

    def _whole(self, given: str | BaseMessage) -> str:
        with self._guard() as guard:
            return guard.check(text_of(given)).text

    def _guarded(self, pieces: Iterator[Any]) -> Iterator[str]:
        with self._guard() as guard:
            yield from guard.guarded(map(text_of, pieces))

    async def _aguarded(self, pieces: AsyncIterator[Any]) -> AsyncIterator[str]:
        with self._guard() as guard:
            async for shown in guard.guarded(text_of(piece) async for piece in pieces):
                yield shown


class CiteableChunks(BaseDocumentTransformer):
    """Cuts documents into the chunks that Veridical cites, under their headings.

    Each chunk keeps the metadata of its document, and has beside it `start_index` and `end_index`
    (its place in the document's `page_content`, in code points from 0, which it is word for word),
    `anchor` (a model that is told to write `[cite:ANCHOR]` behind a statement cites this chunk, and
    a check looks there first), `heading_path` and `chunk_sha256`. Empty documents give none.
    """

    def __init__(self, policy: ChunkPolicy = DEFAULT) -> None:
        self._policy = policy

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        """The chunks of all documents, in order."""
        checker = GroundingChecker(sources_of(documents))
        corpus = Corpus(checker.corpus.documents, policy=self._policy)
        chunks: list[Document] = []
        for document, index in zip(corpus.documents, checker.indices, strict=True):
            given = documents[index]
            for chunk in corpus.of_document(document.name):
                place = {
                    "start_index": chunk.span.start,
                    "end_index": chunk.span.end,
                    "anchor": corpus.anchor(chunk),
                    "heading_path": list(chunk.heading_path),
                    "chunk_sha256": chunk.sha256,
                }
                words = given.page_content[chunk.span.start : chunk.span.end]
                chunks.append(Document(page_content=words, metadata={**given.metadata, **place}))
        return chunks


def text_of(value: Any) -> str:
    """The text of a message, of a part of one, or of a text itself.

    What is no text in a message (pictures, calls of tools, reasoning) is left out.
    Raises ConfigurationError for anything else.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, BaseMessage):
        return str(value.text)
    raise ConfigurationError(f"the answer is a {type(value).__name__}; give a text or a message")
