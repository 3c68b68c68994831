"""An annotated PDF, read back: a highlight where the words are, and nothing else changed."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ledger.ledgers import AGAINST, FULL, PARTIAL, entry, ledger_of, piece
from tests.ledger.reviewing import Desk
from tests.sources.builders import Pdf, simple_pdf

from veridical import Document, load_document_bytes
from veridical.errors import DocumentParsingError, ProcessingError, ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export import annotated_pdf
from veridical.ledger.export.annotated_pdf import COLOURS, annotate_pdf
from veridical.ledger.export.originals import OriginalFile
from veridical.ledger.export.pdf_worker import annotate
from veridical.ledger.wire_given import to_anthropic
from veridical.sources.document import DEFAULT_LIMITS, Span

EXAMPLE = Path(__file__).parents[2] / "examples" / "sources" / "expense-handbook.pdf"
COLUMNS = r"""
#set page(width: 420pt, height: 300pt, margin: 30pt, columns: 2, numbering: "1",
  header: [Handbook of the office])
#set par(justify: true)
#set text(hyphenate: true, lang: "en", size: 9pt)
#for part in range(1, 5) [
  = Section #part: offices and affiliates
  The first five officers find the waffles in office #part, which is a sufficient confirmation of
  the extraordinary misunderstanding that characterised internationalisation. Müller, naïve café.
]
"""


class Highlight(NamedTuple):
    page: int
    text: str
    fields: dict[str, str]
    colour: tuple[int, ...]
    quads: list[Any]


def file(data: bytes, name: str = "made.pdf") -> OriginalFile:
    return OriginalFile(load_document_bytes(data, name), data)


def ledger_on(document: Document, *places: tuple[Span, str]) -> EvidenceLedger:
    """A ledger with one claim for each place, borne out, in part, or contradicted."""
    answer, entries = "", []
    for number, (span, how) in enumerate(places, 1):
        claim = f"Claim number {number}."
        entries.append(entry(claim, len(answer), how, [piece(document, span, how)]))
        answer += f"{claim} "
    return ledger_of(answer, entries, [document])


def span_of(document: Document, words: str) -> Span:
    start = document.text.index(words)
    return Span(start, start + len(words))


def on(source: OriginalFile, *places: tuple[str, str]) -> EvidenceLedger:
    return ledger_on(source.document, *((span_of(source.document, w), how) for w, how in places))


def text_field(annotation: Any, key: bytes) -> str:
    size = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    buffer = (ctypes.c_ushort * (size // 2))()
    pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size)
    return bytes(buffer).decode("utf-16-le").rstrip("\0")


def highlights(data: bytes, password: str | None = None) -> list[Highlight]:
    """Every highlight of a file with the letters whose middle lies in it, by PDFium's own boxes."""
    found = []
    with closing(pypdfium2.PdfDocument(data, password=password)) as pdf:
        for number in range(len(pdf)):
            with closing(pdf[number]) as page, closing(page.get_textpage()) as text:
                for index in range(pdfium.FPDFPage_GetAnnotCount(page.raw)):
                    annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
                    if pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_HIGHLIGHT:
                        found.append(read(number + 1, annotation, text))
                    pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def read(number: int, annotation: Any, text: Any) -> Highlight:
    quads = []
    for index in range(pdfium.FPDFAnnot_CountAttachmentPoints(annotation)):
        points = pdfium.FS_QUADPOINTSF()
        assert pdfium.FPDFAnnot_GetAttachmentPoints(annotation, index, points)
        quads.append(points)
    colour = [ctypes.c_uint() for _ in range(4)]
    assert pdfium.FPDFAnnot_GetColor(annotation, pdfium.FPDFANNOT_COLORTYPE_Color, *colour)
    keys = (b"Contents", b"T", b"NM", b"Subj", b"M")
    return Highlight(
        number,
        "".join(under(points, text) for points in quads),
        {key.decode(): text_field(annotation, key) for key in keys},
        tuple(channel.value for channel in colour[:3]),
        quads,
    )


def under(points: Any, text: Any) -> str:
    """The letters whose middle lies in the four corners, in the order of the text."""
    across = (points.x1, points.x2, points.x3, points.x4)
    up = (points.y1, points.y2, points.y3, points.y4)
    letters = []
    for index in range(text.count_chars()):
        left, bottom, right, top = text.get_charbox(index)
        x, y = (left + right) / 2, (bottom + top) / 2
        if min(across) <= x <= max(across) and min(up) <= y <= max(up):
            letters.append(text.get_text_range(index, 1))
    return "".join(letters)


def letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


# --- the words are under the highlights -----------------------------------------------------------


@cache
def sources() -> dict[str, OriginalFile]:
    return {
        "columns.pdf": file(typst.compile(COLUMNS.encode()), "columns.pdf"),
        "handbook.pdf": file(EXAMPLE.read_bytes(), "handbook.pdf"),
    }


@settings(max_examples=2)
@given(st.data())
def test_the_letters_under_the_highlights_are_those_of_the_quotes(data: st.DataObject) -> None:
    source = sources()[data.draw(st.sampled_from(sorted(sources())))]
    words = list(words_of(source.document.text))
    places = []
    for _ in range(30):
        first = data.draw(st.integers(0, len(words) - 1))
        last = data.draw(st.integers(first, min(first + 30, len(words) - 1)))
        places.append((Span(words[first].start, words[last].end), FULL))
    made = annotate_pdf(ledger_on(source.document, *places), source)
    under_each: dict[str, str] = {}
    for found in highlights(made.data):
        claim = found.fields["Contents"].splitlines()[1]
        under_each[claim] = under_each.get(claim, "") + found.text
    for number, (span, _) in enumerate(places, 1):
        quoted = source.document.text[span.start : span.end]
        if made.warnings:  # what cannot be placed is told, not drawn
            continue
        assert letters(under_each[f"Claim {number}: Claim number {number}."]) == letters(quoted)


def words_of(text: str) -> Iterator[Span]:
    at = 0
    for word in text.split():
        at = text.index(word, at)
        yield Span(at, at + len(word))
        at += len(word)


def test_a_quote_over_several_lines_and_pages_has_a_box_for_each() -> None:
    source = file(simple_pdf(["Staff get 25 days", "of leave"], ["in each year."]))
    made = annotate_pdf(on(source, ("25 days\nof leave\nin each", FULL)), source)
    found = [(mark.page, len(mark.quads), letters(mark.text)) for mark in highlights(made.data)]
    assert found == [(1, 2, "25daysofleave"), (2, 1, "ineach")]


def test_of_words_that_stand_there_often_the_ones_quoted_are_marked() -> None:
    line = "five days five days five days"
    source = file(simple_pdf([line, line], [line]))
    text, places, at = source.document.text, [], -1
    while (at := text.find("five days", at + 1)) >= 0:
        places.append((Span(at, at + len("five days")), FULL))
    assert len(places) == 9
    found = highlights(annotate_pdf(ledger_on(source.document, *places), source).data)
    boxes = [(mark.page, -round(mark.quads[0].y1), round(mark.quads[0].x1)) for mark in found]
    numbers = [int(mark.fields["Contents"].split("Claim ")[1].split(":")[0]) for mark in found]
    assert {letters(mark.text) for mark in found} == {"fivedays"}
    assert sorted(set(boxes)) == [box for _, box in sorted(zip(numbers, boxes, strict=True))]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_on_pages_that_are_turned_and_cropped(turn: int) -> None:
    pdf = Pdf()
    content = b"BT /F 12 Tf 100 700 Td (Staff get 25 days) Tj 0 -20 Td (of leave a year) Tj ET"
    pdf.add_page(content, b"/CropBox[40 40 540 780]/Rotate %d" % turn)
    source = file(pdf.build())
    (found,) = highlights(annotate_pdf(on(source, ("get 25 days", FULL)), source).data)
    assert letters(found.text) == "get25days"
    for points in found.quads:  # the first corner is the upper left one as a reader sees it
        a, b, c = (points.x1, points.y1), (points.x2, points.y2), (points.x3, points.y3)
        right = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn]
        down = {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}[turn]
        assert direction(a, b) == right
        assert direction(a, c) == down


def direction(one: tuple[float, float], other: tuple[float, float]) -> tuple[int, int]:
    return tuple((d > 0.5) - (d < -0.5) for d in (other[0] - one[0], other[1] - one[1]))  # type: ignore[return-value]


# --- what the notes say ---------------------------------------------------------------------------


@cache
def sample() -> OriginalFile:
    return file(simple_pdf(["Staff get 25 days.", "Taxis are not repaid.", "Days may be carried."]))


def test_each_verdict_has_its_words_and_its_colour() -> None:
    source = sample()
    ledger = on(
        source,
        ("Staff get 25 days.", FULL),
        ("Taxis are not repaid.", AGAINST),
        ("Days may be carried.", PARTIAL),
    )
    made = annotate_pdf(ledger, source)
    found = highlights(made.data)
    assert made.highlights == 3
    assert made.warnings == ()
    for one, row in zip(found, ledger.entries, strict=True):
        assert one.colour == COLOURS[row.verdict]
        assert one.fields["T"] == "Veridical"
        assert one.fields["M"] == "D:20260103143000Z"
        assert row.claim.text in one.fields["Contents"]
    assert [one.fields["Contents"].splitlines()[0].split(" (")[0] for one in found] == [
        "✓ Supported",
        "✗ Contradicted",
        "? Weak",
    ]
    assert "(confidence 82%, good)" in found[0].fields["Contents"]
    assert "contradict the claim" in found[1].fields["Contents"]


def test_only_what_decides_or_tells_is_marked_each_by_what_it_says() -> None:
    document = sample().document
    words = (("Staff get 25 days.", FULL), ("Taxis are not repaid.", PARTIAL))
    words += (("Days may be carried.", AGAINST),)
    pieces = [piece(document, span_of(document, said), how) for said, how in words]
    ledger = ledger_of("One claim.", [entry("One claim.", 0, FULL, pieces)], [document])
    found = highlights(annotate_pdf(ledger, sample()).data)
    assert {letters(one.text): one.colour for one in found} == {
        "Staffget25days": COLOURS[Verdict.SUPPORTED],
        "Daysmaybecarried": COLOURS[Verdict.CONTRADICTED],
    }
    (block,) = to_anthropic(ledger)
    assert [cited["cited_text"] for cited in block["citations"]] == ["Staff get 25 days."]
    weak = ledger_of("One claim.", [entry("One claim.", 0, PARTIAL, pieces[1:2])], [document])
    assert to_anthropic(weak) == [{"type": "text", "text": "One claim."}]
    desk = Desk(ledger)
    desk.overrule(1, Verdict.WEAK, "It was 27 before.")
    assert "citations" not in to_anthropic(desk.ledger, reviews=desk.reviews)[0]


def test_a_reviewers_verdict_stands_beside_the_machines() -> None:
    desk = Desk(on(sample(), ("Staff get 25 days.", FULL)))
    desk.overrule(1, Verdict.CONTRADICTED, "It was 27 before.")
    (found,) = highlights(annotate_pdf(desk.ledger, sample(), reviews=desk.reviews).data)
    assert "✓ Supported" in found.fields["Contents"]
    assert "overruled by Ana" in found.fields["Contents"]
    assert "✗ Contradicted): It was 27 before." in found.fields["Contents"]
    assert found.colour == COLOURS[Verdict.CONTRADICTED]


# --- what was in the file stays -------------------------------------------------------------------


def test_other_annotations_are_kept() -> None:
    pdf = Pdf()
    note = b"<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(An old note)/T(Bea)>>"
    pdf.add_page(["Staff get 25 days."], b"/Annots[%s]" % note)
    source = file(pdf.build())
    made = annotate_pdf(on(source, ("25 days", FULL)), source)
    with closing(pypdfium2.PdfDocument(made.data)) as again, closing(again[0]) as page:
        assert pdfium.FPDFPage_GetAnnotCount(page.raw) == 2
        old = pdfium.FPDFPage_GetAnnot(page.raw, 0)
        assert text_field(old, b"Contents") == "An old note"
        pdfium.FPDFPage_CloseAnnot(old)


def test_a_signature_that_no_longer_holds_is_told() -> None:
    pdf = Pdf()
    pdf.add_page(["Staff get 25 days."])
    value = b"<</Type/Sig/Filter/Adobe.PPKLite/Contents<00>/ByteRange[0 1 2 3]>>"
    field = pdf.add(b"<</FT/Sig/T(s)/V %s>>" % value)
    pdf.catalog_extra = b"/AcroForm<</Fields[%d 0 R]/SigFlags 3>>" % field
    source = file(pdf.build())
    made = annotate_pdf(on(source, ("25 days", FULL)), source)
    assert made.highlights == 1
    assert "digital signature, which no longer holds" in made.warnings[0]


PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def protected(permissions: int) -> bytes:
    """A PDF with the oldest encryption, which opens without a password, and these permissions."""
    owner = rc4(hashlib.md5(PAD).digest()[:5], PAD)  # noqa: S324 - what the format prescribes
    told = permissions.to_bytes(4, "little", signed=True)
    key = hashlib.md5(PAD + owner + told + b"0123456789abcdef").digest()[:5]  # noqa: S324
    pdf = Pdf()
    pdf.add_page(["Staff get 25 days."])
    content = min(number for number, body in pdf.objects.items() if b"stream" in body)
    head, _, rest = pdf.objects[content].partition(b"stream\n")
    body = rest.removesuffix(b"\nendstream")
    salted = key + content.to_bytes(3, "little") + b"\0\0"
    scrambled = rc4(hashlib.md5(salted).digest()[:10], body)  # noqa: S324
    pdf.objects[content] = head + b"stream\n" + scrambled + b"\nendstream"
    pdf.trailer_extra = b"/Encrypt<</Filter/Standard/V 1/R 2/O<%s>/U<%s>/P %d>>/ID[<%s><%s>]" % (
        owner.hex().encode(), rc4(key, PAD).hex().encode(), permissions,
        b"0123456789abcdef".hex().encode(), b"0123456789abcdef".hex().encode(),
    )  # fmt: skip
    return pdf.build()


def test_encryption_is_kept() -> None:
    source = file(protected(-1))
    made = annotate_pdf(on(source, ("25 days", FULL)), source)
    (found,) = highlights(made.data)
    assert letters(found.text) == "25days"
    assert "Supported" in found.fields["Contents"]
    with closing(pypdfium2.PdfDocument(made.data)) as pdf:
        assert pdfium.FPDF_GetSecurityHandlerRevision(pdf.raw) == 2


def test_a_file_that_forbids_comments_is_refused() -> None:
    source = file(protected(-1 - (1 << 5)))
    with pytest.raises(DocumentParsingError, match="protected against comments"):
        annotate_pdf(on(source, ("25 days", FULL)), source)


# --- what is not marked, and what is refused ------------------------------------------------------


def test_words_that_cannot_be_placed_are_told_and_not_marked() -> None:
    pdf = Pdf()
    field = b"<</Type/Annot/Rect[9 9 99 99]/Subtype/Widget/FT/Tx/T(a)/V(Ada Lovelace)>>"
    pdf.add_page(["Staff get 25 days."], b"/Annots[%s]" % field)
    source = file(pdf.build())
    made = annotate_pdf(on(source, ("Ada Lovelace", FULL), ("25 days", FULL)), source)
    assert made.highlights == 1
    assert [letters(found.text) for found in highlights(made.data)] == ["25days"]
    assert "made.pdf, page 1: claim 1 is not highlighted" in made.warnings[0]


def test_another_file_of_that_name_is_refused() -> None:
    ledger = on(sample(), ("Staff get 25 days.", FULL))
    other = file(simple_pdf(["Staff get 27 days."]))
    with pytest.raises(ValidationError, match="not the document that the ledger was built from"):
        annotate_pdf(ledger, other)
    with pytest.raises(ValidationError, match="no source of the ledger"):
        annotate_pdf(ledger, file(simple_pdf(["Something else."]), "other.pdf"))
    text = OriginalFile(load_document_bytes(b"Staff get 25 days.", "made.txt"), b"Staff")
    with pytest.raises(ValidationError, match="no PDF"):
        annotate_pdf(ledger, text)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"snippet_span": Span(10, 10**9)}, "outside of its text"),
        ({"source_text": "Staff get 26 days."}, "claim 1 does not stand where the ledger says"),
        ({"snippet": "Staff get 26 days."}, "claim 1 does not stand where the ledger says"),
        ({"source_text": "Staff get 25", "snippet": "Staff get 25"}, "claim 1 does not stand"),
    ],
)
def test_a_place_with_other_words_than_the_ledger_quotes_is_refused(
    change: dict[str, Any], told: str
) -> None:
    ledger = on(sample(), ("Staff get 25 days.", FULL))
    row = ledger.entries[0]
    other = replace(row, evidence=(replace(row.evidence[0], **change),))
    with pytest.raises(ValidationError, match=told):
        annotate_pdf(replace(ledger, entries=(other,)), sample())


def test_too_many_places_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotated_pdf, "MOST_MARKS", 1)
    source = sample()
    with pytest.raises(ValidationError, match="the limit is 1"):
        annotate_pdf(on(source, ("Staff", FULL), ("Taxis", FULL)), source)


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"pdf": "JVBERi0=", "missed": [], "notes": None},
        {"pdf": "nonsense!", "missed": [], "notes": []},
        {"pdf": "AAAA", "missed": [], "notes": []},
        {"pdf": "JVBERi0=", "missed": [[5, "x"]], "notes": []},
        {"pdf": "JVBERi0=", "missed": [["a"]], "notes": []},
    ],
)
def test_what_a_worker_that_was_taken_over_may_say_is_refused(reply: dict[str, Any]) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        annotated_pdf._understood(reply, 5)


def test_a_copy_that_reads_otherwise_is_not_handed_out() -> None:
    with pytest.raises(ProcessingError, match="does not read as the source does"):
        annotated_pdf._require_same(
            sample().document, simple_pdf(["Staff get 26 days."]), DEFAULT_LIMITS
        )


def test_a_damaged_file_is_refused_in_the_worker() -> None:
    with pytest.raises(DocumentParsingError, match="cannot be opened"):
        annotate(b'{"marks": [], "id": ""}\n%PDF-1.7 nothing', "made.pdf", DEFAULT_LIMITS)
