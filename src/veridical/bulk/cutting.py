"""The beginning of a run: what it is given is found and looked at, and its work is cut."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from veridical.bulk import spill
from veridical.bulk.changes import seen_folder
from veridical.bulk.folder import FolderDocuments
from veridical.bulk.manifest import Identity, Manifest, kept_manifest
from veridical.bulk.parting import Layout, Shard, part_claims, part_documents, shard_count
from veridical.bulk.places import (
    JSON_LINES,
    PARQUET,
    GivenFile,
    StrPath,
    given_files,
    local_paths,
)
from veridical.bulk.progress import Progress, State
from veridical.bulk.reading import ReadBatch, estimated_rows, read_claims
from veridical.bulk.settings import BulkSettings
from veridical.bulk.sources import TableDocuments, documents_at
from veridical.errors import ConfigurationError

INPUTS = (*PARQUET, *JSON_LINES)
"""How files of claims end."""

WORK = "_work"
"""The folder of an output where what is under way stands; it is gone once the run is over."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a run is given."""

    files: tuple[GivenFile, ...]
    documents: FolderDocuments | TableDocuments
    output: Path
    settings: BulkSettings
    identity: Identity

    @classmethod
    def of(cls, claims: StrPath, output: Path, documents: StrPath, settings: BulkSettings) -> Given:
        """Find it, and look at it. Raises what `local.run` raises for what cannot be read."""
        files = tuple(given_files(claims, INPUTS))
        sources = documents_at(documents)
        if isinstance(sources, FolderDocuments):  # no claim rests on the claims, or on results
            sources = sources.without([*local_paths(files), output])
        identity = Identity.of(files, sources, settings)
        return cls(files, sources, output, settings, identity)

    @property
    def layout(self) -> Layout:
        """Where its work stands."""
        return Layout(self.output / WORK)


def manifest_of(given: Given, *, resume: bool, progress: Progress | None) -> Manifest:
    """Cut the work of a run, or find it cut.

    Raises ConfigurationError where the output holds something else, ValidationError for what
    cannot be read, OSError for what cannot be written.
    """
    layout = given.layout
    kept = kept_manifest(layout, given.identity) if resume else None
    if kept is not None:
        return kept
    _require_room(given.output, resume=resume)
    shutil.rmtree(layout.folder, ignore_errors=True)
    try:
        return cut(given, progress)
    except BaseException:  # what is cut in part is of no use, and takes room
        shutil.rmtree(layout.folder, ignore_errors=True)
        raise


def cut(given: Given, progress: Progress | None = None) -> Manifest:
    """Cut the work of a run; the same run is always cut the same. Raises as `manifest_of`."""
    layout, settings, documents = given.layout, given.settings, given.documents
    layout.failures.mkdir(parents=True)
    seen_folder(layout).mkdir()
    text_bytes = documents.text_bytes if isinstance(documents, TableDocuments) else 0
    count = shard_count(estimated_rows(given.files), text_bytes, settings)
    tally = _Tally(progress)
    batches = tally.counted(read_claims(given.files, settings))
    shards = part_claims(batches, layout, count, settings)
    held: dict[str, int] = {}
    if isinstance(documents, TableDocuments):
        part_documents(documents, layout, count, shards)
        held = {shard.name: _documents(layout, shard) for shard in shards}
    manifest = Manifest(given.identity, tally.rows, tally.refused, count, tuple(shards), held)
    manifest.write(layout)
    pa.default_memory_pool().release_unused()  # whoever cut now only waits
    return manifest


def _documents(layout: Layout, shard: Shard) -> int:
    """How many documents stand ready for a shard."""
    files = layout.documents_for(shard)
    return sum(batch.num_rows for path in files for batch in spill.batches(path))


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


class _Tally:
    """Counts rows as they go by."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self.rows = self.refused = 0

    def counted(self, batches: Iterable[ReadBatch]) -> Iterator[ReadBatch]:
        """The same batches."""
        for batch in batches:
            self.refused += batch.refused.num_rows
            self.rows += batch.claims.num_rows + batch.refused.num_rows
            yield batch
            if self._progress is not None:
                self._progress(State(0, 0, self.refused))
