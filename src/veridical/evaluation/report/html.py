"""An evaluation run as one HTML page: how good, how fast, and every answer that is not right.

The page is complete in itself. It asks nothing of any network, has no script, and treats every
text of a question, an answer or a source as text.
"""

from __future__ import annotations

from veridical.evaluation.report.answers import anchor, render_answers
from veridical.evaluation.report.charts import Times, render_latency, render_outcomes
from veridical.evaluation.report.wording import LOOKS, badge, between, milliseconds, share
from veridical.evaluation.run import EvalRun, what_came_of
from veridical.evaluation.summary import Latency, Summary, summarise
from veridical.judging.metrics import Rate
from veridical.validation.reports.markup import isolated
from veridical.validation.reports.page import ReportParts, page, report_style
from veridical.validation.reports.wording import count

# The metrics as a table: value, counts, interval, and what always refusing would reach.


_MEANINGS = {
    "groundedness": ("Groundedness", "cites what it returns, or refuses rightly"),
    "citation_accuracy": ("Citation accuracy", "grounded, and a quote stands in its source"),
    "correct": ("Correct", "says what is expected, of questions with a known outcome"),
    "answered": ("Answered", "of the answerable questions"),
    "refused": ("Refused", "of the unanswerable questions"),
    "false_answers": ("Wrongly answered", "of the unanswerable questions; lower is better"),
    "false_refusals": ("Wrongly refused", "of the answerable questions; lower is better"),
    "citation_precision": ("Citation precision", "of the markers, borne out by their source"),
    "citation_recall": ("Citation recall", "of the statements, borne out by a citation"),
}


def render_numbers(summary: Summary) -> str:
    """The table of the rates, and that of the latencies."""
    trivial = refusing_everything(summary)
    rows = "".join(
        f'<tr><th scope="row">{name} <small>{meaning}</small></th>'
        f"<td><strong>{share(rate)}</strong></td><td>{rate.count:,} of {rate.of:,}</td>"
        f"<td>{between(rate)}</td><td>{_baseline(trivial.get(key))}</td></tr>"
        for key, rate in summary.rates.items()
        for name, meaning in (_MEANINGS[key],)
    )
    clocks = (
        ("Client", "from sending to having read", summary.client_latency_ms),
        ("Server", "as the server tells it", summary.server_latency_ms),
    )
    times = "".join(_times(*clock) for clock in clocks)
    return (
        '<table class="metrics"><thead><tr><th scope="col">Metric</th><th scope="col">Value</th>'
        '<th scope="col">Count</th><th scope="col">95 % interval</th>'
        f'<th scope="col">Always refusing</th></tr></thead><tbody>{rows}</tbody></table>'
        '<table class="times"><thead><tr><th scope="col">Latency</th><th scope="col">p50</th>'
        f'<th scope="col">p95</th><th scope="col">Responses</th></tr></thead><tbody>{times}'
        "</tbody></table>"
    )


def refusing_everything(summary: Summary) -> dict[str, Rate]:
    """What a system reaches that refuses every question: the bar that any other must pass.

    It cites nothing, so that precision and recall of citations are not defined for it.
    """
    ask, trap = summary.answered.of, summary.refused.of
    return {
        "groundedness": Rate(trap, summary.questions),
        "citation_accuracy": Rate(trap, summary.questions),
        "correct": Rate(trap, summary.correct.of),
        "answered": Rate(0, ask),
        "refused": Rate(trap, trap),
        "false_answers": Rate(0, trap),
        "false_refusals": Rate(ask, ask),
    }


def _baseline(rate: Rate | None) -> str:
    return '<span class="narrow-only">always refusing </span>' + (
        "–" if rate is None else share(rate)
    )


def _times(name: str, meaning: str, latency: Latency) -> str:
    return (
        f'<tr><th scope="row">{name} <small>{meaning}</small></th>'
        f'<td><span class="narrow-only">p50 </span>{milliseconds(latency.p50)}</td>'
        f'<td><span class="narrow-only">p95 </span>{milliseconds(latency.p95)}</td>'
        f'<td>{latency.of:,}<span class="narrow-only"> responses</span></td></tr>'
    )


DEFAULT_TITLE = "Evaluation"

_MOST_SLOWEST = 3


def render_html(run: EvalRun, title: str | None = None) -> str:
    """The run as a self-contained HTML page. The same run gives the same bytes."""
    name = title or DEFAULT_TITLE
    header = f'<header class="report-head"><h1>{isolated(name)}</h1>{_facts(run)}</header>'
    return page(name, f"{header}<main>{_sections(run)}</main>", style=_style())


def parts(run: EvalRun) -> ReportParts:
    """The same apart from its page, and without its title."""
    header = f'<header class="report-head">{_facts(run)}</header>'
    return ReportParts(f'{header}<div class="main">{_sections(run)}</div>', _style(), "")


def _style() -> str:
    return report_style(__package__, "evaluation.css")


def _sections(run: EvalRun) -> str:
    summary = summarise(run)
    return (
        f"{_result(run, summary)}"
        f'<section id="metrics"><h2>Metrics</h2>{render_numbers(summary)}</section>'
        f'<section id="topics"><h2>By topic</h2>{render_outcomes(run.results)}</section>'
        f'<section id="latency"><h2>Latency</h2>{render_latency(_clocks(run, summary))}'
        f"{_slowest(run)}</section>"
        f"{render_answers(run.results)}{_record(run)}"
    )


def _facts(run: EvalRun) -> str:
    return f'<p class="soft">{" · ".join(map(isolated, (run.target, run.started_at)))}</p>'


def _result(run: EvalRun, summary: Summary) -> str:
    """How many were refused and answered wrongly, and every outcome with a link to its first."""
    refused, answered = summary.false_refusals, summary.false_answers
    told = f"{count(len(run.results), 'question')} asked"
    if refused.of:
        told += f", {refused.count:,} of {refused.of:,} answerable wrongly refused"
    if answered.of:
        told += f", {answered.count:,} of {answered.of:,} unanswerable wrongly answered"
    outcomes = [what_came_of(result) for result in run.results]
    rows = "".join(
        f'<li><a href="#{anchor(outcomes.index(outcome) + 1)}">{outcomes.count(outcome):,}</a> '
        f"{badge(outcome)}</li>"
        for outcome in LOOKS
        if outcome in outcomes
    )
    return f'<section id="result"><p>{told}.</p><ul class="outcomes">{rows}</ul></section>'


def _clocks(run: EvalRun, summary: Summary) -> list[Times]:
    client = [(r.question.id, r.client_ms) for r in run.results if r.scores is not None]
    server = [(r.question.id, r.server_ms) for r in run.results if r.server_ms is not None]
    return [
        Times(name, tuple(each), latency.p50, latency.p95)
        for name, each, latency in (
            ("Client", client, summary.client_latency_ms),
            ("Server", server, summary.server_latency_ms),
        )
        if latency.p50 is not None and latency.p95 is not None
    ]


def _slowest(run: EvalRun) -> str:
    """Links to the questions that took longest; of equals the earlier."""
    timed = [
        (result.client_ms, number, result.question.id)
        for number, result in enumerate(run.results, start=1)
        if result.scores is not None
    ]
    timed.sort(key=lambda item: (-item[0], item[1]))
    links = [
        f'<a href="#{anchor(number)}">{isolated(name)}</a> {milliseconds(ms)}'
        for ms, number, name in timed[:_MOST_SLOWEST]
    ]
    return f'<p class="soft">Slowest: {", ".join(links)}</p>' if links else ""


def _record(run: EvalRun) -> str:
    facts = [
        ("Asked", isolated(run.target)),
        ("Started", isolated(run.started_at)),
        ("Citations judged by", isolated(run.judge or "nobody")),
        ("SHA-256 of the questions", f"<code>{isolated(run.questions_sha256)}</code>"),
    ]
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    return f'<section id="record"><h2>How it was made</h2><dl class="facts">{rows}</dl></section>'
