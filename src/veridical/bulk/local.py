"""Bulk work on one machine."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from veridical.bulk import spill
from veridical.bulk.crew import Crew
from veridical.bulk.durable import held, sweep, why
from veridical.bulk.manifest import Manifest, kept_manifest, key_of, require_same
from veridical.bulk.parting import Layout, Shard, part_claims, part_documents, shard_count
from veridical.bulk.places import JSON_LINES, PARQUET, GivenFile, given_files
from veridical.bulk.reading import ReadBatch, estimated_rows, read_claims
from veridical.bulk.settings import BulkSettings
from veridical.bulk.shard import ShardWorker, part_path
from veridical.bulk.sources import FolderDocuments, TableDocuments, documents_at
from veridical.bulk.summary import BulkSummary, finish, read_summary, run_of
from veridical.errors import ConfigurationError, OutputError

INPUTS = (*PARQUET, *JSON_LINES)
"""How files of claims end."""

WORK = "_work"
"""The folder of an output where what is under way stands; it is gone once the run is over."""


@dataclass(frozen=True, slots=True)
class State:
    """How far a run is: rows that are done of all, and how many of these could not be checked.
    `rows` is 0 while they are being counted.
    """

    done: int
    rows: int
    failed: int


Progress = Callable[[State], None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run whose work is cut."""

    output: Path
    layout: Layout
    manifest: Manifest
    documents: FolderDocuments | TableDocuments

    @property
    def left(self) -> list[Shard]:
        """The shards that are not done."""
        return [s for s in self.manifest.shards if not part_path(self.output, s).exists()]

    def worker(self, settings: BulkSettings) -> ShardWorker:
        """Whoever works on the shards, in any process."""
        folder = self.documents if isinstance(self.documents, FolderDocuments) else None
        return ShardWorker(settings, self.layout, self.output, folder)


Told = Callable[[int, int], None]
"""To be called with how many more rows are done, and how many of them are failures."""

Work = Callable[[Prepared, Told], None]
"""Works on the shards that are left of a run."""


def run(
    claims: str,
    output: Path,
    documents: str,
    settings: BulkSettings,
    *,
    resume: bool = False,
    progress: Progress | None = None,
) -> BulkSummary:
    """Check all claims of some files against their documents, and write `output`, a folder.

    `claims` is Parquet or JSONL: a file, a folder, a pattern or a URL. `documents` is a folder
    (`document_id` is the path in it) or Parquet with `document_id` and `text`. With `resume` a run
    that was broken off goes on with the shards that it had not finished; one that is over is left
    as it is.

    Raises ConfigurationError where the folder holds something already (or, with `resume`, another
    run), ValidationError where input or documents cannot be read, OutputError where the output
    cannot be written: what is done is then kept.
    """

    def work(prepared: Prepared, told: Told) -> None:
        Crew(prepared.worker(settings), prepared.layout, settings).work(prepared.left, told)

    return run_with(work, claims, output, documents, settings, resume=resume, progress=progress)


def run_with(
    work: Work,
    claims: str,
    output: Path,
    documents: str,
    settings: BulkSettings,
    *,
    resume: bool = False,
    progress: Progress | None = None,
) -> BulkSummary:
    """As `run`, but `work` says who works on the shards that are left."""
    with writing(output):
        found = over(claims, output, documents, settings) if resume else None
        if found is not None:
            return found
        prepared = prepare(claims, output, documents, settings, resume=resume, progress=progress)
        work(prepared, _told(prepared, progress))
        summary = finish(output, prepared.layout, prepared.manifest, settings.task)
        shutil.rmtree(prepared.layout.folder)
    return summary


@contextmanager
def writing(output: Path) -> Iterator[None]:
    """Keep other runs out of the folder, which is made, and tell of a file that cannot be written
    in our own words. Raises OutputError, and ConfigurationError where another run is at work in it.
    """
    if output.exists() and not output.is_dir():
        raise ConfigurationError(f"{output} is no folder. Choose another name.")
    try:
        with held(output):
            yield
    except OSError as error:
        raise OutputError(
            f"{output}: it cannot be written ({why(error)}). "
            "What is done is kept; make room, or mend it, and go on with --resume."
        ) from error


def over(claims: str, output: Path, documents: str, settings: BulkSettings) -> BulkSummary | None:
    """What came of the run where it is over: the summary is written last. None where it is not.

    Raises ConfigurationError where it was of other data or settings.
    """
    found = read_summary(output)
    if found is not None:
        key = key_of(given_files(claims, INPUTS), documents_at(documents), settings)
        require_same(run_of(output), key, output)
        shutil.rmtree(output / WORK, ignore_errors=True)  # the end of it may have been cut off
    return found


def prepare(
    claims: str,
    output: Path,
    documents: str,
    settings: BulkSettings,
    *,
    resume: bool,
    progress: Progress | None = None,
) -> Prepared:
    """Cut the work of a run, or find it cut. Raises what `run` raises."""
    layout = Layout(output / WORK)
    files = given_files(claims, INPUTS)
    sources = documents_at(documents)
    key = key_of(files, sources, settings)
    kept = kept_manifest(layout, key) if resume else None
    if kept is None:
        _require_room(output, resume=resume)
        shutil.rmtree(layout.folder, ignore_errors=True)
        try:
            layout.failures.mkdir(parents=True)
            kept = _cut(files, sources, layout, settings, key, progress)
        except BaseException:  # what is cut in part is of no use, and takes room
            shutil.rmtree(layout.folder, ignore_errors=True)
            raise
    sweep(output)
    return Prepared(output, layout, kept, sources)


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


def _cut(
    files: Sequence[GivenFile],
    documents: FolderDocuments | TableDocuments,
    layout: Layout,
    settings: BulkSettings,
    key: str,
    progress: Progress | None,
) -> Manifest:
    text_bytes = documents.text_bytes if isinstance(documents, TableDocuments) else 0
    count = shard_count(estimated_rows(files), text_bytes, settings)
    tally = _Tally(progress)
    shards = part_claims(tally.counted(read_claims(files, settings)), layout, count, settings)
    if isinstance(documents, TableDocuments):
        part_documents(documents, layout, count, shards)
    manifest = Manifest(key, tally.rows, tally.refused, count, tuple(shards))
    manifest.write(layout)
    return manifest


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


def _told(prepared: Prepared, progress: Progress | None) -> Told:
    manifest = prepared.manifest
    left = prepared.left
    done = manifest.rows - sum(shard.rows for shard in left)
    failed = manifest.refused + sum(
        batch.num_rows
        for shard in set(manifest.shards).difference(left)
        for batch in spill.batches(prepared.layout.failures_of(shard))
    )

    def more(rows: int, failures: int) -> None:
        nonlocal done, failed
        done, failed = done + rows, failed + failures
        if progress is not None:
            progress(State(done, manifest.rows, failed))

    more(0, 0)
    return more
