"""An evaluation run as one HTML page: how good, how fast, and every answer that is not right.

The page is complete in itself. It asks nothing of any network, has no script, and treats every
text of a question, an answer or a source as text.
"""

from __future__ import annotations

from collections.abc import Iterable

from veridical.evaluation.outcome import outcome_of
from veridical.evaluation.report.answers import anchor, render_answers
from veridical.evaluation.report.charts import Times, render_latency, render_outcomes
from veridical.evaluation.report.numbers import render_numbers
from veridical.evaluation.report.wording import LOOKS, badge, milliseconds
from veridical.evaluation.run import ChatResponse, EvalRun
from veridical.evaluation.summary import Latency, Summary, summarise
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
        f"{_result(run)}"
        f'<section id="metrics"><h2>Metrics</h2>{render_numbers(summary)}</section>'
        f'<section id="topics"><h2>By topic</h2>{render_outcomes(run.results)}</section>'
        f'<section id="latency"><h2>Latency</h2>{render_latency(_clocks(run, summary))}'
        f"{_slowest(run)}</section>"
        f"{render_answers(run.results)}{_record(run)}"
    )


def _facts(run: EvalRun) -> str:
    return f'<p class="soft">{" · ".join(map(isolated, (run.target, run.started_at)))}</p>'


def _result(run: EvalRun) -> str:
    """How many questions came out how, each number a link to the first of them."""
    outcomes = [outcome_of(result) for result in run.results]
    rows = "".join(
        f'<li><a href="#{anchor(outcomes.index(outcome) + 1)}">{outcomes.count(outcome):,}</a> '
        f"{badge(outcome)}</li>"
        for outcome in LOOKS
        if outcome in outcomes
    )
    return (
        f'<section id="result"><p>{count(len(run.results), "question")} asked.</p>'
        f'<ul class="outcomes">{rows}</ul></section>'
    )


def _clocks(run: EvalRun, summary: Summary) -> list[Times]:
    replies = [(r.question.id, r.client_ms, r.response) for r in run.results]
    client = [(name, ms) for name, ms, reply in replies if isinstance(reply, ChatResponse)]
    server = [
        (name, reply.latency_ms)
        for name, _, reply in replies
        if isinstance(reply, ChatResponse) and reply.latency_ms is not None
    ]
    return [
        *_clock("Client", client, summary.client_latency_ms),
        *_clock("Server", server, summary.server_latency_ms),
    ]


def _clock(name: str, each: Iterable[tuple[str, float]], latency: Latency) -> list[Times]:
    if latency.p50 is None or latency.p95 is None:
        return []
    return [Times(name, tuple(each), latency.p50, latency.p95)]


def _slowest(run: EvalRun) -> str:
    """Links to the questions that took longest; of equals the earlier."""
    timed = [
        (result.client_ms, number, result.question.id)
        for number, result in enumerate(run.results, start=1)
        if isinstance(result.response, ChatResponse)
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
