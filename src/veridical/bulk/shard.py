"""The work of one shard: its claims by document, checked, and written as a part of the output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from veridical.bulk import changes, spill
from veridical.bulk.durable import part_path, write_part
from veridical.bulk.folder import FolderDocuments
from veridical.bulk.parting import Layout, Shard
from veridical.bulk.settings import BulkSettings
from veridical.bulk.sources import read_text
from veridical.bulk.tables import CLAIMS, DOCUMENTS, FAILURES, RESULTS, Reason, as_table
from veridical.bulk.unit import BulkClaim, DocumentChecker
from veridical.errors import ProcessingError, VeridicalError
from veridical.sources.document import Document

Failure = tuple[Reason, str]
"""Why rows cannot be checked: the reason, and words."""

Mark = Callable[[str, Sequence[BulkClaim]], None]
"""Called before each piece of work with its stage and its claims; `WRITING` has none."""


def no_mark(_stage: str, _claims: Sequence[BulkClaim]) -> None:
    """A `Mark` where nobody looks on."""


_TWICE: Failure = (Reason.UNREADABLE_DOCUMENT, "several documents have this id")

READING, CHECKING, WRITING = "reading", "checking", "writing"


@dataclass(slots=True)
class Lessons:
    """What was learnt of a shard from the workers that it has ended: rows that are left alone and
    why, and documents whose claims are checked one by one.
    """

    rows: dict[int, Failure] = field(default_factory=dict)
    documents: dict[str, Failure] = field(default_factory=dict)
    singly: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Checked:
    """Rows of results and of failures, and what was seen of the documents of a folder."""

    results: list[tuple[Any, ...]] = field(default_factory=list)
    failures: list[tuple[Any, ...]] = field(default_factory=list)
    seen: list[changes.Seen] = field(default_factory=list)

    def fail(self, claims: Sequence[BulkClaim], failure: Failure) -> None:
        """These cannot be checked."""
        reason, message = failure
        self.failures += [(*claim[:3], reason.value, message) for claim in claims]


class ShardWorker:
    """Works on shards, one after another. `folder` are the documents where they are files, else
    `documents` says how many there are for each shard by its name.
    """

    def __init__(
        self,
        settings: BulkSettings,
        layout: Layout,
        output: Path,
        folder: FolderDocuments | None,
        documents: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._settings = settings
        self._layout = layout
        self._output = output
        self._folder = folder
        self._documents = dict(documents)

    def work(self, shard: Shard, lessons: Lessons, mark: Mark) -> tuple[int, int]:
        """Check the claims of a shard and write its part and its failures, each whole or not at
        all; the part last, for where it is, the shard is done. Gives how many rows each has.
        """
        part = self.part_of(shard)
        if part.exists():  # whoever wrote it ended before it could say so
            results = pq.read_metadata(part).num_rows
            return results, shard.rows - results
        claims = spill.whole(self._layout.claims_of(shard), CLAIMS)
        if claims.num_rows != shard.rows:
            raise _not_whole(self._layout.claims_of(shard))
        lessons.documents.update(self._repeated(shard))
        checked = self.check(claims, self._texts(shard), lessons, mark)
        mark(WRITING, ())
        if self._folder is not None:
            changes.keep(self._layout, shard, checked.seen)
        # Also where there are none: an earlier try may have failed at more.
        failures = as_table(sorted(checked.failures), FAILURES)
        spill.write(self._layout.failures_of(shard), failures)
        table = as_table(sorted(checked.results), RESULTS[self._settings.task])
        write_part(part, table)
        return table.num_rows, len(checked.failures)

    def part_of(self, shard: Shard) -> Path:
        """Where the results of a shard are written."""
        return part_path(self._output, shard.name)

    def check(
        self,
        claims: pa.Table,
        texts: Iterator[tuple[str, str | None]] | None,
        lessons: Lessons,
        mark: Mark,
    ) -> Checked:
        """Check claims (`tables.CLAIMS`). `texts` are documents by id; without it they are read
        from the folder.
        """
        checked = Checked()
        by_document = _by_document(claims, lessons, checked)
        for document_id, text in self._files(by_document) if texts is None else texts:
            group = by_document.pop(document_id, None)
            if group is not None:
                self._group(document_id, text, group, lessons, mark, checked)
        for group in by_document.values():
            checked.fail(group, (Reason.NO_DOCUMENT, "there is no document with this id"))
        return checked

    def _texts(self, shard: Shard) -> Iterator[tuple[str, str | None]] | None:
        if self._folder is not None:
            return None
        return texts_of(self._batches(shard))

    def _batches(self, shard: Shard) -> Iterator[pa.RecordBatch]:
        for path in self._layout.documents_for(shard):
            yield from spill.batches(path)

    def _repeated(self, shard: Shard) -> dict[str, Failure]:
        if self._folder is not None:
            return {}
        ids = [batch.column("document_id") for batch in self._batches(shard)]
        if sum(map(len, ids)) != self._documents.get(shard.name):
            raise _not_whole(self._layout.documents_of(shard))
        return repeated_failures(pa.chunked_array(ids, pa.string()))

    def _files(self, groups: dict[str, list[BulkClaim]]) -> Iterator[tuple[str, str | None]]:
        """The ids of all groups: a file is read when its turn comes."""
        return iter([(document_id, None) for document_id in groups])

    def _group(
        self,
        document_id: str,
        text: str | None,
        group: list[BulkClaim],
        lessons: Lessons,
        mark: Mark,
        checked: Checked,
    ) -> None:
        mark(READING, group)
        try:
            if self._folder is not None:  # before it is read: it may change meanwhile
                checked.seen.append((document_id, *self._folder.stamp(document_id)))
            document = self._read(document_id, text)
        except ProcessingError:  # the folder, or what reads it: no document is to blame
            raise
        except Exception as error:  # noqa: BLE001  # one document must not cost the others
            checked.fail(group, (Reason.UNREADABLE_DOCUMENT, _why(error)))
            return
        if document is None:
            checked.fail(group, (Reason.NO_DOCUMENT, "there is no document with this id"))
            return
        checker = self._checker(document)
        size = 1 if document_id in lessons.singly else self._settings.group_rows
        for start in range(0, len(group), size):
            self._claims(checker, group[start : start + size], mark, checked)

    def _read(self, document_id: str, text: str | None) -> Document | None:
        if self._folder is not None:
            return self._folder.read(document_id)
        return read_text(document_id, text)

    def _checker(self, document: Document) -> DocumentChecker:
        return DocumentChecker(document, self._settings.task, self._settings.config)

    def _claims(
        self, checker: DocumentChecker, claims: list[BulkClaim], mark: Mark, checked: Checked
    ) -> None:
        mark(CHECKING, claims)
        try:
            checked.results += checker.check(claims)
        except Exception as error:  # noqa: BLE001  # one claim must not cost the others
            if len(claims) == 1:
                checked.fail(claims, (Reason.ERROR, _why(error)))
                return
            for claim in claims:
                self._claims(checker, [claim], mark, checked)


def _why(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "it needs more memory than a worker may have"
    return str(error) if isinstance(error, VeridicalError) else type(error).__name__


def _not_whole(path: Path) -> ProcessingError:
    return ProcessingError(f"{path} is not whole. Begin anew, in another folder.")


def texts_of(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[str, str | None]]:
    """The ids and texts of documents, one at a time."""
    for batch in batches:
        ids, texts = (batch.column(name) for name in DOCUMENTS.names)
        for at in range(batch.num_rows):
            yield ids[at].as_py(), texts[at].as_py()


def repeated_failures(ids: pa.ChunkedArray) -> dict[str, Failure]:
    """Ids that several documents have: which one a claim means nobody can know."""
    counted = pc.value_counts(ids).to_pylist()
    return {one["values"]: _TWICE for one in counted if one["counts"] > 1}


def _by_document(
    claims: pa.Table, lessons: Lessons, checked: Checked
) -> dict[str, list[BulkClaim]]:
    """Claims by document, in the order of the documents' ids; those that are left alone fail."""
    columns = (claims[name].to_pylist() for name in CLAIMS.names)
    rows = sorted(map(BulkClaim._make, zip(*columns, strict=True)), key=_BY_DOCUMENT)
    groups: dict[str, list[BulkClaim]] = {}
    for document_id, group in groupby(rows, key=attrgetter("document_id")):
        left = []
        for claim in group:
            failure = lessons.rows.get(claim.row, lessons.documents.get(document_id))
            if failure is None:
                left.append(claim)
            else:
                checked.fail([claim], failure)
        if left:
            groups[document_id] = left
    return groups


_BY_DOCUMENT = attrgetter("document_id", "row")
