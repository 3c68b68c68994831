"""A model's reply, read as bullets of sentences with the sources that they cite."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.answering.generative.reply import Reply, plain, read_reply
from veridical.models.protocol import FinishReason, ModelReply

LEAVE = "Staff are entitled to 27 days of leave"
CARRY = "Five days may be carried over"


def read(text: str) -> Reply:
    return read_reply(ModelReply(text), 8)


def told(text: str) -> list[list[tuple[str, tuple[int, ...]]]]:
    """Texts and cited numbers of a reply, by bullet."""
    return [[(one.text, one.cites) for one in bullet] for bullet in read(text).bullets]


@pytest.mark.parametrize(
    ("reply", "bullets"),
    [
        (f"- {LEAVE} [1].", [[(LEAVE, (1,))]]),
        (f"* {LEAVE}. [1]", [[(LEAVE, (1,))]]),
        (f"1. {LEAVE} [1].\n2. {CARRY} [2].", [[(LEAVE, (1,))], [(CARRY, (2,))]]),
        (f"- {LEAVE}. {CARRY}. [1][2]", [[(LEAVE, (1, 2)), (CARRY, (1, 2))]]),
        (f"- {LEAVE} [1]. {CARRY} [2].", [[(LEAVE, (1,)), (CARRY, (2,))]]),
        (f"{LEAVE} [1]. {CARRY} [2].", [[(LEAVE, (1,))], [(CARRY, (2,))]]),
        (f"{LEAVE}. They may be sold. [1]", [[(LEAVE, (1,)), ("They may be sold", (1,))]]),
        (f"- **{LEAVE}** [1]", [[(LEAVE, (1,))]]),
        (f"- [{LEAVE}](https://x.example) [1]", [[(LEAVE, (1,))]]),
        (f"## Leave\n\n- {LEAVE} [1]\n\n## Sources\n\n[1] leave.md", [[(LEAVE, (1,))]]),
        (f"- {LEAVE} [1]\n- {LEAVE}", [[(LEAVE, (1,))], [(LEAVE, ())]]),
        ("- **Annual leave**: 27 days [1]", [[("Annual leave: 27 days", (1,))]]),
        (
            "If you work part-time:\n- You are entitled to 13 days [1]",
            [[("If you work part-time: You are entitled to 13 days", (1,))]],
        ),
        (f'- {LEAVE}\n  Quote: "27 days" [3]', [[(LEAVE, (3,))]]),
        (f'- {LEAVE} [1]\n**Quote:** "27 days"', [[(LEAVE, (1,))]]),
        (f"<think>\n- No.\n</think>\n- {LEAVE} [1]", [[(LEAVE, (1,))]]),
        (f"- No idea, really?\n</think>- {LEAVE} [1]", [[(LEAVE, (1,))]]),
        (f'{{"answer": [{{"text": "{LEAVE}", "sources": ["[2]"]}}]}}', [[(LEAVE, (2,))]]),
        (f'["{LEAVE} [1]"]', [[(LEAVE, (1,))]]),
    ],
)
def test_bullets_and_what_they_cite(
    reply: str, bullets: list[list[tuple[str, tuple[int, ...]]]]
) -> None:
    assert told(reply) == bullets


def test_a_sentence_of_two_clauses_keeps_them_for_two_sources() -> None:
    (sentence,) = read("- Staff get 27 days [1], and interns get 10 days [2].").bullets[0]
    assert sentence.text == "Staff get 27 days, and interns get 10 days"
    assert sentence.claims == ("Staff get 27 days", "interns get 10 days")
    assert sentence.cites == (1, 2)


@pytest.mark.parametrize(
    ("text", "is_fragment"),
    [("27 days", True), ("are entitled to 27 days", True), (LEAVE, False)],
)
def test_fragments_are_told_from_sentences(text: str, is_fragment: bool) -> None:
    ((sentence,),) = read(f"- {text} [1]").bullets
    assert sentence.is_fragment is is_fragment


@pytest.mark.parametrize("text", ["", " \n", "...", "```", "<think>27 days", "\u200b\u202e"])
def test_a_reply_that_says_nothing_is_empty(text: str) -> None:
    assert read(text).is_empty


def test_a_refusal_behind_statements_does_not_refuse_them() -> None:
    reply = read(f"- {LEAVE} [1]\n- The sources do not say whether it is paid.")
    assert (reply.refused, reply.denies, len(reply.bullets)) == (False, True, 1)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"- {LEAVE} [1].\n- Five days may", [LEAVE]),
        (f"{LEAVE} [1]. Five days may", [LEAVE]),
        ("Five days may", []),
    ],
)
def test_the_broken_end_of_a_cut_reply_is_left_out(text: str, kept: list[str]) -> None:
    reply = read_reply(ModelReply(text, FinishReason.LENGTH), 8)
    assert [one.text for bullet in reply.bullets for one in bullet] == kept


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a **bold** `code` _word_", "a bold code word"),
        ("<script>alert(1)</script>", "alert(1)"),
        ("<img src=x onerror=alert(1)>5 days", "5 days"),
        ("fewer than < 5 days", "fewer than < 5 days"),
        ("![x](http://e)", "(x)(http://e)"),
        ("&lt;b&gt;", "lt;bgt;"),
        ('he said "no \u201cway\u201d"', "he said no way"),
        ("the \u2018leave year\u2019 of one\u2019s own", "the leave year of one\u2019s own"),
        ("# > - title", "title"),
        ("Quote: 5 days", "5 days"),
        ("Quote: Quote: 5 days", "5 days"),
        ("PTO_balance of a_b", "PTO_balance of a_b"),
        ("27 days [1] .", "27 days."),
    ],
)  # fmt: skip
def test_plain_text(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(st.text(max_size=200))
def test_plain_text_stays_as_it_is(text: str) -> None:
    once = plain(text)
    assert plain(once) == once
    assert not set('[]*`"\n|\\') & set(once)


@given(st.text(max_size=300), st.integers(0, 9))
def test_any_reply_is_read(text: str, sources: int) -> None:
    for bullet in read_reply(ModelReply(text), sources).bullets:
        assert bullet
        for sentence in bullet:
            assert all(1 <= number <= sources for number in sentence.cites)
            assert any(map(str.isalpha, sentence.text))
