"""`veridical eval run`: ask the questions, score the answers, hold them to bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli.answering_options import answering_options
from veridical.cli.errors import NEGATIVE_RESULT, about_option, reported
from veridical.evaluation.limits import DEFAULT_TIMEOUT_SECONDS, MAX_CONCURRENCY

if TYPE_CHECKING:
    from veridical.evaluation.chat import ChatClient
    from veridical.evaluation.gates import GateResult
    from veridical.evaluation.run import EvalRun


class RunFormat(StrEnum):
    """A form in which a run is written."""

    RESULTS = "results"
    HTML = "html"
    JUNIT = "junit"
    TABLE = "table"


_BY_SUFFIX = {
    ".jsonl": RunFormat.RESULTS,
    ".html": RunFormat.HTML,
    ".htm": RunFormat.HTML,
    ".xml": RunFormat.JUNIT,
    ".txt": RunFormat.TABLE,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked: the server at `url`, or an answerer in this process over `documents`, with a
    language model where one is named. `timeout_seconds` is for a server's reply.
    """

    url: str | None = None
    documents: tuple[str, ...] = ()
    model: str | None = None
    base_url: str | None = None
    timeout_seconds: float | None = None

    def check(self) -> None:
        """Raises ConfigurationError for options that do not go together."""
        from veridical.errors import ConfigurationError

        if self.url is None:
            if not self.documents:
                raise ConfigurationError(
                    "nothing to ask: give the address of a server as --url, or the documents to "
                    "answer from as --documents"
                )
            if self.timeout_seconds is not None:
                raise ConfigurationError("--timeout is for the replies of a server: give --url")
            return
        for option, given in (
            ("--documents", self.documents),
            ("--model", self.model),
            ("--base-url", self.base_url),
        ):
            if given:
                raise ConfigurationError(
                    f"{option} is for answers in this process; the server at --url has its own"
                )

    @contextmanager
    def client(self) -> Iterator[tuple[ChatClient, str]]:
        """What is asked, and how a run names it."""
        from veridical.evaluation.chat import InProcessChat

        if self.url is None:
            from veridical.answering.answerer import PolicyAnswerer
            from veridical.cli.index_run import open_documents
            from veridical.cli.models import chosen_model

            model = chosen_model(self.model, self.base_url)
            index = open_documents(self.documents)
            answerer = PolicyAnswerer(index.current().corpus, model=model)
            yield InProcessChat(answerer), f"in process: {answerer.name}"
            return
        from veridical.evaluation.http_chat import HttpChat

        seconds = self.timeout_seconds
        with HttpChat(
            self.url, timeout_seconds=DEFAULT_TIMEOUT_SECONDS if seconds is None else seconds
        ) as chat:
            yield chat, chat.url


@click.command("run")
@click.argument("questions", metavar="QUESTIONS")
@click.option("--url", metavar="URL", help="Ask the server at this address: http://127.0.0.1:8000.")
@answering_options("Without a server: folder or file to answer from, in this process.")
@click.option("--overwrite", is_flag=True, help="Write over files of an earlier run.")
@click.option(
    "-o",
    "--output",
    multiple=True,
    metavar="FILE",
    help="Write the results (.jsonl), a report (.html), JUnit (.xml) or the table (.txt). May be "
    "given several times.",
)
@click.option(
    "--fail-under",
    metavar="NAME=NUMBER,…",
    help="Exit with 1 where a metric misses its bound: groundedness, citation, correct, answered, "
    "refused, precision and recall in per cent, at least; p50 and p95 of the client's time in "
    "milliseconds, at most.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, MAX_CONCURRENCY),
    default=1,
    show_default=True,
    metavar="N",
    help="Questions asked at once. With more than 1 they wait for each other.",
)
@click.option(
    "--timeout",
    type=float,
    metavar="SECONDS",
    help=f"Longest wait for a reply; {DEFAULT_TIMEOUT_SECONDS:g} by default.",
)
@click.option(
    "--judge/--no-judge",
    default=True,
    show_default=True,
    help="Judge whether the sources bear out what is said: citation precision and recall.",
)
def run_command(
    questions: str,
    url: str | None,
    documents: tuple[str, ...],
    model: str | None,
    base_url: str | None,
    overwrite: bool,
    output: tuple[str, ...],
    fail_under: str | None,
    concurrency: int,
    timeout: float | None,
    judge: bool,
    verbose: bool,
) -> None:
    """Ask questions with known outcomes, and score the answers.

    QUESTIONS is a JSONL file (see: veridical schema evaluation_question). The first question is
    asked once more before anything is measured. An interrupted run writes nothing.

    Exit code 0: the run was made, no question failed with an error, and every bound of
    --fail-under is kept. 1: not so. 2: the run could not be made, as where no server is running.
    """
    with reported():
        code = run(
            questions,
            Asked(url, documents, model, base_url, timeout),
            outputs=[Path(name) for name in output],
            overwrite=overwrite,
            fail_under=fail_under,
            concurrency=concurrency,
            judged=judge,
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)


def run(
    questions: str,
    asked: Asked,
    *,
    outputs: Sequence[Path] = (),
    overwrite: bool = False,
    fail_under: str | None = None,
    concurrency: int = 1,
    judged: bool = True,
    verbose: bool = False,
) -> int:
    """Make a run, print and write what came of it, and return the exit code."""
    from veridical.cli import setup
    from veridical.cli.choices import suffix_choice
    from veridical.cli.evaluation_table import render_table, run_progress
    from veridical.cli.files import check_outputs
    from veridical.cli.moment import given_moment
    from veridical.cli.terminal import out
    from veridical.cli.text_table import Look
    from veridical.evaluation.gates import check_gates, parse_gates
    from veridical.evaluation.questions import read_questions
    from veridical.evaluation.runner import run_questions
    from veridical.evaluation.summary import summarise
    from veridical.judging.reader_judge import ReaderJudge

    setup.set_up_logging(verbose=verbose)
    asked.check()
    with about_option("--fail-under"):
        gates = () if fail_under is None else parse_gates(fail_under)
    forms = [suffix_choice(_BY_SUFFIX, path) for path in outputs]
    check_outputs(outputs, [questions, *asked.documents])
    _check_overwriting(outputs, overwrite=overwrite)
    wanted = read_questions(Path(questions))
    moment = given_moment()
    with asked.client() as (client, target), run_progress(len(wanted)) as on_result:
        made = run_questions(
            wanted,
            client,
            judge=ReaderJudge() if judged else None,
            concurrency=concurrency,
            on_result=on_result,
            target=target,
            started_at=None if moment is None else moment.isoformat(timespec="seconds"),
        )
    summary = summarise(made)
    checked = check_gates(gates, summary)
    _write(made, outputs, forms, checked)
    out(render_table(made, checked, Look.of_standard_output()).rstrip("\n"))
    kept = all(gate.holds for gate in checked)
    return 0 if kept and not summary.errors else NEGATIVE_RESULT


def _check_overwriting(outputs: Sequence[Path], *, overwrite: bool) -> None:
    from veridical.errors import OutputError

    for path in outputs:
        if path.is_file() and not overwrite:
            raise OutputError(f"{path} is there already; give --overwrite to write over it")


def _write(
    made: EvalRun,
    outputs: Sequence[Path],
    forms: Sequence[RunFormat],
    gates: Sequence[GateResult],
) -> None:
    from veridical.cli.files import write_whole
    from veridical.cli.terminal import err

    # All are made before the first is written: either all of them are there afterwards or none.
    contents = [_made(made, form, gates) for form in forms]
    for path, data in zip(outputs, contents, strict=True):
        write_whole(path, data)
        err(f"Written: {path}")


def _made(made: EvalRun, form: RunFormat, gates: Sequence[GateResult]) -> bytes:
    from veridical.cli.files import encode

    if form is RunFormat.RESULTS:
        from veridical.evaluation.results import run_to_bytes

        return run_to_bytes(made)
    if form is RunFormat.HTML:
        from veridical.evaluation.report.html import render_html

        return encode(render_html(made))
    if form is RunFormat.JUNIT:
        from veridical.evaluation.junit import render_junit

        return encode(render_junit(made, gates))
    from veridical.cli.evaluation_table import render_table

    return encode(render_table(made, gates))
