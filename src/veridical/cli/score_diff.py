"""`veridical score diff`: what changed between two scorecards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from veridical.cli.choices import TABLE_OR_JSON, Form, parse_choice
from veridical.cli.errors import with_exit_code
from veridical.cli.files import check_inputs, json_bytes, read_scorecard
from veridical.cli.options import format_option
from veridical.cli.terminal import clean, excerpt, out, out_data
from veridical.cli.text_table import Look, text_table
from veridical.scoring.diff import (
    Change,
    PartDiff,
    Presence,
    ScorecardDiff,
    compare,
)
from veridical.sources.transcript import clock

if TYPE_CHECKING:
    from veridical.scoring.scorecard import CheckedEvidence

CHANGED = 1
"""Exit code where something changed."""

_QUOTE_CHARS = 120


@click.command()
@click.argument("before", metavar="A.json")
@click.argument("after", metavar="B.json")
@format_option(*TABLE_OR_JSON)
@with_exit_code
def diff(before: str, after: str, form: str) -> int:
    """Tell what changed between two scorecards, criterion by criterion.

    Exit code 0: nothing. 1: something. 2: they could not be read.
    """
    wanted = parse_choice(TABLE_OR_JSON, form)
    check_inputs([], before, after)
    found = compare(read_scorecard(before), read_scorecard(after))
    if wanted is Form.JSON:
        out_data(json_bytes(_as_data(found)))
    else:
        out(render_table(found, Look.of_standard_output()).rstrip("\n"))
    return CHANGED if found.changed else 0


def _as_data(diff: ScorecardDiff) -> dict[str, Any]:
    """The changes for programs, in the names of scorecards."""
    return {
        "changed": diff.changed,
        "comparedCriteria": diff.compared_criteria,
        "overall": [asdict(change) for change in diff.overall],
        "sections": [_part_json(section) for section in diff.sections],
        "criteria": [_part_json(criterion) for criterion in diff.criteria],
        "warnings": list(diff.warnings),
    }


def _part_json(part: PartDiff) -> dict[str, Any]:
    told = {
        "title": part.title,
        "presence": part.presence.value,
        "changes": [asdict(change) for change in part.changes],
    }
    if part.criterion_id is None:
        return {"sectionId": part.section_id, **told}
    return {
        "sectionId": part.section_id,
        "criterionId": part.criterion_id,
        **told,
        "evidenceAdded": [_evidence_json(item) for item in part.evidence_added],
        "evidenceLost": [_evidence_json(item) for item in part.evidence_lost],
    }


def _evidence_json(item: CheckedEvidence) -> dict[str, Any]:
    return {"text": item.matched_text, "start": item.start, "speaker": item.speaker}


def render_table(diff: ScorecardDiff, look: Look | None = None) -> str:
    """The changes as a table, and a line that sums them up; by default plain."""
    told = [_summary(diff), *(f"warning: {clean(warning)}" for warning in diff.warnings)]
    if not diff.changed:
        return "\n".join(told) + "\n"
    rows = ((name, "\n".join(facts)) for name, facts in _rows(diff))
    return text_table(("What", "Change"), rows, told, look)


def _rows(diff: ScorecardDiff) -> Iterator[tuple[str, list[str]]]:
    """What changed, and how, in clean text."""
    if diff.overall:
        yield "overall", [_told(change) for change in diff.overall]
    for section in diff.sections:
        yield clean(section.section_id), _facts(section)
    for criterion in diff.criteria:
        yield clean(f"{criterion.section_id} / {criterion.criterion_id}"), _facts(criterion)


def _facts(part: PartDiff) -> list[str]:
    facts = [_ALONE[part.presence]] if part.presence in _ALONE else []
    facts += [_told(change) for change in part.changes]
    facts += [f"evidence added: {_quoted(item)}" for item in part.evidence_added]
    facts += [f"evidence lost: {_quoted(item)}" for item in part.evidence_lost]
    return facts


_ALONE = {
    Presence.ONLY_BEFORE: "only in the first scorecard",
    Presence.ONLY_AFTER: "only in the second scorecard",
}
"""Said of what is in one of the cards only: its rubric lacks it, or it was not scored."""


def _told(change: Change) -> str:
    return f"{change.what}: {_shown(change.before)} \u2192 {_shown(change.after)}"


def _shown(value: str | float | None) -> str:
    if value is None:
        return "none"
    return clean(value) if isinstance(value, str) else f"{value:g}"


def _quoted(item: CheckedEvidence) -> str:
    when = "" if item.start is None else f" ({clock(item.start)})"
    return f"\u201c{excerpt(item.matched_text or item.quote, _QUOTE_CHARS)}\u201d{when}"


def _summary(diff: ScorecardDiff) -> str:
    if not diff.changed:
        return f"Nothing changed; criteria compared: {diff.compared_criteria}."
    changed = sum(criterion.presence is Presence.BOTH for criterion in diff.criteria)
    told = f"{changed} of {diff.compared_criteria} criteria in both scorecards changed"
    alone = len(diff.criteria) - changed
    return told + (f", {alone} are in one of them only." if alone else ".")
