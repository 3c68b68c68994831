"""The evaluator without a model: real moments, quoted to the letter, and kind words about them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.speech.naive import fits_the_contract, naive_tokens
from tests.speech.transcripts import Sentence, from_sentences, plain

from veridical.sources.transcript import Transcript
from veridical.speech.author import Assignment, Rejected
from veridical.speech.evaluation import ItemType, StructuredEvaluation
from veridical.speech.offline import rules
from veridical.speech.offline.author import OfflineAuthor, Rule, evaluate_by_rules
from veridical.speech.offline.moments import MomentKind, Talk
from veridical.speech.offline.words import ADVICE, PRAISE
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


def test_the_sample_talk() -> None:
    evaluation = evaluate_by_rules(sample_talk())
    assert quotes(evaluation) == [
        "Four years ago, on a wet Tuesday in Bristol",
        "It was not a broken kettle, it was a loose wire.",
        "So this week, before you throw anything away, take it apart and look inside.",
        "I had done it with a lamp, a radio and, um, you know",
        "and they told me about toasters and zips and bicycles and headphones",
    ]
    assert evaluation.shape_problems() == ()
    assert check_tone(evaluation) == ()


def test_it_says_that_it_goes_by_rules() -> None:
    for talk in (sample_talk(), plain("")):
        evaluation = evaluate_by_rules(talk)
        assert "fixed rules" in evaluation.opening
        assert check_tone(evaluation) == ()
    assert "fixed rules" in evaluate_by_rules(sample_talk()).closing
    assert OfflineAuthor().rule_based
    assert OfflineAuthor().name == "veridical-rules"


def found(rule: Rule, text: str) -> list[str]:
    talk = Talk(plain(text), None, DEFAULT_TIMED_POLICY)
    passages = [talk.cut(moment.passage) for moment in rule(talk)]
    return [talk.quote(passage) for passage in passages if passage is not None]


BODY = " The hall was full and the lamps were warm." * 8


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        (
            rules.story_openings,
            "Good evening. When I was nine, I lost my father's watch." + BODY,
            ["When I was nine, I lost my father's watch."],
        ),
        (rules.story_openings, "Good evening. Prices rose by a third last year." + BODY, []),
        (rules.story_openings, BODY + " One day I lost my father's old watch.", []),
        (
            rules.questions,
            "What would you do with one more hour?" + BODY,
            ["What would you do with one more hour?"],
        ),
        (rules.questions, "Can everybody at the back hear me? Any questions?" + BODY, []),
        (
            rules.contrasts,
            "It is not the fall that hurts, it is the floor." + BODY,
            ["It is not the fall that hurts, it is the floor."],
        ),
        (
            rules.contrasts,
            "We did not lose a game but found a team." + BODY,
            ["We did not lose a game but found a team."],
        ),
        (rules.contrasts, "I did not sleep well on the train." + BODY, []),
        (
            rules.triads,
            "We packed the van, we drove all night, and we sang." + BODY,
            ["We packed the van, we drove all night, and we sang."],
        ),
        (rules.triads, "We packed the van. The road was long, and I sang." + BODY, []),
        (
            rules.calls_to_action,
            BODY + " So tonight, call the friend that you have been missing.",
            ["So tonight, call the friend that you have been missing."],
        ),
        (rules.calls_to_action, "Call the friend that you have been missing tonight." + BODY, []),
        (
            rules.repeated_fillers,
            "It was, um, late. We, uh, took the, um, last train home." + BODY,
            ["We, uh, took the, um, last train home.", "It was, um, late. We, uh"],
        ),
        (rules.repeated_fillers, "It was, um, late." + BODY, []),
        (
            rules.long_sentences,
            "I saw" + " the red boat and the blue boat" * 8 + "." + BODY,
            ["I saw the red boat and the blue boat the red boat and the blue"],
        ),
        (rules.long_sentences, "I saw the red boat." + BODY, []),
        # A recogniser that writes no full stops is no long sentence of the speaker.
        (rules.long_sentences, "so we went on and on " * 30 + ".", []),
    ],
)
def test_what_a_rule_finds(rule: Rule, text: str, expected: list[str]) -> None:
    assert found(rule, text) == expected


def test_a_rush_is_fast_for_this_speaker() -> None:
    calm = "the hall was full and the lamps were warm and quiet"
    even = [(i * 5.0, i * 5.0 + 5.0, calm, None) for i in range(10)]
    hurried = [*even, (50.0, 55.0, calm + ", " + calm + " and " + calm, None)]
    for said, count in ((even, 0), (hurried, 1)):
        talk = Talk(from_sentences(said), None, DEFAULT_TIMED_POLICY)
        assert len(list(rules.rushes(talk))) == count


def test_only_the_speaker_is_quoted() -> None:
    talk = from_sentences(
        [
            (0.0, 9.0, "When I was nine, I met the woman who will speak to us tonight.", "Chair"),
            (9.0, 30.0, "The hall is full, the lamps are warm, and the tea is hot." * 4, "Ann"),
            (
                30.0,
                39.0,
                "So tonight, call the friend that you have been missing for years.",
                "Chair",
            ),
        ]
    )
    evaluation = evaluate_by_rules(talk, speaker="Ann")
    assert evaluation.shape_problems() == ()
    assert all(
        "hall" in quote or "lamps" in quote or "tea" in quote for quote in quotes(evaluation)
    )
    assert evaluate_by_rules(talk, speaker="nobody").items == ()


def test_speakers_of_words_count_more_than_those_of_their_segment() -> None:
    talk = from_sentences([(0.0, 20.0, "I say this and no more of it. " + BODY.strip(), "Ann")])
    words = tuple(
        replace(word, speaker="Bea") if i < 8 else word for i, word in enumerate(talk.words)
    )
    mixed = replace(talk, words=words)
    assert quotes(evaluate_by_rules(mixed, speaker="Bea")) == ["I say this and no more of it."]
    assert all(quote in BODY for quote in quotes(evaluate_by_rules(mixed, speaker="Ann")))


def test_a_long_sentence_is_cut_where_it_can_be_read() -> None:
    text = "One summer, when I was nineteen, I walked across the hills above Porto with a friend."
    assert found(rules.story_openings, text + BODY) == [
        "One summer, when I was nineteen, I walked across the hills above Porto"
    ]
    doctor = "it was late and the hall had gone quiet when I met Dr. Patel at the library in town."
    assert found(rules.story_openings, "Years ago " + doctor + BODY) == [
        "Years ago it was late and the hall had gone quiet when I met"
    ]


def test_praise_never_quotes_a_stumble() -> None:
    text = "When I was, um, nine, I, uh, lost the the watch, um, of my, uh, father." + BODY
    praised = quotes(evaluate_by_rules(plain(text)), ItemType.COMMENDATION)
    assert praised
    assert not any("um" in quote.split() or "the the" in quote for quote in praised)


def test_quotes_to_avoid_are_not_used_again() -> None:
    talk = sample_talk()
    first = quotes(evaluate_by_rules(talk))
    second = evaluate_by_rules(talk, avoid=frozenset(first))
    assert second.shape_problems() == ()
    assert set(first).isdisjoint(quotes(second))


def test_another_item_in_place_of_one() -> None:
    author, assignment = OfflineAuthor(), Assignment(sample_talk())
    written = author.write(assignment)
    for item in written.items:
        other = author.rewrite(assignment, item, ("not there",))
        assert other.type is item.type
        assert other.evidence_quote not in quotes(written)
    short = Assignment(plain("one two three four five six"))
    (only,) = author.write(short).items
    with pytest.raises(Rejected, match="no other commendation"):
        author.rewrite(short, only, ("not there",))


def test_another_policy_gives_other_lengths() -> None:
    policy = TimedQuotePolicy(min_tokens=9, max_tokens=11)
    evaluation = OfflineAuthor(policy).write(Assignment(sample_talk()))
    assert evaluation.shape_problems() == ()
    assert all(9 <= len(naive_tokens(quote)) <= 11 for quote in quotes(evaluation))


@pytest.mark.parametrize("kind", MomentKind)
def test_every_kind_has_texts_that_differ(kind: MomentKind) -> None:
    texts = [*PRAISE.get(kind, ()), *ADVICE.get(kind, ())]
    assert texts
    assert len({summary for summary, _ in texts}) == len(texts)


@pytest.mark.parametrize(
    ("tokens", "items"), [(0, 0), (5, 0), (6, 1), (11, 1), (12, 2), (17, 2), (18, 3), (24, 3)]
)
def test_a_short_talk_gives_as_many_items_as_it_can(tokens: int, items: int) -> None:
    text = " ".join(f"word{number}" for number in range(tokens))
    evaluation = evaluate_by_rules(plain(text))
    assert len(evaluation.items) == items
    assert check_tone(evaluation) == ()


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
    words = draw(
        st.one_of(
            st.just([True] * len(said)),
            st.just([False] * len(said)),
            st.lists(st.booleans(), min_size=len(said), max_size=len(said)),
        )
    )
    named = draw(st.sampled_from([language, None]))
    return from_sentences(said, words=words, language=named)


def quotable_tokens(talk: Transcript, speaker: str | None) -> int:
    """Tokens of runs that a quote fits into, counted from the segments: a naive second opinion."""
    timed = any(segment.start is not None for segment in talk.segments)
    runs: list[int] = []
    before: str | None = ""
    for segment in talk.segments:
        tokens = len(naive_tokens(talk.text[segment.span.start : segment.span.end]))
        if timed and segment.start is None:
            before = ""
            continue
        if segment.speaker != before:
            runs.append(0)
            before = segment.speaker
        if speaker is None or segment.speaker == speaker:
            runs[-1] += tokens
    return sum(run for run in runs if run >= DEFAULT_TIMED_POLICY.min_tokens)


@settings(max_examples=200, deadline=None)
@given(talks(), st.sampled_from([None, "A"]))
def test_every_quote_keeps_the_contract(talk: Transcript, speaker: str | None) -> None:
    evaluation = evaluate_by_rules(talk, speaker=speaker)
    for item in evaluation.items:
        assert fits_the_contract(talk, item, speaker)
        assert item.evidence_quote in " ".join(talk.text.split())
    if quotable_tokens(talk, speaker) >= ENOUGH:
        assert evaluation.shape_problems() == ()
    assert check_tone(evaluation) == ()
    assert len({item.summary for item in evaluation.items}) == len(evaluation.items)
    assert evaluate_by_rules(talk, speaker=speaker) == evaluation


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=400))
def test_any_text_can_be_quoted_from(text: str) -> None:
    evaluation = evaluate_by_rules(plain(text, language=None))
    assert check_tone(evaluation) == ()
    StructuredEvaluation.from_mapping(evaluation.to_mapping())
