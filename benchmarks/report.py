"""The table, in Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.measure import Timing

HEADINGS = ("", "work", "by", "measured", "Veridical is faster by", "located", "must reach", "aim")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table; all cells are ready to print."""

    row: str
    work: str
    who: str
    measured: str
    ratio: str = ""
    located: str = ""
    must: str = ""
    aim: str = ""

    def cells(self) -> tuple[str, ...]:
        return (
            self.row, self.work, self.who, self.measured, self.ratio, self.located, self.must,
            self.aim,
        )  # fmt: skip


def table(lines: Sequence[Line]) -> str:
    rows = [HEADINGS, *(line.cells() for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    shown = [
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    shown.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(shown)


def results(
    lines: Sequence[Line], machine: Sequence[str], corpus: str, notes: Sequence[str], date: str
) -> str:
    """RESULTS.md."""
    parts = ["# Measured", "Written by `make bench`; CPU time on one core."]
    if date:
        parts.append(f"Measured on {date}.")
    parts.append("\n".join(f"- {line}" for line in (*machine, f"Text: {corpus}")))
    parts.append(table(lines))
    parts.append("## How\n\n" + "\n".join(f"- {note}" for note in notes))
    return "\n\n".join(parts) + "\n"


def seconds(timing: Timing) -> str:
    shown = f"{timing.median:.3f} s ({timing.minimum:.3f})"
    return shown if timing.scaled == 1 else f"{shown}, scaled {timing.scaled:.0f} x from a sample"


def goal(target: str, *, met: bool) -> str:
    return f"{target}: {'reached' if met else 'missed'}"


def ratio(value: float) -> str:
    """Rounded down, so that a target that is just missed does not look reached."""
    return f"{math.floor(value * 10) / 10:.1f} x"


def mebibytes(size: int) -> str:
    return f"{size / 1024**2:.1f} MB"


def count(distances: Sequence[int | None]) -> str:
    """How many were located, of how many."""
    return f"{sum(d is not None for d in distances):,} of {len(distances):,}"
