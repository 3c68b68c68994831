"""The tables of an evidence pack, and their schemas. They follow from the ledger alone."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from veridical.judging.judge import SupportLevel
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export import wording
from veridical.ledger.export.cited import Cited, cited
from veridical.ledger.review import EntryReview
from veridical.ledger.reviewed import reviewed
from veridical.text.spreadsheet import guard

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
