"""What reviewers decided, on the ledger's page: beside each verdict, and all of it in a section."""

from __future__ import annotations

from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export import reviews, wording
from veridical.ledger.export.html_words import section, verdict_badge
from veridical.ledger.export.wording import WORST_FIRST, Numbered
from veridical.ledger.review import Decision, EntryReview
from veridical.ledger.reviewed import Reviewed
from veridical.validation.reports.markup import isolated


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
