"""What a scoring run comes to. `wire` turns it into JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from veridical.codec import Codec
from veridical.errors import ValidationError
from veridical.scoring.rubric import (
    CriterionSource,
    CriterionType,
    ScoringRules,
    Section,
    Template,
    TimingTarget,
)
from veridical.sources.document import Span


class CriterionVerdict(StrEnum):
    """What is said of a criterion."""

    MET = "met"
    MISSED = "missed"
    PARTIAL = "partial"
    NOT_OBSERVED = "not_observed"
    NOT_APPLICABLE = "not_applicable"


SCORED = frozenset({CriterionVerdict.MET, CriterionVerdict.MISSED, CriterionVerdict.PARTIAL})
"""Verdicts that carry a score, and need evidence."""


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """A quote as it was cited: its words, the second that is claimed for them, and who spoke."""

    quote: str
    start: float | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class CitedEvent:
    """An event as it was cited, and its second."""

    name: str
    at: float


@dataclass(frozen=True, slots=True)
class CriterionAnswer:
    """What was said of one criterion; numbers as they came, but finite."""

    criterion_id: str
    verdict: CriterionVerdict
    score: float | None = None
    confidence: float | None = None
    rationale: str = ""
    evidence: tuple[CitedEvidence, ...] = ()
    observed_events: tuple[CitedEvent, ...] = ()


class WarningCode(StrEnum):
    """What a warning is about, for programs."""

    EVIDENCE_NOT_VERIFIED = "evidence_not_verified"
    EVIDENCE_CORRECTED = "evidence_corrected"
    EVIDENCE_TOO_LONG = "evidence_too_long"
    EVIDENCE_IN_DOUBT = "evidence_in_doubt"
    EVIDENCE_PARAPHRASED = "evidence_paraphrased"
    VERDICT_WITHOUT_EVIDENCE = "verdict_without_evidence"
    INVENTED_UNIT = "invented_unit"
    INVENTED_TIME = "invented_time"
    INVENTED_SPEAKER = "invented_speaker"
    INVENTED_NUMBER = "invented_number"
    UNKNOWN_CRITERION = "unknown_criterion"
    MISSING_CRITERION = "missing_criterion"
    DUPLICATE_CRITERION = "duplicate_criterion"
    REPLY_REPAIRED = "reply_repaired"
    SCORE_ADJUSTED = "score_adjusted"
    EVENT_NOT_VERIFIED = "event_not_verified"
    EVENT_MOVED = "event_moved"
    EVENT_TAKEN_OVER = "event_taken_over"
    TIMING_NOT_COMPUTED = "timing_not_computed"
    TIMING_CLOSE_CALL = "timing_close_call"
    VERDICT_OVERRULED = "verdict_overruled"
    REQUIRED_NOT_OBSERVED = "required_not_observed"
    SAID_NOT_APPLICABLE = "said_not_applicable"
    LITTLE_SCORED = "little_scored"
    REQUIRED_NOT_APPLICABLE = "required_not_applicable"
    SECTION_INCOMPLETE = "section_incomplete"
    SECTION_WITHOUT_SCORE = "section_without_score"
    TRANSCRIPT_SHORTENED = "transcript_shortened"
    TRANSCRIPT_REPAIRED = "transcript_repaired"
    SCORER_WARNING = "scorer_warning"
    CONTRADICTED = "contradicted"
    NEAR_CUE = "near_cue"
    SPEAKER_UNKNOWN = "speaker_unknown"
    EVIDENCE_UNSURE = "evidence_unsure"
    EMERGENCY_WORDS = "emergency_words"


@dataclass(frozen=True, slots=True)
class CardWarning:
    """Something that a reader of the scorecard must know.

    The ids are those of what it is about, None where it is about the whole.
    """

    code: WarningCode
    message: str
    section_id: str | None = None
    criterion_id: str | None = None


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A stretch of the recording, in seconds from its start."""

    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Usage:
    """What a section cost. Token counts are those of the server, summed over the calls it told of.

    None where it told of none; `estimated_prompt_tokens` is our own guess for one call.
    """

    calls: int = 0
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    estimated_prompt_tokens: int | None = None


NO_USAGE = Usage()


def sum_told(counts: Iterable[int | None]) -> int | None:
    """The sum of the counts that are known; None where none is."""
    told = [count for count in counts if count is not None]
    return sum(told) if told else None


@dataclass(frozen=True, slots=True)
class SectionAnswer:
    """What was said of a section: exactly one answer for each of its criteria, in their order.

    `warnings` are what had to be repaired to have that, and what the model warned of itself.
    `omitted` are the parts of the recording that the scorer was not shown.
    """

    section_id: str
    criteria: tuple[CriterionAnswer, ...]
    notes: str = ""
    warnings: tuple[CardWarning, ...] = ()
    usage: Usage = NO_USAGE
    omitted: tuple[TimeRange, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionFailure:
    """A section of which nothing usable was said, and why.

    `permanent` says that the scorer refuses whatever it is asked: a wrong key, an unknown model.
    `answered` says that it did reply, if with nothing usable.
    """

    section_id: str
    reason: str
    usage: Usage = NO_USAGE
    permanent: bool = False
    answered: bool = False


class SectionScorer(Protocol):
    """Scores the sections of one rubric over one transcript. Used from several threads at once."""

    @property
    def name(self) -> str:
        """How scorecards name it."""
        ...

    @property
    def rule_based(self) -> bool:
        """Whether it follows fixed rules, without a model."""
        ...

    def score(self, section: Section) -> SectionAnswer | SectionFailure:
        """What it says of a section. Raises nothing that another section should suffer from."""
        ...


# What was said of a section as JSON and back, wherever it is kept.


_RECORDS = Codec({})
_KINDS: Mapping[str, type[SectionAnswer | SectionFailure]] = {
    "answer": SectionAnswer,
    "failure": SectionFailure,
}


def answer_to_mapping(outcome: SectionAnswer | SectionFailure) -> dict[str, Any]:
    """The outcome for `json.dumps`; of what that gives `answer_from_mapping` makes an equal one."""
    kind = "answer" if isinstance(outcome, SectionAnswer) else "failure"
    return {"kind": kind, **_RECORDS.write(outcome)}


def answer_from_mapping(data: Any) -> SectionAnswer | SectionFailure:
    """The outcome that `answer_to_mapping` was given.

    Raises ValidationError for anything that it did not make.
    """
    try:
        return _outcome(data)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as problem:
        raise ValidationError(
            "a stored answer of a section does not have the form that this version writes; score "
            "the transcript anew"
        ) from problem


def _outcome(data: Any) -> SectionAnswer | SectionFailure:
    outcome = _RECORDS.read(_KINDS[data["kind"]], data)
    if answer_to_mapping(outcome) != data:
        raise ValueError("this is not what is written of it")
    return outcome


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
    source: CriterionSource | None = None

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
class Ruling:
    """What a reviewer says of a criterion, and why; `verdict` is None where an earlier ruling is
    taken back. `machine_verdict` is what the scorecard says, and goes on saying.
    """

    criterion_id: str
    machine_verdict: CriterionVerdict
    verdict: CriterionVerdict | None
    reason: str
    reviewer: str
    at: str


@dataclass(frozen=True, slots=True)
class Scorecard:
    """One transcript, scored against one rubric. Sections stand in the rubric's order, `rulings`
    of reviewers in that of their making; they change nothing of the rest.
    """

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
    rulings: tuple[Ruling, ...] = ()
