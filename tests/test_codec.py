"""Records as plain data and back, by the types of their fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import pytest

from veridical.codec import EXACT, Codec, Form, camel


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Place:
    start: int
    end: int


@dataclass(frozen=True)
class Mark:
    place: Place
    colour: Colour
    marked_at: float
    words: tuple[str, ...] = ()
    seen: Place | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    marks: tuple[Mark, ...]
    title: str | None = None


CODEC = Codec(
    {
        Mark: Form({"place": "", "colour": "looks.colour"}, optional={"words", "seen"}),
        Page: Form(optional={"title"}, told=lambda data: {"kind": "page", **data}),
    },
    spelling=camel,
    values={float: (None, float)},
)
PAGE = Page((Mark(Place(1, 2), Colour.RED, 0.5, ("a",), Place(3, 4), {"b": 1}),), "One")
DATA = {
    "kind": "page",
    "marks": [
        {
            "start": 1,
            "end": 2,
            "looks": {"colour": "red"},
            "markedAt": 0.5,
            "words": ["a"],
            "seen": {"start": 3, "end": 4},
            "more": {"b": 1},
        }
    ],
    "title": "One",
}


def test_a_record_is_written_and_read_back() -> None:
    assert CODEC.write(PAGE) == DATA
    assert json.loads(json.dumps(CODEC.write(PAGE))) == DATA
    assert CODEC.read(Page, DATA) == PAGE


def test_what_is_empty_may_be_left_out_and_has_its_default_again() -> None:
    bare = Page((Mark(Place(1, 2), Colour.RED, 0.5),))
    data = CODEC.write(bare)
    assert set(data["marks"][0]) == {"start", "end", "looks", "markedAt", "more"}
    assert "title" not in data
    assert CODEC.read(Page, data) == bare


def test_whole_numbers_are_read_as_the_type_of_their_field() -> None:
    given = {"marks": [{"start": 1.0, "end": 2, "looks": {"colour": "red"}, "markedAt": 3}]}
    (mark,) = CODEC.read(Page, given).marks
    assert (repr(mark.place.start), repr(mark.marked_at)) == ("1", "3.0")


STRICT = Codec({Page: Form(apart={"title"})}, values=EXACT, closed=True)
STRICT_MARK = {"place": {"start": 1, "end": 2}, "colour": "red", "marked_at": 0.5}


def test_what_is_kept_apart_is_handed_in_by_who_reads() -> None:
    data = STRICT.write(PAGE)
    assert "title" not in data
    assert STRICT.read(Page, data, title="One") == PAGE


@pytest.mark.parametrize(
    "changed",
    [
        {"marked_at": True},
        {"place": {"start": 1.0, "end": 2}},
        {"place": []},
        {"words": "ab"},
        {"colour": "blue"},
        {"more_of_it": 1},
    ],
)
def test_an_exact_codec_refuses_what_it_cannot_have_written(changed: dict[str, Any]) -> None:
    assert STRICT.read(Mark, STRICT_MARK).words == ()
    with pytest.raises((TypeError, ValueError)):
        STRICT.read(Mark, {**STRICT_MARK, **changed})
