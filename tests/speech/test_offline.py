"""The evaluator without a model: real moments, quoted to the letter, and kind words about them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.speech.cases import of_rules
from tests.speech.naive import fits_the_contract, naive_tokens, quotable_tokens
from tests.speech.transcripts import Sentence, from_sentences, plain

from veridical.sources.transcript import Transcript
from veridical.speech.drafting import Assignment, Rejected
from veridical.speech.evaluation import ItemType, StructuredEvaluation
from veridical.speech.names.finders import PatternNames
from veridical.speech.offline import advice, frame, rules
from veridical.speech.offline.author import OfflineAuthor, Rule, evaluate_by_rules
from veridical.speech.offline.moments import Talk
from veridical.speech.tone import check_tone
from veridical.validation.timed import DEFAULT_TIMED_POLICY, TimedQuotePolicy

EXAMPLES = Path(__file__).parents[2] / "examples" / "speech"
ENOUGH = 24
"""Tokens in runs of at least six: three quotes of six always fit."""


def sample_talk(*, words: bool = True) -> Transcript:
    written = json.loads((EXAMPLES / "talk.json").read_text("utf-8"))
    return from_sentences(
        [(s["start"], s["end"], s["text"].strip(), None) for s in written["segments"]],
        words=words,
    )


def quotes(evaluation: StructuredEvaluation, kind: ItemType | None = None) -> list[str]:
    return [item.evidence_quote for item in evaluation.items if kind in (None, item.type)]


def test_it_says_that_it_goes_by_rules() -> None:
    for talk in (sample_talk(), plain("")):
        evaluation = evaluate_by_rules(talk)
        assert "fixed rules" in evaluation.opening
        assert check_tone(evaluation) == ()
    assert OfflineAuthor(DEFAULT_TIMED_POLICY).rule_based
    assert OfflineAuthor(DEFAULT_TIMED_POLICY).name == "veridical-rules"


def found(rule: Rule, text: str) -> list[str]:
    talk = Talk(plain(text), None, DEFAULT_TIMED_POLICY)
    passages = [talk.cut(moment.passage) for moment in rule(talk)]
    return [talk.quote(passage) for passage in passages if passage is not None]


SEEDS = "Our garden is old. A garden is work. I like bread. We ate bread. My bread is good. "
FORTY_TWO = "It took five thousand and forty two changes in 2018."
BODY = " The hall was full and the lamps were warm." * 8


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        (
            advice.fillers,
            "It, um, was, um, late. We, uh, took the, um, last train home." + BODY,
            ["It, um, was, um, late. We", "We, uh, took the, um, last train home."],
        ),
        (advice.fillers, "It was, um, late." + BODY, []),
        (
            advice.long_sentences,
            "I saw" + " the red boat and the blue boat" * 8 + "." + BODY,
            ["I saw the red boat and the blue boat the red boat and the blue"],
        ),
        (advice.long_sentences, "I saw the red boat." + BODY, []),
        (
            rules.voices,
            "For every byte our customers wrote, we wrote thirty of our own." + BODY,
            [],
        ),
        # A recogniser that writes no full stops is no long sentence of the speaker.
        (advice.long_sentences, "so we went on and on " * 30 + ".", []),
    ],
)
def test_what_a_rule_finds(rule: Rule, text: str, expected: list[str]) -> None:
    assert found(rule, text) == expected


AROUND_IT = " ".join(f"The {thing} stood by the wall that day." for thing in (
    "lamp", "chair", "stove", "clock", "ladder", "barrel", "basket", "kettle", "mirror", "piano"
))  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "text", "told"),
    [
        (
            rules.repetitions,
            f"Keep your hands moving, she told us. {AROUND_IT} Keep your hands moving.",
            "You came back to the words “Keep your hands moving” as you closed.",
        ),
        (
            rules.repetitions,
            f"{AROUND_IT} He waited for people. He waited in the snow. He waited by the gate.",
            "You began one line after another with “He waited”.",
        ),
        (
            rules.contrasts,
            (
                "A home is not the place where you know everybody. A home is the place where "
                f"somebody opens. {AROUND_IT}"
            ),
            (
                "You set “A home is not the place where you know everybody” against “A home is "
                "the place where somebody opens”."
            ),
        ),
        (
            rules.voices,
            f"{AROUND_IT} She asked me, why is your door so blue? They said, we will see.",
            "You let somebody speak: “why is your door so blue”.",
        ),
        (
            rules.voices,
            f"{AROUND_IT} Fear is a dog, said Maureen, if you run it will chase you.",
            "You let somebody speak: “if you run it will chase you”.",
        ),
        (
            rules.voices,
            f"{AROUND_IT} Where are you going with my ladder, he asked.",
            "You let somebody speak: “Where are you going with my ladder”.",
        ),
        (
            rules.short_words,
            f"{SEEDS} The garden gave bread to us.",
            "You put “garden” and “bread” into one short sentence, “The garden gave bread to us”.",
        ),
        (
            rules.signposts,
            f"First, the road is full. {AROUND_IT} Second, the bus is late. Third, we promised.",
            "You counted your points as you came to them.",
        ),
        (
            rules.calls_to_action,
            f"{AROUND_IT * 2} Please don't put it in the oven today.",
            "Near the end you asked for something to be done: “don't put it in the oven today”.",
        ),
        (
            advice.crowded_figures,
            f"{AROUND_IT} It rose from two hundred and ten to 1400 in 48 hours. {FORTY_TWO}",
            "Consider keeping one of the figures “two hundred and ten”, “1400” and “48”.",
        ),
    ],
)
def test_what_is_said_names_what_was_said(rule: Rule, text: str, told: str) -> None:
    found = list(rule(Talk(plain(text), None, DEFAULT_TIMED_POLICY)))
    assert told in [each.summary for each in found]
    assert "figures" not in told or len(found) == 1


def test_three_things_are_praised_and_one_is_advised_each_in_words_of_the_talk() -> None:
    evaluation = evaluate_by_rules(sample_talk())
    kinds = [item.type for item in evaluation.items]
    assert kinds == [ItemType.COMMENDATION] * 3 + [ItemType.RECOMMENDATION]
    said = " ".join(sample_talk().text.split())
    for item in evaluation.items:
        quoted = re.findall("“([^”]+)”", f"{item.summary} {item.explanation}")
        assert quoted
        assert all(words in said or words in ("um", "you know") for words in quoted)


def test_a_rush_is_fast_for_this_speaker() -> None:
    calm = "the hall was full and the lamps were warm and quiet"
    even = [(i * 5.0, i * 5.0 + 5.0, calm, None) for i in range(10)]
    hurried = [*even, (50.0, 55.0, calm + ", " + calm + " and " + calm, None)]
    for said, count in ((even, 0), (hurried, 1)):
        talk = Talk(from_sentences(said), None, DEFAULT_TIMED_POLICY)
        assert len(list(advice.rushes(talk))) == count


def test_quotes_to_avoid_are_not_used_again() -> None:
    talk = sample_talk()
    first = quotes(evaluate_by_rules(talk))
    second = evaluate_by_rules(talk, avoid=frozenset(first))
    assert second.shape_problems() == ()
    assert set(first).isdisjoint(quotes(second))


def test_another_item_in_place_of_one() -> None:
    author, assignment = OfflineAuthor(DEFAULT_TIMED_POLICY), Assignment(sample_talk())
    written = author.write(assignment)
    for item in written.items:
        other = author.rewrite(assignment, item, ("not there",))
        assert other.type is item.type
        assert other.evidence_quote not in quotes(written)
    short = Assignment(plain("one two three four five six"))
    (only,) = author.write(short).items
    with pytest.raises(Rejected, match="no other commendation"):
        author.rewrite(short, only, ("not there",))


@pytest.mark.parametrize(
    ("tokens", "items"), [(0, 0), (5, 0), (6, 1), (11, 1), (12, 2), (17, 2), (18, 3), (24, 3)]
)
def test_a_short_talk_gives_as_many_items_as_it_can(tokens: int, items: int) -> None:
    text = " ".join(f"word{number}" for number in range(tokens))
    evaluation = evaluate_by_rules(plain(text))
    assert len(evaluation.items) == items
    assert check_tone(evaluation) == ()


ASKED_OF_THE_ROOM = (
    "Of course, is this better now for everybody sitting at the back there?",
    "Where are my notes, can anybody see my notes anywhere?",
)
CALM = (
    "The library lends more than books on a Saturday morning.",
    "People carry their radios and lamps across the whole town.",
    "A table and two chairs stand under the tall lamp.",
    "Our neighbours bring cake and somebody always makes the tea.",
)


@pytest.mark.parametrize("order", [(*ASKED_OF_THE_ROOM, *CALM), (*CALM, *ASKED_OF_THE_ROOM)])
def test_advice_rests_on_calm_passages_where_there_are_any(order: tuple[str, ...]) -> None:
    evaluation = evaluate_by_rules(plain(" ".join(order)))
    assert evaluation.shape_problems() == ()
    assert not [q for q in quotes(evaluation) if any(q in said for said in ASKED_OF_THE_ROOM)]


def test_no_text_reads_as_if_it_named_somebody() -> None:
    """The name finder would cut it out of the public copy."""
    texts = [frame.BY_RULES, frame.SHORT, frame.THANKS, *frame.NOTHING_TO_QUOTE]
    assert [name for text in texts for name in PatternNames().find(text)] == []


@pytest.mark.parametrize("text", ["same " * ENOUGH, "um " * ENOUGH, "a b c d e f " * 4])
def test_words_that_repeat_are_quoted_in_different_lengths(text: str) -> None:
    evaluation = evaluate_by_rules(plain(text.strip()))
    assert evaluation.shape_problems() == ()
    assert len({tuple(naive_tokens(quote)) for quote in quotes(evaluation)}) == 3


SAID = {
    "en": (
        "When I was nine I lost my watch.",
        "It was, um, you know, like, a mess, um, really.",
        "What would you do with one more hour?",
        "We packed the van, we drove all night, and we sang.",
        "It is not the fall that hurts, it is the floor.",
        "So tonight, call your old friend and, um, say hello.",
        "Dr. O’Neill said “well-known” at 10:30, didn't she?",
        "no punctuation here so it goes on and on and on",
        "Yes.",
    ),
    "de": ("Ich ging, äh, um das alte Haus herum.", "Warum hat mir das niemand gesagt?"),
    "el": ("Πήγαμε μαζί στη θάλασσα το βράδυ.", "Τι θα κάνατε εσείς;"),
    "ru": ("Мы долго шли по старой дороге домой.", "Что бы вы сделали на моём месте?"),
    "ja": (
        "私は昨日、東京へ行きました。",
        "皆さんはどう思いますか？",
        "ABC株式会社で働いています。",
    ),
    "hi": ("मैं कल शाम को अपने घर गया था।", "आप क्या करेंगे?"),
}


@st.composite
def talks(draw: st.DrawFn) -> Transcript:
    language = draw(st.sampled_from(sorted(SAID)))
    said: list[Sentence] = []
    now = 0.0
    for _ in range(draw(st.integers(0, 14))):
        text = draw(st.sampled_from(SAID[language]))
        start = now + draw(st.sampled_from([0.0, 0.4, 3.0, 60.0]))
        now = start + draw(st.sampled_from([0.0, 2.0, 5.0, 40.0]))
        known = draw(st.integers(0, 9)) > 0
        speaker = draw(st.sampled_from(["A", "A", "B"]))
        said.append((start if known else None, now if known else None, text, speaker))
    some = st.lists(st.booleans(), min_size=len(said), max_size=len(said))
    words = draw(st.one_of(st.booleans(), some))
    named = draw(st.sampled_from([language, None]))
    return from_sentences(said, words=words, language=named)


NAMED = st.sampled_from(["A", "B", None])


@st.composite
def talks_of_several(draw: st.DrawFn) -> Transcript:
    """Talks in which another speaker may take over inside a segment, word by word."""
    talk = draw(talks())
    words = list(talk.words)
    for segment in talk.segments:
        inside = [
            i for i, w in enumerate(words) if segment.span.start <= w.span.start < segment.span.end
        ]
        if inside and draw(st.booleans()):
            turn = draw(st.sampled_from(inside))
            first, second = draw(st.tuples(NAMED, NAMED))
            for index in inside:
                speaker = first if index < turn else second
                words[index] = replace(words[index], speaker=speaker)
    return replace(talk, words=tuple(words))


POLICIES = st.builds(
    lambda least, more, tolerance: TimedQuotePolicy(
        min_tokens=least, max_tokens=least + more, tolerance_seconds=tolerance
    ),
    st.integers(3, 10),
    st.integers(0, 12),
    st.sampled_from([0.0, 0.5, 20.0]),
)


@pytest.mark.no_cover
@settings(max_examples=80)
@given(talks_of_several(), st.sampled_from([None, "A", "B", "C"]), POLICIES)
def test_every_quote_keeps_the_contract(
    talk: Transcript, label: str | None, policy: TimedQuotePolicy
) -> None:
    evaluation = evaluate_by_rules(talk, label=label, policy=policy)
    for item in evaluation.items:
        assert fits_the_contract(talk, item, label, policy)
        assert item.evidence_quote in " ".join(talk.text.split())
    # Runs that hold four quotes of the least length always hold three side by side.
    if quotable_tokens(talk, label, policy.min_tokens) >= 4 * policy.min_tokens:
        assert evaluation.shape_problems() == ()
    assert check_tone(evaluation) == ()
    assert len({item.summary for item in evaluation.items}) == len(evaluation.items)
    assert evaluate_by_rules(talk, label=label, policy=policy) == evaluation


@given(st.text(max_size=400))
def test_any_text_can_be_quoted_from(text: str) -> None:
    evaluation = evaluate_by_rules(plain(text, language=None))
    assert check_tone(evaluation) == ()
    StructuredEvaluation.from_mapping(evaluation.to_mapping())


# --- each rule of praise on many sentences: what is not there must not be praised -----------------


AROUND = "The hall was full and the lamps were warm. " * 8
RULES: dict[str, Rule] = {
    "story": rules.scenes,
    "question": rules.questions,
    "contrast": rules.contrasts,
    "triad": rules.triads,
    "call": rules.calls_to_action,
}


def fires(name: str, sentence: str) -> bool:
    """Whether a rule finds something, the sentence standing where the rule looks."""
    text = f"{sentence} {AROUND}" if name == "story" else f"{AROUND * 2}{sentence}"
    return next(RULES[name](Talk(plain(text), None, DEFAULT_TIMED_POLICY)), None) is not None


def said(*titles: str) -> list[tuple[str, str]]:
    return [case for title in titles for case in of_rules("moments.txt", title)]


@pytest.mark.parametrize(("rule", "sentence"), said("seen", "seen, written later"))
def test_what_a_rule_sees(rule: str, sentence: str) -> None:
    assert fires(rule, sentence)


QUIET = " ".join(CALM)
ORDERS = "Take the bowl. Wash the jar. Open the bag. "


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (f"{AROUND * 2}Take the bowl.", 1),
        (f"{AROUND}Take the bowl. {AROUND}", 0),
        (f"{ORDERS}{AROUND * 2}Take the bowl.", 0),
        (f"{ORDERS}{AROUND * 2}Take the bowl home tonight.", 1),
        # Near the end, but not the last, and of nothing that the talk is about.
        (f"{AROUND * 2}Take the bowl. {'The hall was full and the lamps were warm. ' * 2}", 0),
        (f"A bowl stood there. {AROUND * 2}Take the bowl. The hall was full and warm again.", 1),
    ],
)
def test_a_request_is_a_call_where_several_signs_agree(text: str, calls: int) -> None:
    assert len(found(rules.calls_to_action, text)) == calls


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (rules.repetitions, f"He took the weight of. He took the kilos. {QUIET}"),
        (rules.repetitions, f"The boat by the old red quay. {QUIET} We saw an old red quay there."),
        (rules.voices, f"As I said, we need a longer table. {AROUND}"),
        (rules.short_words, f"{SEEDS} It was in the garden bread that day."),
        (rules.questions, f"{AROUND}Then she asked us. Why are you so late?"),
    ],
)
def test_what_only_looks_like_a_moment(rule: Rule, text: str) -> None:
    assert found(rule, text) == []


@pytest.mark.parametrize(("line", "times"), [("Maybe it was.", 0), ("The old piano fell.", 1)])
def test_a_silence_is_for_a_line_that_says_something(line: str, times: int) -> None:
    parts = [(0.0, 20.0, AROUND, None), (20.0, 21.5, line, None), (25.0, 45.0, AROUND, None)]
    talk = Talk(from_sentences(parts), None, DEFAULT_TIMED_POLICY)
    assert len(list(rules.silences(talk))) == times


def test_a_quote_holds_what_is_said_of_it() -> None:
    long = (
        "We carried the heavy old piano and the red stool up all of the four narrow floors of our "
        "house in Bradford one quiet night."
    )
    asked = (
        "Why do we, who have all these warm halls and lamps, never open one of their doors to you?"
    )
    quoted = " ".join(quotes(evaluate_by_rules(plain(f"{QUIET} {long} {asked} {QUIET}"))))
    assert "in Bradford one quiet night" in quoted
    assert "Why do we" not in quoted


@pytest.mark.parametrize(
    ("rule", "sentence"), said("let pass", "let pass, written later", "missed")
)
def test_what_a_rule_lets_pass(rule: str, sentence: str) -> None:
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


def test_praise_never_quotes_a_stumble() -> None:
    text = "When I was, um, nine, I, uh, lost the the watch, um, of my, uh, father." + BODY
    praised = quotes(evaluate_by_rules(plain(text)), ItemType.COMMENDATION)
    assert praised
    assert not any("um" in quote.split() or "the the" in quote for quote in praised)
