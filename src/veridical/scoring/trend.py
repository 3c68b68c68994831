"""What improves over several scorecards and what does not, criterion by criterion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from statistics import fmean

from veridical.scoring.scorecard import CriterionScore, CriterionVerdict, Scorecard

_ROUNDING = 1e-9


class Direction(StrEnum):
    """How the later half of the cards compares with the earlier one."""

    IMPROVES = "improves"
    DECLINES = "declines"
    SAME = "same"
    TOO_FEW = "too_few"
    """Not scored in both halves."""


@dataclass(frozen=True, slots=True)
class Half:
    """How often a criterion was met, and scored at all, and the mean score from 0 to 1."""

    met: int
    scored: int
    mean: float | None


@dataclass(frozen=True, slots=True)
class CriterionTrend:
    """A criterion over the cards: `verdicts` in their order, None for a card without it."""

    section_id: str
    criterion_id: str
    title: str
    verdicts: tuple[CriterionVerdict | None, ...]
    earlier: Half
    later: Half
    direction: Direction


@dataclass(frozen=True, slots=True)
class Trend:
    """`cards` are in order, oldest first; `criteria` the ones that decline first, then the others
    that are not always met. `warnings` say why the cards compare badly.
    """

    cards: tuple[Scorecard, ...]
    criteria: tuple[CriterionTrend, ...]
    warnings: tuple[str, ...] = ()

    def count(self, direction: Direction) -> int:
        """How many criteria go that way."""
        return sum(one.direction is direction for one in self.criteria)


_ORDER = (Direction.DECLINES, Direction.SAME, Direction.IMPROVES, Direction.TOO_FEW)


def trend_of(cards: Sequence[Scorecard]) -> Trend:
    """The trend of scorecards, by their time where all have one, else in the order given.

    The halves are of the cards that scored the criterion; of an odd number the middle one belongs
    to the later half.
    """
    ordered = list(cards)
    moments = {id(card): moment for card in cards if (moment := _moment(card.created_at))}
    if all(id(card) in moments for card in cards):
        ordered.sort(key=lambda card: moments[id(card)])
    found: dict[tuple[str, str], dict[int, CriterionScore]] = {}
    for number, card in enumerate(ordered):
        for section in card.sections:
            for score in section.criteria:
                key = section.section_id, score.review.criterion_id
                found.setdefault(key, {})[number] = score
    criteria = [_trend(key, scores, len(ordered)) for key, scores in found.items()]
    criteria.sort(key=lambda one: (_ORDER.index(one.direction), one.later.mean or 0.0))
    return Trend(tuple(ordered), tuple(criteria), tuple(_warnings(ordered)))


def _moment(written: str | None) -> datetime | None:
    """The time of a card; of one without a zone that of UTC. None where it has none."""
    try:
        moment = datetime.fromisoformat(written or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _trend(key: tuple[str, str], scores: dict[int, CriterionScore], cards: int) -> CriterionTrend:
    counted = [score for score in scores.values() if score.normalized is not None]
    cut = len(counted) // 2
    earlier, later = _half(counted[:cut]), _half(counted[cut:])
    verdicts = (scores[n].review.verdict if n in scores else None for n in range(cards))
    title = next(reversed(scores.values())).title
    return CriterionTrend(*key, title, tuple(verdicts), earlier, later, _direction(earlier, later))


def _half(scores: Sequence[CriterionScore]) -> Half:
    values = [score.normalized for score in scores if score.normalized is not None]
    met = sum(score.review.verdict is CriterionVerdict.MET for score in scores)
    return Half(met, len(values), fmean(values) if values else None)


def _direction(earlier: Half, later: Half) -> Direction:
    if earlier.mean is None or later.mean is None:
        return Direction.TOO_FEW
    if abs(later.mean - earlier.mean) <= _ROUNDING:
        return Direction.SAME
    return Direction.IMPROVES if later.mean > earlier.mean else Direction.DECLINES


def _warnings(cards: Sequence[Scorecard]) -> list[str]:
    rubrics = dict.fromkeys(card.template.id for card in cards)
    if len(rubrics) > 1:
        return [f"the scorecards are of {len(rubrics)} rubrics: {', '.join(rubrics)}"]
    if len({card.rubric_sha256 for card in cards}) > 1:
        return ["the rubric changed between the scorecards"]
    return []
