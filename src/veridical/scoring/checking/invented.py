"""What a text of a scorer names that nobody said: units, seconds, speakers.

It is looked for in what is written about a criterion, where a reader would take it for a fact. Few
false alarms matter more here than every invention: no verdict rests on these words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from veridical.scoring.answer import CardWarning, WarningCode
from veridical.scoring.rubric import Rubric
from veridical.sources.transcript import Precision, Transcript, clock
from veridical.validation.lexicon import NUMBERS

# Units as they are named on the radio and on the phone: "Engine 9", "Engine Nine", "E9", "ENG9".
# Names are compared as a kind and a number, so that a label, a transcript and a rationale may each
# write them in their own way. A ladder is no truck: kinds that a department may tell apart stay so.

_NUMBER_WORDS = {**NUMBERS, "oh": 0, "niner": 9}
_MOST_DIGITS = 4

_WORD = rf"(?:{'|'.join(_NUMBER_WORDS)})(?![^\W_])"
_NUMBER = rf"(?:\d{{1,{_MOST_DIGITS}}}(?!\d)(?:-\d(?!\d))*|{_WORD}(?:[\s-]{{1,2}}{_WORD}){{0,3}})"
"""As it is surely meant: "25", "2-5", "two five"."""

_DIGITS_APART = r"\d(?:\s\d(?!\d)){1,3}"
"""As it may be meant besides."""

_KINDS = {
    "engine": "engine eng e",
    "ladder": "ladder lad ldr l",
    "truck": "truck trk t",
    "battalion": "battalion batt bat bn bc",
    "rescue": "rescue rsc r",
    "medic": "medic med m",
    "ambulance": "ambulance amb",
    "squad": "squad sqd sq",
    **{
        kind: kind
        for kind in "tanker tender tower quint brush hazmat boat utility station chief command "
        "safety unit car patrol officer agent operator caller dispatcher".split()
    },
}
KINDS: Mapping[str, str] = {
    written: kind for kind, forms in _KINDS.items() for written in forms.split()
}
"""The ways to write a kind of unit, in lower case, each with the kind."""

_EVERYDAY = frozenset(
    "rescue boat utility station chief command safety unit car patrol officer agent operator "
    "caller tower brush tender truck dispatcher med bat lad".split()
)
"""Kinds that are everyday words too: "rescue 2 victims". Named in a text, they have a capital."""

_FILLERS = r"(?:\s{0,3}(?:[.#_-]|(?:company|co|crew|unit|chief|number|no)(?![^\W_]))){0,3}"
_JOINERS = r"(?:\s{0,3}(?:[,&/]|(?:and|or|through|to)(?![^\W_]))){0,2}\s{0,3}"
_COUNTS = re.compile(
    r"\s*(?:[.:,]\d|[%\u00b0]|(?:s|secs?|seconds?|mins?|minutes?|hrs?|hours?|times?|percent|foot"
    r"|feet|ft|inch|inches|yards?|miles?|met(?:er|re)s?|storeys?|story|stories|floors?|lines?"
    r"|hoses?|alarms?|gallons?|psi|gpm|persons?|people|victims?|patients?|occupants?|civilians?"
    r"|firefighters?|members?|crews?|units?|company|companies|others?|more|of|out|hundred"
    r"|thousand)(?![^\W_]))",
    re.IGNORECASE,
)
"""What a number counts that stands after a kind of unit by chance: "engine 2 minutes later"."""

_LABEL = re.compile(r"\s*([^\W\d_]{2,20})[\s#_-]*\d{1,4}\s*")
_DIARISED = re.compile(
    r"(?:(?:channel|ch)[ _-]?\d{1,3}, ?)?"
    r"(?:unknown ?)?(?:(?:speaker|spkr|spk|channel|ch|voice|s)[ _-]?)?(?:\d{1,4}|[a-z])?",
    re.IGNORECASE,
)
"""Labels that a diariser gives: `SPEAKER_03`, `Speaker A`, `spk_0`, `B`, `2`, `channel 1`."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A kind of unit and its number: Engine 9 is `engine`, 9."""

    kind: str
    number: int


def is_diarised(label: str) -> bool:
    """Whether a label tells speakers apart without naming them."""
    return _DIARISED.fullmatch(label.strip()) is not None


def unit_of(label: str) -> Unit | None:
    """The unit that a whole label names ("ENG25", "Battalion Chief 2"), if it names one."""
    found = _LABELLED.fullmatch(label.strip())
    if found is None:
        return None
    kind = KINDS.get(found["kind"].lower())
    number = _value(re.findall(r"[^\W_]+", found["number"]))
    return None if kind is None or number is None else Unit(kind, number)


def _value(words: Iterable[str]) -> int | None:
    """What words of a number come to: "twenty five" 25, "two five" 25, "one twenty five" 125."""
    shown, open_tens = "", False
    for word in words:
        number = _NUMBER_WORDS.get(word.lower(), -1)
        if number < 0 and not word.isdecimal():
            return None
        if open_tens and 0 < number < 10:
            shown, open_tens = shown[:-1] + str(number), False
        else:
            shown += word if number < 0 else str(number)
            open_tens = number >= 20
    return int(shown) if shown and len(shown) <= _MOST_DIGITS else None


def _named(kinds: Iterable[str], numbers: str) -> re.Pattern[str]:
    """A pattern for a kind of unit and what numbers it."""
    forms = "|".join(sorted(map(re.escape, kinds), key=len, reverse=True))
    return re.compile(
        rf"(?<![^\W_])(?P<kind>{forms})(?P<plural>(?<=[^\W\d_]{{3}})s)?(?![^\W\d_])"
        rf"(?P<between>{_FILLERS}\s{{0,3}}){numbers}",
        re.IGNORECASE,  # to which a long s is an s, and a dotless i an i: to `lower` they are not
    )


_LABELLED = _named(KINDS, rf"(?P<number>{_NUMBER})")


class _Units:
    """The units that texts name: those of the radio, and the kinds that labels of a transcript add
    ("Wagon 7" makes a wagon one).
    """

    def __init__(self, labels: Iterable[str]) -> None:
        found = (_LABEL.fullmatch(label) for label in labels if not is_diarised(label))
        own = {match[1].lower(): match[1].lower() for match in found if match}
        self._kinds = {**own, **KINDS}
        listed = rf"(?:{_DIGITS_APART}|{_NUMBER})"
        self._number = re.compile(listed, re.IGNORECASE)
        self._listed = _named(self._kinds, rf"(?P<numbers>{listed}(?:{_JOINERS}{listed}){{0,7}})")

    def mentioned(self, text: str) -> Iterator[Unit]:
        """Every unit that a text may mean, however it is read: none of them is invented."""
        for kind, found in self._found(text):
            for number in self._number.finditer(found["numbers"]):
                words = re.findall(r"[^\W_]+", number[0])
                for part in accumulate([word] for word in words):
                    if (value := _value(part)) is not None:
                        yield Unit(kind, value)

    def named(self, text: str) -> Iterator[tuple[Unit, str]]:
        """The units that a text surely names, in order, each with the words that name it."""
        for kind, found in self._found(text):
            written = found["kind"]
            if not self._is_name(written, found["between"] + found["numbers"]):
                continue
            numbers = list(re.finditer(_NUMBER, found["numbers"], re.IGNORECASE))
            for number in numbers if found["plural"] else numbers[:1]:
                value = _value(re.findall(r"[^\W_]+", number[0]))
                if value is None or _COUNTS.match(text, found.start("numbers") + number.end()):
                    break
                if number[0].isdigit() or written[0].isupper():
                    gap = " " if found["between"] or number.start() else ""
                    shown = " ".join(number[0].split())
                    yield Unit(kind, value), f"{written}{found['plural'] or ''}{gap}{shown}"

    def _found(self, text: str) -> Iterator[tuple[str, re.Match[str]]]:
        for found in self._listed.finditer(text):
            if kind := self._kinds.get(found["kind"].lower()):
                yield kind, found

    def _is_name(self, kind: str, after: str) -> bool:
        """Whether a kind is written as names are: everyday words with a capital, letters in them,
        with the number at once: "E9", "E-9".
        """
        if len(kind) <= 2:
            return kind.isupper() and kind != "R" and re.match(r"-?\d", after) is not None
        return kind[0].isupper() or kind.lower() not in _EVERYDAY


MAX_TEXT_CHARS = 20_000
"""Characters of one text that are looked at."""

_CLOCK = re.compile(r"(?<![\d:.])(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:\.\d{1,3})?(?![\d:])")
_POSITION = r"(?:\bat|@|\baround|\bsince|\buntil|\bfrom|\btimestamps?)"
_ABOUT = r"(?:\s{1,3}(?:about|around|approximately|approx\.?|roughly|second|t\s?=|~))?"
_BEFORE_CLOCK = re.compile(rf"(?:{_POSITION}{_ABOUT}\s{{0,3}}|[\[(]\s?)\Z", re.IGNORECASE)
_NO_POSITION = re.compile(r"\s{0,2}(?:[ap]\.?m\b|hours\b|hrs\b|h\b|minutes\b|min\b)", re.IGNORECASE)
_SECONDS = re.compile(
    rf"(?:{_POSITION}{_ABOUT}\s{{1,3}}|\[\s?)(\d{{1,6}}(?:\.\d{{1,3}})?)\s?(?:s|sec|secs|seconds?)\b",
    re.IGNORECASE,
)
_NUMBERED_SPEAKER = re.compile(r"\b(?:speaker|spkr|spk)[ _-]?(\d{1,3})\b", re.IGNORECASE)
_EDGE = 40
"""Characters before a clock time that say what it is."""


class InventionFinder:
    """Knows what one transcript and one rubric name. Made once a run."""

    def __init__(self, transcript: Transcript, rubric: Rubric, *, tolerance_seconds: float) -> None:
        self._transcript = transcript
        self._tolerance = tolerance_seconds
        self._named_units = _Units(transcript.speakers)
        self._known = (transcript.text, *transcript.speakers, *_texts(rubric))

    def find(self, text: str, where: str) -> Iterator[CardWarning]:
        """A warning for each thing that `text` names and nothing known does, each once.

        `where` says what the text is, for the message: "the rationale".
        """
        shown = text[:MAX_TEXT_CHARS]
        found = (
            *((WarningCode.INVENTED_UNIT, name) for name in self._units(shown)),
            *((WarningCode.INVENTED_TIME, name) for name in self._times(shown)),
            *((WarningCode.INVENTED_SPEAKER, name) for name in self._speakers(shown)),
        )
        for code, name in dict.fromkeys(found):
            missing = self._outside if code is WarningCode.INVENTED_TIME else _UNKNOWN
            yield CardWarning(code, f"{where} names {name}, {missing}")

    @cached_property
    def _outside(self) -> str:
        if self._transcript.precision is Precision.NONE:
            return "but the transcript has no times"
        start, end = clock(self._transcript.start), clock(self._transcript.end)
        return f"but the recording runs from {start} to {end}"

    @cached_property
    def _known_units(self) -> frozenset[Unit]:
        mentioned = self._named_units.mentioned
        return frozenset(unit for text in self._known for unit in mentioned(text))

    @cached_property
    def _known_clocks(self) -> frozenset[str]:
        return frozenset(found.group() for text in self._known for found in _CLOCK.finditer(text))

    @cached_property
    def _known_speakers(self) -> frozenset[int]:
        return frozenset(
            int(found[1]) for text in self._known for found in _NUMBERED_SPEAKER.finditer(text)
        )

    def _units(self, text: str) -> Iterator[str]:
        for unit, named in self._named_units.named(text):
            if unit not in self._known_units:
                yield named

    def _times(self, text: str) -> Iterator[str]:
        for found in _CLOCK.finditer(text):
            before = text[max(0, found.start() - _EDGE) : found.start()]
            if (
                _BEFORE_CLOCK.search(before)
                and not _NO_POSITION.match(text, found.end())
                and found.group() not in self._known_clocks
                and self._is_outside(int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3]))
            ):
                yield found.group()
        for found in _SECONDS.finditer(text):
            if self._is_outside(float(found[1])):
                yield f"{found[1]} s"

    def _is_outside(self, seconds: float) -> bool:
        """Whether a second lies beyond the recording, by our clock and by that of its file."""
        transcript = self._transcript
        if transcript.precision is Precision.NONE:
            return True
        low, high = transcript.start - self._tolerance, transcript.end + self._tolerance
        by_file = seconds - transcript.time_base.origin_seconds
        return seconds != 0 and not low <= seconds <= high and not low <= by_file <= high

    def _speakers(self, text: str) -> Iterator[str]:
        if not any(_NUMBERED_SPEAKER.fullmatch(label) for label in self._transcript.speakers):
            return
        for found in _NUMBERED_SPEAKER.finditer(text):
            if int(found[1]) not in self._known_speakers:
                yield found.group()


_UNKNOWN = "which neither the transcript nor the rubric does"


def _texts(rubric: Rubric) -> Iterator[str]:
    """Everything that a rubric says in words."""
    yield from (rubric.template.name, rubric.template.description, *rubric.template.tags)
    for section in rubric.sections:
        yield from (section.title, section.description)
        for criterion in section.criteria:
            yield from criterion.texts()
            if (timing := criterion.timing) is not None:
                limits = (timing.target_seconds, timing.max_seconds)
                yield from (clock(limit) for limit in limits if limit is not None)
            for cue in criterion.cues.all_cues() if criterion.cues else ():
                yield from cue.speakers
