"""What is quoted: a whole sentence that stands in the source word for word, or nothing."""

from __future__ import annotations

import pytest
from tests.answering.handmade import corpus_of, place_of, policy

from veridical.answering.quoting import choose_quote
from veridical.retrieval.shown import collapse
from veridical.sources.document import Format

QUOTED = {
    "markup as it is read": ("Staff may take **five** [days](a.md) &amp; nights.", "five",
                             "Staff may take five days & nights."),
    "a number that opens an item": ("1. five days\n2. six days\n", "five", "1. five days"),
    "no note mark at the end": ("Staff may take five days.[2] More is not.", "five",
                                "Staff may take five days."),
    "a number in brackets": ("Staff may take five [2] days [25].", "five",
                             "Staff may take five [2] days [25]."),
    "other brackets": ("Staff may take five 【2】 days [1, 3-4] [^2].", "five",
                       "Staff may take five 【2】 days [1, 3-4] [^2]."),
}  # fmt: skip

UNQUOTABLE = {
    "a heading": ("# Five days\n\nStaff may take them.\n", "Five"),
    "what reads as the end of the line": ('Staff may take "five" [2] days.', "five"),
    "a control character": ("Staff may take\x07 five days.", "five"),
    "a change of direction": ("Staff may take \u202efive days.", "five"),
    "no words": ("…\n", "…"),
    "a sentence without an end": ("five days " * 150, "five"),
}


@pytest.mark.parametrize(("text", "fragment", "quoted"), QUOTED.values(), ids=QUOTED.keys())
def test_whole_sentences_are_quoted(text: str, fragment: str, quoted: str) -> None:
    chunk, index = place_of(corpus_of(policy(text)), fragment)
    quote = choose_quote(chunk, [index])
    assert quote is not None
    assert (quote.text, quote.index) == (quoted, index)
    assert quote.text in collapse(chunk.text)
    assert collapse(chunk.document.shown(quote.span)) == quote.text


@pytest.mark.parametrize(("text", "fragment"), UNQUOTABLE.values(), ids=UNQUOTABLE.keys())
def test_what_cannot_be_quoted_is_not(text: str, fragment: str) -> None:
    chunk, index = place_of(corpus_of(policy(text, "leave.md")), fragment)
    assert choose_quote(chunk, [index]) is None


def test_neither_part_of_a_sentence_that_was_too_long() -> None:
    long = policy("word " * 210 + "ends here. Short.", "long.txt", Format.PLAIN_TEXT)
    places = [(chunk, i) for chunk in corpus_of(long).chunks for i in range(len(chunk.sentences))]
    assert len(places) == 3
    quotes = [choose_quote(chunk, [index]) for chunk, index in places]
    assert quotes[:2] == [None, None]
    assert quotes[2] is not None


def test_the_best_that_can_be_quoted_is_chosen() -> None:
    (chunk,) = corpus_of(policy("One\x07 is bad. Two is good. Three is good.")).chunks
    quote = choose_quote(chunk, [0, 2, 1])
    assert quote is not None
    assert quote.text == "Three is good."


def test_words_broken_at_a_line_end_are_quoted_as_they_stand() -> None:
    lines = "Staff of the Cooperative are paid for each day of their employ-\nment by the fund.\n"
    (chunk,) = corpus_of(policy(lines, "pay.pdf", Format.PDF)).chunks
    quote = choose_quote(chunk, [0])
    assert quote is not None
    assert quote.text.endswith("employ- ment by the fund.")
    assert quote.text in collapse(chunk.text)
