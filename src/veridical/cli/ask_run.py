"""Answers a question on the command line."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from veridical.answering.answerer import PolicyAnswerer
from veridical.answering.question.asked import read_question
from veridical.answering.wire import answer_to_wire
from veridical.cli.choices import parse_choice
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.files import STANDARD_INPUT, encode, read_text
from veridical.cli.index_run import named_or_here, open_documents
from veridical.cli.models import chosen_model
from veridical.cli.setup import set_up_logging
from veridical.cli.terminal import clean, err, out, out_data

if TYPE_CHECKING:
    from veridical.answering.answer import Citation, PolicyAnswer


class AnswerFormat(StrEnum):
    """A form of an answer. `text` is for people at a terminal."""

    TEXT = "text"
    JSON = "json"


def run(
    question: str,
    documents: Sequence[str],
    *,
    model: str | None,
    base_url: str | None,
    database: str | None,
    form: str,
    verbose: bool,
) -> int:
    """Answer, print the answer, and return the exit code."""
    set_up_logging(verbose=verbose)
    wanted = parse_choice(AnswerFormat, form, option="--format")
    asked = _question(question)
    author = chosen_model(model, base_url)
    index = open_documents(named_or_here(documents, database=database), database=database)
    corpus = index.current().corpus
    # The time that is told is that of a question, as a service would tell it.
    corpus.prepare()
    answerer = PolicyAnswerer(corpus, model=author)
    start = time.perf_counter()
    answer = answerer.answer(asked)
    _deliver(answer, (time.perf_counter() - start) * 1000, wanted)
    return 0 if answer.refusal is None else NEGATIVE_RESULT


def _question(given: str) -> str:
    """The question, checked before any document is read."""
    text = read_text(given, what="question") if given == STANDARD_INPUT else given
    read_question(text)
    return text


def _deliver(answer: PolicyAnswer, latency_ms: float, wanted: AnswerFormat) -> None:
    for note in answer.notes:
        err(f"veridical: note: {clean(note)}")
    if wanted is AnswerFormat.JSON:
        text = json.dumps(answer_to_wire(answer, latency_ms), ensure_ascii=False, indent=2)
        out_data(encode(text + "\n"))
    else:
        out("\n".join(_lines(answer)))


def _lines(answer: PolicyAnswer) -> Iterator[str]:
    """The answer as it stands, and under it what its markers stand for."""
    for line in answer.text.splitlines():
        yield clean(line)
    if answer.citations:
        yield ""
        yield "Sources:"
        for citation in answer.citations:
            yield _source(citation)
    if answer.nearest:
        yield ""
        yield "What comes nearest:"
        for citation in answer.nearest:
            yield _source(citation)
            yield clean(f"    {citation.snippet}")


def _source(citation: Citation) -> str:
    page = "" if citation.page is None else f", page {citation.page}"
    named = [citation.title, citation.section.removeprefix(citation.title).removeprefix(" > ")]
    shown = ", ".join(filter(None, named))
    return clean(f"[{citation.number}] {shown} ({citation.doc_id}{page})")
