"""The beginning of a run: what it is given is found and looked at, and its work is cut and kept, so
that it can go on.

Claims are parted by their document, on disk, so that each document is read once and memory does
not grow with the data: a hash join, whose parts fit. A part is a *shard*: claims with the documents
that they need. How the work is cut depends on the data and the settings only, never on how many
work at it.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from veridical.bulk import storage
from veridical.bulk.documents import FolderDocuments, TableDocuments, documents_at
from veridical.bulk.places import (
    JSON_LINES,
    PARQUET,
    GivenFile,
    StrPath,
    given_files,
    local_paths,
)
from veridical.bulk.reading import estimated_rows, read_claims
from veridical.bulk.settings import MEBIBYTE, BulkSettings
from veridical.bulk.tables import CLAIMS, DOCUMENTS
from veridical.codec import EXACT, Codec
from veridical.errors import ConfigurationError
from veridical.version import __version__

CLAIMS_FOLDER, DOCUMENTS_FOLDER = "claims", "documents"
FAILURES_FOLDER, SEEN_FOLDER = "failures", "seen"
MOST_SHARDS = 4_096
_LARGE = 2
"""A shard of more than so many times the usual rows is cut."""

_SORTED_BYTES = 256 * MEBIBYTE
"""Up to this size a large shard is put in the order of its documents before it is cut, so that
few documents are in two pieces: it fits in memory. What is larger is one document for the most."""


@dataclass(frozen=True, slots=True)
class State:
    """How far a run is: rows that are done of all, and how many of these could not be checked.
    `rows` is 0 while they are being counted.
    """

    done: int
    rows: int
    failed: int


Progress = Callable[[State], None]


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """Work of one piece: claims that were parted into `number`, the `piece` of them, from 0."""

    number: int
    piece: int = 0
    rows: int = 0

    @property
    def name(self) -> str:
        """What its files are called."""
        return f"{self.number:05}" + (f"-{self.piece:05}" if self.piece else "")


WORK = "_work"
"""The folder of an output where what is under way stands; it is gone once the run is over."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a run keeps what it makes: its output, and what is under way in it."""

    output: Path

    @property
    def folder(self) -> Path:
        """The work, which is gone once the run is over."""
        return self.output / WORK

    def part_of(self, shard: Shard) -> Path:
        """The results of a shard: where they are, it is done."""
        return self.output / storage.PARTS.replace("*", shard.name)

    @property
    def refused(self) -> Path:
        """Rows that no shard has, for they cannot be checked."""
        return self.folder / "refused.arrow"

    def claims_of(self, shard: Shard) -> Path:
        """The claims of a shard."""
        return self.folder / CLAIMS_FOLDER / f"{shard.name}.arrow"

    def failures_of(self, shard: Shard) -> Path:
        """The claims of a shard that could not be checked."""
        return self.folder / FAILURES_FOLDER / f"{shard.name}.arrow"

    def seen_of(self, shard: Shard) -> Path:
        """What the shard saw of documents that are files."""
        return self.folder / SEEN_FOLDER / f"{shard.name}.arrow"

    def documents_of(self, shard: Shard) -> Path:
        """The documents of a shard, and of its other pieces, where they came in a table."""
        return storage.spilled(self.folder / DOCUMENTS_FOLDER, shard.number)


def part_claims(given: Given, count: int, progress: Progress | None) -> tuple[list[Shard], int]:
    """Part claims into `count` shards, cut those that became too large, and count the rows that
    are refused.
    """
    layout = given.layout
    parted = storage.Spill(layout.folder / CLAIMS_FOLDER, count)
    rows: NDArray[np.int64] = np.zeros(count, np.int64)
    refused = 0
    for batch in read_claims(given.files, given.settings):
        if batch.refused.num_rows:
            storage.append(layout.refused, batch.refused)
            refused += batch.refused.num_rows
        if batch.claims.num_rows:
            numbers = shard_numbers(batch.claims, count)
            parted.add(batch.claims, numbers)
            rows += np.bincount(numbers, minlength=count)
        if progress is not None:
            progress(State(0, 0, refused))
    parted.flush()
    shards: list[Shard] = []
    for at in np.flatnonzero(rows):
        shards += _cut(layout, Shard(int(at), 0, int(rows[at])), given.settings)
    return shards, refused


def part_documents(
    documents: TableDocuments, layout: Layout, count: int, shards: Sequence[Shard]
) -> None:
    """Part documents as their claims were; those of shards without claims are left out."""
    wanted = np.zeros(count, np.bool_)
    wanted[[shard.number for shard in shards]] = True
    parted = storage.Spill(layout.folder / DOCUMENTS_FOLDER, count)
    for table in documents.batches():
        numbers = shard_numbers(table, count)
        kept = wanted[numbers]
        parted.add(table.filter(pa.array(kept)), numbers[kept])
    parted.flush()


def shard_numbers(table: pa.Table, count: int) -> NDArray[np.int64]:
    """The number of the shard of each row."""
    coded = pc.dictionary_encode(table["document_id"].combine_chunks())
    # By a hash that is the same in every process and at every time.
    names = (name.encode("utf-8", "surrogatepass") for name in coded.dictionary.to_pylist())
    numbers = np.array([zlib.crc32(name) % count for name in names], np.int64)
    found: NDArray[np.int64] = numbers[coded.indices.to_numpy(zero_copy_only=False)]
    return found


def _cut(layout: Layout, shard: Shard, settings: BulkSettings) -> list[Shard]:
    """A shard as it is, or as pieces of the usual size."""
    if shard.rows <= _LARGE * settings.shard_rows:
        return [shard]
    path = layout.claims_of(shard)
    ordered: Iterable[pa.Table]
    if path.stat().st_size <= _SORTED_BYTES:
        table = storage.whole(path, CLAIMS).sort_by(
            [("document_id", "ascending"), ("row", "ascending")]
        )
        ordered = [table]
    else:
        ordered = storage.tables(path)
    pieces: list[Shard] = []
    for number, table in enumerate(storage.resized(ordered, settings.shard_rows)):
        piece = Shard(shard.number, number + 1, table.num_rows)
        storage.write(layout.claims_of(piece), table)
        pieces.append(piece)
    path.unlink()
    return pieces


# What a run is of: the data that it reads and all that decides on its results. Only the same run
# may go on where it was broken off.


_CHANGED = {
    "settings": "columns, settings, configuration or version have changed",
    "claims": "the input has changed",
    "documents": "the documents have changed since",
}


@dataclass(frozen=True, slots=True)
class Identity:
    """Hashes: of the settings, of the input, and of the documents as they are now."""

    settings: str
    claims: str
    documents: str

    @classmethod
    def of(
        cls,
        claims: Sequence[GivenFile],
        documents: FolderDocuments | TableDocuments,
        settings: BulkSettings,
    ) -> Identity:
        """That of a run. Reads a little of each file, and walks a folder of documents.

        Raises ValidationError or ProcessingError where they cannot be read.
        """
        if isinstance(documents, FolderDocuments):
            seen: Any = [str(documents.folder), documents.digest()]
        else:
            seen = _stamps(documents.files)
        return cls(_hash([__version__, settings.deciding()]), _hash(_stamps(claims)), _hash(seen))

    def require_same(self, other: Identity, output: Path) -> None:
        """Raises ConfigurationError where this run, in `output`, is not the same as another."""
        changed = [
            words for name, words in _CHANGED.items() if getattr(self, name) != getattr(other, name)
        ]
        if changed:
            raise ConfigurationError(
                f"The run in {output} was of other data or settings: {'; '.join(changed)}. "
                "Begin anew, in another folder."
            )


def _stamps(files: Iterable[GivenFile]) -> list[list[Any]]:
    return [[file.path, file.size_bytes, file.stamp, file.ends()] for file in files]


def _hash(told: Any) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The cut work of a run: `rows` of the input, of which no shard has those that are `refused`,
    into how many shards (`count`) claims and documents were parted, and how many `documents` stand
    ready for each by its name, where they came in a table.
    """

    identity: Identity
    rows: int
    refused: int
    count: int
    shards: tuple[Shard, ...]
    documents: Mapping[str, int]

    def write(self, layout: Layout) -> None:
        """Keep it: from then on the work counts as cut."""
        os.sync()  # one call for all of the thousands of files
        write_text(layout.folder / MANIFEST, json.dumps(_CODEC.write(self)))


_CODEC = Codec(values=EXACT, closed=True)


def kept_manifest(layout: Layout, identity: Identity) -> Manifest | None:
    """The manifest of a run that was broken off; None where its work was not all cut.

    Raises ConfigurationError where it is of other data or settings.
    """
    try:
        data = json.loads((layout.folder / MANIFEST).read_text("utf-8"))
        found = _CODEC.read(Manifest, data)
    except FileNotFoundError:
        return None
    except (ValueError, LookupError, TypeError) as error:
        raise ConfigurationError(
            f"{layout.folder / MANIFEST} is damaged. Begin anew, in another folder."
        ) from error
    found.identity.require_same(identity, layout.output)
    return found


def write_text(path: Path, text: str) -> None:
    """Write a file whole, or not at all."""
    with storage.whole_file(path) as made:
        made.write_text(text, "utf-8")


INPUTS = (*PARQUET, *JSON_LINES)
"""How files of claims end."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a run is given."""

    files: tuple[GivenFile, ...]
    documents: FolderDocuments | TableDocuments
    layout: Layout
    settings: BulkSettings
    identity: Identity

    @classmethod
    def of(cls, claims: StrPath, output: Path, documents: StrPath, settings: BulkSettings) -> Given:
        """Find it, and look at it. Raises what `local.run` raises for what cannot be read."""
        files = tuple(given_files(claims, INPUTS))
        # No claim rests on the claims, or on results.
        sources = documents_at(documents).without([*local_paths(files), output])
        identity = Identity.of(files, sources, settings)
        return cls(files, sources, Layout(output), settings, identity)


def manifest_of(given: Given, *, resume: bool, progress: Progress | None) -> Manifest:
    """Cut the work of a run, or find it cut.

    Raises ConfigurationError where the output holds something else, ValidationError for what
    cannot be read, OSError for what cannot be written.
    """
    layout = given.layout
    kept = kept_manifest(layout, given.identity) if resume else None
    if kept is not None:
        return kept
    _require_room(layout.output, resume=resume)
    shutil.rmtree(layout.folder, ignore_errors=True)
    try:
        return cut(given, progress)
    except BaseException:  # what is cut in part is of no use, and takes room
        shutil.rmtree(layout.folder, ignore_errors=True)
        raise


def cut(given: Given, progress: Progress | None = None) -> Manifest:
    """Cut the work of a run; the same run is always cut the same. Raises as `manifest_of`."""
    layout, settings, documents = given.layout, given.settings, given.documents
    for name in (FAILURES_FOLDER, SEEN_FOLDER):
        (layout.folder / name).mkdir(parents=True)
    by_rows = math.ceil(estimated_rows(given.files) / settings.shard_rows)
    by_bytes = math.ceil(documents.text_bytes / settings.shard_document_bytes)
    count = min(MOST_SHARDS, max(1, by_rows, by_bytes))
    shards, refused = part_claims(given, count, progress)
    held: dict[str, int] = {}
    if isinstance(documents, TableDocuments):
        part_documents(documents, layout, count, shards)
        for shard in shards:
            held[shard.name] = storage.whole(layout.documents_of(shard), DOCUMENTS).num_rows
    rows = refused + sum(shard.rows for shard in shards)
    manifest = Manifest(given.identity, rows, refused, count, tuple(shards), held)
    manifest.write(layout)
    pa.default_memory_pool().release_unused()  # whoever cut now only waits
    return manifest


def _require_room(output: Path, *, resume: bool) -> None:
    """Whatever is in the folder already is not ours to mix with."""
    there = sorted(one.name for one in output.iterdir()) if output.is_dir() else []
    strange = [name for name in there if not (resume and name == WORK)]
    if strange == [WORK]:
        raise ConfigurationError(
            f"{output} holds a run that was broken off. Go on with --resume, or choose another "
            "folder."
        )
    if strange:
        raise ConfigurationError(f"{output} exists and is not empty. Choose another folder.")
