"""LlamaIndex: a response evaluator, and a postprocessor that shows what nodes bear on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from veridical.errors import ConfigurationError, MissingExtraError
from veridical.integrations.common import (
    AnswerCheck,
    Documents,
    judge_of,
    name_in,
    sources_of,
)
from veridical.judging.judge import Judge
from veridical.judging.verdict import Verdict
from veridical.ledger.extraction.rules import RuleExtractor
from veridical.ledger.grounding import GroundedClaim, GroundingChecker, GroundingOutcome, TextSource

try:
    from llama_index.core.base.response.schema import Response
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.prompts.mixin import PromptDictType
    from llama_index.core.schema import NodeWithScore, QueryBundle
except ImportError as problem:
    raise MissingExtraError("The LlamaIndex adapter", "llamaindex") from problem

EVIDENCE = "evidence"
"""The key of a node's metadata under which its evidence stands."""


class GroundedEvaluationResult(EvaluationResult):
    """A result that has the verdict on each claim beside it: `Grounding.to_dict()`."""

    grounding: dict[str, Any] = Field(default_factory=dict)


class GroundedEvaluator(BaseEvaluator):
    """Evaluates whether a response is borne out by its source nodes, claim by claim.

    `score` is the share of claims that are supported, `passing` that all of them are, `feedback`
    names those that are not. A response that claims nothing is an invalid result without a score,
    and does not pass unless `allow_no_claims`. With `documents` (files, folders, documents, a
    `Corpus`) those are what is checked against instead of the nodes. No model is asked: `judge` is
    the embedded one at `point` unless given.
    """

    def __init__(
        self,
        documents: Documents | None = None,
        *,
        allow_no_claims: bool = False,
        judge: Judge | None = None,
        point: str = "strict",
    ) -> None:
        self._check = AnswerCheck(
            documents, judge=judge, point=point, allow_no_claims=allow_no_claims
        )

    def evaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **_: Any,
    ) -> EvaluationResult:
        """The verdict on a response to a query, from the texts of its contexts.

        Raises ConfigurationError without a response, or without anything to check against.
        """
        sources = None if contexts is None else sources_of(contexts)
        return self._evaluated(query, response, sources, contexts)

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **_: Any,
    ) -> EvaluationResult:
        """The same, on a thread of its own."""
        return await asyncio.to_thread(self.evaluate, query, response, contexts)

    def evaluate_response(
        self, query: str | None = None, response: Response | None = None, **_: Any
    ) -> EvaluationResult:
        """The verdict on what a query engine gave, from its source nodes, by their names.

        Raises ConfigurationError for a response that is no text, such as a stream.
        """
        if response is None:
            return self._evaluated(query, None, None, None)
        text = _text_of(response)
        sources = [_source(node) for node in response.source_nodes]
        contexts = [node.get_content() for node in response.source_nodes]
        return self._evaluated(query, text, sources, contexts)

    async def aevaluate_response(
        self, query: str | None = None, response: Response | None = None, **_: Any
    ) -> EvaluationResult:
        """The same, on a thread of its own."""
        return await asyncio.to_thread(self.evaluate_response, query, response)

    def _evaluated(
        self,
        query: str | None,
        response: str | None,
        sources: Sequence[TextSource] | None,
        contexts: Sequence[str] | None,
    ) -> EvaluationResult:
        if response is None:
            raise ConfigurationError("there is no response to evaluate; give response=...")
        grounding = self._check.check(response, query, lambda: _required(sources))
        nothing = grounding.outcome is GroundingOutcome.NO_CLAIMS
        return GroundedEvaluationResult(
            query=query,
            response=response,
            contexts=contexts,
            passing=self._check.passes(grounding),
            score=grounding.score,
            feedback=grounding.reason,
            invalid_result=nothing,
            invalid_reason=grounding.reason if nothing else None,
            grounding=grounding.to_dict(),
        )

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        """There are none: no model is asked."""


class EvidencePostprocessor(BaseNodePostprocessor):
    """Writes into each node's metadata what it says of some claims, and where.

    The claims are `claims` or else those of the query, where that states something; a question
    states nothing, and leaves the nodes as they are. `metadata["evidence"]` is a list with, for
    each claim that the node bears on, `claim`, `verdict` (`supported`, `weak`, `contradicted`),
    `reason`, `words`, and `start` and `end`: their place in the node's text, in code points from 0.
    It is shown to no model. With `drop`, nodes that bear on no claim are left out. The nodes of
    the index stay as they are: copies are annotated.
    """

    claims: list[str] = Field(default_factory=list)
    drop: bool = False
    point: str = "strict"

    @classmethod
    def class_name(cls) -> str:
        """How LlamaIndex names it in serialised form."""
        return "VeridicalEvidencePostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        claims = self.claims or _claims_of(query_bundle.query_str if query_bundle else "")
        if not claims:
            return nodes
        judge = judge_of(None, self.point)
        kept: list[NodeWithScore] = []
        for node in nodes:
            checker = GroundingChecker([_source(node)], judge=judge)
            bearing = [
                claim
                for claim in checker.check_statements(claims)
                if claim.verdict is not Verdict.NOT_FOUND
            ]
            if bearing or not self.drop:
                kept.append(_annotated(node, bearing))
        return kept


def _required(sources: Sequence[TextSource] | None) -> Sequence[TextSource]:
    if sources is None:
        raise ConfigurationError(
            "there is nothing to check against; give contexts=... or documents=..."
        )
    return sources


def _text_of(response: Any) -> str | None:
    if hasattr(response, "response") and isinstance(response.response, str | None):
        return response.response
    how = "; give what its get_response() returns" if hasattr(response, "get_response") else ""
    raise ConfigurationError(f"the response is a {type(response).__name__}, not a Response{how}")


def _claims_of(query: str) -> list[str]:
    return [claim.statement for claim in RuleExtractor().extract(query, "").claims]


def _annotated(given: NodeWithScore, bearing: Sequence[GroundedClaim]) -> NodeWithScore:
    node = given.node.model_copy(deep=True)
    node.metadata[EVIDENCE] = [_evidence(claim) for claim in bearing]
    for hidden in (node.excluded_llm_metadata_keys, node.excluded_embed_metadata_keys):
        hidden.append(EVIDENCE)
    return NodeWithScore(node=node, score=given.score)


def _evidence(claim: GroundedClaim) -> dict[str, Any]:
    words = claim.words
    return {
        "claim": claim.text,
        "verdict": claim.verdict.value,
        "reason": claim.reason,
        "words": words.text if words else "",
        "start": words.span.start if words else 0,
        "end": words.span.end if words else 0,
    }


def _source(node: NodeWithScore) -> TextSource:
    return (name_in(node.metadata), node.get_content())
