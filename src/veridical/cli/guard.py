"""`veridical guard`: an answer as it comes, less what the sources do not bear out."""

from __future__ import annotations

import codecs
import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli.choices import parse_choice
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.options import (
    calibrated_judge_choice,
    documents_option,
    usual_option,
    verbose_option,
)
from veridical.cli.terminal import clean, err, is_watched, out_data, warn
from veridical.errors import UngroundedError, ValidationError

if TYPE_CHECKING:
    from veridical.cli.ledger_judges import JudgeChoice
    from veridical.guarding.guard import GuardStream
    from veridical.guarding.report import GuardReport
    from veridical.sources.document import Document

_READ_BYTES = 64 * 1024
_NO_DOCUMENT = "\0"
"""A text that no document has: which of them is the answer itself is known at the end only."""

_UNSAFE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)"
)


@click.command()
@documents_option
@usual_option(
    "--on-fail",
    "mark",
    "[mark|drop|annotate|fail]",
    "What becomes of a sentence that is not supported.",
)
@click.option("--query", default="", metavar="TEXT", help="The question that it answers.")
@calibrated_judge_choice
@verbose_option
@with_exit_code
def guard(
    documents: tuple[str, ...],
    on_fail: str,
    query: str,
    choice: JudgeChoice,
) -> int:
    """Let an answer through, less what the documents do not bear out.

    Reads an answer (Markdown or plain text) on standard input and prints it, each sentence as soon
    as it is known where it ends, with unsupported sentences marked, left out, or followed by the
    verdict and the nearest words of a source. With --on-fail fail it ends before the first of them.

    Exit code 0: all claims are supported and all was checked, or the answer claims nothing, which
    is told. 1: otherwise. 2: the run could not be made.
    """
    from veridical.cli.files import STANDARD_INPUT, check_inputs, require_regular_files
    from veridical.cli.ledger_judges import make_judge
    from veridical.cli.ledger_sources import evidence_only
    from veridical.cli.run import load
    from veridical.guarding.guard import Guard
    from veridical.guarding.report import OnFail
    from veridical.validation.config import ValidationConfig

    wanted = parse_choice(OnFail, on_fail, option="--on-fail")
    check_inputs(documents, STANDARD_INPUT)
    require_regular_files(map(Path, documents))
    judge = make_judge(choice)
    _tell("Reading and indexing the documents; the answer is read after that.")
    loaded = evidence_only(load(documents, ValidationConfig()), _NO_DOCUMENT)
    guarded = Guard(loaded.documents, on_fail=wanted, judge=judge)
    guarded.prepare()
    _tell("Ready.")
    warn(*(failure.message for failure in loaded.failures))
    stream = guarded.stream(query=query)
    stopped = _pass_through(stream)
    if stopped is not None:
        err(f"veridical: stopped: {clean(str(stopped))}")
        return NEGATIVE_RESULT
    report = stream.report
    is_source = _told_as_source(report, loaded.documents)
    _warn(report)
    good = report.passed and not loaded.failures and not is_source
    return 0 if good else NEGATIVE_RESULT


class _Screen:
    """Writes text to standard output at once, without what a terminal would obey."""

    def __init__(self) -> None:
        self._held = ""

    def write(self, text: str, *, last: bool = False) -> None:
        from veridical.cli.files import encode

        text = self._held + text
        self._held = "\r" if text.endswith("\r") and not last else ""
        text = text.removesuffix("\r") if self._held else text
        if text:
            out_data(encode(_UNSAFE.sub("\ufffd", text)))


def _pass_through(stream: GuardStream) -> UngroundedError | None:
    """Print of standard input what the stream lets through; what stopped it, if anything did."""
    screen = _Screen()
    for piece in _pieces(stream):
        screen.write(stream.feed(piece))
        if stream.failure is not None:
            return stream.failure
    try:
        rest = stream.finish()
    except UngroundedError as stopped:
        return stopped
    screen.write(rest, last=True)
    return stream.failure


def _pieces(stream: GuardStream) -> Iterator[str]:
    """The text on standard input; one in a file is there already, and a long one refused now."""
    try:
        is_file = stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode)
    except (OSError, ValueError, AttributeError):
        is_file = False
    if not is_file:
        return _standard_input()

    from veridical.ledger.entry import MAX_ANSWER_CHARS

    pieces: list[str] = []
    for piece in _standard_input():
        pieces.append(piece)
        if sum(map(len, pieces)) > MAX_ANSWER_CHARS:
            break
    stream.expect("".join(pieces))
    return iter(pieces)


def _standard_input() -> Iterator[str]:
    """The text on standard input as it comes. Raises ValidationError where it is not UTF-8."""
    source = getattr(sys.stdin, "buffer", None)
    if source is None:
        raise ValidationError("cannot read standard input: it is closed")
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    done = False
    any_text = False
    at = 0
    while not done:
        try:
            data = source.read1(_READ_BYTES)
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or "it is closed"
            raise ValidationError(f"cannot read standard input: {reason}") from problem
        done = not data
        held = len(decoder.getstate()[0])
        try:
            text = decoder.decode(data, final=done)
        except UnicodeDecodeError as problem:
            raise ValidationError(
                f"standard input is not UTF-8: byte 0x{problem.object[problem.start]:02x} at "
                f"offset {at - held + problem.start}. Send it as UTF-8."
            ) from problem
        at += len(data)
        any_text = any_text or bool(text.strip())
        if text:
            yield text
    if not any_text:
        raise ValidationError("standard input is empty; there is no answer to check")


def _told_as_source(report: GuardReport, documents: Sequence[Document]) -> bool:
    """Whether a document is the answer itself, which bears itself out; that is told."""
    answer = report.answer.strip()
    same = [document.name for document in documents if document.text.strip() == answer]
    warn(
        *(
            f"{name} is the answer itself, which proves nothing: take it out of the documents"
            for name in same
        )
    )
    return bool(same)


def _warn(report: GuardReport) -> None:
    warn(*report.warnings)
    for entry in report.late:
        said = entry.verdict.value.replace("_", " ")
        warn(f"only the whole answer shows that this is {said}: \u201c{entry.claim.text}\u201d")


def _tell(message: str) -> None:
    """Say what is going on, where somebody sees it."""
    if is_watched():
        err(message)
