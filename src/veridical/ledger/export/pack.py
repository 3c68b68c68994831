"""An evidence pack: a ledger and all that goes with it in one zip, a Frictionless Data Package.

All of it follows from three things: the ledger's sealed file, the files of its sources where they
are in the pack, and the version that rendered the report. Whoever has these can make the pack anew,
byte for byte. What is checked of a pack that comes back are its ledger and its sources alone.

Source: Data Package (specs.frictionlessdata.io, version 1, and datapackage.org, version 2).
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from veridical.errors import DocumentParsingError, ValidationError
from veridical.judging.judge import SupportLevel
from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.ledger.entry import EvidenceLedger, Source
from veridical.ledger.export import wording
from veridical.ledger.export.originals import Cited, OriginalFile, cited, required
from veridical.ledger.export.pack_zip import read_zip, write_zip
from veridical.ledger.review import EntryReview, reviewed
from veridical.ledger.verify_find import file_name
from veridical.ledger.wire import LedgerFile, ledger_file_from_bytes, ledger_to_bytes
from veridical.sources.limits import DEFAULT_LIMITS, SourceLimits
from veridical.sources.loader import Loaded, LoadFailure, load_document_bytes
from veridical.text.spreadsheet import guard
from veridical.version import __version__

# The tables of an evidence pack, and their schemas. They follow from the ledger alone.


_BEARING = {
    SupportLevel.FULL: "supports",
    SupportLevel.PARTIAL: "supports_in_part",
    SupportLevel.NONE: "undecided",
}
_VERDICTS = ["supported", "weak", "contradicted", "not_found"]

Field = dict[str, Any]


def _field(name: str, type: str, description: str, **constraints: object) -> Field:
    field: Field = {"name": name, "type": type, "description": description}
    return {**field, "constraints": constraints} if constraints else field


SPAN_FIELDS: Sequence[Field] = (
    _field("number", "integer", "number of the claim in the answer, from 1", required=True),
    _field("claim_id", "string", "id of the claim", required=True),
    _field("claim", "string", "the claim, as it stands in the answer", required=True),
    _field("verdict", "string", "verdict of the machine", required=True, enum=_VERDICTS),
    _field("reviewed", "string", "verdict of a reviewer, if there is one", enum=_VERDICTS),
    _field("confidence", "number", "confidence in the verdict, 0 to 1", required=True),
    _field("document_id", "string", "id of the source; empty where no source bears on the claim"),
    _field("source", "string", "name of the source"),
    _field("start", "integer", "first character of the quote in the source's text, from 0"),
    _field("end", "integer", "character after the quote"),
    _field("page", "integer", "page of the quote, from 1, where the source has pages"),
    _field("section", "string", "headings above the quote"),
    _field("bearing", "string", "what the quote does: supports, supports_in_part, contradicts"),
    _field("quote", "string", "the source's text from start to end, markup included"),
    _field("shown", "string", "the quote as a reader sees it"),
)
SOURCE_FIELDS: Sequence[Field] = (
    _field("document_id", "string", "id of the source", required=True, unique=True),
    _field("name", "string", "name of the source", required=True),
    _field("format", "string", "format of its file", required=True),
    _field("characters", "integer", "length of its text", required=True),
    _field("text_sha256", "string", "SHA-256 of its text in UTF-8, in hex", required=True),
    _field("date", "date", "date that the source states of itself"),
    _field("superseded_by", "string", "id of the source that replaces it"),
    _field("path", "string", "its file in this pack, where it is in it"),
)


def schema_of(fields: Sequence[Field]) -> dict[str, Any]:
    """The Table Schema of a table with these fields."""
    schema: dict[str, Any] = {"fields": list(fields), "missingValues": [""]}
    if fields is SPAN_FIELDS:
        target = {"resource": "sources", "fields": ["document_id"]}
        schema["foreignKeys"] = [{"fields": ["document_id"], "reference": target}]
    else:
        schema["primaryKey"] = ["document_id"]
    return schema


def spans_csv(ledger: EvidenceLedger, reviews: Sequence[EntryReview] = ()) -> bytes:
    """A row for each quoted place, and one for each claim that has none."""
    return _table(SPAN_FIELDS, _span_rows(ledger, reviews))


def sources_csv(ledger: EvidenceLedger, paths: dict[str, str]) -> bytes:
    """A row for each source; `paths` are those in the pack, by the id of the source."""
    return _table(
        SOURCE_FIELDS,
        (
            (
                source.id, source.filename, source.format, source.chars, source.sha256,
                source.date, source.superseded_by, paths.get(source.id),
            )
            for source in ledger.sources
        ),
    )  # fmt: skip


def _span_rows(
    ledger: EvidenceLedger, reviews: Sequence[EntryReview]
) -> Iterator[Sequence[object]]:
    by_entry: dict[str, list[Cited]] = {}
    for each in cited(ledger, reviews):
        by_entry.setdefault(each.entry.id, []).append(each)
    sources = wording.sources_by_id(ledger)
    standing = reviewed(ledger, reviews).standing
    for row in wording.numbered(ledger):
        entry = row.entry
        review = standing.get(entry.id)
        said = review.verdict.value if review is not None and review.verdict else None
        head = (
            row.number, entry.claim.id, entry.claim.text, entry.verdict.value, said,
            entry.confidence_score,
        )  # fmt: skip
        pieces = by_entry.get(entry.id, [])
        for each in pieces:
            piece = each.piece
            yield (
                *head,
                piece.source_id,
                wording.filename(piece, sources),
                piece.snippet_span.start,
                piece.snippet_span.end,
                piece.page_number,
                " > ".join(piece.heading_path),
                "contradicts" if piece.contradicts else _BEARING[piece.support],
                piece.source_text,
                piece.snippet,
            )
        if not pieces:
            yield (*head, *[None] * (len(SPAN_FIELDS) - len(head)))


def _table(fields: Sequence[Field], rows: Iterable[Sequence[object]]) -> bytes:
    """CSV as RFC 4180 has it, in UTF-8, with what a spreadsheet would run guarded."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([field["name"] for field in fields])
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return out.getvalue().encode("utf-8")


def _cell(value: object) -> object:
    if value is None:
        return ""
    return guard(value) if isinstance(value, str) else value


PACK_FORMAT = 1
"""What the members are and how they are written, all but the report."""

DESCRIPTOR, LEDGER, REPORT = "datapackage.json", "ledger.json", "report.html"
SPANS, SOURCES, README = "spans.csv", "sources.csv", "README.txt"
FOLDER = "sources/"

_MOST_STEM_CHARS = 60
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,10}")
_PATH = re.compile(rf"{FOLDER}([0-9]{{5}})-.*")
_FIRST_BYTES = b"PK\x03\x04"

_TOLD = {
    DESCRIPTOR: "what is in this pack, with the SHA-256 of each file (Frictionless Data Package)",
    LEDGER: "the evidence ledger, sealed: every claim, its verdict and what it rests on",
    REPORT: "the same to read, in any browser",
    SPANS: "every quoted place as a table",
    SOURCES: "the sources as a table, with the SHA-256 of their texts",
    FOLDER: "the sources themselves, where they were put in",
}
_MEDIA_TYPES = {".json": "application/json", ".html": "text/html", ".csv": "text/csv"}
_MEDIA_TYPES |= {".txt": "text/plain", ".md": "text/markdown", ".pdf": "application/pdf"}
_MEDIA_TYPES[".docx"] = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def evidence_pack(
    ledger: EvidenceLedger,
    *,
    files: Sequence[OriginalFile] | None = None,
    reviews: Sequence[EntryReview] = (),
    revision: int = 1,
) -> bytes:
    """The pack of a ledger, with its sources where their `files` are given.

    `reviews` and `revision` as for `ledger_to_bytes`. The same arguments, the same bytes.
    Raises ValidationError where a source is missing among the files, or has another text than the
    ledger's, or the pack becomes too large.
    """
    data = ledger_to_bytes(ledger, reviews=reviews, revision=revision)
    return pack_of_file(data, files=files)


def pack_of_file(ledger_file: bytes, *, files: Sequence[OriginalFile] | None = None) -> bytes:
    """The pack of a ledger file, which is put into it as it is. Its seal is not checked here.

    Raises as `evidence_pack` does; ValidationError for what is no sealed ledger.
    """
    sealed = _read_sealed(ledger_file)
    sources = {} if files is None else _paths_of(sealed.file.ledger, files)
    return write_zip(_members_of(sealed, sources))


def is_pack(data: bytes) -> bool:
    """Whether the bytes of a file begin as those of a pack do, and not as those of a ledger."""
    return data.startswith(_FIRST_BYTES)


@dataclass(frozen=True, slots=True)
class OpenedPack:
    """What is checked of a pack: the file of its ledger, and the files of its sources by their
    paths, as they are in it. Neither is checked yet: that is for `verify_ledger`.
    """

    ledger_file: bytes
    source_files: Mapping[str, bytes]

    def sources(self, *, limits: SourceLimits = DEFAULT_LIMITS) -> Loaded:
        """The sources of the ledger that are in the pack, under the names that the ledger has.

        Raises ValidationError where its ledger is none.
        """
        named = ledger_file_from_bytes(self.ledger_file).ledger.sources
        documents, failures = [], []
        for path, data in sorted(self.source_files.items()):
            number = _PATH.fullmatch(path)
            if number is None or not 1 <= int(number[1]) <= len(named):
                continue
            name, suffix = named[int(number[1]) - 1].filename, PurePosixPath(path).suffix
            try:
                documents.append(load_document_bytes(data, name, suffix=suffix, limits=limits))
            except DocumentParsingError as problem:
                failures.append(LoadFailure(name, f"{path} in the pack: {problem}"))
        return Loaded(tuple(documents), tuple(failures))


def read_pack(data: bytes) -> OpenedPack:
    """What is in a pack. Raises ValidationError for what is none."""
    members = read_zip(data)
    if LEDGER not in members:
        raise ValidationError(f"the pack has no {LEDGER}: it is no evidence pack, or not whole")
    files = {path: member for path, member in members.items() if path.startswith(FOLDER)}
    return OpenedPack(members[LEDGER], files)


@dataclass(frozen=True, slots=True)
class _Sealed:
    """A sealed ledger file, read: its bytes, what is in it, and the head of its seal."""

    data: bytes
    file: LedgerFile
    head: str


def _read_sealed(data: bytes) -> _Sealed:
    """A sealed ledger file; the seal is not checked. Raises ValidationError for anything else."""
    file, made = ledger_file_from_bytes(data), parse_file(data).get("seal")
    head = made.get("head") if isinstance(made, dict) else None
    if not isinstance(head, str):
        raise ValidationError("the ledger carries no seal; a pack is made of a sealed ledger")
    return _Sealed(data, file, head)


def _members_of(sealed: _Sealed, sources: Mapping[str, tuple[str, bytes]]) -> dict[str, bytes]:
    """All files of the pack of a ledger; `sources` are paths and files of sources, by their ids."""
    ledger, reviews = sealed.file.ledger, sealed.file.reviews
    members = {
        LEDGER: sealed.data,
        REPORT: _report_of(sealed),
        SPANS: spans_csv(ledger, reviews),
        SOURCES: sources_csv(ledger, {key: path for key, (path, _) in sources.items()}),
        README: _readme().encode("utf-8"),
        **dict(sources.values()),
    }
    return {**members, DESCRIPTOR: canonical_bytes(_descriptor(sealed, members))}


def _report_of(sealed: _Sealed) -> bytes:
    """The page of the ledger, as this version renders it."""
    from veridical.ledger.export.html import render_ledger_html

    found = reviewed(sealed.file.ledger, sealed.file.reviews)
    page = render_ledger_html(sealed.file.ledger, seal_head=sealed.head, reviewed=found)
    return page.encode("utf-8")


def _source_path(number: int, source: Source, suffix: str) -> str:
    """Where the file of a source stands in a pack. `number` counts the ledger's sources from 1."""
    stem = _UNSAFE.sub("_", PurePosixPath(file_name(source.filename)).stem)[:_MOST_STEM_CHARS]
    kept = suffix if _SUFFIX.fullmatch(suffix) else ""
    return f"{FOLDER}{number:05d}-{stem}{kept}"


def _paths_of(
    ledger: EvidenceLedger, files: Sequence[OriginalFile]
) -> dict[str, tuple[str, bytes]]:
    by_name = {file.document.name: file for file in files}
    documents = required(
        ledger, [file.document for file in files], [source.id for source in ledger.sources]
    )
    found: dict[str, tuple[str, bytes]] = {}
    for number, source in enumerate(ledger.sources, 1):
        file = by_name[documents[source.id].name]
        found[source.id] = _source_path(number, source, file.suffix), file.data
    return found


def _descriptor(sealed: _Sealed, members: Mapping[str, bytes]) -> dict[str, Any]:
    ledger = sealed.file.ledger
    return {
        "name": f"evidence-{ledger.id}",
        "id": ledger.id,
        "profile": "data-package",
        "title": " ".join(wording.heading(ledger).split()),
        "description": "An evidence ledger with its report, its quoted places and its sources.",
        "created": ledger.created_at,
        "resources": [_resource(path, members[path]) for path in sorted(members)],
        "veridical": {"pack": PACK_FORMAT, "version": __version__, "seal_head": sealed.head},
    }


def _resource(path: str, data: bytes) -> dict[str, Any]:
    suffix = PurePosixPath(path).suffix.lower()
    made: dict[str, Any] = {
        "name": re.sub(r"[^a-z0-9._-]", "-", path.lower().removesuffix(".csv")),
        "path": path,
        "mediatype": _MEDIA_TYPES.get(suffix, "application/octet-stream"),
        "bytes": len(data),
        "hash": f"sha256:{hashlib.sha256(data).hexdigest()}",
    }
    if path in (SPANS, SOURCES):
        made |= {"profile": "tabular-data-resource", "type": "table", "format": "csv"}
        made |= {"encoding": "utf-8"}
        made["schema"] = schema_of(SPAN_FIELDS if path == SPANS else SOURCE_FIELDS)
    return made


def _readme() -> str:
    width = max(map(len, _TOLD))
    listed = "\n".join(f"  {name:<{width}}  {what}" for name, what in _TOLD.items())
    return f"""Evidence pack

An answer was checked, claim by claim, against its sources. This pack holds the record.

{listed}

Offsets count characters (Unicode code points) of a source's text, from 0. In the tables an
apostrophe stands before all that a spreadsheet would take for a formula; the ledger has it without.

To check the ledger again, against the sources in this pack or as they are now:

  veridical ledger verify PACK.zip
  veridical ledger verify PACK.zip --documents FOLDER
"""
