"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable

import click
from click.decorators import FC


def together(*options: Callable[[FC], FC]) -> Callable[[FC], FC]:
    """A decorator that adds several options, which are shown in this order."""

    def decorated(command: FC) -> FC:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


verbose_option = click.option("--verbose", is_flag=True, help="Log to standard error.")
config_option = click.option(
    "--config", metavar="FILE", help="Settings (see: veridical config); the defaults without it."
)
documents_option = click.option(
    "--documents",
    multiple=True,
    required=True,
    metavar="DIR",
    help="Sources: a folder or a file. May be given several times.",
)
store_option = click.option(
    "--store",
    metavar="URL",
    help="Database: a file (SQLite) or a postgresql:// address; VERIDICAL_STORE, or veridical.db.",
)
workspace_option = click.option(
    "--workspace", default="default", show_default=True, metavar="NAME", help="Workspace in it."
)
base_url_option = click.option(
    "--base-url", metavar="URL", help="OpenAI-compatible server of the model; VERIDICAL_BASE_URL."
)
model_options = together(
    click.option("--model", metavar="MODEL", help="Ask this language model; VERIDICAL_MODEL."),
    base_url_option,
)
judge_options = together(
    click.option(
        "--judge",
        metavar="[reader|nli|model]",
        help="Who judges: the embedded judge (the default), a local NLI model (--model-path), or "
        "a language model (the default with --model).",
    ),
    click.option(
        "--point",
        default="strict",
        show_default=True,
        metavar="[strict|balanced|lenient]",
        help="How much it takes for a claim to be supported.",
    ),
    model_options,
    click.option("--model-path", metavar="DIR", help="Folder of the ONNX model for --judge nli."),
)
calibration_option = click.option(
    "--calibration", metavar="FILE", help="What `ledger calibrate` wrote for your own data."
)


def answering_options(documents: str) -> Callable[[FC], FC]:
    """`--documents`, whose help is `documents`, `--model`, `--base-url` and `--verbose`."""
    return together(
        click.option(
            "--documents",
            multiple=True,
            metavar="DIR",
            help=f"{documents} May be given several times.",
        ),
        click.option(
            "--model", metavar="MODEL", help="Answer in this model's words; VERIDICAL_MODEL."
        ),
        base_url_option,
        verbose_option,
    )
