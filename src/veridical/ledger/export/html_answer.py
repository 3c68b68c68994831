"""The answer on the ledger's page, every claim underlined and linked to its entry."""

from __future__ import annotations

from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export.answer import Stretch, stretches
from veridical.ledger.export.html_words import TONES, section
from veridical.ledger.export.wording import VERDICT_WORDS
from veridical.ledger.reviewed import Reviewed
from veridical.validation.reports.markup import isolated


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
