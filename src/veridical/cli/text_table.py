"""Tables of text for people: on a terminal as wide and colourful as it is, plain elsewhere."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from veridical.cli.terminal import can_encode, colored

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


class TextTable:
    """A table, and lines under it. The columns in `wide` share the room that is left as it says; by
    default the last one takes it.
    """

    def __init__(
        self, headings: tuple[str, ...], look: Look, wide: Mapping[str, int] | None = None
    ) -> None:
        self._table = Table(
            box=box.ASCII if look.ascii else box.HEAVY_HEAD,
            show_lines=False,
            pad_edge=False,
            expand=True,
        )
        ratios = wide or {headings[-1]: 1}
        for heading in headings:
            self._table.add_column(
                heading,
                ratio=ratios.get(heading),
                no_wrap=heading not in ratios,
                overflow="fold",
            )
        self._look = look
        self._lines: list[Text] = []

    def add_row(self, *cells: Text) -> None:
        """Add a row, a cell for each heading."""
        self._table.add_row(*cells)

    def add_line(self, line: Text) -> None:
        """Add a line under the table."""
        self._lines.append(line)

    def render(self) -> str:
        """The table and its lines, each ending in a line feed."""
        buffer = io.StringIO()
        console = Console(
            file=buffer,
            width=max(self._look.width or _PIPE_WIDTH, _LEAST_WIDTH),
            force_terminal=self._look.color,
            color_system="standard" if self._look.color else None,
            highlight=False,
            emoji=False,
        )
        console.print(self._table)
        for line in self._lines:
            console.print(line, soft_wrap=True)
        return buffer.getvalue()
