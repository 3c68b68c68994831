"""The JSON Schemas of the claims, the configuration and the result."""

from __future__ import annotations

from veridical.schema_parts import (
    COUNT,
    DRAFT_7,
    FLAG,
    INTEGER,
    NUMBER,
    NUMBER_OR_NULL,
    POSITION,
    SHARE,
    TEXT,
    TEXTS,
    Loader,
    Schema,
    array,
    choice,
    closed,
    headed,
    integer,
    number,
    record,
    text,
    told,
)

_SCORE = number(0.0, 1.0)
_HASH = text(pattern="^[a-f0-9]{64}$")


def _evidence_claims() -> Schema:
    from veridical.validation.claims import EvidenceType

    threshold = number(0.0, 1.0, default=0.8)
    claim = {
        "id": told(text(pattern="^EV\\d+$"), "Claim ID, such as EV001; unique in the file"),
        "task_id": told(
            text(pattern="^P\\d+\\.T\\d+$"),
            "ID of the task that rests on this evidence, such as P1.T001",
        ),
        "quote": told(text(2000, least=10), "The words that are claimed to stand in the source"),
        "evidence_type": told(choice(EvidenceType), "How the words relate to the source"),
        "context_hint?": told(TEXT, "Words expected near the quote or in the titles above it"),
        "expected_section?": told(
            TEXT,
            "Section the quote should stand in: its title or number, or a page, line or paragraph "
            "number",
        ),
        "confidence_threshold?": told(
            threshold, "Least confidence at which the claim is validated"
        ),
        "source?": told(
            text(least=1),
            "Name of the document that the claim says it quotes; without it, all documents are "
            "searched",
        ),
    }
    metadata = {
        "filename?": TEXT,
        "format?": choice(["markdown", "plain_text", "html"]),
        "encoding?": text(default="utf-8"),
    }
    claims = {
        "source_metadata?": record(metadata),
        "claims": array(record(claim), 1000, least=1),
    }
    return {"$schema": DRAFT_7, **record(claims), "title": "Evidence claims"}


def _moment() -> dict[str, Schema]:
    from veridical.sources.transcript import Precision

    return {
        "start_seconds?": told(
            NUMBER_OR_NULL, "Recordings: when the first word was said, in seconds"
        ),
        "end_seconds?": told(NUMBER_OR_NULL, "Recordings: when the last word ends, in seconds"),
        "time_precision?": choice(Precision),
        "speakers?": TEXTS,
    }


def _match() -> Schema:
    from veridical.validation.results import MatchType

    selector = record({"type": choice(["TextQuoteSelector", "TextPositionSelector"])})
    return record(
        {
            "match_type?": choice(MatchType),
            "start_position?": told(
                COUNT, "Offset into the document's own text, in Unicode code points"
            ),
            "end_position?": told(COUNT, "Offset one past the last character"),
            "line_number?": POSITION,
            "section?": TEXT,
            "matched_text?": TEXT,
            "similarity_score?": NUMBER,
            "edit_distance?": told(INTEGER, "Characters to change; -1 where it does not apply"),
            "document?": TEXT,
            "page?": POSITION,
            "section_path?": TEXTS,
            "context_score?": _SCORE,
            "confidence_score?": _SCORE,
            "selectors?": told(array(selector), "W3C Web Annotation selectors"),
            **_moment(),
        }
    )


def _quoted() -> dict[str, Schema]:
    """What is said of the quote of a claim, validated or not."""
    from veridical.validation.differences import AlterationKind, Rule
    from veridical.validation.results import Fidelity

    words = {"quoted": TEXT, "source": TEXT}
    return {
        "task_id?": TEXT,
        "evidence_type?": TEXT,
        "quote?": TEXT,
        "fidelity?": choice(Fidelity),
        "rules?": array(choice(Rule)),
        "alterations?": array(record({"kind": choice(AlterationKind), **words})),
        "diff?": array(record({"equal": FLAG, **words})),
    }


def _validated_claim() -> Schema:
    other = {
        "matched_text?": TEXT,
        "confidence_score?": NUMBER,
        "position?": INTEGER,
        "document?": TEXT,
        "end_position?": INTEGER,
        "line_number?": INTEGER,
        "match_type?": TEXT,
        **_moment(),
    }
    return record(
        {
            "claim_id": TEXT,
            "validation_status": choice(["VALIDATED", "FAILED", "AMBIGUOUS", "LOW_CONFIDENCE"]),
            "confidence_score": _SCORE,
            "match_details?": _match(),
            "alternative_matches?": array(record(other)),
            **_quoted(),
            "suggestions?": TEXTS,
        }
    )


def _failed_claim() -> Schema:
    from veridical.validation.results import FailureReason

    attempt = {
        "candidate_text?": TEXT,
        "confidence_score?": NUMBER,
        "rejection_reason?": TEXT,
        "document?": TEXT,
        "position?": INTEGER,
        "end_position?": INTEGER,
        "line_number?": INTEGER,
    }
    return record(
        {
            "claim_id": TEXT,
            "failure_reason": choice(FailureReason),
            "attempted_matches?": array(record(attempt)),
            "suggestions?": TEXTS,
            **_quoted(),
            "validation_status?": choice(["FAILED"]),
            "confidence_score?": _SCORE,
            "found_at?": _match(),
        }
    )


def _evidence_validation() -> Schema:
    error = {
        "code": choice(["VALIDATION_ERROR", "DOCUMENT_PARSING_ERROR", "PROCESSING_ERROR"]),
        "message": TEXT,
        "details?": {"type": "object"},
        "affected_claims?": TEXTS,
    }
    generated = {"by": TEXT, "timestamp": text(format="date-time"), "contentHash": _HASH}
    sizes = {"size_bytes?": INTEGER, "line_count?": INTEGER, "section_count?": INTEGER}
    summary = {
        "total_claims": COUNT,
        "validated_claims": COUNT,
        "failed_claims": COUNT,
        "ambiguous_claims?": COUNT,
        "average_confidence?": _SCORE,
        "validation_rate?": _SCORE,
        "low_confidence_claims?": COUNT,
    }
    document = {"name": TEXT, "format": TEXT, "sha256": _HASH, **sizes, "page_count?": INTEGER}
    result = {
        "ok": FLAG,
        "errors?": array(record(error)),
        "warnings?": array(record({"code?": TEXT, "message?": TEXT, "claim_id?": TEXT})),
        "generated": record(generated),
        "document_metadata?": record({**sizes, "estimated_reading_time_minutes?": NUMBER}),
        "validation_summary": record(summary),
        "validated_claims?": array(_validated_claim()),
        "failed_claims?": array(_failed_claim()),
        "documents?": array(record(document)),
    }
    return {"$schema": DRAFT_7, **record(result), "title": "Evidence validation"}


_SETTINGS: dict[str, tuple[str, dict[str, tuple[Schema, str]]]] = {
    "fuzzy_matching": (
        "Quotes that differ in a few characters, and paraphrases",
        {
            "enabled": (FLAG, "Whether to look for inexact matches"),
            "similarity_threshold": (SHARE, "Least similarity of an inexact direct quote"),
            "max_edit_distance": (
                integer(0, 50),
                "Most characters in which a direct quote may differ",
            ),
            "algorithm": (
                choice(["levenshtein", "sequence_matcher"]),
                "How similarity is measured",
            ),
        },
    ),
    "exact_matching": (
        "Quotes that stand as they are",
        {
            "enabled": (FLAG, "Whether to look for exact matches"),
            "case_sensitive": (FLAG, "Whether capitals must agree"),
            "normalize_whitespace": (FLAG, "Whether runs of white space count as one space"),
        },
    ),
    "semantic_matching": (
        "Passages on the same subject, by embedding",
        {
            "enabled": (FLAG, "Whether to compare embeddings"),
            "chunk_size": (integer(50, 10_000), "Characters of a chunk"),
            "overlap_size": (
                integer(0, 9999),
                "Characters that neighbouring chunks share; less than chunk_size",
            ),
            "similarity_threshold": (SHARE, "Least cosine similarity"),
        },
    ),
    "context_validation": (
        "What stands around a quote",
        {
            "enabled": (FLAG, "Whether context hints are checked"),
            "context_window": (integer(0, 100_000), "Characters looked at on each side"),
            "section_awareness": (
                FLAG,
                "Whether titles count as context and expected_section is checked",
            ),
        },
    ),
    "performance_limits": (
        "Bounds of one run",
        {
            "max_document_size_mb": (
                number(exclusiveMinimum=0, maximum=4096),
                "Largest document, in MiB of UTF-8",
            ),
            "max_claims": (integer(1, 1_000_000), "Most claims in a run"),
            "max_processing_time_seconds": (
                number(exclusiveMinimum=0, maximum=86_400),
                "Time after which the finished claims are returned",
            ),
            "max_memory_mb": (
                number(0, 1_048_576),
                (
                    "MiB that a run may add to the process before the finished claims are "
                    "returned; "
                    "0 is no limit"
                ),
            ),
        },
    ),
}


def _validation_config() -> Schema:
    """The settings, with the defaults of `ValidationConfig`."""
    from veridical.validation.config import ValidationConfig

    groups = {}
    for group, (about, settings) in _SETTINGS.items():
        defaults = getattr(ValidationConfig(), group)
        properties = {
            f"{name}?": told({**part, "default": getattr(defaults, name)}, description)
            for name, (part, description) in settings.items()
        }
        groups[f"{group}?"] = record(properties, additionalProperties=False, description=about)
    return headed("Validation configuration", closed(groups))


load_schema = Loader(_evidence_claims, _evidence_validation, _validation_config)
