"""What templates put out: text stays text, and figures are said as the exports say them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markupsafe import Markup

from veridical.judging.verdict import Verdict
from veridical.ledger.export import wording
from veridical.look import STYLES, stylesheet
from veridical.service.pages import rendering


def shown(text: object, template: str = "{{ text }}") -> str:
    return rendering.environment().from_string(template).render(text=text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ('" onclick="x', "&#34; onclick=&#34;x"),
        ("{{ 7 * 7 }}", "{{ 7 * 7 }}"),
        ("a\u202eb", "a[RLO]b"),
        ("a\u200bb", "a[U+200B]b"),
        ("a\x00b", "a\ufffdb"),
        ("a\r\nb", "a\nb"),
        ("שלום", "שלום"),
        (Markup("<b>ours</b>"), "<b>ours</b>"),
        (12, "12"),
    ],
)
def test_text_comes_out_as_text(text: object, expected: str) -> None:
    assert shown(text) == expected


@given(st.text())
def test_no_text_can_become_markup_or_act(text: str) -> None:
    html = shown(text)
    assert "<" not in html
    assert '"' not in html
    assert "'" not in html
    assert not set(html) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200b\x00\x07")


def test_a_field_keeps_what_was_typed() -> None:
    assert shown("a\u200b<b>", "{{ text|as_written }}") == "a\u200b&lt;b&gt;"


def test_a_name_that_nobody_gave_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        shown("", "{{ nobody_gave_this }}")


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(2026, 1, 3, 14, 30, tzinfo=UTC), "2026-01-03 14:30 UTC"),
        (datetime(2026, 1, 3, 15, 30, tzinfo=timezone(timedelta(hours=1))), "2026-01-03 14:30 UTC"),
        ("2026-01-03T14:30:00Z", "2026-01-03 14:30 UTC"),
        (None, "-"),
    ],
)
def test_times_are_told_in_utc(moment: datetime | str | None, expected: str) -> None:
    assert rendering.date(moment) == expected
    assert expected in rendering.time_element(moment)


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0, "0 bytes"), (999, "999 bytes"), (1_200, "1.2 kB"), (5_000_000, "5.0 MB")],
)
def test_sizes_are_told_in_words(number: int, expected: str) -> None:
    assert rendering.size(number) == expected


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_is_sign_word_and_colour(verdict: Verdict) -> None:
    badge = rendering.verdict_badge(verdict)
    assert wording.VERDICT_WORDS[verdict] in badge
    assert wording.VERDICT_SIGNS[verdict] in badge
    assert f"verdict-{verdict.value}" in badge
    for class_ in ("verdict", "said"):
        assert f".{class_}-{verdict.value}" in stylesheet("base.css")


@pytest.mark.parametrize("score", [0.0, 0.29, 0.3, 0.5, 0.7, 0.85, 1.0])
def test_a_confidence_is_number_bar_and_word(score: float) -> None:
    meter = rendering.confidence_meter(score)
    assert wording.confidence(score) in meter
    assert f">{wording.band(score)}<" in meter
    assert f".confidence-{rendering.band_class(score)} " in stylesheet("base.css")


def test_the_style_sheets_ask_nothing_of_anybody() -> None:
    for name in STYLES:
        assert "url(" not in stylesheet(name)
        assert "@import" not in stylesheet(name)
    with pytest.raises(KeyError):
        stylesheet("../../etc/passwd")
