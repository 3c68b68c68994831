"""What the rules take for claims, and where these stand."""

from __future__ import annotations

import pytest
from tests.ledger.extraction.claims_of import extracted, only, texts

from veridical.ledger.extraction.extractor import MAX_CLAIMS, SkipReason
from veridical.ledger.extraction.remarks import unchecked_parts

ALL = ["the whole of it"]
CLAIMS = [
    ("Leave is 25 days. Notice is a month!", ["Leave is 25 days", "Notice is a month"]),
    ("Leave is 25\ndays. It is\npaid.", ["Leave is 25\ndays", "It is\npaid"]),
    ("# Leave\n\nStaff get 25 days.", ["Staff get 25 days"]),
    ("Staff get 25 days.\n---\nIt is paid.", ["Staff get 25 days", "It is paid"]),
    ("**Annual leave**\n\nStaff get 25 days.", ["Staff get 25 days"]),
    ("**Annual leave**\nStaff get 25 days.", ["Staff get 25 days"]),
    ("**Staff get 25 days.**", ["Staff get 25 days"]),
    ("**Staff** get *25 days*.", ["**Staff** get *25 days*"]),
    ("### Notice: 14 days", ["Notice: 14 days"]),
    ("## Employees must tell their manager.", ["Employees must tell their manager"]),
    ("## 3.2 Annual leave\n\nIt is paid.", ["It is paid"]),
    ("Staff may carry over:\n- 5 days\n- unpaid leave", ["5 days", "unpaid leave"]),
    ("Staff may carry over:\n\n* 5 days.\n+ unpaid leave.", ["5 days", "unpaid leave"]),
    ("(a) Staff may swim.\n(b) Cats may nap.", ["Staff may swim", "Cats may nap"]),
    ("- [x] Cats may nap.\n- [ ] Dogs may bark.", ["Cats may nap", "Dogs may bark"]),
    ("1\ufe0f\u20e3 Cats may nap.\n2\ufe0f\u20e3 Dogs bark.", ["Cats may nap", "Dogs bark"]),
    ("Allowed:\n- \u274c Carry-over of leave", ["\u274c Carry-over of leave"]),
    ("- **Carry-over:** up to 5 days", ["**Carry-over:** up to 5 days"]),
    ("Leave is 25 days  \nNotice is 14 days", ["Leave is 25 days", "Notice is 14 days"]),
    ("Leave is 25 days<br>Notice is 14 days", ["Leave is 25 days", "Notice is 14 days"]),
    ("Type | Days\n--- | ---\nAnnual | **25** [1]", ["Annual | **25**"]),
    ("| Type | Days |\n|---|---|\n| Leave | |\n| Annual | 25 |", ["Annual | 25"]),
    ("> Staff get 25 days.\n> It is paid.", ["Staff get 25 days", "It is paid"]),
    ("<p>Staff get <b>25 days</b>.</p>", ["Staff get <b>25 days</b>"]),
    ("<ul><li>Leave is paid</li><li>Dogs may bark</li></ul>", ["Leave is paid", "Dogs may bark"]),
    ("Carry-over\n: What is kept for the next year.", ["What is kept for the next year"]),
    ("Leave is paid[^1].\n\n[^1]: Dogs may bark.", ["Leave is paid", "Dogs may bark"]),
    ("```\nLeave is 25 days.\n```\nIt is paid.", ["It is paid"]),
    ("    Staff get 25 days of leave.", ["Staff get 25 days of leave"]),
    ("    x = leave(25);", []),
    ("---\n\nStaff get 25 days.\n\n***", ["Staff get 25 days"]),
    ("<!-- Staff get 90 days. -->\nStaff get 25 days.", ["Staff get 25 days"]),
    ("<!--\n```\n-->\nStaff get 25 days.", ["Staff get 25 days"]),
    ("There are 3 kinds of leave:\n- annual leave", ["There are 3 kinds of leave", "annual leave"]),
    ("The HR office opens at 9 a.m. on Monday.", ["The HR office opens at 9 a.m. on Monday"]),
    ("See Sec. 3.2 on e.g. nurses, who get approx. 5 days.", ALL),
    ("Inform Dr. Smith of No. 5. It is due.", ["Inform Dr. Smith of No. 5", "It is due"]),
    ("Contact HR to book leave.", ["Contact HR to book leave"]),
    ("**Leave.** It is paid. It is fixed.", ["It is paid", "It is fixed"]),
    ("Mice must stay, but dogs may [1]. It is so.", ["Mice must stay, but dogs may", "It is so"]),
    ("\ufeffStaff get 25 days.", ALL),
    ("Cats sing in choirs. Dogs fly. >\n- ", ["Cats sing in choirs", "Dogs fly"]),
    ("Cats sing in choirs. Dogs fly. >\n---\n", ["Cats sing in choirs", "Dogs fly"]),
    ("Is it true that staff get 90 days?", []),
    ("Do people who are not managers get leave?", []),
    # other languages
    ("Die Regel gilt ab dem 1. Januar 2025, z. B. in Wien.", ALL),
    ("\u00bfCu\u00e1ntos d\u00edas? Son 22 d\u00edas.", ["Son 22 d\u00edas"]),
    ("\u5e74\u4f11\u306f20\u65e5\u3002\u627f\u8a8d\u304c\u5fc5\u8981\u3002[1]",
     ["\u5e74\u4f11\u306f20\u65e5", "\u627f\u8a8d\u304c\u5fc5\u8981"]),
    ("\u0647\u0644\u061f \u064a\u062c\u0628 \u0627\u0644\u0637\u0644\u0628.",
     ["\u064a\u062c\u0628 \u0627\u0644\u0637\u0644\u0628"]),
    # independent clauses
    ("Leave is 25 days, and staff must ask", ["Leave is 25 days", "staff must ask"]),
    ("Sick leave is 10 days; HR must know", ["Sick leave is 10 days", "HR must know"]),
    ("The fee is 20 euros, and it must be paid", ["The fee is 20 euros", "it must be paid"]),
    ("No dog may bark, and cats must sign", ["No dog may bark", "cats must sign"]),
    # what might change its meaning stays whole
    ("Annual, sick and parental leave are paid", ALL),
    ("Managers must approve leave, travel, and training is paid", ALL),
    ("Annual leave is 25 days, sick leave is 10 days, and notice is 14 days", ALL),
    ("Leave is 25 days, and it may be carried over if the manager agrees", ALL),
    ("Only managers may approve leave, and HR must file the form", ALL),
    ("Leave is 25 days, and only 5 days may be kept", ALL),
    ("Leave is 25 days, but it does not cover contractors", ALL),
    ("Leave is 25 days, and holidays are excluded", ALL),
    ("In 2024 leave is 25 days, and notice is 14 days", ALL),
    ("When leave is requested, the manager decides, and HR must file it", ALL),
    ("The board says leave is paid, and notice is short", ALL),
    ("Staff must file a form, and may be asked for proof", ALL),
    ("Leave is paid, and so is sick leave", ALL),
    ("Interns may not drive, and visitors may not", ALL),
    ("The employee who must file A, and the manager who must sign B are liable", ALL),
    ("Leave and notice are 25 and 14 days respectively; they are fixed", ALL),
    ("Submit the form, and HR must approve it", ALL),
    ("Leave is 25 days (or 30 days, and it is paid) in all offices", ALL),
    ('The policy reads "leave is paid, and notice is short"', ALL),
    ("Leave is 25 days; otherwise it is 10 days", ALL),
    ("Usually leave is paid, and notice is short", ALL),
    ("Der Urlaub is bezahlt, and er muss gen\u00fcgen", ALL),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "expected"), CLAIMS)
def test_claims(answer: str, expected: list[str]) -> None:
    assert texts(answer) == ([answer.rstrip(".")] if expected is ALL else expected)


REMARKS = [
    ("How many days are there?", SkipReason.QUESTION),
    ("Hello there!", SkipReason.PLEASANTRY),
    ("I hope this helps!", SkipReason.PLEASANTRY),
    ("Let me know if you have other questions.", SkipReason.PLEASANTRY),
    ("If you need anything else, let me know!", SkipReason.PLEASANTRY),
    ("Here is a short overview of the leave policy:", SkipReason.INTRODUCTION),
    ("Here's what the policy says.", SkipReason.PLEASANTRY),
    ("I'm sorry to hear that you are ill.", SkipReason.PLEASANTRY),
    ("Enjoy your first weeks!", SkipReason.PLEASANTRY),
    ("Best regards", SkipReason.PLEASANTRY),
    ("In my opinion, the policy is quite generous.", SkipReason.OPINION),
    ("I could not find a cap in the documents.", SkipReason.REFUSAL),
    ("I couldn't find that in the handbook, or in the leave policy.", SkipReason.REFUSAL),
    ("Unfortunately, the provided documents do not mention a cap.", SkipReason.REFUSAL),
    ("There is no information about carry-over in the sources.", SkipReason.REFUSAL),
    ("I don't have enough information to answer that.", SkipReason.REFUSAL),
    ("Please note that this is not legal advice.", SkipReason.META),
    ("Please refer to section 4 of the handbook.", SkipReason.POINTER),
]


@pytest.mark.parametrize(("sentence", "reason"), REMARKS)
def test_remarks_are_no_claims_and_are_named(sentence: str, reason: SkipReason) -> None:
    answer = f"{sentence}\n\nStaff get 25 days of leave."
    extraction = extracted(answer)
    assert [claim.text for claim in extraction.claims] == ["Staff get 25 days of leave"]
    (skip,) = (skip for skip in extraction.skipped if skip.span.start == 0)
    assert (skip.reason, answer[: skip.span.end]) == (reason, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Sure, staff may carry over all of their leave.",
        "Here is the rule on leave: staff may carry over all of it.",
        "I hope this helps, and staff may carry over all of it.",
        "I could not find a cap, so all leave may be carried over.",
        "I couldn't find a cap in the policy, but staff may carry over all of it.",
        "I believe staff get 90 days of leave.",
        "I think managers must approve it.",
        "I think staff may carry over all of their leave.",
        "In my opinion, staff are entitled to more.",
        "We have no cap on carry-over.",
        "We do not provide parking.",
        "No information may be given to third parties.",
        "The response time of the help desk is short.",
        "The summary dismissal of staff is possible.",
        "I have checked that all leave may be carried over.",
        "Did you know that staff get 90 days?",
        "Staff get 90 days, right?",
        "Staff get 90 days, don't they?",
        "Isn't it great that staff are entitled to 90 days?",
        "Is it not great that staff are entitled to 90 days?",
        "Are you aware that staff get 90 days?",
        "Consult the safety manual before handling acids.",
        "You must read the handbook.",
        "The policy does not allow carry-over.",
        "Thank you notes are sent by the head of HR.",
        "Contact HR about the form.",
        "Note that leave is paid.",
        "Let me know 14 days ahead.",
        "I don't know, staff get 99 days of leave.",
        "I couldn't find a limit: you may take 99 days of leave.",
        "I could not find anything on that (staff get 99 days of leave).",
        "The documents do not say anything about dogs because dogs are always allowed.",
        "The sources do not mention that Bob was fired for theft.",
    ],
)
def test_a_remark_that_claims_something_is_a_claim(sentence: str) -> None:
    assert texts(sentence) == [sentence.rstrip(".?")]


STATEMENTS = [
    ("**Staff** get `25` [days](https://example.org) [1].", "Staff get 25 days"),
    ("Staff get 25 days [1], and more [2] later.", "Staff get 25 days, and more later"),
    ("Staff get 25 days (see [1]).", "Staff get 25 days"),
    ("Staff &amp; interns get 25 days.", "Staff & interns get 25 days"),
    ("According to the handbook, staff get 25 days.", "Staff get 25 days"),
    ("According to [1], staff get 25 days.", "Staff get 25 days"),
    ("As stated in [1] and [2], staff get 25 days.", "Staff get 25 days"),
    ("[1] states that staff get 25 days.", "Staff get 25 days"),
    ("According to section 4, staff get 25 days.", "According to section 4, staff get 25 days"),
    ("As per the old policy, staff get 25 days.", "As per the old policy, staff get 25 days"),
    ("Staff get ~~20~~ <del>22</del> 25 days ~~and a car~~.", "Staff get 25 days"),
    ("Staff are <s>not</s> paid.", "Staff are paid"),
    ("Isn't it great that staff get 25 days?", "Staff get 25 days"),
    ("Isn\u2019t leave paid?", "Leave paid"),
    ("Are they not paid?", "Are they paid"),
    ("Staff get 25 days, don't they?", "Staff get 25 days"),
    ("- Isn't paid.", "Isn't paid"),
    ("Don't park here.", "Don't park here"),
]


@pytest.mark.parametrize(("answer", "statement"), STATEMENTS)
def test_the_statement_is_what_a_reader_sees(answer: str, statement: str) -> None:
    found = only(answer).statement
    assert found[0].upper() + found[1:] == statement


@pytest.mark.parametrize(
    "citation",
    [
        " ([p.md](p.md)).", " [p.md].", "\u30101\u2020source\u3011.",
        "\u30104:0\u2020file.pdf\u3011.",
        " (p.md, Section A).", " (Source: p.md).", ". (Source: p.md)", ".<sup>1</sup>", ".[1]",
        ". [1]", ". Source: p.md", " \uff3b\uff11\uff3d.", " (see [1]).", ". (Source: [1])",
        ". See [1] and [2].", ". (see [1])_", "\u00b9.", ".\n\n(see [1])", ".\n\n(p.md)",
        " *(p.md)*.",
    ],
)  # fmt: skip
def test_citations_are_no_part_of_the_claim(citation: str) -> None:
    claim = only(f"Staff get 25 days{citation}")
    assert (claim.text, claim.statement) == ("Staff get 25 days", "Staff get 25 days")
    assert claim.markers


def test_a_denying_question_keeps_its_mark() -> None:
    claim = only("Aren't staff entitled to 90 days?")
    assert claim.text == "Aren't staff entitled to 90 days?"
    assert claim.statement == "Staff entitled to 90 days"


def test_struck_words_are_accounted_for() -> None:
    answer = "~~Staff get 20 days.~~ Staff get 25 days ~~and a car~~."
    extraction = extracted(answer)
    assert [claim.text for claim in extraction.claims] == ["Staff get 25 days"]
    struck = [skip.span for skip in extraction.skipped if skip.reason is SkipReason.STRUCK]
    assert [answer[span.start : span.end] for span in struck] == [
        "~~Staff get 20 days.~~",
        "~~and a car~~",
    ]


def test_the_statement_of_a_row_has_the_titles_of_its_columns() -> None:
    claim = only("| Type | Days | |\n|---|---|---|\n| **Annual** | 25 [1] | paid |")
    assert claim.statement == "Type: Annual; Days: 25; paid"
    assert claim.text == "**Annual** | 25 [1] | paid"
    assert [marker.value for marker in claim.markers] == ["1"]


def test_a_definition_list_gives_definitions() -> None:
    claim = only("Carry-over\n: Leave that is kept for the next year.")
    assert claim.statement == "Carry-over: Leave that is kept for the next year"
    assert claim.type == "definition"


@pytest.mark.parametrize("answer", ["", "\u200b", "# Leave\n\n## Notice", "```\nleave = 25\n```"])
def test_an_answer_without_claims_says_so(answer: str) -> None:
    extraction = extracted(answer)
    assert extraction.claims == ()
    (warning,) = extraction.warnings
    assert ("no claim" in warning) is bool(answer)


@pytest.mark.no_cover
def test_more_claims_than_allowed_are_named() -> None:
    answer = "Staff get 25 days. " * (MAX_CLAIMS + 3)
    extraction = extracted(answer)
    assert len(extraction.claims) == MAX_CLAIMS
    assert extraction.skipped[-1].reason is SkipReason.OVER_LIMIT
    left = answer[extraction.skipped[-1].span.start :]
    assert left.split(". ") == answer[: len(left)].split(". ")
    assert "10,000 claims" in extraction.warnings[0]


def test_malformed_markers_are_warned_about_and_kept_out_of_statements() -> None:
    extraction = extracted("Staff get 25 days [cite:a1b2].")
    assert extraction.claims[0].statement == "Staff get 25 days"
    assert "hexadecimal" in extraction.warnings[0]


@pytest.mark.parametrize(
    "answer",
    [
        "Yes.", "no", "*No!*", "**Yes**", "'Yes.'", "Yes, of course.", "Absolutely not.", "- Yes",
        "## Yes", "Sure! I hope this helps!", "Allowed.", "Not allowed.", "Never.", "Correct! [1]",
        "It is allowed.", "No, you may not.", "Yes, that's correct.", "They don't.", "Ja.", "Oui !",
        "\u662f\u3002",
    ],
)  # fmt: skip
def test_an_answer_in_a_word_is_no_claim_and_not_checked(answer: str) -> None:
    found = extracted(answer)
    assert found.claims == ()
    assert SkipReason.BARE_ANSWER in {one.reason for one in found.skipped}
    assert any("not checked (an answer in a word" in warning for warning in found.warnings)
    assert len(unchecked_parts(answer, found.skipped)) == 1


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("Yes. Dogs bark.", ["Dogs bark"]),
        ("Yes, dogs bark.", ["Yes, dogs bark"]),
        ("**Yes.** Dogs bark.", ["Dogs bark"]),
        ("Dogs at desks:\n\n- Not allowed\n- Not at noon", ["Not allowed", "Not at noon"]),
        ("Dogs sit at desks. It is allowed.", ["Dogs sit at desks", "It is allowed"]),
        ("# Dogs\n\nThey are allowed.", ["They are allowed"]),
    ],
)
def test_what_has_its_subject_is_no_answer_in_a_word(answer: str, claims: list[str]) -> None:
    found = extracted(answer)
    assert [claim.text for claim in found.claims] == claims
    assert unchecked_parts(answer, found.skipped) == []


@pytest.mark.parametrize(
    "heading",
    [
        "Dogs are allowed at every desk", "Dogs are allowed", "Leave does not expire",
        "3.2 Leave is paid", "Parking requires a permit", "Staff receive lunch at work",
        "Leave may be carried over", "Employees who are ill must call",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "form", ["# {}\n\nOwls hoot.", "{}\n====\n\nOwls hoot.", "## {} ##\nOwls hoot."]
)
def test_a_heading_that_is_a_whole_sentence_is_a_claim(form: str, heading: str) -> None:
    found = extracted(form.format(heading))
    assert found.claims[0].text in heading
    assert SkipReason.HEADING not in {one.reason for one in found.skipped}


@pytest.mark.parametrize(
    "heading",
    [
        "Annual leave", "What is covered", "Is leave paid?", "Documents you will need",
        "Things to do before you leave", "Leave in May and June", "Employees who are ill",
        "Your travel costs", "When leave ends", "If you are ill", "Dos and don'ts",
        "How leave is counted", "Leave that is not taken", "Getting started",
    ],
)  # fmt: skip
def test_a_heading_that_names_what_follows_is_none(heading: str) -> None:
    found = extracted(f"# {heading}\n\nOwls hoot.")
    assert [claim.text for claim in found.claims] == ["Owls hoot"]
    assert found.claims[0].context == heading
    assert found.warnings == ()


def test_a_heading_without_words_is_no_part_of_a_context() -> None:
    assert only("# \n\n## Leave\n\nIt is paid.").context == "Leave"
