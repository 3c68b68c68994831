"""A model's reply, read as bullets of sentences with the sources that they cite."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.answering.generative.reply import Reply, plain, read_reply
from veridical.models.protocol import ModelReply

LEAVE = "Staff are entitled to 27 days of leave"


def read(text: str) -> Reply:
    return read_reply(ModelReply(text), 8)


@pytest.mark.parametrize("text", ["", " \n", "...", "```", "<think>27 days", "\u200b\u202e"])
def test_a_reply_that_says_nothing_is_empty(text: str) -> None:
    assert read(text).is_empty


def test_a_refusal_behind_statements_does_not_refuse_them() -> None:
    reply = read(f"- {LEAVE} [1]\n- The sources do not say whether it is paid.")
    assert (reply.refused, reply.denies, len(reply.bullets)) == (False, True, 1)


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
