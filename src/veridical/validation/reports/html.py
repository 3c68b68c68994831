"""The report as one HTML page: claims on one side, their sources on the other.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of claims and documents as text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.matching.match import Match, MatchType
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.reports import wording
from veridical.validation.reports.html_source import ICONS, TONES, render_source
from veridical.validation.reports.markup import escape, isolated, label
from veridical.validation.reports.page import asset, page, report_style
from veridical.validation.reports.places import Anchors, Places, Role
from veridical.validation.reports.wording import STATUS_WORDS, WORST_FIRST, count
from veridical.validation.results import (
    Attempt,
    ClaimResult,
    Fidelity,
    Status,
    Summary,
    ValidationReport,
)

# The claims' side of the HTML report: one row for each claim, worst first.


MOST_LISTED = 10
MOST_PASSAGE_CHARS = 600

_TYPES = {
    EvidenceType.DIRECT_QUOTE: "direct quote",
    EvidenceType.PARAPHRASE: "paraphrase",
    EvidenceType.SECTION_REFERENCE: "section reference",
    EvidenceType.CONCEPT_REFERENCE: "concept reference",
}

_LEADS = {
    Fidelity.VERBATIM: "Stands in",
    Fidelity.NORMALISED: "Stands in",
    Fidelity.ALTERED: "Compare",
    Fidelity.MISATTRIBUTED: "Really stands in",
    None: "Found in",
}


def render_claims(report: ValidationReport, places: Places, anchors: Anchors) -> str:
    """All claims, in groups by status; in the order of the report within a group."""
    order = _document_order(report, places)
    groups: dict[Status, list[str]] = {status: [] for status in WORST_FIRST}
    for number, result in enumerate(report.results):
        row = _Row(number, result, places, anchors)
        groups[result.status].append(row.render(order[number]))
    return "".join(_group(status, rows) for status, rows in groups.items() if rows)


def status_badge(status: Status) -> str:
    """Icon and word in the colour of a status."""
    return (
        f'<span class="status {TONES[status]}"><i aria-hidden="true">{ICONS[status]}</i> '
        f"{STATUS_WORDS[status]}</span>"
    )


def _group(status: Status, rows: list[str]) -> str:
    tone = TONES[status]
    return (
        f'<section class="group" id="g:{tone}"><h3>{status_badge(status)} '
        f'<span class="soft">{wording.count(len(rows), "claim")}</span></h3>'
        f'<ol class="claims">{"".join(rows)}</ol></section>'
    )


def _document_order(report: ValidationReport, places: Places) -> list[int]:
    """The rank of each result by where its place stands; claims without a place come last."""

    def key(number: int) -> tuple[float, int]:
        match = wording.primary_place(report.results[number])
        return (places.of(match).number if match else float("inf"), number)

    ranks = [0] * len(report.results)
    for rank, number in enumerate(sorted(range(len(ranks)), key=key)):
        ranks[number] = rank
    return ranks


@dataclass(frozen=True, slots=True)
class _Row:
    """One claim, as HTML."""

    number: int
    result: ClaimResult
    places: Places
    anchors: Anchors

    def render(self, rank: int) -> str:
        """The list item of the claim; `rank` is its place in the order of the documents."""
        anchor, status = self.anchors.of[self.number], self.result.status
        return (
            f'<li class="claim {TONES[status]}" id="{anchor}" data-status="{TONES[status]}" '
            f'data-rank="{rank}" data-number="{self.number}" data-m="{self._numbers()}">'
            f"{self._head(anchor)}{self._body()}{self._more()}</li>"
        )

    def _numbers(self) -> str:
        result = self.result
        matches = [
            *filter(None, (result.match, result.found_at)),
            *result.alternatives,
            *(attempt.match for attempt in result.attempts),
        ]
        return " ".join(dict.fromkeys(str(self.places.of(match).number) for match in matches))

    def _head(self, anchor: str) -> str:
        result = self.result
        place = wording.primary_place(result)
        target = self.places.of(place).anchor if place else anchor
        phrase = wording.fidelity_phrase(result)
        fidelity = f'<span class="fidelity">{escape(phrase)}</span>' if phrase else ""
        return (
            f'<div class="head"><a class="go" href="#{target}">'
            f"<strong>{isolated(result.claim.id)}</strong></a> {status_badge(result.status)} "
            f"{fidelity}{confidence_bar(result.confidence)}</div>"
        )

    def _body(self) -> str:
        result = self.result
        parts = [f'<blockquote class="quote">{isolated(result.claim.quote)}</blockquote>']
        if result.diff and result.claim.evidence_type is EvidenceType.DIRECT_QUOTE:
            parts.append(self._diff())
        elif passage := self._passage():
            parts.append(passage)
        if result.status is not Status.VALIDATED:
            parts.append(f'<p class="why">{isolated(wording.reason(result))}</p>')
        place = wording.primary_place(result)
        if place is not None:
            lead = _LEADS.get(result.fidelity, "See")
            parts.append(f'<p class="where">{lead} {self._link(place)}</p>')
        return "".join(parts)

    def _diff(self) -> str:
        """The quote with the source's words beside those that were changed."""
        quote, at = self.result.claim.quote, 0
        words: list[str] = []
        for part in self.result.diff:
            found = quote.find(part.quoted, at) if part.quoted else -1
            words.append(" " if found < 0 else escape(quote[at:found]))
            if found >= 0:
                at = found + len(part.quoted)
            if part.equal:
                words.append(isolated(part.quoted))
                continue
            if part.source:
                words.append(f"<del><small>source</small> {isolated(part.source)}</del> ")
            if part.quoted:
                words.append(f"<ins><small>quote</small> {isolated(part.quoted)}</ins>")
        return f'<p class="diff">{"".join(words)}</p>'

    def _passage(self) -> str:
        """The source's own words, where they differ from the quote's."""
        place = wording.primary_place(self.result)
        if place is None or self.result.fidelity is Fidelity.VERBATIM:
            return ""
        shown = place.shown
        if shown.split() == self.result.claim.quote.split():
            return ""
        cut = "…" if len(shown) > MOST_PASSAGE_CHARS else ""
        words = isolated(shown[:MOST_PASSAGE_CHARS] + cut)
        return f'<p class="passage"><small class="lead">In the source</small> {words}</p>'

    def _link(self, match: Match) -> str:
        words = isolated(wording.place_phrase(match))
        link = f'<a class="place" href="#{self.places.of(match).anchor}">{words}</a>'
        if match.match_type is MatchType.EXACT:
            return link
        return f'{link} <span class="soft">similarity {wording.percent(match.similarity)} %</span>'

    def _more(self) -> str:
        result = self.result
        parts = []
        if result.alternatives:
            parts.append(
                "<h4>Other places</h4>" + self._listed(map(self._link, result.alternatives))
            )
        tried = [a for a in result.attempts if a.match is not wording.primary_place(result)]
        if tried:
            parts.append("<h4>Tried and rejected</h4>" + self._listed(map(self._attempt, tried)))
        if result.suggestions:
            parts.append("<h4>What to do</h4>" + self._listed(map(isolated, result.suggestions)))
        parts += [f'<p class="warn">! {isolated(note.message)}</p>' for note in result.notes]
        parts.append(f'<dl class="facts">{"".join(_facts(result.claim))}</dl>')
        opened = " open" if result.status is Status.AMBIGUOUS else ""
        return f"<details{opened}><summary>{self._summary()}</summary>{''.join(parts)}</details>"

    def _summary(self) -> str:
        result = self.result
        found = [
            wording.count(number, noun)
            for number, noun in (
                (len(result.alternatives), "other place"),
                (len(result.suggestions), "suggestion"),
                (len(result.notes), "note"),
            )
            if number
        ]
        return ", ".join(("Details", *found)) if found else "Details"

    def _attempt(self, attempt: Attempt) -> str:
        shown = wording.first_words(attempt.match.shown, 160)
        return (
            f"{self._link(attempt.match)}: “{isolated(shown)}” "
            f'<span class="soft">{isolated(attempt.reason)}</span>'
        )

    @staticmethod
    def _listed(items: Iterator[str]) -> str:
        every = list(items)
        more = len(every) - MOST_LISTED
        rest = [f"and {more:,} more"] if more > 0 else []
        return "<ul>" + "".join(f"<li>{item}</li>" for item in every[:MOST_LISTED] + rest) + "</ul>"


def confidence_bar(confidence: float) -> str:
    """A confidence as number, bar and word."""
    whole, word = wording.percent(confidence), wording.confidence_word(confidence)
    return (
        f'<span class="conf" title="confidence {whole} %, {label(word)}">'
        '<svg viewBox="0 0 50 6" aria-hidden="true"><rect class="rail" width="50" height="6"/>'
        f'<rect width="{whole / 2:g}" height="6"/></svg> '
        f'<span class="vh">confidence </span>{whole} % {word}</span>'
    )


def _facts(claim: Claim) -> Iterator[str]:
    """What the claim itself says."""
    said = (
        ("Type", _TYPES[claim.evidence_type]),
        ("Task", claim.task_id),
        ("Claimed source", claim.source),
        ("Expected section", claim.expected_section),
        ("Context hint", claim.context_hint),
        ("Threshold", f"{wording.percent(claim.confidence_threshold)} %"),
    )
    for name, value in said:
        if value:
            yield f"<div><dt>{name}:</dt> <dd>{isolated(value)}</dd></div>"


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
