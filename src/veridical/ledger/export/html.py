"""The ledger as one HTML page: what is wrong, how we know it, and the words themselves.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of answer, sources and judge as text.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger, RiskFlag, Source
from veridical.ledger.export import wording
from veridical.ledger.export.html_answer import render_answer
from veridical.ledger.export.html_entries import render_entries
from veridical.ledger.export.html_reviews import render_reviews, reviewed_counts
from veridical.ledger.export.html_table import render_table
from veridical.ledger.export.html_words import (
    TONES,
    claim_links,
    listed,
    section,
    verdict_badge,
)
from veridical.ledger.export.wording import (
    RISK_WORDS,
    SEVERITY_WORDS,
    VERDICT_MEANINGS,
    VERDICT_SIGNS,
    VERDICT_WORDS,
    WORST_FIRST,
)
from veridical.ledger.newer import NewerVersion
from veridical.ledger.reviewed import Reviewed, without_reviews
from veridical.validation.reports.markup import escape, isolated
from veridical.validation.reports.page import asset, page, report_style
from veridical.validation.reports.wording import count, percent

_TOP = (
    '<a class="skip" href="#ledger">Skip to the claims</a>'
    '<header class="report-head"><div class="line">'
)


def render_ledger_html(
    ledger: EvidenceLedger,
    *,
    seal_head: str | None = None,
    reviewed: Reviewed | None = None,
    newer: Sequence[NewerVersion] = (),
) -> str:
    """The ledger as a self-contained HTML page, the worst verdicts first.

    `seal_head` is the head of the ledger's hash chain, shown where it is given; `reviewed` what
    reviewers decided, shown beside the machine's verdicts; `newer` are sources that have another
    version since.
    """
    found = reviewed or without_reviews(ledger)
    name = wording.heading(ledger)
    told = tuple(wording.newer_told(each) for each in newer)
    sections = (
        _listed_section("newer", "Newer versions of sources", told),
        _risks(ledger),
        _listed_section("warnings", "Warnings", ledger.warnings),
        f'<div class="panes">{render_answer(ledger, found)}{render_table(ledger, found)}</div>',
        render_entries(ledger, found),
        render_reviews(ledger, found),
        _listed_section("actions", "Recommended actions", ledger.actions),
        _listed_section("questions", "Follow-up questions", ledger.follow_up_questions),
        _sources(ledger.sources),
        _record(ledger, seal_head),
    )
    body = f"{_header(ledger, name, found)}<main>{''.join(sections)}</main>{_HELP}"
    style = report_style(__package__, "ledger.css")
    return page(name, body, style=style, script=asset(__package__, "ledger.js"))


def _header(ledger: EvidenceLedger, name: str, found: Reviewed) -> str:
    asked = ledger.query.strip()
    question = (
        f'<p class="question"><span class="soft">Question:</span> {isolated(asked)}</p>'
        if asked and asked != name
        else ""
    )
    return (
        f"{_TOP}<h1>{isolated(name)}</h1>"
        '<button type="button" id="help-button" class="js-only" aria-label="keys and symbols">?'
        f'</button></div>{question}<p class="soft">Evidence ledger · '
        f"<time>{isolated(wording.stamp(ledger.created_at))}</time> · judged by "
        f"{isolated(wording.judged_by(ledger))}</p>{_chart(ledger, found)}"
        f"{reviewed_counts(ledger, found)}</header>"
    )


def _chart(ledger: EvidenceLedger, found: Reviewed) -> str:
    """How many claims have which verdict: as a bar, in words, and as links that filter."""
    total = ledger.summary.total_claims
    if not total:
        return '<p class="rate">No claim was found in the answer: nothing was measured.</p>'
    counts = [(verdict, ledger.summary.by_verdict[verdict]) for verdict in WORST_FIRST]
    at, bars = 0.0, []
    for verdict, number in counts:
        width = 1000 * number / total
        bars.append(f'<rect class="{TONES[verdict]}" x="{at:g}" width="{width:g}" height="14"/>')
        at += width
    chart = (
        '<svg class="chart" viewBox="0 0 1000 14" preserveAspectRatio="none" '
        f'aria-hidden="true">{"".join(bars)}</svg>'
    )
    filters = "".join(_filter(verdict, number, total) for verdict, number in counts)
    return (
        f'<p class="rate"><strong class="figure">{wording.share(ledger.summary.evidence_coverage)}'
        f"</strong> evidence coverage: {_covered(ledger, found)}</p>{chart}"
        '<nav class="filters" aria-label="claims by verdict">'
        f'<a class="filter all" href="#ledger" data-verdict="">All <b>{total:,}</b></a>'
        f"{filters}</nav>"
    )


def _covered(ledger: EvidenceLedger, found: Reviewed) -> str:
    covered, total = wording.covered(ledger.summary.by_verdict), ledger.summary.total_claims
    after = wording.share_after(ledger, found.by_verdict)
    reviewed = f'; <strong class="after">{after} after review</strong>' if after else ""
    return f"{covered:,} of {count(total, 'claim')} supported or weak{reviewed}"


def _filter(verdict: Verdict, number: int, total: int) -> str:
    mark = f'<i aria-hidden="true">{VERDICT_SIGNS[verdict]}</i> {VERDICT_WORDS[verdict]}'
    tone, part = TONES[verdict], f'<small class="soft">{percent(number / total)}%</small>'
    if not number:
        return f'<span class="filter {tone} none">{mark} <b>0</b></span>'
    return (
        f'<a class="filter {tone}" href="#ledger" data-verdict="{tone}">'
        f"{mark} <b>{number:,}</b> {part}</a>"
    )


def _risks(ledger: EvidenceLedger) -> str:
    if not ledger.risk_flags:
        return ""
    numbers = wording.numbers_by_claim(ledger)
    items = "".join(
        _risk(flag, wording.affected(flag.affected_claim_ids, numbers))
        for flag in ledger.risk_flags
    )
    name = f"Risk flags <small>{len(ledger.risk_flags)}</small>"
    return section("risks", name, f'<ul class="risks">{items}</ul>')


def _risk(flag: RiskFlag, claims: Sequence[int]) -> str:
    todo = f'<p class="todo">What to do: {isolated(flag.mitigation)}</p>' if flag.mitigation else ""
    touched = f'<p class="soft">Claims: {claim_links(claims)}</p>' if claims else ""
    return (
        f'<li class="risk {flag.severity.value}"><h3><i aria-hidden="true">⚠</i> '
        f"{RISK_WORDS[flag.type]} <small>{SEVERITY_WORDS[flag.severity]}</small></h3>"
        f"<p>{isolated(flag.description)}</p>{todo}{touched}</li>"
    )


def _listed_section(id: str, name: str, texts: tuple[str, ...]) -> str:
    return section(id, name, listed([isolated(text) for text in texts])) if texts else ""


def _sources(sources: Sequence[Source]) -> str:
    if not sources:
        return section("sources", "Sources", '<p class="nothing">No source was given.</p>')
    names = {source.id: source.filename for source in sources}
    rows = "".join(_source(source, names.get(source.superseded_by or "")) for source in sources)
    table = (
        '<div class="wide"><table class="sources"><thead><tr><th scope="col">File</th>'
        '<th scope="col">Format</th><th scope="col">Characters</th><th scope="col">Date</th>'
        f'<th scope="col">SHA-256 of its text</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )
    return section("sources", f"Sources <small>{len(sources):,}</small>", table)


def _source(source: Source, successor: str | None) -> str:
    replaced = f'<p class="low">replaced by {isolated(successor)}</p>' if successor else ""
    return (
        f'<tr><th scope="row">{isolated(source.filename)}{replaced}</th>'
        f"<td>{isolated(source.format)}</td><td>{source.chars:,}</td>"
        f"<td>{isolated(source.date or 'not stated')}</td>"
        f"<td><code>{isolated(source.sha256)}</code></td></tr>"
    )


def _record(ledger: EvidenceLedger, seal_head: str | None) -> str:
    """What identifies this ledger, and what it was made with."""
    facts = [
        ("Ledger", ledger.id),
        ("Session", ledger.session_id),
        ("Created", wording.stamp(ledger.created_at)),
        ("Updated", wording.stamp(ledger.updated_at)),
        ("Judge", wording.judged_by(ledger)),
        ("Claims found by", ledger.judge.extractor),
    ]
    if seal_head:
        facts.append(("Seal head (SHA-256)", seal_head))
    rows = "".join(f"<div><dt>{k}</dt><dd><code>{isolated(v)}</code></dd></div>" for k, v in facts)
    return section("record", "Record", f'<dl class="facts">{rows}</dl>')


_KEYS = (
    ("j", "next claim"),
    ("k", "previous claim"),
    ("o or Enter", "open or close the claim"),
    ("a", "the claim in the answer"),
    ("c", "copy the claim's citation"),
    ("/", "search"),
    ("?", "this help"),
    ("Esc", "close, or leave the search"),
)

_HELP = (
    '<dialog id="help" aria-label="keys and symbols"><h2>Keys</h2><dl class="keys">'
    + "".join(f"<div><dt><kbd>{escape(k)}</kbd></dt><dd>{escape(v)}</dd></div>" for k, v in _KEYS)
    + '</dl><h2>Verdicts</h2><dl class="keys">'
    + "".join(
        f"<div><dt>{verdict_badge(verdict)}</dt><dd>{VERDICT_MEANINGS[verdict]}</dd></div>"
        for verdict in WORST_FIRST
    )
    + '</dl><button type="button" id="help-close">Close</button></dialog>'
    '<p id="said" class="vh" role="status"></p>'
)
