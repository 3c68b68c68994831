from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.sources.builders import Pdf, docx, encrypted_pdf, paragraph, simple_pdf, stream

from veridical.errors import DocumentParsingError, ProcessingError
from veridical.sources import isolated
from veridical.sources.document import Format, SourceLimits
from veridical.sources.docx import read_docx
from veridical.sources.isolated import parse_isolated
from veridical.sources.pdf import read_pdf
from veridical.sources.worker import WIRE, answer

MEBIBYTE = 1024 * 1024
PDF = simple_pdf(
    ["1.1 Scope", "caf\xe9 rules"], [], ["Leave", "twenty days"], outline=[("Leave", 1, 2)]
)
STYLES = '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/></w:style>'
DOCX = docx(paragraph("1. Leave", style="H") + paragraph("\U0001f600 days \u05d0"), styles=STYLES)


@pytest.mark.parametrize(
    ("format", "data", "read"),
    [(Format.PDF, PDF, read_pdf), (Format.DOCX, DOCX, read_docx)],
)
def test_the_worker_gives_what_the_reader_gives(format, data, read):
    document = parse_isolated(format, data, "made")
    expected = read(data, "made")
    assert document.sections
    assert WIRE.write(document) == WIRE.write(expected)
    assert (document.name, document.format, document.size_bytes) == ("made", format, len(data))


@pytest.mark.parametrize(
    ("format", "data", "expected"),
    [
        (Format.PDF, encrypted_pdf(), "needs a password"),
        (Format.DOCX, b"PK nonsense", "no DOCX file"),
    ],
)
def test_the_reader_s_errors_come_back(format, data, expected):
    with pytest.raises(DocumentParsingError, match=r"^bad file ü: ") as raised:
        parse_isolated(format, data, "bad file ü")
    assert expected in str(raised.value)
    assert raised.value.document_format == format.value


def children() -> set[str]:
    """The processes that this one has started, whether they run or wait to be collected."""
    with subprocess.Popen(
        ["ps", "-A", "-o", "pid=,ppid="], stdout=subprocess.PIPE, text=True
    ) as listing:
        rows = [line.split() for line in listing.communicate()[0].splitlines()]
        ours = {pid for pid, parent in rows if parent == str(os.getpid())}
        return ours - {str(listing.pid)}


def test_time_is_bounded_and_no_process_is_left():
    before = children()
    limits = SourceLimits(max_parse_seconds=0.001)
    with pytest.raises(DocumentParsingError, match=r"made\.pdf: .* longer than 0\.001 seconds"):
        parse_isolated(Format.PDF, PDF, "made.pdf", limits=limits)
    assert children() <= before


def inflating_pdf(size: int) -> bytes:
    """A page whose content is small in the file and `size` bytes in memory."""
    packed = zlib.compress(b"q " * (size // 2), 9)
    pdf = Pdf()
    page = pdf.add_page(["words"])
    pdf.objects[page - 1] = stream(packed).replace(b"<<", b"<</Filter/FlateDecode", 1)
    return pdf.build()


def test_a_file_that_takes_too_long_is_not_read_again(monkeypatch):
    pytest.importorskip("resource", reason="this system cannot bound a process's time")
    asked = []

    def ask(self, *_, **__):
        asked.append(self._process.pid)
        os.kill(asked[-1], signal.SIGXCPU)
        self._process.wait()
        return b""

    monkeypatch.setattr(isolated.WorkerProcess, "ask", ask)
    with pytest.raises(DocumentParsingError, match="60 seconds of processor time"):
        parse_isolated(Format.PDF, PDF, "made.pdf")
    assert len(asked) == 1


def test_memory_is_bounded():
    pytest.importorskip("resource", reason="this system cannot bound a process's memory")
    limits = SourceLimits(max_worker_memory_bytes=150 * MEBIBYTE)
    with pytest.raises(DocumentParsingError, match=r"made\.pdf: .*could not be read") as raised:
        parse_isolated(Format.PDF, inflating_pdf(400 * MEBIBYTE), "made.pdf", limits=limits)
    assert "150 MB of memory" in str(raised.value)
    assert "The file is large or damaged. Split it" in str(raised.value)


def test_a_small_file_that_unpacks_without_end_takes_no_more_than_all_may_have_together():
    resource = pytest.importorskip("resource", reason="no process's memory can be bounded")
    data = inflating_pdf(400 * MEBIBYTE)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024  # of any child so far
    assert len(data) < MEBIBYTE
    with pytest.raises(DocumentParsingError, match=r"needed more than 1,024 MB of memory"):
        parse_isolated(Format.PDF, data, "made.pdf")
    if sys.platform == "linux":
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        # A child counts the memory of what it was forked from as its own.
        ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        assert most <= max(before, ours, isolated.TOGETHER_BYTES)


def test_workers_share_what_they_may_have_together(monkeypatch):
    held, most, real = 0, 0, isolated.WorkerProcess.ask

    def ask(self, header, data, **limits):
        nonlocal held, most
        size = json.loads(header)["limits"]["max_worker_memory_bytes"]
        with lock:
            held += size
            most = max(most, held)
        try:
            return real(self, header, data, **limits)
        finally:
            with lock:
                held -= size

    lock = threading.Lock()
    monkeypatch.setattr(isolated.WorkerProcess, "ask", ask)
    whole = SourceLimits(max_worker_memory_bytes=isolated.TOGETHER_BYTES)
    part = SourceLimits(max_worker_memory_bytes=isolated.TOGETHER_BYTES // 8)
    monkeypatch.setattr(isolated, "_SHARE_BYTES", isolated.TOGETHER_BYTES)
    limits = [part, part, whole, part, whole, part]
    with ThreadPoolExecutor(len(limits)) as pool:
        read = list(pool.map(lambda one: parse_isolated(Format.PDF, PDF, "p", limits=one), limits))
    assert len(read) == len(limits)
    assert most <= isolated.TOGETHER_BYTES


@pytest.mark.parametrize(("format", "data"), [(Format.PDF, PDF), (Format.DOCX, DOCX)])
def test_a_worker_that_cannot_even_start_is_an_error_not_a_hang(format, data):
    pytest.importorskip("resource", reason="this system cannot bound a process's memory")
    limits = SourceLimits(max_worker_memory_bytes=MEBIBYTE)
    with pytest.raises((DocumentParsingError, ProcessingError), match=r"made: .* memory"):
        parse_isolated(format, data, "made", limits=limits)


def test_more_output_than_allowed_is_refused():
    limits = SourceLimits(max_text_chars=10)
    with pytest.raises(DocumentParsingError, match="more than 10 characters"):
        parse_isolated(Format.PDF, PDF, "made.pdf", limits=limits)


def test_the_working_directory_is_not_searched_for_modules(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit('taken over')")
    (tmp_path / "pypdfium2.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    assert parse_isolated(Format.PDF, PDF, "made.pdf").pages


def test_damaged_copies_give_a_document_or_an_error():
    rng = random.Random(20240607)
    for case in range(24):
        kind, data = [(Format.PDF, PDF), (Format.DOCX, DOCX)][case % 2]
        damaged = bytearray(data)
        if case % 3:
            for _ in range(rng.choice([1, 5, 50])):
                damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        else:
            del damaged[rng.randrange(1, len(damaged)) :]
        try:
            parse_isolated(kind, bytes(damaged), "damaged")
        except DocumentParsingError as error:
            assert str(error).startswith("damaged: ")  # noqa: PT017 - either outcome is right


def test_a_failure_of_the_reader_itself_is_answered_without_the_document_s_text():
    limits = SourceLimits(max_pages=None)  # type: ignore[arg-type]
    reply = answer({"entry": "veridical.sources.pdf:read_pdf"}, PDF, "made.pdf", limits)
    assert reply == {"failure": "the parser failed", "detail": "TypeError"}


def test_the_worker_starts_without_the_rest_of_the_library():
    code = "import sys, veridical.sources.worker; print(*sys.modules)"
    path = os.pathsep.join(sys.path)
    loaded = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    heavy = {"numpy", "click", "rich", "wordllama", "rapidfuzz", "jsonschema_rs", "pypdfium2"}
    assert heavy.isdisjoint(loaded)
    assert not [name for name in loaded if name.startswith(("veridical.matching", "veridical.cli"))]


@pytest.mark.parametrize("starts", [(9,), (-1,), (2, 1)])
def test_places_that_no_reader_gives_are_refused(starts, monkeypatch):
    places = [{"start": start, "name": "p", "rows": [], "columns": []} for start in starts]
    reply = {**WIRE.write(parse_isolated(Format.CSV, b"a,b", "t.csv")), "places": places}
    monkeypatch.setattr(isolated.WorkerProcess, "ask", lambda *_, **__: json.dumps(reply).encode())
    with pytest.raises(DocumentParsingError, match="makes no sense"):
        parse_isolated(Format.CSV, b"a,b", "t.csv")
