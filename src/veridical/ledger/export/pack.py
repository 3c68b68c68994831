"""An evidence pack: a ledger and all that goes with it in one zip, a Frictionless Data Package.

All of it follows from three things: the ledger's sealed file, the files of its sources where they
are in the pack, and the version that rendered the report. Whoever has these can make the pack anew,
byte for byte. What is checked of a pack that comes back are its ledger and its sources alone.
Nothing in the zip is compressed, its times are fixed and its members are sorted: it has the same
bytes on every machine, and nothing in it can grow when it is unpacked.

Source: Data Package (specs.frictionlessdata.io, version 1, and datapackage.org, version 2).
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from veridical.errors import DocumentParsingError, ValidationError
from veridical.judging.judge import SupportLevel
from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export import wording
from veridical.ledger.export.forms import render_ledger_html
from veridical.ledger.export.originals import OriginalFile, required
from veridical.ledger.review import EntryReview, reviewed
from veridical.ledger.verify_find import file_name
from veridical.ledger.wire import ledger_file_from_bytes, ledger_to_bytes
from veridical.sources.document import DEFAULT_LIMITS, SourceLimits
from veridical.sources.loader import Loaded, LoadFailure, load_document_bytes
from veridical.sources.sniff import KINDS, NAMED
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
    _field("confidence", "number", "confidence in the claim, 0 to 1", required=True),
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


_SOURCES_KEY = {"resource": "sources", "fields": ["document_id"]}
_KEYS: Mapping[str, Any] = {
    "spans.csv": {"foreignKeys": [{"fields": ["document_id"], "reference": _SOURCES_KEY}]},
    "sources.csv": {"primaryKey": ["document_id"]},
}
"""What the Table Schemas say of the ids of sources, by the names of the tables."""


def _source_rows(ledger: EvidenceLedger, paths: Mapping[str, str]) -> Iterator[Sequence[object]]:
    """A row for each source; `paths` are those in the pack, by the id of the source."""
    for source in ledger.sources:
        yield (
            source.id, source.filename, source.format, source.chars, source.sha256,
            source.date, source.superseded_by, paths.get(source.id),
        )  # fmt: skip


def _span_rows(
    ledger: EvidenceLedger, reviews: Sequence[EntryReview]
) -> Iterator[Sequence[object]]:
    """A row for each quoted place, and one for each claim that has none."""
    sources = wording.sources_by_id(ledger)
    standing = reviewed(ledger, reviews).standing
    for row in wording.numbered(ledger):
        entry, review = row.entry, standing.get(row.entry.id)
        said = review.verdict.value if review is not None and review.verdict else None
        head = (
            row.number, entry.claim.id, entry.claim.text, entry.verdict.value, said,
            entry.confidence_score,
        )  # fmt: skip
        for piece in entry.evidence:
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
        if not entry.evidence:
            yield (*head, *[None] * (len(SPAN_FIELDS) - len(head)))


def _table(fields: Sequence[Field], rows: Iterable[Sequence[object]]) -> bytes:
    """CSV as RFC 4180 has it, in UTF-8, with what a spreadsheet would run guarded."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([field["name"] for field in fields])
    for row in rows:
        # Of None the writer makes an empty cell.
        writer.writerow([guard(one) if isinstance(one, str) else one for one in row])
    return out.getvalue().encode("utf-8")


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
_MEDIA_TYPES |= {suffix: KINDS[kind].media_type for suffix, kind in NAMED.items()}


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
    file, seal = ledger_file_from_bytes(ledger_file), parse_file(ledger_file).get("seal")
    if seal is None:
        raise ValidationError("the ledger carries no seal; a pack is made of a sealed ledger")
    ledger, found = file.ledger, reviewed(file.ledger, file.reviews)
    report = render_ledger_html(ledger, found, seal_head=seal["head"])
    sources = {} if files is None else _paths_of(ledger, files)
    paths = {key: path for key, (path, _) in sources.items()}
    members = {
        LEDGER: ledger_file,
        REPORT: report.encode("utf-8"),
        SPANS: _table(SPAN_FIELDS, _span_rows(ledger, file.reviews)),
        SOURCES: _table(SOURCE_FIELDS, _source_rows(ledger, paths)),
        README: _readme().encode("utf-8"),
        **dict(sources.values()),
    }
    descriptor = canonical_bytes(_descriptor(ledger, seal["head"], members))
    return write_zip({**members, DESCRIPTOR: descriptor})


def _paths_of(
    ledger: EvidenceLedger, files: Sequence[OriginalFile]
) -> dict[str, tuple[str, bytes]]:
    """Where the files of the sources stand in a pack, by the ids of the sources."""
    by_name = {file.document.name: file for file in files}
    documents = required(
        ledger, [file.document for file in files], [source.id for source in ledger.sources]
    )
    found: dict[str, tuple[str, bytes]] = {}
    for number, source in enumerate(ledger.sources, 1):
        file = by_name[documents[source.id].name]
        stem = _UNSAFE.sub("_", PurePosixPath(file_name(source.filename)).stem)[:_MOST_STEM_CHARS]
        suffix = file.suffix if _SUFFIX.fullmatch(file.suffix) else ""
        found[source.id] = f"{FOLDER}{number:05d}-{stem}{suffix}", file.data
    return found


def _descriptor(ledger: EvidenceLedger, head: str, members: Mapping[str, bytes]) -> dict[str, Any]:
    return {
        "name": f"evidence-{ledger.id}",
        "id": ledger.id,
        "profile": "data-package",
        "title": " ".join(wording.heading(ledger).split()),
        "description": "An evidence ledger with its report, its quoted places and its sources.",
        "created": ledger.created_at,
        "resources": [_resource(path, members[path]) for path in sorted(members)],
        "veridical": {"pack": PACK_FORMAT, "version": __version__, "seal_head": head},
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
        fields = list(SPAN_FIELDS if path == SPANS else SOURCE_FIELDS)
        made["schema"] = {"fields": fields, "missingValues": [""], **_KEYS[path]}
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


# A pack that comes back. Nothing is unpacked: members are read by their names.


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


# The zip of a pack, which can be written in one way only.


MAX_PACK_BYTES = 512 * 1024 * 1024
MOST_MEMBERS = 10_000
MOST_NAME_CHARS = 200

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)?")
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_FILE_MODE = 0o100644 << 16
_ENCRYPTED = 0x1


def write_zip(members: Mapping[str, bytes]) -> bytes:
    """The zip of some files: the same files, the same bytes.

    Raises ValidationError where they are too many or too large, or a name is none that is allowed.
    """
    if len(members) > MOST_MEMBERS:
        raise ValidationError(f"{len(members):,} files in a pack, the limit is {MOST_MEMBERS:,}")
    if sum(map(len, members.values())) > MAX_PACK_BYTES:
        raise ValidationError(
            f"the pack has more than {MAX_PACK_BYTES // 1024**2} MB; leave the sources out of it"
        )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED, allowZip64=False) as archive:
        for name in sorted(members):
            if not _is_plain(name):
                raise ValidationError(f"{name!r} cannot be the name of a file in a pack")
            info = zipfile.ZipInfo(name, _EARLIEST)
            info.create_system, info.external_attr = _UNIX, _FILE_MODE
            archive.writestr(info, members[name])
    return out.getvalue()


def read_zip(data: bytes) -> dict[str, bytes]:
    """The members of a pack by their names.

    Raises ValidationError where it is no zip, or not one that we write: a member that is
    compressed, encrypted, a link, twice there, named to lead elsewhere, or that lies on another.
    """
    if len(data) > MAX_PACK_BYTES:
        raise ValidationError(f"the pack: larger than {MAX_PACK_BYTES // 1024**2} MB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            _require_ours(infos, len(data))
            return {info.filename: archive.read(info) for info in infos}
    except (
        zipfile.BadZipFile, struct.error, NotImplementedError, RuntimeError, ValueError,
        LookupError, OSError, EOFError, OverflowError,
    ) as problem:  # fmt: skip
        raise ValidationError(
            f"the pack: it cannot be read as a zip ({problem}). Get the file once more."
        ) from None


def _require_ours(infos: Sequence[zipfile.ZipInfo], size: int) -> None:
    if len(infos) > MOST_MEMBERS:
        raise ValidationError(f"the pack: {len(infos):,} members, the limit is {MOST_MEMBERS:,}")
    names: set[str] = set()
    for info in infos:
        key = info.filename.casefold()
        if reason := "is in it twice" if key in names else _not_ours(info):
            shown = ascii(info.filename[:MOST_NAME_CHARS])
            raise ValidationError(f"the pack: the member {shown} {reason}; no pack has that")
        names.add(key)
    if sum(info.file_size for info in infos) > size:
        raise ValidationError("the pack: its members are larger than it, so they overlap")


def _not_ours(info: zipfile.ZipInfo) -> str:
    """What makes a member none that we write; empty where nothing does."""
    if info.flag_bits & _ENCRYPTED:
        return "is encrypted"
    if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
        return "is compressed"
    if info.external_attr != _FILE_MODE:
        return "is no plain file"
    if not _is_plain(info.filename) or info.orig_filename != info.filename:
        return "has a name that may lead out of the folder that it is unpacked to"
    return ""


def _is_plain(name: str) -> bool:
    return len(name) <= MOST_NAME_CHARS and _NAME.fullmatch(name) is not None
