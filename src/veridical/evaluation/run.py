"""What an evaluation run is: questions, what came back, how it was scored, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

DEFAULT_TIMEOUT_SECONDS = 60.0
MAX_TIMEOUT_SECONDS = 3600.0
"""How long a server may take for a whole reply."""


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


# What came of a question, in one word: the report, the review and the comparison agree on it.


class Measure(StrEnum):
    """What is right or wrong about a response."""

    GROUNDED = "grounded"
    CITATION = "citation"
    CORRECT = "correct"
    REFUSED = "refused"
    """Refused if and only if the question cannot be answered."""


class Outcome(StrEnum):
    """The first thing that is wrong with a response, in this order; RIGHT where nothing is."""

    WRONGLY_REFUSED = "wrongly_refused"
    """Refused, though the documents answer it."""

    WRONGLY_ANSWERED = "wrongly_answered"
    """Not refused, though the documents do not answer it."""

    ERROR = "error"
    """There is no response."""

    NOT_GROUNDED = "not_grounded"
    NOT_QUOTED = "not_quoted"
    """Grounded, but no quote of it stands in the source that it names."""

    NOT_CORRECT = "not_correct"
    """Grounded and quoted, but it does not say what is asked."""

    RIGHT = "right"


def is_right(result: QuestionResult, measure: Measure) -> bool:
    """Whether a response is right in one respect; a question without a response never is."""
    scores = result.scores
    if scores is None:
        return False
    return {
        Measure.GROUNDED: scores.grounded_ok,
        Measure.CITATION: scores.citation_ok,
        Measure.CORRECT: scores.correct,
        Measure.REFUSED: scores.refused is not result.question.answerable,
    }[measure]


def bears_on(question: EvalQuestion, measure: Measure) -> bool:
    """Whether a measure says anything of a question: what is correct must be known."""
    return measure is not Measure.CORRECT or not question.answerable or bool(question.expected)


def what_came_of(result: QuestionResult) -> Outcome:
    """What came of a question."""
    if result.scores is None:
        return Outcome.ERROR
    if not is_right(result, Measure.REFUSED):
        answerable = result.question.answerable
        return Outcome.WRONGLY_REFUSED if answerable else Outcome.WRONGLY_ANSWERED
    if not result.scores.grounded_ok:
        return Outcome.NOT_GROUNDED
    if not result.scores.citation_ok:
        return Outcome.NOT_QUOTED
    return Outcome.RIGHT if result.scores.correct else Outcome.NOT_CORRECT
