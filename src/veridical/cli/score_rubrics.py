"""`veridical score rubrics` and `lint`: the shipped rubrics, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import click

from veridical.cli.choices import TEXT_OR_JSON, Form, parse_choice
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.files import json_bytes, read_rubric
from veridical.cli.options import format_option
from veridical.cli.terminal import clean, out, out_data
from veridical.errors import ConfigurationError
from veridical.reports.words import count
from veridical.scoring.rubric import Rubric
from veridical.scoring.rubrics.file import (
    lint_rubric,
    rubric_from_text,
    shipped_names,
    shipped_text,
)
from veridical.scoring.rubrics.tree import RubricProblem


@click.command()
@click.argument("name", metavar="[NAME]", required=False)
@with_exit_code
def rubrics(name: str | None) -> None:
    """List the rubrics that are shipped, or print one, to be changed and used as a file."""
    names = shipped_names()
    if name is None:
        width = max(map(len, names))
        for each in names:
            rubric = rubric_from_text(shipped_text(each), each)
            out(f"{each:{width}}  {rubric.template.name}: {_size(rubric)}")
        return
    if name not in names:
        raise ConfigurationError(f"no rubric {name!r} is shipped; there are {', '.join(names)}")
    out_data(shipped_text(name).encode())


def _size(rubric: Rubric) -> str:
    criteria = sum(len(section.criteria) for section in rubric.sections)
    noun = "criterion" if criteria == 1 else "criteria"
    return f"{count(len(rubric.sections), 'section')}, {criteria:,} {noun}"


@click.command()
@click.argument("rubric", metavar="RUBRIC")
@format_option("text", "json")
@with_exit_code
def lint(rubric: str, form: str) -> int:
    """Check a rubric, and name the line of each mistake.

    RUBRIC is a file, a shipped rubric's name, or - for standard input.

    Exit code 0: it can be used. 1: it has mistakes. 2: it could not be read.
    """
    wanted = parse_choice(TEXT_OR_JSON, form)
    data, name = read_rubric(rubric)
    problems = lint_rubric(data, name)
    failed = any(problem.severity == "error" for problem in problems)
    checked = None if failed else rubric_from_text(data, name)
    if wanted is Form.JSON:
        told = {
            "rubric": name,
            "valid": checked is not None,
            "sha256": None if checked is None else checked.sha256,
            "problems": [asdict(problem) for problem in problems],
        }
        out_data(json_bytes(told))
    else:
        out("\n".join(_lines(name, problems, checked)))
    return NEGATIVE_RESULT if failed else 0


def _lines(name: str, problems: Sequence[RubricProblem], rubric: Rubric | None) -> list[str]:
    """A problem a line, and a line that sums up."""
    lines = [clean(f"{name}:{problem.describe()}") for problem in problems]
    if rubric is not None:
        lines.append(clean(f"{name}: {_size(rubric)}, weights sum to 1"))
    severities = [problem.severity for problem in problems]
    tally = [count(severities.count(s), s) for s in ("error", "warning") if s in severities]
    return [*lines, *([", ".join(tally)] if tally else [])]
