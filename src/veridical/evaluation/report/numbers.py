"""The metrics as a table: value, counts, interval, and what always refusing would reach."""

from __future__ import annotations

from veridical.evaluation.report.wording import between, milliseconds, share
from veridical.evaluation.summary import Latency, Summary
from veridical.judging.metrics import Rate

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
