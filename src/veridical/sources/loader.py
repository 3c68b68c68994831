"""Files, folders, standard input and strings become Documents."""

from __future__ import annotations

import logging
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from veridical.errors import DocumentParsingError, NoDocumentsError
from veridical.sources.document import DEFAULT_LIMITS, MEBIBYTE, Document, Format, SourceLimits
from veridical.sources.sniff import SUFFIXES, declared_encoding, decode, sniff_binary, sniff_text
from veridical.tracing import traced


def plain_name(path: str) -> str:
    r"""The path of a file as text that everything takes: a name, a database, JSON.

    A file system takes names that are not UTF-8; Python reads each odd byte as half of a surrogate
    pair, which none of these can hold. They are told as their bytes are (`caf\xe9.md`), so that two
    files that differ in them only do not fall together.
    """
    try:
        data = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # another half of a pair, of no file that could be there
        data = path.encode("utf-8", "backslashreplace")
    return data.decode("utf-8", "backslashreplace")


STANDARD_INPUT = "-"
STANDARD_INPUT_NAME = "stdin"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LoadFailure:
    """A source that could not be read: how the user knows it, and what to do about it."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of some sources: the documents, and beside them what failed. Both in order."""

    documents: tuple[Document, ...]
    failures: tuple[LoadFailure, ...]


def document_from_text(
    text: str,
    name: str = "document",
    format: Format | None = None,
    *,
    limits: SourceLimits = DEFAULT_LIMITS,
) -> Document:
    """A document from a string; without `format` it is told from the content.

    Offsets are code points of `text`, less a byte-order mark at its start.
    Raises DocumentParsingError where the text is empty, over a limit, or said to be no text.
    """
    size_bytes = len(text.encode("utf-8", "surrogatepass"))
    check_size(size_bytes, name, limits)
    return _read(text.removeprefix("\ufeff"), name, format, "", size_bytes, limits)


@traced("sources.load")
def load_document(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    limits: SourceLimits = DEFAULT_LIMITS,
) -> Document:
    """The document in a file. It is known as `name`, or else by its path as given.

    Raises DocumentParsingError where the file is missing, empty, over a limit or unreadable.
    """
    name = plain_name(os.fspath(path)) if name is None else name
    return _of_file(Path(path), name, limits)


@traced("sources.load")
def load_document_bytes(
    data: bytes,
    name: str,
    *,
    suffix: str | None = None,
    limits: SourceLimits = DEFAULT_LIMITS,
) -> Document:
    """The document in the bytes of a file.

    `suffix` (".md") helps to tell the format; by default it is that of `name`.
    Raises DocumentParsingError where the data is empty, over a limit or unreadable.
    """
    return _of_bytes(data, name, Path(name).suffix if suffix is None else suffix, limits)


def _of_file(path: Path, name: str, limits: SourceLimits) -> Document:
    return _of_bytes(read_file(path, name, limits), name, path.suffix, limits)


def _of_bytes(data: bytes, name: str, suffix: str, limits: SourceLimits) -> Document:
    if not data:
        raise DocumentParsingError(
            f"{name}: the file is empty (0 bytes). Give a file that holds text."
        )
    check_size(len(data), name, limits)
    binary = sniff_binary(data, name, suffix)
    if binary:
        from veridical.sources.isolated import parse_isolated

        return parse_isolated(binary, data, name, limits=limits)
    is_markup = SUFFIXES.get(suffix.lower()) is Format.HTML or data.lstrip()[:1] == b"<"
    text = decode(data, name, declared=declared_encoding(data) if is_markup else None)
    return _read(text, name, None, suffix, len(data), limits)


@traced("sources.load")
def load_documents(
    sources: Iterable[str | os.PathLike[str]], *, limits: SourceLimits = DEFAULT_LIMITS
) -> Loaded:
    """The documents in files and folders; `-` is standard input.

    A folder stands for the files in it, at any depth, that have one of `SUFFIXES`, in order of
    their paths; hidden files and links out of the folder are left out. A file is known by its path
    as given, one from a folder by its path inside it; where two names would be the same, the
    folder is put before them. A file that is given twice is read once.
    A source that cannot be read is a failure beside the documents that can.
    Raises NoDocumentsError where no source is given, or a folder holds no document.
    """
    entries: list[SourceEntry] = []
    for source in sources:
        entries.extend(source_entries(os.fspath(source)))
    if not entries:
        raise NoDocumentsError(
            "No source was given. Name a file, a folder, or - for standard input."
        )
    return load_entries(with_unique_names(without_repeats(entries)), limits=limits)


def load_entries(
    entries: Iterable[SourceEntry], *, limits: SourceLimits = DEFAULT_LIMITS
) -> Loaded:
    """The documents of entries, which are known by the names that those have: see
    `load_documents`.
    """
    documents: list[Document] = []
    failures: list[LoadFailure] = []
    for entry in entries:
        try:
            documents.append(entry.load(entry.name, limits))
        except DocumentParsingError as error:
            failures.append(LoadFailure(entry.name, str(error)))
    _log.debug("loaded %d documents, %d failed", len(documents), len(failures))
    return Loaded(tuple(documents), tuple(failures))


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One document to load: `identity` tells repeats, `folder` is where it was found. `path` leads
    to the file, which `name` need not: see `plain_name`. `refused` is why a folder cannot be read.
    """

    name: str
    path: Path
    folder: Path
    identity: str
    refused: str = ""

    def load(self, name: str, limits: SourceLimits) -> Document:
        """The document. Raises DocumentParsingError where it cannot be read."""
        if self.refused:
            raise DocumentParsingError(
                f"{name}: the folder cannot be read ({self.refused}). Check its permissions."
            )
        if self.identity == STANDARD_INPUT:
            return _of_bytes(read_standard_input(limits), name, "", limits)
        return _of_file(self.path, name, limits)


def source_entries(source: str) -> Iterator[SourceEntry]:
    """What a source stands for: a file, the files of a folder, or standard input; unread.

    Raises NoDocumentsError for a folder that holds no document, and for an empty name: that would
    be the current folder, where most likely a variable is not set.
    """
    if not source:
        raise NoDocumentsError("the name of a source is empty. Name a file or a folder.")
    if source == STANDARD_INPUT:
        yield SourceEntry(STANDARD_INPUT_NAME, Path(), Path(), STANDARD_INPUT)
    elif Path(source).is_dir():
        yield from _folder_entries(Path(source))
    else:
        yield _file_entry(Path(source), source, Path())


def _file_entry(path: Path, name: str, folder: Path) -> SourceEntry:
    return SourceEntry(plain_name(name), path, folder, identity_of(path))


def _folder_entries(folder: Path) -> Iterator[SourceEntry]:
    root = identity_of(folder)
    refused: list[OSError] = []
    found = [path for path in _files_below(folder, refused) if _is_document(path, root)]
    if not found and not refused:
        raise NoDocumentsError(
            f"{folder}: the folder holds no document. Looked for files ending in "
            f"{', '.join(SUFFIXES)}, also in its subfolders."
        )
    for path in sorted(found, key=lambda path: path.parts):
        yield _file_entry(path, path.relative_to(folder).as_posix(), folder)
    for error in sorted(refused, key=str):
        name = str(error.filename)
        yield SourceEntry(plain_name(name), Path(name), Path(), name, _reason(error))


def passed_over(source: str) -> list[str]:
    """The files of a folder that `source_entries` leaves out, by their paths in it: those that are
    not named as documents, and links that lead nowhere or out of it. Hidden ones are not told.
    """
    folder, root = Path(source), identity_of(Path(source))
    left = [path for path in _files_below(folder, []) if not _is_document(path, root)]
    return [path.relative_to(folder).as_posix() for path in sorted(left)]


def _files_below(folder: Path, refused: list[OSError]) -> Iterator[Path]:
    """The files of a folder that are not hidden; `refused` gets why one in it cannot be read."""
    for place, folders, files in os.walk(folder, onerror=refused.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place, name) for name in files if not name.startswith("."))


def identity_of(path: Path) -> str:
    """The file that a path leads to; the path itself where no system would take it."""
    try:
        return os.path.realpath(path)
    except ValueError:
        return str(path)


def _is_document(path: Path, root: str) -> bool:
    """Whether a file has the name of a document and lies, its links followed, in `root`."""
    real = Path(identity_of(path))
    return path.suffix.lower() in SUFFIXES and real.is_file() and real.is_relative_to(root)


def without_repeats(entries: list[SourceEntry]) -> list[SourceEntry]:
    """Each file once, where it comes first."""
    first: dict[str, SourceEntry] = {}
    for entry in entries:
        first.setdefault(entry.identity, entry)
    return list(first.values())


def with_unique_names(entries: list[SourceEntry]) -> list[SourceEntry]:
    """`entries` with the folder before each name that occurs twice, and at last a number."""
    counts = Counter(entry.name for entry in entries)
    named: list[SourceEntry] = []
    taken: set[str] = set()
    for entry in entries:
        wanted = entry.name
        if counts[wanted] > 1:
            wanted = Path(plain_name(str(entry.folder)), wanted).as_posix()
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted} ({number})", number + 1
        taken.add(name)
        named.append(replace(entry, name=name))
    return named


def read_standard_input(limits: SourceLimits) -> bytes:
    """All of standard input, or one byte more than the limit.

    Raises DocumentParsingError where it is empty or cannot be read.
    """
    try:
        data = sys.stdin.buffer.read(limits.max_bytes + 1)
    except (OSError, AttributeError, ValueError):
        raise DocumentParsingError(
            "Standard input cannot be read. Pipe a document into the command, or name a file."
        ) from None
    if not data:
        raise DocumentParsingError("Standard input is empty. Pipe a document into the command.")
    return data


def read_file(path: Path, name: str, limits: SourceLimits) -> bytes:
    """The bytes of a file that is known as `name`.

    Raises DocumentParsingError where it is missing, unreadable or over the limit.
    """
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            check_size(size, name, limits)
            # The size of a pipe is not known before it is read.
            return file.read(limits.max_bytes + 1)
    except FileNotFoundError:
        message = "no such file. Check the path"
    except IsADirectoryError:
        message = "a folder, not a file. Name a file in it, or load the folder as a whole"
    except PermissionError:
        message = "permission denied. Make the file readable"
    except (OSError, ValueError) as error:
        message = f"cannot be read ({_reason(error)}). Check the path"
    raise DocumentParsingError(f"{name}: {message}.")


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).rstrip(".")


def check_size(size_bytes: int, name: str, limits: SourceLimits) -> None:
    """Raise DocumentParsingError where a source is over the limit."""
    if size_bytes > limits.max_bytes:
        raise DocumentParsingError(
            f"{name}: larger than the limit of {limits.max_bytes / MEBIBYTE:g} MiB for one "
            "document. Split it, or raise the limit."
        )


def _read(
    text: str,
    name: str,
    format: Format | None,
    suffix: str,
    size_bytes: int,
    limits: SourceLimits,
) -> Document:
    if not text or text.isspace():
        raise DocumentParsingError(
            f"{name}: the document is empty. Give a document that holds text."
        )
    if len(text) > limits.max_text_chars:
        raise DocumentParsingError(
            f"{name}: {len(text)} characters are over the limit of {limits.max_text_chars} for one "
            "document. Split it, or raise the limit."
        )
    kind = format or sniff_text(text, suffix)
    if kind is Format.TRANSCRIPT:
        from veridical.sources.transcripts.loader import transcript_from_text

        return replace(transcript_from_text(text, name, limits=limits), size_bytes=size_bytes)
    # The readers are imported here: start-up should not wait for those that are not needed.
    if kind is Format.HTML:
        from veridical.sources.html import read_html

        return read_html(text, name, size_bytes=size_bytes, limits=limits)
    if kind is Format.MARKDOWN:
        from veridical.sources.markdown import read_markdown

        return read_markdown(text, name, size_bytes=size_bytes, limits=limits)
    if (
        kind in (Format.PLAIN_TEXT, Format.JSON)
        and format is None
        and text.lstrip()[:1] in {"{", "["}
    ):
        from veridical.sources.transcripts.loader import clear_transcript

        transcript = clear_transcript(text, name, size_bytes=size_bytes, limits=limits)
        if transcript is not None:
            return transcript
    if kind in (Format.JSON, Format.CSV):
        from veridical.sources.isolated import parse_isolated

        data = text.encode("utf-8", "replace")
        return replace(parse_isolated(kind, data, name, limits=limits), size_bytes=size_bytes)
    if kind is Format.PLAIN_TEXT:
        from veridical.sources.headings import read_plain_text

        return read_plain_text(text, name, size_bytes=size_bytes)
    raise DocumentParsingError(
        f"{name}: a {kind.upper()} document cannot be read from a string. "
        "Load it from its file or its bytes.",
        kind,
    )
