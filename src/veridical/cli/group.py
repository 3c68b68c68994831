"""Groups of commands whose modules are imported when a command is run, and not to list it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from veridical.cli.errors import reported


class Commands(click.Group):
    """A group. `elsewhere` has the commands of other modules by name, and how their help begins.

    A module is called as its command, behind a `prefix`; where not, `places` has `module:command`.
    """

    def __init__(
        self,
        *given: Any,
        elsewhere: Mapping[str, str],
        places: Mapping[str, str],
        prefix: str = "",
        **more: Any,
    ) -> None:
        super().__init__(*given, **more)
        self._elsewhere = elsewhere
        self._places = {name: f"{prefix}{name}:{name}" for name in elsewhere} | dict(places)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, sorted."""
        return sorted([*super().list_commands(ctx), *self._elsewhere])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, its module imported."""
        if cmd_name not in self._elsewhere:
            return super().get_command(ctx, cmd_name)
        module, _, name = self._places[cmd_name].partition(":")
        with reported():
            found: click.Command = getattr(import_module(f"veridical.cli.{module}"), name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help, without an import."""
        helps = {
            name: self._elsewhere[name] if name in self._elsewhere else self.commands[name].help
            for name in self.list_commands(ctx)
        }
        limit = formatter.width - 6 - max(map(len, helps))
        rows = [
            (name, click.Command(name, help=helps[name] or "").get_short_help_str(limit))
            for name in helps
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
