"""What stands around a quote: what refuses it, what puts it in doubt, and what is no matter."""

from __future__ import annotations

import pytest
from tests.scoring.test_evidence import RUBRIC, VERBATIM, check
from tests.speech.transcripts import from_sentences

from veridical.scoring.answer import CitedEvidence
from veridical.scoring.checking.evidence import EvidenceChecker
from veridical.scoring.rubric import Criterion, CriterionType, EvidenceRules
from veridical.sources.transcript import Transcript

LOOSE = Criterion(
    "loose",
    "Says so in any words",
    CriterionType.BOOLEAN,
    evidence=EvidenceRules(require_verbatim_quote=False),
)


def talk(*said: str) -> Transcript:
    """Sentences of one speaker, a second apart."""
    return from_sentences([(5.0 * n, 5.0 * n + 4, text, "A") for n, text in enumerate(said)])


def doubt(quote: str, transcript: Transcript) -> str | None:
    """How verified words are meant; raises where they are not verified."""
    checker = EvidenceChecker(transcript, RUBRIC)
    found = checker.check(CitedEvidence(quote, 0.0, "A"), VERBATIM)
    assert found.verified, found.reason
    return checker.doubt(found)


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("Evacuate the building", "Evacuate the building, do not go back in."),
        ("I will call you back tomorrow", "I will call you back tomorrow, don't worry."),
        ("We are on the second floor", "We are on the second floor, cannot find the stairs."),
        ("the patient is Mr. Hill", "The patient is Mr. Hill, no allergies."),
    ],
)
def test_another_clause_that_denies_denies_itself(quote: str, said: str) -> None:
    assert doubt(quote, talk(said)) is None


@pytest.mark.parametrize(
    "after",
    [
        "Scratch that.",
        "I take that back.",
        "Sorry, Dispatch, go ahead.",
        "Negative, Ladder 4, stay out.",
    ],
)
def test_what_may_be_taken_back_afterwards_is_in_doubt(after: str) -> None:
    meant = doubt("Battalion 2 has command", talk("Battalion 2 has command.", after))
    assert meant is not None
    assert "taken back" in meant


@pytest.mark.parametrize(
    "said",
    [
        "The search is complete, but that was wrong.",
        "The search is complete, or so they claim.",
        "The search is complete, scratch that.",
    ],
)
def test_what_is_taken_back_in_the_same_sentence_is_refused(said: str) -> None:
    assert "takes them back" in check("the search is complete", 0, transcript=talk(said)).reason


def test_words_that_are_refused_where_they_are_cited_are_not_looked_for_elsewhere() -> None:
    transcript = from_sentences(
        [
            (30.0, 34.0, "Command, all members accounted for, PAR complete.", "A"),
            (300.0, 304.0, "Not all members accounted for, PAR is not complete.", "A"),
        ]
    )
    found = check("all members accounted for", 300, "A", transcript=transcript)
    assert not found.verified
    assert "leaves out" in found.reason
    assert check("all members accounted for", 31, "A", transcript=transcript).start is not None


@pytest.mark.parametrize(
    ("quote", "said", "verified"),
    [
        ("the second floor we have searched", "We have searched the second floor.", False),
        ("we have now searched the second floor", "We have searched the second floor.", True),
        ("we have searched the second floor", "Have we searched the second floor?", False),
        ("the agent refunded the customer", "The customer refunded the agent.", False),
    ],
)
def test_a_paraphrase_states_what_was_stated_of_whom_it_was(
    quote: str, said: str, verified: bool
) -> None:
    assert check(quote, 0, transcript=talk(said), criterion=LOOSE).verified is verified
