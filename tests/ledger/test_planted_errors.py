"""Twenty answers of ten claims with three planted errors each: found, and few others accused.

`planted/labels.json` names the question of every answer and the verbatim text of its claims: seven
are true, and one each has another number, has a negation, or comes from nowhere. They were written
from the documents alone, without regard to how a judge works.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from veridical import load_documents
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.entry import LedgerEntry
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Span

pytestmark = pytest.mark.no_cover  # twenty whole answers: what they run is covered elsewhere

HERE = Path(__file__).parent / "planted"
SOURCES = Path(__file__).parents[2] / "examples" / "sources"
MOMENT = datetime(2026, 6, 1, tzinfo=UTC)
ALTERED = {"number", "negation"}
"""Errors that a document speaks against; a claim from nowhere has no document."""


@dataclass
class Outcome:
    """A labelled claim and the entries that speak of it: none, if it was overlooked."""

    label: str
    text: str
    span: Span
    entries: list[LedgerEntry] = field(default_factory=list)

    @property
    def verdicts(self) -> set[Verdict]:
        return {entry.verdict for entry in self.entries}

    def __str__(self) -> str:
        said = [f"{entry.verdict} ({entry.notes})" for entry in self.entries]
        return f"{self.label}: {self.text!r}: {'; '.join(said) or 'overlooked'}"


@cache
def outcomes() -> tuple[list[Outcome], list[str]]:
    """All labelled claims, each with the entries that share most of their words with it; and the
    entries that share none with any.
    """
    builder = LedgerBuilder(Corpus(load_documents([SOURCES]).documents))
    found: list[Outcome] = []
    stray: list[str] = []
    for row in json.loads((HERE / "labels.json").read_text("utf-8"))["answers"]:
        answer, claims = (HERE / row["answer"]).read_text("utf-8"), []
        for claim in row["claims"]:
            start = answer.index(claim["text"])
            span = Span(start, start + len(claim["text"]))
            claims.append(Outcome(claim["label"], claim["text"], span))
        ledger = builder.build(answer, query=row["query"], created_at=MOMENT)
        for entry in ledger.entries:
            nearest = max(claims, key=lambda claim: claim.span.overlap(entry.claim.span))
            if nearest.span.overlap(entry.claim.span):
                nearest.entries.append(entry)
            else:
                stray.append(entry.claim.text)
        found.extend(claims)
    return found, stray


def test_every_error_is_found_and_most_altered_claims_are_contradicted() -> None:
    errors = [one for one in outcomes()[0] if one.label != "true"]
    missed = [one for one in errors if not one.entries or Verdict.SUPPORTED in one.verdicts]
    assert len(errors) == 60
    assert not missed, "\n".join(map(str, missed))
    altered = [one for one in errors if one.label in ALTERED]
    doubted = [one for one in altered if Verdict.CONTRADICTED not in one.verdicts]
    assert 1 - len(doubted) / len(altered) >= 0.52, "\n".join(map(str, doubted))


def test_most_true_claims_are_supported_and_few_accused_or_overlooked() -> None:
    """94 of the 140 are supported, and 16 accused or overlooked."""
    true = [one for one in outcomes()[0] if one.label == "true"]
    assert len(true) == 140
    accusing = {Verdict.CONTRADICTED, Verdict.NOT_FOUND}
    accused = [one for one in true if not one.entries or one.verdicts & accusing]
    assert len(accused) / len(true) <= 0.14, "\n".join(map(str, accused))
    missed = [one for one in true if one.verdicts != {Verdict.SUPPORTED}]
    assert 1 - len(missed) / len(true) >= 0.62, "\n".join(map(str, missed))


def test_hardly_anything_else_becomes_an_entry() -> None:
    """Such as a greeting, or a good wish."""
    assert len(outcomes()[1]) <= 2, outcomes()[1]
