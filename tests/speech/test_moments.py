"""Each rule of praise on many sentences: what is not there must not be praised."""

from __future__ import annotations

import pytest
from tests.speech.cases import cases, of_rules
from tests.speech.transcripts import plain

from veridical.speech.offline import rules
from veridical.speech.offline.author import Rule
from veridical.speech.offline.moments import Talk
from veridical.validation.timed import DEFAULT_TIMED_POLICY

BODY = "The hall was full and the lamps were warm. " * 8
RULES: dict[str, Rule] = {
    "story": rules.story_openings,
    "question": rules.questions,
    "contrast": rules.contrasts,
    "triad": rules.triads,
    "call": rules.calls_to_action,
}


def fires(name: str, sentence: str) -> bool:
    """Whether a rule finds something, the sentence standing where the rule looks."""
    text = f"{sentence} {BODY}" if name == "story" else f"{BODY}{sentence}"
    return next(RULES[name](Talk(plain(text), None, DEFAULT_TIMED_POLICY)), None) is not None


def said(*titles: str) -> list[tuple[str, str]]:
    return [case for title in titles for case in of_rules("moments.txt", title)]


@pytest.mark.parametrize(("rule", "sentence"), said("seen", "seen, written later"))
def test_what_a_rule_sees(rule: str, sentence: str) -> None:
    assert fires(rule, sentence)


@pytest.mark.parametrize(
    ("rule", "sentence"), said("let pass", "let pass, written later", "missed")
)
def test_what_a_rule_lets_pass(rule: str, sentence: str) -> None:
    assert not fires(rule, sentence)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("sentence", cases("moments.txt")["plain"])
def test_plain_sentences_are_no_moments(rule: str, sentence: str) -> None:
    assert not fires(rule, sentence)


@pytest.mark.parametrize(
    "text",
    [
        "good evening my name is on the list and when i was nine i lost my watch " * 3,
        "so this week call a friend and ask what would you do with one more hour " * 3,
        "it is not the fall it is the floor we came we saw we left " * 4,
    ],
)
def test_without_full_stops_no_turn_of_speech_is_praised(text: str) -> None:
    talk = Talk(plain(text), None, DEFAULT_TIMED_POLICY)
    assert [found for rule in RULES.values() for found in rule(talk)] == []
