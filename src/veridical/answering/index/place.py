"""Where an index is kept: in a database that is named, or in a file of the user's cache."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from veridical.answering.index.given import check_sources
from veridical.errors import ConfigurationError, MissingExtraError, NoDocumentsError, StoreError
from veridical.retrieval.kept import Content, KeptFile, KeptIndex

if TYPE_CHECKING:
    from veridical.store.engine import Database

CACHE_VARIABLE = "XDG_CACHE_HOME"

_KEY_DIGITS = 16
_BESIDE = ("-wal", "-shm", "")
"""The files of an SQLite database, in the order in which they may go."""

_log = logging.getLogger(__name__)

T = TypeVar("T")


def cache_file(sources: Sequence[str]) -> Path | None:
    """Where the index of these sources is kept unless a database is named.

    A file of the user's cache folder: $XDG_CACHE_HOME or ~/.cache, then veridical/index-<hash of
    the real paths>.db. In whatever order they are given it is the same. None for a user who has no
    home.
    """
    base = Path(os.environ.get(CACHE_VARIABLE, ""))
    if not base.is_absolute():
        # The specification of the variable says to ignore it then.
        try:
            base = Path.home() / ".cache"
        except RuntimeError:
            return None
    return base / "veridical" / f"index-{_key(sources)}.db"


class IndexPlace:
    """An index in a database, opened for each thing that is done and closed after it.

    `warnings` says what went wrong with a file of the cache, and was made good: that file is ours
    to throw away, so it never stops the work. A named database is the user's: what is wrong with
    it is a StoreError.
    """

    def __init__(self, index: KeptIndex, url: str | None, *, writes: bool) -> None:
        self.index = index
        self.warnings: list[str] = []
        self._file = cache_file(index.sources) if url is None else None
        self._url = url
        self._writes = writes
        self._given_up = False
        if url is None and self._file is None:
            self._give_up(f"There is no home folder, and {CACHE_VARIABLE} is not set.")

    @classmethod
    def find(
        cls, sources: Sequence[str], url: str | None, *, writes: bool, workspace: str | None = None
    ) -> IndexPlace:
        """Where the index of these sources is kept; without sources, the only one of a database.

        `workspace` is the one that holds it: its own, named after the sources, unless given. In one
        that is given, changed files are new versions of their documents.
        Raises NoDocumentsError where a source is not there, or neither is named;
        ConfigurationError for standard input, and as `of_database` does.
        """
        check_sources(sources)
        if not sources:
            if url is None:
                raise NoDocumentsError("No documents were named. Give a folder, or a database.")
            return cls.of_database(url)
        real = tuple(sorted({os.path.realpath(source) for source in sources}))
        place = workspace or f"index-{_key(real)}"
        index = KeptIndex(place, real, keeps_versions=workspace is not None)
        return cls(index, url, writes=writes)

    @classmethod
    def of_database(cls, url: str) -> IndexPlace:
        """The only index of a database; ConfigurationError where it holds none or several."""
        with _opened(url, writes=False) as database:
            from veridical.store.indexes import kept_indexes

            found = kept_indexes(database)
            place = database.place
        if not found:
            raise ConfigurationError(
                f"{place} holds no index. Make one with: veridical index DIR --database URL"
            )
        if len(found) > 1:
            listed = "; ".join(" and ".join(index.sources) for index in found)
            raise ConfigurationError(
                f"{place} holds {len(found)} indexes: {listed}. Name the documents of one of them."
            )
        return cls(found[0], url, writes=False)

    @property
    def is_kept(self) -> bool:
        """Whether what is found out about files is kept for the next start."""
        return self._writes and not self._given_up

    @property
    def shown(self) -> str:
        """Where it is, for people: never with a password."""
        if self._url is None:
            return str(self._file)
        from veridical.store.engine import Database

        database = Database(self._url)
        try:
            return database.place.removeprefix("The database ")
        finally:
            database.close()

    def files(self) -> tuple[KeptFile, ...]:
        """The files whose documents are kept; none where nothing is."""

        def work(database: Database) -> tuple[KeptFile, ...]:
            from veridical.store.indexes import kept_files

            return kept_files(database, self.index.workspace)

        return self._done(work, ())

    def contents(self) -> dict[str, Content]:
        """The documents that are kept, by the path of their file."""

        def work(database: Database) -> dict[str, Content]:
            from veridical.store.indexes import load_contents

            return load_contents(database, self.index.workspace)

        return self._done(work, {})

    def count_chunks(self) -> int:
        """How many chunks are kept."""

        def work(database: Database) -> int:
            from veridical.store.indexes import count_chunks

            return count_chunks(database, self.index.workspace)

        return self._done(work, 0)

    def write(
        self,
        *,
        read: Sequence[tuple[KeptFile, Content]] = (),
        touched: Sequence[KeptFile] = (),
        removed: Sequence[str] = (),
    ) -> None:
        """Keep what was found of some files, all of it or nothing. Without `writes`, nothing."""

        def work(database: Database) -> None:
            from veridical.store.indexes import write_files

            write_files(database, self.index, read=read, touched=touched, removed=removed)

        if self.is_kept and (read or touched or removed):
            self._done(work, None)

    def _done(self, work: Callable[[Database], T], nothing: T) -> T:
        """What `work` returns, or `nothing` where there is no database that it can be done in."""
        if self._url is not None:
            with _opened(self._url, writes=self._writes) as database:
                return work(database)
        if self._given_up or self._file is None or not (self._writes or self._file.exists()):
            return nothing
        try:
            return self._in_cache(self._file, work)
        except (MissingExtraError, StoreError, OSError) as error:
            return self._again(self._file, work, nothing, error)

    def _again(self, file: Path, work: Callable[[Database], T], nothing: T, error: Exception) -> T:
        """After an error: the same in a new file of the cache, or where there is none, nothing."""
        if self._writes and isinstance(error, StoreError) and not _is_of_access(error):
            self._warn(f"The index {file} could not be used and is made anew. ({error})")
            try:
                _remove(file)
                return self._in_cache(file, work)
            except (StoreError, OSError) as second:
                error = second
        self._give_up(str(error))
        return nothing

    def _give_up(self, reason: str) -> None:
        self._given_up = True
        self._warn(f"The documents are read without an index that is kept. ({reason})")

    def _in_cache(self, file: Path, work: Callable[[Database], T]) -> T:
        if self._writes:
            # What is in the documents may not be for everyone on this machine.
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.touch(mode=0o600)
        with _opened(str(file), writes=self._writes) as database:
            return work(database)

    def _warn(self, warning: str) -> None:
        _log.warning("%s", warning)
        self.warnings.append(warning)


def _is_of_access(error: StoreError) -> bool:
    from veridical.store.failures import is_of_access

    return is_of_access(error)


@contextmanager
def _opened(url: str, *, writes: bool) -> Iterator[Database]:
    from veridical.store.engine import Database
    from veridical.store.schema import prepare

    database = Database(url)
    try:
        prepare(database, create=writes, upgrade=writes)
        yield database
    finally:
        database.close()


def _remove(file: Path) -> None:
    for suffix in _BESIDE:
        with suppress(FileNotFoundError):
            file.with_name(file.name + suffix).unlink()


def _key(sources: Sequence[str]) -> str:
    real = sorted({os.path.realpath(source) for source in sources})
    return hashlib.sha256(json.dumps(real).encode()).hexdigest()[:_KEY_DIGITS]
