"""The scorer that needs no model: it looks the cues of a rubric up in the transcript."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock

from veridical.scoring.checking.evidence import MIN_TOKENS
from veridical.scoring.checking.places import number_beside
from veridical.scoring.clocks import Tick, time_between, timed_verdict
from veridical.scoring.offline import phrasing
from veridical.scoring.offline import words as w
from veridical.scoring.offline.heard import Heard, Place
from veridical.scoring.offline.lookup import Hit, Lookup, Voice
from veridical.scoring.offline.meaning import Reading, around
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    Cue,
    CueGroup,
    Cues,
    Rubric,
    Section,
    TimingTarget,
)
from veridical.scoring.scorecard import (
    CardWarning,
    CitedEvent,
    CitedEvidence,
    CriterionAnswer,
    CriterionVerdict,
    SectionAnswer,
    WarningCode,
)
from veridical.scoring.units import fits_pattern, is_diarised, occurring, unit_of
from veridical.sources.transcript import Transcript
from veridical.validation.lexicon import NEGATIONS
from veridical.validation.timed import is_sign

# The words that are cited for a cue: the sentence or clause that holds it, as it was said.


_CLAUSE_END = re.compile(r"[,;:()\u2013\u2014]|(?<!\S)-+(?!\S)|[.?!\u2026](?=\s|\Z)")
_TRAILING = " \t\r\n,;:-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of one turn, and how they are cited."""

    place: Place
    cited: CitedEvidence


class Quoter:
    """Cites places of one transcript, in at most `max_chars` characters each."""

    def __init__(self, heard: Heard, max_chars: int) -> None:
        self._heard = heard
        self._max_chars = max_chars

    def sentence(self, place: Place) -> Quote:
        """The sentence that holds some words; if that is too long, the clause, or the words."""
        whole = self._sentences(place)
        if not self._fits(whole):
            return self.clause(place)
        return self._quote(self._long_enough(whole))

    def clause(self, place: Place) -> Quote:
        """The clause that holds some words, so that its second is near to theirs."""
        whole, gap = self._sentences(place), self._heard.gap
        begin, end = place.first, place.past
        while begin > whole.first and not _CLAUSE_END.search(gap(begin)):
            begin -= 1
        while end < whole.past and not _CLAUSE_END.search(gap(end)):
            end += 1
        widened = Place(begin, end)
        if not self._fits(widened):
            widened = place
        longer = self._long_enough(widened)
        # As many of the words, from the first on, as may be cited; at least one.
        past = longer.past
        while past - longer.first > 1 and not self._fits(Place(longer.first, past)):
            past -= 1
        return self._quote(Place(longer.first, past))

    def _sentences(self, place: Place) -> Place:
        """The sentence, or the sentences, that hold some words."""
        of, sentences = self._heard.sentence_of, self._heard.sentences
        return Place(sentences[of(place.first)].start, sentences[of(place.past - 1)].stop)

    def _long_enough(self, place: Place) -> Place:
        """At least so many words as evidence needs, where the segment has so many."""
        first, past = place.first, place.past
        low, high = self._segment(first).start, self._segment(past - 1).stop
        while past - first < MIN_TOKENS and (past < high or first > low):
            if past < high:
                past += 1
            else:
                first -= 1
        while first > low and self._depends(first, past):
            first -= 1
        longer = Place(first, past)
        return longer if self._fits(longer) else place

    def _depends(self, first: int, past: int) -> bool:
        """Whether words say something else without the word before: a "not", or a number's part."""
        heard = self._heard
        before = f"{heard.text(range(max(0, first - 2), first))} "
        said = heard.text(range(first, past))
        return heard.words[first - 1] in NEGATIONS or bool(number_beside(before, said, ""))

    def _segment(self, word: int) -> range:
        """The words of the segment that a word stands in."""
        turn = self._heard.turns[self._heard.turn_of(word)]
        starts = [part.span.start for part in turn.parts]
        part = turn.parts[bisect_right(starts, self._heard.tokens.starts[word]) - 1]
        return self._heard.words_within(part.span)

    def _fits(self, place: Place) -> bool:
        return len(self._written(place)) <= self._max_chars

    def _quote(self, place: Place) -> Quote:
        moment = self._heard.transcript.moment(self._heard.span(place))
        return Quote(place, CitedEvidence(self._written(place), moment.start, moment.speaker))

    def _written(self, place: Place) -> str:
        """The words with the signs that touch them: "$" and "%" belong to their number."""
        text, span = self._heard.transcript.text, self._heard.span(place)
        turn = self._heard.turns[self._heard.turn_of(place.first)].span
        start, end = span.start, span.end
        while start > turn.start and is_sign(text[start - 1]):
            start -= 1
        while end < turn.end and is_sign(text[end]):
            end += 1
        return " ".join(text[start:end].rstrip(_TRAILING).lstrip(",;: ").split())


# What shows something: its cues, and where they were said.


@dataclass(frozen=True, slots=True)
class Sign:
    """A verdict, an element, an option or an event, and where its cues were said.

    `asserted` are the hits that count, `passed` those that are meant otherwise or are another's,
    both in order of the text, one for each place. `phrases` are its cues' own; `missing` are the
    speakers that its cues count by, where the transcript has none of them.
    """

    name: str
    phrases: tuple[str, ...]
    missing: tuple[str, ...]
    asserted: tuple[Hit, ...]
    passed: tuple[Hit, ...]


class Voices:
    """Whose words count for the cues of one rubric, by the labels of one transcript.

    Where the transcript has no speaker that a cue counts by, who said its words is unknown as far
    as they have no label, or one that a diariser only numbered.
    """

    def __init__(self, labels: Sequence[str], cues: Iterable[Cue]) -> None:
        self._there = occurring({p for cue in cues for p in cue.speakers}, labels)

    @property
    def knows_some(self) -> bool:
        """Whether some speaker of the transcript is one that the rubric knows."""
        return bool(self._there)

    def has(self, cue: Cue) -> bool:
        """Whether some speaker occurs by whose words a cue counts."""
        return not cue.speakers or not self._there.isdisjoint(cue.speakers)

    def heard(self, hit: Hit, cue: Cue) -> Hit | None:
        """The hit with what its speaker makes of it; None where it is said of another unit."""
        if not cue.speakers:
            return hit
        speaker, named = hit.speaker, hit.named
        if speaker is not None and any(fits_pattern(speaker, p) for p in cue.speakers):
            # A unit with a number may say it of another: "I see Medic 3 on scene".
            unit = unit_of(speaker)
            own = speaker.casefold() if unit is None else str(unit)
            return hit if named in (None, own) or w.UNIT.fullmatch(own) is None else None
        if self.has(cue) or not (speaker is None or is_diarised(speaker)):
            return replace(hit, voice=Voice.OTHER, counts_by=cue.speakers)
        if named is not None and not any(fits_pattern(named, p) for p in cue.speakers):
            return None
        return replace(hit, voice=Voice.UNKNOWN, counts_by=cue.speakers)


def said_instead(
    heard: Heard, groups: Sequence[Sequence[Hit]], words: re.Pattern[str]
) -> Sequence[Hit] | None:
    """Of hits that contradict each other those that replaced the others, None where none did.

    They did where all of them were said after all of the others, and the sentence of the first of
    them, or the one before it in its turn, has words that say so.
    """
    last = max(groups, key=lambda hits: min(hit.place for hit in hits))
    place = min(hit.place for hit in last)
    others = [hit.place.first for hits in groups if hits is not last for hit in hits]
    if others and max(others) >= place.first:
        return None
    said = around(heard, place)
    texts = (said.previous, heard.written(heard.sentences[heard.sentence_of(place.first)]))
    return last if any(words.search(text) for text in texts) else None


def _apart(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits in order of the text, of those that share words the surest, then the longest."""

    def rank(hit: Hit) -> tuple[float, int, Place, str]:
        return -hit.confidence, hit.place.first - hit.place.past, hit.place, hit.phrase

    kept: list[Hit] = []
    taken: set[int] = set()
    for hit in sorted(hits, key=rank):
        words = range(hit.place.first, hit.place.past)
        if taken.isdisjoint(words):
            kept.append(hit)
            taken.update(words)
    return tuple(sorted(kept, key=lambda hit: hit.place))


# What the cues that were said, and how they were meant, come to: one answer for a criterion.


MOST_QUOTES = 3
"""Quotes for a verdict, unless more are needed: the first ones say enough."""

MOST_EVENTS = 40
"""Events of one criterion: with their quotes no more than a review looks at."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict, the hits that it rests on and why, before they are cited."""

    verdict: CriterionVerdict
    why: str
    score: float | None = None
    hits: tuple[Hit, ...] = ()
    warning: CardWarning | None = None


class Judge:
    """Answers for the criteria of one rubric, by what was said in one transcript."""

    def __init__(self, lookup: Lookup, quoter: Quoter, voices: Voices) -> None:
        self._lookup = lookup
        self._quoter = quoter
        self._voices = voices

    def answer(self, criterion: Criterion) -> tuple[CriterionAnswer, tuple[CardWarning, ...]]:
        """The answer for one criterion, and what a person should know of it."""
        if criterion.cues is None:
            return _answer(criterion, CriterionVerdict.NOT_OBSERVED, phrasing.NO_CUES), ()
        if criterion.timing is not None:
            return self._timed(criterion, criterion.timing, criterion.cues)
        found = self._finding(criterion, criterion.cues)
        events, shown = self._events(criterion.cues.events)
        quotes = self._quotes(found.hits, most=max(MOST_QUOTES, criterion.evidence.min_evidence))
        if found.verdict is not CriterionVerdict.NOT_OBSERVED and (
            len(quotes) < criterion.evidence.min_evidence
        ):
            why = phrasing.too_few(len(quotes), criterion.evidence.min_evidence, found.why)
            found = replace(found, verdict=CriterionVerdict.NOT_OBSERVED, why=why, score=None)
        signs = self._signs(criterion.cues)
        answer = _answer(
            criterion,
            found.verdict,
            phrasing.rationale(self._lookup.heard, found.why, _passed_over(signs, found.hits)),
            score=found.score,
            hits=found.hits,
            quotes=(*quotes, *shown),
            events=events,
        )
        told = [found.warning] if found.warning else []
        if found.verdict is CriterionVerdict.NOT_OBSERVED:
            told += self._unclear(signs)
        return answer, (*told, *self._speakers(signs, found.hits))

    # --- Verdicts by type -----------------------------------------------------------------------

    def _finding(self, criterion: Criterion, cues: Cues) -> Finding:
        if criterion.type is CriterionType.ENUM:
            return self._by_options(criterion, cues)
        missed = self._sign("missed", cues.missed)
        parts = [self._sign(group.name, group.cues) for group in cues.elements]
        whole = self._sign("met", cues.met)
        if any(part.asserted for part in parts) and not whole.asserted:
            found = self._by_parts(criterion, parts)
        elif whole.asserted:
            found = self._outright(criterion, CriterionVerdict.MET, whole)
        elif missed.asserted:
            return self._outright(criterion, CriterionVerdict.MISSED, missed)
        else:
            return Finding(
                CriterionVerdict.NOT_OBSERVED, phrasing.looked_for(_all([whole, missed, *parts]))
            )
        if not missed.asserted:
            return found
        heard, contradicting = self._lookup.heard, (found.hits, missed.asserted)
        later = said_instead(heard, contradicting, w.CORRECTING)
        if later is None:
            return _contradicted(criterion, phrasing.CONTRADICTED)
        if later is missed.asserted:
            return self._outright(criterion, CriterionVerdict.MISSED, missed)
        return found

    def _outright(self, criterion: Criterion, verdict: CriterionVerdict, sign: Sign) -> Finding:
        low, high = criterion.scale
        why = phrasing.said(self._lookup.heard, sign.asserted)
        score = high if verdict is CriterionVerdict.MET else low
        return Finding(verdict, why, score, sign.asserted)

    def _by_parts(self, criterion: Criterion, parts: Sequence[Sign]) -> Finding:
        """The share of the parts that were said, on the criterion's scale."""
        said = [part for part in parts if part.asserted]
        low, high = criterion.scale
        score = round(low + len(said) / len(parts) * (high - low), 6)
        complete = len(said) == len(parts)
        # For each part the first place is enough; further ones fill up what evidence is needed.
        firsts = [part.asserted[0] for part in said]
        others = sorted(
            (hit for part in said for hit in part.asserted[1:]), key=lambda hit: hit.place
        )
        return Finding(
            CriterionVerdict.MET if complete else CriterionVerdict.PARTIAL,
            phrasing.parts(self._lookup.heard, parts),
            high if complete else score,
            (*firsts, *others),
        )

    def _by_options(self, criterion: Criterion, cues: Cues) -> Finding:
        signs = [self._sign(group.name, group.cues) for group in cues.options]
        said = [sign for sign in signs if sign.asserted]
        if not said:
            return Finding(CriterionVerdict.NOT_OBSERVED, phrasing.looked_for(_all(signs)))
        scores = {option.value: option.score for option in criterion.options}
        known = [sign for sign in said if sign.name in scores]
        if len(known) < len(said) or not known:
            return _contradicted(criterion, phrasing.UNKNOWN_OPTION)
        heard, hits = self._lookup.heard, [sign.asserted for sign in known]
        later = hits[0] if len(hits) == 1 else said_instead(heard, hits, w.CHANGING)
        chosen = next((sign for sign in known if sign.asserted is later), None)
        replaced = chosen is not None
        if chosen is None:
            chosen = min(known, key=lambda sign: (scores[sign.name], sign.name))
        score = scores[chosen.name]
        low, high = criterion.scale
        verdict = CriterionVerdict.PARTIAL
        if score in (low, high):
            verdict = CriterionVerdict.MET if score == high else CriterionVerdict.MISSED
        why = phrasing.option(self._lookup.heard, chosen, known, replaced=replaced)
        return Finding(verdict, why, score, chosen.asserted)

    # --- Events ---------------------------------------------------------------------------------

    def _timed(
        self, criterion: Criterion, target: TimingTarget, cues: Cues
    ) -> tuple[CriterionAnswer, tuple[CardWarning, ...]]:
        """A timing criterion: its events. The time is computed from them as it will be again."""
        events, quotes = self._events(cues.events)
        ticks = [Tick(event.name, event.at, event.at) for event in events]
        verdict = timed_verdict(time_between(target, ticks))
        signs = self._signs(cues)
        hits = tuple(hit for sign in signs for hit in sign.asserted)
        why = phrasing.events(self._lookup.heard, signs, has_times=bool(events) or not hits)
        text = phrasing.rationale(self._lookup.heard, why, _passed_over(signs, hits))
        answer = _answer(criterion, verdict, text, hits=hits, quotes=quotes, events=events)
        silent = [sign for sign in signs if not sign.asserted]
        return answer, (*self._unclear(silent), *self._speakers(signs, hits))

    def _events(
        self, groups: Sequence[CueGroup]
    ) -> tuple[tuple[CitedEvent, ...], tuple[Quote, ...]]:
        """The events that were said, the first ones of each, and the clauses that say so."""
        found: list[tuple[str, Quote]] = []
        most = MOST_EVENTS // max(1, len(groups))
        for group in groups:
            hits = self._sign(group.name, group.cues).asserted[: max(1, most)]
            found += [(group.name, self._quoter.clause(hit.place)) for hit in hits]
        found = found[:MOST_EVENTS]
        events = dict.fromkeys(
            CitedEvent(name, quote.cited.start)
            for name, quote in found
            if quote.cited.start is not None
        )
        return tuple(events), tuple(dict.fromkeys(quote for _, quote in found))

    # --- What was said --------------------------------------------------------------------------

    def _sign(self, name: str, cues: Sequence[Cue]) -> Sign:
        """The sign that some cues are, each by the words of those speakers who count."""
        heard = [
            self._voices.heard(hit, cue) for cue in cues for hit in self._lookup.hits(cue.phrase)
        ]
        hits = [hit for hit in heard if hit is not None]
        counting = [h for h in hits if h.reading is Reading.ASSERTED and h.voice is not Voice.OTHER]
        # Words of others are told of only where nobody said them who counts.
        passed = [
            hit
            for hit in hits
            if (hit.reading is Reading.ASSERTED) is (hit.voice is Voice.OTHER)
            and not (counting and hit.voice is Voice.OTHER)
        ]
        absent = [pattern for cue in cues for pattern in cue.speakers]
        return Sign(
            name,
            tuple(dict.fromkeys(cue.phrase for cue in cues)),
            () if any(map(self._voices.has, cues)) else tuple(dict.fromkeys(absent)),
            _apart(counting),
            _apart(passed),
        )

    def _signs(self, cues: Cues) -> list[Sign]:
        groups = (*cues.elements, *cues.options, *cues.events)
        named = [("met", cues.met), ("missed", cues.missed)]
        named += [(group.name, group.cues) for group in groups]
        return [self._sign(name, listed) for name, listed in named if listed]

    def _quotes(self, hits: Sequence[Hit], most: int) -> tuple[Quote, ...]:
        """The first quotes at distinct places, in the order of the hits."""
        chosen: list[Quote] = []
        for hit in hits:
            quote = self._quoter.sentence(hit.place)
            if any(quote.place.shares_with(other.place) for other in chosen):
                quote = self._quoter.clause(hit.place)
            if not any(quote.place.shares_with(other.place) for other in chosen):
                chosen.append(quote)
            if len(chosen) == most:
                break
        return tuple(chosen)

    def _speakers(self, signs: Sequence[Sign], used: Sequence[Hit]) -> list[CardWarning]:
        """A warning where words count whose speaker is unknown, or nobody occurs who counts."""
        unknown = [hit for hit in used if hit.voice is Voice.UNKNOWN]
        absent = [] if used else [pattern for sign in signs for pattern in sign.missing]
        if unknown:
            message = phrasing.speaker_unknown(self._lookup.heard, unknown)
        elif absent and self._voices.knows_some:
            message = phrasing.nobody_occurs(absent)
        else:
            return []
        return [CardWarning(WarningCode.SPEAKER_UNKNOWN, message)]

    def _unclear(self, signs: Sequence[Sign]) -> list[CardWarning]:
        """A warning of a cue's own words in a sentence that may say something else."""
        unclear = [hit for sign in signs for hit in sign.passed if hit.reading is Reading.UNCLEAR]
        if not unclear:
            return []
        first = min(unclear, key=lambda hit: (hit.place, hit.phrase))
        message = phrasing.unclear(self._lookup.heard, first)
        return [CardWarning(WarningCode.NEAR_CUE, message)]


def _answer(
    criterion: Criterion,
    verdict: CriterionVerdict,
    rationale: str,
    *,
    score: float | None = None,
    hits: Sequence[Hit] = (),
    quotes: Sequence[Quote] = (),
    events: tuple[CitedEvent, ...] = (),
) -> CriterionAnswer:
    sure = [hit.confidence for hit in hits]
    return CriterionAnswer(
        criterion_id=criterion.id,
        verdict=verdict,
        score=score,
        confidence=min(sure) if sure and verdict is not CriterionVerdict.NOT_OBSERVED else None,
        rationale=rationale,
        evidence=tuple(dict.fromkeys(quote.cited for quote in quotes)),
        observed_events=events,
    )


def _contradicted(criterion: Criterion, why: str) -> Finding:
    warning = CardWarning(WarningCode.CONTRADICTED, why, criterion_id=criterion.id)
    return Finding(CriterionVerdict.NOT_OBSERVED, why, warning=warning)


def _all(signs: Iterable[Sign]) -> list[str]:
    return [phrase for sign in signs for phrase in sign.phrases]


def _passed_over(signs: Iterable[Sign], used: Sequence[Hit]) -> list[Hit]:
    """The hits that did not count, in order of the text, each place once."""
    words = {word for hit in used for word in range(hit.place.first, hit.place.past)}
    passed = {
        hit.place: hit
        for sign in signs
        for hit in sign.passed
        if words.isdisjoint(range(hit.place.first, hit.place.past))
    }
    return [passed[place] for place in sorted(passed)]


class CueScorer:
    """Scores by the cues of a rubric: the embedded default, with no model and no network.

    A criterion is answered by what was said as done; questions, orders, denials, doubts and
    read-backs do not count, and the rationale says so. Without a cue there is no verdict. Its
    quotes are checked like a model's. The same transcript and rubric give the same answers; the
    cues of all sections are looked up once, when the first section is scored.
    """

    name = "cues"
    rule_based = True

    def __init__(self, transcript: Transcript, rubric: Rubric) -> None:
        self._transcript = transcript
        self._rubric = rubric
        self._lock = Lock()

    def score(self, section: Section) -> SectionAnswer:
        """What the cues say of a section of the rubric."""
        with self._lock:
            judge = self._judge
        answers, warnings = [], []
        for criterion in section.criteria:
            answer, told = judge.answer(criterion)
            answers.append(answer)
            warnings += [
                replace(warning, section_id=section.id, criterion_id=criterion.id)
                for warning in told
            ]
        return SectionAnswer(section.id, tuple(answers), warnings=tuple(warnings))

    @cached_property
    def _judge(self) -> Judge:
        heard = Heard(self._transcript)
        criteria = [c for section in self._rubric.sections for c in section.criteria]
        cues = [cue for c in criteria if c.cues is not None for cue in c.cues.all_cues()]
        lookup = Lookup(heard, {cue.phrase for cue in cues})
        quoter = Quoter(heard, self._rubric.llm.evidence_quote_max_chars)
        return Judge(lookup, quoter, Voices(self._transcript.speakers, cues))
