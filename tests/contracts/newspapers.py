"""Quotes as people transcribed them, looked for in what a machine read from old newspapers."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tests.contracts.shared_quotes import NEWSPAPER_QUOTES, NEWSPAPERS, Row, rows

from veridical import (
    Claim,
    EvidenceType,
    Format,
    Span,
    ValidationConfig,
    Validator,
    document_from_text,
)
from veridical.validation.claims import MAX_QUOTE_CHARS
from veridical.validation.config import SemanticMatching

BY_WORDS = ValidationConfig(semantic_matching=SemanticMatching(enabled=False))
"""What is measured is where quotes stand: reading what they mean changes no place, and takes 17
times as long.
"""

THRESHOLD = 0.5
MIN_OVERLAP = 0.5

BANDS = {"cer <= 0.05": 0.05, "cer <= 0.15": 0.15, "cer > 0.15": float("inf")}
"""Character error rate of the passage up to which a quote belongs to the band."""


@dataclass
class Count:
    """Quotes of one band: in all, and found at the labelled span."""

    total: int = 0
    located: int = 0

    @property
    def share(self) -> float:
        """Located quotes over all."""
        return self.located / self.total


@dataclass
class Outcome:
    """What became of the set. `refused` quotes are too long for a claim."""

    bands: dict[str, Count]
    missed: dict[str, list[str]]
    refused: int = 0

    def table(self) -> str:
        """The counts, for a reader."""
        lines = [f"{'band':<12} {'quotes':>6} {'located':>8} {'share':>7}"]
        for name, count in self.bands.items():
            lines.append(f"{name:<12} {count.total:>6} {count.located:>8} {count.share:>7.2%}")
        return "\n".join([*lines, f"refused as longer than {MAX_QUOTE_CHARS:,}: {self.refused}"])


def measure() -> Outcome:
    """Check every quote against its own article."""
    outcome = Outcome({name: Count() for name in BANDS}, {name: [] for name in BANDS})
    wanted: dict[str, list[Row]] = defaultdict(list)
    for row in rows(NEWSPAPER_QUOTES):
        wanted[row["doc_id"]].append(row)
    for article in rows(NEWSPAPERS):
        _check(article, wanted[article["doc_id"]], outcome)
    return outcome


def _check(article: Row, quotes: list[Row], outcome: Outcome) -> None:
    short = [row for row in quotes if len(row["quote"]) <= MAX_QUOTE_CHARS]
    outcome.refused += len(quotes) - len(short)
    document = document_from_text(article["ocr_text"], article["doc_id"], Format.PLAIN_TEXT)
    report = Validator([document], BY_WORDS).validate(
        Claim(row["id"], row["quote"], EvidenceType.PARAPHRASE, confidence_threshold=THRESHOLD)
        for row in short
    )
    assert report.ok, report.errors
    for row, result in zip(short, report.results, strict=True):
        band = next(name for name, most in BANDS.items() if row["cer"] <= most)
        located = result.match is not None and (
            result.match.span.overlap_ratio(Span(*row["span"])) >= MIN_OVERLAP
        )
        count = outcome.bands[band]
        count.total += 1
        count.located += located
        if not located:
            outcome.missed[band].append(row["id"])
