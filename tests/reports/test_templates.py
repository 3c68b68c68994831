"""What every template may rely on: all that it puts out is escaped, and its line breaks flow."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import veridical.reports
from veridical.reports.page import environment

TEMPLATES = sorted((Path(veridical.reports.__file__).parent / "templates").iterdir())
HOSTILE = "<b>&\"'\x00\ud800"


@pytest.mark.parametrize(
    "template",
    [
        "{{ x }}",
        "{{ x ~ 'and' }}",
        "{{ [x, x]|join(', ') }}",
        "{{ x|upper }}",
        "{{ x|label }}",
        "{{ x|visible }}",
        "{% set y %}{{ x }}{% endset %}{{ y }}",
        "{% macro m(y) %}{{ y }}{% endmacro %}{{ m(x) }}",
        "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ x }}{% endcall %}",
        "{% for y in [x] %}{{ y if y else 'none' }}{% endfor %}",
    ],
)
def test_whatever_is_put_out_is_escaped_once(template: str) -> None:
    shown = environment().from_string(template).render(x=HOSTILE)
    assert "&lt;" in shown
    assert "&amp;lt;" not in shown
    assert not re.search("[<>\"'\x00\ud800]|&(?!lt;|gt;|amp;|quot;|#x27;)", shown)


def test_no_template_turns_escaping_off() -> None:
    assert TEMPLATES
    for path in TEMPLATES:
        assert not re.search(r"\|\s*safe|autoescape|Markup", path.read_text("utf-8")), path.name


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<p>\n  one\n  two\n</p>\n<b>", "<p>one two</p><b>"),
        ("<b>a</b> <i>b</i>\n", "<b>a</b> <i>b</i>"),
        ("{% if x %}\n  <p>{{ x }}\n  </p>\n{% endif %}\n", "<p>a\n b</p>"),
    ],
)
def test_line_breaks_of_a_template_are_for_those_who_read_it(written: str, shown: str) -> None:
    assert environment().from_string(written).render(x="a\n b") == shown
