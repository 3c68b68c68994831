"""Where sentences end in an answer that is still being written."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.guarding.answers import answers, scraps

from veridical.errors import ValidationError
from veridical.guarding import settling
from veridical.guarding.settling import Settler
from veridical.guarding.window import Settled, Window
from veridical.ledger.extraction.reader import Outline
from veridical.ledger.extraction.rules import RuleExtractor


def settled(text: str, cuts: Iterable[int] = ()) -> list[Settled]:
    """All sentences of a text that is fed in the pieces between `cuts`."""
    settler, at = Settler(), 0
    found: list[Settled] = []
    for cut in (*cuts, len(text)):
        for look in settler.feed(text[at:cut]):
            found.extend(look)
        at = cut
    for look in settler.finish():
        found.extend(look)
    return found


def told_after(text: str) -> list[tuple[str, int]]:
    """Each sentence, and how many characters had been read when it was told; -1: at the end."""
    settler = Settler()
    found: list[tuple[str, int]] = []
    for at, character in enumerate(text):
        for look in settler.feed(character):
            found.extend((text[one.lead : one.end].strip(), at + 1) for one in look)
    for look in settler.finish():
        found.extend((text[one.lead : one.end].strip(), -1) for one in look)
    return found


@given(st.one_of(answers, scraps), st.data())
def test_how_a_text_is_cut_into_pieces_does_not_matter(text: str, data: st.DataObject) -> None:
    places = st.lists(st.integers(0, len(text)), max_size=30).map(sorted)
    whole = settled(text)
    assert settled(text, data.draw(places)) == whole
    assert settled(text, range(1, len(text))) == whole


@given(st.one_of(answers, scraps))
def test_the_sentences_are_the_text_and_nothing_else(text: str) -> None:
    edge = 0
    for one in settled(text):
        assert one.lead == edge
        assert one.lead <= one.start <= one.mark_at <= one.end
        assert all(text[c.span.start : c.span.end] == c.text for c in one.claims)
        edge = one.end
    assert edge == len(text)


@given(answers)
def test_the_claims_are_those_of_the_whole_answer(text: str) -> None:
    found = {
        (c.span, c.text, c.statement, c.context, c.markers)
        for one in settled(text)
        for c in one.claims
    }
    whole = RuleExtractor().extract(text, "").claims
    assert found == {(c.span, c.text, c.statement, c.context, c.markers) for c in whole}


@pytest.mark.parametrize(
    ("begins", "first"),
    [
        ("The rate is 3. May 2024 is when it ends.", 1),
        ("It is paid, e.g. on Fridays in the office.", 1),
        ("See Dr. Smith in the office.", 1),
        ("**Leave is fixed. It may not be moved.**", 2),
        ('He said "No. Never. Not here." and left.', 1),
        ("All pay the fee. [1][2]", 1),
        ("Leave is granted. (leave.md, page 3)", 1),
    ],
)
def test_a_sentence_is_told_while_the_next_one_comes(begins: str, first: int) -> None:
    told = told_after(f"{begins} More of it stands here, and so it goes on.")
    early = [(one, at) for one, at in told if at >= 0]
    assert len(early) == first
    assert all(at > len(begins) + 1 for _, at in early)
    assert "".join(one for one, _ in early).replace(" ", "") == begins.replace(" ", "")


def test_an_item_is_told_when_the_next_begins_and_a_row_too() -> None:
    lists = "- One is 1 day.\n- Two is 2 days.\n\n"
    table = "| Kind | Days |\n|---|---|\n| A | 1 |\n| B | 2 |\n\n"
    text = f"{lists}{table}That is all of it.\n"
    told = dict(told_after(text))
    assert text.index("- Two") < told["- One is 1 day."] <= text.index("\n\n") + 2
    assert text.index("| B") < told["| A | 1 |"] <= len(text)


def test_an_answer_in_a_fence_is_read_as_what_it_is() -> None:
    text = "```markdown\nStaff get 27 days of leave. They must ask for it.\n```\n"
    assert [c.text for one in settled(text) for c in one.claims] == [
        "Staff get 27 days of leave",
        "They must ask for it",
    ]


def test_an_endless_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "MAX_ANSWER_CHARS", 1_000)
    settler = Settler()
    for _ in range(10):
        list(settler.feed("x" * 100))
    with pytest.raises(ValidationError, match="more than 1,000 characters"):
        list(settler.feed("x"))


def test_a_long_answer_takes_time_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a clock: how much text is read again, for each character of the answer."""
    read: list[int] = []

    def counting(text: str, outline: Outline, *, final: bool) -> Window:
        read.append(len(text))
        return Window(text, outline, final=final)

    monkeypatch.setattr(settling, "Window", counting)
    text = "Staff get 27 days of leave and ask for it in time. " * 1_000
    settled(text)
    assert sum(read) < 12 * len(text)
