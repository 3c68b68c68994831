"""The JSON Schemas of ledgers, their verification, checks and extraction."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import ClaimType, Importance, MarkerKind, RiskType, Severity
from veridical.schema_parts import (
    DRAFT_2020,
    FLAG,
    NULL,
    POSITION,
    SHA256,
    SHARE,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    Loader,
    Schema,
    any_of,
    array,
    choice,
    closed,
    headed,
    integer,
    nullable,
    ref,
    text,
    told,
    told_first,
)
from veridical.validation.schema_errors import first_errors, refused

if TYPE_CHECKING:
    from jsonschema_rs import Draft7Validator

_MOST = 100_000
_SAFE = 2**53 - 1
"""The largest whole number that all readers of JSON keep exactly."""

_ID = text(200, least=1)
_FILENAME = text(4096)
_LONG = text(1_000_000)
_ANSWER = text(4_000_000)
_LINE = text(10_000)
_COUNT = integer(0, _SAFE)
_POSITION = integer(1, _SAFE)
_TIME = text(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")
_SPAN = closed({"start": _COUNT, "end": _COUNT}) | {
    "description": "Half-open, in Unicode code points."
}


def _entry() -> Schema:
    components = {
        "semantic_similarity": SHARE,
        "evidence_count": _COUNT,
        "directness": SHARE,
        "source_quality": SHARE,
    }
    evidence = {
        "chunk_ids": array(ref("anchor"), 1000),
        "snippet": _LONG,
        "source": any_of(ref("place"), NULL),
        "pieces": array(ref("piece"), 1000),
    }
    citation = {
        "marker": ref("marker"),
        "problem": _LINE,
        "document_id?": _ID,
        "chunk_sha256?": SHA256,
    }
    return closed(
        {
            "entry_id": _ID,
            "claim_id": _ID,
            "claim_text": _ANSWER,
            "statement": _ANSWER,
            "context": _LONG,
            "span": ref("span"),
            "claim_type": choice(ClaimType),
            "importance": choice(Importance),
            "requires_citation": FLAG,
            "markers": array(ref("marker"), 10_000),
            "verdict": choice(Verdict),
            "confidence_score": SHARE,
            "components": closed(components),
            "probability": SHARE,
            "evidence": closed(evidence),
            "near": array(ref("piece"), 1000),
            "citations": array(closed(citation), 10_000),
            "notes": _LONG,
        }
    )


def _piece() -> Schema:
    return closed(
        {
            "chunk_id": _ID,
            "chunk_sha256": SHA256,
            "anchor": ref("anchor"),
            "source": ref("place"),
            "snippet": _LONG,
            "source_text": _LONG,
            "snippet_span": ref("span"),
            "chunk_span": ref("span"),
            "support": choice(SupportLevel),
            "similarity": SHARE,
            "probability": SHARE,
            "contradiction": SHARE,
            "contradicts": FLAG,
            "directness": SHARE,
            "cited": FLAG,
        }
    )


def _review() -> Schema:
    from veridical.ledger.review import Decision

    return closed(
        {
            "review_id": _ID,
            "ledger_id": _ID,
            "revision": _POSITION,
            "entry_id": _ID,
            "claim_id": _ID,
            "decision": choice(Decision),
            "machine_verdict": told(choice(Verdict), "What the entry said when it was reviewed."),
            "verdict": told(
                nullable(choice(Verdict)),
                "What the reviewer says; null where a decision is withdrawn.",
            ),
            "reason": text(100_000),
            "reviewer": text(1000),
            "at": _TIME,
        }
    )


def _seal() -> Schema:
    link = {"claim_id": _ID, "digest": SHA256, "link": SHA256}
    return closed(
        {
            "algorithm": choice(["sha256"]),
            "version": integer(enum=[1]),
            "sources": array(closed({"document_id": _ID, "sha256": SHA256}), _MOST),
            "fields": {
                "type": "object",
                "maxProperties": 100,
                "additionalProperties": SHA256,
                "description": "The digest of each part of the ledger that is not an entry.",
            },
            "header": told(
                SHA256,
                "Digest of what stands above, of the reviews' digests, and of the number of "
                "entries.",
            ),
            "entries": array(closed(link), _MOST),
            "reviews?": {
                **array(closed({"review_id": _ID, "digest": SHA256}), _MOST, least=1),
                "description": "The digest of each review; the header covers them.",
            },
            "head": told(
                SHA256,
                "The last link, or the header where there are no entries: note it elsewhere.",
            ),
        }
    )


def _ledger_parts() -> Schema:
    source = {
        "document_id": _ID,
        "filename": _FILENAME,
        "sha256": told(SHA256, "Of the document's text in UTF-8."),
        "format": text(100),
        "chars": _COUNT,
        "date?": text(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
        "superseded_by?": _ID,
    }
    place = {
        "document_id": _ID,
        "filename": _FILENAME,
        "page_number?": _POSITION,
        "heading_path?": array(_LINE, 100, least=1),
    }
    marker = {"kind": choice(MarkerKind), "value": text(100, least=1), "span": ref("span")}
    risk_flag = {
        "risk_id": _ID,
        "type": choice(RiskType),
        "severity": choice(Severity),
        "description": text(100_000),
        "affected_claims": array(_ID, _MOST),
        "mitigation": _LINE,
    }
    return {
        "span": _SPAN,
        "listed_source": closed(source),
        "place": closed(place),
        "marker": closed(marker),
        "entry": _entry(),
        "anchor": text(pattern="^[0-9a-f]{8,64}$"),
        "piece": _piece(),
        "risk_flag": closed(risk_flag),
        "review": _review(),
        "seal": _seal(),
    }


def _beside_ledger() -> Schema:
    newer = {
        "document_id": _ID,
        "filename": text(4096, least=1),
        "checked_version": _POSITION,
        "newer_version": _POSITION,
        "added_at": _TIME,
    }
    return {
        "revision?": told(
            _POSITION,
            "Of this ledger, from 1; said where there are reviews, which say the revision that "
            "they are of.",
        ),
        "reviews?": {
            **array(ref("review"), _MOST, least=1),
            "description": (
                "What reviewers decided, oldest first. The last about an entry counts, unless it "
                "withdraws or its `machine_verdict` is another than the entry has now; `verdict` "
                "of the entry stays the machine's."
            ),
        },
        "newer_versions?": {
            **array(closed(newer), _MOST, least=1),
            "description": (
                "Sources that had another version with other words when this file was written: no "
                "part of the ledger, and not covered by its seal."
            ),
        },
    }


def _evidence_ledger() -> Schema:
    judge = {"name": text(500), "point": text(100), "extractor": text(500)}
    summary = {
        "total_claims": _COUNT,
        "evidence_coverage": nullable(SHARE),
        "unsupported_rate": nullable(SHARE),
        "by_verdict": closed(dict.fromkeys(Verdict, _COUNT)),
        "by_importance": closed(dict.fromkeys(Importance, _COUNT)),
    }
    ledger = {
        "version": integer(enum=[1]),
        "ledger_id": _ID,
        "session_id": _ID,
        "title": text(1000),
        "query": _LONG,
        "answer": _ANSWER,
        "generated_at": _TIME,
        "updated_at": _TIME,
        "judge": closed(judge),
        "sources": array(ref("listed_source"), _MOST),
        "summary": closed(summary),
        "entries": array(ref("entry"), _MOST),
        "risk_flags": array(ref("risk_flag"), _MOST),
        "follow_up_questions": array(_LINE, _MOST),
        "actions": array(_LINE, _MOST),
        "warnings": array(_LINE, _MOST),
        **_beside_ledger(),
        "seal?": ref("seal"),
    }
    title = (
        "Evidence ledger: the claims of an answer, the verdicts on them and the words they rest on"
    )
    return {
        **headed(title, closed(ledger), draft=DRAFT_2020),
        "if": {"required": ["reviews"]},
        "then": {"required": ["revision"]},
        "$defs": _ledger_parts(),
    }


def _checked_entry() -> Schema:
    from veridical.ledger.verification import EvidenceStatus

    piece = {
        "anchor": TEXT,
        "document_id": _ID,
        "status": choice(EvidenceStatus),
        "stale": FLAG,
        "snippet": _LONG,
        "was": ref("location"),
        "rules": array(TEXT, 100),
        "alterations": array(closed({"kind": TEXT, "then": _LONG, "now": _LONG}), _MOST),
        "diff": array(closed({"equal": FLAG, "then": _LONG, "now": _LONG}), _MOST),
        "now?": ref("location"),
        "also?": ref("location"),
    }
    entry = {
        "entry_id": _ID,
        "claim_id": _ID,
        "claim_text": _ANSWER,
        "verdict": choice(Verdict),
        "status": told(
            nullable(choice(EvidenceStatus)),
            "The worst of its pieces; null where it rests on nothing.",
        ),
        "stale": FLAG,
        "evidence": array(closed(piece), 1000),
    }
    return closed(entry)


def _ledger_verification() -> Schema:
    from veridical.ledger.verification import EvidenceStatus, SourceStatus

    problems = array(ref("problem"), _MOST)
    counted = [*EvidenceStatus, "without_evidence", "stale"]
    source = {
        "document_id": _ID,
        "filename": _FILENAME,
        "status": choice(SourceStatus),
        "sha256": SHA256,
        "document?": _FILENAME,
        "sha256_now?": SHA256,
    }
    verification = {
        "ledger_id": _ID,
        "ok": FLAG,
        "seal": closed({"intact": FLAG, "head": TEXT_OR_NULL, "problems": problems}),
        "problems": problems,
        "counts": closed(dict.fromkeys(counted, _COUNT)),
        "sources": array(closed(source), _MOST),
        "entries": array(_checked_entry(), _MOST),
    }
    location = {
        "document": _FILENAME,
        "span": ref("span"),
        "line?": POSITION,
        "page_number?": POSITION,
    }
    title = "Verification of an evidence ledger against its sources as they are now"
    return headed(title, closed(verification), draft=DRAFT_2020) | {
        "$defs": {
            "span": _SPAN,
            "location": closed(location),
            "problem": closed({"where": _LINE, "message": text(100_000)}),
        }
    }


def _answer_check() -> Schema:
    from veridical.ledger.checking import ProblemKind

    count, place = ref("count"), ref("place")
    summary = {
        "files": count,
        "claims": count,
        "supported": count,
        "problems": closed(dict.fromkeys(ProblemKind, count)),
        "failing": told(count, "How many problems are of the kinds in `fail_on`."),
    }
    check = {
        "tool": text(const="veridical"),
        "version": text(100, least=1),
        "fail_on": {
            "description": "The kinds that make the exit code 1.",
            "type": "array",
            "uniqueItems": True,
            "items": ref("kind"),
        },
        "summary": closed(summary),
        "files": array(ref("file")),
        "failures": told(
            TEXTS, "Files that could not be read, answers and sources, with the reason."
        ),
        "warnings": told(TEXTS, "What was lost in reading the sources, or left out of them."),
    }
    file = {
        "path": text(least=1),
        "sha256": told(SHA256, "Of the bytes of the file."),
        "claims": count,
        "supported": count,
        "problems": array(ref("problem")),
        "warnings": TEXTS,
    }
    title = (
        "What `veridical check --format json` prints: answers in files, and what in them no source "
        "bears out"
    )
    parts = {
        "count": _COUNT,
        "place": told(_POSITION, "Counts from 1."),
        "kind": choice(ProblemKind),
        "file": closed(file),
        **_problem_parts(count, place),
    }
    return told_first(headed(title, closed(check), draft=DRAFT_2020) | {"$defs": parts})


def _problem_parts(count: Schema, place: Schema) -> Schema:
    from veridical.ledger.repair import RepairKind

    problem = {
        "kind": ref("kind"),
        "line": place,
        "column": place,
        "end_line": place,
        "end_column": place,
        "start": told(count, "In code points of the file's text, from 0."),
        "end": count,
        "text": told(TEXT, "What a reader sees of the words, on one line."),
        "reason": TEXT,
        "nearest": told(
            any_of(ref("nearest"), NULL),
            "The words of the sources to look at; null where there are none.",
        ),
        "repair": any_of(ref("repair"), NULL),
    }
    repair = {
        "kind": {"enum": [str(kind) for kind in RepairKind]},
        "edits": array({"type": "object", "required": ["start", "end", "old", "new"]}),
        "words": told(TEXT, "Of the source."),
        "replacement": told(TEXT, "What then stands for the claim."),
        "missing": told(TEXT, "Words of the claim that are not in `words`."),
        "applied": FLAG,
    }
    nearest = {
        "text": TEXT,
        "source": text(least=1),
        "place": text(least=1),
        "line": place,
        "page": any_of(place, NULL),
        "section": TEXT_OR_NULL,
        "start": told(count, "In code points of the source's text, from 0."),
        "end": count,
    }
    edits = "`edits` change the file, in code points; --fix makes them if `applied`."
    return {
        "problem": closed(problem),
        "repair": told(closed(repair), edits),
        "nearest": closed(nearest),
    }


load_schema = Loader(_evidence_ledger, _ledger_verification, _answer_check)


def require_ledger(data: object) -> None:
    """Raises ValidationError where data does not fit the schema of ledgers."""
    try:
        if _validator().is_valid(data):
            return
    except (ValueError, TypeError, OverflowError, RecursionError):
        pass  # Not JSON at all: said in words below.
    problems = first_errors(load_schema("evidence_ledger"), data)
    raise refused("the ledger does not fit its schema", problems)


@cache
def _validator() -> Draft7Validator:
    """Made once: most files fit. The schema uses only what drafts 7 and 2020-12 read alike."""
    from jsonschema_rs import Draft7Validator

    return Draft7Validator(load_schema("evidence_ledger"))
