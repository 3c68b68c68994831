"""The table of all claims: section 8.1 of the ledger specification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from veridical.ledger.entry import EvidenceLedger, Source
from veridical.ledger.export import wording
from veridical.ledger.export.html_reviews import beside_verdict
from veridical.ledger.export.html_words import TONES, section, verdict_badge
from veridical.ledger.export.wording import TYPE_WORDS, WORST_FIRST, Numbered
from veridical.ledger.review import EntryReview
from veridical.ledger.reviewed import Reviewed
from veridical.validation.reports.markup import isolated

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
