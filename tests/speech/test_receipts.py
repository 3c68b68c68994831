"""A receipt proves its words to whoever has the raw transcript, and nothing to anybody else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.speech.transcripts import from_sentences

from veridical.sources.document import Span
from veridical.sources.transcript import Transcript
from veridical.speech.checking import Receipts
from veridical.speech.results import Receipt
from veridical.validation.timed import DEFAULT_TIMED_POLICY, TimedQuotePolicy

SENTENCES = [
    (0.0, 6.0, "Thank you, Maria, for that kind introduction.", "Tom"),
    (6.0, 12.0, "We choose to speak because silence is easy.", "Tom"),
    (60.0, 66.0, "Thank you, Maria, for that kind introduction.", "Tom"),
]
TALK = from_sentences(SENTENCES)
QUOTE = "Maria, for that kind introduction"


SHOWN = "a fellow member, for that kind introduction"


def make_receipt(talk: Transcript, span: Span, shown: str = SHOWN) -> Receipt:
    return Receipts(talk).make(span, shown)


def prove(
    receipt: Receipt,
    talk: Transcript,
    shown: str = SHOWN,
    *,
    policy: TimedQuotePolicy = DEFAULT_TIMED_POLICY,
) -> Span | None:
    return Receipts(talk, policy).prove(receipt, shown)


def span_of(quote: str, *, last: bool = False) -> Span:
    start = TALK.text.rindex(quote) if last else TALK.text.index(quote)
    return Span(start, start + len(quote))


@pytest.mark.parametrize("words", [True, False], ids=["word times", "segment times"])
def test_a_receipt_proves_its_words(words: bool) -> None:
    talk = from_sentences(SENTENCES, words=words)
    start = talk.text.index(QUOTE)
    receipt = make_receipt(talk, Span(start, start + len(QUOTE)))
    proved = prove(receipt, talk)
    assert proved is not None
    assert talk.text[proved.start : proved.end] == QUOTE


def test_of_words_said_twice_the_second_tells_which() -> None:
    again = span_of(QUOTE, last=True)
    receipt = make_receipt(TALK, again)
    assert receipt.seconds > 60
    assert prove(receipt, TALK) == again


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": 2.0},
        {"seconds": 6000.0},
        {"seconds": float("nan")},
        {"tokens": 6},
        {"tokens": 0},
        {"tokens": 10**12},
        {"digest": "0" * 64},
        {"digest": "ü\ud800"},
    ],
)
def test_a_changed_receipt_proves_nothing(change: dict[str, object]) -> None:
    receipt = make_receipt(TALK, span_of(QUOTE))
    assert prove(replace(receipt, **change), TALK) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "instead"),
    [("Maria", "Marie"), ("Maria", "a fellow member"), ("silence", "Silence"), ("easy.", "easy")],
)
def test_a_changed_transcript_proves_nothing(said: str, instead: str) -> None:
    other = from_sentences([(a, b, text.replace(said, instead), s) for a, b, text, s in SENTENCES])
    assert prove(make_receipt(TALK, span_of(QUOTE)), other) is None


@pytest.mark.parametrize(
    "shown",
    ["", QUOTE, SHOWN.upper(), SHOWN + ".", "a fellow member, for that unkind introduction"],
)
def test_another_quote_than_the_shown_one_is_not_proven(shown: str) -> None:
    assert prove(make_receipt(TALK, span_of(QUOTE)), TALK, shown) is None


def test_the_same_words_at_another_time_prove_nothing() -> None:
    later = from_sentences([(a and a + 600, b and b + 600, t, s) for a, b, t, s in SENTENCES])
    assert later.text == TALK.text
    assert prove(make_receipt(TALK, span_of(QUOTE)), later) is None


def test_names_cannot_be_tried_out_with_what_is_published() -> None:
    """Whoever knows all but the rest of the transcript gets another digest for the right name."""
    receipt = make_receipt(TALK, span_of(QUOTE))
    guess = from_sentences([SENTENCES[0]])
    guessed = make_receipt(guess, span_of(QUOTE))
    assert guessed.seconds == receipt.seconds
    assert guessed.digest != receipt.digest
    assert TALK.sha256 not in receipt.digest


WORDS = st.lists(st.sampled_from(["um", "we", "go", "Maria", "don’t", "ναι", "3.5"]), min_size=1)


@given(WORDS, st.data())
def test_every_window_is_proved_by_its_receipt(words: list[str], data: st.DataObject) -> None:
    talk = from_sentences([(0.0, len(words) * 0.5, " ".join(words), None)])
    first = data.draw(st.integers(0, len(words) - 1))
    count = data.draw(st.integers(1, min(15, len(words) - first)))
    span = Span(talk.words[first].span.start, talk.words[first + count - 1].span.end)
    receipts = Receipts(talk)
    proved = receipts.prove(receipts.make(span, "shown"), "shown")
    assert proved is not None
    assert talk.text[proved.start : proved.end].split() == words[first : first + count]
