"""Draw answers of the last evaluation for people to judge, by eval/manual_adjudication.md.

python -m eval.export_manual_review --sample-size 10 --seed 42, from the root of the repository.
The same as `veridical eval review`. Source: the answering specification, "Manual audit add-on".
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from veridical.cli.evaluation import review_command, sample_options


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@sample_options
@click.option(
    "--results",
    default="eval/results.jsonl",
    show_default=True,
    metavar="FILE",
    help="What eval.run_eval wrote.",
)
@click.option(
    "-o",
    "--output",
    default="eval/manual_review_sample.csv",
    show_default=True,
    type=Path,
    metavar="CSV",
    help="The file to write.",
)
@click.pass_context
def main(context: click.Context, **given: Any) -> None:
    """Draw answers of an evaluation for a person to judge, as CSV for a spreadsheet.

    Exit code 0: written. 2: it could not be.
    """
    context.invoke(review_command, **given)


if __name__ == "__main__":
    main(prog_name="python -m eval.export_manual_review")
