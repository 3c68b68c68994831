"""Files, folders, standard input and strings: which format, which name, which error."""

from __future__ import annotations

import io
import os
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.errors import DocumentParsingError, NoDocumentsError
from veridical.sources.document import Format, SourceLimits, Span
from veridical.sources.loader import (
    document_from_text,
    load_document,
    load_document_bytes,
    load_documents,
    plain_name,
)


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Title\n\ntext", Format.MARKDOWN),
        ("\n    # Title\n\n    text", Format.MARKDOWN),
        ("text\n\n## Later\n\n<html> is a tag", Format.MARKDOWN),
        ("text\n\n```py\ncode\n```", Format.MARKDOWN),
        ("see [the site](https://x.y)", Format.MARKDOWN),
        ("this is **strong** text", Format.MARKDOWN),
        ("a | b\n--- | ---\nc | d", Format.MARKDOWN),
        ("  <!DOCTYPE html>\n<p>x", Format.HTML),
        ("<?xml version='1.0'?>\n<!-- c -->\n<html>x</html>", Format.HTML),
        ("Content follows\n<html lang=en><p>x</p></html>", Format.HTML),
        ("<b>lorem <i>ipsum</i></b>", Format.HTML),
        ("Just words. 2 * 3 * 4, f(**kwargs), snake_case, #hashtag, a < b.", Format.PLAIN_TEXT),
        ("1. one\n2. two\n- three", Format.PLAIN_TEXT),
    ],
)
def test_the_format_of_a_string_is_told_from_its_content(text: str, expected: Format) -> None:
    document = document_from_text(text)
    assert document.format is expected
    assert document.text == text
    assert document.name == "document"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.md", "plain words", Format.MARKDOWN),
        ("a.MARKDOWN", "plain words", Format.MARKDOWN),
        ("a.md", "<!doctype html><p>x", Format.HTML),
        ("a.xhtml", "plain words", Format.HTML),
        ("a.txt", "<html><p>x</html>", Format.HTML),
        ("a.txt", "<p>One</p>", Format.PLAIN_TEXT),
        ("a.txt", "about %PDF-1.4 files", Format.PLAIN_TEXT),
        ("README", "# Title", Format.MARKDOWN),
        ("README", "words", Format.PLAIN_TEXT),
    ],
)
def test_the_format_of_a_file(tmp_path: Path, name: str, content: str, expected: Format) -> None:
    document = load_document(write(tmp_path / name, content))
    assert document.format is expected
    assert document.size_bytes == len(content)
    assert document.name == str(tmp_path / name)


def test_a_given_format_wins() -> None:
    assert document_from_text("# x", format=Format.PLAIN_TEXT).sections == ()
    with pytest.raises(DocumentParsingError, match="from its file or its bytes"):
        document_from_text("x", format=Format.PDF)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", "is empty"),
        ("a.md", b" \n\t ", "empty"),
        ("a.pdf", b"<html>Not found</html>", r"named \.pdf, but its content is not PDF"),
        ("a.docx", b"words", r"named \.docx, but its content is not DOCX"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 9, "protected by a password"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 9, "older Office file"),
        ("a.xlsx", zipped("xl/workbook.xml"), "Excel"),
        ("a.pptx", zipped("ppt/presentation.xml"), "PowerPoint"),
        ("a.zip", zipped("a.txt"), "zip archive.*Unpack"),
        ("a.rtf", b"{\\rtf1 words}", "RTF"),
        *(
            ("a.mp3", start + bytes(40), r"`veridical transcribe the-name -o")
            for start in (b"ID3\x04", b"\xff\xfb\x90", b"RIFF\x24\x08\x00\x00WAVEfmt ", b"fLaC")
        ),
        ("a.m4a", b"\x00\x00\x00\x20ftypM4A " + bytes(40), "recording.*Transcribe it first"),
        ("a.webm", b"\x1a\x45\xdf\xa3" + bytes(40), "veridical transcribe"),
        ("a.png", b"\x89PNG\r\n\x1a\n\x00", "image is damaged or cut short"),
        ("a.gz", b"\x1f\x8b\x08\x00", "compressed.*Unpack"),
    ],
)
def test_what_cannot_be_read_is_refused_with_advice(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = write(tmp_path / name, content)
    with pytest.raises(DocumentParsingError, match=message) as caught:
        load_document(path, name="the-name")
    assert str(caught.value).startswith("the-name: ")


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    inside = write(tmp_path / "file.md", "x") / "inside.md"
    places: list[tuple[str | Path, str]] = [
        (tmp_path / "missing.md", "no such file"),
        (tmp_path, "a folder, not a file"),
        ("a\0b.md", "cannot be read"),
        ("x" * 5_000, "cannot be read"),
        (inside, "cannot be read"),
    ]
    for path, told in places:
        with pytest.raises(DocumentParsingError, match=told):
            load_document(path)


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of one's own, for somebody whom permissions bind: root becomes nobody meanwhile."""
    load_document_bytes(b"# Warm\n\nwords", "warm.md")  # as nobody, modules cannot be read
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            os.seteuid(user)


def test_files_without_permission(unprivileged: Path) -> None:
    path = write(unprivileged / "a.md", "x")
    path.chmod(0)
    with pytest.raises(DocumentParsingError, match="permission denied"):
        load_document(path)


def test_limits(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", "x" * 101)
    small = SourceLimits(max_bytes=100)
    for call in (
        lambda: load_document(path, limits=small),
        lambda: load_document_bytes(b"x" * 101, "a.md", limits=small),
        lambda: document_from_text("x" * 101, limits=small),
    ):
        with pytest.raises(DocumentParsingError, match="larger than the limit"):
            call()
    with pytest.raises(DocumentParsingError, match="101 characters are over the limit of 100"):
        load_document(path, limits=SourceLimits(max_text_chars=100))
    assert load_document(path, limits=SourceLimits(max_bytes=101)).size_bytes == 101


def test_the_declared_encoding_of_a_page_is_used_and_of_a_text_is_not(tmp_path: Path) -> None:
    page = write(tmp_path / "a.html", b'<meta charset="windows-1252"><p>caf\xe9</p>')
    assert "café" in load_document(page).text
    with pytest.raises(DocumentParsingError):
        load_document(write(tmp_path / "a.txt", b'caf\xe9 <meta charset="windows-1252">'))


def test_a_folder_is_read_in_order_and_named_from_inside(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.html", "a/b/c.txt", "a.txt", "D.HTM"):
        write(tmp_path / name, "words")
    for name in (".hidden.md", ".git/x.md", "data.json", "picture.png"):
        write(tmp_path / name, "words")
    loaded = load_documents([tmp_path])
    assert [document.name for document in loaded.documents] == [
        "D.HTM",
        "a/b/c.txt",
        "a/z.html",
        "a.txt",
        "b.md",
    ]
    assert loaded.failures == ()


def test_links_that_leave_the_folder_or_run_in_circles_are_left_out(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside.md", "secret")
    folder = tmp_path / "folder"
    inside = write(folder / "inside.md", "words")
    (folder / "out.md").symlink_to(outside)
    (folder / "again.md").symlink_to(inside)
    (folder / "broken.md").symlink_to(folder / "missing.md")
    (folder / "circle").symlink_to(folder)
    os.mkfifo(folder / "pipe.md")
    loaded = load_documents([folder])
    assert [document.name for document in loaded.documents] == ["again.md"]
    assert loaded.failures == ()


def test_one_bad_document_does_not_hide_the_others(tmp_path: Path) -> None:
    for number in range(9):
        write(tmp_path / f"{number}.md", "words")
    write(tmp_path / "5.pdf", "not a PDF")
    loaded = load_documents([tmp_path, tmp_path / "missing.md"])
    assert [document.name for document in loaded.documents] == [f"{n}.md" for n in range(9)]
    bad, missing = loaded.failures
    assert bad.name == "5.pdf"
    assert "not PDF" in bad.message
    assert missing.name == str(tmp_path / "missing.md")
    assert "no such file" in missing.message


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(NoDocumentsError, match="No source"):
        load_documents([])
    write(tmp_path / "data.json", "{}")
    with pytest.raises(NoDocumentsError, match=r"holds no document.*\.md, .*\.docx"):
        load_documents([tmp_path])


@pytest.mark.parametrize(
    ("data", "message"), [(b"", "Standard input is empty"), (b"x" * 200, "larger than the limit")]
)
def test_standard_input_that_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, data: bytes, message: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    (failure,) = load_documents(["-"], limits=SourceLimits(max_bytes=100)).failures
    assert message in failure.message


@given(st.text(alphabet=st.characters(), min_size=1), st.sampled_from([None, *Format]))
@settings(max_examples=80)
def test_any_string_is_a_document_or_a_clear_error(text: str, kind: Format | None) -> None:
    try:
        document = document_from_text(text, "name", kind)
    except DocumentParsingError as error:
        assert str(error).startswith("name: ")  # noqa: PT017 - either outcome is right
    else:
        # The text of a transcript is made of what was said.
        if document.format is not Format.TRANSCRIPT and not document.format.is_extracted:
            assert document.text == text.removeprefix("\ufeff")
        document.shown(Span(0, len(document.text)))


@pytest.mark.skipif(sys.platform == "darwin", reason="its file system takes UTF-8 names only")
def test_names_that_are_not_utf_8_become_text_and_stay_apart(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    names = (b"bad\xff.md", b"bad\xfe.md", rb"bad\xff.md", "é🏖.md".encode())
    for number, name in enumerate(names):
        write(folder / os.fsdecode(name), f"# Page {number}\n\nWords.")
    loaded = load_documents([folder])
    assert loaded.failures == ()
    found = {document.name: document.text[7] for document in loaded.documents}
    place = f"{tmp_path}/caf\\xe9"
    assert found == {
        r"bad\xfe.md": "1",
        f"{place}/bad\\xff.md": "2",
        f"{place}/bad\\xff.md (2)": "0",
        "é🏖.md": "3",
    }
    assert load_document(folder / os.fsdecode(names[0])).name == f"{place}/bad\\xff.md"
    with pytest.raises(DocumentParsingError) as raised:
        load_document(folder / os.fsdecode(b"gone\xff.md"))
    str(raised.value).encode()


@given(st.text(st.characters(), max_size=20))
def test_any_path_has_a_name_that_everything_takes(path: str) -> None:
    plain_name(path).encode()
    if not any("\ud800" <= char <= "\udfff" for char in path):
        assert plain_name(path) == path


def test_a_folder_without_permission_is_a_failure(unprivileged: Path) -> None:
    write(unprivileged / "a.md", "words")
    write(unprivileged / "closed" / "b.md", "words").parent.chmod(0)
    loaded = load_documents([unprivileged])
    (unprivileged / "closed").chmod(0o700)
    assert [document.name for document in loaded.documents] == ["a.md"]
    assert "cannot be read" in loaded.failures[0].message
