"""`veridical ledger build`: from an answer and its sources to a ledger."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli.choices import Form, given_moment, parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.files import (
    STANDARD_INPUT,
    check_inputs,
    check_outputs,
    read_json,
    read_text,
    write_whole,
)
from veridical.cli.ledger_files import store_files, store_url
from veridical.cli.ledger_judges import JudgeChoice, make_judge
from veridical.cli.ledger_sources import evidence_only, warn_of_outputs_among
from veridical.cli.options import (
    calibrated_judge_choice,
    documents_option,
    format_option,
    outputs_option,
    verbose_option,
    workspace_option,
)
from veridical.cli.places import Kind, expect
from veridical.cli.run import load, progress_bar
from veridical.cli.terminal import err, out, out_data, warn
from veridical.errors import ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.export.forms import ExportForm
from veridical.validation.config import ValidationConfig

if TYPE_CHECKING:
    from veridical.ledger.entry import EvidenceLedger
    from veridical.ledger.review import EntryReview
    from veridical.ledger.wire_given import CitedAnswer
    from veridical.retrieval.corpus import Corpus
    from veridical.sources.document import Document

BY_SUFFIX = {
    ".json": ExportForm.JSON,
    ".md": ExportForm.MARKDOWN,
    ".markdown": ExportForm.MARKDOWN,
    ".html": ExportForm.HTML,
    ".htm": ExportForm.HTML,
    ".pdf": ExportForm.PDF,
}

_MOST_TITLE_CHARS = 80
_TITLE_WITHIN_CHARS = 20_000
_MOST_LISTED = 10


class _Answer(StrEnum):
    TEXT = "text"
    ANTHROPIC = "anthropic"


_PRINTED = (Form.TABLE, Form.JSON, Form.MARKDOWN)


@click.command()
@click.option(
    "--response",
    required=True,
    metavar="ANSWER.md",
    help="The answer, in Markdown or plain text; - for standard input.",
)
@click.option(
    "--response-format",
    default="text",
    show_default=True,
    metavar="[text|anthropic]",
    help="What the file of the answer is: text, or a reply as JSON, whose citations are checked.",
)
@documents_option
@click.option("--query", default="", metavar="TEXT", help="The question that it answers.")
@click.option(
    "--title",
    default="",
    metavar="TEXT",
    help="How the ledger is called; by default the question, else the answer's first heading, else "
    "the name of its file.",
)
@calibrated_judge_choice
@click.option(
    "--store",
    metavar="URL",
    help="Also keep it in this database: a file, or postgresql://...; VERIDICAL_STORE. Without "
    "either it is not kept.",
)
@workspace_option
@outputs_option(
    "Write the ledger: .json (with the seal), .md, .html or .pdf. May be given several times."
)
@format_option(*_PRINTED, help="What is printed.")
@verbose_option
@with_exit_code
def build(
    response: str,
    documents: Sequence[str],
    response_format: str,
    query: str,
    title: str,
    choice: JudgeChoice,
    store: str | None,
    workspace: str,
    outputs: Sequence[Path],
    form: str,
) -> int:
    """Build the ledger of an answer.

    Claims are found by rules, and judged by embedded means, offline. With --model a language model
    judges; what it says is believed only where its quotes stand in the sources.

    Exit code 0: all claims are supported. 1: some are not. 2: the run could not be made.
    """
    printed = parse_choice(_PRINTED, form)
    answer_form = parse_choice(_Answer, response_format, option="--response-format")
    forms = [suffix_choice(BY_SUFFIX, path) for path in outputs]
    check_inputs(documents, response)
    expect(("--response", Kind.ANSWER, response), ("--documents", Kind.DOCUMENTS, documents))
    url = store_url(store)
    check_outputs(outputs, [response, *documents, *choice.files, *store_files(url)])
    moment = given_moment()
    judge = make_judge(choice)
    given = _given(response, answer_form)
    answer = given.text
    if not answer.strip():
        raise ValidationError(f"response: {response} is empty; there is nothing to check")

    from veridical.ledger.build import LedgerBuilder, require_usable
    from veridical.retrieval.corpus import Corpus

    require_usable(answer, query, title)
    loaded = evidence_only(load(documents, ValidationConfig()), answer)
    warn_of_outputs_among(outputs, documents)
    builder = LedgerBuilder(Corpus(loaded.documents), judge=judge, workspace=workspace)
    with progress_bar(None) as progress:
        ledger = builder.build(
            answer,
            query=query,
            title=title or ("" if query.strip() else _title(answer, response)),
            created_at=moment,
            progress=progress,
        )
    if url is not None:
        ledger = _keep(ledger, builder.corpus, url, workspace)
    _write(ledger, forms, outputs)
    _print(ledger, printed)
    _warn_of_citations(given, loaded.documents)
    warn(*(failure.message for failure in loaded.failures), *ledger.warnings)
    for path in outputs:
        err(f"Written: {path}")
    supported = ledger.summary.by_verdict[Verdict.SUPPORTED] == ledger.summary.total_claims
    return 0 if supported and not loaded.failures else NEGATIVE_RESULT


def _given(response: str, form: _Answer) -> CitedAnswer:
    """The answer in a file, with the citations that came with it."""
    from veridical.ledger.wire_given import CitedAnswer, read_cited

    if form is _Answer.TEXT:
        return CitedAnswer(read_text(response, what="response"), ())
    return read_cited(read_json(response, what="response"))


def _warn_of_citations(given: CitedAnswer, documents: Sequence[Document]) -> None:
    """Say which citations of the answer's own do not hold: the ledger judges its claims anyway."""
    if not given.citations:
        return
    from veridical.ledger.verify_given import check_given_citations

    checks = check_given_citations(given, documents)
    wrong = [number for number, check in enumerate(checks, 1) if not check.ok]
    if wrong:
        listed = ", ".join(map(str, wrong[:_MOST_LISTED])) + (" …" if wrong[_MOST_LISTED:] else "")
        warn(
            f"{len(wrong):,} of the {len(checks):,} citations in the response do not stand in the "
            f"documents, or quote nothing: {listed}. See what `veridical ledger citations` says."
        )


def export_bytes(
    ledger: EvidenceLedger,
    form: ExportForm,
    reviews: Sequence[EntryReview] = (),
    revision: int = 1,
) -> bytes:
    """A ledger in a form for files. What the form could not show is said on standard error."""
    from veridical.ledger.export.forms import render

    made = render(ledger, form, reviews=reviews, revision=revision)
    warn(*made.warnings)
    return made.data


def _keep(ledger: EvidenceLedger, corpus: Corpus, url: str, workspace: str) -> EvidenceLedger:
    """Keep a ledger, and return what is kept: of the same work done twice, the first."""
    from veridical.store.ledgers import Saved
    from veridical.store.store import Store

    by_document = [(d, corpus.of_document(d.name)) for d in corpus.documents]
    with Store.open(url) as store:
        store.ingest(by_document, workspace)
        if store.save(ledger, workspace) is Saved.UNCHANGED:
            ledger = store.load(ledger.id, workspace)
    err(f"Kept as {ledger.id}")
    return ledger


def _title(answer: str, response: str) -> str:
    """The first heading of an answer, else the name of its file; empty where it has neither."""
    from veridical.sources.document import Format
    from veridical.sources.loader import document_from_text

    beginning = answer.strip()[:_TITLE_WITHIN_CHARS]
    sections = document_from_text(beginning, "answer", Format.MARKDOWN).sections
    titles = (" ".join(section.title.split()) for section in sections)
    name = "" if response == STANDARD_INPUT else Path(response).name
    # A name that is no UTF-8 has half surrogate pairs in it, which no ledger can hold.
    title = next(filter(None, titles), name).encode("utf-8", "replace").decode()
    return title if len(title) <= _MOST_TITLE_CHARS else title[: _MOST_TITLE_CHARS - 2] + " …"


def _write(ledger: EvidenceLedger, forms: Sequence[ExportForm], outputs: Sequence[Path]) -> None:
    """Write the forms of a ledger, once all of them are made."""
    made = [export_bytes(ledger, wanted) for wanted in forms]
    for path, data in zip(outputs, made, strict=True):
        write_whole(path, data)


def _print(ledger: EvidenceLedger, form: Form) -> None:
    if form is Form.TABLE:
        from veridical.cli.ledger_table import render_ledger
        from veridical.cli.text_table import Look

        out(render_ledger(ledger, Look.of_standard_output()).rstrip("\n"))
    else:
        kind = ExportForm.JSON if form is Form.JSON else ExportForm.MARKDOWN
        out_data(export_bytes(ledger, kind))
