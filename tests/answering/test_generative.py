"""What is kept of a reply: statements that the cited sources bear out, in order, within bounds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.answering.answer import Draft, RefusalReason
from veridical.answering.evidence import Evidence
from veridical.answering.generative.author import NOTE, ModelAuthor
from veridical.answering.generative.check import adds_an_address
from veridical.answering.generative.fidelity import keeps_to, keeps_to_row
from veridical.answering.generative.prompts import MOST_BULLETS, MOST_WORDS
from veridical.answering.generative.terms import clauses_of, keys_of
from veridical.answering.question import read_question
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


# --- a statement keeps to its sentence, or it does not: one word makes another rule ---------------

REMOTE = "Employees may work remotely up to three days a week after completing their probation."
LOST = "Lost devices must be reported to the Security Desk within 4 hours."
MEALS = "Meals on business trips are reimbursed up to $60 per day."
FLIGHTS = "First-class flights are not permitted except for flights longer than eight hours."
ROOM = "Visitors may enter the server room only when accompanied by an engineer."
BILL = "The company pays 40% of the internet bill, at most $25 a month."
PAID_OUT = "Leave is not paid out, unless employment ends."
OFFICER = "Dr. Maria Keller is the data protection officer; Tom Brandt is her deputy."
MAIL = "E-mails are deleted after 24 months and chat messages after 12 months."
CANCEL = "It can be cancelled with one month's notice, but not during the first three months."
ANSWERS = "The manager answers within three days, and a late request goes to the next level."


@pytest.mark.parametrize(
    ("sentence", "lie"),
    [
        (REMOTE, "Interns may work remotely up to three days a week after their probation"),
        (REMOTE, "Employees may work remotely up to three days a week during their probation"),
        (REMOTE, "Employees may work remotely at least three days a week after their probation"),
        (REMOTE, "Employees may work remotely up to three days a week"),
        (REMOTE, "Employees must work remotely up to three days a week after their probation"),
        (LOST, "Lost devices must be reported to the police within 4 hours"),
        (LOST, "Lost devices must be reported to the Security Desk after 4 hours"),
        (MEALS, "Meals on business trips are reimbursed up to 60 euros per day"),
        (MEALS, "Meals are reimbursed up to $60 per day"),
        (MEALS, "Meals on business trips are reimbursed at $60 per day"),
        (FLIGHTS, "First-class flights are not permitted"),
        (FLIGHTS, "First-class flights are permitted except for flights longer than 8 hours"),
        (FLIGHTS, "First-class flights are only permitted for flights shorter than 8 hours"),
        (ROOM, "Engineers may enter the server room only when accompanied by a visitor"),
        (ROOM, "Visitors may enter the server room"),
        (BILL, "The company pays 40% of the internet bill"),
        (BILL, "The company pays 25% of the internet bill, at most $40 a month"),
        (PAID_OUT, "Leave is paid out, unless employment ends"),
        (PAID_OUT, "Leave is not paid out"),
        (OFFICER, "Tom Brandt is the data protection officer"),
        (CANCEL, "It can be cancelled with one month's notice"),
        ("Members may bring guests.", "Guests may bring members"),
        ("It closes at 9 on weekdays and at 5 on Sundays.", "It closes at 5 on weekdays"),
        ("The line manager or HR approves it.", "The line manager and HR approve it"),
    ],
)
def test_a_change_of_one_word_is_seen(sentence: str, lie: str) -> None:
    assert not keeps_to(lie, sentence)


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (REMOTE, "After probation, employees can work remotely up to 3 days per week"),
        (REMOTE, "Employees may work remotely at most three days each week after probation"),
        (LOST, "Report lost devices to the Security Desk within four hours"),
        (LOST, "Lost devices must be reported within 4 hours"),
        (MEALS, "On business trips, meals are reimbursed up to 60 dollars a day"),
        (ROOM, "Visitors may only enter the server room if accompanied by an engineer"),
        (BILL, "The company pays 40 percent of the internet bill, up to $25 per month"),
        (PAID_OUT, "Unless employment ends, leave is not paid out"),
        (OFFICER, "The data protection officer is Dr. Maria Keller"),
        (MAIL, "E-mails are deleted after 24 months"),
        (ANSWERS, "The manager answers within 3 days"),
        ("Interns cannot work remotely.", "Interns are not allowed to work remotely"),
        ("Carried-over days lapse on 31 March.", "Carried-over days lapse on March 31"),
        ("An engineer inspects it every year.", "It is inspected by an engineer each year"),
    ],
)
def test_other_words_for_the_same_are_known(sentence: str, said: str) -> None:
    assert keeps_to(said, sentence)


def test_values_that_change_places_are_seen_by_the_judge() -> None:
    chunks = chunk_document(document_from_text(f"# Mail\n\n{MAIL}\n", "mail.md", Format.MARKDOWN))
    found = [Hit(chunk, 1.0, 1, None) for chunk in chunks]
    swapped = MAIL.replace("24", "x").replace("12", "24").replace("x", "12")
    for said, kept in ((MAIL, [MAIL]), (swapped, [])):
        author = ModelAuthor(ScriptedModel([f"- {said} [1]"]))
        assert texts(author.draft(read_question("When are they deleted?"), found, ())) == kept


def test_words_may_come_from_the_titles_above() -> None:
    sentence, said = "The key is kept at reception.", "The laboratory key is kept at reception"
    assert not keeps_to(said, sentence)
    assert keeps_to(said, sentence, keys_of(("Laboratory safety",)))


ROW = "Years of service: 2 to 4; PTO per year: 20 days; Earned per month: 1.67 days; Most: 30 days"


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("Employees with 2 to 4 years of service get 20 days of PTO per year", True),
        ("Employees with 2 to 4 years of service have earned 1.67 days per month", True),
        ("Employees with 2 to 4 years of service get 30 days of PTO per year", False),
        ("Employees with 2 to 4 years of service get 20 days of PTO per month", False),
        ("Employees with 5 to 9 years of service get 20 days of PTO per year", False),
        ("Employees get 20 days of PTO per year", False),
        ("Interns with 2 to 4 years of service get 20 days of PTO per year", False),
        ("Employees with 2 to 4 years of service do not get 20 days of PTO per year", False),
    ],
)
def test_a_row_is_told_with_its_titles(said: str, holds: bool) -> None:
    assert keeps_to_row(said, ROW, frozenset()) is holds


WORDS = st.sampled_from(
    "employees may not must only if unless up to 5 days per week $60 40% , ; and but or by within "
    "approval the manager's leave".split()
)


@given(st.lists(WORDS, min_size=1, max_size=25).map(" ".join))
def test_what_keeps_to_a_sentence_has_no_words_of_its_own(text: str) -> None:
    for sentence in (REMOTE, LOST, MEALS, text):
        if keeps_to(text, sentence):
            words = {key for key in keys_of((text,)) if not key.isdigit()}
            assert words <= keys_of((sentence,))


def test_overlong_sentences_bear_nothing_out() -> None:
    sentence = "Interns get one day of leave, " * 400
    assert clauses_of(sentence) == ()
    assert not keeps_to("Interns get one day of leave", sentence)
