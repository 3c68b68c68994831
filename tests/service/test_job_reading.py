"""Files that were given are read in a process of their own, and what it says is not trusted."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.service.seeding import EXAMPLES
from tests.service.visiting import Place, a_place
from tests.service.working import work_off
from tests.sources import office_files
from tests.sources.builders import Pdf, docx, paragraph, simple_pdf, stream

from veridical.errors import DocumentParsingError
from veridical.retrieval.chunks import chunk_document
from veridical.service.jobs.work import reading
from veridical.service.jobs.work import tasks as ingest
from veridical.service.jobs.work.reading import read, read_isolated
from veridical.sources.document import DEFAULT_LIMITS, MEBIBYTE
from veridical.sources.loader import load_document_bytes
from veridical.store.rows import structure_of

VTT = b"WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ana>Good evening, and welcome.\n"
SMALL = replace(DEFAULT_LIMITS, max_unpacked_bytes=MEBIBYTE, max_worker_memory_bytes=200 * MEBIBYTE)
FILES = {
    **{path.name: path.read_bytes() for path in sorted((EXAMPLES / "sources").iterdir())},
    "talk.vtt": VTT,
    "budget.xlsx": office_files.workbook(),
    "deck.pptx": office_files.presentation(),
    "book.epub": office_files.book(),
    "mail.eml": office_files.mail(),
    "data.json": office_files.RULES,
    "table.csv": office_files.TABLE.encode(),
    "notes.txt": "A plain text.\n\nOf two paragraphs, \u05d0 and \U0001f600.\n".encode(),
}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with a_place(tmp_path) as made:
        yield made


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_worker_reads_what_the_library_reads(name: str) -> None:
    found = read_isolated(FILES[name], name, DEFAULT_LIMITS)
    wanted = load_document_bytes(FILES[name], name)
    assert (found.document.text, found.document.format) == (wanted.text, wanted.format)
    assert structure_of(found.document) == structure_of(wanted)
    assert found.document.size_bytes == len(FILES[name])
    assert [replace(chunk, document=wanted) for chunk in found.chunks] == list(
        chunk_document(wanted)
    )


def inflating_pdf() -> bytes:
    pdf = Pdf()
    page = pdf.add_page(["words"])
    packed = zlib.compress(b"q " * (125 * MEBIBYTE), 1)
    pdf.objects[page - 1] = stream(packed).replace(b"<<", b"<</Filter/FlateDecode", 1)
    return pdf.build()


@pytest.mark.parametrize(
    ("name", "made", "expected"),
    [
        ("bomb.docx", lambda: docx(paragraph("x" * 4 * MEBIBYTE)), "unpack"),
        ("bomb.pdf", inflating_pdf, "200 MB of memory"),
        ("pages.pdf", lambda: simple_pdf(*[["a line"]] * 10_000), "5,?000"),
        ("cut.pdf", lambda: FILES["expense-handbook.pdf"][:2_000], "could not be read|damaged"),
        ("page.html", lambda: b"<div>" * 200_000 + b"words", "."),
    ],
)
def test_a_hostile_file_is_refused_or_read_within_the_limits(
    name: str, made: Any, expected: str
) -> None:
    try:
        found = read_isolated(made(), name, SMALL)
    except DocumentParsingError as error:
        told = str(error)
    else:
        told = f"{name}: {found.document.text[-10:]}"
    assert told.startswith(name)
    assert re.search(expected, told), told


def test_a_reader_that_does_not_end_is_ended(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = replace(DEFAULT_LIMITS, max_parse_seconds=0.05)
    monkeypatch.setattr(ingest, "DEFAULT_LIMITS", limits)
    client = place.client()
    long = b"# A\n\n" + b"some *words* and [more](b) of `them`\n\n" * 50_000  # some seconds' work
    given = client.post("/api/v1/documents", files={"file": ("a.md", long)}).json()
    work_off(place)
    job = client.get(f"/api/v1/jobs/{given['job_id']}").json()
    assert job["state"] == "failed"
    assert "took longer than 0.05 seconds" in job["message"]
    assert client.get("/api/v1/documents").status_code == 200


def forged(**changes: Any) -> dict[str, Any]:
    """What a parser might have written that a file has taken over."""
    honest = read(b"# Head\n\nSome words here.\n", "a.md", DEFAULT_LIMITS)
    structure = {**honest["structure"], **changes.pop("structure", {})}
    return {**honest, "structure": structure, **changes}


@pytest.mark.parametrize(
    "reply",
    [
        {},
        forged(text="\ud800"),
        forged(format="magic"),
        forged(chunks=[[0, 10_000, [], None]]),
        forged(chunks=[[0, True, [], None]]),
        forged(chunks=[[0, 5, [1], None]]),
        forged(chunks=[[0, 5, [0, 99], None]]),
        forged(chunks=[[0, 5, [], [4, 2]]]),
        forged(chunks="none"),
        forged(structure={"masks": [[0, 1], [3, 4], ["", ""], [0, 0]]}),
        forged(structure={"masks": [[0], [10_000], [""], [0]]}),
        forged(structure={"masks": [[0], [2], [], [0]]}),
        forged(structure={"pages": [{"number": 1, "span": [0, 10_000]}]}),
        forged(structure={"sections": [{"title": 7}]}),
    ],
)
def test_what_a_worker_says_is_checked(reply: Any) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        reading._understood(reply, name="a.md", size_bytes=1, limits=DEFAULT_LIMITS)
