"""The ledger as Markdown: section 9.1 of the ledger specification."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.ledger.entry import EvidenceLedger, NewerVersion
from veridical.ledger.export import wording
from veridical.ledger.review import Reviewed, without_reviews
from veridical.reports import markdown


def render_markdown(
    ledger: EvidenceLedger,
    found: Reviewed | None = None,
    newer: Sequence[NewerVersion] = (),
) -> str:
    """The ledger as a Markdown document, claims in the order of the answer.

    What reviewers decided, where it is given, stands beside the machine's verdicts; `newer` are
    sources that have another version since.
    """
    return markdown.render_markdown(
        "ledger",
        ledger=ledger,
        found=found or without_reviews(ledger),
        newer=newer,
        sources=wording.sources_by_id(ledger),
        numbers=wording.numbers_by_claim(ledger),
        rows=wording.numbered(ledger),
        by_entry=wording.rows_by_entry(ledger),
        wording=wording,
    )
