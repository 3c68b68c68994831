"""The embedded judge: when it reads, what it shows the reader, and what it makes of the answer.

How well the reader reads is measured by `training`; where a reading matters here, one is given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.judging.judge import (
    Case,
    JointJudge,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
)
from veridical.judging.lines import lines_of
from veridical.judging.reader_judge import VERBATIM_PROBABILITY, ReaderJudge
from veridical.reader.model import Card, Reader, Reading, default_reader
from veridical.reader.windows import Pieces
from veridical.retrieval.tables.layout import Table

YES, NO, UNSURE = (-4.0, 6.0, -4.0), (-4.0, -4.0, 6.0), (6.0, -6.0, -6.0)
LEAVE = "Employees get 25 days of paid leave each year."
SENTENCE = "The canteen opens at noon and all who work in the house may eat there. "


@dataclass
class GivenReader(Reader):
    """Reads as it is told to, and keeps what it was asked."""

    logits: Callable[[Pieces, Pieces], Sequence[float]]
    asked: list[tuple[Pieces, Pieces]] = field(default_factory=list)
    card: ClassVar[Card] = replace(
        default_reader().card,
        version="given",
        slope=1.0,
        intercept=0.0,
        against_slope=1.0,
        against_intercept=0.0,
        strict=0.9,
        balanced=0.5,
        lenient=0.3,
        partial=0.2,
        contradicts=0.6,
    )

    def encode(self, texts: Sequence[str]) -> list[Pieces]:
        return default_reader().encode(texts)

    def read(self, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Reading:
        self.asked += [(tuple(claim), tuple(evidence)) for claim, evidence in pairs]
        said = [self.logits(tuple(claim), tuple(evidence)) for claim, evidence in pairs]
        # What decides has the claim's words.
        marks = tuple(np.array([float(p in claim) for p in evidence]) for claim, evidence in pairs)
        return Reading(np.array(said).reshape(-1, 3), np.zeros(len(pairs)), marks)


def says(logits: Sequence[float]) -> GivenReader:
    return GivenReader(lambda claim, evidence: logits)


def _refuse(claim: Pieces, evidence: Pieces) -> Sequence[float]:
    raise AssertionError("the reader was asked")


UNASKED = GivenReader(_refuse)


def sound(found: Sequence[Judgement | JudgeFailure]) -> list[Judgement]:
    assert all(isinstance(one, Judgement) for one in found)
    return [one for one in found if isinstance(one, Judgement)]


def judged(
    reader: Reader, claim: str, *sentences: str, tables: tuple[Table, ...] = ()
) -> Judgement:
    (one,) = sound(ReaderJudge(reader=reader).judge([Case(claim, sentences, tables=tables)]))
    return one


def pieces_in(evidence: Pieces, text: str) -> bool:
    (wanted,) = default_reader().encode([text])
    return any(evidence[at : at + len(wanted)] == wanted for at in range(len(evidence)))


# Word for word


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (LEAVE, LEAVE),
        ("employees get 25 days of paid leave each year", f"- {LEAVE}"),
        (LEAVE, f"4.2. {LEAVE}"),
        ("The fee is 5,000 euros.", "The fee is 5000 euros."),
        ("Die Frist beträgt zwei Wochen.", "Die Frist beträgt zwei Wochen."),
        ("休暇は二十日です。", "休暇は二十日です。"),
    ],
)
def test_what_stands_there_word_for_word_is_not_read(claim: str, sentence: str) -> None:
    found = judged(UNASKED, claim, "Dogs stay outside.", sentence)
    assert (found.support, found.contradicts, found.deciding) == (SupportLevel.FULL, False, (1, 2))
    assert (found.probability, found.directness) == (VERBATIM_PROBABILITY, 1.0)


@pytest.mark.parametrize(
    ("claim", "is_read"),
    [("Plan: Gold; Days: 30", False), ("Plan: Gold; Days: 40", True), ("Plan: Gold", True)],
)
def test_a_row_told_with_its_columns_stands_there_word_for_word(claim: str, is_read: bool) -> None:
    """So the answerer tells a row; whole, or what it leaves out might change what is said."""
    reader = says(UNSURE)
    table = Table(0, ("Plan", "Days"), {1: ("Gold", "30")})
    found = judged(reader, claim, "Plan Days", "Gold 30", tables=(table,))
    assert bool(reader.asked) is is_read
    assert (found.support is SupportLevel.FULL) is not is_read


@pytest.mark.parametrize(
    ("claim", "sentences"),
    [
        ("Glass bottles are sold.", ("The shop does not say that:", "- Glass bottles are sold.")),
        ("Is leave paid?", ("Is leave paid?",)),
        ("You may bring:", ("You may bring:",)),
        ("5 degrees is the low.", ("-5 degrees is the low.",)),
        ("The balance is $500.", ("The balance is $(500).",)),
        ("Smoking is allowed.", ("\u274c Smoking is allowed.",)),
        ("Smoking is allowed in the yard.", ("Smoking is a\u0336l\u0336l\u0336owed in the yard.",)),
        ("He said \u201cSmoking is allowed?\u201d", ("He said \u201cSmoking is allowed.\u201d",)),
        ("The gate is open!?", ("The gate is open.",)),
        ("- 40 degrees is the low.", ("40 degrees is the low.",)),
        ("A is = B for all.", ("A is != B for all.",)),
        ("It is one of the words " * 90 + "not", ("It is one of the words " * 90,)),
    ],
)
def test_what_only_looks_word_for_word_is_read(claim: str, sentences: tuple[str, ...]) -> None:
    reader = says(UNSURE)
    assert judged(reader, claim, *sentences).support is not SupportLevel.FULL
    assert reader.asked


@pytest.mark.parametrize(
    "sentences",
    [
        tuple(f"Ohlsson Fasteners: M{size} bolts, M{size} nuts, steel" for size in range(4, 16)),
        ("Gold plan, 30 days, 5 users", "Silver plan, 14 days, 2 users", "Basic plan, 1 user") * 3,
    ],
)
def test_lists_and_tables_without_grammar_are_read(sentences: tuple[str, ...]) -> None:
    reader = says(UNSURE)
    assert judged(reader, "Ohlsson Fasteners has a Gold plan of 30 days.", *sentences).notes
    assert reader.asked


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Dogs are allowed \u274c.", "Dogs are welcome in every room of the house."),
        ("Dogs are allowed.", "Dogs are \u274c welcome in every room of the house."),
    ],
)
def test_signs_that_deny_bar_support_in_other_words_too(claim: str, sentence: str) -> None:
    found = judged(says(YES), claim, sentence)
    assert found.support is not SupportLevel.FULL
    assert found.barred


def test_a_claim_is_not_refuted_by_what_was_said_before_it() -> None:
    sentences = ("Full-time staff get 26 days of leave.", "The library closes at six.")
    case = Case("Owls hunt mice.", sentences, "Full-time staff get 28 days of leave.")
    (found,) = sound(ReaderJudge().judge([case]))
    assert (found.support, found.contradicts) == (SupportLevel.NONE, False)


def test_a_table_row_is_read_in_words() -> None:
    reader = says(UNSURE)
    table = Table(0, ("Plan", "Days"), {1: ("Gold", "30")})
    found = judged(reader, "Gold 30", "Plan Days", "Gold 30", tables=(table,))
    assert found.support is not SupportLevel.FULL
    ((_, evidence),) = reader.asked
    assert pieces_in(evidence, "Plan: Gold; Days: 30")
    assert not pieces_in(evidence, "Plan Days")


# What is read


def test_the_passages_of_a_claim_are_read_together() -> None:
    reader = says(YES)
    judge = ReaderJudge(reader=reader)
    assert isinstance(judge, JointJudge)
    claim = "Night staff get three more days and a meal."
    said = ["Who works at night gets three more days.", "A meal is free for night staff."]
    cases = [Case(claim, (sentence,)) for sentence in (*said, "Dogs stay outside.")]
    (group,) = judge.judge_together([cases])
    _, evidence = reader.asked[0]
    assert all(pieces_in(evidence, sentence) for sentence in said)
    support = [one.support for one in sound(group)]
    assert SupportLevel.FULL in support[:2]
    assert support[2] is SupportLevel.NONE
    assert judge.judge_together([[], cases])[0] == []


def test_the_words_that_pronouns_refer_to_are_read_before_the_claim() -> None:
    reader = says(YES)
    case = Case(
        "It ends in March.", ("The lease ends when March ends.",), "The lease of the office"
    )
    (found,) = sound(ReaderJudge(reader=reader).judge([case]))
    ((read, _),) = reader.asked
    assert pieces_in(read, "The lease of the office: It ends in March.")
    assert found.support is SupportLevel.FULL


# What is made of a reading


def odds(probability: float) -> tuple[float, float, float]:
    """Logits with a probability of support, the rest of which says neither."""
    return 0.0, float(np.log(probability / (1 - probability))), -30.0


@pytest.mark.parametrize(
    ("probability", "points"), [(0.95, "strict balanced lenient"), (0.6, "balanced lenient"),
                                (0.4, "lenient"), (0.25, ""), (0.1, "")],
)  # fmt: skip
def test_the_point_decides_how_sure_the_reader_must_be(probability: float, points: str) -> None:
    case = Case("The lease ends in March.", ("In March the lease is over.",))
    full = []
    for point in OperatingPoint:
        (found,) = sound(ReaderJudge(point, says(odds(probability))).judge([case]))
        assert found.probability == pytest.approx(probability, abs=1e-3)
        assert (found.similarity > 0.85) == (found.support is SupportLevel.FULL)
        if found.support is SupportLevel.FULL:
            full.append(point.value)
        elif probability > GivenReader.card.partial:
            assert found.support is SupportLevel.PARTIAL
        else:
            assert found.support is SupportLevel.NONE
        assert found.deciding == (0, 1)  # what was looked at, whatever came of it
    assert full == points.split()


OTHER_VALUES = [
    "Employees get 20 days of paid leave each year.",
    "Employees get 25 weeks of paid leave each year.",
    "Employees get 25 days of unpaid leave each year.",
]


@pytest.mark.parametrize(
    "claim",
    [
        *OTHER_VALUES,
        "Employees never get 25 days of paid leave each year.",
        "Employees in Rome get 25 days of paid leave each year.",
    ],
)
def test_another_value_bars_support_however_sure_the_reader_is(claim: str) -> None:
    found = judged(says(YES), claim, LEAVE)
    assert found.support is SupportLevel.PARTIAL
    assert not found.contradicts
    assert '"' in found.notes
    assert "otherwise" not in found.notes


@pytest.mark.parametrize("claim", OTHER_VALUES)
def test_another_value_contradicts_where_the_reader_leans_so_too(claim: str) -> None:
    leaning = (2.0, -1.0, 0.0)  # below the threshold of contradiction by itself
    found = judged(says(leaning), claim, LEAVE)
    assert found.contradicts
    assert (found.support, found.deciding) == (SupportLevel.NONE, (0, 1))
    assert "otherwise" in found.notes
    assert not judged(says(leaning), "Employees get paid leave each year.", LEAVE).contradicts


def test_what_is_refuted_is_contradicted_and_never_supported() -> None:
    found = judged(says(NO), "Employees buy their own chairs.", LEAVE, "Chairs are given to them.")
    assert found.contradicts
    assert (found.support, found.deciding) == (SupportLevel.NONE, (1, 2))
    assert found.contradiction > 0.9


@pytest.mark.parametrize(
    ("beside", "contradicts"),
    [
        ("The fee of hall 4 is 9 euros.", True),  # the same hall, another fee
        ("The fee of hall 7 is 9 euros.", False),  # another hall
        ("The fee of hall 5 is 9 euros.", False),  # another hall, whose number is the fee here
    ],
)
def test_a_passage_on_another_thing_contradicts_nothing(beside: str, contradicts: bool) -> None:
    claim = "The fee of hall 4 is 5 euros."
    cases = [Case(claim, (said,)) for said in (claim, beside)]
    (group,) = ReaderJudge(reader=says(NO)).judge_together([cases])
    settled, other = sound(group)
    assert settled.support is SupportLevel.FULL
    assert other.contradicts == contradicts


WORDS = st.lists(
    st.sampled_from(
        "staff get 20 25 days leave not Anna paid is the of : ? \ud800 \x00".split(" ")
    ),
    max_size=9,
).map(" ".join)


@given(
    claim=WORDS | st.text(max_size=30),
    passages=st.lists(st.lists(WORDS | st.text(max_size=30), max_size=4), max_size=3),
    logits=st.tuples(*[st.floats(-40, 40)] * 3),
    point=st.sampled_from(OperatingPoint),
)
def test_whatever_is_said_the_numbers_and_ranges_hold(
    claim: str, passages: list[list[str]], logits: tuple[float, ...], point: OperatingPoint
) -> None:
    cases = [Case(claim, tuple(sentences)) for sentences in passages]
    (group,) = ReaderJudge(point, says(logits)).judge_together([cases])
    assert len(group) == len(cases)
    for case, one in zip(cases, sound(group), strict=True):
        for number in (one.probability, one.contradiction, one.similarity, one.directness):
            assert 0 <= number <= 1
        assert (one.similarity > 0.85) == (one.support is SupportLevel.FULL)
        assert not (one.contradicts and one.support is not SupportLevel.NONE)
        assert one.notes
        if one.deciding is None:
            assert one.support is SupportLevel.NONE
        else:
            assert 0 <= one.deciding[0] < one.deciding[1] <= len(case.sentences)


# The shipped reader

CASES = [
    Case("Staff get 20 days of leave.", ("Staff get 25 days of leave.",)),
    Case("Dogs may come in.", ("No animal is let in.", "Cats too stay outside.")),
    Case("The lease ends in March.", ("In March the lease is over.",)),
    Case("Meals are free.", (LEAVE,)),
]


def test_the_same_cases_give_the_same_judgements_in_any_order_and_number_of_threads() -> None:
    judge = ReaderJudge()
    expected = judge.judge(CASES)
    assert list(reversed(judge.judge(CASES[::-1]))) == expected
    assert ReaderJudge(reader=Reader(threads=3)).judge(CASES) == expected
    with ThreadPoolExecutor(4) as pool:
        assert [one for (one,) in pool.map(lambda case: judge.judge([case]), CASES)] == expected
    number = sound(expected)[0]
    assert number.contradicts
    assert '"25 days"' in number.notes
    assert sound(expected)[3].support is SupportLevel.NONE
    assert judge.name == f"reader:{default_reader().card.version}"


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("claim", "sentences"),
    [
        ("", (LEAVE,)),
        ("...", ("...",)),
        ("\x00\x01\x7f", ("\x00\x01\x7f",)),
        ("\ud800\udfff", ("\ud800\udfff",)),
        (LEAVE, ()),
        (LEAVE, ("\u2014 \u2014 \u2014", "***", "!?")),
        ("Los perros no entran en el edificio.", ("Los perros pueden entrar en el edificio.",)),
        ("员工每年有二十五天带薪假期。", (LEAVE,)),
        ("Les employ\u00e9s ont 40 jours de cong\u00e9 pay\u00e9 par an.", (LEAVE,) * 10),
        ("La cantine est ferm\u00e9e \u00e0 midi.", (SENTENCE,) * 10),
        ("the", (LEAVE,)),
    ],
)
def test_what_has_nothing_to_read_is_not_read_and_not_supported(
    claim: str, sentences: tuple[str, ...]
) -> None:
    found = judged(UNASKED, claim, *sentences)
    assert (found.support, found.contradicts, found.probability) == (SupportLevel.NONE, False, 0)
    assert found.notes


def test_a_name_that_stands_in_the_source_makes_no_claim_foreign() -> None:
    reader = says(YES)
    source = "Zo\u00eb M\u00fcller decides on all requests for leave and for travel."
    assert judged(reader, "Zo\u00eb M\u00fcller decides.", source).support is SupportLevel.FULL
    assert reader.asked


@pytest.mark.parametrize(
    "claim",
    [
        SENTENCE * 6,
        (SENTENCE * 2_000)[:100_000],
        "a" * 100_000,
        "The canteen \x00 opens " * 60,
    ],
)
@pytest.mark.parametrize("logits", [YES, NO])
def test_of_a_claim_that_is_too_long_no_part_decides(claim: str, logits: Sequence[float]) -> None:
    found = judged(says(logits), claim, SENTENCE, LEAVE)
    assert found.support is not SupportLevel.FULL
    assert not found.contradicts


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "sentences",
    [
        (SENTENCE * (MEGABYTE // len(SENTENCE)),),
        (SENTENCE,) * (MEGABYTE // len(SENTENCE)),
        ("a" * MEGABYTE,),
        ("1," * (MEGABYTE // 2),),
        ("~-+$5 < " * (MEGABYTE // 8),),
        ("e" + "\u0301" * MEGABYTE,),
        ("\ud800 is " * (MEGABYTE // 5),),
        ("all\x00 of\x1b[2J it " * (MEGABYTE // 15),),
    ],
    ids=["sentence", "sentences", "word", "number", "signs", "marks", "surrogates", "controls"],
)
def test_a_megabyte_is_read_in_bounds(sentences: tuple[str, ...]) -> None:
    reader = says(UNSURE)
    found = judged(reader, LEAVE, *sentences)
    assert (found.support, found.contradicts) == (SupportLevel.NONE, False)
    assert all(len(claim) + len(evidence) < 160 for claim, evidence in reader.asked)
    (asked, *_) = ReaderJudge().judge([Case(LEAVE, tuple(s[:3_000] for s in sentences[:50]))])
    assert isinstance(asked, Judgement)
    assert asked.support is not SupportLevel.FULL


# Sentences of cases as lines that the reader is shown, and some of those lines

LISTED = (
    Case("May I?", ("You may not bring:", "dogs", "", "glass bottles"), heading="Park"),
    Case("May I?", ("Keys are kept at the office.", "These are\n kept as well:", "maps")),
)


@given(st.sets(st.integers(0, 5)).map(sorted), st.data())
def test_some_of_some_lines_are_some_lines(kept: list[int], data: st.DataObject) -> None:
    """What is left out in two steps is as what is left out in one."""
    lines = lines_of(LISTED)
    some = lines.only(kept)
    again = [i for i in range(len(kept)) if data.draw(st.booleans())]
    assert lines.only(range(len(lines.lines))) == lines
    assert some.only(again) == lines.only([kept[i] for i in again])
    for line, place in zip(some.lines, some.places, strict=True):
        whole = lines.lines[lines.places.index(place)]
        assert (line.text, line.section, line.heading) == (whole.text, whole.section, whole.heading)
