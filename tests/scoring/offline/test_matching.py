"""The three steps in which cues are looked up."""

from __future__ import annotations

import pytest
from tests.scoring.offline.talk import talk

from veridical.scoring.offline.heard import Heard
from veridical.scoring.offline.lookup import Lookup, Step, is_slip
from veridical.scoring.offline.loose import loose_words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A two-story house", "2 story house"),
        ("the fire's under control", "Fire is under control."),
        ("we've, uh, got it", "we have got it"),
        ("Café", "cafe"),
    ],
)
def test_two_ways_to_write_the_same(one: str, other: str) -> None:
    assert loose_words(one) == loose_words(other)


@pytest.mark.parametrize(
    ("one", "other", "slipped"),
    [
        ("command", "comand", True),
        ("primary", "prmiary", True),
        ("establishing", "establshing", True),
        ("showing", "slowing", False),
        ("starting", "stating", False),
        ("charge", "change", False),
        ("trial", "trail", False),
        ("fire", "fier", False),
        ("clear", "clean", False),
        ("engine7", "engine9", False),
        ("located", "locates", False),
    ],
)
def test_only_what_is_no_other_word_is_a_slip(one: str, other: str, *, slipped: bool) -> None:
    assert is_slip(one, other) is slipped
    assert is_slip(other, one) is slipped


@pytest.mark.parametrize(
    ("said", "cue", "step"),
    [
        ("Water on the FIRE!", "water on the fire", Step.EXACT),
        ("Water on fire.", "water on the fire", Step.APPROXIMATE),
        ("Establishing comand.", "establishing command", Step.APPROXIMATE),
        ("We have the floorplan checked.", "floor plan checked", Step.APPROXIMATE),
        ("Water is now on the fire.", "water on the fire", Step.SEMANTIC),
        ("We established command.", "establishing command", Step.SEMANTIC),
        ("Establish command.", "establishing command", None),
        ("Water for the fire.", "water on the fire", None),
        ("The fire is on the water side.", "water on the fire", None),
        ("Two and a half story.", "two story", None),
        ("Engine 9 on scene.", "engine 7 on scene", None),
        ("I have 1.5 lines.", "15 lines", None),
        ("This is Maine Street command.", "Main Street command", None),
    ],
)
def test_the_first_step_that_finds_it_counts(said: str, cue: str, step: Step | None) -> None:
    found = Lookup(Heard(talk(f"Command: {said}")), [cue]).hits(cue)
    assert [hit.step for hit in found] == ([] if step is None else [step])
