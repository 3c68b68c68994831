"""An evidence pack: a ledger and all that goes with it in one zip, a Frictionless Data Package.

All of it follows from three things: the ledger's sealed file, the files of its sources where they
are in the pack, and the version that rendered the report. Whoever has these can make the pack anew,
byte for byte; that is how `verify_pack` checks it.

Source: Data Package (specs.frictionlessdata.io, version 1, and datapackage.org, version 2).
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes, compact_bytes, parse_file
from veridical.ledger.entry import EvidenceLedger, Source
from veridical.ledger.export import wording
from veridical.ledger.export.originals import OriginalFile, required
from veridical.ledger.export.pack_tables import (
    SOURCE_FIELDS,
    SPAN_FIELDS,
    schema_of,
    sources_csv,
    spans_csv,
)
from veridical.ledger.export.pack_zip import write_zip
from veridical.ledger.review import EntryReview
from veridical.ledger.reviewed import reviewed
from veridical.ledger.verify_sources import file_name
from veridical.ledger.wire import LedgerFile, ledger_file_from_bytes, ledger_to_bytes
from veridical.version import __version__

PACK_FORMAT = 1
"""What the members are and how they are written, all but the report."""

DESCRIPTOR, LEDGER, REPORT = "datapackage.json", "ledger.json", "report.html"
SPANS, SOURCES, README = "spans.csv", "sources.csv", "README.txt"
FOLDER = "sources/"
SIGNATURE_ALGORITHM = "hmac-sha256"

_MOST_STEM_CHARS = 60
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,10}")
_DOMAIN = b"veridical evidence pack, version 1\n"

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
    key: bytes | None = None,
    reviews: Sequence[EntryReview] = (),
    revision: int = 1,
) -> bytes:
    """The pack of a ledger, with its sources where their `files` are given.

    `key`, `reviews` and `revision` as for `ledger_to_bytes`. The same arguments, the same bytes.
    Raises ValidationError where a source is missing among the files, or has another text than the
    ledger's, or the pack becomes too large; ConfigurationError for a key that is too short.
    """
    data = ledger_to_bytes(ledger, key=key, reviews=reviews, revision=revision)
    return pack_of_file(data, files=files, key=key)


def pack_of_file(
    ledger_file: bytes,
    *,
    files: Sequence[OriginalFile] | None = None,
    key: bytes | None = None,
) -> bytes:
    """The pack of a ledger file, which is put into it as it is. Its seal is not checked here.

    Raises as `evidence_pack` does; ValidationError for what is no sealed ledger.
    """
    sealed = read_sealed(ledger_file)
    sources = {} if files is None else _paths_of(sealed.file.ledger, files)
    return write_zip(members_of(sealed, sources, key=key))


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed ledger file, read: its bytes, what is in it, and the head of its seal."""

    data: bytes
    file: LedgerFile
    head: str


def read_sealed(data: bytes) -> Sealed:
    """A sealed ledger file; the seal is not checked. Raises ValidationError for anything else."""
    file, made = ledger_file_from_bytes(data), parse_file(data).get("seal")
    head = made.get("head") if isinstance(made, dict) else None
    if not isinstance(head, str):
        raise ValidationError("the ledger carries no seal; a pack is made of a sealed ledger")
    return Sealed(data, file, head)


def members_of(
    sealed: Sealed,
    sources: Mapping[str, bytes],
    *,
    key: bytes | None = None,
    version: str = __version__,
    report: bytes | None = None,
    signature: object = None,
) -> dict[str, bytes]:
    """All files of the pack of a ledger; `sources` are those of the sources, by their paths in it.

    To make the pack of another version anew, `version` and its `report` are given; to make one
    anew without its key, the `signature` that it carries.
    """
    ledger, reviews = sealed.file.ledger, sealed.file.reviews
    paths = {ledger.sources[index_of(path)].id: path for path in sources}
    members = {
        LEDGER: sealed.data,
        REPORT: report_of(sealed) if report is None else report,
        SPANS: spans_csv(ledger, reviews),
        SOURCES: sources_csv(ledger, paths),
        README: _readme().encode("utf-8"),
        **sources,
    }
    made = _descriptor(sealed, members, version)
    if key is not None:
        digest = hmac.new(key, _DOMAIN + compact_bytes(made), hashlib.sha256).hexdigest()
        signature = {"algorithm": SIGNATURE_ALGORITHM, "digest": digest}
    if signature is not None:
        made["veridical"]["signature"] = signature
    return {**members, DESCRIPTOR: canonical_bytes(made)}


def report_of(sealed: Sealed) -> bytes:
    """The page of the ledger, as this version renders it."""
    from veridical.ledger.export.html import render_ledger_html

    found = reviewed(sealed.file.ledger, sealed.file.reviews)
    page = render_ledger_html(sealed.file.ledger, seal_head=sealed.head, reviewed=found)
    return page.encode("utf-8")


def source_path(number: int, source: Source, suffix: str) -> str:
    """Where the file of a source stands in a pack. `number` counts the ledger's sources from 1."""
    stem = _UNSAFE.sub("_", PurePosixPath(file_name(source.filename)).stem)[:_MOST_STEM_CHARS]
    kept = suffix if _SUFFIX.fullmatch(suffix) else ""
    return f"{FOLDER}{number:05d}-{stem}{kept}"


def index_of(path: str) -> int:
    """The place, from 0, among the ledger's sources of the one with this path in a pack."""
    return int(path.removeprefix(FOLDER).partition("-")[0]) - 1


def _paths_of(ledger: EvidenceLedger, files: Sequence[OriginalFile]) -> dict[str, bytes]:
    by_name = {file.document.name: file for file in files}
    documents = required(
        ledger, [file.document for file in files], [source.id for source in ledger.sources]
    )
    found: dict[str, bytes] = {}
    for number, source in enumerate(ledger.sources, 1):
        file = by_name[documents[source.id].name]
        found[source_path(number, source, file.suffix)] = file.data
    return found


def _descriptor(sealed: Sealed, members: Mapping[str, bytes], version: str) -> dict[str, Any]:
    ledger = sealed.file.ledger
    return {
        "name": f"evidence-{ledger.id}",
        "id": ledger.id,
        "profile": "data-package",
        "title": " ".join(wording.heading(ledger).split()),
        "description": "An evidence ledger with its report, its quoted places and its sources.",
        "created": ledger.created_at,
        "resources": [_resource(path, members[path]) for path in sorted(members)],
        "veridical": {"pack": PACK_FORMAT, "version": version, "seal_head": sealed.head},
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

To check the pack:

  veridical ledger verify PACK.zip
  veridical ledger verify PACK.zip --documents FOLDER    (with the sources as they are now)
"""
