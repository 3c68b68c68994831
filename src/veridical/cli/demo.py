"""`veridical demo`: what Veridical does, on samples that come with it."""

from __future__ import annotations

import shlex
from contextlib import chdir
from importlib.resources import as_file, files
from pathlib import Path

import click

from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.terminal import out
from veridical.errors import ProcessingError

_DOCUMENTS = ("pto", "remote-work", "security", "termination")
_ALL = [part for name in _DOCUMENTS for part in ("--documents", f"{name}-policy.md")]
_QUOTE = "Days carried over must be taken by 31 {month}"
_QUERY = "How many unused days can I take over into next year?"

_STEPS = (
    (
        "A quote that stands in its source.",
        ("quote", _QUOTE.format(month="March"), "pto-policy.md"),
        0,
    ),
    (
        "The same quote with another month: nobody wrote that.",
        ("quote", _QUOTE.format(month="May"), "pto-policy.md"),
        NEGATIVE_RESULT,
    ),
    (
        "A question, answered in the words of the documents.",
        ("ask", _QUERY, *_ALL),
        0,
    ),
    (
        "A model's answer, claim by claim.",
        ("ledger", "build", "--response", "answer.md", *_ALL),
        NEGATIVE_RESULT,
    ),
)
"""What is said of a command, its arguments with the names of samples, and its exit code."""


@click.command()
@click.option(
    "-o",
    "--output",
    "folder",
    type=Path,
    metavar="DIR",
    help="Also write the last step as a page, DIR/report.html; the folder is made.",
)
@with_exit_code
def demo(folder: Path | None) -> None:
    """Show what Veridical does, on samples that come with it: a few seconds, no network.

    Exit code 0: each step came out as it should. 2: one did not.
    """
    from veridical.cli.main import app

    with as_file(files("veridical") / "service" / "demo_data") as samples:
        report = None if folder is None else (folder / "report.html").absolute()
        with chdir(samples):
            for told, arguments, code in _STEPS:
                page = ["--output", str(report)] if report and arguments[0] == "ledger" else []
                out(f"\n{told}\n\n$ veridical {shlex.join(arguments)}")
                ended = app([*arguments, *page], prog_name="veridical", standalone_mode=False)
                if ended != code:
                    raise ProcessingError(f"this step ended with exit code {ended}, not {code}")
    out("\nNow your own: veridical check ANSWER.md SOURCES")
