"""The LlamaIndex adapters over a real index, with a scripted model and a mock embedding."""

# ruff: noqa: E402 - what follows needs the tool

from __future__ import annotations

import asyncio

import pytest
from tests.integrations.conftest import needs
from tests.integrations.leave import (
    CARRIED,
    ENTITLED,
    INVENTED,
    POLICY,
    REFUSAL,
    WRONG,
    example,
)

from veridical import ConfigurationError, document_from_text

needs("llama_index.core")

from llama_index.core.base.response.schema import Response, StreamingResponse
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode

from veridical.integrations.llamaindex import (
    EvidencePostprocessor,
    GroundedEvaluationResult,
    GroundedEvaluator,
)


def nodes(*texts: str) -> list[NodeWithScore]:
    return [
        NodeWithScore(node=TextNode(text=text, metadata={"file_name": "leave.md"}), score=0.5)
        for text in texts
    ]


def test_the_example_of_a_query_engine() -> None:
    module = example("llamaindex/query_engine.py")
    response = module.engine.query("How much leave is there?")
    result = GroundedEvaluator().evaluate_response(query="?", response=response)
    assert isinstance(result, GroundedEvaluationResult)
    assert (result.passing, result.score, result.invalid_result) == (False, 0.5, False)
    assert "27 days" in (result.feedback or "")
    claim = result.grounding["claims"][0]
    text = response.source_nodes[claim["source_index"]].get_content()
    assert text[claim["source_start"] : claim["source_end"]] == claim["words"]
    assert claim["source"] == "handbook.md"


def test_a_query_engine_annotates_its_nodes() -> None:
    module = example("llamaindex/query_engine.py")
    engine = module.index.as_query_engine(
        llm=module.ScriptedLLM(), node_postprocessors=[EvidencePostprocessor(claims=[CARRIED])]
    )
    for _ in range(2):  # the nodes of the index stay as they are
        node = engine.query("How much can be carried over?").source_nodes[0]
        (evidence,) = node.metadata["evidence"]
        assert evidence["verdict"] == "supported"
        assert node.text[evidence["start"] : evidence["end"]] == evidence["words"] == CARRIED
        assert "supported" not in node.get_content(MetadataMode.LLM)
        assert "supported" not in node.get_content(MetadataMode.EMBED)


@pytest.mark.parametrize(
    ("response", "contexts", "passing", "score"),
    [
        (ENTITLED, [POLICY], True, 1.0),
        (f"{WRONG} {CARRIED}", [POLICY], False, 0.5),
        (ENTITLED, [], False, 0.0),
        (REFUSAL, [POLICY], False, None),
    ],
)
def test_results(response: str, contexts: list[str], passing: bool, score: float | None) -> None:
    for evaluator in (GroundedEvaluator(), GroundedEvaluator(allow_no_claims=True)):
        result = evaluator.evaluate(query="?", response=response, contexts=contexts)
        same = asyncio.run(evaluator.aevaluate(query="?", response=response, contexts=contexts))
        assert result == same
        assert result.score == score
        assert result.invalid_result is (score is None)
    assert GroundedEvaluator().evaluate(response=response, contexts=contexts).passing is passing
    assert result.passing is (passing or score is None)


def test_whole_documents_go_before_the_nodes() -> None:
    evaluator = GroundedEvaluator([document_from_text(POLICY, "leave.md")])
    response = Response(INVENTED, source_nodes=nodes(INVENTED))
    assert not evaluator.evaluate_response(response=response).passing
    assert GroundedEvaluator().evaluate_response(response=response).passing
    assert asyncio.run(GroundedEvaluator().aevaluate_response(response=response)).passing


def test_what_cannot_be_evaluated() -> None:
    with pytest.raises(ConfigurationError, match="no response"):
        GroundedEvaluator().evaluate(contexts=[POLICY])
    with pytest.raises(ConfigurationError, match="no response"):
        GroundedEvaluator().evaluate_response()
    with pytest.raises(ConfigurationError, match="nothing to check against"):
        GroundedEvaluator().evaluate(response=ENTITLED)
    assert GroundedEvaluator().get_prompts() == {}


def test_a_stream_is_evaluated_when_it_has_ended() -> None:
    stream = StreamingResponse((text for text in [ENTITLED]), source_nodes=nodes(POLICY))
    with pytest.raises(ConfigurationError, match="a StreamingResponse, not a Response; give"):
        GroundedEvaluator().evaluate_response(response=stream)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="is a str, not a Response"):
        GroundedEvaluator().evaluate_response(response=ENTITLED)  # type: ignore[arg-type]
    assert GroundedEvaluator().evaluate_response(response=stream.get_response()).passing


@pytest.mark.parametrize(
    ("claims", "query", "drop", "kept"),
    [
        ([], ENTITLED, True, {POLICY: ["supported"]}),
        ([], ENTITLED, False, {POLICY: ["supported"], INVENTED: []}),
        ([WRONG], "How much leave is there?", True, {POLICY: ["contradicted"]}),
        ([WRONG, INVENTED], None, True, {POLICY: ["contradicted"], INVENTED: ["supported"]}),
        ([], "How much leave is there?", True, {POLICY: None, INVENTED: None}),
        ([], None, False, {POLICY: None, INVENTED: None}),
    ],
)
def test_what_nodes_bear_on(
    claims: list[str], query: str | None, drop: bool, kept: dict[str, list[str] | None]
) -> None:
    given = nodes(POLICY, INVENTED)
    bundle = QueryBundle(query) if query else None
    found = EvidencePostprocessor(claims=claims, drop=drop).postprocess_nodes(given, bundle)
    evidence = {node.text: node.metadata.get("evidence") for node in found}
    told = {text: each and [one["verdict"] for one in each] for text, each in evidence.items()}
    assert told == kept
    assert all(node.score == 0.5 for node in found)
    assert all("evidence" not in node.metadata for node in given)
