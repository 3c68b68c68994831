"""How verdicts and statuses look on the page: sign, word and colour, always together."""

from __future__ import annotations

from veridical.scoring.answer import CriterionVerdict
from veridical.scoring.report.wording import (
    STATUS_SIGNS,
    STATUS_WORDS,
    VERDICT_SIGNS,
    VERDICT_WORDS,
)
from veridical.scoring.scorecard import Status

VERDICT_TONES = {
    CriterionVerdict.MET: "ok",
    CriterionVerdict.PARTIAL: "low",
    CriterionVerdict.MISSED: "fail",
    CriterionVerdict.NOT_OBSERVED: "none",
    CriterionVerdict.NOT_APPLICABLE: "none",
}
STATUS_TONES = {
    Status.PASS: "ok",
    Status.NEEDS_IMPROVEMENT: "low",
    Status.FAIL: "fail",
    Status.INCOMPLETE: "none",
}


def verdict_badge(verdict: CriterionVerdict, *, sign_only: bool = False) -> str:
    """A verdict as HTML; its word is hidden from the eye alone where only the sign has room."""
    word = VERDICT_WORDS[verdict]
    shown = f'<span class="vh">{word}</span>' if sign_only else f" {word}"
    return _badge(VERDICT_TONES[verdict], VERDICT_SIGNS[verdict], shown)


def status_badge(status: Status) -> str:
    """A status as HTML."""
    return _badge(STATUS_TONES[status], STATUS_SIGNS[status], f" {STATUS_WORDS[status]}")


def _badge(tone: str, sign: str, word: str) -> str:
    return f'<b class="badge {tone}"><i aria-hidden="true">{sign}</i>{word}</b>'
