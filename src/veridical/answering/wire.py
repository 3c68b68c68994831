"""An answer as JSON: the response of `POST /chat`."""

from __future__ import annotations

from typing import Any

from veridical.answering.answer import Citation, InjectedQuote, PolicyAnswer
from veridical.codec import Codec, Form

_DECIMALS = 3

_AS_THEY_ARE = (
    "refusal", "statements", "quotes", "disagreement", "answered_by", "probability", "notes",
    "nearest",
)  # fmt: skip
_CODEC = Codec(
    dict.fromkeys((Citation, InjectedQuote), Form(names={"span": ""})),
    values={float: (lambda value: round(value, _DECIMALS), float)},
)


def answer_to_wire(answer: PolicyAnswer, latency_ms: float) -> dict[str, Any]:
    """The response of `POST /chat`, ready for JSON.

    `answer`, `citations`, `snippets` and `latency_ms` are the specification's; citation `[n]` of
    the answer is `citations[n - 1]`. The rest is ours: offsets are code points of the document's
    text, half-open. Source: design section 6, on the answering specification.
    """
    told = _CODEC.write(answer)
    return {
        "answer": answer.text,
        "citations": told["citations"],
        "snippets": list(answer.snippets),
        "latency_ms": round(latency_ms, _DECIMALS),
        "refused": answer.refusal is not None,
        **{key: told[key] for key in _AS_THEY_ARE},
    }
