"""The `veridical check` command."""

from __future__ import annotations

import os
from pathlib import Path

import click

from veridical.cli.errors import reported
from veridical.cli.options import (
    calibration_option,
    documents_option,
    judge_options,
    verbose_option,
)
from veridical.cli.terminal import clean


class _FilesLast(click.Command):
    """A command that takes no option from a file of that name: `pre-commit` and the like put the
    names of files, which come from whoever proposes a change, behind the options.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse an argument that is an option and a file here, unless `--` stands before it."""
        own = args[: args.index("--")] if "--" in args else args
        for name in own:
            if name.startswith("-") and name != "-" and os.path.lexists(name):
                raise click.UsageError(
                    f"{clean(name)} is the name of a file here, and reads as an option. Put -- "
                    "before the names of the files, or ./ before this one.",
                    ctx,
                )
        return super().parse_args(ctx, args)


@click.command(cls=_FilesLast)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@documents_option
@click.option(
    "--skip-sources",
    is_flag=True,
    help="Do not check files that lie among the sources, such as a changed source in a pull "
    "request.",
)
@click.option(
    "--fail-on",
    metavar="KINDS",
    help="What makes the exit code 1: contradicted, not-found, partial, unchecked, with commas "
    "between them, or none. All of them by default.",
)
@judge_options
@calibration_option
@click.option(
    "-o",
    "--output",
    multiple=True,
    metavar="FILE",
    help="Write the problems to this file: .sarif, .json, .xml (JUnit) or .txt. May be given "
    "several times.",
)
@click.option(
    "--format",
    "form",
    default="text",
    show_default=True,
    metavar="[text|json|sarif|junit|github]",
    help="What is printed; github are annotations for a log of GitHub Actions.",
)
@verbose_option
def check(
    files: tuple[str, ...],
    documents: tuple[str, ...],
    skip_sources: bool,
    fail_on: str | None,
    judge: str | None,
    point: str,
    model: str | None,
    base_url: str | None,
    model_path: str | None,
    calibration: str | None,
    output: tuple[str, ...],
    form: str,
    verbose: bool,
) -> None:
    """Check answers against their sources, and print each problem with its line and column.

    FILE is a Markdown or text file, a folder of such files, or a pattern such as "answers/**/*.md".
    The sources are read once for all of them; a file that is checked is no source.

    Exit code 0: nothing that --fail-on names. 1: something. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import check_run
        from veridical.cli.ledger_judges import JudgeChoice

        code = check_run.run(
            files,
            documents,
            skip_sources=skip_sources,
            fail_on=fail_on,
            choice=JudgeChoice(judge, point, model, base_url, model_path, calibration),
            outputs=[Path(name) for name in output],
            form=form,
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)
