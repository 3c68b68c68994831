"""The passages that come nearest to a question that was refused, as its server names them."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.evaluation.chat import citation_from_mapping
from veridical.evaluation.metrics import holds_fact
from veridical.evaluation.run import ChatCitation, ChatResponse, EvalQuestion, QuestionResult
from veridical.evaluation.schemas import load_schema
from veridical.validation.schema_errors import first_errors

MOST_PASSAGES = 10
"""Passages of a refusal that are read; others are left out."""


@dataclass(frozen=True, slots=True)
class NearPassage:
    """A passage; `answers` if it is of a source of the answer and holds an expected fact."""

    citation: ChatCitation
    answers: bool


def nearest_passages(result: QuestionResult) -> tuple[NearPassage, ...]:
    """What a refusal names as `nearest`: passages that answer first, then those of other places in
    the sources of the answer; of equals the nearer.

    Empty for an answer, and where the reply names none. An entry that is not shaped as a citation
    is left out: nothing else of a reply is worth less for it.
    """
    question, response = result.question, result.response
    if not isinstance(response, ChatResponse) or not (result.scores and result.scores.refused):
        return ()
    named = response.extra.get("nearest")
    citations = [
        citation_from_mapping(entry)
        for entry in (named[:MOST_PASSAGES] if isinstance(named, list) else ())
        if not first_errors(load_schema("chat_response")["properties"]["citations"]["items"], entry)
    ]
    passages = [NearPassage(each, _answers(question, each)) for each in citations]
    sources = question.sources
    passages.sort(key=lambda each: (not each.answers, each.citation.doc_id not in sources))
    return tuple(passages)


def _answers(question: EvalQuestion, citation: ChatCitation) -> bool:
    return citation.doc_id in question.sources and any(
        holds_fact(citation.text, wordings) for wordings in question.expected
    )
