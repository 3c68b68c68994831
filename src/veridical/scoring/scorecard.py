"""What a scoring run comes to. `wire` turns it into JSON."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from veridical.scoring.answer import (
    NO_USAGE,
    CardWarning,
    CriterionVerdict,
    TimeRange,
    Usage,
)
from veridical.scoring.rubric import CriterionType, ScoringRules, Template, TimingTarget
from veridical.sources.document import Span


class Status(StrEnum):
    """How a section, or the whole, came out. `incomplete` has not been scored to the end;
    `not_applicable` has, and nothing of it applies.
    """

    PASS = "pass"  # noqa: S105 - a status, no password
    NEEDS_IMPROVEMENT = "needs_improvement"
    FAIL = "fail"
    INCOMPLETE = "incomplete"
    NOT_APPLICABLE = "not_applicable"


class EvidenceFidelity(StrEnum):
    """How verified evidence agrees with the transcript: its words, or what they say."""

    VERBATIM = "verbatim"
    PARAPHRASE = "paraphrase"


@dataclass(frozen=True, slots=True)
class CheckedEvidence:
    """A quote and what was found of it.

    Where `verified`, the words at `span` of the transcript's text are `matched_text`, were said at
    `start` to `end` by `speaker`, and those are the transcript's, whatever was claimed. Where not,
    they are all None and `reason` says why. `claimed_start` and `claimed_speaker` are what was
    cited; `corrected` says that one of them was wrong, and `reason` what.
    """

    quote: str
    verified: bool
    claimed_start: float | None = None
    claimed_speaker: str | None = None
    fidelity: EvidenceFidelity | None = None
    span: Span | None = None
    matched_text: str | None = None
    start: float | None = None
    end: float | None = None
    speaker: str | None = None
    corrected: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CheckedEvent:
    """An event and what was found of it.

    Where `verified`, `at` is the second at which the words of `evidence` (an index of the
    criterion's evidence) were said, and they were said at some time up to `latest`: the same second
    where words have times of their own, the end of the segment where only segments have.
    """

    name: str
    claimed_at: float
    verified: bool
    at: float | None = None
    latest: float | None = None
    evidence: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EventSource:
    """Where the event stands that a clock was started or stopped by: `evidence` is an index."""

    section_id: str
    criterion_id: str
    evidence: int


@dataclass(frozen=True, slots=True)
class TimingResult:
    """How long it took, computed from verified events; all None where one of them is missing.

    `close_call` says that the times are not known closely enough to tell on which side of a limit
    it falls. `start_source` and `end_source` are the words that the clock rests on, in this
    criterion or in another.
    """

    target: TimingTarget
    started_at: float | None = None
    ended_at: float | None = None
    seconds: float | None = None
    close_call: bool = False
    reason: str = ""
    start_source: EventSource | None = None
    end_source: EventSource | None = None


@dataclass(frozen=True, slots=True)
class CriterionReview:
    """A criterion's answer after its evidence was checked.

    `verdict` rests on verified evidence, or is `not_observed`; `given_verdict` is what the scorer
    said. `score` is on the criterion's own scale, None for verdicts that carry none; `option` is
    that of an enum.
    """

    criterion_id: str
    verdict: CriterionVerdict
    given_verdict: CriterionVerdict
    score: float | None = None
    option: str | None = None
    confidence: float | None = None
    rationale: str = ""
    evidence: tuple[CheckedEvidence, ...] = ()
    events: tuple[CheckedEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionReview:
    """A section's answer after its evidence was checked, one review a criterion, in their order."""

    section_id: str
    criteria: tuple[CriterionReview, ...]
    notes: str = ""
    warnings: tuple[CardWarning, ...] = ()
    usage: Usage = NO_USAGE
    omitted: tuple[TimeRange, ...] = ()


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """A criterion of a scorecard.

    `normalized` is its score from 0 to 1, None where it leaves the denominator;
    `counted_as_missed` says that it was required, was not observed, and counts as 0. `timing` is
    set for timing criteria. `min_evidence` is how many verified quotes a scored verdict needs.
    """

    review: CriterionReview
    title: str
    type: CriterionType
    required: bool
    weight: float
    scale: tuple[float, float]
    normalized: float | None
    counted_as_missed: bool = False
    timing: TimingResult | None = None
    min_evidence: int = 1

    @property
    def overruled(self) -> bool:
        """Whether the scorer said something else than what stands.

        Whoever saw too little for a verdict is not overruled by a clock that others' words set.
        """
        review, timing = self.review, self.timing
        saw_less = review.given_verdict is CriterionVerdict.NOT_OBSERVED
        sources = (timing.start_source, timing.end_source) if timing else ()
        others = [s for s in sources if s is not None and s.criterion_id != review.criterion_id]
        if saw_less and others:
            return False
        return review.verdict is not review.given_verdict


def normalized(score: float, scale: tuple[float, float]) -> float:
    """Where a score lies between the ends of its scale, from 0 to 1."""
    least, greatest = scale
    return (score - least) / (greatest - least)


@dataclass(frozen=True, slots=True)
class SectionScore:
    """A section of a scorecard. `score` is from 0 to 1, None where nothing could be scored.

    `failure` says why an incomplete section is incomplete.
    """

    section_id: str
    title: str
    weight: float
    score: float | None
    status: Status
    criteria: tuple[CriterionScore, ...]
    notes: str = ""
    failure: str = ""
    usage: Usage = NO_USAGE
    omitted: tuple[TimeRange, ...] = ()


@dataclass(frozen=True, slots=True)
class Overall:
    """The weighted mean of the sections that were scored, from 0 to 1; None where none was.

    `scored_weight` is the share of all weight that stands behind the score, from 0 to 1: of each
    section's weight as much as its criteria that count have of the weight of all its criteria.
    """

    score: float | None
    status: Status
    scored_weight: float


@dataclass(frozen=True, slots=True)
class ScoredTranscript:
    """Which transcript was scored; `start` and `end` in seconds, None where it has no times."""

    name: str
    sha256: str
    start: float | None
    end: float | None
    precision: str
    speakers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Who scored: a model's name, or that of the rules."""

    scorer: str
    rule_based: bool
    usage: Usage = NO_USAGE


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A criterion, or with None a whole section, that a person should look at, and why."""

    section_id: str
    criterion_id: str | None
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HumanReview:
    """What a person should look at before the scorecard is relied on, in the rubric's order."""

    items: tuple[ReviewItem, ...]

    @property
    def required(self) -> bool:
        """Whether there is anything."""
        return bool(self.items)


@dataclass(frozen=True, slots=True)
class Scorecard:
    """One transcript, scored against one rubric. Sections stand in the rubric's order."""

    template: Template
    rubric_sha256: str
    scoring: ScoringRules
    transcript: ScoredTranscript
    overall: Overall
    sections: tuple[SectionScore, ...]
    warnings: tuple[CardWarning, ...]
    model_info: ModelInfo
    human_review: HumanReview
    created_at: str | None = None
