"""What came of a question, in one word: the report, the review and the comparison agree on it."""

from __future__ import annotations

from enum import StrEnum

from veridical.evaluation.run import EvalQuestion, QuestionResult


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
    match measure:
        case Measure.GROUNDED:
            return scores.grounded_ok
        case Measure.CITATION:
            return scores.citation_ok
        case Measure.CORRECT:
            return scores.correct
        case Measure.REFUSED:
            return scores.refused is not result.question.answerable


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
