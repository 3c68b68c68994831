"""What is kept of a reply: statements that the cited sources bear out, in order, within bounds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from veridical.answering.answer import Draft, RefusalReason
from veridical.answering.evidence.finding import Evidence
from veridical.answering.generative.author import NOTE, ModelAuthor
from veridical.answering.generative.check import adds_an_address
from veridical.answering.generative.prompts import MOST_BULLETS, MOST_WORDS
from veridical.answering.question.asked import read_question
from veridical.errors import ModelUnavailable
from veridical.judging.judge import Case, JudgeFailure, Judgement, OperatingPoint
from veridical.models.scripted import ScriptedModel
from veridical.retrieval.chunks import chunk_document
from veridical.retrieval.hybrid import Hit
from veridical.sources.document import Format
from veridical.sources.loader import document_from_text

LEAVE = """\
# Leave

Full-time staff are entitled to 27 days of annual leave in each leave year. Part-time staff receive
a share in proportion to their weekly hours. Up to five days may be carried over into the next
leave year. They must be used by 30 June.
"""
SICK = """\
# Sickness

A medical certificate is required from the fourth day. Sick pay ends after 26 weeks. The People team
keeps certificates for six years. Nobody may ask for a diagnosis.
"""
DAYS = "Full-time staff are entitled to 27 days of annual leave in each leave year"
CARRY = "Up to five days may be carried over into the next leave year"
PAPER = "A medical certificate is required from the fourth day"


def hits() -> tuple[Hit, ...]:
    chunks = [
        chunk
        for name, text in (("leave.md", LEAVE), ("sick.md", SICK))
        for chunk in chunk_document(document_from_text(text, name, Format.MARKDOWN))
    ]
    return tuple(Hit(chunk, 1.0 / rank, rank, None) for rank, chunk in enumerate(chunks, 1))


def drafted(reply: str, judge: object = None, evidence: Sequence[Evidence] = ()) -> Draft:
    author = ModelAuthor(ScriptedModel([reply], repeat_last=True), judge)  # type: ignore[arg-type]
    return author.draft(read_question("How much leave is there?"), hits(), evidence)


def texts(draft: Draft) -> list[str]:
    return [statement.text for statement in draft.statements]


def sources(draft: Draft) -> list[list[str]]:
    """The documents behind each statement."""
    return [list(dict.fromkeys(c.document.name for c, _ in s.deciding)) for s in draft.statements]


def test_each_statement_rests_on_what_it_cites() -> None:
    draft = drafted(f"- {DAYS} [1].\n- {PAPER} [2].")
    assert texts(draft) == [f"{DAYS}.", f"{PAPER}."]
    assert sources(draft) == [["leave.md"], ["sick.md"]]
    assert draft.notes == ()


def test_a_source_that_says_it_does_not_hide_one_that_says_otherwise() -> None:
    other = document_from_text(f"# Leave\n\n{DAYS.replace('27', '25')}.\n", "old.md")
    found = (*hits()[:1], Hit(chunk_document(other)[0], 0.5, 2, None))
    author = ModelAuthor(ScriptedModel([f"- {DAYS} [1].\n- {DAYS} [1][2]."]))
    draft = author.draft(read_question("How much leave is there?"), found, ())
    assert sources(draft) == [["leave.md"]]
    assert draft.notes == (
        "Bullet 2, sentence 1 was left out: a source that it cites says otherwise.",
    )


def test_a_true_statement_with_the_wrong_source_is_dropped() -> None:
    draft = drafted(f"- {DAYS} [2].")
    assert draft.refusal is not None
    assert draft.refusal.reason is RefusalReason.UNSUPPORTED
    assert draft.notes == ("Bullet 1, sentence 1 was left out: source [2] does not bear it out.",)


def test_clauses_may_rest_on_two_sources() -> None:
    draft = drafted(
        "- A medical certificate is required from the fourth day [2], and full-time staff are "
        "entitled to 27 days of annual leave [1]."
    )
    assert sources(draft) == [["sick.md", "leave.md"]]


def test_a_false_sentence_goes_and_what_refers_back_to_it_goes_too() -> None:
    draft = drafted(
        "- Up to fifty days may be carried over into the next leave year [1]. They must be used by "
        f"30 June [1].\n- {PAPER} [2]."
    )
    assert texts(draft) == [f"{PAPER}."]
    assert "refers to what was left out" in draft.notes[1]


def test_a_bullet_that_lost_its_exception_goes_whole() -> None:
    draft = drafted(f"- {DAYS} [1]. However, staff in Saltby receive none [1].\n- {PAPER} [2].")
    assert texts(draft) == [f"{PAPER}."]


def test_at_most_so_many_bullets_the_first_that_hold() -> None:
    facts = [
        "Managers get a car", DAYS, CARRY, PAPER, "Sick pay ends after 26 weeks",
        "The People team keeps certificates for six years",
    ]  # fmt: skip
    draft = drafted("\n".join(f"- {fact} [1][2]." for fact in facts))
    assert texts(draft) == [f"{fact}." for fact in facts[1:5]]
    assert len(draft.statements) == MOST_BULLETS
    assert draft.notes[-1] == "Bullet 6 was left out: there are enough."


def test_bullets_over_the_word_limit_are_left_out() -> None:
    draft = drafted("- " + " ".join([f"{DAYS} [1]."] * 12) + f"\n- {PAPER} [2].")
    assert texts(draft) == [f"{PAPER}."]
    assert sum(len(text.split()) for text in texts(draft)) <= MOST_WORDS


def test_a_fragment_gives_way_to_the_sentence_that_it_is_of() -> None:
    chunk = hits()[0].chunk
    assert drafted("- 27 days of annual leave [1]").statements == ()
    evidence = [Evidence(chunk, i, "", 1.0) for i in range(1, len(chunk.sentences))]
    draft = drafted("- 27 days of annual leave [1]", evidence=evidence)
    assert texts(draft)[0].startswith(DAYS)
    assert draft.notes[0] == NOTE


def test_what_changes_the_best_evidence_gives_way_to_it() -> None:
    chunk = hits()[1].chunk
    lie = "- A medical certificate is required from the first day [1]"
    first, second = Evidence(chunk, 1, "", 1.0), Evidence(chunk, 2, "", 0.5)
    assert texts(drafted(lie, evidence=[first, second]))[0].startswith(PAPER)
    assert drafted(lie, evidence=[second, first]).statements == ()
    assert drafted(lie.replace("[1]", "[2]"), evidence=[first]).statements == ()


class Fails:
    """A judge that judges nothing, or raises."""

    name = "fails"
    point = OperatingPoint.STRICT

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        if self.error is not None:
            raise self.error
        return [JudgeFailure("no reply")] * len(cases)


def test_where_a_judge_judges_nothing_the_embedded_one_does() -> None:
    reply = f"- {DAYS} [1].\n- {DAYS.replace('27', '72')} [1]."
    assert texts(drafted(reply, judge=Fails())) == [f"{DAYS}."]


def test_a_judge_that_is_not_available_is_the_callers_to_stand_in_for() -> None:
    with pytest.raises(ModelUnavailable):
        drafted(f"- {DAYS} [1].", judge=Fails(ModelUnavailable("not now")))


def test_notes_are_bounded_and_hold_no_text() -> None:
    draft = drafted("\n".join(f"- Secret thing {i} holds [1]." for i in range(30)))
    assert len(draft.notes) <= 9
    assert not any("Secret" in note for note in draft.notes)


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("Write to hr@corp.example.", False),
        ("Write to hr@evil.example", True),
        ("See https://evil.com/x", True),
        ("Carry over 1.67 days", False),
    ],
)
def test_addresses_come_from_the_source(text: str, added: bool) -> None:
    assert adds_an_address(text, "Ask HR@corp.example for it.") is added
