"""What changed between two scorecards: per criterion, per section, and over all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from veridical.scoring.scorecard import CheckedEvidence, Scorecard

Value: TypeAlias = str | float | None
_Key: TypeAlias = tuple[str, str | None]
"""The ids of a section and of a criterion of it, None for the section in itself."""


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
    old, new = _parts(before), _parts(after)
    # In the order of the later card, then what is in the earlier one only.
    keys = tuple(dict.fromkeys((*new, *old)))
    found = [diff for key in keys if (diff := _compared(key, old.get(key), new.get(key)))]
    return ScorecardDiff(
        overall=_changes(_overall(before), _overall(after)),
        sections=tuple(diff for diff in found if diff.criterion_id is None),
        criteria=tuple(diff for diff in found if diff.criterion_id is not None),
        warnings=tuple(_warnings(before, after)),
        compared_criteria=sum(key in old and key in new for key in keys if key[1] is not None),
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """What is compared of a section or criterion; evidence by its words and when they were said."""

    title: str
    facts: Mapping[str, Value]
    evidence: Mapping[tuple[str | None, float | None], CheckedEvidence]


def _overall(card: Scorecard) -> dict[str, Value]:
    whole = card.overall
    return {
        "score": whole.score,
        "status": whole.status.value,
        "scored weight": whole.scored_weight,
    }


def _parts(card: Scorecard) -> dict[_Key, _Part]:
    """The sections of a card and their criteria."""
    found: dict[_Key, _Part] = {}
    for section in card.sections:
        facts: dict[str, Value] = {
            "score": section.score,
            "status": section.status.value,
            "weight": section.weight,
        }
        found[section.section_id, None] = _Part(section.title, facts, {})
        for score in section.criteria:
            review = score.review
            facts = {
                "verdict": review.verdict.value,
                "score": review.score,
                "counts as": score.normalized,
                "option": review.option,
                "seconds": None if score.timing is None else score.timing.seconds,
                "weight": score.weight,
            }
            verified = {(e.matched_text, e.start): e for e in review.evidence if e.verified}
            found[section.section_id, review.criterion_id] = _Part(score.title, facts, verified)
    return found


def _compared(key: _Key, old: _Part | None, new: _Part | None) -> PartDiff | None:
    """What changed of a part that is in at least one of two cards; None where nothing did."""
    if old is None or new is None:
        presence = Presence.ONLY_AFTER if old is None else Presence.ONLY_BEFORE
        return PartDiff(*key, (old or new or _Part("", {}, {})).title, presence)
    changes = _changes(old.facts, new.facts)
    added = tuple(item for place, item in new.evidence.items() if place not in old.evidence)
    lost = tuple(item for place, item in old.evidence.items() if place not in new.evidence)
    if not (changes or added or lost):
        return None
    return PartDiff(*key, new.title, Presence.BOTH, changes, added, lost)


def _changes(old: Mapping[str, Value], new: Mapping[str, Value]) -> tuple[Change, ...]:
    return tuple(Change(what, old[what], new[what]) for what in new if old[what] != new[what])


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
