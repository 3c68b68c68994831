"""The answer on the ledger's page, every claim underlined and linked to its entry."""

from __future__ import annotations

from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export.answer import Stretch, stretches
from veridical.ledger.export.html_words import TONES, section
from veridical.ledger.export.wording import VERDICT_WORDS
from veridical.validation.reports.markup import isolated


def render_answer(ledger: EvidenceLedger) -> str:
    """The answer as it was written: its markup is shown, not rendered."""
    words = "".join(_piece(ledger, piece) for piece in stretches(ledger))
    empty = '<p class="nothing">The answer is empty.</p>'
    body = f'<div class="answer">{words}</div>' if ledger.answer.strip() else empty
    return section("answer", "Answer", body)


def _piece(ledger: EvidenceLedger, piece: Stretch) -> str:
    if not piece.claims:
        return isolated(piece.text)
    first, *others = piece.claims
    return _link(ledger, first, isolated(piece.text)) + "".join(
        _link(ledger, number, "") for number in others
    )


def _link(ledger: EvidenceLedger, number: int, words: str) -> str:
    verdict = ledger.entries[number - 1].verdict
    return (
        f'<a class="said {TONES[verdict]}" id="said-{number}" href="#claim-{number}" '
        f'title="claim {number}: {VERDICT_WORDS[verdict].lower()}">{words}<sup>{number}</sup></a>'
    )
