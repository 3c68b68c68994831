"""Words that call for help, on every scorecard with their seconds, whatever the rubric asks for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from veridical.reports.words import count
from veridical.scoring.answer import CardWarning, WarningCode
from veridical.sources.transcript import Moment, Transcript, clock
from veridical.text.spoken import SpokenIndex, spoken_keys

EMERGENCY_WORDS = {
    "mayday": ("mayday", "may day"),
    "man down": ("man down",),
    "evacuate": ("evacuate", "evacuating", "evacuated", "evacuation"),
}
"""In the words of the radio: the calls for a firefighter in danger, and the order to leave; with
what is written for each of them.
"""

MOST_LISTED = 50
"""Times that are listed of one word; the rest are counted."""


def emergencies(transcript: Transcript) -> Iterator[CardWarning]:
    """One warning for each emergency word that was said: how often, when, and by whom."""
    index = SpokenIndex(transcript.text)
    for word, forms in EMERGENCY_WORDS.items():
        found = sorted(
            index.span(first, len(keys))
            for keys in map(spoken_keys, forms)
            for first in index.find(keys)
        )
        if not found:
            continue
        shown = [_told(transcript.moment(span)) for span in islice(found, MOST_LISTED)]
        more = f"; and {len(found) - MOST_LISTED:,} more" if len(found) > MOST_LISTED else ""
        yield CardWarning(
            WarningCode.EMERGENCY_WORDS,
            f"EMERGENCY: \u201c{word}\u201d was said {count(len(found), 'time')}: "
            f"{'; '.join(shown)}{more}",
        )


def _told(moment: Moment) -> str:
    """`1:02 (62.4 s) ENG25`."""
    by = f" {' and '.join(moment.speakers)}" if moment.speakers else ""
    if moment.start is None:
        return f"no time known{by}"
    return f"{clock(moment.start)} ({moment.start:g} s){by}"
