"""The rationales of the offline scorer: what was looked for, what was said, what did not count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from veridical.scoring.offline.heard import Heard, Place
from veridical.scoring.offline.lookup import Hit, Voice
from veridical.sources.transcript import clock

if TYPE_CHECKING:
    from veridical.scoring.offline.scorer import Sign

NO_CUES = "It has no cues, and without them nothing is scored offline."
CONTRADICTED = "Words were said that show it was done, and others that show it was not."
UNKNOWN_OPTION = "The cues show an option that this criterion does not have."

_MOST_PHRASES = 6
_MOST_PASSED = 4
_MOST_CHARS = 80


def looked_for(phrases: Sequence[str]) -> str:
    """What was not said."""
    unique = list(dict.fromkeys(phrases))
    if not unique:
        return NO_CUES
    shown = ", ".join(_quoted(phrase) for phrase in unique[:_MOST_PHRASES])
    more = f" and {len(unique) - _MOST_PHRASES} more" if len(unique) > _MOST_PHRASES else ""
    return f"Looked for {shown}{more}, and did not find it said as done."


def said(heard: Heard, hits: Sequence[Hit]) -> str:
    """Where a cue was said first, and how often."""
    first = min(hits, key=lambda hit: hit.place)
    count = f", and {len(hits) - 1} more time{'s' * (len(hits) > 2)}" if len(hits) > 1 else ""
    return f"{_where(heard, first)}{count}."


def parts(heard: Heard, signs: Sequence[Sign]) -> str:
    """Which parts of a whole were said."""
    there = [sign for sign in signs if sign.asserted]
    missing = [sign.name for sign in signs if not sign.asserted]
    listed = "; ".join(f"{sign.name}: {_where(heard, sign.asserted[0])}" for sign in there)
    count = f"{len(there)} of {len(signs)} elements were said ({listed})"
    return f"{count}; not found: {', '.join(missing)}." if missing else f"{count}."


def option(heard: Heard, chosen: Sign, all_said: Sequence[Sign], *, replaced: bool) -> str:
    """Which option was said, and what became of the others."""
    told = f"{chosen.name}: {_where(heard, chosen.asserted[0])}."
    others = ", ".join(sign.name for sign in all_said if sign is not chosen)
    if not others:
        return told
    if replaced:
        return f"{told} It was said later, as a change from {others}."
    return f"{told} {others} was said too; of several the lowest counts."


def events(heard: Heard, signs: Sequence[Sign], *, has_times: bool) -> str:
    """Which events were said."""
    told = []
    for sign in signs:
        if sign.asserted:
            told.append(f"{sign.name}: {_where(heard, sign.asserted[0])}.")
        else:
            told.append(f"{sign.name}: {looked_for(sign.phrases)}")
    if not has_times:
        told.append("The transcript has no times, so nothing can be timed.")
    return " ".join(told) or NO_CUES


def too_few(places: int, wanted: int, why: str) -> str:
    """Too few distinct places."""
    return f"{why} That is {places} of the {wanted} places that are needed."


def rationale(heard: Heard, why: str, passed: Sequence[Hit]) -> str:
    """Why, and which hits were passed over and why."""
    told = [
        why,
        *(f"{_where(heard, hit)}, but {_why_not(hit)}." for hit in passed[:_MOST_PASSED]),
    ]
    if len(passed) > _MOST_PASSED:
        told.append(f"{len(passed) - _MOST_PASSED} more such places were passed over.")
    return " ".join(told)


def _why_not(hit: Hit) -> str:
    others = hit.voice is Voice.OTHER
    return f"counts only when said by {_listed(hit.counts_by)}" if others else hit.reading.value


def speaker_unknown(heard: Heard, hits: Sequence[Hit]) -> str:
    """That words count though the transcript does not tell who said them."""
    first = min(hits, key=lambda hit: hit.place)
    by = dict.fromkeys(pattern for hit in hits for pattern in hit.counts_by)
    told = f"{_quoted(heard.text(first.place))}{_when(heard, first.place)}"
    return f"speaker unknown: {told} counts by its words alone; it should be said by {_listed(by)}"


def nobody_occurs(patterns: Iterable[str]) -> str:
    """That nobody is in the transcript by whom the cues count."""
    return f"the transcript has no speaker by whom its cues count: {_listed(patterns)}"


def _listed(patterns: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(patterns))


def unclear(heard: Heard, hit: Hit) -> str:
    """Words that are a cue's own, in words that may make something else of them."""
    text = heard.text(heard.sentences[heard.sentence_of(hit.place.first)])
    said = f"{_quoted(text)}{_when(heard, hit.place)}"
    return f"{said} holds the cue {_quoted(hit.phrase)}, but may say something else"


def _where(heard: Heard, hit: Hit) -> str:
    who = f" by {hit.speaker}" if hit.speaker else ""
    if hit.voice is Voice.UNKNOWN:
        who += f" ({hit.voice.value})"
    return f"{_quoted(heard.text(hit.place))} was said{_when(heard, hit.place)}{who}"


def _when(heard: Heard, words: Place | range) -> str:
    start = heard.start(words)
    return "" if start is None or start < 0 else f" at {clock(start)}"


def _quoted(text: str) -> str:
    plain = " ".join(text.split())
    shown = plain if len(plain) <= _MOST_CHARS else plain[: _MOST_CHARS - 1].rstrip() + "\u2026"
    return f"\u201c{shown}\u201d"
