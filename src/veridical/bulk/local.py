"""Bulk work on one machine: on files by processes, or on Arrow tables in this process."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from veridical.bulk import storage
from veridical.bulk.cutting import (
    MANIFEST,
    WORK,
    Given,
    Layout,
    Manifest,
    Progress,
    Shard,
    State,
    manifest_of,
)
from veridical.bulk.documents import FolderDocuments, as_documents
from veridical.bulk.places import StrPath
from veridical.bulk.pool import Told, WorkerPool
from veridical.bulk.reading import batches_of
from veridical.bulk.settings import BulkSettings
from veridical.bulk.shard import (
    Lessons,
    ShardWorker,
    repeated_failures,
    require_unchanged,
    texts_of,
)
from veridical.bulk.summary import (
    BulkSummary,
    finish,
    over,
)
from veridical.bulk.tables import CLAIMS, FAILURES, RESULTS, as_table
from veridical.errors import ConfigurationError, OutputError, ValidationError


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run whose work is cut."""

    given: Given
    manifest: Manifest

    @property
    def left(self) -> list[Shard]:
        """The shards that are not done, the largest first: none is waited for alone at the end."""
        shards = sorted(self.manifest.shards, key=lambda one: (-one.rows, one))
        return [shard for shard in shards if not self.given.layout.part_of(shard).exists()]

    def worker(self) -> ShardWorker:
        """Whoever works on the shards, in any process."""
        given = self.given
        folder = given.documents if isinstance(given.documents, FolderDocuments) else None
        return ShardWorker(given.settings, given.layout, folder, self.manifest.documents)


Work = Callable[[Prepared, Told], None]
"""Works on the shards that are left of a run."""


def run(
    claims: StrPath,
    output: StrPath,
    documents: StrPath,
    settings: BulkSettings,
    *,
    resume: bool = False,
    progress: Progress | None = None,
    work: Work | None = None,
) -> BulkSummary:
    """Check all claims of some files against their documents, and write `output`, a folder.

    `claims` is Parquet or JSONL: a file, a folder, a pattern or a URL. `documents` is a folder
    (`document_id` is the path in it) or Parquet with `document_id` and `text`. With `resume` a run
    that was broken off goes on with the shards that it had not finished; one that is over is left
    as it is. `work` says who works on the shards, else processes of this machine.

    Raises ConfigurationError where the folder holds something already (or, with `resume`, another
    run), ValidationError where input or documents cannot be read, OutputError where the output
    cannot be written, ProcessingError where the documents are gone or have changed meanwhile: what
    is done is then kept.
    """
    place = _output_folder(output)
    with writing(place):
        given = Given.of(claims, place, documents, settings)
        layout = given.layout
        found = over(place, given.identity) if resume else None
        if found is not None:
            shutil.rmtree(layout.folder, ignore_errors=True)  # the end may be cut off
            return found
        manifest = manifest_of(given, resume=resume, progress=progress)
        storage.sweep(place)
        prepared = Prepared(given, manifest)
        (work or _in_crew)(prepared, _told(prepared, progress))
        if isinstance(given.documents, FolderDocuments):
            require_unchanged(given.documents, layout, manifest.shards)
        summary = finish(layout, manifest, settings.task)
        shutil.rmtree(layout.folder)
    return summary


def _in_crew(prepared: Prepared, told: Told) -> None:
    WorkerPool(prepared.worker()).work(prepared.left, told)


def _output_folder(given: StrPath) -> Path:
    """The folder that is meant, whatever the current one is later."""
    if "://" in os.fspath(given):
        raise ConfigurationError(
            f"{given}: OUTPUT is a folder of this machine, not a URL. Choose a folder, and copy it "
            "once the run is over."
        )
    return Path(os.path.realpath(given))


@contextmanager
def writing(output: Path) -> Iterator[None]:
    """Keep other runs out of the folder, which is made, and tell of a file that cannot be written
    in our own words. Raises OutputError, and ConfigurationError where another run is at work in it.
    """
    try:
        if output.exists() and not output.is_dir():
            raise ConfigurationError(f"{output} is no folder. Choose another name.")
        with storage.held(output):
            yield
    except OSError as error:
        advice = (
            "What is done is kept; make room, or mend it, and go on with --resume."
            if can_go_on(output)
            else "Nothing was checked; make room, or mend it, and begin again."
        )
        raise OutputError(
            f"{output}: it cannot be written ({storage.why(error)}). {advice}"
        ) from error


def can_go_on(output: StrPath) -> bool:
    """Whether there is work in an output that a run can go on with."""
    return (Path(output) / WORK / MANIFEST).exists()


def _told(prepared: Prepared, progress: Progress | None) -> Told:
    manifest = prepared.manifest
    left = prepared.left
    done = manifest.rows - sum(shard.rows for shard in left)
    failed = manifest.refused + sum(
        storage.whole(prepared.given.layout.failures_of(shard), FAILURES).num_rows
        for shard in set(manifest.shards).difference(left)
    )

    def more(rows: int, failures: int) -> None:
        nonlocal done, failed
        done, failed = done + rows, failed + failures
        if progress is not None:
            progress(State(done, manifest.rows, failed))

    more(0, 0)
    return more


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """`results` as `tables.RESULTS` of the task, `failures` as `tables.FAILURES`, each by `row`,
    the place of the claim in what was given, from 0. Every row is in one of them.
    """

    results: pa.Table
    failures: pa.Table


def check_table(
    claims: pa.Table, documents: pa.Table | StrPath, settings: BulkSettings | None = None
) -> CheckedTable:
    """Check the claims of a table against documents: a table with `document_id` and `text`, or a
    folder. Works in this process, one document after another, without a limit of time.

    Raises ValidationError where a column is missing or of no right type, or a folder is not there.
    """
    settings = settings or BulkSettings()
    folder = None if isinstance(documents, pa.Table) else _folder(documents)
    worker = ShardWorker(settings, Layout(Path()), folder)
    read = list(batches_of(claims, settings))
    whole = pa.concat_tables([CLAIMS.empty_table(), *(batch.claims for batch in read)])
    lessons, texts = Lessons(), None
    if isinstance(documents, pa.Table):
        table = as_documents(documents, "the documents")
        lessons.documents |= repeated_failures(table["document_id"])
        texts = texts_of(table, whole)
    checked = worker.check(whole, texts, lessons)
    refused = [
        row for batch in read for row in zip(*batch.refused.to_pydict().values(), strict=True)
    ]
    return CheckedTable(
        as_table(sorted(checked.results), RESULTS[settings.task]),
        as_table(sorted([*refused, *checked.failures]), FAILURES),
    )


def _folder(given: StrPath) -> FolderDocuments:
    if not isinstance(given, str | os.PathLike):
        raise ValidationError(
            f"Documents are a table of pyarrow or a folder, not {type(given).__name__}."
        )
    folder = Path(given)
    if not folder.is_dir():
        raise ValidationError(f"{folder}: there is no such folder of documents.")
    return FolderDocuments.at(folder)
