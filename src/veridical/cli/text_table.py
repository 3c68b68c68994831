"""Tables of text for people: on a terminal as wide and colourful as it is, plain elsewhere."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from veridical.cli.terminal import can_encode, colored

if TYPE_CHECKING:
    from rich.text import Text

Cell: TypeAlias = "str | Text"

_PIPE_WIDTH = 120
_LEAST_WIDTH = 72


@dataclass(frozen=True, slots=True)
class Look:
    """How a table is drawn: without escape sequences unless `color`, framed in plus and minus signs
    if `ascii`, of a fixed width unless `width` says otherwise.
    """

    color: bool = False
    width: int | None = None
    ascii: bool = False

    @classmethod
    def of_standard_output(cls) -> Look:
        """What standard output can show."""
        interactive = sys.stdout is not None and sys.stdout.isatty()
        return cls(
            color=colored(),
            width=shutil.get_terminal_size().columns if interactive else None,
            ascii=not can_encode("\u2503", sys.stdout),
        )


def text_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    lines: Iterable[Cell] = (),
    look: Look | None = None,
    wide: Mapping[str, int] | None = None,
) -> str:
    """A table with a cell for each heading in a row, and lines under it, each ending in a line
    feed; by default plain. The columns in `wide` share the room that is left as it says; by
    default the last one takes it.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    look, ratios = look or Look(), wide or {headings[-1]: 1}
    style = box.ASCII if look.ascii else box.HEAVY_HEAD
    table = Table(box=style, show_lines=False, pad_edge=False, expand=True)
    for heading in headings:
        ratio = ratios.get(heading)
        table.add_column(heading, ratio=ratio, no_wrap=ratio is None, overflow="fold")
    for cells in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells))
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        width=max(look.width or _PIPE_WIDTH, _LEAST_WIDTH),
        force_terminal=look.color,
        color_system="standard" if look.color else None,
        highlight=False,
        emoji=False,
    )
    console.print(table)
    for line in lines:
        console.print(Text(line) if isinstance(line, str) else line, soft_wrap=True)
    return buffer.getvalue()
