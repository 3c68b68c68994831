"""`veridical eval`: ask questions with known outcomes, score the answers, hold them to bounds, show
what turned from one run to another, and have people judge a sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from veridical.cli.choices import TEXT_OR_JSON, Form, by_suffix, parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT, about_option, with_exit_code
from veridical.cli.files import (
    check_inputs,
    check_outputs,
    encode,
    json_bytes,
    read_bytes,
    shown,
    write_all,
    write_whole,
)
from veridical.cli.options import (
    answering_options,
    format_option,
    outputs_option,
    together,
    usual_option,
)
from veridical.cli.terminal import clean, err, excerpt, live_bar, out, out_data
from veridical.cli.text_table import Cell, Look, text_table
from veridical.errors import ConfigurationError, OutputError, ValidationError
from veridical.evaluation.review import DEFAULT_SAMPLE_SIZE, DEFAULT_SEED
from veridical.evaluation.run import (
    DEFAULT_TIMEOUT_SECONDS,
    ChatError,
    EvalRun,
    Outcome,
    QuestionResult,
    what_came_of,
)
from veridical.evaluation.summary import (
    GateResult,
    Latency,
    Summary,
    check_gates,
    parse_gates,
    shown_percent,
    summarise,
)
from veridical.judging.metrics import Rate
from veridical.reports.words import count

if TYPE_CHECKING:
    from veridical.evaluation.chat import ChatClient
    from veridical.evaluation.compare import Comparison, NewError, PairedLatency, Turn
    from veridical.evaluation.review_agreement import AspectAgreement, ReviewAgreement


@click.group("eval")
def evaluation() -> None:
    """Measure answers over questions with known outcomes, and compare the measurements."""


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

_PLAIN = Look()


def render_run(run: EvalRun, gates: Sequence[GateResult] = (), look: Look = _PLAIN) -> str:
    """The metrics with their denominators, what went wrong, and the gates."""
    summary = summarise(run)
    rows = [_rate_cells(name, rate) for name, rate in summary.rates.items()]
    rows += _latency_rows("client", summary.client_latency_ms)
    rows += _latency_rows("server", summary.server_latency_ms)
    signs = {True: ("✓", "green"), False: ("✕", "red")}
    lines: list[Cell] = [
        *_run_lines(run, summary),
        *(Text(f"{signs[g.holds][0]} {g.told}", style=signs[g.holds][1]) for g in gates),
    ]
    return text_table(("Metric", "Value", "95 % interval", "Of"), rows, lines, look)


def _rate_cells(name: str, rate: Rate) -> tuple[str, ...]:
    title, unit = _RATES[name]
    interval = rate.interval
    shown = "" if interval is None else f"{interval[0]:.1%} to {interval[1]:.1%}"
    return title, shown_percent(rate), shown.replace("%", " %"), f"{rate.count} of {rate.of} {unit}"


def _latency_rows(whose: str, latency: Latency) -> Iterator[tuple[str, ...]]:
    for name, value in (("p50", latency.p50), ("p95", latency.p95)):
        shown = "none" if value is None else f"{value:,.1f} ms"
        yield f"Latency {name}, {whose}", shown, "", f"{latency.of} responses"


def _run_lines(run: EvalRun, summary: Summary) -> Iterator[str]:
    outcomes = [(result, what_came_of(result)) for result in run.results]
    wrong = [(result, outcome) for result, outcome in outcomes if outcome is not Outcome.RIGHT]
    for result, outcome in wrong[:_MOST_SHOWN]:
        wrongly = outcome.value.replace("_", " ")
        told = f"✕ {result.question.id}: {wrongly}: {_problems(result)}"
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


_BY_SUFFIX = by_suffix(".jsonl .html .htm .xml .txt")


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


@evaluation.command("run")
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
    questions: str,
    url: str | None,
    documents: tuple[str, ...],
    model: str | None,
    base_url: str | None,
    timeout: float | None,
    outputs: tuple[Path, ...],
    overwrite: bool,
    fail_under: str | None,
    judged: bool,
) -> int:
    """Ask questions with known outcomes, and score the answers.

    QUESTIONS is a JSONL file (see: veridical schema evaluation_question). The first question is
    asked once more before anything is measured. An interrupted run writes nothing.

    Exit code 0: the run was made, no question failed with an error, and every bound of
    --fail-under is kept. 1: not so. 2: the run could not be made, as where no server is running.
    """
    from veridical.cli.choices import given_moment
    from veridical.evaluation.questions import read_questions
    from veridical.evaluation.runner import run_questions
    from veridical.judging.reader_judge import ReaderJudge

    asked = Asked(url, documents, model, base_url, timeout)
    asked.check()
    with about_option("--fail-under"):
        gates = () if fail_under is None else parse_gates(fail_under)
    forms = [suffix_choice(_BY_SUFFIX, path) for path in outputs]
    check_outputs(outputs, [questions, *documents])
    for path in outputs:
        if path.is_file() and not overwrite:
            raise OutputError(f"{path} is there already; give --overwrite to write over it")
    wanted = read_questions(Path(questions))
    moment = given_moment()
    with (
        asked.client() as (client, target),
        live_bar(
            lambda rich: (rich.BarColumn(), rich.MofNCompleteColumn(), rich.TimeElapsedColumn()),
            len(wanted),
        ) as update,
    ):
        made = run_questions(
            wanted,
            client,
            judge=ReaderJudge() if judged else None,
            on_result=update and (lambda _: update(advance=1)),
            target=target,
            started_at=None if moment is None else moment.isoformat(timespec="seconds"),
        )
    summary = summarise(made)
    checked = check_gates(gates, summary)
    write_all(zip(outputs, [_made(made, form, checked) for form in forms], strict=True))
    out(render_run(made, checked, Look.of_standard_output()).rstrip("\n"))
    kept = all(gate.holds for gate in checked)
    return 0 if kept and not summary.errors else NEGATIVE_RESULT


def _made(made: EvalRun, form: Form, gates: Sequence[GateResult]) -> bytes:
    if form is Form.JSON:
        from veridical.evaluation.results import run_to_bytes

        return run_to_bytes(made)
    if form is Form.HTML:
        from veridical.evaluation.report.html import render_html

        return encode(render_html(made))
    if form is Form.JUNIT:
        from veridical.evaluation.junit import render_junit

        return encode(render_junit(made, gates))
    return encode(render_run(made, gates))


_TURNED_WORSE = 1
"""Exit code where something was right before and is wrong now."""

_QUESTION_CHARS = 80
_MOST_DIFFERENCES = 20


def _read_results(path: str) -> EvalRun:
    """The run in a results file, or in standard input for `-`.

    Raises ValidationError that names the file and says what is wrong.
    """
    from veridical.evaluation.results import MAX_FILE_BYTES, run_from_bytes

    return run_from_bytes(read_bytes(path, MAX_FILE_BYTES), name=shown(path))


@evaluation.command("compare")
@click.argument("before", metavar="A.jsonl")
@click.argument("after", metavar="B.jsonl")
@click.option("--common", is_flag=True, help="Compare the questions that both runs have.")
@format_option("text", "json")
@with_exit_code
def compare_command(before: str, after: str, common: bool, form: str) -> int:
    """Show which questions turned from right to wrong, or back, from run A to run B.

    A.jsonl and B.jsonl are results of `veridical eval run` over the same questions; one of them may
    be - for standard input. McNemar's exact test tells how probable so uneven a split of what
    turned is by chance, the sign test the same of latencies.

    Exit code 0: nothing turned to worse. 1: something did. 2: they cannot be compared.
    """
    from veridical.evaluation.compare import OtherQuestionsError, compare_runs

    wanted = parse_choice(TEXT_OR_JSON, form)
    check_inputs([], before, after)
    runs = _read_results(before), _read_results(after)
    try:
        comparison = compare_runs(*runs, common=common)
    except OtherQuestionsError as error:
        raise ValidationError(f"{error}. Compare what both have with --common.") from error
    if wanted is Form.JSON:
        out_data(json_bytes(comparison.to_mapping()))
    else:
        out(_compared(comparison, Look.of_standard_output()).rstrip("\n"))
    return _TURNED_WORSE if comparison.worse else 0


def _compared(comparison: Comparison, look: Look) -> str:
    """The measures as a table, the latencies as another, and every question that turned."""
    measures = [
        (
            measured.measure.value,
            _rate_cell(measured.before),
            _rate_cell(measured.after),
            f"{measured.worse:,}",
            f"{measured.better:,}",
            _probability(measured.p_value),
        )
        for measured in comparison.measures
    ]
    times = (("client", comparison.client), ("server", comparison.server))
    latencies = [_latency_cells(name, found) for name, found in times if found is not None]
    headings = ("Measure", "Before", "After", "Worse", "Better", "p (exact)")
    of_times = ("Latency, ms", "p50", "p95", "Slower", "Faster", "p (exact)", "Median change")
    return text_table(headings, measures, look=look) + text_table(
        of_times, latencies, _compared_lines(comparison), look
    )


def _rate_cell(rate: Rate) -> str:
    """A share in per cent, and what it is of; a dash where that is nothing."""
    return f"{shown_percent(rate)} ({rate.count:,} of {rate.of:,})" if rate.of else "-"


def _probability(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _latency_cells(name: str, times: PairedLatency) -> tuple[str, ...]:
    low_high = times.interval
    between = f", 95 %: {low_high[0]:+,.1f} to {low_high[1]:+,.1f}" if low_high else ""
    return (
        name,
        f"{times.p50[0]:,.1f} \u2192 {times.p50[1]:,.1f}",
        f"{times.p95[0]:,.1f} \u2192 {times.p95[1]:,.1f}",
        f"{times.slower:,}",
        f"{times.faster:,}",
        _probability(times.p_value),
        f"{times.median_change:+,.1f}{between}",
    )


def _compared_lines(comparison: Comparison) -> Iterator[str]:
    from veridical.evaluation.compare import Way

    questions = count(comparison.compared, "question")
    yield f"{questions} compared, {comparison.responded:,} with a response in both runs."
    for way in (Way.WORSE, Way.BETTER):
        turned = [turn for turn in comparison.turns if turn.turned is way]
        yield from (_turned(list(turns)) for _, turns in groupby(turned, lambda turn: turn.id))
        yield from (_error(error) for error in comparison.errors if error.turned is way)
    if comparison.errors_in_both:
        yield f"{count(comparison.errors_in_both, 'question')} without a response in both runs"
    for ids, why in (
        (comparison.only_before, "only in the first run"),
        (comparison.only_after, "only in the second run"),
        (comparison.altered, "with other words or another known outcome"),
    ):
        if ids:
            yield f"left out, {why}: {count(len(ids), 'question')}"


def _turned(turns: Sequence[Turn]) -> str:
    """What turned of one question, all in one direction."""
    turn, measures = turns[0], ", ".join(turn.measure.value for turn in turns)
    told = f"{turn.turned}, {measures}: {clean(turn.id)}: {excerpt(turn.question, _QUESTION_CHARS)}"
    is_told = turn.turned == "worse" and turn.problems
    return f"{told} - {clean('; '.join(turn.problems))}" if is_told else told


def _error(error: NewError) -> str:
    asked = f"{clean(error.id)}: {excerpt(error.question, _QUESTION_CHARS)}"
    if error.turned == "worse":
        return f"worse, no response any more: {asked} - {clean(error.reason)}"
    return f"better, a response again: {asked}"


sample_options = together(
    usual_option("--sample-size", DEFAULT_SAMPLE_SIZE, "N", "Answers to draw."),
    usual_option("--seed", DEFAULT_SEED, "N", "Draws others."),
    click.option(
        "--overwrite", is_flag=True, help="Replace the file, with whatever was reviewed in it."
    ),
)
"""The options that say which answers are drawn."""


@evaluation.command("review")
@click.argument("results", metavar="RESULTS.jsonl")
@sample_options
@click.option("-o", "--output", required=True, type=Path, metavar="CSV", help="The file to write.")
@with_exit_code
def review_command(
    results: str, sample_size: int, seed: int, overwrite: bool, output: Path
) -> None:
    """Draw answers of a run for a person to judge, and write them as CSV for a spreadsheet.

    RESULTS.jsonl is what `veridical eval run` wrote, or - for standard input. The same results,
    size and seed give the same file. Failed and passed answers and refusals are all in it.

    Exit code 0: written. 2: it could not be.
    """
    from veridical.evaluation.review import draw_sample
    from veridical.evaluation.review_csv import review_to_bytes

    check_outputs([output], [results])
    if output.is_file() and not overwrite:
        raise OutputError(
            f"{output} is there already, and may hold a review; replace it with --overwrite, or "
            "name another file"
        )
    run = _read_results(results)
    with about_option("--sample-size"):
        sample = draw_sample(run, sample_size, seed)
    write_whole(output, review_to_bytes(sample))
    failed = sum(result.scores is None for result in run.results)
    without = f"; {count(failed, 'question')} without a response left out" if failed else ""
    err(f"Written: {output}, {count(len(sample), 'answer')} of {len(run.results):,}{without}")


@evaluation.command("agreement")
@click.argument("reviewed", metavar="CSV")
@click.argument("other", metavar="[OTHER.csv]", required=False)
@format_option("text", "json")
@with_exit_code
def agreement_command(reviewed: str, other: str | None, form: str) -> None:
    """Show how far a reviewer agrees with the automatic scores, or with a second reviewer.

    CSV is a file of `veridical eval review` in which a person filled the columns groundedness,
    citation and correctness, saved by whatever spreadsheet program; OTHER.csv the same sample,
    filled by somebody else. Rows without a label are counted and left out.

    Exit code 0: measured. 2: it could not be.
    """
    from veridical.evaluation.review_agreement import agree_with_automatic, agree_with_each_other
    from veridical.evaluation.review_csv import review_from_bytes
    from veridical.scoring.agreement import require_nltk

    wanted = parse_choice(TEXT_OR_JSON, form)
    check_inputs([], reviewed, other)
    require_nltk()
    name = shown(reviewed)
    rows = review_from_bytes(read_bytes(reviewed), name)
    if other is None:
        report = agree_with_automatic(rows, name)
    else:
        others = review_from_bytes(read_bytes(other), shown(other))
        report = agree_with_each_other(rows, name, others, shown(other))
    if wanted is Form.JSON:
        out_data(json_bytes(report.to_mapping()))
    else:
        out(_agreed(report, Look.of_standard_output()).rstrip("\n"))


def _agreed(report: ReviewAgreement, look: Look) -> str:
    """The agreement by aspect, the counts behind it, and the rows to talk about."""
    counts = [
        (aspect.aspect.value, cell.first, cell.second, f"{cell.count:,}")
        for aspect in report.aspects
        for cell in aspect.agreement.table
    ]
    headings = ("Aspect", "Agreed", "95 % interval", "Kappa", "Left out")
    aspects = text_table(headings, map(_aspect_cells, report.aspects), look=look)
    lines = map(clean, _agreed_lines(report))
    return aspects + text_table(("Aspect", "First", "Second", "Count"), counts, lines, look)


def _aspect_cells(aspect: AspectAgreement) -> tuple[str, ...]:
    agreed, kappa = aspect.agreement.agreed, aspect.agreement.kappa
    bounds = agreed.interval
    return (
        aspect.aspect.value,
        _rate_cell(agreed),
        "-" if bounds is None else f"{bounds[0] * 100:.1f} to {bounds[1] * 100:.1f} %",
        "-" if kappa.value is None else f"{kappa.value:.3f}",
        f"{aspect.left_out:,}",
    )


def _agreed_lines(report: ReviewAgreement) -> Iterator[str]:
    yield f"First: {report.first}. Second: {report.second}. {count(report.rows, 'row')}."
    if report.unmatched:
        yield f"{count(report.unmatched, 'row')} left out, in one of the two files only."
    for aspect in report.aspects:
        if note := aspect.agreement.kappa.note:
            yield f"{aspect.aspect.value}, kappa: {note}"
    for found in report.disagreements[:_MOST_DIFFERENCES]:
        yield (
            f"row {found.row}, {found.id}, {found.aspect.value}: "
            f"{found.first.value} against {found.second.value}"
        )
    if len(report.disagreements) > _MOST_DIFFERENCES:
        yield f"and {len(report.disagreements) - _MOST_DIFFERENCES:,} more differences"
