"""What an evaluation run is: questions, what came back, and how it was scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """A question with its known outcome.

    `expected` are the facts of a right answer: each is a group of wordings of which one must
    stand in it; empty for questions that the corpus cannot answer. `sources` are the names of
    documents that hold the answer.
    """

    id: str
    question: str
    answerable: bool
    topic: str = ""
    expected: tuple[tuple[str, ...], ...] = ()
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatCitation:
    """A source of a response, as it came over the wire."""

    doc_id: str
    title: str
    section: str
    snippet: str
    text: str


@dataclass(frozen=True, slots=True)
class ChatResponse:
    """What a chat endpoint replied. `latency_ms` is the server's own time, None if it tells none.

    `extra` holds the fields that are beyond the specification, as they came.
    """

    answer: str
    citations: tuple[ChatCitation, ...]
    snippets: tuple[str, ...]
    latency_ms: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChatError:
    """A question that got no usable response: a time-out, an error status, a wrong shape."""

    reason: str


@dataclass(frozen=True, slots=True)
class Scores:
    """How a response was scored.

    `grounded_ok` and `citation_ok` are the specification's. `refused` says whether it is worded
    and shaped as a refusal. `correct` tells whether all expected facts stand in the answer, for an
    unanswerable question whether it was refused. `problems` says in plain words what is wrong,
    one clause each. `markers` counts the `[n]` of statements and `borne_out` those of them whose
    source bears the statement out by the judge (a marker without a source does not);
    `statements` counts the statements and `cited` those that at least one marker bears out.
    """

    grounded_ok: bool
    citation_ok: bool
    refused: bool
    correct: bool
    problems: tuple[str, ...] = ()
    markers: int = 0
    borne_out: int = 0
    statements: int = 0
    cited: int = 0


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One question of a run. `scores` is None if and only if `response` is a ChatError.

    `client_ms` is the time from sending the question to having read the response.
    """

    question: EvalQuestion
    response: ChatResponse | ChatError
    scores: Scores | None
    client_ms: float

    @property
    def server_ms(self) -> float | None:
        """The server's own time; None without a response, and where it tells none."""
        return self.response.latency_ms if isinstance(self.response, ChatResponse) else None


@dataclass(frozen=True, slots=True)
class EvalRun:
    """A run over a set of questions, results in the order of the questions.

    `target` says what was asked: a URL, or "in process: …". `started_at` is ISO 8601 in UTC.
    `questions_sha256` identifies the questions, so that runs over others are not compared.
    """

    target: str
    started_at: str
    questions_sha256: str
    judge: str
    results: tuple[QuestionResult, ...]
