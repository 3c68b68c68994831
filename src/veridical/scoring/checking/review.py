"""A section's answer, settled by its evidence: what is not borne out is not observed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.scoring.checking.evidence import EvidenceChecker, quoted
from veridical.scoring.clocks import distinct
from veridical.scoring.rubric import Criterion, CriterionType, Rubric, Section
from veridical.scoring.scorecard import (
    SCORED,
    CardWarning,
    CheckedEvent,
    CheckedEvidence,
    CitedEvent,
    CriterionAnswer,
    CriterionReview,
    CriterionVerdict,
    EvidenceFidelity,
    SectionAnswer,
    SectionReview,
    WarningCode,
)
from veridical.sources.document import Span
from veridical.sources.transcript import Moment, Transcript

# Which of the events that a scorer reports are borne out by verified words, and when they were.


SAME_MOMENT_SECONDS = 2.0
"""How far apart two seconds may be claimed that mean the same moment.

The tolerance for quotes is far wider; an event that could move as far as that would find other
words than its own.
"""

MOST_QUOTE_SECONDS = 5.0
"""Words that go on for longer do not tell by their first one when something happened."""


@dataclass(frozen=True, slots=True)
class _Quote:
    """A verified quote with a second: its index in the criterion's evidence, and when it was.

    `claimed` is the second that it was cited for, its own where none was.
    """

    index: int
    span: Span
    claimed: float
    start: float
    end: float
    latest: float

    def beyond(self, seconds: float) -> float:
        """How far a second lies outside the words."""
        return max(self.start - seconds, seconds - self.end, 0.0)


def check_events(
    cited: Iterable[CitedEvent],
    evidence: Sequence[CheckedEvidence],
    checker: EvidenceChecker,
    *,
    timed: bool = True,
) -> tuple[CheckedEvent, ...]:
    """The events of one criterion, in the order given; `timed` says whether it times anything.

    An event is verified where a verified quote of the criterion was cited for its second, or stands
    there; it then has that quote's second. Where the quote that was cited for its second is not
    verified, neither is the event: other words do not stand in for it. Of a criterion that times
    something the rubric must have its name, which else would be a clock's that never starts.
    """
    quotes = list(_quotes(evidence, checker))
    refused = [e.claimed_start for e in evidence if not e.verified and e.claimed_start is not None]
    names = event_names(checker.rubric)
    taken: dict[int, str] = {}
    checked = []
    for event in cited:
        name = names.get(event.name) or names.get(_key(event.name))
        if name is None and not timed:
            name = event.name
        if name is None:
            shown: _Quote | str = f"the rubric has no event {quoted(event.name)}"
        elif not checker.is_timed:
            shown = "the transcript has no times"
        else:
            shown = _quote_of(event, name, quotes, refused, taken)
        name = event.name if name is None else name
        if isinstance(shown, str):
            checked.append(CheckedEvent(name, event.at, verified=False, reason=shown))
            continue
        taken.setdefault(shown.index, name)
        at, latest = shown.start, shown.latest
        checked.append(
            CheckedEvent(name, event.at, True, at=at, latest=latest, evidence=shown.index)
        )
    return tuple(checked)


def moved_by(event: CheckedEvent) -> float:
    """How many seconds the words of a verified event lie from the second that was claimed for it.

    None where they may have been said at that second.
    """
    if event.at is None:
        return 0.0
    latest = event.at if event.latest is None else event.latest
    return max(event.at - event.claimed_at, event.claimed_at - latest, 0.0)


def event_names(rubric: Rubric) -> dict[str, str]:
    """The events of a rubric: of its clocks and its cues. Keys are how they are compared."""
    found: dict[str, str] = {}
    for criterion in (c for section in rubric.sections for c in section.criteria):
        names = [group.name for group in criterion.cues.events] if criterion.cues else []
        if criterion.timing is not None:
            names = [criterion.timing.start_event, criterion.timing.end_event, *names]
        for name in names:
            found.setdefault(_key(name), name)
            found[name] = name
    return found


def _key(name: str) -> str:
    """A name but for case and signs: "Command assumed" is "command_assumed"."""
    return "_".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _quotes(evidence: Sequence[CheckedEvidence], checker: EvidenceChecker) -> Iterator[_Quote]:
    for index, item in enumerate(evidence):
        if not item.verified or item.span is None:
            continue
        moment = checker.transcript.moment(item.span)
        if (start := moment.start) is not None:
            claimed = start if item.claimed_start is None else item.claimed_start
            end = start if moment.end is None else moment.end
            latest = _latest(item.span, moment, start, checker.transcript)
            yield _Quote(index, item.span, claimed, start, end, latest)


def _latest(span: Span, moment: Moment, start: float, transcript: Transcript) -> float:
    """The last second at which what the words tell of may have been said.

    That of the first word; of words that go on for long, that of the last one, or the end of its
    segment.
    """
    first = start if moment.latest is None else moment.latest
    words = transcript.words_in(span)
    last = words[-1].start if words else None
    last = moment.end if last is None else last
    if last is None or last - start <= MOST_QUOTE_SECONDS:
        return first
    return max(first, last)


def _quote_of(
    event: CitedEvent,
    name: str,
    quotes: Sequence[_Quote],
    refused: Sequence[float],
    taken: dict[int, str],
) -> _Quote | str:
    """The quote that shows an event, or why none does.

    That which was cited for its second; where none was, that which stands there. `taken` are the
    names of the events that quotes show already.
    """
    if not quotes:
        return "no verified quote of this criterion shows it"

    def last(quote: _Quote) -> tuple[bool, int, int]:
        """Of quotes at one second each shows one event: first those that show no other yet."""
        return taken.get(quote.index, name) != name, quote.span.start, quote.index

    claimed = min(quotes, key=lambda quote: (abs(quote.claimed - event.at), *last(quote)))
    apart = abs(claimed.claimed - event.at)
    wrong = min((abs(seconds - event.at) for seconds in refused), default=math.inf)
    if wrong <= SAME_MOMENT_SECONDS and wrong < apart:
        return "the quote that was cited for its second is not verified"
    if apart <= SAME_MOMENT_SECONDS:
        return claimed
    # Of two that touch at this second, the one that begins there.
    said = min(quotes, key=lambda q: (q.beyond(event.at), abs(q.start - event.at), *last(q)))
    if said.beyond(event.at) <= SAME_MOMENT_SECONDS:
        return said
    return (
        f"no verified quote of this criterion lies within {SAME_MOMENT_SECONDS:g} s of "
        f"{event.at:g} s; the nearest is at {said.start:g} s"
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
    told = ""
    if settled is not verdict:
        number = "its score" if given is None else f"the score {given:g}"
        told = f"{_plain(verdict)} with {number} is read as {_plain(settled)}"
    elif given is not None and not math.isclose(given, score):
        told = f"the score {given:g} was changed to {score:g}, which {_plain(verdict)} allows"
    return SettledScore(settled, score, option, told)


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


def _plain(verdict: CriterionVerdict) -> str:
    return verdict.value.replace("_", " ")


def review_section(
    section: Section, answer: SectionAnswer, checker: EvidenceChecker
) -> SectionReview:
    """What stands of a section's answer: one review for each criterion, in the section's order.

    A verdict that carries a score stands where as many verified quotes at distinct places bear it
    out as the criterion asks for, and else becomes `not_observed`, with a warning. Of a timing
    criterion events and evidence are checked and the verdict is left as given: it is computed from
    the events of all sections. Pure: the same answer always comes to the same review.
    """
    notes, told_of_notes = checker.strike(answer.notes, "the notes on the section")
    warnings, reviews = list(answer.warnings), []
    for criterion, given in zip(section.criteria, answer.criteria, strict=True):
        review, told = _review(criterion, given, checker)
        reviews.append(review)
        warnings.extend(told)
    warnings.extend(told_of_notes)
    return SectionReview(
        section_id=section.id,
        criteria=tuple(reviews),
        notes=notes,
        warnings=tuple(replace(warning, section_id=section.id) for warning in warnings),
        usage=answer.usage,
        omitted=answer.omitted,
    )


def _review(
    criterion: Criterion, answer: CriterionAnswer, checker: EvidenceChecker
) -> tuple[CriterionReview, list[CardWarning]]:
    evidence = tuple(checker.check(each, criterion) for each in answer.evidence)
    timed = criterion.timing is not None
    events = check_events(answer.observed_events, evidence, checker, timed=timed)
    places = distinct_places(evidence, checker)
    settled = settle_score(criterion, answer.verdict, answer.score)
    is_scored = answer.verdict in SCORED and criterion.type is not CriterionType.TIMING
    borne_out = not is_scored or places >= criterion.evidence.min_evidence
    if not borne_out:
        settled = SettledScore(CriterionVerdict.NOT_OBSERVED)
    rationale, struck = checker.strike(answer.rationale, "the rationale")
    given = answer.confidence
    confidence = None if given is None else min(1.0, max(0.0, given))
    review = CriterionReview(
        criterion_id=criterion.id,
        verdict=settled.verdict,
        given_verdict=answer.verdict,
        score=settled.score,
        option=settled.option,
        confidence=confidence,
        rationale=rationale,
        evidence=evidence,
        events=events,
    )
    found = [
        *_about_evidence(evidence, checker),
        *_about_events(events),
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
    told = [*(CardWarning(code, message) for code, message in found), *struck]
    return review, [replace(warning, criterion_id=criterion.id) for warning in told]


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
        if item.span is not None and (unsure := checker.transcript.unsure_in(item.span)):
            message = f"quote {number}: the recogniser was unsure of {quoted(', '.join(unsure))}"
            yield WarningCode.EVIDENCE_UNSURE, message
        if len(item.quote) > checker.max_quote_chars:
            length, most = len(item.quote), checker.max_quote_chars
            message = f"quote {number} has {length:,} characters, it should have {most:,} at most"
            yield WarningCode.EVIDENCE_TOO_LONG, message


def _about_events(events: Sequence[CheckedEvent]) -> Iterator[_Told]:
    for event in events:
        if not event.verified:
            message = f"event {quoted(event.name)} at {event.claimed_at:g} s: {event.reason}"
            yield WarningCode.EVENT_NOT_VERIFIED, message
