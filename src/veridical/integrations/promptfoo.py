"""promptfoo: a Python assertion that says whether an output is borne out by its sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from veridical.errors import ConfigurationError, VeridicalError
from veridical.integrations.common import checker_of, judge_of, passes, sources_of
from veridical.judging.verdict import Verdict
from veridical.ledger.grounding import GroundedClaim, Grounding
from veridical.ledger.grounding_check import GroundingChecker

_MOST_COMPONENTS = 100


@dataclass(frozen=True, slots=True)
class Settings:
    """The `config` of an assertion.

    `documents` are files and folders, by paths that start where promptfoo was started; without
    them the sources are in the variable `context_var`. `threshold` is the share of claims, 0 to 1,
    that must be supported; a contradicted claim passes at none. `query_var` holds the question.
    """

    documents: tuple[str, ...] = ()
    context_var: str = "context"
    query_var: str = "question"
    threshold: float = 1.0
    allow_no_claims: bool = False
    point: str = "strict"


def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """What promptfoo calls: the verdict on an output as its `GradingResult`.

    An output that claims nothing fails, unless `allow_no_claims`. What cannot be checked fails with
    a reason that says what to do; it never passes.
    """
    try:
        return _graded(output, context)
    except VeridicalError as problem:
        return {"pass": False, "score": 0.0, "reason": f"Not checked: {problem}"}


def _graded(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    settings = settings_of(context.get("config"))
    variables: Mapping[str, Any] = context.get("vars") or {}
    if not isinstance(output, str):
        raise ConfigurationError(
            f"the output is a {type(output).__name__}, not a text; take its text out with "
            "promptfoo's `options.transform`"
        )
    query = variables.get(settings.query_var)
    checker = _over_documents(settings.documents, settings.point)
    if checker is None:
        checker = _over_variable(variables, settings)
    grounding = checker.check(output, query=query if isinstance(query, str) else "")
    share = grounding.share(allow_no_claims=settings.allow_no_claims)
    return {
        "pass": _passes(grounding, settings),
        "score": share,
        "reason": grounding.reason,
        "namedScores": {"groundedness": share},
        "componentResults": [_component(claim) for claim in grounding.claims[:_MOST_COMPONENTS]],
    }


def settings_of(config: Any) -> Settings:
    """The settings in an assertion's `config`, None for the defaults.

    Raises ConfigurationError for an unknown key or a value that cannot be used.
    """
    if not isinstance(config, Mapping | None):
        raise ConfigurationError("the assertion's config must be a mapping")
    given: dict[str, Any] = {} if config is None else dict(config)
    known = [field.name for field in fields(Settings)]
    if unknown := sorted(given.keys() - set(known)):
        raise ConfigurationError(
            f"the assertion's config has {unknown[0]!r}, which is unknown; there is "
            f"{', '.join(known)}"
        )
    settings = Settings(**{**given, "documents": _paths(given)})
    if not isinstance(settings.allow_no_claims, bool):
        raise ConfigurationError("allow_no_claims must be true or false")
    if not _are_texts([settings.point, settings.context_var, settings.query_var]):
        raise ConfigurationError("point, context_var and query_var must be texts")
    threshold: Any = settings.threshold
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not number or not 0 <= threshold <= 1:
        raise ConfigurationError(f"threshold must lie between 0 and 1, got {threshold!r}")
    return settings


def _paths(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The documents that are named; empty only where the setting is left out."""
    if "documents" not in given:
        return ()
    documents = given["documents"]
    listed = [documents] if isinstance(documents, str) else documents
    if not listed or not _are_texts(listed):
        raise ConfigurationError(
            "documents must be a path, or a list of paths; leave it out to check against the "
            "variable"
        )
    return tuple(listed)


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(one, str) and one for one in values)


def _passes(grounding: Grounding, settings: Settings) -> bool:
    if grounding.score is None or settings.threshold == 1:
        return passes(grounding, allow_no_claims=settings.allow_no_claims)
    contradicted = any(claim.verdict is Verdict.CONTRADICTED for claim in grounding.claims)
    return grounding.score >= settings.threshold and not contradicted


@lru_cache(maxsize=8)
def _over_documents(documents: tuple[str, ...], point: str) -> GroundingChecker | None:
    return checker_of(documents or None, judge_of(None, point))


def _over_variable(variables: Mapping[str, Any], settings: Settings) -> GroundingChecker:
    if settings.context_var not in variables:
        raise ConfigurationError(
            f"the test has no variable {settings.context_var!r}, which holds its sources; name "
            "another (context_var), or give documents, in the assertion's config"
        )
    sources = sources_of(variables[settings.context_var])
    return GroundingChecker(sources, judge=judge_of(None, settings.point))


def _component(claim: GroundedClaim) -> dict[str, Any]:
    return {"pass": claim.grounded, "score": float(claim.grounded), "reason": claim.told()}
