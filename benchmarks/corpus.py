"""The prose that is searched: real where there is enough, continued by a word model beyond it."""

from __future__ import annotations

import ast
import json
import random
import re
import sysconfig
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from veridical.sources.document import Document, Format, SourceLimits, Span
from veridical.sources.loader import document_from_text

MEBIBYTE = 1024 * 1024
_RESERVE_BYTES = 200_000
_MIN_DOCSTRING = 400
_PARAGRAPH_WORDS = 90
_NOT_PROSE = re.compile(r"[<>\[\]*_\\`|#&~$]")
_LIMITS = SourceLimits(max_bytes=64 * MEBIBYTE, max_text_chars=64 * MEBIBYTE)


@dataclass(frozen=True, slots=True)
class Corpus:
    """`units` are whole pages or articles in a fixed, shuffled order.

    `reserve` stands in no text that is searched: absent claims are drawn from it.
    """

    description: str
    units: tuple[str, ...]
    reserve: str

    @property
    def real_bytes(self) -> int:
        return sum(len(unit.encode()) + 2 for unit in self.units)


def load_corpus(data: Path | None) -> Corpus:
    """The shared test data under `data`, or without it what every Python installation carries."""
    if data is not None and (data / "policies").is_dir():
        units = [*_policies(data), *_newspapers(data)]
        description = (
            "18F handbook pages (Markdown, public domain) and OCR text of BLN600 newspaper "
            "articles (19th century), pages and articles shuffled; read as Markdown"
        )
    else:
        units = [*_language_reference(), *_docstrings()]
        description = (
            "the Python language reference (`pydoc_data.topics`) and the longer docstrings of the "
            "standard library, shuffled; read as Markdown"
        )
    random.Random(1).shuffle(units)
    reserve: list[str] = []
    while units and sum(map(len, reserve)) < _RESERVE_BYTES:
        reserve.append(units.pop())
    return Corpus(description, tuple(units), "\n\n".join(reserve))


@lru_cache(maxsize=4)
def build_text(corpus: Corpus, size: int) -> str:
    """A text of `size` bytes of UTF-8: the corpus, and beyond its end words in its own manner.

    A shorter text is the beginning of a longer one.
    """
    parts: list[str] = []
    length = 0
    for unit in _unending(corpus):
        parts.append(unit)
        length += len(unit.encode()) + 2
        if length >= size:
            break
    return "\n\n".join(parts).encode()[:size].decode(errors="ignore")


def read(text: str) -> Document:
    """The document of a text, with the markup that a reader does not see masked."""
    return document_from_text(text, "corpus.md", Format.MARKDOWN, limits=_LIMITS)


def visible_paragraphs(document: Document) -> list[str]:
    """What a reader sees, in paragraphs."""
    visible = document.shown(Span(0, len(document.text)))
    return [part.strip() for part in re.split(r"\n\s*\n", visible) if part.strip()]


_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_PAGE_TAG = re.compile(r"""\{%\s*page\s+["']?([^"'%]*?)["']?\s*%\}""")
_OTHER_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{:.*?\}")


def _policies(data: Path) -> Iterator[str]:
    """Pages as Markdown: without the site generator's front matter, its links as plain links."""
    for path in sorted((data / "policies").rglob("*.md")):
        text = _FRONT_MATTER.sub("", path.read_text("utf-8"))
        yield _OTHER_TAG.sub("", _PAGE_TAG.sub(r"\1", text))


def _newspapers(data: Path) -> Iterator[str]:
    for path in sorted((data / "quotes").glob("bln600_docs*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield str(json.loads(line)["ocr_text"])


def _language_reference() -> Iterator[str]:
    from pydoc_data.topics import topics

    for name in sorted(topics):
        yield str(topics[name])


def _docstrings() -> Iterator[str]:
    root = Path(sysconfig.get_paths()["stdlib"])
    skipped = {"site-packages", "dist-packages", "test", "tests", "pydoc_data", "idlelib"}
    seen: set[str] = set()
    for path in sorted(root.rglob("*.py")):
        if not skipped.isdisjoint(path.relative_to(root).parts):
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                continue
            text = ast.get_docstring(node) or ""
            if len(text) >= _MIN_DOCSTRING and text not in seen:
                seen.add(text)
                yield text


def _unending(corpus: Corpus) -> Iterator[str]:
    yield from corpus.units
    rng = random.Random(2)
    words = [word for unit in corpus.units for word in unit.split() if not _NOT_PROSE.search(word)]
    following: dict[str, list[str]] = defaultdict(list)
    for first, second in pairwise(words):
        following[first].append(second)
    word = words[0]
    while True:
        paragraph: list[str] = []
        for _ in range(_PARAGRAPH_WORDS):
            after = following.get(word) or words
            word = after[int(rng.random() * len(after))]
            paragraph.append(word)
        yield " ".join(paragraph)
