"""The index of folders of policies: read once, kept, and brought up to date file by file."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path, PurePath

from veridical.answering.index.files import (
    Finding,
    Reading,
    is_as_kept,
    list_files,
    look_at,
)
from veridical.answering.index.given import check_sources
from veridical.answering.index.place import IndexPlace
from veridical.answering.index.snapshot import IndexedCorpus, RefreshReport, Snapshot
from veridical.matching.embeddings import Embedder
from veridical.retrieval.chunks import DEFAULT, ChunkPolicy
from veridical.retrieval.kept import Content, KeptFile
from veridical.sources.document import DEFAULT_LIMITS, SourceLimits
from veridical.sources.loader import LoadFailure, SourceEntry
from veridical.tracing import traced
from veridical.version import __version__

# What reads and cuts documents, told by a hash: another reader may make other documents.


_READERS = ("sources", "text", "retrieval")
"""Our packages that have a hand in documents and chunks."""

_LIBRARIES = ("pypdfium2", "pyromark", "rapidocr", "sentencex")
"""The libraries that have one: they take text from PDF, read Markdown, and part sentences."""


def maker(policy: ChunkPolicy, limits: SourceLimits) -> str:
    """A hash, in hex, of all that documents and chunks depend on beside the file itself.

    It changes with the code that reads and cuts, so that nobody has to remember to raise a number
    when it is changed, and with the settings.
    """
    parts = [__version__, _code(), asdict(policy), asdict(limits)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@cache
def _code() -> str:
    """A hash of our own code for documents, and of the versions of the libraries below it."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[2]
    for package in _READERS:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(f"{path.relative_to(root).as_posix()}\n".encode())
            digest.update(path.read_bytes())
    for library in _LIBRARIES:
        digest.update(f"{library} {_version(library)}\n".encode())
    return digest.hexdigest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


_AT_ONCE = 64
"""Files that are read before they are written: what a run that is killed loses."""

_MOST_READERS = 8
"""Files that are read at a time. PDF and DOCX each have a process of their own to wait for."""

OnProgress = Callable[[int, int], None]
"""Told how many of the files that must be read have been, and how many there are."""

_DAMAGED = (
    "its document in the database was changed or is damaged. Make the index again with: veridical "
    "index DIR --database URL"
)

_log = logging.getLogger(__name__)


class PolicyIndex:
    """The documents of files and folders. Open it with `PolicyIndex.open`.

    Usable from several threads, and from several processes over one database. Readers take a
    `Snapshot` and go on with it while `refresh` makes the next.
    """

    def __init__(
        self,
        sources: Sequence[str],
        place: IndexPlace,
        *,
        policy: ChunkPolicy = DEFAULT,
        limits: SourceLimits = DEFAULT_LIMITS,
        embedder: Embedder | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self._sources = tuple(sources)
        self._place = place
        self._reading = Reading(policy, limits, maker(policy, limits))
        self._embedder = embedder
        self._on_progress = on_progress
        self._lock = threading.RLock()
        self._files: dict[str, SourceEntry] = {}
        self._order: list[str] = []
        self._known: dict[str, KeptFile] = {file.path: file for file in place.files()}
        self._failed: dict[str, Finding] = {}
        self._contents: dict[str, Content] = {}
        self._failures: tuple[LoadFailure, ...] = ()
        self._is_stale = True
        self._snapshot: Snapshot | None = None
        self.opened = self.refresh()

    @classmethod
    def open(
        cls,
        sources: Sequence[str | os.PathLike[str]],
        *,
        database: str | None = None,
        workspace: str | None = None,
        embedder: Embedder | None = None,
        keep: bool = True,
        on_progress: OnProgress | None = None,
    ) -> PolicyIndex:
        """The index of files and folders, brought up to date: only what changed is read.

        It is kept in `database` (the file of an SQLite database, or a URL), or without one in a
        file of the user's cache (`index_place.cache_file`); if `keep` is false, an index that is
        kept is used, but nothing is written. Without `sources` it is the only one of `database`,
        as it is kept: no file is looked at. `embedder` is what retrieval uses. `opened` of the
        index reports what was found. Documents are named as `load_documents` names them, and are
        those of `workspace`, which may hold others too; without it, of one of their own.

        Raises NoDocumentsError where a source is not there, or none is named and no database
        (a folder that holds no document is an index of none); ConfigurationError for standard
        input, and for a database without sources that holds no index, or several; StoreError where
        a database that is named cannot be used.
        """
        named = [os.fspath(source) for source in sources]
        place = IndexPlace.find(named, database, writes=keep, workspace=workspace)
        return cls(named, place, embedder=embedder, on_progress=on_progress)

    @property
    def place(self) -> str | None:
        """Where it is kept, for people; None where it is only in memory."""
        return self._place.shown if self._place.is_kept or not self._sources else None

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self._order)

    def names(self) -> tuple[str, ...]:
        """What the documents are called, in their order."""
        with self._lock:
            return tuple(self._known[path].name for path in self._order)

    def count_chunks(self) -> int:
        """How many chunks the documents have."""
        if self._place.is_kept and self._snapshot is None:
            return self._place.count_chunks()
        return len(self.current().corpus.chunks)

    def current(self) -> Snapshot:
        """The newest state. Its corpus is made on the first call, with chunks but no search index:
        `corpus.prepare()` makes that.
        """
        snapshot = self._snapshot
        if snapshot is None:
            with self._lock:
                snapshot = self._snapshot or self._next_snapshot(1)
                self._snapshot = snapshot
        return snapshot

    @traced("index.refresh")
    def refresh(self) -> RefreshReport:
        """Look at all files, and read those that changed.

        Where no document changed, `current` stays the snapshot that it is. One that cannot be read
        any more is no longer there. Raises NoDocumentsError where a source is gone as a whole, and
        StoreError where a database that was named cannot be used: the state before stays.
        """
        with self._lock:
            return self._looked_at() if self._sources else self._read_again()

    def _looked_at(self) -> RefreshReport:
        files, failures = list_files(self._sources)
        check_sources(self._sources)  # a folder that is not mounted is not one that was emptied
        self._files = {file.identity: file for file in files}
        before = set(self._known)
        gone = before - self._files.keys()
        self._forget(gone)
        read = self._read([file for file in files if not self._is_as_before(file)])
        self._order = [path for path in self._files if path in self._known]
        failed = (self._failed[path].failure for path in self._files if path in self._failed)
        failures += [failure for failure in failed if failure]
        self._renew(tuple(failures))
        changed = len(read & before)
        report = RefreshReport(
            added=len(read) - changed,
            changed=changed,
            removed=len(gone),
            unchanged=len(self._order) - len(read),
            failures=tuple(failures),
            warnings=tuple(self._place.warnings),
        )
        _log.debug("index: %d files read, %d gone, %d failed", len(read), len(gone), len(failures))
        return report

    def _is_as_before(self, file: SourceEntry) -> bool:
        """Whether what is known of a file, or why it cannot be read, still holds."""
        failed = self._failed.get(file.identity)
        known = failed.state if failed else self._known.get(file.identity)
        return is_as_kept(file, known, self._reading)

    def _forget(self, paths: Iterable[str]) -> None:
        """Let go of files that are gone."""
        known = [path for path in paths if path in self._known]
        self._place.write(removed=known)
        self._is_stale = self._is_stale or bool(known)
        for path in known:
            del self._known[path]
            self._contents.pop(path, None)

    def _read(self, files: Sequence[SourceEntry]) -> set[str]:
        """Look at files, keep what they hold, and return the paths of those that were read."""
        read: set[str] = set()
        done = 0
        for findings in self._findings(files):
            if any(found.failure for found in findings):
                check_sources(self._sources)  # it may have gone since its files were listed
            self._take(findings)
            read.update(found.file.identity for found in findings if found.content is not None)
            done += len(findings)
            if self._on_progress is not None:
                self._on_progress(done, len(files))
        return read

    def _findings(self, files: Sequence[SourceEntry]) -> Iterator[list[Finding]]:
        """What is found of files, some at a time and in order, read side by side."""

        def look(file: SourceEntry) -> Finding:
            return look_at(file, self._known.get(file.identity), self._reading)

        waiting = iter(files)
        with ThreadPoolExecutor(min(_MOST_READERS, os.cpu_count() or 1)) as readers:
            while some := list(islice(waiting, _AT_ONCE)):
                yield list(readers.map(look, some))

    def _take(self, findings: Sequence[Finding]) -> None:
        """Make what was found what is known, in the database first."""
        read = [(f.state, f.content) for f in findings if f.state and f.content]
        same = [f.state for f in findings if f.state and not f.content and not f.failure]
        self._place.write(read=read, touched=same)
        self._forget(f.file.identity for f in findings if f.failure)
        for finding in findings:
            path = finding.file.identity
            self._failed.pop(path, None)
            if finding.failure is not None:
                self._failed[path] = finding
            elif finding.state is not None:
                self._known[path] = finding.state
        for state, content in read:
            self._is_stale = True
            self._contents.pop(state.path, None)
            if self._snapshot is not None or not self._place.is_kept:
                self._contents[state.path] = content

    def _read_again(self) -> RefreshReport:
        """The same for an index that is taken as it is kept."""
        before, self._known = self._known, {file.path: file for file in self._place.files()}
        self._order = sorted(self._known, key=lambda path: PurePath(path).parts)
        same = {path for path, file in self._known.items() if before.get(path) == file}
        gone = before.keys() - self._known.keys()
        for path in before.keys() - same:
            self._contents.pop(path, None)
        self._is_stale = self._is_stale or len(same) < max(len(before), len(self._known))
        self._renew(())
        changed = len(before.keys() & self._known.keys() - same)
        return RefreshReport(
            added=len(self._known) - len(same) - changed,
            changed=changed,
            removed=len(gone),
            unchanged=len(same),
        )

    def _renew(self, failures: tuple[LoadFailure, ...]) -> None:
        """Put the next snapshot in the place of the current one, if there is one and it differs."""
        self._failures = failures
        snapshot = self._snapshot
        if snapshot is None:
            return
        if self._is_stale:
            self._snapshot = self._next_snapshot(snapshot.version + 1)
        elif failures != snapshot.failures:
            self._snapshot = replace(snapshot, failures=failures)

    def _next_snapshot(self, version: int) -> Snapshot:
        """A snapshot of what is known now."""
        lost = self._load()
        contents = [self._contents[path] for path in self._order if path in self._contents]
        corpus = IndexedCorpus(contents, policy=self._reading.policy, embedder=self._embedder)
        self._is_stale = False
        return Snapshot(corpus, (*self._failures, *lost), version)

    def _load(self) -> list[LoadFailure]:
        """Have the contents of all files in memory, and say of which that cannot be."""
        missing = [path for path in self._order if path not in self._contents]
        if not missing:
            return []
        kept = self._place.contents()
        for path in missing:
            content = kept.get(path)
            if content is not None and content[0].name == self._known[path].name:
                self._contents[path] = content
        damaged = [path for path in missing if path not in self._contents]
        return [failure for path in damaged for failure in self._repaired(path)]

    def _repaired(self, path: str) -> Iterator[LoadFailure]:
        """Read a file whose document is not as it was kept; say why where that cannot be."""
        name = self._known[path].name
        file = self._files.get(path)
        if file is None:
            yield LoadFailure(name, f"{name}: {_DAMAGED}")
            return
        _log.warning("a document is not as it was kept, and is read again")
        finding = look_at(file, None, self._reading)
        if finding.failure is not None:
            yield finding.failure
        elif finding.state is not None and finding.content is not None:
            self._place.write(read=[(finding.state, finding.content)])
            self._contents[path] = finding.content
