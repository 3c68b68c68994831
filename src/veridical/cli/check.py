"""The `veridical check` command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from veridical.cli.errors import with_exit_code
from veridical.cli.options import (
    calibrated_judge_choice,
    format_option,
    optional_documents_option,
    outputs_option,
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
@click.argument("files", metavar="ANSWER SOURCE...", nargs=-1, required=True)
@optional_documents_option
@click.option(
    "--skip-sources",
    is_flag=True,
    help="Do not check files that lie among the sources, such as a changed source in a pull "
    "request.",
)
@click.option(
    "--fail-on",
    metavar="KINDS",
    help="What makes the exit code 1: contradicted, misquoted, not-found, partial, unchecked, with "
    "commas between them, or none. All of them by default.",
)
@click.option("--fix", is_flag=True, help="Write corrected answers beside them: NAME.fixed.md.")
@click.option("--marked", is_flag=True, help="The same, each change shown as CriticMarkup.")
@click.option(
    *("--fixed", "fixed_to"),
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The same, of one answer, into this file; it may be the answer.",
)
@calibrated_judge_choice
@outputs_option(
    "Write the problems to this file: .sarif, .json, .xml (JUnit) or .txt. May be given several "
    "times."
)
@format_option(
    *("report", "text", "json", "sarif", "junit", "github"),
    help="What is printed: a report for people, each problem in a line (text, the default with "
    "--documents), or what programs read; github are annotations for a log of GitHub Actions.",
    default=False,
)
@verbose_option
@with_exit_code
def check(**given: Any) -> int:
    """Check an answer against its sources: each claim, and each quote in it.

    ANSWER is a Markdown or text file, or - for standard input. SOURCE is a document, or a folder of
    documents: all kinds that `veridical quote` reads.

    With --documents the sources stand there, and all arguments are answers: files, folders of
    Markdown and text files, or patterns such as "answers/**/*.md". Each problem is printed with its
    line and column. A file that is checked is no source.

    Exit code 0: nothing that --fail-on names. 1: something. 2: the run could not be made.
    """
    from veridical.cli import check_run

    return check_run.run(**given)
