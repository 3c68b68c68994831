"""What a careful evaluator never says, and what looks like it and is fine."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.speech.cases import of_rules

from veridical.speech.evaluation import EvaluationItem, ItemType, StructuredEvaluation
from veridical.speech.results import ToneRule, ToneViolation
from veridical.speech.tone import check_tone

PRAISE = EvaluationItem(
    ItemType.COMMENDATION,
    "You opened with a scene in your kitchen.",
    "I stood in my kitchen and watched my kettle die",
    6.5,
    "We could see the place before we knew what it was about.",
)
ADVICE = EvaluationItem(
    ItemType.RECOMMENDATION,
    "Try a breath after the question.",
    "have you ever thrown something away",
    21.0,
    "It gives us time to think of an answer.",
)
KIND = StructuredEvaluation("Thank you for the story.", (PRAISE, ADVICE), "Please tell it again.")


def broken(*, closing: str = KIND.closing, **praise: str) -> set[ToneRule]:
    """The rules that an evaluation breaks which is kind but for what is given."""
    items = (replace(PRAISE, **praise), ADVICE)  # type: ignore[arg-type]
    return {found.rule for found in check_tone(replace(KIND, items=items, closing=closing))}


@pytest.mark.parametrize(("rule", "sentence"), of_rules("tone.txt", "broken"))
def test_what_breaks_a_rule(rule: ToneRule, sentence: str) -> None:
    assert rule in broken(explanation=sentence)
    assert rule in broken(closing=sentence)


@pytest.mark.parametrize(("rule", "sentence"), of_rules("tone.txt", "fine"))
def test_what_looks_like_it_and_is_fine(rule: ToneRule, sentence: str) -> None:
    assert broken(explanation=sentence) == set()


@pytest.mark.parametrize(
    ("sentence", "is_praise"),
    [
        ("That was an amazing speech.", True),
        ("You were brilliant.", True),
        ("The best talk I have ever heard.", True),
        ("Thank you for an honest talk.", False),
        ("The best way to grow is to speak again.", False),
        ("What a brilliant summer you took us to.", False),
    ],
)
def test_praise_without_evidence(sentence: str, is_praise: bool) -> None:
    assert broken(closing=sentence) == ({ToneRule.UNGROUNDED_PRAISE} if is_praise else set())
    # In an item there is a quote that it rests on.
    assert broken(explanation=sentence) == set()


@pytest.mark.parametrize("quote", ["", "…", "um", "so yes"])
def test_a_commendation_needs_words_to_rest_on(quote: str) -> None:
    found = check_tone(replace(KIND, items=(replace(PRAISE, evidence_quote=quote), ADVICE)))
    assert found == (
        ToneViolation(
            ToneRule.UNGROUNDED_PRAISE,
            "items[0].evidence_quote",
            "You opened with a scene in your kitchen.",
        ),
    )


@pytest.mark.parametrize(
    ("summary", "explanation", "is_advice"),
    [
        ("Your ending was abrupt.", "It would land harder.", False),
        ("The pauses were short, which made it hard to follow.", "It would land.", False),
        ("There is room to grow in the transitions.", "It would land harder.", False),
        ("The number of examples in the middle is high.", "It would land harder.", False),
        ("More eye contact.", "It would land harder.", False),
        ("We lost you when the toasters came.", "It would land harder.", False),
        ("The bus would not help the story.", "It would land harder.", False),
        ("Try a pause of two seconds after the question.", "It lets us think.", True),
        ("Consider cutting the long sentence.", "It holds three thoughts.", True),
        ("Next time the music box could come first.", "It is the heart of it.", True),
        ("The list of broken things came quickly.", "Pause after each of them.", True),
        ("After the question, wait for a breath.", "We were still thinking.", True),
        ("The sentence about the flood is long.", "You could end it after the cellar.", True),
        ("A pause after the kettle would let us see it.", "It was gone so soon.", True),
        ("So, first, slow down at the list.", "Then it will stay.", True),
        ("Der Satz über den Keller ist sehr lang und hat viele Gedanken.", "Er trägt.", True),
    ],
)
def test_advice_has_something_to_do(summary: str, explanation: str, is_advice: bool) -> None:
    advice = replace(ADVICE, summary=summary, explanation=explanation)
    found = {each.rule for each in check_tone(replace(KIND, items=(PRAISE, advice)))}
    assert found == (set() if is_advice else {ToneRule.NOT_ACTIONABLE})


@pytest.mark.parametrize(
    ("summary", "is_of_this"),
    [
        ("Great speech!", False),
        ("You did a good job.", False),
        ("Nice work overall.", False),
        ("", False),
        ("You paused before the answer.", True),
        ("Your question made us look inside.", True),
        ("“We opened it” set the rhythm.", True),
        ("Die Geschichte beginnt in der Küche.", True),
    ],
)
def test_a_summary_that_would_fit_any_speech(summary: str, is_of_this: bool) -> None:
    assert broken(summary=summary) == (set() if is_of_this else {ToneRule.UNSPECIFIC})


def test_each_violation_names_its_field_and_its_sentence() -> None:
    evaluation = StructuredEvaluation(
        "Good evening. You were brilliant. Here is why.",
        (
            replace(PRAISE, explanation="We saw it. You spoke at 142 words per minute."),
            replace(ADVICE, summary="You stutter. Try to breathe."),
        ),
        "As an AI I thank you.",
    )
    assert check_tone(evaluation) == (
        ToneViolation(ToneRule.UNGROUNDED_PRAISE, "opening", "You were brilliant."),
        ToneViolation(
            ToneRule.METRIC, "items[0].explanation", "You spoke at 142 words per minute."
        ),
        ToneViolation(ToneRule.DIAGNOSIS, "items[1].summary", "You stutter."),
        ToneViolation(ToneRule.MODEL_TALK, "closing", "As an AI I thank you."),
    )


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_is_checked_without_fail(summary: str, closing: str) -> None:
    evaluation = StructuredEvaluation("", (replace(ADVICE, summary=summary),), closing)
    for found in check_tone(evaluation):
        assert found.field in {"items[0].summary", "items[0].explanation", "closing"}
        assert found.sentence in summary or found.sentence in closing
