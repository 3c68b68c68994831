"""A section's answer, settled by its evidence: what is not borne out is not observed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.scoring.answer import (
    SCORED,
    CardWarning,
    CriterionAnswer,
    CriterionVerdict,
    SectionAnswer,
    WarningCode,
)
from veridical.scoring.checking.events import check_events
from veridical.scoring.checking.evidence import EvidenceChecker, quoted, unverified
from veridical.scoring.clocks import distinct
from veridical.scoring.rubric import Criterion, CriterionType, Section
from veridical.scoring.scorecard import (
    CheckedEvent,
    CheckedEvidence,
    CriterionReview,
    EvidenceFidelity,
    SectionReview,
)

# Which score a verdict and a scorer's number come to: bounded, and never kinder than both.


NEARLY_ALL = 0.01
"""What is partial lies further below the top than this share of the scale."""


@dataclass(frozen=True, slots=True)
class SettledScore:
    """A verdict and the score that goes with it, on the criterion's scale.

    `option` is that of an enum. `adjusted` says what was changed of what the scorer gave, empty
    where nothing was.
    """

    verdict: CriterionVerdict
    score: float | None = None
    option: str | None = None
    adjusted: str = ""


def settle_score(
    criterion: Criterion, verdict: CriterionVerdict, given: float | None
) -> SettledScore:
    """The score of a criterion whose verdict stands.

    A yes or no follows the verdict; a number on a scale is bounded by it; one between two options
    of an enum is the lower one. Where verdict and number contradict each other the lower reading
    counts: what was met with the least score was missed, what was met with no more than half of
    the scale is partial. Verdicts that carry no score get none.
    """
    if given is not None and not math.isfinite(given):
        given = None
    low, high = criterion.scale
    if verdict not in SCORED:
        keeps = given is None or given in (0.0, low)
        told = "" if keeps else f"{_plain(verdict)} carries no score, {given:g} was given"
        return SettledScore(verdict, adjusted=told)
    if criterion.type is CriterionType.TIMING:
        return SettledScore(verdict)
    score, option = _on_scale(criterion, _bounded_by_verdict(criterion, verdict, given))
    settled = verdict
    if low < high and score <= low and (given is not None or verdict is CriterionVerdict.MET):
        settled = CriterionVerdict.MISSED
    elif low < high and score <= (low + high) / 2 and verdict is CriterionVerdict.MET:
        settled = CriterionVerdict.PARTIAL
    return SettledScore(settled, score, option, _told(verdict, settled, given, score))


def _bounded_by_verdict(
    criterion: Criterion, verdict: CriterionVerdict, given: float | None
) -> float:
    """The number that counts: the given one as far as the verdict allows it, else the verdict's."""
    low, high = criterion.scale
    middle = (low + high) / 2
    by_verdict = {
        CriterionVerdict.MET: high,
        CriterionVerdict.PARTIAL: middle,
        CriterionVerdict.MISSED: low,
    }[verdict]
    if given is None or verdict is CriterionVerdict.MISSED:
        return by_verdict
    bounded = max(low, min(given, high))
    if criterion.type is CriterionType.BOOLEAN:
        return bounded if bounded <= middle else by_verdict
    top = _on_scale(criterion, bounded)[0] + NEARLY_ALL * (high - low)
    return by_verdict if verdict is CriterionVerdict.PARTIAL and top >= high else bounded


def _on_scale(criterion: Criterion, score: float) -> tuple[float, str | None]:
    """The score itself, or for an enum that of the option at or below it, and the option."""
    if not criterion.options:
        return score, None
    reached = [o for o in criterion.options if o.score <= score or math.isclose(o.score, score)]
    best = max(option.score for option in reached) if reached else criterion.scale[0]
    return next((o.score, o.value) for o in criterion.options if o.score == best)


def _told(
    verdict: CriterionVerdict, settled: CriterionVerdict, given: float | None, score: float
) -> str:
    if settled is not verdict:
        number = "its score" if given is None else f"the score {given:g}"
        return f"{_plain(verdict)} with {number} is read as {_plain(settled)}"
    if given is None or math.isclose(given, score):
        return ""
    return f"the score {given:g} was changed to {score:g}, which {_plain(verdict)} allows"


def _plain(verdict: CriterionVerdict) -> str:
    return verdict.value.replace("_", " ")


MOST_EVIDENCE = 50
"""Quotes of one criterion that are checked."""

MOST_EVENTS = 100
"""Events of one criterion that are kept."""


def review_section(
    section: Section, answer: SectionAnswer, checker: EvidenceChecker
) -> SectionReview:
    """What stands of a section's answer: one review for each criterion, in the section's order.

    A verdict that carries a score stands where as many verified quotes at distinct places bear it
    out as the criterion asks for, and else becomes `not_observed`, with a warning. Of a timing
    criterion events and evidence are checked and the verdict is left as given: it is computed from
    the events of all sections. Pure: the same answer always comes to the same review.
    """
    warnings = list(answer.warnings)
    answers = _one_each(section, answer.criteria, warnings)
    reviews = []
    for criterion in section.criteria:
        given = answers.get(criterion.id)
        if given is None:
            warnings.append(
                CardWarning(
                    WarningCode.MISSING_CRITERION,
                    "nothing was said of it",
                    criterion_id=criterion.id,
                )
            )
            given = CriterionAnswer(criterion.id, CriterionVerdict.NOT_OBSERVED)
        review, told = _review(criterion, given, checker)
        reviews.append(review)
        warnings.extend(told)
    warnings.extend(checker.inventions.find(answer.notes, "the notes on the section"))
    return SectionReview(
        section_id=section.id,
        criteria=tuple(reviews),
        notes=answer.notes,
        warnings=tuple(replace(warning, section_id=section.id) for warning in warnings),
        usage=answer.usage,
        omitted=answer.omitted,
    )


def _one_each(
    section: Section, answers: Iterable[CriterionAnswer], warnings: list[CardWarning]
) -> dict[str, CriterionAnswer]:
    """The answer for each criterion of the section; none of it was observed where two differ."""
    found: dict[str, CriterionAnswer] = {}
    for answer in answers:
        if section.criterion(answer.criterion_id) is None:
            code, text = WarningCode.UNKNOWN_CRITERION, "the section has no such criterion"
        elif answer.criterion_id in found:
            code, first = WarningCode.DUPLICATE_CRITERION, found[answer.criterion_id]
            text = "only the first answer is used"
            if (answer.verdict, answer.score) != (first.verdict, first.score):
                text = "it is answered in two ways, so it counts as not observed"
                found[answer.criterion_id] = CriterionAnswer(
                    answer.criterion_id, CriterionVerdict.NOT_OBSERVED
                )
        else:
            found[answer.criterion_id] = answer
            continue
        warnings.append(CardWarning(code, text, criterion_id=answer.criterion_id))
    return found


def _review(
    criterion: Criterion, answer: CriterionAnswer, checker: EvidenceChecker
) -> tuple[CriterionReview, list[CardWarning]]:
    cited = answer.evidence
    too_many = f"only the first {MOST_EVIDENCE} of a criterion are checked"
    evidence = (
        *(checker.check(each, criterion) for each in cited[:MOST_EVIDENCE]),
        *(unverified(each, too_many) for each in cited[MOST_EVIDENCE:]),
    )
    events = check_events(answer.observed_events[:MOST_EVENTS], evidence, checker)
    places = distinct_places(evidence, checker)
    settled = settle_score(criterion, answer.verdict, answer.score)
    is_scored = answer.verdict in SCORED and criterion.type is not CriterionType.TIMING
    borne_out = not is_scored or places >= criterion.evidence.min_evidence
    if not borne_out:
        settled = SettledScore(CriterionVerdict.NOT_OBSERVED)
    given = answer.confidence
    confidence = None if given is None or math.isnan(given) else min(1.0, max(0.0, given))
    review = CriterionReview(
        criterion_id=criterion.id,
        verdict=settled.verdict,
        given_verdict=answer.verdict,
        score=settled.score,
        option=settled.option,
        confidence=confidence,
        rationale=answer.rationale,
        evidence=evidence,
        events=events,
    )
    found = [
        *_about_evidence(evidence, checker),
        *_about_events(answer, events),
    ]
    if not borne_out:
        message = (
            f"said to be {answer.verdict.value}, but {places} of the "
            f"{criterion.evidence.min_evidence} pieces of evidence that it needs were verified: "
            "not observed"
        )
        found.append((WarningCode.VERDICT_WITHOUT_EVIDENCE, message))
    if settled.adjusted:
        found.append((WarningCode.SCORE_ADJUSTED, settled.adjusted))
    if given is not None and confidence != given:
        message = f"the confidence {answer.confidence:g} was bounded to lie between 0 and 1"
        found.append((WarningCode.SCORE_ADJUSTED, message))
    warnings = [CardWarning(code, message) for code, message in found]
    warnings += checker.inventions.find(answer.rationale, "the rationale")
    return review, [replace(warning, criterion_id=criterion.id) for warning in warnings]


def distinct_places(evidence: Iterable[CheckedEvidence], checker: EvidenceChecker) -> int:
    """In how many utterances verified quotes stand; of those that share one, one counts."""
    spans = [item.span for item in evidence if item.verified and item.span is not None]
    return distinct(map(checker.places.utterance, spans))


_Told = tuple[WarningCode, str]


def _about_evidence(
    evidence: Sequence[CheckedEvidence], checker: EvidenceChecker
) -> Iterator[_Told]:
    for number, item in enumerate(evidence, start=1):
        if not item.verified:
            yield WarningCode.EVIDENCE_NOT_VERIFIED, f"quote {number}: {item.reason}"
        elif item.corrected:
            yield WarningCode.EVIDENCE_CORRECTED, f"quote {number}: {item.reason}"
        speaker = item.claimed_speaker
        if speaker is not None and checker.speakers.is_invented(speaker):
            message = f"quote {number}: the transcript has no speaker {quoted(speaker)}"
            yield WarningCode.INVENTED_SPEAKER, message
        if item.fidelity is EvidenceFidelity.PARAPHRASE:
            message = f"quote {number}: it is no quote: the transcript says it in other words"
            yield WarningCode.EVIDENCE_PARAPHRASED, message
        if (meant := checker.doubt(item)) is not None:
            message = f"quote {number}: in its place it is said {meant}"
            yield WarningCode.EVIDENCE_IN_DOUBT, message
        if len(item.quote) > checker.max_quote_chars:
            length, most = len(item.quote), checker.max_quote_chars
            message = f"quote {number} has {length:,} characters, it should have {most:,} at most"
            yield WarningCode.EVIDENCE_TOO_LONG, message


def _about_events(answer: CriterionAnswer, events: Sequence[CheckedEvent]) -> Iterator[_Told]:
    if len(answer.observed_events) > MOST_EVENTS:
        message = f"only the first {MOST_EVENTS} events of a criterion are kept"
        yield WarningCode.EVENT_NOT_VERIFIED, message
    for event in events:
        if not event.verified:
            message = f"event {quoted(event.name)} at {event.claimed_at:g} s: {event.reason}"
            yield WarningCode.EVENT_NOT_VERIFIED, message
