"""What judges say of a claim's passages on its way into a ledger, and who stands in for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from veridical.errors import ProcessingError
from veridical.judging.judge import (
    Case,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
)
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.entry import LedgerEntry
from veridical.retrieval.corpus import Corpus
from veridical.sources.loader import document_from_text

NOTHING = Judgement(SupportLevel.NONE, 0.0, 0.0, 0.0, False, 0.5, None)
NIGHT = document_from_text("Who works at night gets three more days of leave.\n", "night.md")
MEALS = document_from_text("A meal is free for whoever works at night.\n", "meals.md")
CLAIM = "Who works at night gets three more days of leave, and a meal is free."


@dataclass(frozen=True)
class FailsOn:
    """Finds nothing, and fails on passages with some words."""

    words: str
    name: str = "failing"
    point: OperatingPoint = OperatingPoint.STRICT

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        return [
            JudgeFailure("no answer in time") if self.words in " ".join(case.sentences) else NOTHING
            for case in cases
        ]


def test_only_what_was_not_judged_is_taken_from_it() -> None:
    builder = LedgerBuilder(Corpus([NIGHT, MEALS]), judge=FailsOn("meal"))
    said = "Who works at night gets three more days of leave."
    found = [
        entry.verdict
        for entry in builder.judged([said, "A meal is free for whoever works at night."])
    ]
    assert found == [Verdict.NOT_FOUND, Verdict.SUPPORTED]


@dataclass(frozen=True)
class GivesMore(FailsOn):
    """Gives one judgement too many."""

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        return [NOTHING] * (len(cases) + 1)


def test_a_judge_that_gives_too_many_judgements_has_judged_none() -> None:
    builder = LedgerBuilder(Corpus([NIGHT, MEALS]), judge=GivesMore(""))
    with pytest.raises(ProcessingError, match="gave more judgements"):
        builder.judged([CLAIM])


# What bears nothing out


RULES = document_from_text(
    "Dogs stay outside. Cats may come in. Birds must be kept quiet.\n", "r.md"
)


@dataclass(frozen=True)
class LooksAt(FailsOn):
    """Looked at the second sentence, and found nothing in it."""

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        found = Judgement(SupportLevel.NONE, 0.1, 0.1, 0.1, False, 0.5, (1, 2), "It says nothing.")
        return [found for _ in cases]


def judged(builder: LedgerBuilder, statement: str) -> LedgerEntry:
    (entry,) = builder.judged([statement])
    return entry


def test_the_nearest_words_are_those_that_the_judge_looked_at_and_no_evidence() -> None:
    entry = judged(LedgerBuilder(Corpus([RULES]), judge=LooksAt("")), "Cats and birds are fed.")
    assert (entry.verdict, entry.evidence) == (Verdict.NOT_FOUND, ())
    assert [piece.snippet for piece in entry.near] == ["Cats may come in."]
    assert entry.notes == "It says nothing."


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("Hunde und Katzen dürfen nicht in das Büro und müssen draußen bleiben.", "English"),
        ("Rooms on Mars are painted blue by robots.", ""),
    ],
)
def test_the_reason_of_the_embedded_judge_reaches_the_ledger(claim: str, told: str) -> None:
    entry = judged(LedgerBuilder(Corpus([RULES])), claim)
    assert entry.verdict is Verdict.NOT_FOUND
    assert told in entry.notes
    assert told or entry.notes == "Evidence does not adequately support claim"
