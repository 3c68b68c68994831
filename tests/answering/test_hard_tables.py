"""Tables that are easily read wrongly: cells over several rows, guessed columns, numbers that no
band holds; and sentences that decide and cannot be quoted.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.answering.handmade import assembled, corpus_of, drafted, place_of, policy

from veridical.answering.bands import Band, band_of, bands_in, rows_in_band
from veridical.answering.quoting import choose_quote
from veridical.retrieval.shown import collapse
from veridical.retrieval.tables.layout import Layout
from veridical.sources.document import Format

CITIES = (
    "<p>Hotel limits.</p><table><tr><th>City<th>Season<th>Limit<tr><td rowspan=2>London<td>Winter"
    "<td>$200<tr><td>Summer<td>$250<tr><td rowspan='2'>Paris<td>Winter<td>$100<tr><td>Summer"
    "<td>$150</table>"
)
WIDE = (
    "<table><tr><th>City<th colspan=2>Hotel limit<tr><td rowspan=2>London<td>Winter<td>$200"
    "<tr><td>Summer<td>$250</table>"
)


@pytest.mark.parametrize(
    ("table", "fragment", "words"),
    [
        (CITIES, "$250", "City: London; Season: Summer; Limit: $250"),
        (CITIES, "$100", "City: Paris; Season: Winter; Limit: $100"),
        (WIDE, "$250", "City: London; Hotel limit: Summer, $250"),
        ("<table><tr><th colspan=2>Fees<tr><th>A<th>B<tr><td>x<td>5</table>", "5", "A: x; B: 5"),
        ("<table><tr><th>A<th>B<tr><td colspan=2>x 5</table>", "x 5", None),
        ("<table><tr><th>A<th>B<th>C<tr><td rowspan=0>x<td>1<td>2<tr><td>3<td>4</table>", "3",
         "A: x; B: 3; C: 4"),
    ],
)  # fmt: skip
def test_cells_over_several_rows_and_columns(table: str, fragment: str, words: str | None) -> None:
    chunk, index = place_of(corpus_of(policy(table, "a.html", Format.HTML)), fragment)
    layout = Layout(chunk)
    assert layout.row_in_words(index) == words
    assert not layout.is_unread(index)


UNREAD = {
    "below a line for a part of the table": (
        "<table><tr><th>S<th>Limit<tr><td colspan=2>Paris<tr><td>Summer<td>$5</table>", "$5"),
    "two rows of titles": (
        "<table><tr><th rowspan=2>A<th colspan=2>B<tr><th>C<th>D<tr><td>x<td>1<td>2</table>", "1"),
    "cells on each other": (
        "<table><tr><th>A<th>B<th>C<tr><td>x<td rowspan=2>1<td>2<tr><td colspan=2>3<td>4</table>",
        "3"),
    "a table in a table": (
        "<table><tr><th>A<th>B<tr><td colspan=2><table><tr><td>x<td>1</table></table>", "1"),
    "too few cells": (
        "<table><tr><th>A<th colspan=2>B<tr><td>x<td>1</table>", "1"),
    "too many columns": (
        "<table><tr><th>A<th>B<tr><td colspan=9999>x<td>1</table>", "1"),
}  # fmt: skip


@pytest.mark.parametrize(("table", "fragment"), UNREAD.values(), ids=UNREAD.keys())
def test_rows_that_cannot_be_laid_out_are_no_evidence(table: str, fragment: str) -> None:
    corpus = corpus_of(policy(table, "a.html", Format.HTML))
    chunk, index = place_of(corpus, fragment)
    assert Layout(chunk).is_unread(index)
    assert not drafted("What is it?", corpus, fragment).statements


@pytest.mark.parametrize(
    ("lines", "fragment", "words"),
    [
        ("Meal Home Away\nLunch $5 $9\nDinner $7 $11", "$7", "Meal: Dinner; Home: $7; Away: $11"),
        ("Kind Notice Pay\nSick 2 days 50 %\nHoliday 9 days 100%", "9 d",
         "Kind: Holiday; Notice: 9 days; Pay: 100%"),
        # A figure of the name, names that are the same, a range that was cut, a number among sums.
        ("Level Hotel Limit Meals\nLevel 1 $2 $5\nLevel 2 $3 $6", "$3",
         "Level Hotel Limit Meals: Level 2 $3 $6"),
        ("Band Low High\nA1 $2 $5\nA2 $3 $6", "$3", "Band Low High: A2 $3 $6"),
        ("Band Days Bonus\nOld 0 to 2 20\nNew 3 to 5 30", "30", "Band Days Bonus: New 3 to 5 30"),
        ("Zone Hotel Meals\nNorth 2 $5\nSouth 3 $6", "$6", "Zone Hotel Meals: South 3 $6"),
    ],
)  # fmt: skip
def test_columns_of_a_pdf_are_named_where_they_are_certain(
    lines: str, fragment: str, words: str
) -> None:
    corpus = corpus_of(policy(f"Rules\n\n{lines}\n\nAll receipts are kept.\n", "a", Format.PDF))
    chunk, index = place_of(corpus, fragment)
    assert Layout(chunk).row_in_words(index) == words


@pytest.mark.parametrize("cell", ["5 of 10", "grade 3, 5 years", "2 / 4", "none"])
def test_what_is_not_read_whole_is_no_band(cell: str) -> None:
    assert band_of("Years", cell, is_key=True) is None


def in_band(question: str, text: str, form: Format = Format.MARKDOWN) -> list[str] | None:
    """The rows of a document's one table that a question's number falls to, in words."""
    (layout,) = [
        layout
        for layout in map(Layout, corpus_of(policy(text, "a.x", form)).chunks)
        if layout.tables
    ]
    rows = rows_in_band(question, layout.tables[0])
    return None if rows is None else [layout.row_in_words(row) or "" for row in rows]


SERVICE = "How many days of leave do employees get after {} of service?"


def leave(*bands: str, introduced: str = "Employees get leave by their service:\n\n") -> str:
    rows = "".join(f"| {band} | {20 + 5 * at} |\n" for at, band in enumerate(bands))
    return f"# Leave\n\n{introduced}| Years of service | Days of leave |\n|---|---|\n{rows}"


@pytest.mark.parametrize("introduced", ["", "Employees get leave by their service:\n\n"])
@pytest.mark.parametrize(
    ("bands", "after", "row"),
    [
        (("0 to 1", "2 to 4", "5 to 9"), "20 years", None),
        (("0 to 1", "2 to 4", "5 to 20"), "18 months", "0 to 1; Days of leave: 20"),
        (("2", "5", "10"), "5 years", "5; Days of leave: 25"),
        (("2", "5", "10"), "25 years", None),
        (("> 2", "> 5", "> 10"), "7 years", "> 5; Days of leave: 25"),
        (("1,5 to 2,5", "2,5 to 4", "4 to 10"), "3 years", "2,5 to 4; Days of leave: 25"),
        (("from 2 to less than 5", "from 5 to less than 10", "from 10"), "5 years",
         "from 5 to less than 10; Days of leave: 25"),
        (("fewer than 2", "more than 2 and fewer than 5", "5 or more"), "4 years",
         "more than 2 and fewer than 5; Days of leave: 25"),
    ],
)  # fmt: skip
def test_a_number_chooses_its_band_or_none(
    introduced: str, bands: tuple[str, ...], after: str, row: str | None
) -> None:
    told = in_band(SERVICE.format(after), leave(*bands, introduced=introduced))
    assert told == ([] if row is None else [f"Years of service: {row}"])


@pytest.mark.parametrize(
    ("rows", "after", "row"),
    [
        (("Up to 2 20", "From 3 to 4 25"), "3 years", ["Years Days: From 3 to 4 25"]),
        (("Up to 2 20", "From 3 to 4 25"), "20 years", []),
    ],
)
def test_rows_of_a_pdf_are_chosen_by_the_band_they_open_with(
    rows: tuple[str, ...], after: str, row: list[str]
) -> None:
    lines = "\n".join(("Leave is paid.", "", "Years Days", *rows, "", "Ask your manager.", ""))
    assert in_band(SERVICE.format(after), lines, Format.PDF) == row


@pytest.mark.parametrize(
    ("text", "form", "fragment", "place"),
    [
        ("- **Five** days [12]\n- six\n", Format.MARKDOWN, "Five", "Five** days"),
        ("\u2022  Five\n   days [1] [2]", Format.PLAIN_TEXT, "Five", "Five\n   days"),
        ("<p>&bull; Five &amp; six days.<sup><a href=#n>[1]</a></sup></p>", Format.HTML, "Five",
         "Five &amp; six days."),
        ("<p>&nbsp;- <b>Five</b> days.</p>", Format.HTML, "Five", "Five</b> days."),
        ("Take five [2] days [25].", Format.MARKDOWN, "five", "Take five [2] days [25]."),
        ("Staff take five days.[2] No more.", Format.MARKDOWN, "five", "Staff take five days."),
    ],
)  # fmt: skip
def test_the_span_of_a_quote_is_the_place_of_its_words(
    text: str, form: Format, fragment: str, place: str
) -> None:
    corpus = corpus_of(policy(text, "a", form))
    chunk, index = place_of(corpus, fragment)
    quote = choose_quote(chunk, [index])
    assert quote is not None
    assert chunk.document.text[quote.span.start : quote.span.end] == place
    assert collapse(chunk.document.shown(quote.span)) == quote.text
    answer = assembled(corpus, drafted("How many days?", corpus, fragment))
    assert answer.quotes[0].span == quote.span


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("# Five days\n\nStaff may take them.\n", "Five"),
        ('Staff may take "five" [2] days.', "five"),  # reads as the end of the line
        ("…\n", "…"),
    ],
)
def test_what_cannot_be_quoted_is_not(text: str, fragment: str) -> None:
    chunk, index = place_of(corpus_of(policy(text)), fragment)
    assert choose_quote(chunk, [index]) is None


# Bands of numbers in words, beside a reading of their own of what each phrase holds.

PHRASES: dict[str, Callable[[Fraction, int, int], bool]] = {
    "{0} to {1} years": lambda n, low, high: low <= n <= high,
    "{0}\u2013{1} years": lambda n, low, high: low <= n <= high,
    "between {0} and {1} years": lambda n, low, high: low <= n <= high,
    "more than {0} and up to {1} years": lambda n, low, high: low < n <= high,
    "more than {0} years": lambda n, low, high: n > low,
    "over {0}": lambda n, low, high: n > low,
    "at least {0} years": lambda n, low, high: n >= low,
    "no less than {0}": lambda n, low, high: n >= low,
    "{0} years or more": lambda n, low, high: n >= low,
    "{0}+": lambda n, low, high: n >= low,
    "up to {0} years": lambda n, low, high: n <= low,
    "not more than {0} years": lambda n, low, high: n <= low,
    "fewer than {0} years": lambda n, low, high: n < low,
    "under {0}": lambda n, low, high: n < low,
    "exactly {0} years": lambda n, low, high: n == low,
    "at least {0} but less than {1}": lambda n, low, high: low <= n < high,
    "\u2265 {0} and < {1}": lambda n, low, high: low <= n < high,
    "\u2264 ${0}": lambda n, low, high: n <= low,
}


@given(
    st.sampled_from(sorted(PHRASES)),
    st.integers(0, 40),
    st.integers(1, 20),
    st.fractions(0, 70, max_denominator=2),
)
def test_a_band_holds_what_its_words_say(
    phrase: str, low: int, width: int, number: Fraction
) -> None:
    (band,) = bands_in(phrase.format(low, low + width))
    assert band.holds(Band(number, number)) == PHRASES[phrase](number, low, low + width)
