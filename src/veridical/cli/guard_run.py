"""What `veridical guard` does: standard input, sentence by sentence, to standard output."""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli import setup
from veridical.cli.choices import parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.files import (
    STANDARD_INPUT,
    check_outputs,
    encode,
    require_regular_files,
    write_whole,
)
from veridical.cli.ledger_build import BY_SUFFIX, export_bytes
from veridical.cli.ledger_judges import JudgeChoice, make_judge
from veridical.cli.ledger_sources import evidence_only, warn_of_outputs_among
from veridical.cli.run import load
from veridical.cli.terminal import clean, err, out_data
from veridical.errors import UngroundedError, ValidationError
from veridical.guarding.settings import OnFail
from veridical.validation.config import ValidationConfig

if TYPE_CHECKING:
    from veridical.guarding.guard import Guard, GuardStream
    from veridical.guarding.report import GuardReport
    from veridical.ledger.export.forms import ExportForm
    from veridical.sources.document import Document

_READ_BYTES = 64 * 1024
_NO_DOCUMENT = "\0"
"""A text that no document has: which of them is the answer itself is known at the end only."""

_UNSAFE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)"
)


class _Form(StrEnum):
    TEXT = "text"
    JSON = "json"


def run(
    documents: Sequence[str],
    *,
    on_fail: str,
    query: str,
    choice: JudgeChoice,
    form: str,
    reports: Sequence[Path],
    verbose: bool,
) -> int:
    """Guard the answer on standard input, and return the exit code."""
    setup.set_up_logging(verbose=verbose)
    wanted = parse_choice(OnFail, on_fail, option="--on-fail")
    printed = parse_choice(_Form, form, option="--format")
    forms = [suffix_choice(BY_SUFFIX, path) for path in reports]
    setup.check_inputs(documents, STANDARD_INPUT)
    require_regular_files(map(Path, documents))
    check_outputs(reports, [*documents, *choice.files])
    judge = make_judge(choice)
    _tell("Reading and indexing the documents; the answer is read after that.")
    loaded = evidence_only(load(documents, ValidationConfig()), _NO_DOCUMENT)
    warn_of_outputs_among(reports, documents)

    from veridical.guarding.guard import Guard

    guard = Guard(loaded.documents, on_fail=wanted, judge=judge)
    guard.prepare()
    _tell("Ready.")
    for failure in loaded.failures:
        err(f"veridical: warning: {clean(failure.message)}")
    stream = guard.stream(query=query)
    stopped = _pass_through(stream, _Screen() if printed is _Form.TEXT else None)
    if stopped is not None:
        err(f"veridical: stopped: {clean(str(stopped))}")
        return NEGATIVE_RESULT
    report = stream.report
    if printed is _Form.JSON:
        data = json.dumps(report.to_dict(guard.names), indent=2, ensure_ascii=False)
        out_data(encode(f"{data}\n"))
    is_source = _told_as_source(report, loaded.documents)
    _write(guard, report, query, list(zip(reports, forms, strict=True)))
    _warn(report)
    good = report.passed and not loaded.failures and not is_source
    return 0 if good else NEGATIVE_RESULT


class _Screen:
    """Writes text to standard output at once, without what a terminal would obey."""

    def __init__(self) -> None:
        self._held = ""

    def write(self, text: str, *, last: bool = False) -> None:
        text = self._held + text
        self._held = "\r" if text.endswith("\r") and not last else ""
        text = text.removesuffix("\r") if self._held else text
        if text:
            out_data(encode(_UNSAFE.sub("\ufffd", text)))


def _pass_through(stream: GuardStream, screen: _Screen | None) -> UngroundedError | None:
    """Feed standard input to the stream; what stopped it, if anything did."""
    write: Callable[[str], None] = screen.write if screen else lambda _text: None
    for piece in _standard_input():
        write(stream.feed(piece))
        if stream.failure is not None:
            return stream.failure
    try:
        rest = stream.finish()
    except UngroundedError as stopped:
        return stopped
    write(rest)
    if screen is not None:
        screen.write("", last=True)
    return stream.failure


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
    for name in same:
        err(
            f"veridical: warning: {clean(name)} is the answer itself, which proves nothing: take "
            "it out of the documents"
        )
    return bool(same)


def _write(
    guard: Guard, report: GuardReport, query: str, outputs: Sequence[tuple[Path, ExportForm]]
) -> None:
    if not outputs:
        return
    ledger = guard.ledger(report, query=query)
    made = [(path, export_bytes(ledger, form)) for path, form in outputs]
    for path, data in made:
        write_whole(path, data)
        err(f"Written: {path}")


def _warn(report: GuardReport) -> None:
    for warning in report.warnings:
        err(f"veridical: warning: {clean(warning)}")
    for entry in report.late:
        said = entry.verdict.value.replace("_", " ")
        err(
            f"veridical: warning: only the whole answer shows that this is {said}: "
            f"\u201c{clean(entry.claim.text)}\u201d"
        )


def _tell(message: str) -> None:
    """Say what is going on, where somebody sees it."""
    if sys.stderr is not None and sys.stderr.isatty():
        err(message)
