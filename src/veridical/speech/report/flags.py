"""The quoted moments of the picture: numbered flags on poles that stand on the axis."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.speech.evaluation import ItemType
from veridical.speech.report import wording
from veridical.speech.report.axis import measured, moment_of
from veridical.speech.report.wording import TYPE_ICONS, TYPE_TONES, TYPE_WORDS
from veridical.speech.results import PublicEvaluation
from veridical.validation.reports.markup import label
from veridical.validation.reports.time_axis import Axis, Place, lanes
from veridical.validation.reports.wording import first_words, listing

_LANE, _FLAG = 30, 24


class Flags:
    """The flags of a speech. Items are numbered from 0 here and from 1 where they are shown.

    `drawn` says where each flag stands; an item is missing from it that has no time, or no room.
    """

    def __init__(self, public: PublicEvaluation, axis: Axis | None) -> None:
        self.items = public.items
        self.axis = axis
        moments = ((number, moment_of(item)) for number, item in enumerate(self.items))
        self.moments = {number: moment for number, moment in moments if moment}
        places: Sequence[Place | None] = ()
        if axis is not None:
            places = lanes([axis.at(start) for start, _ in self.moments.values()])
        pairs = zip(self.moments, places, strict=False)
        self.drawn = {number: place for number, place in pairs if place}
        self.measured = measured(public)

    @property
    def height(self) -> int:
        """How much room they need above the tracks."""
        return _LANE * (1 + max((place.lane for place in self.drawn.values()), default=-1))

    def _top(self, number: int) -> int:
        return self.height - _LANE * (self.drawn[number].lane + 1)

    def poles(self, axis: Axis, bottom: int) -> str:
        """From each flag down to the axis, and on it the stretch that is quoted."""
        parts = []
        for number in self.drawn:
            start, end = self.moments[number]
            tone, at = TYPE_TONES[self.items[number].type], axis.across(start)
            parts.append(
                f'<line class="pole {tone}" x1="{at}" x2="{at}" y1="{self._top(number)}" '
                f'y2="{bottom}"/><rect class="quoted {tone}" {axis.wide(start, end)} '
                f'y="{bottom - 2}" height="4"/>'
            )
        return "".join(parts)

    def render(self, axis: Axis) -> str:
        """The flags, each a link to its item."""
        return "".join(self._flag(number, axis) for number in self.drawn)

    def _flag(self, number: int, axis: Axis) -> str:
        item, left = self.items[number], " left" if self.drawn[number].left else ""
        word = TYPE_WORDS[item.type]
        name = f"{number + 1}, {word.lower()}, {wording.said_at(item)}: {first_words(item.summary)}"
        return (
            f'<svg class="at" x="{axis.across(self.moments[number][0])}" y="{self._top(number)}">'
            f'<a class="flag {TYPE_TONES[item.type]}{left}" id="flag-{number + 1}" '
            f'href="#item-{number + 1}" aria-label="{label(name)}"><title>{label(name)}</title>'
            f'<g class="body"><rect width="46" height="{_FLAG}"/>'
            f'<text x="8" y="16.5">{number + 1} {TYPE_ICONS[item.type]} '
            f'<tspan class="word">{word}</tspan></text></g></a></svg>'
        )

    def legend(self) -> str:
        """What the icons mean; shown where the flags have no room for words."""
        kinds = {self.items[number].type for number in self.drawn}
        entries = [
            f'<span class="kind {TYPE_TONES[kind]}"><i aria-hidden="true">{TYPE_ICONS[kind]}</i> '
            f"{TYPE_WORDS[kind]}</span>"
            for kind in ItemType
            if kind in kinds
        ]
        return f'<p class="legend">{"".join(entries)}</p>' if entries else ""

    def notes(self) -> str:
        """The items that are not where a reader looks for them, and why."""
        untimed = [n for n in range(len(self.items)) if n not in self.moments]
        crowded = [n for n in self.moments if n not in self.drawn]
        return (
            _note("Not on the axis, no time is known", untimed)
            + _note("Not on the axis, there is no room", crowded)
            + _note("Outside the stretch that was measured", self._outside())
        )

    def _outside(self) -> list[int]:
        if self.measured is None:
            return []
        first, last = self.measured
        return [n for n in self.drawn if not first <= self.moments[n][0] <= last]


def _note(lead: str, numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    links = listing([f'<a href="#item-{number + 1}">{number + 1}</a>' for number in numbers])
    return f'<p class="soft">{lead}: {"item" if len(numbers) == 1 else "items"} {links}.</p>'
