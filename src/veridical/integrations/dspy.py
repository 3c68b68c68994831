"""DSPy: a metric that says how much of an answer is borne out by its sources."""

from __future__ import annotations

from typing import Any, Protocol

from veridical.errors import ConfigurationError, MissingExtraError
from veridical.integrations.common import Documents, checker_of, judge_of, passes, sources_of
from veridical.judging.judge import Judge
from veridical.ledger.grounding_check import GroundingChecker

try:
    import dspy  # type: ignore[import-untyped]
except ImportError as problem:
    raise MissingExtraError("The DSPy metric", "dspy") from problem


class Metric(Protocol):
    """What DSPy calls: an example, a prediction and, in optimisation, a trace."""

    def __call__(
        self,
        example: Any,
        prediction: Any,
        trace: Any = None,
        pred_name: str | None = None,
        pred_trace: Any = None,
    ) -> Any:
        """A bool, a float, or a prediction with `score` and `feedback`."""
        ...


class GroundedScore(dspy.Prediction):  # type: ignore[misc]  # dspy has no types
    """A prediction with `score`, `feedback` and `passes`: true only where the answer passes.

    Optimisers that collect examples, as BootstrapFinetune does, keep what is true; any other
    prediction is, whatever its score.
    """

    def __bool__(self) -> bool:
        return bool(self.get("passes"))


def grounded_metric(
    documents: Documents | None = None,
    *,
    answer: str = "answer",
    context: str = "context",
    question: str = "question",
    feedback: bool = False,
    allow_no_claims: bool = False,
    judge: Judge | None = None,
    point: str = "strict",
) -> Metric:
    """A metric: the share of an answer's claims that the sources support, 0 to 1.

    While an optimiser collects demonstrations (`trace` is given) it is True or False: every claim
    is supported, or not. An answer that claims nothing scores 0 and is no demonstration, unless
    `allow_no_claims`. With `feedback` the metric gives a `GroundedScore`, as GEPA takes it: its
    feedback names the claims that are not supported, each with the nearest words.

    `answer` is the field of the prediction that holds the answer, `question` that of the example
    that holds the question. The sources are `documents` (files, folders, documents, a `Corpus`) or
    what stands in the field `context` of the prediction or else of the example.
    """
    chosen = judge_of(judge, point)
    over_documents = checker_of(documents, chosen)

    def grounded(
        example: Any,
        prediction: Any,
        trace: Any = None,
        pred_name: str | None = None,
        pred_trace: Any = None,  # noqa: ARG001
    ) -> Any:
        checker = over_documents
        if checker is None:
            checker = GroundingChecker(_context(example, prediction, context), judge=chosen)
        query = _field(example, question)
        grounding = checker.check(
            _answer(prediction, answer), query=query if isinstance(query, str) else ""
        )
        good = passes(grounding, allow_no_claims=allow_no_claims)
        if trace is not None and pred_name is None:  # GEPA names the predictor, and wants words
            return good
        share = grounding.share(allow_no_claims=allow_no_claims)
        if feedback:
            return GroundedScore(score=share, feedback=grounding.reason, passes=good)
        return share

    return grounded


def _answer(prediction: Any, field: str) -> str:
    found = _field(prediction, field)
    if found is None and field in _fields(prediction):
        return ""  # what the model wrote could not be read: it claims nothing
    if not isinstance(found, str):
        raise ConfigurationError(
            f"the prediction has no text in the field {field!r}; it has "
            f"{', '.join(_fields(prediction)) or 'no fields'}. Name the field: answer=..."
        )
    return found


def _context(example: Any, prediction: Any, field: str) -> Any:
    for holder in (prediction, example):
        found = _field(holder, field)
        if found is not None:
            return sources_of(found)
    raise ConfigurationError(
        f"neither the prediction nor the example has a field {field!r} with sources. Name the "
        "field (context=...), or give documents=..."
    )


def _fields(holder: Any) -> list[str]:
    return list(holder.keys()) if hasattr(holder, "keys") else []


def _field(holder: Any, field: str) -> Any:
    return holder[field] if field in _fields(holder) else None
