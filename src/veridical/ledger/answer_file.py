"""A file that holds an answer, with what a check of it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.ledger.checking import AnswerCheck
from veridical.sources.document import Document
from veridical.sources.span import Span


@dataclass(frozen=True, slots=True)
class Region:
    """A place in a file. Lines and columns count from 1, columns in code points; a tab is one, and
    a byte-order mark none. `end_column` is that of the character behind the last one.
    """

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """An answer file that was checked.

    `document` has its decoded text, and as its name the path by which people know it: relative,
    with `/`. `sha256` is that of the file's bytes, in hex. `inside` says whether the path leads
    down from the folder that other programs take as the root.
    """

    document: Document
    sha256: str
    check: AnswerCheck
    inside: bool = True

    @property
    def path(self) -> str:
        """The path by which people know the file."""
        return self.document.name

    def region(self, span: Span) -> Region:
        """The place of some words of the answer."""
        position = self.document.position
        return Region(*position(span.start), *position(span.end))


@dataclass(frozen=True, slots=True)
class SourceFile:
    """Where a source lies: `path` relative to the root, with `/`; `sha256` of the file's bytes."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class CheckedFiles:
    """Answer files that were checked against the same sources.

    `sources` are the files of those that lie below the root, by the names of their documents.
    `failures` say which files could not be read, `warnings` what was lost in reading the sources.
    """

    files: tuple[CheckedFile, ...]
    sources: Mapping[str, SourceFile] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def claims(self) -> int:
        """How many claims all files make."""
        return sum(file.check.claims for file in self.files)

    @property
    def supported(self) -> int:
        """How many of them are borne out."""
        return sum(file.check.supported for file in self.files)
