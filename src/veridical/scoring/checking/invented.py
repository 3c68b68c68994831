"""What a text of a scorer names that nobody said: units, seconds, speakers.

It is looked for in what is written about a criterion, where a reader would take it for a fact. Few
false alarms matter more here than every invention: no verdict rests on these words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

from veridical.scoring.answer import CardWarning, WarningCode
from veridical.scoring.rubric import Rubric
from veridical.sources.clock import clock
from veridical.sources.transcript import Precision, Transcript

# Units as they are named on the radio and on the phone: "Engine 9", "Engine Nine", "E9", "ENG9".
# Names are compared as a kind and a number, so that a label, a transcript and a rationale may each
# write them in their own way. A ladder is no truck: kinds that a department may tell apart stay so.


# Numbers as they are said: "twenty five", "two five", "2-5" and "25" are all 25.


_ONES = "zero one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBER_WORDS = {
    **{word: number for number, word in enumerate([*_ONES, *_TEENS])},
    **{word: 10 * (number + 2) for number, word in enumerate(_TENS)},
    "oh": 0,
    "niner": 9,
}
_MOST_DIGITS = 4


_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a run of digits or a sign, and its place in the text it was cut from."""

    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """It in lower case."""
        return self.text.lower()


def pieces_of(text: str) -> list[Piece]:
    """The words, runs of digits and signs of a text, in order."""
    return [Piece(found.group(), found.start(), found.end()) for found in _PIECE.finditer(text)]


def longest_number(pieces: Sequence[Piece], at: int) -> tuple[int | None, int]:
    """The number that begins there, read as far as it goes, and the piece after it."""
    if at >= len(pieces):
        return None, at
    if pieces[at].text.isdecimal():
        return _of_digits(pieces, at)
    end = at
    while end < len(pieces) and end - at < _MOST_DIGITS and pieces[end].key in _NUMBER_WORDS:
        end += 1
        if end < len(pieces) - 1 and pieces[end].text == "-" and pieces[end + 1].key in _ONES:
            end += 1  # "twenty-five"
    return (_value(pieces[at:end]), end) if end > at else (None, at)


def _of_digits(pieces: Sequence[Piece], at: int) -> tuple[int | None, int]:
    """A number in digits; "2-5" is said digit by digit, and is 25."""
    digits, end = pieces[at].text, at + 1
    while (
        len(digits) < _MOST_DIGITS
        and end + 1 < len(pieces)
        and pieces[end].text == "-"
        and pieces[end + 1].text.isdecimal()
        and len(pieces[end + 1].text) == 1
    ):
        digits, end = digits + pieces[end + 1].text, end + 2
    return (int(digits), end) if len(digits) <= _MOST_DIGITS else (None, at)


def readings_of(pieces: Sequence[Piece], at: int) -> tuple[set[int], int]:
    """Every number that may be meant there: "two five" is 25, and may be 2."""
    longest, end = longest_number(pieces, at)
    if longest is None:
        return set(), at
    shorter = (_value(pieces[at:stop]) for stop in range(at + 1, end))
    spaced, last = _of_spaced_digits(pieces, at)
    return {longest, *spaced, *(n for n in shorter if n is not None)}, max(end, last)


def _of_spaced_digits(pieces: Sequence[Piece], at: int) -> tuple[set[int], int]:
    """What single digits with spaces between them come to: "Engine 2 5"."""
    digits, found, end = "", set(), at
    while end < len(pieces) and len(digits) < _MOST_DIGITS:
        if not pieces[end].text.isdecimal() or len(pieces[end].text) > 1:
            break
        digits, end = digits + pieces[end].text, end + 1
        found.add(int(digits))
    return found, end


def _value(pieces: Sequence[Piece]) -> int | None:
    """What number words come to: "twenty five" 25, "two five" 25, "one twenty five" 125."""
    shown, open_tens = "", False
    for piece in pieces:
        if piece.text == "-":
            continue
        number = int(piece.text) if piece.text.isdecimal() else _NUMBER_WORDS[piece.key]
        if open_tens and 0 < number < 10:
            shown, open_tens = shown[:-1] + str(number), False
        else:
            shown, open_tens = shown + str(number), number >= 20 and number % 10 == 0
    return int(shown) if shown and len(shown) <= _MOST_DIGITS else None


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

_NOT_IN_PROSE = frozenset({"r"})
"""Letters that are a unit in a label, and with a number in a text often something else."""

_FILLERS = frozenset("company co crew unit chief number no . # - _".split())
_MOST_FILLERS = 3
_JOINERS = frozenset(", and & or / through to".split())
_MEASURES = frozenset(
    """
    second seconds sec secs s minute minutes min mins hour hours hr hrs time times percent
    foot feet ft inch inches yard yards mile miles meter meters metre metres story stories storey
    storeys floor floors line lines hose hoses alarm alarms gallon gallons psi gpm
    person persons people victim victims patient patients occupant occupants civilian civilians
    firefighter firefighters member members crew crews unit units company companies other others
    more of out hundred thousand
    """.split()
)
"""What a number may count that stands after a kind of unit by chance."""

_MOST_LISTED = 8
_WINDOW = 120
"""Characters after a kind in which its numbers stand."""

_LABEL = re.compile(r"\s*([^\W\d_]{2,20})[\s#_-]*\d{1,4}\s*")


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """A kind of unit and its number: Engine 9 is `engine`, 9."""

    kind: str
    number: int


def unit_of(label: str) -> Unit | None:
    """The unit that a whole label names ("ENG25", "Battalion Chief 2"), if it names one."""
    pieces = pieces_of(label)
    if not pieces or _kind_of(pieces[0], KINDS) is None:
        return None
    kind, at = _kind_of(pieces[0], KINDS) or "", _after_fillers(pieces, 1)
    number, end = longest_number(pieces, at)
    return Unit(kind, number) if number is not None and end == len(pieces) else None


def kinds_of(labels: Iterable[str]) -> dict[str, str]:
    """All kinds, and those that the labels of a transcript add: "Wagon 7" makes a wagon one."""
    named = (label for label in labels if not is_diarised(label))
    found = (_LABEL.fullmatch(label) for label in named)
    return {**{word: word for match in found if match for word in [match[1].lower()]}, **KINDS}


_DIARISED = re.compile(
    r"(?:(?:channel|ch)[ _-]?\d{1,3}, ?)?"
    r"(?:unknown ?)?(?:(?:speaker|spkr|spk|channel|ch|voice|s)[ _-]?)?(?:\d{1,4}|[a-z])?",
    re.IGNORECASE,
)
"""Labels that a diariser gives: `SPEAKER_03`, `Speaker A`, `spk_0`, `B`, `2`, `channel 1`."""


def is_diarised(label: str) -> bool:
    """Whether a label tells speakers apart without naming them."""
    return _DIARISED.fullmatch(label.strip()) is not None


def units_mentioned(text: str, kinds: Mapping[str, str]) -> set[Unit]:
    """Every unit that a text may mean, however it is read: what is known must not be doubted."""
    found: set[Unit] = set()
    for kind, _, pieces in _candidates(text, kinds):
        at = _after_fillers(pieces, 1)
        for _ in range(_MOST_LISTED):
            readings, end = readings_of(pieces, at)
            if not readings:
                break
            found.update(Unit(kind, number) for number in readings)
            at = _after_joiners(pieces, end)
    return found


def units_named(text: str, kinds: Mapping[str, str]) -> Iterator[tuple[Unit, str]]:
    """The units that a text surely names, in order, each with the words that name it.

    A number that counts something else ("engine 2 minutes later") names none.
    """
    for kind, is_plural, pieces in _candidates(text, kinds):
        if not _is_name(pieces[0]):
            continue
        at = _after_fillers(pieces, 1)
        if _is_short(pieces[0]) and not _is_joined(pieces, at):
            continue
        for _ in range(_MOST_LISTED if is_plural else 1):
            number, end = longest_number(pieces, at)
            if number is None or _counts_something(pieces, end):
                break
            if pieces[at].text.isdigit() or pieces[0].text[0].isupper():
                yield Unit(kind, number), _shown(pieces, at, end)
            at = _after_joiners(pieces, end)


def _kind_of(piece: Piece, kinds: Mapping[str, str]) -> str | None:
    if piece.key in kinds:
        return kinds[piece.key]
    return kinds.get(piece.key.removesuffix("s")) if len(piece.text) > 3 else None


def _is_short(piece: Piece) -> bool:
    """Whether it is only letters that stand for a kind: E, BC."""
    return len(piece.text) <= 2


def _candidates(text: str, kinds: Mapping[str, str]) -> Iterator[tuple[str, bool, list[Piece]]]:
    """Every word that is a kind: the kind, whether it is plural, and the pieces from it on."""
    end_of_kind = -1
    for word in _WORD.finditer(text):
        piece = Piece(word.group(), word.start(), word.end())
        kind = _kind_of(piece, kinds)
        if kind is None:
            continue
        # "Battalion Chief 2" is no Chief 2.
        goes_on = piece.key in _FILLERS and piece.start == end_of_kind + 1
        end_of_kind = piece.end
        if not goes_on:
            following = pieces_of(text[word.start() : word.end() + _WINDOW])
            yield kind, piece.key not in kinds, following


_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{1,20}(?![^\W\d_])")


def _is_name(first: Piece) -> bool:
    """Whether a kind is written as names are: everyday words with a capital, letters in them."""
    if _is_short(first):
        return first.text.isupper() and first.key not in _NOT_IN_PROSE
    singular = first.key if first.key in KINDS else first.key.removesuffix("s")
    return first.text[0].isupper() or singular not in _EVERYDAY


def _is_joined(pieces: list[Piece], at: int) -> bool:
    """Whether the number of a kind of one or two letters follows at once: "E9", "E-9"."""
    if at >= len(pieces) or not pieces[at].text.isdigit():
        return False
    between = pieces[1:at]
    return pieces[at].start == pieces[0].end + len(between) and all(p.text == "-" for p in between)


def _after(words: frozenset[str], most: int, pieces: list[Piece], at: int) -> int:
    """The piece after some words of a kind, of which so many are passed over at most."""
    past = at
    while past < len(pieces) and past - at < most and pieces[past].key in words:
        past += 1
    return past


_after_fillers = partial(_after, _FILLERS, _MOST_FILLERS)
_after_joiners = partial(_after, _JOINERS, 2)
"""What stands between two numbers: ", and"."""


def _counts_something(pieces: list[Piece], after: int) -> bool:
    """Whether a number belongs to what follows it: "2 minutes", "2.5", "12:30", "50%"."""
    if after >= len(pieces):
        return False
    following = pieces[after]
    if following.text in ".:," and after + 1 < len(pieces):
        touches = following.end == pieces[after + 1].start
        return touches and pieces[after + 1].text.isdigit()
    return following.key in _MEASURES or following.text in ("%", "°")


def _shown(pieces: list[Piece], at: int, end: int) -> str:
    """The kind and the number as they are written, single spaces between them."""
    parts = pieces[:1] + pieces[at:end]
    joined = parts[0].text
    for before, piece in pairwise(parts):
        joined += ("" if before.end == piece.start else " ") + piece.text
    return joined


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
        self._kinds = kinds_of(transcript.speakers)
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
        return frozenset(u for text in self._known for u in units_mentioned(text, self._kinds))

    @cached_property
    def _known_clocks(self) -> frozenset[str]:
        return frozenset(found.group() for text in self._known for found in _CLOCK.finditer(text))

    @cached_property
    def _known_speakers(self) -> frozenset[int]:
        return frozenset(
            int(found[1]) for text in self._known for found in _NUMBERED_SPEAKER.finditer(text)
        )

    def _units(self, text: str) -> Iterator[str]:
        for unit, named in units_named(text, self._kinds):
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
