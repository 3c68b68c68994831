"""`veridical eval`, and `eval run`: ask the questions, score the answers, hold them to bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from veridical.cli.choices import suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT, about_option, with_exit_code
from veridical.cli.evaluation_compare import compare_command
from veridical.cli.evaluation_review import agreement_command, review_command
from veridical.cli.files import check_outputs, encode, write_whole
from veridical.cli.options import answering_options, outputs_option, usual_option
from veridical.cli.terminal import err, excerpt, live_bar, out
from veridical.cli.text_table import Look, TextTable
from veridical.errors import ConfigurationError, OutputError
from veridical.evaluation.gates import GateResult, check_gates, parse_gates
from veridical.evaluation.limits import DEFAULT_TIMEOUT_SECONDS, MAX_CONCURRENCY
from veridical.evaluation.run import ChatError, EvalRun, Outcome, QuestionResult, what_came_of
from veridical.evaluation.summary import Latency, Summary, shown_percent, summarise
from veridical.judging.metrics import Rate

if TYPE_CHECKING:
    from veridical.evaluation.chat import ChatClient

# A run on the terminal: what it came to, and each question that did not come out right.


_MOST_SHOWN = 50
"""Questions that are told one by one; the HTML report has all of them."""

_LINE_CHARS = 400

_RATES = {
    "groundedness": ("Groundedness", "questions"),
    "citation_accuracy": ("Citation accuracy", "questions"),
    "correct": ("Correct by the expected facts", "questions with a known outcome"),
    "answered": ("Answered", "answerable questions"),
    "refused": ("Refused", "unanswerable questions"),
    "false_answers": ("Wrongly answered", "unanswerable questions"),
    "false_refusals": ("Wrongly refused", "answerable questions"),
    "citation_precision": ("Citation precision, by the judge", "markers"),
    "citation_recall": ("Citation recall, by the judge", "statements"),
}

_OUTCOMES = {
    Outcome.WRONGLY_REFUSED: "wrongly refused",
    Outcome.WRONGLY_ANSWERED: "wrongly answered",
    Outcome.ERROR: "error",
    Outcome.NOT_GROUNDED: "not grounded",
    Outcome.NOT_QUOTED: "not quoted",
    Outcome.NOT_CORRECT: "not correct",
}


def render_table(run: EvalRun, gates: Sequence[GateResult] = (), look: Look | None = None) -> str:
    """The metrics with their denominators, what went wrong, and the gates; by default plain."""
    summary = summarise(run)
    table = TextTable(("Metric", "Value", "95 % interval", "Of"), look or Look())
    for name, rate in summary.rates.items():
        table.add_row(*(Text(cell) for cell in _rate_cells(name, rate)))
    for told, latency in (
        ("client", summary.client_latency_ms),
        ("server", summary.server_latency_ms),
    ):
        for cells in _latency_rows(told, latency):
            table.add_row(*(Text(cell) for cell in cells))
    for line in _lines(run, summary):
        table.add_line(Text(line))
    for gate in gates:
        sign, style = ("✓", "green") if gate.holds else ("✕", "red")
        table.add_line(Text(f"{sign} {gate.told}", style=style))
    return table.render()


def _rate_cells(name: str, rate: Rate) -> tuple[str, str, str, str]:
    title, unit = _RATES[name]
    interval = rate.interval
    shown = "" if interval is None else f"{interval[0]:.1%} to {interval[1]:.1%}"
    return title, shown_percent(rate), shown.replace("%", " %"), f"{rate.count} of {rate.of} {unit}"


def _latency_rows(whose: str, latency: Latency) -> Iterator[tuple[str, str, str, str]]:
    for name in ("p50", "p95"):
        value: float | None = getattr(latency, name)
        shown = "none" if value is None else f"{value:,.1f} ms"
        yield f"Latency {name}, {whose}", shown, "", f"{latency.of} responses"


def _lines(run: EvalRun, summary: Summary) -> Iterator[str]:
    wrong = [
        (result, outcome)
        for result in run.results
        if (outcome := what_came_of(result)) is not Outcome.RIGHT
    ]
    for result, outcome in wrong[:_MOST_SHOWN]:
        told = f"✕ {result.question.id}: {_OUTCOMES[outcome]}: {_problems(result)}"
        yield excerpt(told, _LINE_CHARS)
    if len(wrong) > _MOST_SHOWN:
        more = len(wrong) - _MOST_SHOWN
        yield f"and {more} more; an HTML report has all of them (-o report.html)"
    asked = f"{summary.questions} questions asked of {run.target}"
    judge = f", judged by {run.judge}" if run.judge else ""
    yield excerpt(f"{asked}, the first once more to warm it up{judge}", _LINE_CHARS)


def _problems(result: QuestionResult) -> str:
    if isinstance(result.response, ChatError):
        return result.response.reason
    return "; ".join(result.scores.problems) if result.scores else ""


@contextmanager
def run_progress(questions: int) -> Iterator[Callable[[QuestionResult], None] | None]:
    """A bar on standard error, where that is a terminal; elsewhere nothing."""
    with live_bar(
        lambda rich: (rich.BarColumn(), rich.MofNCompleteColumn(), rich.TimeElapsedColumn()),
        questions,
    ) as update:
        yield update and (lambda _: update(advance=1))


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
            from veridical.cli.index import open_documents
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
@outputs_option(
    "Write the results (.jsonl), a report (.html), JUnit (.xml) or the table (.txt). May be given "
    "several times."
)
@click.option(
    "--fail-under",
    metavar="NAME=NUMBER,…",
    help="Exit with 1 where a metric misses its bound: groundedness, citation, correct, answered, "
    "refused, precision and recall in per cent, at least; p50 and p95 of the client's time in "
    "milliseconds, at most.",
)
@usual_option(
    "--concurrency",
    1,
    "N",
    "Questions asked at once. With more than 1 they wait for each other.",
    type=click.IntRange(1, MAX_CONCURRENCY),
)
@click.option(
    "--timeout",
    type=float,
    metavar="SECONDS",
    help=f"Longest wait for a reply; {DEFAULT_TIMEOUT_SECONDS:g} by default.",
)
@click.option(
    "--judge/--no-judge",
    "judged",
    default=True,
    show_default=True,
    help="Judge whether the sources bear out what is said: citation precision and recall.",
)
@with_exit_code
def run_command(
    url: str | None,
    documents: tuple[str, ...],
    model: str | None,
    base_url: str | None,
    timeout: float | None,
    **given: Any,
) -> int:
    """Ask questions with known outcomes, and score the answers.

    QUESTIONS is a JSONL file (see: veridical schema evaluation_question). The first question is
    asked once more before anything is measured. An interrupted run writes nothing.

    Exit code 0: the run was made, no question failed with an error, and every bound of
    --fail-under is kept. 1: not so. 2: the run could not be made, as where no server is running.
    """
    return run(asked=Asked(url, documents, model, base_url, timeout), **given)


def run(
    questions: str,
    asked: Asked,
    *,
    outputs: Sequence[Path] = (),
    overwrite: bool = False,
    fail_under: str | None = None,
    concurrency: int = 1,
    judged: bool = True,
) -> int:
    """Make a run, print and write what came of it, and return the exit code."""
    from veridical.cli.moment import given_moment
    from veridical.evaluation.questions import read_questions
    from veridical.evaluation.runner import run_questions
    from veridical.judging.reader_judge import ReaderJudge

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
    for path in outputs:
        if path.is_file() and not overwrite:
            raise OutputError(f"{path} is there already; give --overwrite to write over it")


def _write(
    made: EvalRun,
    outputs: Sequence[Path],
    forms: Sequence[RunFormat],
    gates: Sequence[GateResult],
) -> None:
    # All are made before the first is written: either all of them are there afterwards or none.
    contents = [_made(made, form, gates) for form in forms]
    for path, data in zip(outputs, contents, strict=True):
        write_whole(path, data)
        err(f"Written: {path}")


def _made(made: EvalRun, form: RunFormat, gates: Sequence[GateResult]) -> bytes:
    if form is RunFormat.RESULTS:
        from veridical.evaluation.results import run_to_bytes

        return run_to_bytes(made)
    if form is RunFormat.HTML:
        from veridical.evaluation.report.html import render_html

        return encode(render_html(made))
    if form is RunFormat.JUNIT:
        from veridical.evaluation.junit import render_junit

        return encode(render_junit(made, gates))

    return encode(render_table(made, gates))


@click.group("eval")
def evaluation() -> None:
    """Measure answers over questions with known outcomes, and compare the measurements."""


for _command in (run_command, compare_command, review_command, agreement_command):
    evaluation.add_command(_command)
