"""What templates put out: text stays text, and figures are said as the exports say them."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

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


# --- what the pages carry with them --------------------------------------------------------------


ROOT = Path(__file__).parents[2]
VENDOR = ROOT / "src/veridical/service/static/vendor"
SCRIPT = (ROOT / "scripts/vendor.sh").read_text("utf-8")
LIST = (VENDOR / "VENDORED.md").read_text("utf-8")
OURS = {"VENDORED.md", "SHA256SUMS"}


def test_every_file_is_as_it_was_fetched() -> None:
    lines = (VENDOR / "SHA256SUMS").read_text("utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    there = {
        path.relative_to(VENDOR).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name not in OURS
    }
    assert there == listed


@pytest.mark.parametrize("folder", sorted(path.name for path in VENDOR.iterdir() if path.is_dir()))
def test_each_library_has_its_licence_and_its_line(folder: str) -> None:
    assert (VENDOR / folder / "LICENSE").stat().st_size > 300
    assert f"`{folder}/`" in LIST


def test_the_script_and_the_list_name_the_same_archives() -> None:
    fetched = re.findall(r"^fetch (\S+) (\S+) ([0-9a-f]{64})$", SCRIPT, re.MULTILINE)
    assert fetched
    for name, version, digest in fetched:
        assert f"`{name}`" in LIST
        assert f"| {version} |" in LIST
        assert f"`{digest}`" in LIST
