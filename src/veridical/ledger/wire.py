"""Ledgers as JSON (schema `evidence_ledger`), and as the sealed files that are handed on.

The JSON is that of section 9.2 of the ledger specification, and all else that a ledger holds.
Where a value is not there, its key is not: `page_number`, `heading_path`, `date` and the like. Two
exceptions, so that a reader always finds the keys of the specification: the rates of a ledger
without claims are null, and `evidence` of an entry that rests on nothing is
`{"chunk_ids": [], "snippet": "", "source": null, "pieces": []}`.

What is read may come from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.codec import Codec, Form
from veridical.errors import ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.ledger.entry import (
    AnswerClaim,
    CitationCheck,
    Evidence,
    EvidenceLedger,
    Importance,
    LedgerEntry,
    LedgerSummary,
    NewerVersion,
    RiskFlag,
    Source,
    rounded,
    rounded_similarity,
)
from veridical.ledger.review import EntryReview
from veridical.ledger.schemas import require_ledger
from veridical.ledger.seal import seal
from veridical.validation.schema_errors import SchemaProblem, refused

Data = dict[str, Any]
_Read = Mapping[str, Any]

WIRE_VERSION = 1
"""Version of the form that is written here."""

# What the data of a ledger's records has otherwise than their fields.


def _summary_given(data: Data) -> Data:
    """Counts in the order of what is counted, which a file does not have."""
    verdicts, levels = data["by_verdict"], data["by_importance"]
    return {
        **data,
        "by_verdict": {verdict: verdicts[verdict] for verdict in Verdict},
        "by_importance": {level: levels[level] for level in Importance},
    }


_RECORDS = Codec(
    {
        EvidenceLedger: Form(
            {"id": "ledger_id", "created_at": "generated_at"},
            told=lambda data: {"version": WIRE_VERSION, **data},
        ),
        Source: Form({"id": "document_id"}, optional={"date", "superseded_by"}),
        LedgerSummary: Form(given=_summary_given),
        LedgerEntry: Form({"id": "entry_id", "claim": "", "evidence": "evidence.pieces"}),
        AnswerClaim: Form({"id": "claim_id", "text": "claim_text", "type": "claim_type"}),
        Evidence: Form(
            {
                "source_id": "source.document_id",
                "page_number": "source.page_number",
                "heading_path": "source.heading_path",
            },
            optional={"page_number", "heading_path"},
        ),
        CitationCheck: Form({"source_id": "document_id"}, optional={"source_id", "chunk_sha256"}),
        RiskFlag: Form({"id": "risk_id", "affected_claim_ids": "affected_claims"}),
        EntryReview: Form({"id": "review_id"}, apart={"session_id"}),
        NewerVersion: Form(
            {"source_id": "document_id", "checked": "checked_version", "newer": "newer_version"}
        ),
    },
    values={float: (rounded, float)},
)


def ledger_records(ledger: EvidenceLedger) -> Data:
    """The same as `ledger_to_json` without what is there twice: what is shown of evidence."""
    return _RECORDS.write(ledger)


def ledger_to_json(ledger: EvidenceLedger) -> Data:
    """The ledger in the form of the shipped schema `evidence_ledger`, without a seal.

    Reading it back gives the same ledger, but for numbers beyond six decimals.
    Raises ValidationError where evidence names a source that the ledger does not list.
    """
    data = _RECORDS.write(ledger)
    names = {source.id: source.filename for source in ledger.sources}
    for entry, told in zip(ledger.entries, data["entries"], strict=True):
        pieces = told["evidence"]["pieces"]
        _complete(entry.evidence, pieces, names)
        _complete(entry.near, told["near"], names)
        told["evidence"] |= _shown_evidence(pieces)
    return data


def _complete(pieces: Sequence[Evidence], told: list[Data], names: Mapping[str, str]) -> None:
    """Put into the data of pieces what their fields do not say by themselves."""
    for piece, data in zip(pieces, told, strict=True):
        if piece.source_id not in names:
            raise ValidationError(
                f"evidence {piece.chunk_id} names the source {piece.source_id}, "
                "which is not among the sources of the ledger"
            )
        data["source"]["filename"] = names[piece.source_id]
        data["similarity"] = rounded_similarity(piece.similarity)


def _shown_evidence(pieces: Sequence[_Read]) -> Data:
    """What section 9.2 shows of the evidence of an entry: all chunks, and the deciding snippet."""
    if not pieces:
        return {"chunk_ids": [], "snippet": "", "source": None}
    return {
        "chunk_ids": list(dict.fromkeys(piece["anchor"] for piece in pieces)),
        "snippet": pieces[0]["snippet"],
        "source": dict(pieces[0]["source"]),
    }


def ledger_from_json(data: _Read) -> EvidenceLedger:
    """The ledger in data of the shipped schema `evidence_ledger`. A seal in it is not looked at.

    Raises ValidationError that names the path of what does not fit: a missing or unknown key, a
    wrong type, a span that ends before it starts, evidence shown that is not the first piece.
    """
    require_ledger(data)
    try:
        ledger = _RECORDS.read(EvidenceLedger, data)
    except ValueError:  # of a span: where it stands is looked for only then
        problem = next(_crossed_spans(data), None)
        if problem is None:
            raise
    else:
        problem = next(_contradictions(data), None)
    if problem is not None:
        raise refused("the ledger contradicts itself", [problem])
    return ledger


def _crossed_spans(data: Any, at: str = "") -> Iterator[SchemaProblem]:
    """The spans anywhere in data that end before they start."""
    if isinstance(data, list):
        for index, one in enumerate(data):
            yield from _crossed_spans(one, f"{at}[{index}]")
    elif isinstance(data, dict):
        if data.keys() == {"start", "end"} and data["start"] > data["end"]:
            message = f"it starts at {data['start']} and ends before that, at {data['end']}"
            yield SchemaProblem(at, str(data["end"]), "start <= end", message)
        for key, value in data.items():
            yield from _crossed_spans(value, f"{at}.{key}".lstrip("."))


def _contradictions(data: _Read) -> Iterator[SchemaProblem]:
    """Evidence of documents that are not listed, and what is shown of it but is not the first
    piece: readers look at nothing else.
    """
    names = {source["document_id"]: source["filename"] for source in data["sources"]}
    for number, entry in enumerate(data["entries"]):
        at, evidence = f"entries[{number}]", entry["evidence"]
        for kind, pieces in (("evidence.pieces", evidence["pieces"]), ("near", entry["near"])):
            for index, piece in enumerate(pieces):
                place = piece["source"]
                if names.get(place["document_id"]) != place["filename"]:
                    where, value = f"{at}.{kind}[{index}].source", str(place["document_id"])
                    message = "it names a document that is not among the sources"
                    yield SchemaProblem(where, value, "sources", message)
        for key, value in _shown_evidence(evidence["pieces"]).items():
            if evidence[key] != value:
                message = "it does not agree with evidence.pieces"
                where = f"{at}.evidence.{key}"
                yield SchemaProblem(where, str(evidence[key]), "pieces", message)


# Beside a ledger: reviews of its entries with `revision`, that of the ledger.


def with_reviews(data: Data, reviews: Sequence[EntryReview], revision: int = 1) -> Data:
    """The data of a ledger with reviews of its entries, oldest first; as it was without any.

    Raises ValidationError for a review of another session, or of an entry that is not there.
    """
    if not reviews:
        return data
    entries = {entry["entry_id"] for entry in data["entries"]}
    for review in reviews:
        if review.session_id != data["session_id"] or review.entry_id not in entries:
            raise ValidationError(
                f"the review {review.id} is about the entry {review.entry_id} of the session "
                f"{review.session_id}, which this ledger has not"
            )
    return {**data, "revision": revision, "reviews": list(map(_RECORDS.write, reviews))}


# Files.


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """What a ledger file holds: the ledger, and what reviewers decided about it, oldest first.

    `revision` is that of the ledger, from 1; a file without reviews does not say it.
    """

    ledger: EvidenceLedger
    reviews: tuple[EntryReview, ...] = ()
    revision: int = 1


def ledger_to_bytes(
    ledger: EvidenceLedger,
    *,
    reviews: Sequence[EntryReview] = (),
    revision: int = 1,
    newer: Sequence[NewerVersion] = (),
) -> bytes:
    """The sealed file of a ledger. The same ledger, the same bytes.

    `reviews` are about entries of the ledger, oldest first, and `revision` is the one of the ledger
    itself: see `with_reviews`. Without reviews the file is that of the ledger alone.
    `newer` is noted beside the ledger and not sealed: it says what was so when the file was
    written, which nobody can check in the ledger.
    """
    data = seal(with_reviews(ledger_to_json(ledger), reviews, revision))
    if newer:
        data["newer_versions"] = list(map(_RECORDS.write, newer))
    return canonical_bytes(data)


def ledger_from_bytes(file_bytes: bytes) -> EvidenceLedger:
    """The ledger in a file, sealed or not; the seal is not checked (see `verify.verify_ledger`).

    Raises ValidationError that says what is wrong with the file, and where.
    """
    return ledger_from_json(parse_file(file_bytes))


def ledger_file_from_bytes(file_bytes: bytes) -> LedgerFile:
    """The same with the reviews in the file. Raises as `ledger_from_bytes` does."""
    data = parse_file(file_bytes)
    ledger = ledger_from_json(data)
    reviews = (
        _RECORDS.read(EntryReview, review, session_id=ledger.session_id)
        for review in data.get("reviews", ())
    )
    return LedgerFile(ledger, tuple(reviews), data.get("revision", 1))
