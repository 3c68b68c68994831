"""The spoken script: natural, plain, in time, and without names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.speech.talks import ADVICE, ITEMS, PRAISE, evaluated
from tests.speech.transcripts import from_sentences

from veridical.errors import ConfigurationError
from veridical.speech.evaluation import EvaluationItem, ItemType
from veridical.speech.names.text import name_keys
from veridical.speech.script import plain_text, render_script
from veridical.text.spoken import spoken_keys


def test_it_is_spoken_without_names_but_the_speakers_own() -> None:
    said = set(name_keys(render_script(evaluated()).text))
    assert not said & {"priya", "tom", "anna", "kowalska", "zbigniew"}
    assert "maria" in said
    broken_up = evaluated(opening="Thank you, **Pri**ya, and ~~Zbig~~niew.")
    assert render_script(broken_up).text.startswith("Thank you, a fellow member, and a fellow m")


def test_the_limit_is_kept_to_the_word() -> None:
    words = render_script(evaluated()).words
    exactly = words * 60 / 150
    assert render_script(evaluated(), seconds=exactly).dropped == ()
    assert render_script(evaluated(), seconds=exactly - 0.01).dropped == (4,)


KINDS = st.lists(st.sampled_from([PRAISE, ADVICE]), max_size=6)


@pytest.mark.no_cover
@given(KINDS, st.floats(1, 120))
def test_any_shape_and_any_limit(kinds: list[ItemType], seconds: float) -> None:
    items = [replace(ITEMS[index % 5], type=kind) for index, kind in enumerate(kinds)]
    script = render_script(evaluated(items), seconds=seconds)
    kept = [kind for index, kind in enumerate(kinds) if index not in script.dropped]
    assert script.fits is (script.words <= int(seconds * 150 / 60))
    for kind, least in ((PRAISE, 2), (ADVICE, 1)):
        assert kept.count(kind) >= min(least, kinds.count(kind))
    if not script.fits:
        assert kept.count(PRAISE) <= 2
        assert kept.count(ADVICE) <= 1
    assert script.text.count("You said:") == len(kept)
    assert script.words == len(spoken_keys(script.text))


@pytest.mark.parametrize(
    "setting",
    [
        {"seconds": 0},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"phrase": ""},
    ],
)
def test_settings_that_make_no_sense(setting: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError):
        render_script(evaluated(), **setting)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("**Great** [opening](http://x.y/z) 👍🏽 [laughs] — and (really) strong!",
         "Great opening, and really strong!"),
        ("# Title\n\n- one\n* two\n1. three\n> four\n---", "Title one two three four"),
        ("<b>bold</b> `code` ~~gone~~ snake_case &amp", "bold code gone snake case and amp"),
        ("👍 ❤️ 🇫🇷 ✅", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_only_what_can_be_read_out_is_left(text: str, spoken: str) -> None:
    assert plain_text(text) == spoken


PIECES = [
    *"word Ünit * ** _ [ ]( ) ( http://a.b <b> — , . “ # ` & / -- … : ' \\ 👍 | ~~ ]".split(),
    *("- ", "1. ", "> ", " ", "\n", '"'),
]
MARKUP = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@given(st.text(max_size=200) | MARKUP)
def test_no_markup_is_left_of_any_text(text: str) -> None:
    spoken = plain_text(text)
    assert not set(spoken) & set("*`~#|<>{}[]\\\n\t")
    assert spoken == spoken.strip()


@pytest.mark.no_cover
def test_long_hostile_text_is_cleaned_in_time() -> None:
    for piece in ("[", "](", "<a", "http://", "**_", "- ", " - ", '"', "([", "---\n"):
        plain_text(piece * 5_000)


def test_a_quote_is_never_cut() -> None:
    talk = from_sentences([(0.0, 6.0, "50. we had [twenty] people in the old hall", None)])
    items = [EvaluationItem(PRAISE, "Concrete.", talk.text, 0.0, "We see it.")]
    assert (
        '"50. we had twenty people in the old hall."'
        in render_script(evaluated(items, talk=talk)).text
    )
