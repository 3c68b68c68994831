"""Claims: the quotes to check, and how they come in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.errors import ValidationError

DEFAULT_THRESHOLD = 0.8
MAX_QUOTE_CHARS = 2000


class EvidenceType(StrEnum):
    """How the words of a claim relate to the source."""

    DIRECT_QUOTE = "direct_quote"
    PARAPHRASE = "paraphrase"
    SECTION_REFERENCE = "section_reference"
    CONCEPT_REFERENCE = "concept_reference"


@dataclass(frozen=True, slots=True)
class Claim:
    """One quote that is claimed to stand in a source.

    `source` names the document that it is claimed to stand in; None means any. `context_hint` holds
    words expected near it, `expected_section` the section that it should stand in.
    `confidence_threshold` is the confidence, 0 to 1, from which the claim counts as validated.
    """

    id: str
    quote: str
    evidence_type: EvidenceType = EvidenceType.DIRECT_QUOTE
    task_id: str = ""
    source: str | None = None
    context_hint: str | None = None
    expected_section: str | None = None
    confidence_threshold: float = DEFAULT_THRESHOLD

    def __post_init__(self) -> None:
        problem = constraint = ""
        if not self.quote:
            problem, constraint = "is empty; give the words to look for", "minLength"
        elif len(self.quote) > MAX_QUOTE_CHARS:
            constraint = "maxLength"
            problem = (
                f"has {len(self.quote):,} characters, the limit is {MAX_QUOTE_CHARS:,}. "
                "Split it into shorter quotes."
            )
        if problem:
            from veridical.validation.schema_errors import shorten

            place = {"path": f"{self.id}.quote", "value": shorten(self.quote)}
            raise ValidationError(
                f"claim {self.id}: the quote {problem}", {**place, "constraint": constraint}
            )
        if not 0 <= self.confidence_threshold <= 1:
            raise ValidationError(
                f"claim {self.id}: confidence_threshold must lie between 0 and 1, "
                f"got {self.confidence_threshold}"
            )


def quotes_as_claims(quotes: Iterable[str]) -> tuple[Claim, ...]:
    """Claims of bare quotes, which are called Q001, Q002 and so on.

    Raises ValidationError for a quote that is empty or too long, or is no text.
    """
    claims = []
    for number, quote in enumerate(quotes, 1):
        if not isinstance(quote, str):
            raise ValidationError(f"quote {number} is a {type(quote).__name__}; give its words")
        claims.append(Claim(f"Q{number:03}", quote.strip()))
    return tuple(claims)


def parse_claims(data: object, *, max_claims: int) -> tuple[Claim, ...]:
    """Claims from data in the form of the shipped schema `evidence_claims`.

    Raises ValidationError that names the path and the value of the first places that do not fit,
    for more than `max_claims` claims, and for an id that is used twice.
    """
    from veridical.validation.schema_errors import first_errors, refused

    listed = data.get("claims") if isinstance(data, Mapping) else None
    if isinstance(listed, list) and len(listed) > max_claims:
        raise ValidationError(
            f"{len(listed):,} claims, the limit is {max_claims:,}. Split the file, or raise "
            "performance_limits.max_claims in the configuration.",
            {"path": "claims", "value": len(listed), "constraint": "maxItems"},
        )
    problems = first_errors(_schema_without_count(), data)
    if problems:
        raise refused("the claims do not fit their schema", problems)
    claims = tuple(_claim(entry) for entry in listed or ())
    _check_unique(claims)
    return claims


def _schema_without_count() -> dict[str, Any]:
    """The claims' schema, with the number of claims left to the configuration."""
    from veridical.validation.schemas import load_schema

    schema = dict(load_schema("evidence_claims"))
    properties = dict(schema["properties"])
    properties["claims"] = {k: v for k, v in properties["claims"].items() if k != "maxItems"}
    return {**schema, "properties": properties}


def _claim(entry: Mapping[str, Any]) -> Claim:
    return Claim(
        id=entry["id"],
        quote=entry["quote"],
        evidence_type=EvidenceType(entry["evidence_type"]),
        task_id=entry["task_id"],
        source=entry.get("source"),
        context_hint=entry.get("context_hint") or None,
        expected_section=entry.get("expected_section") or None,
        confidence_threshold=float(entry.get("confidence_threshold", DEFAULT_THRESHOLD)),
    )


def _check_unique(claims: tuple[Claim, ...]) -> None:
    twice = sorted(name for name, count in Counter(c.id for c in claims).items() if count > 1)
    if twice:
        raise ValidationError(
            f"claim ids must be unique; used more than once: {', '.join(twice[:10])}",
            {"path": "claims", "value": twice[:10], "constraint": "uniqueIds"},
        )
