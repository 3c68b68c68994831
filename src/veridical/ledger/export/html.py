"""The ledger as one HTML page: what is wrong, how we know it, and the words themselves.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of answer, sources and judge as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veridical.judging.confidence import confidence_band
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import (
    CitationCheck,
    Evidence,
    EvidenceLedger,
    LedgerEntry,
    NewerVersion,
    RiskFlag,
    Source,
)
from veridical.ledger.export import wording
from veridical.ledger.export.wording import (
    IMPORTANCE_WORDS,
    RISK_WORDS,
    SEVERITY_WORDS,
    TYPE_WORDS,
    VERDICT_MEANINGS,
    VERDICT_SIGNS,
    VERDICT_WORDS,
    WORST_FIRST,
    Numbered,
    Stretch,
    stretches,
)
from veridical.ledger.review import Decision, EntryReview, Reviewed, without_reviews
from veridical.validation.reports.markup import escape, isolated
from veridical.validation.reports.page import asset, page, report_style
from veridical.validation.reports.wording import count, percent

# The small pieces that the parts of the ledger's page share.


TONES = {
    Verdict.SUPPORTED: "ok",
    Verdict.WEAK: "low",
    Verdict.CONTRADICTED: "fail",
    Verdict.NOT_FOUND: "none-found",
}
"""The classes, and the names in addresses, of verdicts."""

MOST_LINKS = 50


def verdict_badge(verdict: Verdict) -> str:
    """Sign and word in the colour of a verdict."""
    return (
        f'<span class="verdict {TONES[verdict]}"><i aria-hidden="true">{VERDICT_SIGNS[verdict]}</i>'
        f" {VERDICT_WORDS[verdict]}</span>"
    )


def claim_links(numbers: Sequence[int]) -> str:
    """Links to claims; more than `MOST_LINKS` are counted."""
    links = [f'<a class="to" href="#claim-{n}">#{n}</a>' for n in numbers[:MOST_LINKS]]
    more = len(numbers) - MOST_LINKS
    return ", ".join(links) + (f" and {more:,} more" if more > 0 else "")


def listed(items: Sequence[str]) -> str:
    """Items, already HTML, as a list."""
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def section(id: str, name: str, body: str) -> str:
    """A section of the page; name and body are HTML."""
    return (
        f'<section id="{id}" aria-labelledby="{id}-name"><h2 id="{id}-name">{name}</h2>'
        f"{body}</section>"
    )


def reviewed_counts(ledger: EvidenceLedger, found: Reviewed) -> str:
    """Under the machine's counts: how many were reviewed, and the counts with that; or nothing."""
    if not found.history:
        return ""
    counts = ", ".join(
        f"{wording.verdict_in_words(verdict)} {found.by_verdict[verdict]:,}"
        for verdict in WORST_FIRST
    )
    return (
        f'<p class="reviewed">{wording.counted(found, ledger)}. '
        f'<span class="soft">With the reviewers’ verdicts: {counts}.</span></p>'
    )


def beside_verdict(review: EntryReview | None) -> str:
    """What stands in the table beside the machine's verdict."""
    if review is None or review.verdict is None:
        return ""
    word = wording.DECISION_WORDS[review.decision]
    if review.decision is Decision.ACCEPT:
        return f' <small class="soft">{word}</small>'
    return f' <small class="soft">{word}:</small> {verdict_badge(review.verdict)}'


def review_lines(review: EntryReview | None) -> str:
    """What stands in an entry under the machine's verdict, with the reason."""
    if review is None or review.verdict is None:
        return ""
    reason = f'<p class="notes">{isolated(review.reason)}</p>' if review.reason.strip() else ""
    return (
        f'<p class="line review"><span class="soft">Reviewer</span> '
        f'{verdict_badge(review.verdict)} <span class="soft">'
        f"{isolated(wording.decided(review))}</span></p>{reason}"
    )


def render_reviews(ledger: EvidenceLedger, found: Reviewed) -> str:
    """Every decision, oldest first, those that no longer count too."""
    if not found.history:
        return ""
    claims = wording.rows_by_entry(ledger)
    rows = "".join(_review_row(review, claims[review.entry_id]) for review in found.history)
    heads = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("Claim", "Decision", "Machine", "Reviewer", "Who and when", "Why")
    )
    table = (
        '<div class="wide"><table class="sources reviews">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    return section("reviews", f"Reviews <small>{len(found.history):,}</small>", table)


def _review_row(review: EntryReview, row: Numbered) -> str:
    number, verdict = row.number, verdict_badge(review.verdict) if review.verdict else "–"
    old = wording.of_another_verdict(review, row.entry)
    remark = f' <small class="soft">{old}</small>' if old else ""
    return (
        f'<tr><th scope="row"><a class="to" href="#claim-{number}">#{number}</a></th>'
        f"<td>{wording.DECISION_WORDS[review.decision]}{remark}</td>"
        f"<td>{verdict_badge(review.machine_verdict)}</td><td>{verdict}</td>"
        f"<td>{isolated(review.reviewer or 'not named')}, "
        f"<time>{isolated(wording.stamp(review.at))}</time></td>"
        f"<td>{isolated(review.reason)}</td></tr>"
    )


# The answer on the ledger's page, every claim underlined and linked to its entry.


def render_answer(ledger: EvidenceLedger, found: Reviewed) -> str:
    """The answer as it was written: its markup is shown, not rendered. Claims are underlined in the
    verdict that stands, which is the reviewer's where there is one.
    """
    words = "".join(_piece(ledger, found, piece) for piece in stretches(ledger))
    empty = '<p class="nothing">The answer is empty.</p>'
    body = f'<div class="answer">{words}</div>' if ledger.answer.strip() else empty
    return section("answer", "Answer", body)


def _piece(ledger: EvidenceLedger, found: Reviewed, piece: Stretch) -> str:
    if not piece.claims:
        return isolated(piece.text)
    first, *others = piece.claims
    return _link(ledger, found, first, isolated(piece.text)) + "".join(
        _link(ledger, found, number, "") for number in others
    )


def _link(ledger: EvidenceLedger, found: Reviewed, number: int, words: str) -> str:
    entry = ledger.entries[number - 1]
    review = found.standing.get(entry.id)
    verdict = (review.verdict if review else None) or entry.verdict
    said = VERDICT_WORDS[verdict].lower()
    if verdict is not entry.verdict:
        said += f" (reviewer; machine: {VERDICT_WORDS[entry.verdict].lower()})"
    return (
        f'<a class="said {TONES[verdict]}" id="said-{number}" href="#claim-{number}" '
        f'title="claim {number}: {said}">{words}<sup>{number}</sup></a>'
    )


# The expanded entries: section 8.2 of the ledger specification.


MOST_PASSAGES = 5


def render_entries(ledger: EvidenceLedger, found: Reviewed) -> str:
    """Every entry in full, in the order of the answer."""
    if not ledger.entries:
        return ""
    sources = wording.sources_by_id(ledger)
    entries = "".join(
        _entry(row, sources, found.standing.get(row.entry.id)) for row in wording.numbered(ledger)
    )
    return section("entries", "Claims in detail", entries)


def _entry(row: Numbered, sources: Mapping[str, Source], review: EntryReview | None) -> str:
    entry, n = row.entry, row.number
    claim = entry.claim
    kind = f"{TYPE_WORDS[claim.type]} · {IMPORTANCE_WORDS[claim.importance]}"
    context = (
        f'<p class="soft">Speaks of: {isolated(claim.context)}</p>' if claim.context.strip() else ""
    )
    return (
        f'<article class="entry {TONES[entry.verdict]}" id="claim-{n}" '
        f'aria-labelledby="claim-{n}-name" tabindex="-1"><h3 id="claim-{n}-name">'
        f'<span class="soft">Claim #{n}</span> {isolated(wording.claim_words(claim))}</h3>'
        f'{context}<p class="line">{verdict_badge(entry.verdict)} {_confidence(entry)} '
        f'<span class="soft">{kind}</span></p>{review_lines(review)}'
        f"{''.join(_body(entry, sources))}"
        f'<p class="back"><a href="#said-{n}">Show in the answer</a> '
        f'<a class="to-table" href="#row-{n}">Back to the table</a></p></article>'
    )


def _confidence(entry: LedgerEntry) -> str:
    """A confidence as number, bar and word, in its band's style; nothing beside what was not found,
    where it would be read as that of the verdict.
    """
    if entry.verdict is Verdict.NOT_FOUND:
        return ""
    score = wording.confidence(entry.confidence_score)
    width = min(1.0, max(0.0, entry.confidence_score)) * 60
    style = confidence_band(entry.confidence_score).value.replace("_", "-")
    return (
        f'<span class="conf {style}"><span class="soft">Confidence</span> {score} '
        '<svg viewBox="0 0 60 8" aria-hidden="true"><rect class="rail" width="60" height="8"/>'
        f'<rect width="{width:g}" height="8"/></svg> '
        f'<b class="badge">{wording.band(entry.confidence_score)}</b></span>'
    )


def _body(entry: LedgerEntry, sources: Mapping[str, Source]) -> Iterator[str]:
    first = wording.deciding(entry)
    if first:
        yield f"<h4>Evidence</h4>{_passage(first, sources)}"
    if entry.notes.strip():
        yield f'<h4>Judge’s notes</h4><p class="notes">{isolated(entry.notes)}</p>'
    if first:
        yield _cite(first)
    if more := entry.evidence[1:]:
        yield _folded(f"{count(len(more), 'more passage')}", more, sources)
    if entry.near:
        name = "Nearest passages: they do not bear the claim out"
        yield _folded(name, entry.near, sources, opened=True)
    if entry.citations:
        yield "<h4>The answer’s own citations</h4>" + listed(
            [_checked(check, sources) for check in entry.citations]
        )


def _passage(evidence: Evidence, sources: Mapping[str, Source]) -> str:
    where = isolated(wording.full_place(evidence, sources))
    against = '<strong class="fail">speaks against it</strong> ' if evidence.contradicts else ""
    cited = " · cited by the answer" if evidence.cited else ""
    return (
        f"<figure><blockquote>{isolated(evidence.snippet)}</blockquote><figcaption>{against}"
        f'— {where}<span class="soft">{cited}</span></figcaption></figure>'
    )


def _folded(
    name: str,
    passages: tuple[Evidence, ...],
    sources: Mapping[str, Source],
    *,
    opened: bool = False,
) -> str:
    shown = "".join(_passage(each, sources) for each in passages[:MOST_PASSAGES])
    left = len(passages) - MOST_PASSAGES
    rest = f'<p class="soft">{count(left, "passage")} left out here.</p>' if left > 0 else ""
    return (
        f'<details class="near"{" open" if opened else ""}><summary>{name}</summary>'
        f"{shown}{rest}</details>"
    )


def _cite(evidence: Evidence) -> str:
    marker = isolated(wording.citation(evidence))
    return (
        f'<p class="cite"><span class="soft">Citation</span> <code>{marker}</code> '
        '<button type="button" class="copy js-only">Copy citation</button></p>'
    )


def _checked(check: CitationCheck, sources: Mapping[str, Source]) -> str:
    source = sources.get(check.source_id or "")
    marker = f"<code>{isolated(check.marker.value)}</code>"
    if check.problem or source is None:
        return f'{marker} <span class="fail">✗ {isolated(check.problem or "not found")}</span>'
    return f"{marker} ✓ {isolated(source.filename)}"


# The table of all claims: section 8.1 of the ledger specification.


_COLUMNS = (
    ("number", "#"),
    ("claim", "Claim"),
    ("type", "Type"),
    ("verdict", "Verdict"),
    ("source", "Source"),
)

SHOWN_AT_FIRST = 500
"""Rows that a browser with scripts lays out before it is asked for more; the script's `STEP`."""


def render_table(ledger: EvidenceLedger, found: Reviewed) -> str:
    """One row a claim, the worst verdicts first; each leads to its entry."""
    if not ledger.entries:
        nothing = '<p class="nothing">No claim was found in the answer.</p>'
        return section("ledger", "Claims", nothing)
    sources = wording.sources_by_id(ledger)
    rows = "".join(_rows(ledger, sources, found.standing))
    heads = "".join(
        f'<th scope="col" class="{key}" data-key="{key}"'
        f"{_SORTED if key == 'verdict' else ''}><span>{name}</span></th>"
        for key, name in _COLUMNS
    )
    return section(
        "ledger",
        f"Claims <small>{len(ledger.entries):,}</small>",
        f'{_BAR}<table class="ledger"><thead><tr>{heads}</tr></thead>'
        f'<tbody id="rows">{rows}</tbody></table>{_NOTHING}',
    )


def _rows(
    ledger: EvidenceLedger, sources: Mapping[str, Source], standing: Mapping[str, EntryReview]
) -> Iterator[str]:
    rank = {verdict: place for place, verdict in enumerate(WORST_FIRST)}
    for at, row in enumerate(wording.worst_first(wording.numbered(ledger))):
        review = beside_verdict(standing.get(row.entry.id))
        yield _row(row, rank[row.entry.verdict], sources, review, late=at >= SHOWN_AT_FIRST)


def _row(
    row: Numbered, rank: int, sources: Mapping[str, Source], review: str, *, late: bool
) -> str:
    entry, n = row.entry, row.number
    place = wording.short_place(entry, sources)
    partial = '<small class="soft">(partial match)</small>' if wording.is_partial(entry) else ""
    tone = TONES[entry.verdict]
    return (
        f'<tr class="row {tone}{" late" if late else ""}" id="row-{n}" data-n="{n}" '
        f'data-verdict="{tone}" data-rank="{rank}"><td class="number">{n}</td>'
        f'<th scope="row" class="claim"><a class="go" href="#claim-{n}">'
        f"{isolated(wording.claim_words(entry.claim))}</a></th>"
        f'<td class="type">{TYPE_WORDS[entry.claim.type]}</td>'
        f'<td class="verdict-cell">{verdict_badge(entry.verdict)}{review}</td>'
        f'<td class="source">{isolated(place)} {partial}</td></tr>'
    )


_SORTED = ' aria-sort="ascending"'

_BAR = (
    '<div class="bar js-only"><input type="search" id="search" placeholder="Search claims" '
    'aria-label="search claims" autocomplete="off" spellcheck="false">'
    '<label>Order <select id="order"><option value="verdict">worst first</option>'
    '<option value="number">as in the answer</option><option value="claim">by claim</option>'
    '<option value="type">by type</option><option value="source">by source</option></select>'
    '</label><button type="button" id="open-all" aria-pressed="false">Open all</button>'
    '<output id="count" class="soft" for="search"></output></div>'
)

_NOTHING = (
    '<p class="nothing" id="nothing" hidden>No claim fits. '
    '<button type="button" id="clear">Show all</button></p>'
    '<p id="more" hidden><button type="button" id="more-button">Show more</button></p>'
)

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
    after = wording.share_after(ledger, found.by_verdict)
    reviewed = f'; <strong class="after">{after} after review</strong>' if after else ""
    return (
        f'<p class="rate"><strong class="figure">{wording.share(ledger.summary.evidence_coverage)}'
        f"</strong> evidence coverage: {wording.covered_in_words(ledger)}{reviewed}</p>{chart}"
        '<nav class="filters" aria-label="claims by verdict">'
        f'<a class="filter all" href="#ledger" data-verdict="">All <b>{total:,}</b></a>'
        f"{filters}</nav>"
    )


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
    facts = wording.record(ledger, seal_head)
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
