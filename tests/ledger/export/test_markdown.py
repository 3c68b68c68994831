"""The ledger as Markdown: the specification's form, and text that stays text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.ledger.export.samples import LEAVE, entry, evidence, ledger

from veridical.judging.verdict import Verdict
from veridical.ledger.export.forms import render_markdown
from veridical.reports.markdown import literal
from veridical.reports.texts import one_line

# A renderer that others wrote; tables and strikethrough are of GitHub's dialect.
RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

SPECIFIED = """\
## Evidence Ledger

**Session:** Leave Policy Q&A
**Generated:** 2026-01-03 14:30 UTC
**Supported:** 2 of 4 claims (50%)
**Evidence Coverage:** 75%

### Summary

| Verdict | Count |
|---------|-------|
| Supported | 2 |
| Weak | 1 |
| Not Found | 1 |

### Claims Detail

#### 1. Employees are entitled to 15 days of annual leave

- **Type:** Policy
- **Importance:** Critical
- **Verdict:** ✓ Supported (Confidence: 92%)
- **Source:** HR_Policy.pdf, Page 12
- **Evidence:** "All permanent employees shall receive 15 days of paid annual leave per calendar \
year."
"""


def test_the_example_of_the_specification() -> None:
    text = render_markdown(LEAVE)
    assert text.startswith(SPECIFIED)
    assert "\n⚠️ **Missing Evidence (High):** 1 claim could not be verified from provided" in text
    last = text.split("#### 4. ")[1]
    assert "- **Verdict:** ○ Not Found (Confidence: 0%)\n- **Source:** -\n" in last
    assert "- **Evidence:**" not in last
    assert '- **Nearest passage, no support:** "Unused annual leave' in last


def test_an_answer_without_claims_measures_nothing() -> None:
    text = render_markdown(ledger(warnings=("The answer is empty.",)))
    assert "**Evidence Coverage:** n/a\n" in text
    assert "No claim was found in the answer." in text
    assert "### Warnings\n\n- The answer is empty." in text


# --- text that stays text ------------------------------------------------------------------------


def read(source: str) -> list[str]:
    """The paragraphs, headings and cells of a document, as a reader sees them, empty ones left out.

    Nothing but text and the labels' bold type may be in them, and no block but ours around them.
    """
    tokens = RENDERER.parse(source)
    assert {token.type for token in tokens} <= BLOCKS
    lines = [trimmed(seen(token)) for token in tokens if token.type == "inline"]
    return [line for line in lines if line]


def seen(inline: Token) -> str:
    children = inline.children or []
    assert {child.type for child in children} <= {
        "text",
        "softbreak",
        "strong_open",
        "strong_close",
    }
    assert sum(child.type == "strong_open" for child in children) <= 4
    return "".join(" " if child.type == "softbreak" else child.content for child in children)


def trimmed(text: str) -> str:
    """White space aside: renderers trim lines, and HTML shows runs of spaces as one."""
    return re.sub(r"\s+", " ", text).strip()


SIGNS = "ab1 .)-+*_#>|<&;`~[]()!$\\\n\t@:/\"'=^{}é\u202e\x00"


@pytest.mark.no_cover
@given(st.text(st.sampled_from(SIGNS), max_size=40) | st.text(max_size=60))
@example("a_ b_")
@example("&#x41; &copy; &nosuch; a < b && c &lt;")
@example("12) a list")
@example("a heading ##  ")
@example("<b>bold</b> <script>alert(1)</script> <!-- gone -->")
@example("[x](http://e.example) ![y](z.png) [r][s] [^1] [^1]: note")
@example("<http://e.example> https://e.example/a_b_c www.e.example me@e.example")
@example("line one\nline two\r\n\r\n# three\u2028four")
@example("\u202eright to left\u202c \u2066isolate\u2069 \u200bzero\ufeff half \ud800")
def test_no_text_is_markup(text: str) -> None:
    assert_literal(text)


def assert_literal(text: str) -> None:
    """In a heading, in a field, in quotation marks and at the start of a list item."""
    more = entry(text, start=0, claim_id="x", evidence=(evidence(text),), notes="")
    source = render_markdown(ledger(more, actions=(text,), title=f"T{text}"))
    line, stamped = one_line(text), "Generated: 2026-01-03 14:30 UTC"
    stamped += " Supported: 1 of 1 claim (100%) Evidence Coverage: 100%"
    expected = [
        "Evidence Ledger",
        f"Session: {one_line(f'T{text}')} {stamped}",
        "Summary",
        *("Verdict", "Count", "Supported", "1"),
        "Claims Detail",
        f"1. {line}",
        "Type: Fact",
        "Importance: Material",
        "Verdict: ✓ Supported (Confidence: 92%)",
        "Source: HR_Policy.pdf",
        f'Evidence: "{line}"',
        "Citation: [cite:a1b2c3d4]",
        "Recommended Actions",
        line,
        "Sources",
        f"HR_Policy.pdf, SHA-256 {'ab' * 32}",
        f"Leave_Guidelines.pdf, SHA-256 {'cd' * 32}",
    ]
    assert read(source) == [each for each in map(trimmed, expected) if each]


BLOCKS = {
    f"{kind}_{end}"
    for kind in (
        "heading paragraph table thead tbody tr th td bullet_list ordered_list list_item".split()
    )
    for end in ("open", "close")
} | {"inline", "hr"}


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_field_of_a_source_is_escaped(verdict: Verdict) -> None:
    words = "<i>*x*</i>"
    piece = evidence(words, heading_path=(words,))
    each = entry(words, verdict, evidence=(piece,), near=(piece,), notes=words)
    text = render_markdown(ledger(each, warnings=(words,), follow_up_questions=(words,)))
    assert "<i>" not in text
    assert "*x*" not in text.replace(r"\*x\*", "")


def test_many_signs_are_escaped_in_linear_time() -> None:
    for sign in "_*[&<`#\\@:w.":
        assert len(literal(sign * 50_000)) >= 50_000
