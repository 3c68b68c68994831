"""Folding: the form in which texts are compared.

Folding is for *finding*. It forgets everything in which two honest renderings of the same words can
differ: case, accents, ligatures, apostrophes, soft hyphens, punctuation, runs of white space, a
hyphen at a line end. It forgets too much to be the judge (`$5` and `5 %` fold alike), so
`veridical.validation.alterations` compares what was found as it is written.

Each code point folds by itself: NFKD, case folding, NFKD again; marks and format characters are
dropped, as are apostrophes; letters and digits stay; all else is a space; runs of spaces are one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

APOSTROPHES = frozenset("'\u2018\u2019\u02bc\u00b4`")
DROPPED_CATEGORIES = frozenset({"Mn", "Mc", "Me", "Cf", "Cs"})

EDITORIAL_LETTER = re.compile(r"\[([^\W\d_])\](?=[^\W\d_])")
"""A letter that whoever quotes has changed, as in "[U]sers must": mostly a capital."""

LINE_END_HYPHEN = re.compile(r"[-\u2010](?<=[^\W\d_][-\u2010])[ \t\r\f]*\n[ \t]*(?=[^\W\d_])")
"""A word broken over a line end: the hyphen and the white space around the break."""


_HYPHENS_AT_LINE_ENDS = tuple(
    re.compile(hyphen + r"(?<=[^\W\d_].)[ \t\r\f]*\n[ \t]*(?=[^\W\d_])")
    for hyphen in ("-", "\u2010")
)


def line_end_hyphens(text: str) -> Iterator[re.Match[str]]:
    """What `LINE_END_HYPHEN` finds, though not in order.

    A pattern that begins with one character is looked for in a tenth of the time.
    """
    for pattern in _HYPHENS_AT_LINE_ENDS:
        yield from pattern.finditer(text)


def fold_character(character: str) -> str:
    """The folded form of a code point: empty if dropped, else letters, digits and spaces."""
    caseless = unicodedata.normalize("NFKD", character).casefold()
    folded: list[str] = []
    for part in unicodedata.normalize("NFKD", caseless):
        if part in APOSTROPHES or unicodedata.category(part) in DROPPED_CATEGORIES:
            continue
        folded.append(part if part.isalnum() else " ")
    joined = "".join(folded)
    return " " if joined.isspace() else joined


class _FoldTable(dict[int, str]):
    """The table that `str.translate` folds with, filled as characters are met."""

    def __missing__(self, code_point: int) -> str:
        folded = fold_character(chr(code_point))
        self[code_point] = folded
        return folded


_TABLE = _FoldTable()


def fold(text: str) -> str:
    """Fold a short text, such as a quote. `FoldedText` does the same for a whole document."""
    if "\n" in text and ("-" in text or "\u2010" in text):
        text = LINE_END_HYPHEN.sub("", text)
    if not text.isascii():
        # Most such characters are marks that fold to ASCII: to look up them alone is quicker.
        plain = _NOT_ASCII.sub(_folded_run, text.replace("\u00a0", " "))
        if not plain.isascii():
            return " ".join(text.translate(_TABLE).split())
        text = plain
    return _fold_ascii(text)


_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def _folded_run(run: re.Match[str]) -> str:
    return run.group().translate(_TABLE)


_ASCII_TABLE = bytes(
    ord(fold_character(chr(point)) or " ") if point < 128 else 0 for point in range(256)
)
_ASCII_DROPPED = bytes(point for point in range(128) if not fold_character(chr(point)))


def _fold_ascii(text: str) -> str:
    """`fold` where all characters are ASCII, in a third of the time."""
    return " ".join(
        text.encode("ascii").translate(_ASCII_TABLE, _ASCII_DROPPED).decode("ascii").split()
    )


def encode(folded: str) -> bytes:
    """A folded text as bytes, one a character, for the searches that work on bytes.

    ASCII letters, digits and the space are themselves; any other character is one of the 127 values
    from 128 up, by its code point modulo 127. Within one alphabet (Greek, Cyrillic, Hebrew, ...)
    that is one to one; in larger scripts two characters may share a byte. A distance over bytes is
    therefore a lower bound, and exact wherever one of the two texts is ASCII.
    """
    if folded.isascii():
        return folded.encode("ascii")
    return bytes(point if point < 128 else 128 + point % 127 for point in map(ord, folded))


def one_line(text: str, most: int) -> str:
    """A text on one line, for people; cut to `most` characters, and then ending in " …"."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 2] + " …"
