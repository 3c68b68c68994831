"""The small pieces that the parts of the ledger's page share."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judging.verdict import Verdict
from veridical.ledger.export.wording import VERDICT_SIGNS, VERDICT_WORDS

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
