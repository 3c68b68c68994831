"""The report as one HTML page: claims on one side, their sources on the other.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of claims and documents as text.
"""

from __future__ import annotations

from veridical.validation.reports import wording
from veridical.validation.reports.anchors import Anchors
from veridical.validation.reports.html_claims import render_claims
from veridical.validation.reports.html_source import ICONS, TONES, render_source
from veridical.validation.reports.markup import escape, isolated
from veridical.validation.reports.page import asset, page, report_style
from veridical.validation.reports.places import Places, Role
from veridical.validation.reports.wording import STATUS_WORDS, WORST_FIRST, count
from veridical.validation.results import Status, Summary, ValidationReport

DEFAULT_TITLE = "Quote validation"


def render_html(
    report: ValidationReport, *, title: str | None = None, generated: str | None = None
) -> str:
    """The report as a self-contained HTML page.

    `title` heads the page; `generated`, a time for example, is shown as it is. Without it the page
    holds no time: the same report gives the same bytes.
    """
    anchors = Anchors([result.claim.id for result in report.results])
    places = Places(report)
    name = title or DEFAULT_TITLE
    body = (
        f'{_header(report, name, generated)}{_SWITCH}<main class="panes">'
        f"{_claims_pane(report, places, anchors)}{_source_pane(places, anchors)}</main>{_HELP}"
    )
    style = report_style(__package__, "report.css")
    return page(name, body, style=style, script=asset(__package__, "report.js"))


def _header(report: ValidationReport, title: str, generated: str | None) -> str:
    stamp = f'<span class="soft">{isolated(generated)}</span>' if generated else ""
    strict = '<span class="soft">strict: doubtful and ambiguous claims fail</span>'
    return (
        f'<header class="report-head"><div class="line"><h1>{isolated(title)}</h1>{stamp}'
        f"{strict if report.strict else ''}"
        '<button type="button" id="p:help-button" class="js-only" aria-label="keys and symbols">?'
        f"</button></div>{_rate(report.summary)}{_troubles(report)}</header>"
    )


def _rate(summary: Summary) -> str:
    if not summary.total:
        return '<p class="rate">No claim was checked.</p>'
    counts = {
        Status.FAILED: summary.failed,
        Status.LOW_CONFIDENCE: summary.low_confidence,
        Status.AMBIGUOUS: summary.ambiguous,
        Status.VALIDATED: summary.validated,
    }
    filters = [_filter("all", "", "All", summary.total)]
    filters += [
        _filter(TONES[status], ICONS[status], STATUS_WORDS[status], counts[status])
        for status in WORST_FIRST
    ]
    return (
        f'<p class="rate"><strong>{summary.validated:,} of {count(summary.total, "claim")} '
        f"validated</strong> ({wording.percent(summary.validation_rate)} %)</p>"
        f'<nav class="filters" aria-label="claims by status">{"".join(filters)}</nav>'
    )


def _filter(tone: str, icon: str, word: str, number: int) -> str:
    mark = f'<i aria-hidden="true">{icon}</i> ' if icon else ""
    if not number:
        return f'<span class="filter {tone} none">{mark}{word} <b>0</b></span>'
    target = "p:claims" if tone == "all" else f"g:{tone}"
    return (
        f'<a class="filter {tone}" href="#{target}" data-status="{tone}">'
        f"{mark}{word} <b>{number:,}</b></a>"
    )


def _troubles(report: ValidationReport) -> str:
    """What went wrong in the run, where every reader sees it."""
    parts = []
    if report.errors:
        items = []
        for error in report.errors:
            claims = [isolated(name) for name in error.affected_claims[:20]]
            more = len(error.affected_claims) - len(claims)
            claims += [f"{more:,} more"] if more > 0 else []
            touched = f" Claims: {', '.join(claims)}." if claims else ""
            code = error.code.replace("_", " ").lower()
            items.append(
                f"<li><strong>{isolated(code)}:</strong> {isolated(error.message)}{touched}</li>"
            )
        parts.append(
            '<section class="errors" role="alert"><h2><i aria-hidden="true">✕</i> '
            f"The run was not completed: {count(len(report.errors), 'error')}</h2>"
            f"<ul>{''.join(items)}</ul></section>"
        )
    if report.notes:
        texts = [
            f"{note.claim_id}: {note.message}" if note.claim_id else note.message
            for note in report.notes
        ]
        notes = [f"<li>{isolated(text)}</li>" for text in texts]
        parts.append(
            f'<details class="notes"><summary>{count(len(notes), "note")} on this run</summary>'
            f"<ul>{''.join(notes)}</ul></details>"
        )
    return "".join(parts)


def _claims_pane(report: ValidationReport, places: Places, anchors: Anchors) -> str:
    rows = render_claims(report, places, anchors)
    return (
        '<section class="pane" id="p:claims" aria-label="Claims"><div class="bar">'
        '<h2 class="vh">Claims</h2>'
        '<input type="search" id="p:search" class="js-only" placeholder="Search claims" '
        'aria-label="search claims" autocomplete="off" spellcheck="false">'
        '<label class="js-only">Order <select id="p:order"><option value="worst">worst first'
        '</option><option value="document">as in the documents</option>'
        '<option value="claims">as in the claims file</option></select></label>'
        '<output id="p:count" class="soft js-only" for="p:search"></output></div>'
        f'<div class="scroll" id="p:rows">{rows}'
        '<p class="nothing" id="p:nothing" hidden>No claim fits. '
        '<button type="button" id="p:clear">Show all</button></p></div></section>'
    )


def _source_pane(places: Places, anchors: Anchors) -> str:
    if not places.documents:
        body = '<p class="nothing">No document could be read.</p>'
        return f'<section class="pane" id="p:source" aria-label="Source">{body}</section>'
    cited = [0] * len(places.documents)
    for place in places.all:
        cited[place.document] += place.uses[0].role is Role.EVIDENCE
    tabs = [
        f'<a class="tab" href="#d:{number + 1}" data-doc="d:{number + 1}">'
        f'{isolated(document.name)} <b title="{count(cited[number], "place")} that claims rest on">'
        f"{cited[number]:,}</b></a>"
        for number, document in enumerate(places.documents)
    ]
    return (
        '<section class="pane" id="p:source" aria-label="Source"><div class="bar">'
        f'<nav class="tabs" aria-label="Documents">{"".join(tabs)}</nav>'
        '<span class="step js-only"><button type="button" id="p:back" '
        'aria-label="back to the claim" title="back to the claim">↩</button>'
        '<button type="button" id="p:previous" aria-label="previous place" title="previous place">'
        '‹</button><button type="button" id="p:next" aria-label="next place" title="next place">›'
        '</button></span></div><div class="scroll" id="p:text">'
        f"{render_source(places, anchors)}</div></section>"
    )


_SWITCH = (
    '<div class="switch js-only"><button type="button" id="p:show-claims" aria-pressed="true">'
    'Claims</button><button type="button" id="p:show-source" aria-pressed="false">Source</button>'
    "</div>"
)

_KEYS = (
    ("j", "next claim"),
    ("k", "previous claim"),
    ("o", "open the claim's place in the source"),
    ("/", "search"),
    ("?", "this help"),
    ("Esc", "close, or leave the search"),
)

_MEANINGS = {
    Status.FAILED: "not in the sources in these words, or not where the claim says",
    Status.LOW_CONFIDENCE: "something like it was found; read it and decide",
    Status.AMBIGUOUS: "it stands in more than one place",
    Status.VALIDATED: "it stands in the source; the fidelity says how exactly",
}

_HELP = (
    '<dialog id="p:help" aria-label="keys and symbols"><h2>Keys</h2><dl class="keys">'
    + "".join(f"<div><dt><kbd>{escape(k)}</kbd></dt><dd>{escape(v)}</dd></div>" for k, v in _KEYS)
    + '</dl><h2>Symbols</h2><dl class="keys">'
    + "".join(
        f'<div><dt class="status {TONES[s]}"><i aria-hidden="true">{ICONS[s]}</i> '
        f"{STATUS_WORDS[s]}</dt><dd>{_MEANINGS[s]}</dd></div>"
        for s in WORST_FIRST
    )
    + '<div><dt class="status tried"><i>○</i> Tried</dt><dd>a place that was looked at and '
    "rejected</dd></div></dl>"
    '<button type="button" id="p:help-close">Close</button></dialog>'
)
