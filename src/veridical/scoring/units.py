"""Units as a transcript, its labels, a rubric and a model each write them in their own way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import accumulate

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

_SPOKEN = re.compile(rf"(?<![^\W_]){_WORD}(?:[\s-]{{1,2}}{_WORD}){{0,3}}", re.IGNORECASE)

_MAGNITUDES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_PART = rf"(?:\d{{1,{_MOST_DIGITS}}}(?!\w)|{_WORD}|(?:{'|'.join(_MAGNITUDES)})(?![^\W_]))"
_COUNTED = re.compile(
    rf"(?<![\w.,]){_PART}(?:[\s-]{{1,2}}(?:and\s{{1,2}})?{_PART}){{0,7}}", re.IGNORECASE
)

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
    r"[^\W\d_]"
    r"|\s*(?:[.:,]\d|[%\u00b0]|(?:s|secs?|seconds?|mins?|minutes?|hrs?|hours?|times?|percent|foot"
    r"|feet|ft|inch|inches|yards?|miles?|met(?:er|re)s?|storeys?|story|stories|floors?|lines?"
    r"|hoses?|alarms?|gallons?|psi|gpm|persons?|people|victims?|patients?|occupants?|civilians?"
    r"|firefighters?|members?|crews?|units?|company|companies|others?|more|of|out|hundred"
    r"|thousand)(?![^\W_]))",
    re.IGNORECASE,
)
"""What a number counts that stands after a kind of unit by chance: "engine 2 minutes later"; or a
letter, with which it is another name: "Engine 1A" is not Engine 1, and "E2E" is no unit.
"""

_PATTERN = re.compile(r"([^\W\d_]+)[\s#._-]*([\d*?]+)")
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

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


def is_diarised(label: str) -> bool:
    """Whether a label tells speakers apart without naming them."""
    return _DIARISED.fullmatch(label.strip()) is not None


def unit_of(label: str) -> Unit | None:
    """The unit that a whole label names ("ENG25", "Battalion Chief 2"), if it names one."""
    found = _LABELLED.fullmatch(label.strip())
    return None if found is None else _unit(found)


def _unit(found: re.Match[str]) -> Unit | None:
    kind = KINDS.get(found["kind"].lower())
    number = _value(re.findall(r"[^\W_]+", found["number"]))
    return None if kind is None or number is None else Unit(kind, number)


def places_of_units(text: str) -> Iterator[tuple[int, int, Unit]]:
    """Where a text names one unit, and surely that: start, end and the unit."""
    for found in _LABELLED.finditer(text):
        unit = _unit(found)
        is_name = _is_name(found["kind"], found["between"] + found["number"])
        if unit and is_name and not found["plural"] and not _COUNTS.match(text, found.end()):
            yield found.start(), found.end(), unit


def with_plain_units(text: str) -> str:
    """A text with each unit written in one way: "E25" and "Engine two five" as "engine 25"."""
    parts, past = [], 0
    for start, end, unit in places_of_units(text):
        parts += [text[past:start], str(unit)]
        past = end
    return "".join((*parts, text[past:]))


def fits_pattern(label: str, pattern: str) -> bool:
    """Whether a label is one that a pattern means; `*` and `?` are its only signs.

    However a unit is written: "Engine *" and "ENG25" mean "E25" as well.
    """
    unit, part = unit_of(label), _PATTERN.fullmatch(pattern.strip())
    labels, patterns = [label.casefold()], [with_plain_units(pattern).casefold()]
    if unit is not None:
        labels.append(str(unit))
    if part is not None and part[1].lower() in KINDS:
        patterns.append(f"{KINDS[part[1].lower()]} {part[2]}")
    return any(fnmatchcase(one, other.replace("[", "[[]")) for one in labels for other in patterns)


def occurring(patterns: Iterable[str], labels: Sequence[str]) -> frozenset[str]:
    """The patterns of speakers that some label fits."""
    return frozenset(p for p in patterns if any(fits_pattern(label, p) for label in labels))


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


def _is_name(kind: str, after: str) -> bool:
    """Whether a kind is written as names are: everyday words with a capital, letters in them, with
    the number at once: "E9", "E-9".
    """
    if len(kind) <= 2:
        return kind.isupper() and kind != "R" and re.match(r"-?\d", after) is not None
    return kind[0].isupper() or kind.lower() not in _EVERYDAY


def spoken_numbers(text: str) -> Iterator[int]:
    """What the numbers in words come to that a text may mean, however they are read."""
    for found in _SPOKEN.finditer(text):
        words = re.findall(r"[^\W_]+", found[0])
        for part in accumulate([word] for word in words):
            if (value := _value(part)) is not None:
                yield value
    for found in _COUNTED.finditer(text):
        yield from _counted(re.findall(r"[^\W_]+", found[0].lower()))


def _counted(words: Iterable[str]) -> Iterator[int]:
    """What words of a number come to, one after the other: "two hundred fifty" 2, 200, 250."""
    whole = part = 0
    for word in words:
        times = _MAGNITUDES.get(word)
        if times is None:
            part += int(word) if word.isdecimal() else _NUMBER_WORDS.get(word, 0)
        elif times == _MAGNITUDES["hundred"]:
            part = times * (part or 1)
        else:
            whole, part = whole + times * (part or 1), 0
        yield whole + part


class Units:
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

    def named(self, text: str) -> Iterator[tuple[int, int, Unit, str]]:
        """The units that a text surely names, in order: where, which, and the words for it."""
        for kind, found in self._found(text):
            written = found["kind"]
            if not _is_name(written, found["between"] + found["numbers"]):
                continue
            numbers = list(re.finditer(_NUMBER, found["numbers"], re.IGNORECASE))
            for number in numbers if found["plural"] else numbers[:1]:
                value = _value(re.findall(r"[^\W_]+", number[0]))
                if value is None or _COUNTS.match(text, found.start("numbers") + number.end()):
                    break
                if number[0].isdigit() or written[0].isupper():
                    gap = " " if found["between"] or number.start() else ""
                    shown = " ".join(number[0].split())
                    named = f"{written}{found['plural'] or ''}{gap}{shown}"
                    ahead = found.start("numbers")
                    start = ahead + number.start() if number.start() else found.start()
                    yield start, ahead + number.end(), Unit(kind, value), named

    def _found(self, text: str) -> Iterator[tuple[str, re.Match[str]]]:
        for found in self._listed.finditer(text):
            if kind := self._kinds.get(found["kind"].lower()):
                yield kind, found
