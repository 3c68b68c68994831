"""The work of one shard: its claims by document, checked, and written as a part of the output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from veridical.bulk import storage
from veridical.bulk.cutting import Layout, Shard
from veridical.bulk.documents import FolderDocuments, read_text
from veridical.bulk.settings import BulkSettings
from veridical.bulk.tables import CLAIMS, DOCUMENTS, FAILURES, RESULTS, Reason, Task, as_table
from veridical.errors import ProcessingError, VeridicalError
from veridical.sources.document import Document
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.config import ValidationConfig
from veridical.validation.results import ClaimResult
from veridical.validation.validator import Validator

if TYPE_CHECKING:
    from veridical.ledger.build import LedgerBuilder
    from veridical.ledger.entry import LedgerEntry

_FOREVER = 1e9
_MOST_TOLD = 3
_SEEN = pa.schema([("document_id", pa.string()), ("size", pa.int64()), ("changed", pa.int64())])
"""A document that is a file, and its `documents.Stamp` from before it was read."""

_TYPES: dict[str | None, EvidenceType] = {
    **{kind.value: kind for kind in EvidenceType},
    "": EvidenceType.DIRECT_QUOTE,
    None: EvidenceType.DIRECT_QUOTE,
}

_Place = tuple[int, int, str] | tuple[None, None, None]


class BulkClaim(NamedTuple):
    """A claim of the input, as `tables.CLAIMS`."""

    row: int
    claim_id: str
    document_id: str
    words: str
    evidence_type: str | None


class DocumentChecker:
    """Checks the claims of one document, which is made ready for that once, on first use."""

    def __init__(self, document: Document, task: Task, config: ValidationConfig) -> None:
        self._document = document
        self._task = task
        # Limits of time and memory would make results depend on the machine; whoever calls has one.
        limits = replace(
            config.performance_limits,
            max_processing_time_seconds=_FOREVER,
            max_memory_mb=0,
            max_claims=max(config.performance_limits.max_claims, 1_000_000),
        )
        self._config = replace(config, performance_limits=limits)

    def check(self, claims: Sequence[BulkClaim]) -> list[tuple[Any, ...]]:
        """A row of `tables.RESULTS` for each claim, in their order. What a claim gets does not
        depend on which others are checked with it.
        """
        return self._validated(claims) if self._task is Task.VALIDATE else self._judged(claims)

    @cached_property
    def _validator(self) -> Validator:
        return Validator([self._document], self._config)

    def _validated(self, claims: Sequence[BulkClaim]) -> list[tuple[Any, ...]]:
        asked = [
            Claim(
                id=str(number),
                quote=claim.words,
                evidence_type=_TYPES[claim.evidence_type],
            )
            for number, claim in enumerate(claims)
        ]
        results = self._validator.validate(asked).results
        text = self._document.sha256
        return [_result(claim, found, text) for claim, found in zip(claims, results, strict=True)]

    @cached_property
    def _builder(self) -> LedgerBuilder:
        from veridical.ledger.build import LedgerBuilder
        from veridical.retrieval.corpus import Corpus

        return LedgerBuilder(Corpus([self._document]))

    def _judged(self, claims: Sequence[BulkClaim]) -> list[tuple[Any, ...]]:
        entries = self._builder.judged([claim.words for claim in claims])
        text = self._document.sha256
        return [_verdict(claim, entry, text) for claim, entry in zip(claims, entries, strict=True)]


def _result(claim: BulkClaim, found: ClaimResult, sha256: str) -> tuple[Any, ...]:
    match = found.match
    place: _Place = (None, None, None)
    if match is not None:
        span = match.span
        place = (span.start, span.end, match.document.text[span.start : span.end])
    return (
        *claim[:3],
        found.status.value,
        found.fidelity.value if found.fidelity else None,
        found.confidence,
        *place,
        sha256,
    )


def _verdict(claim: BulkClaim, entry: LedgerEntry, sha256: str) -> tuple[Any, ...]:
    place: _Place = (None, None, None)
    if entry.evidence:
        piece = entry.evidence[0]
        place = (piece.snippet_span.start, piece.snippet_span.end, piece.source_text)
    return (*claim[:3], entry.verdict.value, entry.confidence_score, *place, sha256)


Failure = tuple[Reason, str]
"""Why rows cannot be checked: the reason, and words."""


class Stage(IntEnum):
    """What a worker is at. `IDLE`: nothing that a claim or a document could be blamed for."""

    IDLE = 0
    READING = 1
    CHECKING = 2


Mark = Callable[[Stage, Sequence[BulkClaim]], None]
"""Called before each piece of work with its stage and its claims; `IDLE` has none."""


def no_mark(_stage: Stage, _claims: Sequence[BulkClaim]) -> None:
    """A `Mark` where nobody looks on."""


_TWICE: Failure = (Reason.UNREADABLE_DOCUMENT, "several documents have this id")


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
    seen: list[tuple[str, int, int]] = field(default_factory=list)

    def fail(self, claims: Sequence[BulkClaim], failure: Failure) -> None:
        """These cannot be checked."""
        reason, message = failure
        self.failures += [(*claim[:3], reason.value, message) for claim in claims]


@dataclass(frozen=True)
class ShardWorker:
    """Works on shards, one after another. `folder` are the documents where they are files, else
    `documents` says how many there are for each shard by its name.
    """

    settings: BulkSettings
    layout: Layout
    folder: FolderDocuments | None
    documents: Mapping[str, int] = field(default_factory=dict)

    def work(
        self, shard: Shard, lessons: Lessons | None = None, mark: Mark = no_mark
    ) -> tuple[int, int]:
        """Check the claims of a shard and write its part and its failures, each whole or not at
        all; the part last, for where it is, the shard is done. Gives how many rows are done, and
        how many of them are failures.
        """
        part = self.layout.part_of(shard)
        if part.exists():  # whoever wrote it ended before it could say so
            return shard.rows, shard.rows - pq.read_metadata(part).num_rows
        claims = _whole(self.layout.claims_of(shard), CLAIMS, shard.rows)
        texts, lessons = None, lessons or Lessons()
        if self.folder is None:
            held = self.documents.get(shard.name)
            documents = _whole(self.layout.documents_of(shard), DOCUMENTS, held)
            lessons.documents.update(repeated_failures(documents["document_id"]))
            texts = texts_of(documents, claims)
        checked = self.check(claims, texts, lessons, mark)
        mark(Stage.IDLE, ())
        if self.folder is not None:
            storage.write(self.layout.seen_of(shard), as_table(sorted(checked.seen), _SEEN))
        # Also where there are none: an earlier try may have failed at more.
        failures = as_table(sorted(checked.failures), FAILURES)
        storage.write(self.layout.failures_of(shard), failures)
        results = as_table(sorted(checked.results), RESULTS[self.settings.task])
        storage.write_part(part, results)
        return shard.rows, len(checked.failures)

    def check(
        self,
        claims: pa.Table,
        texts: Iterable[tuple[str, str | None]] | None,
        lessons: Lessons,
        mark: Mark = no_mark,
    ) -> Checked:
        """Check claims (`tables.CLAIMS`). `texts` are documents by id; without it they are read
        from the folder.
        """
        checked = Checked()
        by_document = _by_document(claims, lessons, checked)
        if texts is None:  # a file is read when its turn comes
            texts = [(document_id, None) for document_id in by_document]
        for document_id, text in texts:
            group = by_document.pop(document_id, None)
            if group is not None:
                self._group(document_id, text, group, lessons, mark, checked)
        for group in by_document.values():
            checked.fail(group, (Reason.NO_DOCUMENT, "there is no document with this id"))
        return checked

    def _group(
        self,
        document_id: str,
        text: str | None,
        group: list[BulkClaim],
        lessons: Lessons,
        mark: Mark,
        checked: Checked,
    ) -> None:
        mark(Stage.READING, group)
        try:
            if self.folder is not None:  # before it is read: it may change meanwhile
                checked.seen.append((document_id, *self.folder.stamp(document_id)))
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
        size = 1 if document_id in lessons.singly else self.settings.group_rows
        for start in range(0, len(group), size):
            self._claims(checker, group[start : start + size], mark, checked)

    def _read(self, document_id: str, text: str | None) -> Document | None:
        if self.folder is not None:
            return self.folder.read(document_id)
        return read_text(document_id, text)

    def _checker(self, document: Document) -> DocumentChecker:
        return DocumentChecker(document, self.settings.task, self.settings.config)

    def _claims(
        self, checker: DocumentChecker, claims: list[BulkClaim], mark: Mark, checked: Checked
    ) -> None:
        mark(Stage.CHECKING, claims)
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


def _whole(path: Path, schema: pa.Schema, rows: int | None) -> pa.Table:
    """A table of so many rows. Raises ProcessingError where it has others."""
    found = storage.whole(path, schema)
    if found.num_rows != rows:
        raise ProcessingError(f"{path} is not whole. Begin anew, in another folder.")
    return found


def texts_of(documents: pa.Table, claims: pa.Table) -> Iterator[tuple[str, str | None]]:
    """The ids and texts of the documents (`tables.DOCUMENTS`) that claims name, one at a time: a
    table that is mapped from a file is not read as a whole.
    """
    wanted = set(pc.unique(claims["document_id"]).to_pylist())
    for batch in documents.select(DOCUMENTS.names).to_batches():
        for document_id, text in zip(*batch.columns, strict=True):
            if (name := document_id.as_py()) in wanted:
                yield name, text.as_py()


def repeated_failures(ids: pa.ChunkedArray) -> dict[str, Failure]:
    """Ids that several documents have: which one a claim means nobody can know."""
    counted = pc.value_counts(ids).to_pylist()
    return {one["values"]: _TWICE for one in counted if one["counts"] > 1}


def _by_document(
    claims: pa.Table, lessons: Lessons, checked: Checked
) -> dict[str, list[BulkClaim]]:
    """Claims by document, in the order of the documents' ids; those that are left alone fail."""
    columns = (claims[name].to_pylist() for name in CLAIMS.names)
    rows = sorted(
        map(BulkClaim._make, zip(*columns, strict=True)), key=attrgetter("document_id", "row")
    )
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


def require_unchanged(documents: FolderDocuments, layout: Layout, shards: Iterable[Shard]) -> None:
    """Look at each document again. The parts that rest on one that has changed are removed, so that
    their shards are left to do.

    Raises ProcessingError where there are any.
    """
    changed: dict[str, None] = {}
    for shard in shards:
        seen = storage.whole(layout.seen_of(shard), _SEEN)
        for name, *stamp in zip(*seen.to_pydict().values(), strict=True):
            if documents.stamp(name) != tuple(stamp):
                layout.part_of(shard).unlink(missing_ok=True)
                changed[name] = None
    if changed:
        told = ", ".join(list(changed)[:_MOST_TOLD])
        more = f" and {len(changed) - _MOST_TOLD:,} more" if len(changed) > _MOST_TOLD else ""
        raise ProcessingError(
            f"{documents.folder}: documents have changed since they were read ({told}{more}). The "
            "results that rest on them were removed. Put the documents back as they were and go on "
            "with --resume, or begin anew, in another folder."
        )
