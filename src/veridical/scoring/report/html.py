"""The scorecard as one HTML page: what came out, on which words and seconds it rests.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of transcript, rubric and model as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from veridical.reports.axis import known
from veridical.reports.marks import MOST_INSIDE, MarkedText, Run
from veridical.reports.page import ReportParts, page
from veridical.reports.page import parts as page_parts
from veridical.scoring.report import training, wording
from veridical.scoring.report.outline import Entry, Line, Outline, QuotePlace, Quotes, lines_of
from veridical.scoring.report.timeline import Timeline
from veridical.scoring.scorecard import Scorecard
from veridical.sources.transcript import Transcript

DEFAULT_TITLE = "Scorecard"


class ShownLine(NamedTuple):
    """A line of the transcript: `who` is empty where the speaker does not change, `rests` are the
    criteria that rest on words of it.
    """

    line: Line
    time: str
    who: str
    runs: Sequence[Run]
    rests: Sequence[Entry]


def render_html(
    card: Scorecard,
    transcript: Transcript,
    *,
    title: str | None = None,
    generated: str | None = None,
) -> str:
    """The scorecard as a self-contained HTML page.

    `transcript` is the one that was scored; quotes that do not stand in it are not linked, and the
    page says so. `generated`, a time for example, is shown as it is: without it the same scorecard
    gives the same bytes.
    """
    name = title or card.template.name.strip() or DEFAULT_TITLE
    return page("score", name, generated=generated, **_shown(card, transcript))


def parts(card: Scorecard, transcript: Transcript) -> ReportParts:
    """The same apart from its page, and without its title."""
    return page_parts("score", generated=None, **_shown(card, transcript))


def _shown(card: Scorecard, transcript: Transcript) -> dict[str, Any]:
    outline, lines = Outline(card), lines_of(transcript)
    quotes = Quotes(outline, transcript)
    return {
        "card": card,
        "outline": outline,
        "quotes": quotes,
        "timeline": Timeline(outline, lines, quotes),
        "lines": list(_lines(transcript.text, lines, quotes.places)),
        "is_another": card.transcript.sha256 != transcript.sha256,
        "known": known,
        "wording": wording,
        "training": training,
    }


def _lines(text: str, lines: Sequence[Line], places: Sequence[QuotePlace]) -> Iterator[ShownLine]:
    """The lines in order; what is open at the end of one goes on in the next."""
    marked = MarkedText(text, [place.span for place in places])
    before: str | None = ""
    following = 0
    inside: list[QuotePlace] = []
    for line in lines:
        while following < len(places) and places[following].span.start < line.span.end:
            inside.append(places[following])
            following += 1
        inside = [place for place in inside if place.span.end > line.span.start][-MOST_INSIDE:]
        entries = {use.entry.anchor: use.entry for place in inside for use in place.uses}
        time = "" if known(line.start) is None else wording.at(line.start)
        who = "" if line.speaker == before else line.speaker or wording.NO_SPEAKER
        before = line.speaker
        runs = marked.runs(line.span.start, line.span.end)
        yield ShownLine(line, time, who, list(runs), list(entries.values()))
