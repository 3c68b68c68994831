"""Which files `veridical check` checks, and against which."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridical.cli.files import STANDARD_INPUT, require_regular_files
from veridical.cli.terminal import clean, err
from veridical.errors import DocumentParsingError, NoDocumentsError, ValidationError
from veridical.ledger.answer_file import SourceFile
from veridical.ledger.limits import MAX_ANSWER_CHARS
from veridical.sources.document import Format
from veridical.sources.encoding import decode
from veridical.sources.limits import DEFAULT_LIMITS
from veridical.sources.loader import (
    Loaded,
    SourceEntry,
    identity_of,
    load_entries,
    read_file,
    source_entries,
    with_unique_names,
    without_repeats,
)
from veridical.sources.names import plain_name
from veridical.sources.sniff import SUFFIXES

_ANSWERS = (Format.MARKDOWN, Format.PLAIN_TEXT)
_SUFFIXES = tuple(suffix for suffix, kind in SUFFIXES.items() if kind in _ANSWERS)
_NOT_FOLLOWED = "a link that leads out of this folder is not followed; name the file itself"


@dataclass(frozen=True, slots=True)
class AnswerPath:
    """A file to check. `shown` is its path from the current folder, as people know it; `inside`
    says whether it lies below that folder; `named` whether the user named it and no folder;
    `leads_out` that it is a link out of the current folder, which is not followed.
    """

    path: Path
    shown: str
    inside: bool
    identity: str
    named: bool
    leads_out: bool = False


@dataclass(frozen=True, slots=True)
class AnswerText:
    """The text of a file to check, and the SHA-256 of its bytes in hex."""

    place: AnswerPath
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Sources:
    """What answers are checked against; `files` are those below the current folder, by name."""

    loaded: Loaded
    files: dict[str, SourceFile]


def answer_paths(given: Sequence[str]) -> list[AnswerPath]:
    """The files that files, folders and patterns stand for, each once, in the order given.

    Raises ValidationError for what stands for none, or is neither Markdown nor text.
    """
    found: dict[str, AnswerPath] = {}
    for name in given:
        for place in _places(name):
            found.setdefault(place.identity, place)
    return list(found.values())


def _places(name: str) -> Iterator[AnswerPath]:
    path = Path(name)
    if not name:
        raise ValidationError("the name of a file is empty. Name the files to check.")
    if name == STANDARD_INPUT:
        raise ValidationError("check reads files; for standard input use `veridical ledger build`")
    if path.exists():
        if _way_out(path):
            raise ValidationError(f"{clean(name)}: {_NOT_FOLLOWED}")
        if path.is_dir():
            yield from _of_folder(name)
        else:
            yield _named(path)
        return
    # The pattern may be absolute, which that of a Path may not.
    matches = sorted(glob.glob(name, recursive=True)) if glob.has_magic(name) else []  # noqa: PTH207
    paths = [Path(match) for match in matches if Path(match).suffix.lower() in _SUFFIXES]
    if not paths:
        raise ValidationError(
            f"{clean(name)}: there is no such file, and as a pattern it matches no file ending in "
            f"{', '.join(_SUFFIXES)}. Check the path."
        )
    for path in paths:
        link = _way_out(path)
        if link:
            yield _refused(link)
        elif path.is_file():
            yield _place(path, named=False)


def _way_out(path: Path) -> Path | None:
    """The link by which a path in this folder leads out of it: itself or a folder on the way.

    Names often come from a change that somebody proposes: what they lead to does not.
    """
    here, lexical = Path.cwd(), Path(os.path.abspath(path))  # noqa: PTH100 - links as they are
    root = identity_of(here)
    if not lexical.is_relative_to(here) or Path(identity_of(path)).is_relative_to(root):
        return None
    below = [part for part in (lexical, *lexical.parents) if part.is_relative_to(here)]
    outside = [part for part in below if not Path(identity_of(part)).is_relative_to(root)]
    return outside[-1] if outside else lexical


def _refused(link: Path) -> AnswerPath:
    """A link out of this folder: told once, whatever lies behind it."""
    shown = plain_name(_relative(link) or link.as_posix())
    return AnswerPath(link, shown, inside=True, identity=str(link), named=False, leads_out=True)


def _of_folder(name: str) -> Iterator[AnswerPath]:
    """The Markdown and text files of a folder, hidden ones and links out of it left out."""
    try:
        entries = [entry for entry in source_entries(name) if _is_answer(entry)]
    except NoDocumentsError:
        entries = []
    if not entries:
        raise ValidationError(
            f"{clean(name)}: the folder holds no file ending in {', '.join(_SUFFIXES)}"
        )
    for entry in entries:
        yield _place(entry.path, named=False)


def _is_answer(entry: SourceEntry) -> bool:
    return entry.path.suffix.lower() in _SUFFIXES


def _named(path: Path) -> AnswerPath:
    require_regular_files([path])
    kind = SUFFIXES.get(path.suffix.lower(), Format.PLAIN_TEXT)
    if kind not in _ANSWERS:
        raise ValidationError(
            f"{clean(str(path))}: answers are Markdown or plain text, and this is named as "
            f"{kind.value}"
        )
    return _place(path, named=True)


def _place(path: Path, *, named: bool) -> AnswerPath:
    shown = _relative(path)
    inside = shown is not None
    return AnswerPath(path, plain_name(shown or path.as_posix()), inside, identity_of(path), named)


def _relative(path: Path) -> str | None:
    """A path from the current folder, None where it lies elsewhere."""
    try:
        found = Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return None
    return None if found == ".." or found.startswith("../") else found


def among_sources(place: AnswerPath, documents: Sequence[str]) -> bool:
    """Whether a file lies in one of the folders of sources, or is one of them."""
    roots = [identity_of(Path(name)) for name in documents]
    return any(Path(place.identity).is_relative_to(root) for root in roots)


def read_answers(places: Sequence[AnswerPath]) -> tuple[list[AnswerText], list[str]]:
    """The texts of files, and what is wrong with those of folders that cannot be read.

    Raises DocumentParsingError for a file that was named and cannot be read.
    """
    read: list[AnswerText] = []
    failures: list[str] = []
    for place in places:
        try:
            read.append(_read(place))
        except DocumentParsingError as problem:
            if place.named:
                raise
            failures.append(str(problem))
    return read, failures


def _read(place: AnswerPath) -> AnswerText:
    if place.leads_out:
        raise DocumentParsingError(f"{place.shown}: {_NOT_FOLLOWED}")
    data = read_file(place.path, place.shown, DEFAULT_LIMITS)
    text = decode(data, place.shown)
    if len(text) > MAX_ANSWER_CHARS:
        raise DocumentParsingError(
            f"{place.shown}: {len(text):,} characters are over the limit of {MAX_ANSWER_CHARS:,} "
            "for one answer. Split it."
        )
    if not text.strip():
        raise DocumentParsingError(
            f"{place.shown}: the file is empty; there is no answer to check. See why nothing was "
            "written, or leave the file out."
        )
    return AnswerText(place, text, hashlib.sha256(data).hexdigest())


def read_sources(documents: Sequence[str], checked: Sequence[AnswerPath]) -> Sources:
    """The documents of files and folders, less the files that are checked, which is told.

    Raises DocumentParsingError where one that was named cannot be read, ValidationError where it is
    no file, NoDocumentsError where nothing is left.
    """
    require_regular_files(map(Path, documents))
    answers = {place.identity: place.shown for place in checked}
    entries = [entry for source in documents for entry in source_entries(source)]
    kept = [entry for entry in entries if entry.identity not in answers]
    for identity in dict.fromkeys(e.identity for e in entries if e.identity in answers):
        err(
            f"veridical: warning: {clean(answers[identity])} lies among the documents; it is "
            "checked, and so it is no source. Keep answers elsewhere: one that is not checked in "
            "this run is taken for a source."
        )
    kept = with_unique_names(without_repeats(kept))
    if not kept:
        raise NoDocumentsError("no document is left: all of --documents are checked themselves")
    loaded = load_entries(kept)
    named = set(documents)
    for failure in loaded.failures:
        if failure.name in named:
            raise DocumentParsingError(failure.message)
    if loaded.failures and not loaded.documents:
        raise NoDocumentsError(f"no source could be read. {loaded.failures[0].message}")
    return Sources(loaded, dict(_files(kept)))


def _files(entries: Sequence[SourceEntry]) -> Iterator[tuple[str, SourceFile]]:
    for entry in entries:
        shown = _relative(entry.path)
        if shown is None or not entry.path.is_file():
            continue
        with entry.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        yield entry.name, SourceFile(plain_name(shown), digest)
