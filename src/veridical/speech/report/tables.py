"""The picture as text: everything that stands on the time axis, in tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veridical.sources.clock import clock
from veridical.speech.report import wording
from veridical.speech.report.wording import TYPE_WORDS
from veridical.speech.results import DeliveryMetrics, Filler, PublicEvaluation
from veridical.validation.reports.markup import escape, isolated
from veridical.validation.reports.time_axis import known
from veridical.validation.reports.wording import count, first_words

# Rows of a table, and times of one word: more are counted, not listed.
MOST_ROWS = 500
MOST_TIMES = 200


def render_tables(public: PublicEvaluation) -> str:
    """Moments, pace, pauses and fillers with their times."""
    tables = (
        _moments(public)
        + _table("Pace", ("From – to", "Words a minute"), _pace_rows(public.metrics))
        + _table("Pauses", ("At", "Lasts"), _pause_rows(public.metrics))
        + _table("Fillers", ("Word", "Times", "At"), _filler_rows(public.metrics.fillers))
    )
    return (
        '<section id="timeline-text"><details><summary><h2>The time axis as text</h2></summary>'
        f"{tables}</details></section>"
    )


def _moments(public: PublicEvaluation) -> str:
    rows = [
        (
            f'<a href="#item-{number}">{number}</a>',
            escape(wording.said_at(item)) or "no time",
            TYPE_WORDS[item.type],
            isolated(first_words(item.summary)),
        )
        for number, item in enumerate(public.items, 1)
    ]
    return _table("Quoted moments", ("Item", "At", "Type", "Summary"), rows)


def _pace_rows(metrics: DeliveryMetrics) -> list[tuple[str, ...]]:
    return [
        (_stretch(window.start, window.end), wording.rate(window.words_per_minute))
        for window in metrics.pace
    ]


def _pause_rows(metrics: DeliveryMetrics) -> list[tuple[str, ...]]:
    return [(_stretch(pause.start, pause.end), _lasting(pause.seconds)) for pause in metrics.pauses]


def _stretch(start: float, end: float) -> str:
    first, last = known(start), known(end)
    return wording.UNKNOWN if first is None or last is None else wording.stretch(first, last)


def _lasting(seconds: float) -> str:
    return wording.UNKNOWN if known(seconds) is None else wording.lasting(seconds)


def _filler_rows(fillers: Sequence[Filler]) -> list[tuple[str, ...]]:
    """One row for each word, the most frequent first."""
    words: dict[str, list[Filler]] = {}
    for filler in fillers:
        words.setdefault(filler.word, []).append(filler)
    ordered = sorted(words.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [(isolated(word), f"{len(said):,}", _times(said)) for word, said in ordered]


def _times(fillers: Iterable[Filler]) -> str:
    times = [known(filler.seconds) for filler in fillers]
    timed = sorted(time for time in times if time is not None)
    parts = [clock(time) for time in timed[:MOST_TIMES]]
    if len(timed) > MOST_TIMES:
        parts.append(f"and {len(timed) - MOST_TIMES:,} more")
    if len(timed) < len(times):
        parts.append(f"{len(times) - len(timed):,} without a time")
    return ", ".join(parts)


def _table(name: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return f"<h3>{name}</h3><p>None.</p>"
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    body = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows[:MOST_ROWS]
    )
    more = len(rows) - MOST_ROWS
    rest = f"<p>{count(more, 'more row')} are not listed here.</p>" if more > 0 else ""
    return (
        f"<h3>{name}</h3><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"
    )
