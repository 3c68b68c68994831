"""Twenty answers of ten claims with three planted errors each: found, and few others accused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

import pytest
from tests.ledger.planted.answers import (
    ALTERED,
    SOURCES,
    Label,
    Labelled,
    PlantedAnswer,
    faults,
    load_planted,
)

from veridical import Document, load_documents
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.entry import EvidenceLedger, LedgerEntry
from veridical.retrieval.corpus import Corpus

pytestmark = pytest.mark.no_cover  # twenty whole answers: what they run is covered elsewhere

MOMENT = datetime(2026, 6, 1, tzinfo=UTC)
ANSWERS = load_planted()
ERRORS = tuple(label for label in Label if label is not Label.TRUE)
ACCUSING = {Verdict.CONTRADICTED, Verdict.NOT_FOUND}

LEAST_SUPPORTED = 0.62
"""Share of the 140 true claims that must be `supported`: 94 of them are."""

MOST_ACCUSED = 0.14
"""Share of them that may be called contradicted or not found, or be overlooked: 16 of them are."""

LEAST_CONTRADICTED = 0.52
"""Share of the 40 changed numbers and negations that must be `contradicted`, not only doubted."""

MOST_STRAY = 2
"""Entries, over all answers, that may speak of what is no claim: a greeting, a good wish."""


@dataclass(frozen=True)
class Outcome:
    """A labelled claim and the entries that speak of it: none, if it was overlooked."""

    claim: Labelled
    entries: tuple[LedgerEntry, ...]

    @property
    def verdicts(self) -> set[Verdict]:
        return {entry.verdict for entry in self.entries}

    @property
    def supported(self) -> bool:
        return self.verdicts == {Verdict.SUPPORTED}

    @property
    def spared(self) -> bool:
        """Whether a true claim was looked at and not accused."""
        return bool(self.entries) and not self.verdicts & ACCUSING

    @property
    def found(self) -> bool:
        """Whether an error was seen: no part of it was passed."""
        return bool(self.entries) and Verdict.SUPPORTED not in self.verdicts

    def __str__(self) -> str:
        said = [f"{entry.verdict} ({entry.notes})" for entry in self.entries]
        return f"{self.claim.label}: {self.claim.text!r}: {'; '.join(said) or 'overlooked'}"


@cache
def documents() -> Mapping[str, Document]:
    return {document.name: document for document in load_documents([SOURCES]).documents}


@cache
def ledgers() -> Mapping[str, EvidenceLedger]:
    builder = LedgerBuilder(Corpus(list(documents().values())))
    return {
        answer.name: builder.build(answer.text, query=answer.query, created_at=MOMENT)
        for answer in ANSWERS
    }


@cache
def outcomes() -> Mapping[str, tuple[Outcome, ...]]:
    return {answer.name: tuple(_outcomes(ledgers()[answer.name], answer)) for answer in ANSWERS}


def _outcomes(ledger: EvidenceLedger, answer: PlantedAnswer) -> Iterator[Outcome]:
    """Each entry goes to the labelled claim that it shares most of its words with."""
    entries: dict[Labelled, list[LedgerEntry]] = {claim: [] for claim in answer.claims}
    for entry in ledger.entries:
        nearest = max(answer.claims, key=lambda claim: claim.span.overlap(entry.claim.span))
        if nearest.span.overlap(entry.claim.span):
            entries[nearest].append(entry)
    return (Outcome(claim, tuple(entries[claim])) for claim in answer.claims)


def test_there_are_twenty_answers_of_one_document_or_more() -> None:
    used = [{claim.document for claim in answer.claims} - {""} for answer in ANSWERS]
    assert len(ANSWERS) == 20
    assert sum(len(names) == 1 for names in used) == 10
    assert all(sum(name in names for names in used) >= 5 for name in set().union(*used))


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.name)
def test_the_labels_are_sound(answer: PlantedAnswer) -> None:
    assert not list(faults(answer, documents()))


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.name)
def test_the_three_errors_are_found(answer: PlantedAnswer) -> None:
    errors = [outcome for outcome in outcomes()[answer.name] if outcome.claim.label in ERRORS]
    missed = [str(error) for error in errors if not error.found]
    assert len(errors) == 3
    assert not missed, "\n".join(missed)


def true_claims() -> list[Outcome]:
    true = [one for group in outcomes().values() for one in group if one.claim.label is Label.TRUE]
    assert len(true) == 140
    return true


def test_few_true_claims_are_accused() -> None:
    true = true_claims()
    accused = [str(one) for one in true if not one.spared]
    assert len(accused) / len(true) <= MOST_ACCUSED, "\n".join(accused)


def test_most_true_claims_are_supported() -> None:
    true = true_claims()
    missed = [str(one) for one in true if not one.supported]
    assert 1 - len(missed) / len(true) >= LEAST_SUPPORTED, "\n".join(missed)


def test_most_altered_claims_are_contradicted() -> None:
    altered = [one for group in outcomes().values() for one in group if one.claim.label in ALTERED]
    only_doubted = [str(one) for one in altered if Verdict.CONTRADICTED not in one.verdicts]
    assert len(altered) == 40
    assert 1 - len(only_doubted) / len(altered) >= LEAST_CONTRADICTED, "\n".join(only_doubted)


def test_hardly_anything_else_becomes_an_entry() -> None:
    stray = [
        f"{answer.name}: {entry.claim.text!r}"
        for answer in ANSWERS
        for entry in ledgers()[answer.name].entries
        if not any(claim.span.overlap(entry.claim.span) for claim in answer.claims)
    ]
    assert len(stray) <= MOST_STRAY, "\n".join(stray)
