"""The evaluation of a speech as one HTML page, with everything on one time axis.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of speaker and author as text. It is made from the public
copy, so that no name can be on it that was taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from veridical.reports.axis import known
from veridical.reports.page import ReportParts, page
from veridical.reports.page import parts as page_parts
from veridical.sources.transcript import Precision, clock
from veridical.speech.report import wording
from veridical.speech.report.timeline import Timeline
from veridical.speech.results import (
    DeliveryMetrics,
    Filler,
    PublicEvaluation,
    PublicItem,
    PublicLine,
)
from veridical.text.spoken import spoken_keys, spoken_tokens

DEFAULT_TITLE = "Speech evaluation"
MOST_TIMES = 200
"""Times of one word: more are counted, not listed."""

_FIELD = re.compile(r"items\[(\d{1,3})\]\.(\w{1,40})")


def render_speech_html(
    public: PublicEvaluation, *, title: str | None = None, generated: str | None = None
) -> str:
    """The evaluation as a self-contained HTML page.

    `title` heads the page in place of the evaluation's own; `generated`, a time for example, is
    shown as it is. Without it the page holds no date: the same evaluation gives the same bytes.
    """
    name = title or public.title or DEFAULT_TITLE
    return page("speech", name, generated=generated, **_shown(public))


def parts(public: PublicEvaluation) -> ReportParts:
    """The same apart from its page, and without its title."""
    return page_parts("speech", generated=None, **_shown(public))


def _shown(public: PublicEvaluation) -> dict[str, Any]:
    return {
        "public": public,
        "timeline": Timeline(public),
        "lines": list(_transcript(public)),
        "fillers": _fillers(public.metrics.fillers),
        "generations": [
            (generation, list(entries))
            for generation, entries in groupby(public.history.entries, lambda e: e.generation)
        ],
        "duration": _duration(public.metrics),
        "field_of": _field_of,
        "known": known,
        "wording": wording,
    }


def _fillers(fillers: Sequence[Filler]) -> list[tuple[str, int, str]]:
    """Each word, how often and when it was said, the most frequent first."""
    words: dict[str, list[Filler]] = {}
    for filler in fillers:
        words.setdefault(filler.word, []).append(filler)
    ordered = sorted(words.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [(word, len(said), _times(said)) for word, said in ordered]


def _times(fillers: Sequence[Filler]) -> str:
    times = [known(filler.seconds) for filler in fillers]
    timed = sorted(time for time in times if time is not None)
    parts = [clock(time) for time in timed[:MOST_TIMES]]
    if len(timed) > MOST_TIMES:
        parts.append(f"and {len(timed) - MOST_TIMES:,} more")
    if len(timed) < len(times):
        parts.append(f"{len(times) - len(timed):,} without a time")
    return ", ".join(parts)


def _duration(metrics: DeliveryMetrics) -> str:
    start, end = known(metrics.start), known(metrics.end)
    if start is None or end is None or metrics.precision is Precision.NONE:
        return wording.UNKNOWN
    span = f" ({clock(start)} to {clock(end)})" if end > start else ""
    return f"{wording.lasting(max(0.0, end - start))}{span}"


def _field_of(field: str, public: PublicEvaluation) -> tuple[int, str] | None:
    """The item, from 1, and the part of it that `items[2].summary` names."""
    found = _FIELD.fullmatch(field)
    if found is None or int(found[1]) >= len(public.items):
        return None
    return int(found[1]) + 1, found[2].replace("_", " ")


# The transcript of the page: what was said, the quoted words marked, with the items on them.


class ShownLine(NamedTuple):
    """A line: `who` is empty where the speaker does not change; `words` are its stretches with the
    item, from 1, that quotes them, or 0; `rests` are the items, from 1, that rest on it.
    """

    start: float | None
    who: str
    words: Sequence[tuple[str, int]]
    rests: Sequence[int]


def _transcript(public: PublicEvaluation) -> Iterator[ShownLine]:
    """The lines of a speech, and where the quotes of its items stand in them.

    Names are gone from both, so a quote is looked for by its words, in the lines that were said
    while it was. Where it is not found, its lines still lead to it.
    """
    near = [_lines_of(item, public.lines) for item in public.items]
    marks: dict[int, list[tuple[int, int, int]]] = {}
    for number, item in enumerate(public.items, 1):
        for at, start, end in _found(item, public.lines, near[number - 1]):
            marks.setdefault(at, []).append((start, end, number))
    before: str | None = None
    for number, line in enumerate(public.lines):
        who = line.speaker if line.speaker and line.speaker != before else ""
        before = line.speaker
        rests = [n for n, lines in enumerate(near, 1) if number in lines]
        words = list(_words(line.text, marks.get(number, [])))
        yield ShownLine(known(line.start), who, words, rests)


def _words(text: str, marks: list[tuple[int, int, int]]) -> Iterator[tuple[str, int]]:
    """A text in stretches; of quotes that overlap the one that starts first is marked."""
    at = 0
    for start, end, item in sorted(marks, key=lambda mark: mark[0]):
        if start >= at:
            yield text[at:start], 0
            yield text[start:end], item
            at = end
    yield text[at:], 0


def _lines_of(item: PublicItem, lines: Sequence[PublicLine]) -> list[int]:
    """The lines that were said while an item's words were."""
    start, end = known(item.start), known(item.end)
    if start is None:
        return []
    end = start if end is None else max(start, end)
    return [
        number
        for number, line in enumerate(lines)
        if (begun := known(line.start)) is not None
        and begun <= end
        and (begun if line.end is None else line.end) >= start
    ]


def _found(
    item: PublicItem, lines: Sequence[PublicLine], near: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """Where the words of a quote stand in these lines: (line, start, end), one for each line."""
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
    for line, quoted in groupby(places[at : at + size], lambda place: place[0]):
        stretch = list(quoted)
        yield line, stretch[0][1], stretch[-1][2]
