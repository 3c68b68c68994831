"""Bytes become text by mark, by declaration, or as UTF-8; else the error names the byte."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import DocumentParsingError
from veridical.sources.sniff import declared_encoding, decode

TEXT = "Grüße, “quoted” — 日本\r\nline two"


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (b"", "utf-8"),
    ],
)
def test_a_byte_order_mark_decides_and_is_removed(mark: bytes, codec: str) -> None:
    assert decode(mark + TEXT.encode(codec), "a.txt", declared="latin-1" if mark else None) == TEXT


@pytest.mark.parametrize(
    ("declared", "data", "text"),
    [
        ("windows-1252", b"\x93a\x94", "“a”"),
        ("iso-8859-1", b"\x93\xe9\x94", "“é”"),
        ("us-ascii", b"\xe9", "é"),
        ("iso-8859-1", b"\x81\xe9", "\x81é"),
        ("ISO-8859-15", b"\xa4", "€"),
        ("shift_jis", "日本".encode("shift_jis"), "日本"),
        ("gb2312", "中".encode("gb2312"), "中"),
        ("koi8-r", "да".encode("koi8-r"), "да"),
        ("utf-16", "é".encode(), "é"),
        ("UTF8", "é".encode(), "é"),
        # Not character sets, or unknown: as UTF-8.
        ("zip", "é".encode(), "é"),
        ("rot13", b"abc", "abc"),
        ("idna", b"abc", "abc"),
        ("unicode_escape", rb"\x41", r"\x41"),
        ("utf-7", b"+AGE-", "+AGE-"),
        ("no-such-thing", "é".encode(), "é"),
        ("", "é".encode(), "é"),
        ("a\0b", "é".encode(), "é"),
    ],
)
def test_a_declared_character_set_is_used(declared: str, data: bytes, text: str) -> None:
    assert decode(data, "a.html", declared=declared) == text


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'<meta charset="Windows-1252">', "windows-1252"),
        (b"<META name=x CHARSET=latin1 />", "latin1"),
        (b"<!-- <meta charset=latin1> --><html>", None),
        (b"", None),
    ],
)
def test_declarations_are_found(data: bytes, expected: str | None) -> None:
    assert declared_encoding(data) == expected


def test_a_wrong_byte_is_named_with_its_place_and_what_to_do() -> None:
    with pytest.raises(DocumentParsingError) as caught:
        decode(b"one\ntwo\ncaf\xe9 x", "menu.txt")
    message = str(caught.value)
    assert message.startswith("menu.txt: byte 0xE9 at offset 11 (line 3) is not valid UTF-8")
    assert "Convert the file to UTF-8" in message
    assert "byte-order mark" in message


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        ("plain words".encode("utf-16-le"), "UTF-16 without a byte-order mark"),
        ("plain words".encode("utf-16-be"), "UTF-16 without a byte-order mark"),
        (b"MZ\x90\x00\x03\x00\x00\x00\xff\xff" * 9, "Supported: "),
        (b"a\x00", "byte 0x00 at offset 1"),
        (bytes(range(1, 32)) * 4, "control characters"),
        (codecs.BOM_UTF16_LE + "a\0b".encode("utf-16-le"), "control characters"),
    ],
)
def test_binary_data_is_no_text(data: bytes, hint: str) -> None:
    with pytest.raises(DocumentParsingError, match=hint):
        decode(data, "a.bin")


@given(
    st.binary(max_size=60), st.sampled_from([None, "latin-1", "shift_jis", "utf-16", "x", "big5"])
)
def test_any_bytes_become_clean_text_or_a_clear_error(data: bytes, declared: str | None) -> None:
    try:
        text = decode(data, "name", declared=declared)
    except DocumentParsingError as error:
        assert str(error).startswith("name: ")  # noqa: PT017 - either outcome is right
    else:
        assert text.encode("utf-8").decode("utf-8") == text


@given(st.text().filter(lambda text: "\0" not in text and text.isprintable()))
def test_utf8_comes_back_as_it_was(text: str) -> None:
    assert decode(text.encode("utf-8"), "a") == text.removeprefix("\ufeff")
