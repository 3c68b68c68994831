"""What goes to the terminal, and what must not: control characters of a hostile source."""

from __future__ import annotations

import codecs
import logging
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, TextIO

from veridical.errors import OutputError

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

_PLAIN = {
    **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2018\u2019", "'"),
    **dict.fromkeys("\u2013\u2014", "-"),
    "\u2026": "...",
    "\u2713": "+",
    "\u2715": "x",
    "\u2717": "x",
    "\u25cb": "o",
    "\u00b7": "-",
}
"""What stands for a sign where a terminal does not have it."""

_BIDI = frozenset("\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


def clean(text: str) -> str:
    """Text that is safe to print on one line: control and direction characters are made visible."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(character) for character in " ".join(text.split()))


def _visible(character: str) -> str:
    if character in _BIDI or unicodedata.category(character) in ("Cc", "Cs"):
        return "\ufffd"
    return character


def excerpt(text: str, length: int) -> str:
    """Clean text, cut to a length."""
    line = clean(text)
    return line if len(line) <= length else line[: length - 1].rstrip() + "\u2026"


def colored() -> bool:
    """Whether standard output is a terminal whose user has not asked for plain text."""
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return not plain and sys.stdout is not None and sys.stdout.isatty()


def _plainly(problem: UnicodeError) -> tuple[str, int]:
    """What is written for characters that an encoding lacks: a plain sign, or a question mark."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lacking = problem.object[problem.start : problem.end]
    return "".join(_PLAIN.get(character, "?") for character in lacking), problem.end


codecs.register_error("veridical-plain", _plainly)


def out(text: str) -> None:
    """Print lines to standard output in whatever encoding it has.

    Raises OutputError where that fails, and BrokenPipeError where nobody reads any more.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    out_data((text + "\n").encode(encoding, "veridical-plain"))


def out_data(data: bytes) -> None:
    """Write a report for programs to standard output as it is, whatever encoding that has.

    Raises as `out` does.
    """
    with _standard_output() as stream:
        stream.flush()
        rest = memoryview(data)
        while rest:
            # Unbuffered (python -u), one call may write a part only.
            rest = rest[stream.buffer.write(rest) :]
        stream.buffer.flush()


def err(text: str) -> None:
    """Print lines to standard error, if there is one."""
    if sys.stderr is not None:
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        sys.stderr.write(text.encode(encoding, "veridical-plain").decode(encoding) + "\n")
        sys.stderr.flush()


def warn(*messages: str) -> None:
    """Print warnings to standard error, a line each."""
    for message in messages:
        err(f"veridical: warning: {clean(message)}")


def is_watched() -> bool:
    """Whether standard error is a terminal, where somebody sees how far a run is."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def live_bar(
    columns: Callable[[ModuleType], Sequence[str | ProgressColumn]],
    total: int | None = None,
    **fields: Any,
) -> Iterator[Callable[..., None] | None]:
    """A progress bar on standard error while that `is_watched`; elsewhere nothing.

    `columns` makes its columns from the module `rich.progress`. What is yielded takes the keywords
    of `Progress.update`.
    """
    if not is_watched():
        yield None
        return
    from rich import progress
    from rich.console import Console

    bar = progress.Progress(*columns(progress), console=Console(stderr=True), transient=True)
    with bar:
        yield partial(bar.update, bar.add_task("", total=total, **fields))


@contextmanager
def live_log(name: str) -> Iterator[None]:
    """Show the newest message of a logger, while standard error `is_watched`."""
    with live_bar(
        lambda rich: (
            rich.SpinnerColumn(),
            rich.TextColumn("{task.description}", markup=False),
            rich.TimeElapsedColumn(),
        )
    ) as update:
        if update is None:
            yield
            return
        logger = logging.getLogger(name)
        handler, level = _Shown(update), logger.level
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        try:
            yield
        finally:
            logger.setLevel(level)
            logger.removeHandler(handler)


class _Shown(logging.Handler):
    def __init__(self, update: Callable[..., None]) -> None:
        super().__init__(logging.INFO)
        self._update = update

    def emit(self, record: logging.LogRecord) -> None:
        self._update(description=clean(record.getMessage()))


def can_encode(text: str, stream: TextIO | None) -> bool:
    """Whether a stream has all the characters of a text."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    if sys.stdout is None:
        raise OutputError("cannot write to standard output: it is closed")
    try:
        yield sys.stdout
    except OSError as problem:
        _abandon(sys.stdout)
        if isinstance(problem, BrokenPipeError):
            raise
        raise OutputError(
            f"cannot write to standard output: {problem.strerror or problem}"
        ) from problem


def _abandon(stream: TextIO) -> None:
    """Send what a stream still holds nowhere, so that Python does not fail on it once more."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
