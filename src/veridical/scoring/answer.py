"""What a scorer says of a section, before anything of it is believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from veridical.codec import Codec
from veridical.errors import ValidationError
from veridical.scoring.rubric import Section


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
