"""Reviewed sections become one scorecard: pure, whatever the order in which they came."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TypeAlias

from veridical.reports.words import count
from veridical.scoring.checking.evidence import quoted
from veridical.scoring.checking.review import SAME_MOMENT_SECONDS, moved_by
from veridical.scoring.clocks import Clocks, timed_verdict
from veridical.scoring.rubric import CriterionType, NotObserved, Rubric, ScoringRules, Section
from veridical.scoring.scorecard import (
    SCORED,
    CardWarning,
    CriterionReview,
    CriterionScore,
    CriterionVerdict,
    HumanReview,
    ModelInfo,
    Overall,
    ReviewItem,
    Scorecard,
    ScoredTranscript,
    SectionFailure,
    SectionReview,
    SectionScore,
    Status,
    TimingResult,
    Usage,
    WarningCode,
    normalized,
    sum_told,
)
from veridical.scoring.units import is_diarised, occurring
from veridical.sources.transcript import Moment, Precision, Transcript, clock
from veridical.text.spoken import SpokenIndex, spoken_keys

# What a person should look at before a scorecard is relied on.


CONFIDENT_FROM = 0.6
"""Confidence below which a verdict is to be looked at."""

_REASONS: Mapping[WarningCode, str] = {
    WarningCode.VERDICT_OVERRULED: "the verified times say something else than the scorer",
    WarningCode.VERDICT_WITHOUT_EVIDENCE: "a verdict was taken back for want of evidence",
    WarningCode.EVIDENCE_NOT_VERIFIED: "some evidence is not in the transcript as cited",
    WarningCode.EVIDENCE_CORRECTED: "some evidence stands elsewhere than cited",
    WarningCode.EVIDENCE_IN_DOUBT: "some evidence is not plainly said where it stands",
    WarningCode.EVIDENCE_PARAPHRASED: "some evidence is said in other words than cited",
    WarningCode.EVIDENCE_UNSURE: "some evidence rests on words of which the recogniser was unsure",
    WarningCode.EVIDENCE_TOO_LONG: "some evidence is longer than it should be",
    WarningCode.EVENT_NOT_VERIFIED: "an event was cited that no verified words show",
    WarningCode.EVENT_MOVED: "an event was cited for another second than its words have",
    WarningCode.EVENT_TAKEN_OVER: "the time rests on words that were cited for something else",
    WarningCode.TIMING_NOT_COMPUTED: "the time could not be computed",
    WarningCode.TIMING_CLOSE_CALL: "the time is too close to a limit to be sure",
    WarningCode.REQUIRED_NOT_OBSERVED: "it is required and was not observed",
    WarningCode.REQUIRED_NOT_APPLICABLE: "it is required and said not to apply",
    WarningCode.SAID_NOT_APPLICABLE: "it is said not to apply, which nothing can bear out",
    WarningCode.LITTLE_SCORED: "less than half of it was scored",
    WarningCode.SCORE_ADJUSTED: "the score that was given was not possible",
    WarningCode.MISSING_CRITERION: "the scorer said nothing of it",
    WarningCode.DUPLICATE_CRITERION: "the scorer answered it more than once",
    WarningCode.UNKNOWN_CRITERION: "the scorer answered something that was not asked",
    WarningCode.REPLY_REPAIRED: "the scorer's reply did not have the right form",
    WarningCode.CONTRADICTED: "its cues contradict each other",
    WarningCode.INVENTED_UNIT: "a unit is named that is not in the transcript",
    WarningCode.INVENTED_TIME: "a time is named that is not in the transcript",
    WarningCode.INVENTED_SPEAKER: "a speaker is named who is not in the transcript",
    WarningCode.INVENTED_NUMBER: "a number is named that is not in the transcript",
    WarningCode.NEAR_CUE: "a cue stands in words that may say something else",
    WarningCode.SPEAKER_UNKNOWN: "the transcript names no speaker by whom it counts",
    WarningCode.TRANSCRIPT_SHORTENED: "the scorer was not shown the whole transcript",
}
"""Warnings that call for a person, in plain words; in the order in which reasons are told."""


def find_concerns(sections: Iterable[SectionScore], warnings: Iterable[CardWarning]) -> HumanReview:
    """The items of a scorecard that call for a person, in the order of its sections.

    What is said of a criterion that the section does not have is the section's.
    """
    codes: dict[tuple[str | None, str | None], set[WarningCode]] = {}
    for warning in warnings:
        codes.setdefault((warning.section_id, warning.criterion_id), set()).add(warning.code)
    return HumanReview(tuple(item for section in sections for item in _of_section(section, codes)))


def _of_section(
    section: SectionScore, codes: Mapping[tuple[str | None, str | None], set[WarningCode]]
) -> Iterator[ReviewItem]:
    known = {score.review.criterion_id for score in section.criteria}
    own = set[WarningCode]()
    for (section_id, criterion_id), found in codes.items():
        if section_id == section.section_id and criterion_id not in known:
            own |= found
    reasons = [f"it is incomplete: {section.failure}"] * (section.status is Status.INCOMPLETE)
    if reasons or not own.isdisjoint(_REASONS):
        yield ReviewItem(section.section_id, None, (*reasons, *_told(own)))
    for score in section.criteria:
        criterion_id = score.review.criterion_id
        told = _told(codes.get((section.section_id, criterion_id), set()))
        confidence = score.review.confidence
        if confidence is not None and confidence < CONFIDENT_FROM:
            told += (f"the scorer is not sure: confidence {confidence:.0%}",)
        if told:
            yield ReviewItem(section.section_id, criterion_id, told)


def _told(codes: set[WarningCode]) -> tuple[str, ...]:
    return tuple(reason for code, reason in _REASONS.items() if code in codes)


# What a reviewed criterion comes to: its final verdict, its score, and whether it counts.


_TIMED_SCORES: Mapping[CriterionVerdict, float] = {
    CriterionVerdict.MET: 1.0,
    CriterionVerdict.PARTIAL: 0.5,
    CriterionVerdict.MISSED: 0.0,
}
"""What a timing criterion scores, on its scale from 0 to 1."""


def _settled_criterion(
    score: CriterionScore, rules: ScoringRules, timing: TimingResult | None
) -> tuple[CriterionScore, list[CardWarning]]:
    """A criterion of the scorecard with all that follows from its review, and warnings of that.

    `timing` is that of a timing criterion, whose verdict and score it decides. A criterion that
    was not observed or does not apply does not count, but one that is required and was not
    observed counts as 0 unless the rules exclude it.
    """
    final = score.review if timing is None else _by_the_clock(score.review, timing)
    own_scale = score.type in (CriterionType.GRADED, CriterionType.ENUM)
    scale = score.scale if own_scale else (0.0, 1.0)
    missing = score.required and final.verdict is CriterionVerdict.NOT_OBSERVED
    as_missed = missing and rules.required_not_observed is NotObserved.TREAT_AS_MISSED
    score = replace(
        score,
        review=final,
        scale=scale,
        normalized=0.0 if as_missed else _value(final, scale),
        counted_as_missed=as_missed,
        timing=timing,
    )
    told = chain(_of_the_events(score), _of_the_clock(score), _of_the_denominator(score))
    return score, [CardWarning(*each, criterion_id=final.criterion_id) for each in told]


def _by_the_clock(review: CriterionReview, timing: TimingResult) -> CriterionReview:
    """A review whose verdict and score are computed.

    Whether a criterion applies at all is not the clock's to say: where it shows nothing,
    `not_applicable` stays.
    """
    verdict = timed_verdict(timing)
    not_applicable = review.verdict is CriterionVerdict.NOT_APPLICABLE
    if verdict is CriterionVerdict.NOT_OBSERVED and not_applicable:
        return replace(review, score=None)
    return replace(review, verdict=verdict, score=_TIMED_SCORES.get(verdict))


def _value(review: CriterionReview, scale: tuple[float, float]) -> float | None:
    if review.verdict not in SCORED or review.score is None:
        return None
    return normalized(review.score, scale)


_Told: TypeAlias = tuple[WarningCode, str]


def _of_the_clock(score: CriterionScore) -> Iterator[_Told]:
    timing, review = score.timing, score.review
    if timing is None or review.verdict is CriterionVerdict.NOT_APPLICABLE:
        return
    if timing.seconds is None:
        yield WarningCode.TIMING_NOT_COMPUTED, f"the time was not computed: {timing.reason}"
    elif timing.close_call:
        text = (
            f"it took {timing.seconds:g} s, and the times are not known closely enough to tell on "
            "which side of the limit that is"
        )
        yield WarningCode.TIMING_CLOSE_CALL, text
    if score.overruled:
        given, final = review.given_verdict.value, review.verdict.value
        text = f"said to be {given}; by the verified times it is {final}"
        yield WarningCode.VERDICT_OVERRULED, text


def _of_the_events(score: CriterionScore) -> Iterator[_Told]:
    for event in score.review.events:
        if event.verified and event.at is not None and moved_by(event) > SAME_MOMENT_SECONDS:
            text = (
                f"event {quoted(event.name)} was claimed for {event.claimed_at:g} s; its words "
                f"were said at {event.at:g} s"
            )
            yield WarningCode.EVENT_MOVED, text


def _of_the_denominator(score: CriterionScore) -> Iterator[_Told]:
    verdict = score.review.verdict
    if verdict is CriterionVerdict.NOT_APPLICABLE:
        code, left_out = WarningCode.SAID_NOT_APPLICABLE, "it is said not to apply"
        if score.required:
            code = WarningCode.REQUIRED_NOT_APPLICABLE
            left_out = "it is required and said not to apply"
        yield code, f"{left_out}; it is left out of the score"
    elif score.required and verdict is CriterionVerdict.NOT_OBSERVED:
        how = "counts as missed" if score.counted_as_missed else "is left out of the score"
        yield WarningCode.REQUIRED_NOT_OBSERVED, f"it is required, was not observed, and {how}"


# How scores add up: weighted means, rounded once, and the status that they come to.


def rounded(value: float) -> float:
    """A score as scorecards have it; also what thresholds are held against.

    What sums of binary fractions come to, 0.7999999999999999, is never a fail for a pass at 0.8.
    """
    return round(value, 6) + 0.0  # no minus zero


def weighted_mean(parts: Iterable[tuple[float, float]]) -> float | None:
    """The mean of `(weight, value)`, not rounded; None where no weight is left.

    The sums are exact (`math.fsum`), so that their order does not matter. Weights of any size are
    brought down by a power of two first, which changes no digit: their sum cannot overflow.
    """
    pairs = list(parts)
    largest = max((weight for weight, _ in pairs), default=0.0)
    _, exponent = math.frexp(largest)
    scaled = [(math.ldexp(weight, -exponent), value) for weight, value in pairs]
    weight = math.fsum(weight for weight, _ in scaled)
    if weight <= 0.0:
        return None
    return math.fsum(weight * value for weight, value in scaled) / weight


def _status(score: float | None, rules: ScoringRules, *, applies: bool) -> Status:
    """What a rounded score comes to, and none; `applies` says whether anything does."""
    if score is None:
        return Status.INCOMPLETE if applies else Status.NOT_APPLICABLE
    if score >= rules.pass_threshold:
        return Status.PASS
    improving = score >= rules.needs_improvement_threshold
    return Status.NEEDS_IMPROVEMENT if improving else Status.FAIL


SectionOutcome: TypeAlias = SectionReview | SectionFailure

NOT_SCORED = "it was not scored"
"""Why a section is incomplete of which nothing came at all."""

NOTHING_COUNTS = "none of its criteria could be scored"

LITTLE = 0.5
"""The share of the weight of a section's criteria below which its score says little of it."""

_MOST_NAMED = 8
"""Speakers that a warning names."""

_MOST_REPAIRS = 20
"""Repairs of a transcript that a scorecard lists one by one."""


def merge(
    rubric: Rubric,
    transcript: Transcript,
    outcomes: Iterable[SectionOutcome],
    *,
    scorer: str,
    rule_based: bool,
    created_at: str | None = None,
) -> Scorecard:
    """The scorecard of a run: timing across sections, scores, status, and what to look at.

    `outcomes` may come in any order; a section without one is incomplete. A section's score is the
    weighted mean of its criteria that count, from 0 to 1, and the overall score that of the
    sections that have one. While any section is incomplete the overall status is `incomplete`,
    whatever the score of the rest: a part is not the whole, and must not pass for it.
    """
    of_section = {outcome.section_id: outcome for outcome in outcomes}
    sections = tuple(
        _section(section, of_section.get(section.id) or SectionFailure(section.id, NOT_SCORED))
        for section in rubric.sections
    )
    timed = transcript.precision is not Precision.NONE
    reviewed = [one for one in of_section.values() if isinstance(one, SectionReview)]
    of_sections = (
        replace(warning, section_id=one.section_id) for one in reviewed for warning in one.warnings
    )
    return settled(
        Scorecard(
            template=rubric.template,
            rubric_sha256=rubric.sha256,
            scoring=rubric.scoring,
            transcript=ScoredTranscript(
                name=transcript.name,
                sha256=transcript.sha256,
                start=transcript.start if timed else None,
                end=transcript.end if timed else None,
                precision=transcript.precision.value,
                speakers=transcript.speakers,
            ),
            overall=Overall(None, Status.INCOMPLETE, 0.0),
            sections=sections,
            warnings=(
                *emergencies(transcript),
                *_repairs(transcript),
                *(_speakers(rubric, transcript) if rule_based else ()),
                *of_sections,
            ),
            model_info=ModelInfo(scorer, rule_based),
            human_review=HumanReview(()),
            created_at=created_at,
        )
    )


def _section(section: Section, outcome: SectionOutcome) -> SectionScore:
    """A section with what was said of it, before anything is computed."""
    part = SectionScore(
        section_id=section.id,
        title=section.title,
        weight=section.weight,
        score=None,
        status=Status.INCOMPLETE,
        criteria=(),
        usage=outcome.usage,
    )
    if isinstance(outcome, SectionFailure):
        return replace(part, failure=outcome.reason)
    pairs = zip(section.criteria, outcome.criteria, strict=True)
    criteria = tuple(
        CriterionScore(
            review=review,
            title=criterion.title,
            type=criterion.type,
            required=criterion.required,
            weight=criterion.weight,
            scale=criterion.scale,
            normalized=None,
            timing=None if criterion.timing is None else TimingResult(criterion.timing),
            min_evidence=criterion.evidence.min_evidence,
            source=criterion.source,
        )
        for criterion, review in pairs
    )
    return replace(part, criteria=criteria, notes=outcome.notes, omitted=outcome.omitted)


def settled(card: Scorecard) -> Scorecard:
    """The card with everything that follows from what was said and verified, computed anew.

    Its warnings stay, and those that follow are added where they are missing. A card that has been
    settled before comes out as it was.
    """
    timed = card.transcript.precision != Precision.NONE
    clocks = Clocks(card.sections, timed=timed)
    found = [_settled_section(section, card.scoring, clocks) for section in card.sections]
    sections = tuple(section for section, _, _ in found)
    told = (warning for _, _, warnings in found for warning in warnings)
    warnings = _in_order(sections, (*card.warnings, *told))
    means = [(section.weight, mean) for section, mean, _ in found if mean is not None]
    mean = weighted_mean(means)
    score = None if mean is None else rounded(mean)
    statuses = {section.status for section in sections}
    scored = weighted_mean((s.weight, _share_that_counts(s.criteria)) for s in sections)
    usage = _sum_usage(section.usage for section in sections)
    return replace(
        card,
        overall=Overall(
            score=score,
            status=_status(
                None if Status.INCOMPLETE in statuses else score,
                card.scoring,
                applies=statuses != {Status.NOT_APPLICABLE},
            ),
            scored_weight=rounded(scored or 0.0),
        ),
        sections=sections,
        warnings=warnings,
        model_info=replace(card.model_info, usage=usage),
        human_review=find_concerns(sections, warnings),
    )


def _settled_section(
    section: SectionScore, rules: ScoringRules, clocks: Clocks
) -> tuple[SectionScore, float | None, list[CardWarning]]:
    """A section, the mean of its criteria before it is rounded, and the warnings that follow."""
    name = section.section_id
    if not section.criteria:
        reason = section.failure or NOT_SCORED
        failed = replace(
            section, score=None, status=Status.INCOMPLETE, notes="", failure=reason, omitted=()
        )
        told = f"the section is incomplete: {reason}"
        return failed, None, [CardWarning(WarningCode.SECTION_INCOMPLETE, told, name)]
    scores: list[CriterionScore] = []
    warnings: list[CardWarning] = []
    for each in section.criteria:
        timing, taken_over = clocks.time(name, each)
        score, found = _settled_criterion(each, rules, timing)
        scores.append(score)
        warnings.extend(replace(w, section_id=name) for w in (*taken_over, *found))
    mean = weighted_mean(
        (score.weight, score.normalized) for score in scores if score.normalized is not None
    )
    applies = any(s.review.verdict is not CriterionVerdict.NOT_APPLICABLE for s in scores)
    if mean is None and applies:
        text = f"the section has no score: {NOTHING_COUNTS}"
        warnings.append(CardWarning(WarningCode.SECTION_WITHOUT_SCORE, text, name))
    elif mean is not None and (counted := _share_that_counts(scores)) < LITTLE:
        text = f"only {counted:.0%} of the weight of its criteria was scored"
        warnings.append(CardWarning(WarningCode.LITTLE_SCORED, text, name))
    whole = None if mean is None else rounded(mean)
    part = replace(
        section,
        score=whole,
        status=_status(whole, rules, applies=applies),
        criteria=tuple(scores),
        failure=NOTHING_COUNTS if whole is None and applies else "",
    )
    return part, mean, warnings


def _share_that_counts(criteria: Iterable[CriterionScore]) -> float:
    """How much of the weight of criteria is in the denominator of their score, from 0 to 1."""
    return weighted_mean((c.weight, float(c.normalized is not None)) for c in criteria) or 0.0


def _repairs(transcript: Transcript) -> Iterator[CardWarning]:
    code = WarningCode.TRANSCRIPT_REPAIRED
    for message in transcript.warnings[:_MOST_REPAIRS]:
        yield CardWarning(code, message)
    more = len(transcript.warnings) - _MOST_REPAIRS
    if more > 0:
        yield CardWarning(code, f"the transcript has {more:,} more such warnings")


def _speakers(rubric: Rubric, transcript: Transcript) -> Iterator[CardWarning]:
    """That nobody occurs in the transcript by whom the cues of the rubric count."""
    cues = (c.cues.all_cues() for s in rubric.sections for c in s.criteria if c.cues is not None)
    wanted = dict.fromkeys(pattern for cue in chain(*cues) for pattern in cue.speakers)
    if not wanted or occurring(wanted, transcript.speakers):
        return
    by = ", ".join(list(wanted)[:_MOST_NAMED])
    has, what = "no speakers", "they are scored by their words alone"
    if transcript.speakers:
        has = f"only the speakers {', '.join(transcript.speakers[:_MOST_NAMED])}"
        if not all(map(is_diarised, transcript.speakers)):
            what = "what others say does not count for them"
    text = f"speaker unknown: cues of the rubric count by {by}; the transcript has {has}, so {what}"
    yield CardWarning(WarningCode.SPEAKER_UNKNOWN, text)


def _in_order(
    sections: Sequence[SectionScore], warnings: Iterable[CardWarning]
) -> tuple[CardWarning, ...]:
    """Warnings in the rubric's order, then by code and message, each once.

    Those of the whole come first, those of a criterion that the rubric does not have come last of
    their section.
    """
    place: dict[tuple[str | None, str | None], tuple[int, int]] = {(None, None): (-1, -1)}
    for at, section in enumerate(sections):
        place[section.section_id, None] = at, -1
        for inner, score in enumerate(section.criteria):
            place[section.section_id, score.review.criterion_id] = at, inner

    def key(warning: CardWarning) -> tuple[tuple[int, int], str, str, str]:
        section = place.get((warning.section_id, None), (len(sections), -1))
        unknown = section[0], len(place)
        at = place.get((warning.section_id, warning.criterion_id), unknown)
        return at, warning.criterion_id or "", warning.code.value, warning.message

    return tuple(dict.fromkeys(sorted(warnings, key=key)))


def _sum_usage(usages: Iterable[Usage]) -> Usage:
    """What all sections cost."""
    asked = [usage for usage in usages if usage.calls]
    return Usage(
        calls=sum(usage.calls for usage in asked),
        prompt_tokens=sum_told(usage.prompt_tokens for usage in asked),
        reply_tokens=sum_told(usage.reply_tokens for usage in asked),
        estimated_prompt_tokens=sum_told(usage.estimated_prompt_tokens for usage in asked),
    )


# Words that call for help, on every scorecard with their seconds, whatever the rubric asks for.


EMERGENCY_WORDS = {
    "mayday": ("mayday", "may day"),
    "man down": ("man down",),
    "evacuate": ("evacuate", "evacuating", "evacuated", "evacuation"),
}
"""In the words of the radio: the calls for a firefighter in danger, and the order to leave; with
what is written for each of them.
"""

MOST_LISTED = 50
"""Times that are listed of one word; the rest are counted."""


def emergencies(transcript: Transcript) -> Iterator[CardWarning]:
    """One warning for each emergency word that was said: how often, when, and by whom."""
    index = SpokenIndex(transcript.text)
    for word, forms in EMERGENCY_WORDS.items():
        found = sorted(
            index.span(first, len(keys))
            for keys in map(spoken_keys, forms)
            for first in index.find(keys)
        )
        if not found:
            continue
        shown = [_said_at(transcript.moment(span)) for span in islice(found, MOST_LISTED)]
        more = f"; and {len(found) - MOST_LISTED:,} more" if len(found) > MOST_LISTED else ""
        yield CardWarning(
            WarningCode.EMERGENCY_WORDS,
            f"EMERGENCY: \u201c{word}\u201d was said {count(len(found), 'time')}: "
            f"{'; '.join(shown)}{more}",
        )


def _said_at(moment: Moment) -> str:
    """`1:02 (62.4 s) ENG25`."""
    by = f" {' and '.join(moment.speakers)}" if moment.speakers else ""
    if moment.start is None:
        return f"no time known{by}"
    return f"{clock(moment.start)} ({moment.start:g} s){by}"
