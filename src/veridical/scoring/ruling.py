"""What a reviewer says of a criterion instead of what the scorer said, which stays beside it."""

from __future__ import annotations

import math
from dataclasses import replace

from veridical.errors import ConflictError, ValidationError
from veridical.scoring.scorecard import CriterionScore, CriterionVerdict, Ruling, Scorecard

MOST_REASON_CHARS = 2_000
_SHARES = {
    CriterionVerdict.MET: 1.0,
    CriterionVerdict.PARTIAL: 0.5,
    CriterionVerdict.MISSED: 0.0,
}


def ruled(
    card: Scorecard,
    criterion_id: str,
    verdict: CriterionVerdict | None,
    *,
    reason: str,
    reviewer: str,
    at: str,
    seen: int | None = None,
) -> Scorecard:
    """The card with one ruling more; without a `verdict` the last one on it is taken back.

    `seen` is how many rulings the reviewer knew of: ConflictError where there are others meanwhile.
    Raises ValidationError for a criterion that is not there, the scorer's own verdict, no reason,
    and where there is nothing to take back.
    """
    if seen not in (None, len(card.rulings)):
        raise ConflictError("Somebody else ruled meanwhile. Look at that, then decide anew.")
    scores = (score for section in card.sections for score in section.criteria)
    score = next((one for one in scores if one.review.criterion_id == criterion_id), None)
    if score is None:
        raise ValidationError("There is no such criterion on this scorecard.")
    words, machine = reason.strip(), score.review.verdict
    if verdict is None and criterion_id not in standing(card):
        raise ValidationError("There is no ruling on this criterion to take back.")
    if verdict is machine:
        raise ValidationError("That is what the scorer says already. Choose another verdict.")
    if verdict is not None and not words:
        raise ValidationError("Say why: whoever reads the scorecard must be able to follow.")
    if len(words) > MOST_REASON_CHARS:
        raise ValidationError(f"The reason is longer than {MOST_REASON_CHARS:,} characters.")
    ruling = Ruling(criterion_id, machine, verdict, words, reviewer, at)
    return replace(card, rulings=(*card.rulings, ruling))


def standing(card: Scorecard) -> dict[str, Ruling]:
    """The rulings that count, by the criterion's id: of each the last, if it was not taken back."""
    last = {ruling.criterion_id: ruling for ruling in card.rulings}
    return {key: ruling for key, ruling in last.items() if ruling.verdict is not None}


def score_after(card: Scorecard) -> float | None:
    """The overall score with the rulings that stand, from 0 to 1; a partial verdict counts half.

    None where nothing is scored, and where no ruling stands.
    """
    rulings = standing(card)
    if not rulings:
        return None
    parts: list[tuple[float, float]] = []
    for section in card.sections:
        shares = [(one.weight, _share(one, rulings)) for one in section.criteria]
        known = [(weight, share) for weight, share in shares if share is not None]
        if section.failure or not known:
            continue
        parts.append((section.weight, _mean(known)))
    return _mean(parts) if parts else None


def _share(score: CriterionScore, rulings: dict[str, Ruling]) -> float | None:
    ruling = rulings.get(score.review.criterion_id)
    if ruling is None or ruling.verdict is None:
        return score.normalized
    return _SHARES.get(ruling.verdict)


def _mean(weighted: list[tuple[float, float]]) -> float:
    return math.fsum(w * share for w, share in weighted) / math.fsum(w for w, _ in weighted)
