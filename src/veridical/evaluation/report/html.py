"""An evaluation run as one HTML page: how good, how fast, and every answer that is not right.

The page is complete in itself. It asks nothing of any network, has no script, and treats every
text of a question, an answer or a source as text.
"""

from __future__ import annotations

from typing import Any

from veridical.evaluation.report import answers, charts, wording
from veridical.evaluation.report.answers import ShownResult
from veridical.evaluation.report.charts import Times
from veridical.evaluation.report.wording import LOOKS
from veridical.evaluation.run import EvalRun, Outcome
from veridical.evaluation.summary import Summary, summarise
from veridical.judging.metrics import Rate
from veridical.reports.page import ReportParts, page
from veridical.reports.page import parts as page_parts
from veridical.reports.words import count

DEFAULT_TITLE = "Evaluation"

_MOST_SLOWEST = 3


def render_html(run: EvalRun, title: str | None = None) -> str:
    """The run as a self-contained HTML page. The same run gives the same bytes."""
    return page("evaluation", title or DEFAULT_TITLE, **_shown(run))


def parts(run: EvalRun) -> ReportParts:
    """The same apart from its page, and without its title."""
    return page_parts("evaluation", **_shown(run))


def _shown(run: EvalRun) -> dict[str, Any]:
    summary = summarise(run)
    shown = [ShownResult(number, result) for number, result in enumerate(run.results, 1)]
    ranks = {outcome: rank for rank, outcome in enumerate(LOOKS)}
    ranked = sorted(shown, key=lambda each: ranks[each.outcome])
    # Every outcome that there was, with its results: the first leads to where it is shown.
    by_outcome = {outcome: [each for each in shown if each.outcome is outcome] for outcome in LOOKS}
    timed = [each for each in shown if each.result.scores is not None]
    clocks = _clocks(run, summary)
    return {
        "run": run,
        "summary": summary,
        "told": _told(run, summary),
        "trivial": refusing_everything(summary),
        "by_outcome": {outcome: each for outcome, each in by_outcome.items() if each},
        "failing": [each for each in ranked if each.outcome is not Outcome.RIGHT],
        "passing": [each for each in ranked if each.outcome is Outcome.RIGHT],
        "topics": charts.topics_of(run.results),
        "clocks": clocks,
        "axis": charts.axis_end(max((ms for each in clocks for _, ms in each.each), default=0.0)),
        "slowest": sorted(timed, key=lambda each: -each.result.client_ms)[:_MOST_SLOWEST],
        "answers": answers,
        "charts": charts,
        "wording": wording,
    }


def _told(run: EvalRun, summary: Summary) -> str:
    """How many were refused and answered wrongly."""
    refused, answered = summary.false_refusals, summary.false_answers
    told = f"{count(len(run.results), 'question')} asked"
    if refused.of:
        told += f", {refused.count:,} of {refused.of:,} answerable wrongly refused"
    if answered.of:
        told += f", {answered.count:,} of {answered.of:,} unanswerable wrongly answered"
    return told


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
