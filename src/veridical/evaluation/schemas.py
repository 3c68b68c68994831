"""The JSON Schemas of questions, chat responses and runs."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import Any, Literal

from veridical.evaluation.run import Scores
from veridical.evaluation.summary import Summary

EvaluationSchemaName = Literal[
    "evaluation_question", "chat_response", "evaluation_run", "evaluation_result"
]
_Schema = dict[str, Any]

_CLOSED: _Schema = {"additionalProperties": False}
_MOST_MS = 1e9
_MOST_COUNTED = 1_000_000


def _object(properties: _Schema, *, optional: tuple[str, ...] = (), **more: Any) -> _Schema:
    required = [name for name in properties if name not in optional]
    return {"type": "object", **more, "required": required, "properties": properties}


def _text(most: int, description: str = "", **more: Any) -> _Schema:
    told = {"description": description} if description else {}
    return {**told, "type": "string", **more, "maxLength": most}


def _words(most: int, description: str = "") -> _Schema:
    """Text that is not blank."""
    return _text(most, description, minLength=1, pattern="\\S")


def _list(items: _Schema, most: int, description: str = "", **more: Any) -> _Schema:
    told = {"description": description} if description else {}
    return {**told, "type": "array", **more, "maxItems": most, "items": items}


def _number(*kinds: str, description: str = "", **more: Any) -> _Schema:
    told = {"description": description} if description else {}
    return {**told, "type": list(kinds) if kinds[1:] else kinds[0], "minimum": 0, **more}


def _part(name: str) -> _Schema:
    return {"$ref": f"#/definitions/{name}"}


def _or_null(name: str, description: str) -> _Schema:
    return {"description": description, "oneOf": [{"type": "null"}, _part(name)]}


_QUESTION = {
    "id": _words(200, "Unique in the file."),
    "question": _words(2000, "What is asked, as a user would."),
    "answerable": {"description": "Whether the documents answer it.", "type": "boolean"},
    "topic": _text(200, "What it is about, for reports and for sampling."),
    "expected": _list(
        {"oneOf": [_words(500), _list(_words(500), 20, minItems=1)]},
        20,
        "The facts of a right answer. Each must stand in it, as whole words in any case; of a list "
        "of wordings, one of them. None for a question that cannot be answered; without any, "
        "whether an answer is right is not measured.",
    ),
    "sources": _list(_text(1000, minLength=1), 20, "Names of the documents that hold the answer."),
}

_CITATION = {
    "doc_id": _text(2000, "The document's name."),
    "title": _text(2000, "The document's title."),
    "section": _text(10_000, "The titles above the passage."),
    "snippet": _text(100_000, "The words that the answer rests on."),
    "text": _text(200_000, "The whole passage, as a reader sees it."),
}


def _response(**closed: Any) -> _Schema:
    return {
        "answer": _text(
            100_000, 'The answer with [n] markers and Quote: "…" [n] lines, or a refusal.'
        ),
        "citations": _list(
            _object(_CITATION, **closed),
            200,
            "The sources; marker [n] of the answer names the n-th, counted from 1.",
        ),
        "snippets": _list(
            _text(100_000), 200, "The words that the answer rests on; none of a refusal."
        ),
        "latency_ms": _number(
            *("number", "null"),
            description="The server's own time for the answer, in milliseconds.",
            maximum=_MOST_MS,
        ),
    }


_EXTRA = {
    "description": "Fields of the response beyond the specification, as they came.",
    "type": "object",
}
_SCORES = {
    field.name: {"type": "boolean"}
    if field.type == "bool"
    else _number("integer", maximum=_MOST_COUNTED)
    if field.type == "int"
    else _list(_text(200_000), 10_000)
    for field in fields(Scores)
}

_RESULT = {
    **_QUESTION,
    "response": _or_null("response", "What came back; null if there was an error."),
    "error": {
        "description": "Why there is no usable response; null if there is one.",
        "type": ["string", "null"],
        "minLength": 1,
        "maxLength": 10_000,
    },
    "scores": _or_null("scores", "How the response was scored; null if there was an error."),
    "client_ms": _number(
        "number",
        description="From sending the question to having read the response, in milliseconds.",
        maximum=_MOST_MS,
    ),
}

_SUMMARY = {
    field.name: _number("integer") if field.type == "int" else _part(str(field.type).lower())
    for field in fields(Summary)
}
_SUMMARY["questions"]["minimum"] = 1

_INTERVAL = {"items": {"type": "number"}, "minItems": 2, "maxItems": 2}
_RATE = {
    "value": {"type": ["number", "null"]},
    "count": _number("integer"),
    "of": _number("integer"),
    "interval": {"type": ["array", "null"], **_INTERVAL},
}
_LATENCY = {
    "p50": _number("number", "null"),
    "p95": _number("number", "null"),
    "of": _number("integer"),
}

_HEAD = {
    "format": {"const": "veridical-evaluation-1"},
    "target": _text(2000, 'What was asked: a URL, or "in process: …".'),
    "started_at": _text(
        40,
        "ISO 8601, in UTC.",
        minLength=1,
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00:00)$",
    ),
    "questions_sha256": _text(
        64,
        "SHA-256, in hex, of the questions in their order.",
        minLength=64,
        pattern="^[0-9a-f]{64}$",
    ),
    "judge": _text(500, "Who judged the citations; empty if nobody did."),
    "warm_up": _text(500, "What was asked before anything was measured."),
    "summary": _object(
        _SUMMARY,
        description="What the results come to; computed again, and compared, when the file is "
        "read.",
    ),
}

_ALL: dict[EvaluationSchemaName, tuple[str, str, _Schema]] = {
    "evaluation_question": (
        "Evaluation question",
        "A question with its known outcome: one line of a JSONL file.",
        _object(_QUESTION, optional=("topic", "expected", "sources"), **_CLOSED),
    ),
    "chat_response": (
        "Chat response",
        (
            'What `POST /chat` replies to {"question": …}. '
            "Fields that are not named here may stand in it."
        ),
        _object(_response(), optional=("latency_ms",)),
    ),
    "evaluation_run": (
        "Evaluation run",
        "The first line of a file of results; each further line fits the schema evaluation_result.",
        {
            **_object(_HEAD, **_CLOSED),
            "definitions": {"rate": _object(_RATE), "latency": _object(_LATENCY)},
        },
    ),
    "evaluation_result": (
        "Evaluation result",
        "One question of a run: a line of a file of results after the first.",
        {
            **_object(_RESULT, **_CLOSED),
            "definitions": {
                "response": _object({**_response(**_CLOSED), "extra": _EXTRA}, **_CLOSED),
                "scores": _object(_SCORES, **_CLOSED),
            },
        },
    ),
}


@lru_cache
def load_schema(name: EvaluationSchemaName) -> dict[str, Any]:
    """One of the schemas. Do not change what is returned."""
    title, description, schema = _ALL[name]
    told = {"title": title, "description": description}
    return {"$schema": "http://json-schema.org/draft-07/schema#", **told, **schema}
