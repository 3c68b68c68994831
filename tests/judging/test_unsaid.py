"""One telling word that nothing in the passage stands for keeps a claim from being supported."""

from __future__ import annotations

import pytest
from tests.judging.test_left_out import in_two, judged, pairs

from veridical.judging.judge import SupportLevel

MADE_UP = """
Maria Lopez, a nurse at the clinic, was treated at the scene for burns by steam.
    Maria Lopez, a nurse at the clinic, was treated at the scene for burns to her neck by steam.
The contract is renewed for two years unless either side gives notice in the autumn.
    The contract expires after two years unless either side gives notice in the autumn.
The museum lends paintings, drawings and prints to schools in the county for a term.
    The museum lends paintings, drawings, sculptures and prints to schools in the county for a term.
The council bought the old mill from the Harlan family in 1998.
    The council bought the derelict old mill from the Harlan family in 1998.
The pump is tested by the night shift, who write the pressure in a green book.
    The pump is tested by the night shift, who write the pressure and humidity in a green book.
The council said the bridge was closed to lorries and to coaches.
    The council knew the bridge was closed to lorries and to coaches.
"""
"""True but for one word in many."""

SAID = """
Maria Lopez, a nurse at the clinic, was treated at the scene for burns by steam.
    Yes, Maria Lopez, a nurse at the clinic, was treated at the scene for burns by steam.
The pump is tested by the night shift.
    However, the pump is tested by the night shift.
An account is locked for 30 minutes after six failed attempts.
    After six failed attempts an account is locked for a period of 30 minutes.
Total stations and drones count as machines in the sense of this standard.
    Total stations and drones count as machines in the sense of the security standard.
Public holidays are counted separately and are not taken from this number.
    Public holidays are counted separately and do not come out of this number.
Editors may work from home three days a week. Printers may do so on 60 % of their days.
    Printers may work from home on 60 % of their days.
"""
"""Words that say nothing, that another stands for, or that were said before."""


@pytest.mark.parametrize(("sentence", "claim"), pairs(MADE_UP))
def test_a_word_that_was_made_up_is_not_supported(sentence: str, claim: str) -> None:
    told = judged(sentence, claim)
    assert told.support is not SupportLevel.FULL
    assert "says nothing of" in told.notes


@pytest.mark.parametrize(("sentence", "claim"), pairs(SAID))
def test_words_that_need_no_counterpart_are_none(sentence: str, claim: str) -> None:
    told = in_two(sentence, claim)
    assert told.support is SupportLevel.FULL, told.notes


def test_a_heading_says_it_too() -> None:
    sentence = "Up to five days may be carried over into the next year."
    claim = "Up to five days of unused leave may be carried over into the next year."
    assert judged(sentence, claim).support is not SupportLevel.FULL
    assert judged(sentence, claim, heading="Unused leave").support is SupportLevel.FULL


def test_a_footnote_between_does_not_hide_what_was_said_before() -> None:
    sentences = (
        "Staff may work from home on three days a week. 1. Interns may do so on two days a week."
    )
    assert in_two(sentences, "Interns may work from home on two days a week.").support is (
        SupportLevel.FULL
    )
