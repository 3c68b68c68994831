"""`veridical ask`: a question, answered from documents with citations, or refused."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from veridical.cli.choices import TEXT_OR_JSON, Form, parse_choice
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.options import answering_options, format_option
from veridical.cli.terminal import clean, err, out, out_data, warn

if TYPE_CHECKING:
    from veridical.answering.answer import Citation, PolicyAnswer


@click.command()
@click.argument("question", metavar="QUESTION")
@answering_options("Folder or file to answer from; by default the current folder.")
@click.option(
    "--database",
    metavar="URL",
    help="Use the index that `veridical index --database` made there; without --documents as it "
    "is kept, no file is looked at.",
)
@format_option("text", "json", help="What is printed; json is the response of POST /chat.")
@with_exit_code
def ask(
    question: str,
    documents: tuple[str, ...],
    model: str | None,
    base_url: str | None,
    database: str | None,
    form: str,
) -> int:
    """Answer a question from documents, with quotes and citations, or refuse it.

    QUESTION is the question, or - for standard input. Without --documents and --database it is
    answered from the documents of the current folder. Nothing is written: an index that
    `veridical index` made is used, and what changed since is read again for this question.

    Exit code 0: answered. 1: refused. 2: the run could not be made.
    """
    from veridical.answering.answerer import PolicyAnswerer
    from veridical.cli.index import named_or_here, open_documents
    from veridical.cli.ledger_sources import warn_of_passed_over
    from veridical.cli.models import chosen_model
    from veridical.retrieval.corpus import unread

    wanted = parse_choice(TEXT_OR_JSON, form)
    asked = _question(question)
    author = chosen_model(model, base_url)
    sources = named_or_here(documents, database=database)
    warn_of_passed_over(sources)
    index = open_documents(sources, database=database)
    corpus = index.current().corpus
    warn(*unread(corpus.warnings))
    # The time that is told is that of a question, as a service would tell it.
    corpus.prepare()
    answerer = PolicyAnswerer(corpus, model=author)
    start = time.perf_counter()
    answer = answerer.answer(asked)
    _deliver(answer, (time.perf_counter() - start) * 1000, wanted)
    return 0 if answer.refusal is None else NEGATIVE_RESULT


def _question(given: str) -> str:
    """The question, checked before any document is read."""
    from veridical.answering.question import read_question
    from veridical.cli.files import STANDARD_INPUT, read_text

    text = read_text(given, what="question") if given == STANDARD_INPUT else given
    read_question(text)
    return text


def _deliver(answer: PolicyAnswer, latency_ms: float, wanted: Form) -> None:
    from veridical.answering.wire import answer_to_wire
    from veridical.cli.files import json_bytes

    for note in answer.notes:
        err(f"veridical: note: {clean(note)}")
    if wanted is Form.JSON:
        out_data(json_bytes(answer_to_wire(answer, latency_ms)))
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
