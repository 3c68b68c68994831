"""Ask the 25 questions of the server that is running, and score its answers.

python -m eval.run_eval [--overwrite], from the root of the repository, while this runs beside it:
uvicorn app.main:app
Source: the answering specification, "Run evaluation".
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from veridical.cli.evaluation import run_command


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--overwrite", is_flag=True, help="Write over the results of an earlier run.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="The server.")
@click.option(
    "--questions",
    default="eval/questions.jsonl",
    show_default=True,
    metavar="FILE",
    help="The questions and their known outcomes.",
)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    default=("eval/results.jsonl",),
    show_default=True,
    type=Path,
    metavar="FILE",
    help="Write the results (.jsonl), a report (.html) or JUnit (.xml). May be given several "
    "times.",
)
@click.pass_context
def main(context: click.Context, **given: Any) -> None:
    """Ask the questions of a running server, and score its answers.

    The server must be running: uvicorn app.main:app. As `veridical eval run`, which has more
    options.

    Exit code 0: the run was made, and no question failed with an error. 1: one did. 2: the run
    could not be made, as where no server is running.
    """
    context.invoke(run_command, **given)


if __name__ == "__main__":
    main(prog_name="python -m eval.run_eval")
