from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.judging import plain_cases

from veridical.errors import ConfigurationError
from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.data import shipped_model
from veridical.judging.judge import Case, Judge, Judgement, OperatingPoint, SupportLevel
from veridical.judging.verdict import FULL_SUPPORT_ABOVE

JUDGES = {point: CalibratedJudge(point) for point in OperatingPoint}
WRONG = (
    *plain_cases.CONTRADICTED,
    *plain_cases.PLAIN_DENIALS,
    *plain_cases.OTHER_THINGS,
    *plain_cases.UNSUPPORTED,
    *plain_cases.NOT_THE_SAME,
)


def judged(
    claim: str, *sentences: str, point: OperatingPoint = OperatingPoint.STRICT, **more: str
) -> Judgement:
    (told,) = JUDGES[point].judge([Case(claim, sentences, **more)])
    assert isinstance(told, Judgement)
    return told


@pytest.mark.parametrize("claim", plain_cases.VERBATIM)
def test_what_stands_there_word_for_word_is_fully_supported(claim: str) -> None:
    told = judged(claim, *plain_cases.HANDBOOK)
    assert told.support is SupportLevel.FULL
    assert told.similarity > 0.95
    assert told.directness == 1.0
    assert not told.contradicts


@pytest.mark.parametrize(("claim", "sentence"), plain_cases.REWORDED)
def test_plain_rewording_is_supported_or_needs_a_look(claim: str, sentence: str) -> None:
    assert judged(claim, sentence).support is not SupportLevel.NONE
    assert judged(claim, sentence, point=OperatingPoint.BALANCED).support is SupportLevel.FULL


@pytest.mark.parametrize(("claim", "sentence"), WRONG)
def test_nothing_wrong_is_fully_supported(claim: str, sentence: str) -> None:
    assert judged(claim, sentence).support is not SupportLevel.FULL


@pytest.mark.parametrize(("claim", "sentence"), plain_cases.SAME_THING)
def test_another_clause_is_not_held_against_a_claim(claim: str, sentence: str) -> None:
    told = judged(claim, sentence)
    assert told.support is SupportLevel.FULL
    assert not told.contradicts


@pytest.mark.parametrize(
    ("claim", "sentence"), [*plain_cases.CONTRADICTED, *plain_cases.PLAIN_DENIALS]
)
@pytest.mark.parametrize("point", OperatingPoint)
def test_plain_contradictions_are_found(claim: str, sentence: str, point: OperatingPoint) -> None:
    told = judged(claim, "This is the handbook of the company.", sentence, point=point)
    assert told.contradicts
    assert told.contradiction >= 0.9
    assert told.support is SupportLevel.NONE
    assert told.deciding == (1, 2)
    assert told.notes.startswith("The passage ")


@pytest.mark.parametrize(
    ("claim", "sentence"), [*plain_cases.OTHER_THINGS, *plain_cases.ACCUSES_NOBODY]
)
def test_sentences_about_something_else_accuse_nobody(claim: str, sentence: str) -> None:
    assert not judged(claim, sentence).contradicts


@pytest.mark.parametrize("claim", plain_cases.VERBATIM)
def test_what_is_supported_is_never_accused(claim: str) -> None:
    for sentences in (plain_cases.HANDBOOK, plain_cases.HANDBOOK[::-1]):
        assert not judged(claim, *sentences).contradicts


@pytest.mark.parametrize(
    ("claim", "sentence", "note"),
    [
        ("Staff get 28 days of leave.", "Staff get 27 days of leave.",
         'The passage says "27 days", the claim "28 days".'),
        ("The deposit is $500.", "The deposit is $400.",
         'The passage says "$400", the claim "$500".'),
        ("Rent rose by 5 percent.", "Rent rose by 6 percent.",
         'The passage says "6 percent", the claim "5 percent".'),
        ("The office opens on Friday.", "The office opens on Monday.",
         'The passage says "Monday", the claim "Friday".'),
        ("Visitors may enter the laboratory.", "Visitors may not enter the laboratory.",
         'The passage says "not", which the claim does not.'),
        ("Members pay no fee.", "Members pay a fee.", 'The passage does not say "no".'),
        ("Passwords must have at least 12 characters.",
         "Passwords must have at most 12 characters.",
         'The passage says "at most 12", the claim "at least 12".'),
        ("Employees get a bonus.", "Employees get a bonus only if the board approves.",
         'The passage attaches a condition ("only").'),
        ("Whales sing.", "Employees are entitled to 15 days of annual leave.",
         "No sentence of the passage bears on the claim."),
        ("Leave is paid.", "…", "There are no words to compare."),
    ],
)  # fmt: skip
def test_the_note_names_what_is_wrong(claim: str, sentence: str, note: str) -> None:
    assert judged(claim, sentence).notes == note


def test_a_name_may_stand_in_the_heading_or_the_context() -> None:
    claim, sentence = (
        "The Berlin office opens at 8 in the morning.",
        "The office opens at 8 in the morning.",
    )
    alone = judged(claim, sentence, point=OperatingPoint.STRICT)
    assert alone.support is not SupportLevel.FULL
    for more in ({"heading": "Berlin"}, {"context": "the Berlin branch"}):
        told = judged(claim, sentence, point=OperatingPoint.BALANCED, **more)
        assert told.support is SupportLevel.FULL


def test_two_sentences_decide_together_where_either_alone_does_not() -> None:
    told = judged(
        "Interns receive a laptop and a monthly travel card.",
        "The canteen is closed on weekends.",
        "Interns receive a laptop.",
        "Interns receive a monthly travel card.",
    )
    assert told.deciding == (1, 3)


@pytest.mark.parametrize("point", OperatingPoint)
@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Die Mitarbeiter erhalten 15 Tage Urlaub im Sommer.",
         "Alle Mitarbeiter erhalten 15 Tage bezahlten Urlaub und können ihn jederzeit nehmen."),
        ("Сотрудники получают отпуск.", "Все сотрудники получают оплачиваемый отпуск."),
        ("员工有十五天年假", "所有员工都有十五天的带薪年假"),
    ],
)  # fmt: skip
def test_other_languages_are_supported_only_word_for_word(
    claim: str, sentence: str, point: OperatingPoint
) -> None:
    told = judged(claim, sentence, point=point)
    assert told.support is not SupportLevel.FULL
    assert not told.contradicts
    assert judged(sentence, sentence, point=point).support is SupportLevel.FULL


SENTENCES = st.sampled_from(plain_cases.HANDBOOK)


@settings(max_examples=40, deadline=None)
@given(SENTENCES, st.integers(2, 9_999), st.sampled_from(OperatingPoint))
def test_a_changed_number_is_never_fully_supported(
    sentence: str, number: int, point: OperatingPoint
) -> None:
    old = [word for word in sentence.split() if word.isdigit()]
    if not old or old[0] == str(number):
        return
    claim = sentence.replace(old[0], str(number), 1)
    told = judged(claim, *plain_cases.HANDBOOK, point=point)
    assert told.support is not SupportLevel.FULL


@settings(max_examples=40, deadline=None)
@given(SENTENCES, st.sampled_from(OperatingPoint))
def test_a_denial_put_in_is_never_fully_supported(sentence: str, point: OperatingPoint) -> None:
    for verb in (" are ", " may ", " must ", " is "):
        if verb in sentence:
            claim = sentence.replace(verb, f"{verb}not ", 1)
            told = judged(claim, *plain_cases.HANDBOOK, point=point)
            assert told.support is not SupportLevel.FULL


@settings(max_examples=30, deadline=None)
@given(st.permutations(plain_cases.HANDBOOK), st.sampled_from(plain_cases.VERBATIM))
def test_the_order_of_the_other_sentences_does_not_matter(sentences: list[str], claim: str) -> None:
    told, usual = judged(claim, *sentences), judged(claim, *plain_cases.HANDBOOK)
    assert (told.support, told.similarity) == (usual.support, usual.similarity)
    assert told.deciding is not None
    assert usual.deciding is not None
    assert sentences[told.deciding[0]] == plain_cases.HANDBOOK[usual.deciding[0]]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80), st.lists(st.text(max_size=120), max_size=4))
def test_any_text_gives_a_judgement_within_bounds(claim: str, sentences: list[str]) -> None:
    for point in OperatingPoint:
        told = judged(claim, *sentences, point=point)
        numbers = (told.similarity, told.probability, told.contradiction, told.directness)
        assert all(0 <= number <= 1 for number in numbers)
        assert (told.similarity > FULL_SUPPORT_ABOVE) == (told.support is SupportLevel.FULL)
        if told.deciding is not None:
            assert 0 <= told.deciding[0] < told.deciding[1] <= len(sentences)
        assert told.notes


def test_the_points_are_ordered() -> None:
    order = (OperatingPoint.STRICT, OperatingPoint.BALANCED, OperatingPoint.LENIENT)
    for claim, sentence in (*WRONG, *plain_cases.REWORDED):
        full = [
            judged(claim, sentence, point=point).support is SupportLevel.FULL for point in order
        ]
        assert full == sorted(full), claim


def test_cases_are_judged_alone_and_in_their_order() -> None:
    cases = [Case(claim, (sentence,)) for claim, sentence in WRONG]
    judge = JUDGES[OperatingPoint.STRICT]
    together = judge.judge([Case("", ()), *cases])
    assert together[1:] == [judge.judge([case])[0] for case in cases]
    assert judge.judge([]) == []


def test_it_is_a_judge_and_names_its_model() -> None:
    judge = CalibratedJudge()
    assert isinstance(judge, Judge)
    assert judge.point is OperatingPoint.STRICT
    assert judge.name == f"calibrated:{shipped_model().version}"


_PROGRAM = """
from tests.judging.plain_cases import CONTRADICTED, REWORDED, UNSUPPORTED
from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.judge import Case
pairs = [*CONTRADICTED, *REWORDED, *UNSUPPORTED]
print(CalibratedJudge().judge([Case(claim, (sentence,)) for claim, sentence in pairs]))
"""


def test_the_same_judgements_whatever_the_hash_seed() -> None:
    told = set()
    for seed in ("0", "1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        run = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            capture_output=True, text=True, timeout=120, check=True, env=environment,
        )  # fmt: skip
        told.add(run.stdout)
    assert len(told) == 1


class _Longest:
    """Scores a case by the length of its claim: anything will do to see that it is asked."""

    def score(self, cases: list[Case]) -> list[float]:
        return [float(len(case.claim)) for case in cases]


def test_a_scorer_and_a_model_must_go_together() -> None:
    with pytest.raises(ConfigurationError, match="without a cross-encoder"):
        CalibratedJudge(extra_scorer=_Longest())
    model = shipped_model()
    stacked = replace(
        model,
        features=(*model.features, "cross_encoder"),
        support=_widened(model.support, 0.5),
        contradiction=_widened(model.contradiction, 0.0),
    )
    with pytest.raises(ConfigurationError, match="fitted with a cross-encoder"):
        CalibratedJudge(model=stacked)
    case = Case("The fee is 5 dollars a day.", ("Members pay a fee of 5 dollars each day.",))
    (alone,) = CalibratedJudge().judge([case])
    (with_scorer,) = CalibratedJudge(model=stacked, extra_scorer=_Longest()).judge([case])
    assert isinstance(alone, Judgement)
    assert isinstance(with_scorer, Judgement)
    assert with_scorer.probability > alone.probability
    assert with_scorer.contradiction == alone.contradiction


def _widened(head, weight: float):
    return replace(
        head,
        means=(*head.means, 0.0),
        scales=(*head.scales, 10.0),
        weights=(*head.weights, weight),
    )
