"""The evidence contract, check by check."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.speech.transcripts import from_sentences, plain, transcript

from veridical.errors import ConfigurationError
from veridical.sources.transcript import Precision, Transcript
from veridical.validation.timed import (
    MOST_OCCURRENCES,
    Outcome,
    TimedCheck,
    TimedQuote,
    TimedQuoteChecker,
    TimedQuotePolicy,
    TimedQuoteResult,
    check_timed_quote,
)


def spoken(text: str, *, start: float = 0.0, step: float = 0.5, **about: str) -> Transcript:
    """A text of which each word takes `step` seconds."""
    words = text.split(" ")
    times = [(start + i * step, start + (i + 1) * step) for i in range(len(words))]
    return transcript([(w, a, b) for w, (a, b) in zip(words, times, strict=True)], **about)


def failed(result: TimedQuoteResult) -> set[str]:
    return {outcome.check.value for outcome in result.failed_checks}


TWENTY = " ".join(f"word{number}" for number in range(1, 21))


@pytest.mark.parametrize(
    ("tokens", "fails"),
    [(5, {"min_tokens"}), (6, set()), (15, set()), (16, {"max_tokens"})],
)
def test_a_quote_has_6_to_15_tokens(tokens: int, fails: set[str]) -> None:
    quote = " ".join(TWENTY.split()[:tokens])
    result = check_timed_quote(quote, 0.0, spoken(TWENTY))
    assert result.tokens == tokens
    assert failed(result) == fails


@pytest.mark.parametrize("start", [20.0, 100.3, 7_200.1])
@pytest.mark.parametrize(
    ("drift", "fails"),
    [(0.0, set()), (20.0, set()), (-20.0, set()), (20.001, {"locality"}), (-20.001, {"locality"})],
)
def test_the_first_word_is_within_20_seconds(start: float, drift: float, fails: set[str]) -> None:
    said = spoken(TWENTY, start=start)
    quote = " ".join(TWENTY.split()[4:12])
    result = check_timed_quote(quote, start + 2.0 + drift, said)
    assert failed(result) == fails
    assert result.true_seconds == start + 2.0
    assert result.drift_seconds == pytest.approx(abs(drift))


SEGMENTS = [
    (0.0, 10.0, "We all met on a cold morning in March.", "A"),
    (30.0, 40.0, "The bus was late and so were we.", "A"),
    (70.0, 80.0, "Nobody minded in the very least.", "A"),
]


@pytest.mark.parametrize(
    ("quote", "seconds", "fails"),
    [
        ("the bus was late and so were we", 10.0, set()),  # 20 s before the segment starts
        ("the bus was late and so were we", 9.999, {"locality"}),
        ("the bus was late and so were we", 60.0, set()),  # 20 s after it ends
        ("the bus was late and so were we", 60.001, {"locality"}),
        # Across two segments, both must lie near.
        ("so were we Nobody minded in the very least", 10.0, {"locality"}),
        ("so were we Nobody minded in the very least", 49.999, {"locality"}),
        ("so were we Nobody minded in the very least", 50.0, set()),
        ("so were we Nobody minded in the very least", 60.0, set()),
        ("so were we Nobody minded in the very least", 60.001, {"locality"}),
        ("so were we Nobody minded in the very least", 75.0, {"locality"}),
    ],
)
def test_with_segment_times_the_segment_decides(
    quote: str, seconds: float, fails: set[str]
) -> None:
    said = from_sentences(SEGMENTS, words=False)
    result = check_timed_quote(quote, seconds, said)
    assert failed(result) == fails
    assert result.nearest is not None
    assert result.nearest.moment.precision is Precision.SEGMENT
    assert result.true_seconds == 30.0
    told = next(check.message for check in result.checks if check.check is TimedCheck.LOCALITY)
    assert told.startswith(f"in a segment from 30 to {result.nearest.moment.end:g} s, claimed for")


def test_a_word_without_a_time_of_its_own_falls_back_to_its_segment() -> None:
    said = from_sentences(SEGMENTS, words=[True, False, True])
    result = check_timed_quote("the bus was late and so were we", 58.0, said)
    assert result.passed
    first = check_timed_quote("we all met on a cold morning", 30.0, said)
    assert failed(first) == {"locality"}  # the word's own time, not its segment's


REPEATED = from_sentences(
    [
        (0.0, 5.0, "I have a dream that we will walk.", "A"),
        (100.0, 105.0, "I have a dream that we will walk.", "A"),
        (200.0, 205.0, "I have a dream that we will walk.", "A"),
    ]
)


@pytest.mark.parametrize(
    ("seconds", "true", "passes"),
    [(1.0, 0.0, True), (104.0, 100.0, True), (190.0, 200.0, True), (50.1, 100.0, False)],
)
def test_of_several_occurrences_the_nearest_counts(
    seconds: float, true: float, passes: bool
) -> None:
    result = check_timed_quote("I have a dream that we will walk", seconds, REPEATED)
    assert [o.moment.start for o in result.occurrences] == [0.0, 100.0, 200.0]
    assert (result.true_seconds, result.passed) == (true, passes)


SAME = [
    ("I don't know what we can do now", "I dont know what we can do now"),
    ("it’s what they said at the time", "It's what they said, at the time!"),
    ("a well-known rule of the whole house", "a wellknown rule of the whole house"),
    ("“He paid 1,200 euros for that old boat”", "He paid 1200 euros for that old boat"),
    ("the bill was $5 and nobody had any", "the bill was $5 and NOBODY had any."),
    ("so café tables were all out by then", "so cafe\u0301 tables were all out by then"),
    ("♪ we sing this song all day long ♪", "we sing this song all day long"),
    ("we met at\u00a0the old mill by noon", "we met at the old mill by noon"),
    ("Καλημέρα σας, κόσμε, από την Αθήνα σήμερα", "ΚΑΛΗΜΈΡΑ ΣΑΣ ΚΌΣΜΕ ΑΠΌ ΤΗΝ ΑΘΉΝΑ ΣΉΜΕΡΑ"),
    ("Я помню тот день, как будто вчера", "я помню тот день как будто вчера…"),
    ("今日はいい天気ですね", "今日は、いい 天気ですね。"),
    ("so he said (5 of us) were there", "so he said 5 of us were there"),
    ("we bought it from Smith & Sons &", "we bought it from Smith & Sons"),
]


@pytest.mark.parametrize(("said", "quote"), [*SAME, *((quote, said) for said, quote in SAME)])
def test_case_and_punctuation_do_not_matter(said: str, quote: str) -> None:
    result = check_timed_quote(quote, 0.0, spoken(said))
    assert result.passed, result.failed_checks


CHANGED = [
    ("the price rose by 3.5 million in May", "the price rose by 35 million in May"),
    ("we lost -5 points on that one day", "we lost 5 points on that one day"),
    ("it was $5 for every one of them", "it was 5 for every one of them"),
    ("we got 5% of all the votes then", "we got 5 of all the votes then"),
    ("I'll be there when you need me", "ill be there when you need me"),
    ("I know who're the ones that came", "I know whore the ones that came"),
    ("he wrote it in C# for them all", "he wrote it in C for them all"),
    ("it is 1:30 in the morning for us", "it is 130 in the morning for us"),
    ("now every one of us pays 5%", "now every one of us pays 5"),
    ("$5 is what each of us paid", "5 is what each of us paid"),
    ("we must not—able as we are here", "we must notable as we are here"),
    ("the board was 5' long for them all", 'the board was 5" long for them all'),
    ("the loss was - $5 million that year", "the loss was $5 million that year"),
    ("it was an A- for all of us", "it was an A for all of us"),
    ("and all of it came to 5'", "and all of it came to 5"),
]
AROUND_A_NUMBER = [
    *("≥5", "≤5", "≈5", "√5", "∓5", "±5", "#5", "~5", ".5", "$.5", "-5", "+5", "№5", "£5", "￡5"),
    *("5~10", "5〜10", "5～10", "5…10", "5...10", "5;10", "5_10", "5|10", "5'10", "5-10", "5/10"),
    *("5·10", "5⋅10", "5∶10", "5⁄10", "5：10", "5，10", "5、10", "5**10", "5===10", "5×10", "5.10"),
    *("5%", "5٪", "5％", "5‰", "5°", "5℃", "5℉", "5′", "5″", "5€", "x-5", "5=", "5²", "5👍", "5👎"),
]


@pytest.mark.parametrize("value", AROUND_A_NUMBER)
def test_nothing_may_change_in_or_at_a_number(value: str) -> None:
    said = f"so we said that {value} was what it came to"
    assert check_timed_quote(said, 0.0, spoken(said)).passed
    for other in (*AROUND_A_NUMBER, "5", "510", "x5"):
        if unicodedata.normalize("NFKC", other) == unicodedata.normalize("NFKC", value):
            continue  # a wider form of the same characters
        quote = f"so we said that {other} was what it came to"
        assert not check_timed_quote(quote, 0.0, spoken(said)).passed, other


@pytest.mark.parametrize(("said", "quote"), [*CHANGED, *((quote, said) for said, quote in CHANGED)])
def test_what_the_tokens_forget_is_still_compared(said: str, quote: str) -> None:
    result = check_timed_quote(quote, 0.0, spoken(said))
    assert failed(result) == {"wording"}


NOT_THERE = [
    "we all met on a warm morning in March",
    "we all met on a cold morning of March",
    "we all met \u2026 a cold morning in March",
    "all met on a cold morning in Marc",
    "Wir trafen uns alle an einem kalten Morgen",
]


@pytest.mark.parametrize("quote", NOT_THERE)
def test_every_token_stands_there_in_order(quote: str) -> None:
    result = check_timed_quote(quote, 0.0, from_sentences(SEGMENTS))
    assert "contiguous" in failed(result)
    assert result.nearest is None
    assert result.true_seconds is None


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -math.inf])
def test_what_is_no_second_is_not_near_any(seconds: float) -> None:
    result = check_timed_quote("we all met on a cold morning", seconds, from_sentences(SEGMENTS))
    assert failed(result) == {"locality"}
    assert result.to_mapping()["claimed_seconds"] is None


def test_without_any_time_the_second_stays_unchecked_and_does_not_pass() -> None:
    result = check_timed_quote("we all met on a cold morning", 1.0, plain(SEGMENTS[0][2]))
    outcomes = {check.check: check.outcome for check in result.checks}
    assert outcomes[TimedCheck.CONTIGUOUS] is Outcome.PASSED
    assert outcomes[TimedCheck.LOCALITY] is Outcome.UNCHECKED
    assert not result.passed


TWO_SPEAKERS = from_sentences(
    [
        (0.0, 5.0, "Thank you all for being here tonight.", "Chair"),
        (5.0, 10.0, "It is good to see you all again.", "Guest"),
    ]
)


@pytest.mark.parametrize(
    ("quote", "speaker", "fails"),
    [
        ("Thank you all for being here", "Chair", set()),
        ("Thank you all for being here", "Guest", {"speaker"}),
        ("being here tonight It is good to", "Chair", {"speaker"}),
        ("being here tonight It is good to", "Guest", {"speaker"}),
        ("being here tonight It is good to", None, {"speaker"}),
    ],
)
def test_the_words_are_those_of_the_speaker(
    quote: str, speaker: str | None, fails: set[str]
) -> None:
    assert failed(check_timed_quote(quote, 2.0, TWO_SPEAKERS, label=speaker)) == fails


@pytest.mark.parametrize(
    ("speakers", "second", "passes"),
    [
        (["Ann"] * 8, "Bob", False),
        (["Ann"] * 8, None, False),
        (["Ann"] * 8, "Ann", True),
        (["Ann"] * 7 + [None], "Ann", True),
    ],
)
def test_words_without_a_label_are_nobodys(
    speakers: list[str | None], second: str | None, passes: bool
) -> None:
    """The first segment's words have speakers of their own; the second's has none of its own."""
    said = from_sentences(
        [
            (0.0, 4.0, "then we all went home now my friends", None),
            (4.0, 8.0, "I will never pay them", second),
        ],
        words=[True, False],
    )
    labelled = [replace(w, speaker=s) for w, s in zip(said.words, speakers, strict=True)]
    said = replace(
        said,
        words=tuple(labelled),
        segments=(replace(said.segments[0], speaker=second), said.segments[1]),
    )
    quote = "home now my friends I will never pay"
    assert check_timed_quote(quote, 2.0, said, label="Ann").passed is passes
    assert check_timed_quote(quote, 2.0, said).passed is passes


def test_without_speakers_nobody_is_known_to_have_said_it() -> None:
    said = spoken(TWENTY)
    quote = " ".join(TWENTY.split()[:8])
    result = check_timed_quote(quote, 0.0, said, label="Guest")
    assert result.checks[-1].outcome is Outcome.UNCHECKED
    assert not result.passed


@pytest.mark.parametrize(
    ("quote", "seconds", "corrected", "second"),
    [
        # altered words
        ("we all met on a warm morning in March", 0.0, "We all met on a cold morning in March", 0),
        # too long, cut at a clause
        ("We all met on a cold morning in March. The bus was late and so were", 0.0,
         "We all met on a cold morning in March", 0),
        # too short
        ("Nobody minded in", 70.0, "Nobody minded in the very least", 70),
        # the wrong second
        ("Nobody minded in the very least", 5.0, "Nobody minded in the very least", 70),
    ],
)  # fmt: skip
def test_a_correction_says_what_would_pass(
    quote: str, seconds: float, corrected: str, second: float
) -> None:
    said = from_sentences(SEGMENTS)
    result = check_timed_quote(quote, seconds, said)
    assert not result.passed
    assert result.correction is not None
    assert (result.correction.quote, result.correction.seconds) == (corrected, second)
    assert check_timed_quote(corrected, second, said).passed


@pytest.mark.parametrize(
    "settings",
    [
        {"min_tokens": 0},
        {"min_tokens": 9, "max_tokens": 8},
        {"tolerance_seconds": -1.0},
        {"tolerance_seconds": math.nan},
        {"tolerance_seconds": math.inf},
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError, match="timed quotes"):
        TimedQuotePolicy(**settings)  # type: ignore[arg-type]


def test_endless_repetition_is_listed_up_to_a_bound() -> None:
    said = spoken(" ".join(["no"] * 3_000), step=0.01)
    result = check_timed_quote("no no no no no no", 5.0, said)
    assert len(result.occurrences) == MOST_OCCURRENCES
    assert result.more_occurrences
    assert result.passed


def test_of_very_many_occurrences_those_about_the_second_count() -> None:
    said = from_sentences(
        [(10.0 * n, 10.0 * n + 9, "so it goes on and on", None) for n in range(1_600)]
    )
    assert check_timed_quote("so it goes on and on", 15_000.0, said).passed
    assert check_timed_quote("so it goes on and on", 0.0, said).passed
    assert not check_timed_quote("so it goes on and on", 17_000.0, said).passed


def test_many_quotes_at_once_come_out_as_one_by_one() -> None:
    quotes = [
        TimedQuote(quote, seconds)
        for quote in ("We all met on a cold morning", "so were we", *NOT_THERE)
        for seconds in (0.0, 50.0)
    ]
    checker = TimedQuoteChecker(from_sentences(SEGMENTS))
    assert checker.check_all(quotes) == [checker.check(q.quote, q.seconds) for q in quotes]


WORDS = st.sampled_from(["so", "we", "went", "on", "και", "don't", "5%", "日本"])


@st.composite
def cases(draw: st.DrawFn) -> tuple[Transcript, str, float]:
    words = draw(st.lists(WORDS, min_size=1, max_size=40))
    said = spoken(" ".join(words), step=draw(st.sampled_from([0.5, 3.0])))
    if draw(st.booleans()):
        said = replace(said, words=())
    first = draw(st.integers(0, len(words) - 1))
    count = draw(st.integers(1, 17))
    quoted = words[first : first + count]
    if draw(st.booleans()):
        quoted[draw(st.integers(0, len(quoted) - 1))] = draw(WORDS)
    return said, " ".join(quoted), draw(st.floats(0, 150).map(lambda s: round(s, 3)))


def naive_tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for run in text.split():
        kept = "".join(c for c in run if c.isalnum()).casefold()
        tokens += list(kept) if kept and kept[0] >= "\u2e80" else [kept]
    return [token for token in tokens if token]


@settings(deadline=None, max_examples=80)
@given(cases())
def test_it_agrees_with_the_contract_written_down_naively(
    case: tuple[Transcript, str, float],
) -> None:
    said, quote, seconds = case
    wanted, tokens = naive_tokens(quote), naive_tokens(said.text)
    places = [
        at for at in range(len(tokens) - len(wanted) + 1) if tokens[at : at + len(wanted)] == wanted
    ]
    owner = [
        word.start
        for word in said.words
        for _ in naive_tokens(said.text[word.span.start : word.span.end])
    ]
    segment = said.segments[0]
    assert segment.start is not None
    assert segment.end is not None
    if said.words:
        near = any(abs(seconds - (owner[at] or 0)) <= 20 for at in places)
    else:
        near = bool(places) and segment.start - 20 <= seconds <= segment.end + 20
    expected = bool(places) and near and 6 <= len(wanted) <= 15
    assert check_timed_quote(quote, seconds, said).passed == expected


@pytest.mark.parametrize(
    ("seconds", "start"), [(5.0, 5.0), (34.0, 5.0), (35.0, 35.0), (41.0, 35.0)]
)
def test_of_two_segments_that_touch_the_one_that_begins_at_the_second_is_meant(
    seconds: float, start: float
) -> None:
    said = "we have water on the fire"
    twice = from_sentences([(5.0, 35.0, said, "A"), (35.0, 40.0, said, "A")], words=False)
    result = check_timed_quote(said, seconds, twice)
    assert result.true_seconds == start
