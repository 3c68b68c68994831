"""An answer as JSON: the response of `POST /chat`."""

from __future__ import annotations

from typing import Any

from veridical.answering.answer import Citation, PolicyAnswer

_DECIMALS = 3


def answer_to_wire(answer: PolicyAnswer, latency_ms: float) -> dict[str, Any]:
    """The response of `POST /chat`, ready for JSON.

    `answer`, `citations`, `snippets` and `latency_ms` are the specification's; citation `[n]` of
    the answer is `citations[n - 1]`. The rest is ours: offsets are code points of the document's
    text, half-open. Source: design section 6, on the answering specification.
    """
    refusal = answer.refusal
    return {
        "answer": answer.text,
        "citations": [_citation(citation) for citation in answer.citations],
        "snippets": list(answer.snippets),
        "latency_ms": round(latency_ms, _DECIMALS),
        "refused": refusal is not None,
        "refusal": None
        if refusal is None
        else {"reason": refusal.reason.value, "missing": list(refusal.missing)},
        "statements": [
            {"text": statement.text, "citations": list(statement.citations)}
            for statement in answer.statements
        ],
        "quotes": [
            {
                "text": quote.text,
                "citation": quote.citation,
                "start": quote.span.start,
                "end": quote.span.end,
            }
            for quote in answer.quotes
        ],
        "disagreement": answer.disagreement,
        "answered_by": answer.answered_by,
        "probability": round(answer.probability, _DECIMALS),
        "notes": list(answer.notes),
        "nearest": [_citation(citation) for citation in answer.nearest],
    }


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "doc_id": citation.doc_id,
        "title": citation.title,
        "section": citation.section,
        "snippet": citation.snippet,
        "text": citation.text,
        "number": citation.number,
        "page": citation.page,
        "start": citation.span.start,
        "end": citation.span.end,
        "anchor": citation.anchor,
    }
