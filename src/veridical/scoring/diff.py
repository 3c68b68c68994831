"""What changed between two scorecards: per criterion, per section, and over all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeVar

from veridical.scoring.scorecard import (
    CheckedEvidence,
    CriterionScore,
    Scorecard,
    SectionScore,
)

Value: TypeAlias = str | float | None
CriterionKey: TypeAlias = tuple[str, str]
_Key = TypeVar("_Key")


class Presence(StrEnum):
    """In which of two scorecards something is.

    A criterion of a section that was not scored is not on its card, although its rubric may have
    it.
    """

    BOTH = "both"
    ONLY_BEFORE = "only_before"
    ONLY_AFTER = "only_after"


@dataclass(frozen=True, slots=True)
class Change:
    """A value that is another one now. None stands for what is not there: no score, no time."""

    what: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class PartDiff:
    """A criterion that changed, or a section in itself, whatever changed in its criteria.

    A section has no `criterion_id`. Evidence is what was verified, in the order of the cards.
    """

    section_id: str
    criterion_id: str | None
    title: str
    presence: Presence
    changes: tuple[Change, ...] = ()
    evidence_added: tuple[CheckedEvidence, ...] = ()
    evidence_lost: tuple[CheckedEvidence, ...] = ()


@dataclass(frozen=True, slots=True)
class ScorecardDiff:
    """All that changed; nothing that stayed. `warnings` say why two cards compare badly."""

    overall: tuple[Change, ...]
    sections: tuple[PartDiff, ...]
    criteria: tuple[PartDiff, ...]
    warnings: tuple[str, ...]
    compared_criteria: int

    @property
    def changed(self) -> bool:
        """Whether there is any change."""
        return bool(self.overall or self.sections or self.criteria)


def compare(before: Scorecard, after: Scorecard) -> ScorecardDiff:
    """What changed from one scorecard to another.

    Sections and criteria are told apart by their ids. Compared are verdicts, scores, verified
    evidence by its words and second, times, sections' scores and status, and the whole; not what
    the scorers wrote about them, nor how sure they were.
    """
    sections = _joined(
        {section.section_id: section for section in before.sections},
        {section.section_id: section for section in after.sections},
    )
    criteria = _joined(_criteria(before), _criteria(after))
    return ScorecardDiff(
        overall=_changes(
            ("score", before.overall.score, after.overall.score),
            ("status", before.overall.status.value, after.overall.status.value),
            ("scored weight", before.overall.scored_weight, after.overall.scored_weight),
        ),
        sections=tuple(filter(None, (_section(key, *pair) for key, pair in sections.items()))),
        criteria=tuple(filter(None, (_criterion(key, *pair) for key, pair in criteria.items()))),
        warnings=tuple(_warnings(before, after)),
        compared_criteria=sum(None not in pair for pair in criteria.values()),
    )


_Item = TypeVar("_Item")


def _joined(
    before: Mapping[_Key, _Item], after: Mapping[_Key, _Item]
) -> dict[_Key, tuple[_Item | None, _Item | None]]:
    """Both of each, in the order of the later card, then what is in the earlier one only."""
    return {key: (before.get(key), after.get(key)) for key in (*after, *before)}


def _criteria(card: Scorecard) -> dict[CriterionKey, CriterionScore]:
    return {
        (section.section_id, score.review.criterion_id): score
        for section in card.sections
        for score in section.criteria
    }


def _warnings(before: Scorecard, after: Scorecard) -> Iterator[str]:
    if before.transcript.sha256 != after.transcript.sha256:
        yield "the scorecards are of different transcripts"
    if before.template.id != after.template.id:
        yield (
            f"the scorecards are of different rubrics: {before.template.id} and {after.template.id}"
        )
    elif before.rubric_sha256 != after.rubric_sha256:
        versions = f"version {before.template.version} and {after.template.version}"
        yield f"the rubric changed between the scorecards ({versions})"


def _changes(*values: tuple[str, Value, Value]) -> tuple[Change, ...]:
    return tuple(Change(what, old, new) for what, old, new in values if old != new)


def _section(
    section_id: str, before: SectionScore | None, after: SectionScore | None
) -> PartDiff | None:
    if before is None:
        title = after.title if after else section_id
        return PartDiff(section_id, None, title, Presence.ONLY_AFTER)
    if after is None:
        return PartDiff(section_id, None, before.title, Presence.ONLY_BEFORE)
    changes = _changes(
        ("score", before.score, after.score),
        ("status", before.status.value, after.status.value),
        ("weight", before.weight, after.weight),
    )
    return PartDiff(section_id, None, after.title, Presence.BOTH, changes) if changes else None


def _criterion(
    key: CriterionKey, before: CriterionScore | None, after: CriterionScore | None
) -> PartDiff | None:
    if before is None:
        return PartDiff(*key, after.title if after else key[1], Presence.ONLY_AFTER)
    if after is None:
        return PartDiff(*key, before.title, Presence.ONLY_BEFORE)
    changes = _changes(
        ("verdict", before.review.verdict.value, after.review.verdict.value),
        ("score", before.review.score, after.review.score),
        ("counts as", before.normalized, after.normalized),
        ("option", before.review.option, after.review.option),
        ("seconds", _seconds(before), _seconds(after)),
        ("weight", before.weight, after.weight),
    )
    old, new = _verified(before), _verified(after)
    added = tuple(item for place, item in new.items() if place not in old)
    lost = tuple(item for place, item in old.items() if place not in new)
    if not (changes or added or lost):
        return None
    return PartDiff(*key, after.title, Presence.BOTH, changes, added, lost)


def _seconds(score: CriterionScore) -> float | None:
    return None if score.timing is None else score.timing.seconds


def _verified(score: CriterionScore) -> dict[tuple[str | None, float | None], CheckedEvidence]:
    """Verified evidence by its words and when they were said; the claims do not matter."""
    return {(e.matched_text, e.start): e for e in score.review.evidence if e.verified}
