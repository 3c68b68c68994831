"""Inspect: a scorer that says whether an answer is borne out by its sources."""

from __future__ import annotations

from veridical.errors import ConfigurationError, MissingExtraError
from veridical.integrations.common import AnswerCheck, sources_of
from veridical.ledger.grounding import Grounding, GroundingOutcome, TextSource

try:
    import anyio.to_thread
    from inspect_ai.scorer import (
        CORRECT,
        INCORRECT,
        NOANSWER,
        Score,
        Scorer,
        Target,
        accuracy,
        scorer,
        stderr,
    )
    from inspect_ai.solver import TaskState
except ImportError as problem:
    raise MissingExtraError("The Inspect scorer", "inspect") from problem


@scorer(metrics=[accuracy(), stderr()])
def grounded(
    documents: str | list[str] | None = None,
    from_metadata: str = "context",
    *,
    share: bool = False,
    allow_no_claims: bool = False,
    point: str = "strict",
) -> Scorer:
    """Scores an answer by its claims against sources.

    `documents` are files and folders, read once. Without them the sources of a sample are in its
    metadata, under `from_metadata`: a text, or a list of texts or of mappings with `name` and
    `text`.

    The value is C where every claim is supported, I where one is not, and N where the answer
    claims nothing: a refusal, an empty answer. Accuracy counts N as 0; `allow_no_claims` makes it
    C. With `share` the value is the share of claims that are supported, 0 to 1. The explanation
    names each claim that is not supported, with the nearest words; the metadata is
    `Grounding.to_dict()`.

    Raises ConfigurationError for a sample that has nothing to check against.
    """
    check = AnswerCheck(documents, point=point, allow_no_claims=allow_no_claims)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - as it is called
        def sources() -> list[TextSource]:
            if from_metadata not in state.metadata:
                raise ConfigurationError(
                    f"sample {state.sample_id} has no {from_metadata!r} in its metadata, which "
                    "holds its sources; name another key (from_metadata), or give documents"
                )
            return sources_of(state.metadata[from_metadata])

        answer = state.output.completion
        grounding = await anyio.to_thread.run_sync(check.check, answer, state.input_text, sources)
        mark = NOANSWER if grounding.outcome is GroundingOutcome.NO_CLAIMS else INCORRECT
        return Score(
            value=(
                grounding.share(allow_no_claims=allow_no_claims)
                if share
                else CORRECT
                if check.passes(grounding)
                else mark
            ),
            answer=answer,
            explanation=grounding.reason,
            reason=_abnormal(grounding),
            metadata=grounding.to_dict(),
        )

    return score


def _abnormal(grounding: Grounding) -> str | None:
    """Why there was nothing to score, in Inspect's own words where it has them."""
    if grounding.outcome is not GroundingOutcome.NO_CLAIMS:
        return None
    return "no_claims" if grounding.answer.strip() else "no_response"
