from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.sources.pdf_text import drop_running_lines

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()


def pages(template: str, count: int = 6, first_number: int = 1) -> list[str]:
    """Pages with a first and last line of their own; `{n}` is the page number, `|` a line end."""
    return [
        template.format(n=first_number + at, w=WORDS[at]).replace("|", "\n") for at in range(count)
    ]


@pytest.mark.parametrize(
    ("template", "kept_on_a_middle_page"),
    [
        ("Leave policy|{w} begins|{w} ends", "{w} begins|{w} ends"),
        ("{w} begins|{w} ends|{n}", "{w} begins|{w} ends"),
        ("{w} begins|{w} ends|- {n} -", "{w} begins|{w} ends"),
        ("{w} begins|{w} ends|Page {n} of 60", "{w} begins|{w} ends"),
        ("{n} | Leave policy".replace(" | ", "/") + "|{w} begins|{w} ends", "{w} begins|{w} ends"),
        ("A|B|{w} begins|{w} ends|C|0{n}", "{w} begins|{w} ends"),
        ("Leave   policy||{w} begins|{w} ends", "{w} begins|{w} ends"),
        # Not at the edge, not counting along, an item of a list, or all that there is.
        ("{w} begins|Leave policy|{w} ends", "{w} begins|Leave policy|{w} ends"),
        ("{w} begins|{w} ends|total 17{w}", "{w} begins|{w} ends|total 17{w}"),
        ("({n}) In the chapter|{w} ends", "({n}) In the chapter|{w} ends"),
        ("This page is blank", "This page is blank"),
        ("A|B|C|D|E|F|{w}|G|H|I|J|K|L", "A|B|C|D|E|F|{w}|G|H|I|J|K|L"),
    ],
)
@pytest.mark.parametrize("first_number", [1, 198])
def test_what_stays_of_a_page(template, kept_on_a_middle_page, first_number):
    given_pages = pages(template, first_number=first_number)
    kept = drop_running_lines(given_pages)
    assert kept.texts[3] == pages(kept_on_a_middle_page, first_number=first_number)[3]
    lines_before = sum(text.count("\n") for text in given_pages)
    blank = sum(line == "" for text in given_pages for line in text.split("\n"))
    lines_after = sum(text.count("\n") for text in kept.texts)
    assert 0 <= lines_before - lines_after - kept.dropped <= blank


def test_a_few_pages_alike_in_a_long_document_are_not_enough():
    given_pages = [f"{word}\nwords of {word}\nend of {word}" for word in WORDS * 2]
    for at in (7, 8, 9):
        given_pages[at] = "Table 4\n" + given_pages[at]
    assert drop_running_lines(given_pages) == (given_pages, 0)


@given(st.lists(st.text("ab1 \n", max_size=30), max_size=12))
def test_no_page_is_emptied_and_nothing_is_added(texts):
    kept = drop_running_lines(texts)
    assert len(kept.texts) == len(texts)
    for before, after in zip(texts, kept.texts, strict=True):
        remaining = iter(before.split("\n"))
        assert all(line in remaining for line in after.strip("\n").split("\n") if line)
        assert bool(after.strip()) == bool(before.strip())
