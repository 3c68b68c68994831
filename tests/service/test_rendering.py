"""What templates put out: text stays text, and figures are said as the exports say them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markupsafe import Markup

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


def test_a_name_that_nobody_gave_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        shown("", "{{ nobody_gave_this }}")


def test_the_style_sheets_ask_nothing_of_anybody() -> None:
    for name in STYLES:
        assert "url(" not in stylesheet(name)
        assert "@import" not in stylesheet(name)
    with pytest.raises(KeyError):
        stylesheet("../../etc/passwd")
