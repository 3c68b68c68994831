"""Options that the commands share which answer questions from documents."""

from __future__ import annotations

from collections.abc import Callable

import click
from click.decorators import FC


def answering_options(documents: str) -> Callable[[FC], FC]:
    """`--documents`, whose help is `documents`, `--model`, `--base-url` and `--verbose`."""
    options = (
        click.option(
            "--documents",
            multiple=True,
            metavar="DIR",
            help=f"{documents} May be given several times.",
        ),
        click.option(
            "--model", metavar="MODEL", help="Answer in this model's words; VERIDICAL_MODEL."
        ),
        click.option(
            "--base-url",
            metavar="URL",
            help="OpenAI-compatible server of the model; VERIDICAL_BASE_URL.",
        ),
        click.option("--verbose", is_flag=True, help="Log to standard error."),
    )

    def decorated(command: FC) -> FC:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated
