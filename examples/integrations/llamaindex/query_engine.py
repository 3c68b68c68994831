"""A query engine whose responses are verified. Runs offline: model and embedding are scripted."""

from __future__ import annotations

from typing import Any

from llama_index.core import Document, VectorStoreIndex
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback

from veridical.integrations.llamaindex import EvidencePostprocessor, GroundedEvaluator

HANDBOOK = (
    "Full-time staff are entitled to 27 days of annual leave in each leave year. "
    "Up to five days may be carried over into the next leave year."
)
ANSWER = (
    "Full-time staff are entitled to 28 days of annual leave in each leave year. "
    "Up to five days may be carried over into the next leave year."
)


class ScriptedLLM(CustomLLM):
    """Says the same, whatever it is asked. Put your own model in its place."""

    answer: str = ANSWER

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self.answer)

    @llm_completion_callback()
    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponseGen:
        yield CompletionResponse(text=self.answer, delta=self.answer)


index = VectorStoreIndex.from_documents(
    [Document(text=HANDBOOK, metadata={"file_name": "handbook.md"})],
    embed_model=MockEmbedding(embed_dim=8),
)
engine = index.as_query_engine(llm=ScriptedLLM())

if __name__ == "__main__":
    question = "How much leave is there?"
    response = engine.query(question)
    result = GroundedEvaluator().evaluate_response(query=question, response=response)
    print(result.passing, result.score)
    print(result.feedback)

    evidence = EvidencePostprocessor(claims=["Up to five days may be carried over."])
    for node in evidence.postprocess_nodes(response.source_nodes):
        print(node.metadata["evidence"])
