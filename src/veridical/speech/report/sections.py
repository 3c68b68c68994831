"""What stands under the picture: the evaluation itself, and how it came about."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from veridical.sources.clock import clock
from veridical.sources.transcript import Precision
from veridical.speech.report import wording
from veridical.speech.report.wording import (
    RULE_WORDS,
    STEP_WORDS,
    TYPE_ICONS,
    TYPE_TONES,
    TYPE_WORDS,
)
from veridical.speech.results import (
    DeliveryMetrics,
    HistoryEntry,
    PublicEvaluation,
    PublicItem,
    Receipt,
    ToneViolation,
)
from veridical.validation.reports.markup import escape, isolated
from veridical.validation.reports.time_axis import Axis, known
from veridical.validation.reports.wording import count

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
