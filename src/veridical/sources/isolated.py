"""Reading files in a process of their own, so that a hostile file can only end that process.

The worker gets the bytes on its standard input and answers with one JSON object. It has a limit on
time, memory and output, sees nothing of the environment that it does not need, and is killed with
everything it started as soon as it has answered or its time is up.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

from veridical.errors import DocumentParsingError, ProcessingError
from veridical.sources import worker
from veridical.sources.document import (
    DEFAULT_LIMITS,
    MEBIBYTE,
    PAGE_LIMITS,
    Document,
    Format,
    SourceLimits,
    UnreadPages,
)
from veridical.sources.sniff import KINDS
from veridical.sources.worker import WIRE, entry_of

if TYPE_CHECKING:
    from veridical.sources.pdf_boxes import PageLayout

_BOOTSTRAP = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from veridical.sources.worker import main; main()"
)
_KEPT_ENVIRONMENT = (
    "PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH LANG LC_ALL SYSTEMROOT TEMP TMP TMPDIR".split()
)


class WorkerProcess:
    """One worker process. `stop` must be called, whatever happens."""

    def __init__(self, max_seconds: float) -> None:
        if not sys.executable:
            raise ProcessingError(
                "No Python interpreter is known to start the document reader with. Run Veridical "
                "from a normal Python installation, or convert PDF and DOCX files to plain text."
            )
        self.timed_out = False
        self.exit_code: int | None = None
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _BOOTSTRAP, json.dumps(_import_path())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={key: os.environ[key] for key in _KEPT_ENVIRONMENT if key in os.environ},
                start_new_session=True,
            )
        except OSError as error:
            raise ProcessingError(
                f"The document reader could not be started ({error.strerror or error}). Free some "
                "memory or processes and try again."
            ) from error
        self._input = cast("IO[bytes]", self._process.stdin)
        self._output = cast("IO[bytes]", self._process.stdout)
        self._timer = threading.Timer(max_seconds, self._time_out)
        self._timer.daemon = True
        self._timer.start()

    def ask(self, *parts: bytes, max_reply_bytes: int) -> bytes | None:
        """Send `parts`, return the whole reply; None where it is larger than allowed.

        The worker reads all of its input before it answers, so writing first cannot block for
        good; where it does not, the timer ends it.
        """
        with suppress(OSError):
            # A worker that died early closes the pipe. Its exit code tells more than this would.
            for part in parts:
                self._input.write(part)
            self._input.close()
        reply = self._output.read(max_reply_bytes + 1)
        return None if len(reply) > max_reply_bytes else reply

    def stop(self) -> None:
        """End the process and all that it started, and collect its exit code.

        One that ended by itself keeps its own exit code: killing does not change it any more.
        """
        self._timer.cancel()
        self._timer.join()
        self._kill()
        self.exit_code = self._process.wait()
        for pipe in (self._input, self._output):
            with suppress(OSError):
                pipe.close()

    def _time_out(self) -> None:
        self.timed_out = True
        self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()


def _import_path() -> list[str]:
    """Where the worker finds its modules: this process's own path, less the working directory.

    The working directory may be the folder of the untrusted documents.
    """
    package_root = str(Path(__file__).absolute().parents[2])
    inherited = [entry for entry in sys.path if Path(entry).is_absolute()]
    return inherited if package_root in inherited else [package_root, *inherited]


logger = logging.getLogger(__name__)

LABELS = {one: kind.label for one, kind in KINDS.items() if kind.entry}
"""The formats that can be read here, as messages call them."""

_RECOGNISE = "veridical.sources.scans:recognise_pages"
_PAGES_AT_ONCE = 4
_REPLY_OVERHEAD_BYTES = 64 * MEBIBYTE
_NONSENSE = "the parser gave an answer that makes no sense"

T = TypeVar("T")


def parse_isolated(
    format: Format, data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS
) -> Document:
    """Read a file of one of `LABELS` in a worker process and return its text, with what is known
    of it. Who is in a worker already reads it there.

    `name` is how the user knows the file; it opens every message. The document has no masks: its
    text is the extracted text, and every offset refers to that.

    Raises DocumentParsingError where the file is broken, encrypted, has no text, exceeds one of
    `limits` but that of its size, or crashes the parser; ProcessingError where no worker can be
    started.
    """
    if format not in LABELS:
        raise ValueError(f"{format} is not read in a worker process")
    entry = f"veridical.sources.{KINDS[format].entry}"
    if worker.is_serving:
        return _read_here(entry_of(entry), data, name, limits)

    def understand(reply: Mapping[str, Any]) -> Document:
        return _document(format, data, name, reply, limits)

    return call_isolated(
        *(entry, data, name, understand), format=format.value, label=LABELS[format], limits=limits
    )


def _read_here(
    entry: Callable[..., Document], data: bytes, name: str, limits: SourceLimits
) -> Document:
    """What is read inside a worker is not recognised: that takes workers of its own."""
    try:
        return entry(data, name, limits=limits)
    except UnreadPages as found:
        told = f"{name}: an image inside another file is not read. Give it by itself."
        pages = {str(page): {"unrecognised": told} for page in found.args}
        return entry(data, name, limits=limits, recognised=pages)


def page_layout_isolated(data: bytes, name: str, page: int, *, scan: bool = False) -> PageLayout:
    """Where each character of one page of a PDF stands, found in a worker process; from page 1. Of
    a `scan` by text recognition.

    Raises DocumentParsingError where the file or the page cannot be read within `PAGE_LIMITS`,
    ProcessingError where no worker can be started.
    """
    from veridical.sources.pdf_boxes import PageLayout, TracedPage

    limits = PAGE_LIMITS.for_ocr(1) if scan else PAGE_LIMITS

    def understand(reply: Mapping[str, Any]) -> PageLayout:
        return PageLayout(page, WIRE.read(TracedPage, reply))

    return call_isolated(
        *("veridical.sources.pdf:trace_pdf_page", data, name, understand),
        format=Format.PDF.value,
        label=LABELS[Format.PDF],
        limits=limits,
        page=page,
        scan=scan,
    )


@dataclass(frozen=True, slots=True)
class _Job:
    """What a worker is to call, and how errors (`format`) and messages (`label`, `name`) call what
    it reads.
    """

    entry: str
    format: str | None
    label: str
    name: str
    limits: SourceLimits


def call_isolated(
    entry: str,
    data: bytes,
    name: str,
    understand: Callable[[Mapping[str, Any]], T],
    *,
    format: str | None = None,
    label: str = "file",
    limits: SourceLimits = DEFAULT_LIMITS,
    **options: Any,
) -> T:
    """What `understand` makes of the JSON object that a function of ours gives for a file.

    `entry` is the function, "package.module:name". It is called in a worker process with the data,
    the name, `limits` and `options`; pages without text are recognised for it. `understand` gets
    what a parser may have written that was taken over: it raises a LookupError, TypeError or
    ValueError for what makes no sense. `format` and `label` are how errors and messages call the
    kind of file.

    Raises DocumentParsingError where the function does, or the process ends or takes too long;
    ProcessingError where no worker can be started.
    """
    job = _Job(entry, format, label, name, limits)
    reply = _run_worker(job, data, options)
    try:
        if "scanned" in reply:
            pages = [page for page in reply["scanned"] if 1 <= page <= job.limits.max_pages]
            reply = _run_worker(job, data, {"recognised": _recognised(job, data, pages)})
        return understand(reply)
    except (LookupError, TypeError, ValueError) as error:
        logger.error("worker reply not understood: %s", type(error).__name__)
        raise _crash(job, _NONSENSE) from error


TOGETHER_BYTES = 1024 * MEBIBYTE
"""Memory that all workers of a process may have at a time. One whose own limit is higher (a PDF of
ours that is written, or a limit that was raised) is bounded by that alone.
"""

_SHARE_BYTES = 256 * MEBIBYTE
"""Memory that is enough for nearly all files. One that needs more is read again, by itself."""


class _Memory:
    """Hands out memory in the order in which it is asked for."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._changed = threading.Condition()
        self._held = 0

    @contextmanager
    def held(self, size: int) -> Iterator[None]:
        size = size if size <= TOGETHER_BYTES else 0
        with self._turn, self._changed:
            self._changed.wait_for(lambda: self._held + size <= TOGETHER_BYTES)
            self._held += size
        try:
            yield
        finally:
            with self._changed:
                self._held -= size
                self._changed.notify_all()


_memory = _Memory()


def _recognised(job: _Job, data: bytes, pages: Sequence[int]) -> dict[str, Any]:
    """What was recognised on pages, or why one was not, in workers for some pages each: one that
    hangs or breaks costs no more than these.
    """
    most = job.limits.max_ocr_pages
    found: dict[str, Any] = {}
    for start in range(0, len(pages[:most]), _PAGES_AT_ONCE):
        batch = pages[:most][start : start + _PAGES_AT_ONCE]
        total = min(len(pages), most)
        logger.info("%s: reading page %d of %d by OCR", job.name, start + 1, total)
        reader = replace(job, entry=_RECOGNISE, limits=job.limits.for_ocr(len(batch)))
        try:
            found.update(_run_worker(reader, data, {"pages": batch}))
        except DocumentParsingError as error:
            found |= {str(page): {"unrecognised": str(error)} for page in batch}
    if pages[most:]:
        told = f"Pages without text from page {pages[most]:,} on were not read: text recognition "
        told += f"stops after {most:,}."
        found |= {str(page): {"unrecognised": told} for page in pages[most:]}
    return found


def _run_worker(job: _Job, data: bytes, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The reply of a worker; `options` go to the entry beside the file and its limits."""
    if _SHARE_BYTES < job.limits.max_worker_memory_bytes <= TOGETHER_BYTES:
        small = replace(job.limits, max_worker_memory_bytes=_SHARE_BYTES)
        with suppress(_Crashed, ProcessingError):
            return _ask_worker(replace(job, limits=small), data, options)
    return _ask_worker(job, data, options)


def _ask_worker(job: _Job, data: bytes, options: Mapping[str, Any]) -> Mapping[str, Any]:
    name, label, limits = job.name, job.label, job.limits
    header = {"entry": job.entry, "options": options, "name": name, "limits": asdict(limits)}
    with _memory.held(limits.max_worker_memory_bytes):
        process = WorkerProcess(limits.max_parse_seconds)
        try:
            raw = process.ask(
                json.dumps(header).encode("ascii") + b"\n",
                data,
                max_reply_bytes=4 * limits.max_text_chars + _REPLY_OVERHEAD_BYTES,
            )
        finally:
            process.stop()
    if process.timed_out:
        raise DocumentParsingError(
            f"{name}: reading this {label} took longer than "
            f"{limits.max_parse_seconds:g} seconds and was stopped. Split the file, convert it to "
            "plain text, or raise the limit.",
            job.format,
        )
    if raw is None:
        raise _crash(job, "the parser gave more output than the limits allow")
    try:
        reply = json.loads(raw)
    except ValueError:
        raise _end_of(job, process.exit_code) from None
    if not isinstance(reply, dict):
        raise _crash(job, _NONSENSE)
    if "error" in reply:
        raise DocumentParsingError(str(reply["error"]), job.format)
    if "unavailable" in reply:
        raise ProcessingError(
            f"{name}: the reader for a {label} cannot be loaded ({reply['unavailable']}). "
            "Install Veridical again, or raise the memory limit of the document reader if it is "
            "very low."
        )
    if "unusable" in reply:
        raise ProcessingError(f"{name}: this {label} could not be read. {reply['unusable']}")
    if "failure" in reply:
        if reply.get("lacks_memory"):
            raise _crash(job, str(reply["failure"]), kind=_Crashed)
        logger.error("worker failed: %s", reply.get("detail"))
        raise _crash(job, str(reply["failure"]))
    return reply


class _Crashed(DocumentParsingError):
    """The worker ended without an answer, or for want of memory: with more it may give one."""


def _crash(
    job: _Job, reason: str, *, kind: type[DocumentParsingError] = DocumentParsingError
) -> DocumentParsingError:
    damaged = "The file is probably damaged. Open"
    advice = "The file is large or damaged. Split it, open" if kind is _Crashed else damaged
    return kind(
        f"{job.name}: this {job.label} could not be read: {reason}. {advice} it in a viewer and "
        "save it again, or convert it to plain text.",
        job.format,
    )


def _end_of(job: _Job, exit_code: int | None) -> DocumentParsingError:
    """Why a worker ended without an answer."""
    limits = job.limits
    if exit_code is not None and exit_code < 0:
        try:
            cause = signal.Signals(-exit_code).name
        except ValueError:
            cause = f"signal {-exit_code}"
    else:
        cause = f"exit code {exit_code}"
    if cause == "SIGXCPU":
        told = f"the parser used more than {limits.max_parse_seconds:g} seconds of processor time"
        return _crash(job, told)
    told = f"needed more than {limits.max_worker_memory_bytes // MEBIBYTE:,} MB of memory"
    return _crash(job, f"the parser crashed or {told} ({cause})", kind=_Crashed)


def _document(
    format: Format, data: bytes, name: str, reply: Mapping[str, Any], limits: SourceLimits
) -> Document:
    document = WIRE.read(Document, reply, name=name, format=format, size_bytes=len(data))
    length = len(document.text)
    ends = [page.span.end for page in document.pages]
    ends += [word.end for scan in document.scans for word in scan.unsure]
    ends += [end for section in document.sections for end in (section.heading.end, section.end)]
    starts = [place.start for place in document.places]
    in_order = starts == sorted(starts) and all(0 <= end <= length for end in (*ends, *starts))
    if length > limits.max_text_chars or not in_order:
        raise ValueError("more text than allowed, or less than is spoken of")
    return document
