"""Is a cited quote in the transcript, at its second, and said by whom it is claimed of?

Nothing of what a scorer cites is believed: what is verified here is the transcript's own words,
second and speaker. In doubt a quote is not verified.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cached_property

from veridical.errors import VeridicalError
from veridical.scoring.checking.invented import InventionFinder
from veridical.scoring.checking.places import Places
from veridical.scoring.offline.heard import Heard, word_keys
from veridical.scoring.offline.meaning import Meanings, Reading, asks
from veridical.scoring.rubric import Criterion, Rubric
from veridical.scoring.scorecard import (
    CardWarning,
    CheckedEvidence,
    CitedEvidence,
    EvidenceFidelity,
)
from veridical.scoring.units import is_diarised, unit_of
from veridical.sources.document import Span
from veridical.sources.transcript import Precision, Transcript
from veridical.text.lexicon import english
from veridical.text.spoken import spoken_keys
from veridical.text.tokens import word_key
from veridical.validation.claims import MAX_QUOTE_CHARS, Claim, EvidenceType
from veridical.validation.config import SemanticMatching, ValidationConfig
from veridical.validation.lexicon import MODALS, NEGATIONS, RESTRICTIONS
from veridical.validation.timed import (
    Occurrence,
    TimedQuote,
    TimedQuoteChecker,
    TimedQuotePolicy,
    seconds_apart,
)
from veridical.validation.validator import Validator

_MOST_SHOWN = 80


def quoted(text: str) -> str:
    """Words of somebody else: in quotation marks, on one line, shortened."""
    shown = " ".join(text.split())
    return f"\u201c{shown[:_MOST_SHOWN]}{'...' if len(shown) > _MOST_SHOWN else ''}\u201d"


# Does the transcript say this in other words?


_QUALIFIERS = frozenset({*MODALS, *RESTRICTIONS})
_LIGHT = (
    english("articles", "be", "being", "have", "subjects", "objects", "determiners")
    | english("prepositions") - {"in", "on"}
    | frozenset("also and as just now so then there which who".split())
)
"""Words that a paraphrase may add. On, off, in, out, up and down are none of them."""


def says_no_more(paraphrase: str, said: str) -> bool:
    """Whether each word of a paraphrase that carries meaning stands in what was said.

    In that form, or as done for being done: "vented" is not the order to vent. Neither may be
    surer than the other, and the words keep their order: it tells who did it to whom. Between
    opposites nothing else differs than one word, so no other word will do in its place.
    """
    claimed, there = word_keys(paraphrase), word_keys(said)
    if _QUALIFIERS.intersection(claimed) != _QUALIFIERS.intersection(there):
        return False
    left = iter([_form(word) for word in there])
    return all(_form(word) in left for word in claimed if word not in _LIGHT)


def _form(word: str) -> str:
    """A word but for the difference between done and being done."""
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending) + "-"
    return word


# Who is meant by a speaker's name, and does it fit the label that the transcript has?


_NOBODY = frozenset({"", "unknown", "unknownspeaker", "unidentified", "speaker", "none", "na"})


class Fit(StrEnum):
    """How a claimed speaker agrees with who spoke by the transcript.

    `unconfirmed`: the transcript does not say who that was, only that it was one speaker or none.
    """

    SAME = "same"
    UNCONFIRMED = "unconfirmed"
    OTHER = "other"


class Speakers:
    """The speakers of a transcript by their labels."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._labels = tuple(labels)

    def _meant_by(self, claimed: str) -> frozenset[str]:
        """The labels that a name may mean: the same but for case, spaces and signs, or the same
        unit ("E25" is "Engine 25").
        """
        plain, unit = _plain(claimed), unit_of(claimed)
        return frozenset(
            label
            for label in self._labels
            if _plain(label) == plain or (unit is not None and unit_of(label) == unit)
        )

    def fit(self, claimed: str | None, said_by: str | None) -> Fit:
        """Whether the one who is claimed to have spoken is `said_by`, None where nobody knows.

        A name that is no label of the transcript fits only where that has no name either.
        """
        if claimed is None or _plain(claimed) in _NOBODY:
            return Fit.SAME
        meant = self._meant_by(claimed)
        if meant:
            return Fit.SAME if said_by in meant else Fit.OTHER
        if said_by is None or (is_diarised(said_by) and not is_diarised(claimed)):
            return Fit.UNCONFIRMED
        return Fit.OTHER

    def is_invented(self, claimed: str) -> bool:
        """Whether a claimed speaker is surely none of these: names cannot be, where only numbers
        tell speakers apart.
        """
        if _plain(claimed) in _NOBODY or self._meant_by(claimed):
            return False
        named = any(not is_diarised(label) for label in self._labels)
        return named or (is_diarised(claimed) and bool(self._labels))


def _plain(label: str) -> str:
    return "".join(spoken_keys(label.replace("_", " ")))


DEFAULT_TOLERANCE_SECONDS = TimedQuotePolicy().tolerance_seconds
"""How far words may lie from the second that is claimed for them: as in the evidence contract."""

MIN_TOKENS = 3
"""Fewer words are evidence only where they are all that is said: "Copy." """

MOST_QUOTE = 4
"""How many times as long as the rubric's longest quote one may be and still is checked."""

_GAP = ("...", "\u2026", ". . .")


class EvidenceChecker:
    """Checks cited quotes against one transcript. Made once a run, for one thread.

    A quote is verified where its words stand one after the other within one speaker's turn, with no
    silence of more than `places.MAX_GAP_SECONDS` between them, numbers, signs and negations
    unchanged, within `tolerance_seconds` of the claimed second; or, where they stand at one place
    only, there, and corrected. In a transcript without any times the words alone are checked, and
    verified evidence has no second.
    Source: the scoring contract, "Non-Speculation Rules"; the evidence contract for words, seconds.
    """

    def __init__(
        self,
        transcript: Transcript,
        rubric: Rubric,
        *,
        tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
        material: str = "",
        rule_based: bool = False,
    ) -> None:
        """`material` is what the scorer was shown besides the transcript; one that follows fixed
        rules invents nothing.

        Raises ConfigurationError for a tolerance that is no number from 0 up.
        """
        policy = TimedQuotePolicy(min_tokens=1, tolerance_seconds=tolerance_seconds)
        self.transcript = transcript
        self.rubric = rubric
        self.tolerance_seconds = tolerance_seconds
        self.speakers = Speakers(transcript.speakers)
        self.is_timed = transcript.precision is not Precision.NONE
        self._material = material
        self._rule_based = rule_based
        self._timed = TimedQuoteChecker(transcript, policy)
        self.places = Places(transcript, self._timed.index)

    @property
    def max_quote_chars(self) -> int:
        """How long a quote should be at most."""
        return self.rubric.llm.evidence_quote_max_chars

    def strike(self, text: str, where: str) -> tuple[str, tuple[CardWarning, ...]]:
        """A scorer's text without what nobody said, and what a reader must know of that."""
        return (text, ()) if self._rule_based else self._inventions.strike(text, where)

    @cached_property
    def _inventions(self) -> InventionFinder:
        return InventionFinder(
            self.transcript,
            self.rubric,
            tolerance_seconds=self.tolerance_seconds,
            material=self._material,
        )

    @cached_property
    def _meanings(self) -> Meanings:
        return Meanings(Heard(self.transcript))

    @cached_property
    def _validator(self) -> Validator:
        # Sense alone validates no paraphrase, so embeddings would only cost time here.
        config = ValidationConfig(semantic_matching=SemanticMatching(enabled=False))
        return Validator([self.transcript], config)

    def check(self, cited: CitedEvidence, criterion: Criterion) -> CheckedEvidence:
        """What is found of one quote that is cited for a criterion. Raises nothing."""
        limit = MOST_QUOTE * self.max_quote_chars
        if len(cited.quote) > limit:
            length = len(cited.quote)
            told = f"the quote has {length:,} characters; more than {limit:,} are not checked"
            return unverified(cited, told)
        if not spoken_keys(cited.quote):
            return unverified(cited, "it has no words")
        judged = self._timed.judge(TimedQuote(cited.quote, _second(cited)))
        places: Sequence[Occurrence] = judged.occurrences
        fidelity = EvidenceFidelity.VERBATIM
        if not places and not criterion.evidence.require_verbatim_quote:
            places = self._paraphrased(cited)
            fidelity = EvidenceFidelity.PARAPHRASE
        if not places:
            return unverified(cited, _missing(cited.quote, criterion))
        faults = [self._fault(place, cited.quote, fidelity) for place in places]
        kept = [place for place, fault in zip(places, faults, strict=True) if fault is None]
        if not kept:
            drifts = [p.drift_seconds for p in places]
            drift = [math.inf if found is None else found for found in drifts]
            nearest = min(range(len(places)), key=drift.__getitem__)
            return unverified(cited, faults[nearest] or "")
        # How words are meant takes long to tell: only of places that may be the one.
        near = [place for place in kept if self._is_near(place)] or kept[: len(kept) == 1]
        denied = {place.span for place in near if self._is_denied(place.span)}
        if near and len(denied) == len(near):
            told = "what is said around these words denies them or takes them back"
            return unverified(cited, told)
        kept = [place for place in kept if place.span not in denied]
        refused = [f for p, f in zip(places, faults, strict=True) if f and self._is_near(p)]
        if refused and not any(map(self._is_near, kept)):
            # Words that are no evidence where they were cited are none elsewhere either.
            return unverified(cited, refused[0])
        more = judged.more_occurrences or len(kept) < len(places)
        return self._settled(cited, kept, fidelity, more=more)

    def doubt(self, item: CheckedEvidence) -> str | None:
        """How verified words are meant where what stands around them says it; else None.

        Words that are all of their sentence tell it themselves, but not what comes after them.
        """
        span = item.span
        if not item.verified or span is None:
            return None
        reading = self._meanings.reading(span)
        tells_itself = reading is not Reading.TAKEN_BACK and self.places.is_utterance(span)
        return None if reading is Reading.ASSERTED or tells_itself else reading.value

    def _paraphrased(self, cited: CitedEvidence) -> list[Occurrence]:
        """The one place that says the same; none where the validator has any doubt of it."""
        if len(cited.quote) > MAX_QUOTE_CHARS:
            return []
        claim = Claim("EV1", cited.quote, EvidenceType.PARAPHRASE)
        try:
            results = self._validator.validate([claim]).results
        except VeridicalError:
            return []
        if not results or not results[0].passed or results[0].match is None:
            return []
        span = results[0].match.span
        if not says_no_more(cited.quote, self.transcript.text[span.start : span.end]):
            return []
        moment = self.transcript.moment(span)
        return [Occurrence(span, moment, self._timed.drift(moment, _second(cited)))]

    def _fault(self, place: Occurrence, quote: str, fidelity: EvidenceFidelity) -> str | None:
        """Why the words at a place are no evidence, whoever said them and when; None where not."""
        span, around = place.span, self.places
        if around.turn_of(span) is None or around.may_be_several(span):
            return "the words are said in more than one turn, so by nobody"
        tokens = len(spoken_keys(quote))
        if tokens < MIN_TOKENS and not around.is_utterance(span):
            few = f"{tokens} {'word is' if tokens == 1 else 'words are'} too few"
            return f"{few}, at least {MIN_TOKENS} are needed unless they are all that was said"
        if around.has_silence(span):
            return "the words are parted by a long silence"
        if fidelity is EvidenceFidelity.VERBATIM:
            if not self._timed.agrees(quote, span):
                said = quoted(self.transcript.text[span.start : span.end])
                return f"a number, sign or short form was changed: the transcript reads {said}"
            cut_off = around.cut_from(span, quote)
            if cut_off is not None:
                return f"it leaves out {quoted(cut_off)} next to it, and so says something else"
        elif around.denies(span, quote):
            return "the words that say something like it deny what it says, or the other way round"
        elif not self._is_stated(span, quote):
            return (
                "what is said there is a question, an order, a plan or a doubt, and states nothing"
            )
        if self.is_timed and place.moment.start is None:
            return "the transcript has no time for these words"
        return None

    def _is_stated(self, span: Span, quote: str) -> bool:
        """Whether words state something, or ask it as the quote does."""
        text = self.transcript.text
        is_question = text[span.start : span.end + 2].rstrip().endswith("?") or asks(
            " ".join(spoken_keys(text[span.start : span.end]))
        )
        if is_question and not quote.rstrip().endswith("?"):
            return False
        return self._meanings.reading(span) is Reading.ASSERTED

    def _is_near(self, place: Occurrence) -> bool:
        """Whether the claimed second lies within the tolerance of a place."""
        drift = place.drift_seconds
        return drift is not None and drift <= self.tolerance_seconds

    def _is_denied(self, span: Span) -> bool:
        """Whether what stands around words denies them, and they do not show it themselves."""
        said = self.transcript.text[span.start : span.end]
        if self.places.answers_no(span) or any(word_key(w) in NEGATIONS for w in said.split()):
            return False
        return self._meanings.reading(span) is Reading.DENIED

    def _settled(
        self,
        cited: CitedEvidence,
        places: Sequence[Occurrence],
        fidelity: EvidenceFidelity,
        *,
        more: bool,
    ) -> CheckedEvidence:
        """The evidence, by the place that the claimed speaker and second point to."""
        fits = {p: self.speakers.fit(cited.speaker, p.moment.speaker) for p in places}
        fitting = [p for p in places if fits[p] is Fit.SAME]
        fitting = fitting or [p for p in places if fits[p] is Fit.UNCONFIRMED]
        if not fitting:
            spoken = [place.moment.speaker for place in places]
            return unverified(cited, _said_by(spoken, cited.speaker or ""))
        place, found = self._meant(cited, fitting, more=more)
        if place is None:
            return unverified(cited, found)
        remarks = [found] if found else []
        if fits[place] is Fit.UNCONFIRMED:
            label = place.moment.speaker
            there = "has no speaker there" if label is None else f"only has {label} there"
            remarks.append(f"claimed for {quoted(cited.speaker or '')}, but the transcript {there}")
        return CheckedEvidence(
            quote=cited.quote,
            verified=True,
            claimed_start=cited.start,
            claimed_speaker=cited.speaker,
            fidelity=fidelity,
            span=place.span,
            matched_text=self.transcript.text[place.span.start : place.span.end],
            start=place.moment.start,
            end=place.moment.end,
            speaker=place.moment.speaker,
            corrected=bool(remarks),
            reason="; ".join(remarks),
        )

    def _meant(
        self, cited: CitedEvidence, places: Sequence[Occurrence], *, more: bool
    ) -> tuple[Occurrence | None, str]:
        """The place that is meant and what had to be put right, or None and why there is none."""
        claimed = _second(cited)
        near = [
            (drift, seconds_apart(place.moment, claimed), place.span.start, place)
            for place in places
            if (drift := place.drift_seconds) is not None and drift <= self.tolerance_seconds
        ]
        if near:
            return min(near, key=lambda found: found[:3])[3], ""
        if len(places) > 1 or more:
            count = f"{'more than ' if more else ''}{len(places):,}"
            if cited.start is None:
                return None, f"said at {count} places, and no second tells which is meant"
            within = f"{self.tolerance_seconds:g} s of {cited.start:g} s"
            return None, f"said at {count} places, none within {within}"
        said = places[0].moment.start
        if cited.start is None or said is None:
            return places[0], ""
        return places[0], f"claimed for {cited.start:g} s, said at {said:g} s"


def _second(cited: CitedEvidence) -> float:
    """The claimed second; none is not a number, which lies near nothing."""
    return math.nan if cited.start is None else cited.start


def _missing(quote: str, criterion: Criterion) -> str:
    inside = quote.strip(" \t\r\n.\u2026[]()\"'\u201c\u201d")
    if any(gap in inside for gap in _GAP):
        return (
            "it leaves words out, and what stands on either side of the gap cannot be put "
            "together; quote words that follow one another"
        )
    if criterion.evidence.require_verbatim_quote:
        return "these words do not stand in the transcript one after the other"
    return "neither these words nor others that say the same stand in the transcript"


def _said_by(spoken: Sequence[str | None], claimed: str) -> str:
    """That somebody else said it, or nobody knows who."""
    named = sorted({label for label in spoken if label is not None})
    if not named:
        return f"the transcript does not tell who said it, so not that it was {quoted(claimed)}"
    others = " or ".join(filter(None, (", ".join(named[:-1]), named[-1])))
    return f"said by {others}, not by {quoted(claimed)}"


def unverified(cited: CitedEvidence, reason: str) -> CheckedEvidence:
    """A quote that is not believed, and why."""
    return CheckedEvidence(
        quote=cited.quote,
        verified=False,
        claimed_start=cited.start,
        claimed_speaker=cited.speaker,
        reason=reason,
    )
