"""An evaluation run as one HTML page: how good, how fast, and every answer that is not right.

The page is complete in itself. It asks nothing of any network, has no script, and treats every
text of a question, an answer or a source as text.
"""

from __future__ import annotations

from veridical.evaluation.outcome import what_came_of
from veridical.evaluation.report.answers import anchor, render_answers
from veridical.evaluation.report.charts import Times, render_latency, render_outcomes
from veridical.evaluation.report.numbers import render_numbers
from veridical.evaluation.report.wording import LOOKS, badge, milliseconds
from veridical.evaluation.run import EvalRun
from veridical.evaluation.summary import Summary, summarise
from veridical.validation.reports.markup import isolated
from veridical.validation.reports.page import ReportParts, page, report_style
from veridical.validation.reports.wording import count

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
