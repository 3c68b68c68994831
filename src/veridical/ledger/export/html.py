"""The ledger as one HTML page: what is wrong, how we know it, and the words themselves.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of answer, sources and judge as text.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judging.verdict import confidence_band
from veridical.ledger.entry import EvidenceLedger, LedgerEntry, NewerVersion
from veridical.ledger.export import wording
from veridical.ledger.review import Reviewed, without_reviews
from veridical.reports.page import page

SHOWN_AT_FIRST = 500
"""Rows that a browser with scripts lays out before it is asked for more; the script's `STEP`."""


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
    return page(
        "ledger",
        wording.heading(ledger),
        ledger=ledger,
        found=reviewed or without_reviews(ledger),
        newer=[wording.newer_told(each) for each in newer],
        seal_head=seal_head,
        rows=wording.numbered(ledger),
        sources=wording.sources_by_id(ledger),
        numbers=wording.numbers_by_claim(ledger),
        band_class=_band_class,
        wording=wording,
        SHOWN_AT_FIRST=SHOWN_AT_FIRST,
    )


def _band_class(entry: LedgerEntry) -> str:
    return confidence_band(entry.confidence_score).value.replace("_", "-")
