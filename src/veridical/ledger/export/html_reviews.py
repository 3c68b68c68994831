"""What reviewers decided, on the ledger's page: beside each verdict, and all of it in a section."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export import reviews, wording
from veridical.ledger.export.wording import VERDICT_SIGNS, VERDICT_WORDS, WORST_FIRST, Numbered
from veridical.ledger.review import Decision, EntryReview
from veridical.ledger.reviewed import Reviewed
from veridical.validation.reports.markup import isolated

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
        f"{reviews.verdict_in_words(verdict)} {found.by_verdict[verdict]:,}"
        for verdict in WORST_FIRST
    )
    return (
        f'<p class="reviewed">{reviews.counted(found, ledger)}. '
        f'<span class="soft">With the reviewers’ verdicts: {counts}.</span></p>'
    )


def beside_verdict(review: EntryReview | None) -> str:
    """What stands in the table beside the machine's verdict."""
    if review is None or review.verdict is None:
        return ""
    word = reviews.DECISION_WORDS[review.decision]
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
        f"{isolated(reviews.decided(review))}</span></p>{reason}"
    )


def render_reviews(ledger: EvidenceLedger, found: Reviewed) -> str:
    """Every decision, oldest first, those that no longer count too."""
    if not found.history:
        return ""
    claims = wording.rows_by_entry(ledger)
    rows = "".join(_row(review, claims[review.entry_id]) for review in found.history)
    heads = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("Claim", "Decision", "Machine", "Reviewer", "Who and when", "Why")
    )
    table = (
        '<div class="wide"><table class="sources reviews">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    return section("reviews", f"Reviews <small>{len(found.history):,}</small>", table)


def _row(review: EntryReview, row: Numbered) -> str:
    number, verdict = row.number, verdict_badge(review.verdict) if review.verdict else "–"
    old = reviews.of_another_verdict(review, row.entry)
    remark = f' <small class="soft">{old}</small>' if old else ""
    return (
        f'<tr><th scope="row"><a class="to" href="#claim-{number}">#{number}</a></th>'
        f"<td>{reviews.DECISION_WORDS[review.decision]}{remark}</td>"
        f"<td>{verdict_badge(review.machine_verdict)}</td><td>{verdict}</td>"
        f"<td>{isolated(review.reviewer or 'not named')}, "
        f"<time>{isolated(wording.stamp(review.at))}</time></td>"
        f"<td>{isolated(review.reason)}</td></tr>"
    )
