"""The JSON Schemas of questions, chat responses and runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from veridical.evaluation.run import Scores
from veridical.evaluation.summary import Summary
from veridical.schema_parts import (
    COUNT,
    FLAG,
    NULL,
    NUMBER,
    NUMBER_OR_NULL,
    POSITION,
    Loader,
    Schema,
    array,
    closed,
    definition,
    headed,
    integer,
    nullable,
    number,
    record,
    text,
    told,
    told_first,
)

_PASSAGE = text(100_000)
_MILLISECONDS = number(0, 1e9)


def _words(most: int) -> Schema:
    """Text that is not blank."""
    return _fit("\\S", 1, most)


def _fit(pattern: str, least: int, most: int) -> Schema:
    return text(minLength=least, pattern=pattern, maxLength=most)


def _or_null(name: str) -> Schema:
    return {"oneOf": [NULL, definition(name)]}


def _needed(properties: dict[str, Schema]) -> dict[str, Schema]:
    """The same, none of which may be missing."""
    return {name.removesuffix("?"): part for name, part in properties.items()}


def _question() -> dict[str, Schema]:
    expected = {"oneOf": [_words(500), array(_words(500), 20, least=1)]}
    return {
        "id": told(_words(200), "Unique in the file."),
        "question": told(_words(2000), "What is asked, as a user would."),
        "answerable": told(FLAG, "Whether the documents answer it."),
        "topic?": told(text(200), "What it is about, for reports and for sampling."),
        "expected?": told(
            array(expected, 20),
            "The facts of a right answer. Each must stand in it, as whole words in any case; of a "
            "list of wordings, one of them. None for a question that cannot be answered; without "
            "any, whether an answer is right is not measured.",
        ),
        "sources?": told(
            array(text(1000, least=1), 20), "Names of the documents that hold the answer."
        ),
    }


def _response(make: Callable[[dict[str, Schema]], Schema]) -> dict[str, Schema]:
    citation = {
        "doc_id": told(text(2000), "The document's name."),
        "title": told(text(2000), "The document's title."),
        "section": told(text(10_000), "The titles above the passage."),
        "snippet": told(_PASSAGE, "The words that the answer rests on."),
        "text": told(text(200_000), "The whole passage, as a reader sees it."),
    }
    return {
        "answer": told(
            _PASSAGE, 'The answer with [n] markers and Quote: "…" [n] lines, or a refusal.'
        ),
        "citations": told(
            array(make(citation), 200),
            "The sources; marker [n] of the answer names the n-th, counted from 1.",
        ),
        "snippets": told(
            array(_PASSAGE, 200), "The words that the answer rests on; none of a refusal."
        ),
        "latency_ms?": told(
            nullable(_MILLISECONDS), "The server's own time for the answer, in milliseconds."
        ),
    }


def _evaluation_question() -> Schema:
    body = told(closed(_question()), "A question with its known outcome: one line of a JSONL file.")
    return headed("Evaluation question", told_first(body))


def _chat_response() -> Schema:
    about = (
        'What `POST /chat` replies to {"question": …}. '
        "Fields that are not named here may stand in it."
    )
    return headed("Chat response", told_first(told(record(_response(record)), about)))


def _summary() -> Schema:
    parts = {
        field.name: COUNT if field.type == "int" else definition(str(field.type).lower())
        for field in fields(Summary)
    }
    about = "What the results come to; computed again, and compared, when the file is read."
    return told(record({**parts, "questions": POSITION}), about)


def _evaluation_run() -> Schema:
    time = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00:00)$"
    head = {
        "format": {"const": "veridical-evaluation-1"},
        "target": told(text(2000), 'What was asked: a URL, or "in process: …".'),
        "started_at": told(_fit(time, 1, 40), "ISO 8601, in UTC."),
        "questions_sha256": told(
            _fit("^[0-9a-f]{64}$", 64, 64),
            "SHA-256, in hex, of the questions in their order.",
        ),
        "judge": told(text(500), "Who judged the citations; empty if nobody did."),
        "warm_up": told(text(500), "What was asked before anything was measured."),
    }
    rate = {
        "value": NUMBER_OR_NULL,
        "count": COUNT,
        "of": COUNT,
        "interval": {"type": ["array", "null"], "items": NUMBER, "minItems": 2, "maxItems": 2},
    }
    least = nullable(number(0))
    about = (
        "The first line of a file of results; each further line fits the schema evaluation_result."
    )
    body = {"description": about, **closed({**told_first(head), "summary": _summary()})}
    return headed("Evaluation run", body) | {
        "definitions": {
            "rate": record(rate),
            "latency": record({"p50": least, "p95": least, "of": COUNT}),
        }
    }


def _evaluation_result() -> Schema:
    result = {
        **_needed(_question()),
        "response": told(_or_null("response"), "What came back; null if there was an error."),
        "error": told(
            nullable(text(10_000, least=1)),
            "Why there is no usable response; null if there is one.",
        ),
        "scores": told(
            _or_null("scores"), "How the response was scored; null if there was an error."
        ),
        "client_ms": told(
            _MILLISECONDS, "From sending the question to having read the response, in milliseconds."
        ),
    }
    extra = told(
        {"type": "object"}, "Fields of the response beyond the specification, as they came."
    )
    kinds = {"bool": FLAG, "int": integer(0, 1_000_000)}
    passages = array(text(200_000), 10_000)
    scores = {field.name: kinds.get(str(field.type), passages) for field in fields(Scores)}
    about = "One question of a run: a line of a file of results after the first."
    definitions = {
        "response": closed({**_needed(_response(closed)), "extra": extra}),
        "scores": closed(scores),
    }
    body = told(closed(result), about) | {"definitions": definitions}
    return headed("Evaluation result", told_first(body))


load_schema = Loader(_evaluation_question, _chat_response, _evaluation_run, _evaluation_result)
