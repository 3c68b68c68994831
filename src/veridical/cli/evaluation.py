"""The `veridical eval` commands."""

from __future__ import annotations

import click

from veridical.cli.evaluation_compare import compare_command
from veridical.cli.evaluation_review import agreement_command, review_command
from veridical.cli.evaluation_run import run_command


@click.group("eval")
def evaluation() -> None:
    """Measure answers over questions with known outcomes, and compare the measurements."""


for _command in (run_command, compare_command, review_command, agreement_command):
    evaluation.add_command(_command)
