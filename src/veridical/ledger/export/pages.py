"""The ledger as Markdown (section 9.1 of the ledger specification) and as one HTML page.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of answer, sources and judge as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veridical.ledger.entry import EvidenceLedger, NewerVersion
from veridical.ledger.export import wording
from veridical.ledger.review import Reviewed, stands, without_reviews
from veridical.reports import markdown
from veridical.reports.page import page

SHOWN_AT_FIRST = 500
"""Rows that a browser with scripts lays out before it is asked for more; the script's `STEP`."""


def render_markdown(
    ledger: EvidenceLedger,
    *,
    reviewed: Reviewed | None = None,
    newer: Sequence[NewerVersion] = (),
) -> str:
    """The ledger as a Markdown document, claims in the order of the answer.

    What reviewers decided, where it is given, stands beside the machine's verdicts; `newer` are
    sources that have another version since.
    """
    return markdown.render_markdown("ledger", **_told(ledger, reviewed, newer))


def render_ledger_html(
    ledger: EvidenceLedger,
    *,
    seal_head: str | None = None,
    reviewed: Reviewed | None = None,
    newer: Sequence[NewerVersion] = (),
) -> str:
    """The same as a self-contained HTML page, the worst verdicts first.

    `seal_head` is the head of the ledger's hash chain, shown where it is given.
    """
    return page(
        "ledger",
        wording.heading(ledger),
        **_told(ledger, reviewed, newer),
        seal_head=seal_head,
        band_class=lambda entry: wording.band(entry.confidence_score).replace(" ", "-"),
        SHOWN_AT_FIRST=SHOWN_AT_FIRST,
    )


def _told(
    ledger: EvidenceLedger, reviewed: Reviewed | None, newer: Sequence[NewerVersion]
) -> dict[str, Any]:
    """What the templates say a ledger with."""
    return {
        "ledger": ledger,
        "found": reviewed or without_reviews(ledger),
        "newer": [wording.newer_told(each) for each in newer],
        "sources": wording.sources_by_id(ledger),
        "numbers": wording.numbers_by_claim(ledger),
        "rows": wording.numbered(ledger),
        "by_entry": wording.rows_by_entry(ledger),
        "stands": stands,
        "wording": wording,
    }
