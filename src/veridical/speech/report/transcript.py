"""The transcript of the page: what was said, the quoted words marked, with the items on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.sources.clock import clock
from veridical.speech.report.wording import TYPE_ICONS, TYPE_TONES, TYPE_WORDS
from veridical.speech.results import PublicEvaluation, PublicItem, PublicLine
from veridical.text.spoken import spoken_keys, spoken_tokens
from veridical.validation.reports.markup import escape, isolated
from veridical.validation.reports.time_axis import Axis, known
from veridical.validation.reports.wording import count


@dataclass(frozen=True, slots=True)
class _Mark:
    """Characters `start` to `end` of a line that an item, from 0, quotes."""

    start: int
    end: int
    item: int


class Transcript:
    """The lines of a speech, and where the quotes of its items stand in them.

    Names are gone from both, so a quote is looked for by its words, in the lines that were said
    while it was. Where it is not found, its lines still lead to it.
    """

    def __init__(self, public: PublicEvaluation, axis: Axis | None) -> None:
        self._public = public
        self._axis = axis
        self._near = [self._lines_of(item) for item in public.items]
        self._marks: dict[int, list[_Mark]] = {}
        for number, item in enumerate(public.items):
            for line, mark in _found(item, public.lines, self._near[number], number):
                self._marks.setdefault(line, []).append(mark)

    def render(self) -> str:
        """The whole transcript; nothing where there is none."""
        lines = self._public.lines
        if not lines:
            return ""
        rows = "".join(self._rows())
        return (
            '<section id="transcript" aria-labelledby="transcript-name" tabindex="0">'
            '<h2 id="transcript-name">Transcript '
            f"<small>{count(len(lines), 'line')}</small></h2>"
            f'<ol class="lines">{rows}</ol></section>'
        )

    def _rows(self) -> Iterator[str]:
        speaker: str | None = None
        for number, line in enumerate(self._public.lines):
            start = known(line.start)
            time = "" if start is None else clock(start)
            at = "" if start is None or self._axis is None else self._axis.across(start)
            moment = f' data-at="{at}" data-time="{time}"' if at else ""
            who = ""
            if line.speaker and line.speaker != speaker:
                who = f'<p class="who">{isolated(line.speaker)}</p>'
            speaker = line.speaker
            yield (
                f'<li class="line" id="u{number + 1}" tabindex="-1"{moment}>'
                f'<span class="when">{time}</span><div>{who}<p>{self._words(number, line)}</p>'
                f"{self._rests(number)}</div></li>"
            )

    def _words(self, number: int, line: PublicLine) -> str:
        at, parts = 0, []
        for mark in sorted(self._marks.get(number, ()), key=lambda mark: mark.start):
            if mark.start < at:
                continue
            parts.append(isolated(line.text[at : mark.start]))
            words = isolated(line.text[mark.start : mark.end])
            parts.append(f'<mark data-item="item-{mark.item + 1}">{words}</mark>')
            at = mark.end
        return "".join([*parts, isolated(line.text[at:])])

    def _rests(self, number: int) -> str:
        """The items that rest on a line."""
        links = [
            f'<a class="kind {TYPE_TONES[item.type]}" href="#item-{n + 1}">{n + 1} '
            f'<i aria-hidden="true">{TYPE_ICONS[item.type]}</i> {escape(TYPE_WORDS[item.type])}</a>'
            for n, item in enumerate(self._public.items)
            if number in self._near[n]
        ]
        return f'<p class="rests">{"".join(links)}</p>' if links else ""

    def _lines_of(self, item: PublicItem) -> list[int]:
        """The lines that were said while an item's words were."""
        start, end = known(item.start), known(item.end)
        if start is None:
            return []
        end = start if end is None else max(start, end)
        return [
            number
            for number, line in enumerate(self._public.lines)
            if (begun := known(line.start)) is not None
            and begun <= end
            and (begun if line.end is None else line.end) >= start
        ]


def _found(
    item: PublicItem, lines: Sequence[PublicLine], near: Sequence[int], number: int
) -> Iterator[tuple[int, _Mark]]:
    """Where the words of a quote stand in these lines: a stretch in each line that has some."""
    wanted = spoken_keys(item.evidence_quote)
    keys: list[str] = []
    places: list[tuple[int, int, int]] = []
    for line in near:
        tokens = spoken_tokens(lines[line].text)
        keys += tokens.keys
        places += [(line, *ends) for ends in zip(tokens.starts, tokens.ends, strict=True)]
    size = len(wanted)
    at = next((i for i in range(len(keys) - size + 1) if keys[i : i + size] == wanted), None)
    if at is None or not size:
        return
    for line in near:
        quoted = [place for place in places[at : at + size] if place[0] == line]
        if quoted:
            yield line, _Mark(quoted[0][1], quoted[-1][2], number)
