"""A check of an evaluation as a page shows it: each item, its checks, and where it was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from veridical.service.records.transcripts import read_transcript
from veridical.sources.clock import clock
from veridical.store.records import Record
from veridical.text.turns import turns
from veridical.validation.reports.time_axis import Axis, axis_over, known

MOST_AROUND_CHARS = 200


@dataclass(frozen=True, slots=True)
class Said:
    """Where the words of an item really stand, with some that stand around them."""

    time: str
    speakers: str
    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True)
class CheckedItem:
    """An item as it was checked. `claimed_at` and `said_at` are percent of the axis, if known."""

    number: int
    type: str
    quote: str
    passed: bool
    proven: bool
    claimed: str
    said: tuple[Said, ...]
    failed: tuple[str, ...]
    correction: str
    claimed_at: str
    said_at: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A time under the axis."""

    at: str
    time: str


@dataclass(frozen=True, slots=True)
class Check:
    """A whole check."""

    items: tuple[CheckedItem, ...]
    passed: int
    transcript: str
    warnings: tuple[str, ...]
    ticks: tuple[Tick, ...]


def check_of(record: Record) -> Check:
    """The check of a record that is ready."""
    result = record.result or {}
    transcript = read_transcript(record.request["transcript"])
    times = [each["claimed_seconds"] for each in result["items"]]
    times += [each["true_seconds"] for each in result["items"]]
    times += [part.end for turn in turns(transcript) for part in turn.parts]
    axis = axis_over([0.0, *times])
    return Check(
        items=tuple(_item(each, transcript.text, axis) for each in result["items"]),
        passed=result["passed"],
        transcript=result["transcript"]["name"],
        warnings=(*result["shape_warnings"], *result["transcript_warnings"]),
        ticks=() if axis is None else tuple(
            Tick(axis.across(tick.seconds), clock(tick.seconds))
            for tick in axis.ticks()
            if tick.narrow
        ),
    )  # fmt: skip


def _item(item: Mapping[str, Any], text: str, axis: Axis | None) -> CheckedItem:
    correction = item["correction"] or {}
    seconds = known(correction.get("seconds"))
    when = "" if seconds is None else f" at {clock(seconds)}"
    return CheckedItem(
        number=item["number"],
        type=item["type"],
        quote=item["evidence_quote"],
        passed=item["passed"],
        proven=item["proven_by_receipt"],
        claimed=_clock(item["claimed_seconds"]),
        said=tuple(_said(each, text) for each in item["occurrences"]),
        failed=tuple(each["message"] for each in item["checks"] if each["outcome"] == "failed"),
        correction=f"“{correction['quote']}”{when}" if correction else "",
        claimed_at=_across(item["claimed_seconds"], axis),
        said_at=_across(item["true_seconds"], axis),
    )


def _said(occurrence: Mapping[str, Any], text: str) -> Said:
    start, end = occurrence["start_position"], occurrence["end_position"]
    return Said(
        time=_clock(occurrence["start_seconds"]),
        speakers=", ".join(occurrence["speakers"]),
        before=text[max(0, start - MOST_AROUND_CHARS) : start],
        words=text[start:end],
        after=text[end : end + MOST_AROUND_CHARS],
    )


def _clock(seconds: float | None) -> str:
    good = known(seconds)
    return "no time" if good is None else clock(good)


def _across(seconds: float | None, axis: Axis | None) -> str:
    good = known(seconds)
    return "" if good is None or axis is None else axis.across(good)
