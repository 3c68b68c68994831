"""The evaluation of a speech as one HTML page, with everything on one time axis.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of speaker and author as text. It is made from the public
copy, so that no name can be on it that was taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from veridical.sources.clock import clock
from veridical.sources.transcript import Precision
from veridical.speech.report import wording
from veridical.speech.report.timeline import Timeline
from veridical.speech.report.wording import (
    RULE_WORDS,
    STEP_WORDS,
    TYPE_ICONS,
    TYPE_TONES,
    TYPE_WORDS,
)
from veridical.speech.results import (
    DeliveryMetrics,
    Filler,
    HistoryEntry,
    PublicEvaluation,
    PublicItem,
    PublicLine,
    Receipt,
    ToneViolation,
)
from veridical.text.spoken import spoken_keys, spoken_tokens
from veridical.validation.reports.markup import escape, isolated
from veridical.validation.reports.page import ReportParts, asset, page, report_style
from veridical.validation.reports.time_axis import Axis, known
from veridical.validation.reports.wording import count, first_words

# The picture as text: everything that stands on the time axis, in tables.


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


# What stands under the picture: the evaluation itself, and how it came about.


_SHORT_DIGEST = 12
_FIELD = re.compile(r"items\[(\d{1,3})\]\.(\w{1,40})")


def render_evaluation(
    public: PublicEvaluation, flagged: frozenset[int], axis: Axis | None = None
) -> str:
    """Opening, items and closing. `flagged` are the items, from 0, that have a flag."""
    rows = "".join(
        _item(n, item, _place(item, axis), flagged=n in flagged)
        for n, item in enumerate(public.items)
    )
    items = f'<ol class="items">{rows}</ol>' if rows else '<p class="nothing">No item is left.</p>'
    return (
        '<section class="words" id="evaluation" aria-labelledby="evaluation-name">'
        '<h2 class="vh" id="evaluation-name">Evaluation</h2>'
        f"{_said('opening', public.opening)}{items}{_said('closing', public.closing)}</section>"
    )


def _said(name: str, text: str) -> str:
    return f'<p class="opening" id="{name}">{isolated(text)}</p>' if text.strip() else ""


def _place(item: PublicItem, axis: Axis | None) -> str:
    """Where on the axis an item's words begin, for the marker that moves there."""
    start = known(item.start)
    if start is None or axis is None:
        return ""
    return f' data-at="{axis.across(start)}" data-time="{clock(start)}"'


def _item(number: int, item: PublicItem, place: str, *, flagged: bool) -> str:
    tone, word, icon = TYPE_TONES[item.type], TYPE_WORDS[item.type], TYPE_ICONS[item.type]
    time = escape(wording.said_at(item)) or "no time"
    if flagged:
        time = f'<a href="#flag-{number + 1}" title="show on the time axis">{time}</a>'
    replaced = '<p class="soft">Names in the quote are replaced.</p>' if item.redacted else ""
    return (
        f'<li class="item {tone}" id="item-{number + 1}" tabindex="-1"{place}>'
        f'<p class="when">{time} <small>{wording.said_precisely(item)}</small></p><div>'
        f'<p class="kind">{number + 1} '
        f'<i aria-hidden="true">{icon}</i> {word}</p>'
        f'<h3>{isolated(item.summary)}</h3><blockquote class="quote">'
        f"{isolated(item.evidence_quote)}</blockquote>"
        f'{replaced}<p class="why">{isolated(item.explanation)}</p>'
        f"{_receipt(item.receipt)}</div></li>"
    )


def _receipt(receipt: Receipt) -> str:
    seconds = known(receipt.seconds)
    second = f"{seconds:.3f}".rstrip("0").rstrip(".") if seconds is not None else wording.UNKNOWN
    short = receipt.digest[:_SHORT_DIGEST]
    cut = "…" if len(receipt.digest) > _SHORT_DIGEST else ""
    facts = (
        ("Keyed hash of the raw words", f"<code>{isolated(receipt.digest)}</code>"),
        ("Words", f"{receipt.tokens:,}"),
        ("Second", second),
    )
    return (
        f'<details class="receipt"><summary>Receipt <code>{isolated(short)}{cut}</code></summary>'
        f"{_facts(facts)}<p>Whoever has the raw transcript can prove with it that these words "
        "were said.</p></details>"
    )


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    return f'<dl class="facts">{rows}</dl>'


def render_delivery(public: PublicEvaluation) -> str:
    """What was measured, in numbers, and what they rest on."""
    metrics = public.metrics
    facts = (
        ("Duration", _duration(metrics)),
        ("Words", f"{metrics.words:,}"),
        ("Pace", wording.pace(metrics)),
        ("Pauses", _pauses(metrics)),
        ("Fillers", f"{len(metrics.fillers):,}"),
        ("Times are known", wording.PRECISION_WORDS[metrics.precision]),
    )
    rows = "".join(f"<li>{isolated(note)}</li>" for note in metrics.notes)
    notes = f'<ul class="notes">{rows}</ul>' if rows else ""
    return (
        '<section id="delivery" aria-labelledby="delivery-name">'
        f'<h2 id="delivery-name">Delivery</h2>{_facts(facts)}{notes}</section>'
    )


def _duration(metrics: DeliveryMetrics) -> str:
    start, end = known(metrics.start), known(metrics.end)
    if start is None or end is None or metrics.precision is Precision.NONE:
        return wording.UNKNOWN
    span = f" ({clock(start)} to {clock(end)})" if end > start else ""
    return f"{wording.lasting(max(0.0, end - start))}{span}"


def _pauses(metrics: DeliveryMetrics) -> str:
    if metrics.precision is Precision.NONE:
        return wording.UNKNOWN
    if not metrics.pauses:
        return "0"
    silent = sum(pause.seconds for pause in metrics.pauses if known(pause.seconds) is not None)
    return f"{len(metrics.pauses):,}, {wording.lasting(silent)} in all"


def render_tone(public: PublicEvaluation) -> str:
    """The sentences that break a rule of tone; empty where there are none."""
    if not public.tone:
        return ""
    rows = "".join(_violation(each, public) for each in public.tone)
    return (
        '<section id="tone" aria-labelledby="tone-name"><h2 id="tone-name">Tone: '
        f"{count(len(public.tone), 'sentence')} against the rules</h2>"
        f'<ul class="rows">{rows}</ul></section>'
    )


def _violation(violation: ToneViolation, public: PublicEvaluation) -> str:
    return (
        f"<li><strong>{RULE_WORDS[violation.rule]}</strong> "
        f'<span class="soft">{_field(violation.field, public)}</span>'
        f'<blockquote class="quote">{isolated(violation.sentence)}</blockquote></li>'
    )


def _field(field: str, public: PublicEvaluation) -> str:
    """`items[2].summary` as a link: item 3, summary."""
    if {"opening": public.opening, "closing": public.closing}.get(field, "").strip():
        return f'<a href="#{field}">{field}</a>'
    found = _FIELD.fullmatch(field)
    if found is None or int(found[1]) >= len(public.items):
        return isolated(field)
    number = int(found[1]) + 1
    return f'<a href="#item-{number}">item {number}</a>, {escape(found[2].replace("_", " "))}'


def render_history(public: PublicEvaluation) -> str:
    """How it came about, generation by generation."""
    history = public.history
    parts = []
    for generation, entries in groupby(history.entries, lambda entry: entry.generation):
        rows = "".join(map(_step, entries))
        parts.append(f'<h3>Generation {generation:,}</h3><ul class="rows">{rows}</ul>')
    steps = "".join(parts) or "<p>Nothing is recorded.</p>"
    asked = ""
    if history.generations:
        asked = f"{count(history.generations, 'generation')}, asked {count(history.calls, 'time')}"
    return (
        f'<section id="history"><details><summary><h2>How it came about</h2> '
        f'<span class="soft">{asked}</span></summary>{steps}</details></section>'
    )


def _step(entry: HistoryEntry) -> str:
    about = f"Item {entry.item:,}" if entry.item is not None else "All"
    checks = f" ({', '.join(map(isolated, entry.checks))})" if entry.checks else ""
    reason = f'<br><span class="soft">{isolated(entry.reason)}</span>' if entry.reason else ""
    return f"<li><b>{about}</b> {STEP_WORDS[entry.step]}{checks}{reason}</li>"


# The transcript of the page: what was said, the quoted words marked, with the items on them.


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


DEFAULT_TITLE = "Speech evaluation"
# Warnings before the rest of them is folded away.
MOST_SHOWN = 10


def render_speech_html(
    public: PublicEvaluation, *, title: str | None = None, generated: str | None = None
) -> str:
    """The evaluation as a self-contained HTML page.

    `title` heads the page in place of the evaluation's own; `generated`, a time for example, is
    shown as it is. Without it the page holds no date: the same evaluation gives the same bytes.
    """
    name = title or public.title or DEFAULT_TITLE
    heading = f"<h1>{isolated(name)}</h1>"
    body = f"{_header(public, heading, generated)}<main>{_sections(public)}</main>{_HELP}"
    return page(name, body, style=_style(), script=_script())


def parts(public: PublicEvaluation) -> ReportParts:
    """The same apart from its page, and without its title."""
    body = f'{_header(public, "", None)}<div class="main">{_sections(public)}</div>{_HELP}'
    return ReportParts(body, _style(), _script())


def _style() -> str:
    return report_style(__package__, "speech.css")


def _script() -> str:
    return asset(__package__, "speech.js")


def _sections(public: PublicEvaluation) -> str:
    timeline = Timeline(public)
    return (
        '<section id="timeline" aria-labelledby="timeline-name">'
        f'<h2 class="vh" id="timeline-name">Time axis</h2>{timeline.render()}</section>'
        f"{_panes(public, timeline)}{render_delivery(public)}"
        f"{render_tables(public)}{render_tone(public)}{render_history(public)}"
    )


def _panes(public: PublicEvaluation, timeline: Timeline) -> str:
    """The evaluation, beside the transcript where that was published with it."""
    evaluation = render_evaluation(public, timeline.flagged, timeline.axis)
    words = Transcript(public, timeline.axis).render()
    return f'<div class="panes">{evaluation}{words}</div>' if words else evaluation


def _header(public: PublicEvaluation, heading: str, generated: str | None) -> str:
    speaker = f"Speaker: {isolated(public.speaker)} · " if public.speaker else ""
    stamp = f" · {isolated(generated)}" if generated else ""
    return (
        f'<header class="report-head"><div class="line">{heading}'
        '<button type="button" id="help-button" class="js-only" aria-label="keys and symbols">?'
        f'</button></div><p class="soft">{speaker}{isolated(wording.written_by(public))}{stamp}</p>'
        f'<p class="rate">{_items(public)} '
        f"{wording.first_try(public.history)}{_names(public)}</p>{_troubles(public)}</header>"
    )


def _items(public: PublicEvaluation) -> str:
    if not public.items:
        return "No item is left."
    return f'<a href="#evaluation">{wording.numbers(public)}</a>.'


def _names(public: PublicEvaluation) -> str:
    return f" {count(public.redactions, 'name')} replaced." if public.redactions else ""


def _troubles(public: PublicEvaluation) -> str:
    """What a reader must know before reading on."""
    troubles = [isolated(warning) for warning in public.warnings]
    if public.tone:
        sentences = count(len(public.tone), "sentence")
        troubles.insert(0, f'<a href="#tone">{sentences} against the rules of tone</a>')
    if not troubles and not public.history.best_effort:
        return ""
    name = f"<h2>{_ALERT} {count(len(troubles), 'warning')}</h2>"
    if public.history.best_effort:
        name = (
            f"<h2>{_ALERT} Best effort</h2><p>This is what was left: {wording.numbers(public)}, "
            f"where there should be {wording.wanted()}.</p>"
        )
    first, rest = _listed(troubles[:MOST_SHOWN]), _listed(troubles[MOST_SHOWN:])
    more = f"<details><summary>{len(troubles) - MOST_SHOWN:,} more</summary>{rest}</details>"
    return f'<section class="troubles" role="note">{name}{first}{more if rest else ""}</section>'


def _listed(rows: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{row}</li>' for row in rows)}</ul>" if rows else ""


_ALERT = '<i aria-hidden="true">!</i>'

_KEYS = (
    ("j", "next item"),
    ("k", "previous item"),
    ("t", "the item's flag on the time axis"),
    ("w", "its words in the transcript, where there is one"),
    ("?", "this help"),
    ("Esc", "close"),
)

_SYMBOLS = (
    ("flag", "a quoted moment: its number and type; it leads to its item"),
    ("grey steps", "pace, in words a minute"),
    ("bars", "pauses, as long as they last"),
    ("strokes", "fillers; higher where there are several"),
)

_HELP = (
    '<dialog id="help" aria-label="keys and symbols"><h2>Keys</h2><dl class="keys">'
    + "".join(f"<div><dt><kbd>{escape(k)}</kbd></dt><dd>{escape(v)}</dd></div>" for k, v in _KEYS)
    + '</dl><h2>On the time axis</h2><dl class="keys">'
    + "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in _SYMBOLS)
    + '</dl><button type="button" id="help-close">Close</button></dialog>'
)
