"""What a text of a scorer names that nobody said: units, seconds, speakers.

It is struck out of what is written about a criterion, where a reader would take it for a fact. Few
false alarms matter more here than every invention: no verdict rests on these words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

from veridical.scoring.rubric import Rubric
from veridical.scoring.scorecard import CardWarning, WarningCode
from veridical.scoring.units import Unit, Units, spoken_numbers
from veridical.sources.transcript import Precision, Transcript, clock

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

STRUCK = "[not in the transcript]"
"""What stands in a text where something invented is struck out."""

MOST_COUNTED = 12
"""Numbers up to this one may count what was said, such as "3 of 4 parts"; they are not checked."""

_FIGURE = re.compile(r"(?<![\w.,:/#-])(?:\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,6})?)(?!\w|[.,:/-]\d)")
_DIGITS = re.compile(r"\d{1,9}(?:\.\d{1,6})?")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")

_Place: TypeAlias = tuple[int, int, str]
"""Where a text names something, and how."""


def _joined(text: str) -> str:
    return _GROUPED.sub("", text)


class InventionFinder:
    """Knows what one transcript and one rubric name. Made once a run."""

    def __init__(
        self,
        transcript: Transcript,
        rubric: Rubric,
        *,
        tolerance_seconds: float,
        material: str = "",
    ) -> None:
        self._transcript = transcript
        self._tolerance = tolerance_seconds
        self._named_units = Units(transcript.speakers)
        self._known = (transcript.text, *transcript.speakers, *_texts(rubric), material)

    def strike(self, text: str, where: str) -> tuple[str, tuple[CardWarning, ...]]:
        """The text without what it names and nothing known does; a warning for each, once.

        `where` says what the text is, for the message: "the rationale".
        """
        shown = text[:MAX_TEXT_CHARS]
        found = [
            (*place, code)
            for code, places in (
                (WarningCode.INVENTED_UNIT, self._units(shown)),
                (WarningCode.INVENTED_TIME, self._times(shown)),
                (WarningCode.INVENTED_SPEAKER, self._speakers(shown)),
                (WarningCode.INVENTED_NUMBER, self._figures(shown)),
            )
            for place in places
        ]
        kept, past, told = [], 0, dict[tuple[WarningCode, str], None]()
        for start, end, name, code in sorted(found, key=lambda each: (each[0], -each[1])):
            if start >= past:
                kept += [text[past:start], STRUCK]
                past = end
                told[code, name] = None
        warnings = (
            CardWarning(code, f"{where} named {name}, {self._missing(code)}; it is struck out")
            for code, name in told
        )
        return "".join((*kept, text[past:])), tuple(warnings)

    def _missing(self, code: WarningCode) -> str:
        return self._outside if code is WarningCode.INVENTED_TIME else _UNKNOWN

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

    @cached_property
    def _known_figures(self) -> frozenset[float]:
        said = {float(found) for text in self._known for found in _DIGITS.findall(_joined(text))}
        said |= {float(unit.number) for unit in self._known_units}
        for text in self._known:
            said |= {float(number) for number in spoken_numbers(text)}
        return frozenset(said)

    def _figures(self, text: str) -> Iterator[_Place]:
        """Numbers in figures that are no counts, and of no second at which somebody speaks."""
        seconds = [range(*found.span(1)) for found in _SECONDS.finditer(text)]
        for found in _FIGURE.finditer(text):
            value = float(_joined(found[0]))
            if (
                value > MOST_COUNTED
                and value not in self._known_figures
                and not any(found.start() in place for place in seconds)
                and not self._is_moment(value)
            ):
                yield found.start(), found.end(), found[0]

    def _is_moment(self, seconds: float) -> bool:
        times = [at for part in self._transcript.segments for at in (part.start, part.end)]
        return any(at is not None and abs(at - seconds) <= 1 for at in times)

    def _units(self, text: str) -> Iterator[_Place]:
        for start, end, unit, named in self._named_units.named(text):
            if unit not in self._known_units:
                yield start, end, named

    def _times(self, text: str) -> Iterator[_Place]:
        for found in _CLOCK.finditer(text):
            before = text[max(0, found.start() - _EDGE) : found.start()]
            if (
                _BEFORE_CLOCK.search(before)
                and not _NO_POSITION.match(text, found.end())
                and found.group() not in self._known_clocks
                and self._is_outside(int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3]))
            ):
                yield found.start(), found.end(), found.group()
        for found in _SECONDS.finditer(text):
            if self._is_outside(float(found[1])):
                yield found.start(1), found.end(), f"{found[1]} s"

    def _is_outside(self, seconds: float) -> bool:
        """Whether a second lies beyond the recording, by our clock and by that of its file."""
        transcript = self._transcript
        if transcript.precision is Precision.NONE:
            return True
        low, high = transcript.start - self._tolerance, transcript.end + self._tolerance
        by_file = seconds - transcript.time_base.origin_seconds
        return seconds != 0 and not low <= seconds <= high and not low <= by_file <= high

    def _speakers(self, text: str) -> Iterator[_Place]:
        if not any(_NUMBERED_SPEAKER.fullmatch(label) for label in self._transcript.speakers):
            return
        for found in _NUMBERED_SPEAKER.finditer(text):
            if int(found[1]) not in self._known_speakers:
                yield found.start(), found.end(), found.group()


_UNKNOWN = "which neither the transcript nor the rubric does"


def _texts(rubric: Rubric) -> Iterator[str]:
    """Everything that a rubric says in words."""
    yield from (rubric.template.name, rubric.template.description, *rubric.template.tags)
    for section in rubric.sections:
        yield from (section.title, section.description)
        for criterion in section.criteria:
            yield from criterion.texts()
            yield from map(str, criterion.scale)
            if (timing := criterion.timing) is not None:
                limits = (timing.target_seconds, timing.max_seconds)
                for limit in (limit for limit in limits if limit is not None):
                    yield f"{clock(limit)} {limit:g} {limit / 60:g}"
            for cue in criterion.cues.all_cues() if criterion.cues else ():
                yield from cue.speakers
