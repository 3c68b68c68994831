"""The scorecard as lines for a terminal and as Markdown, and the words that all forms share."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from tests.scoring.report.incidents import (
    INCIDENT,
    NOT_OBSERVED,
    PARTIAL,
    card,
    criterion,
    invented,
    quote,
    section,
    timed,
)

from veridical.scoring.report import wording
from veridical.scoring.report.markdown import render_markdown
from veridical.scoring.report.table import render_table
from veridical.scoring.rubric import CriterionType, Template
from veridical.scoring.scorecard import (
    CardWarning,
    CriterionVerdict,
    ReviewItem,
    Scorecard,
    WarningCode,
)

RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

HOSTILE = [
    "</td></table><script>alert(1)</script>",
    "# heading | cell ~~struck~~ **bold** [link](https://example.org) ![i](x)",
    "\u202eevil\u2066 \x1b[31m\x07\x00 \ud800",
    "one\n\n# two\r\n- three\x0b\u2028four",
    "` ``` <!-- & &amp; \\ $x$ _a_ @someone 1. x",
    "javascript:alert(1) www.example.org https://example.org",
    "a" * 5000,
]


def hostile(text: str) -> Scorecard:
    """A scorecard that says one text wherever a text can stand."""
    scores = (
        criterion(
            "one",
            PARTIAL,
            quote("Ladder 7 responding", quote=text, corrected=True, reason=text),
            invented(text, reason=text, claimed_speaker=text),
            title=text,
            rationale=text,
            type=CriterionType.ENUM,
            option=text,
            score=0.5,
        ),
        timed("two", NOT_OBSERVED, None, None, title=text),
    )
    base = INCIDENT
    return replace(
        card(
            section("s", *scores, title=text, notes=text, failure=text),
            warnings=[CardWarning(WarningCode.SCORER_WARNING, text)],
            review=[ReviewItem("s", "one", (text, text)), ReviewItem(text, text, (text,))],
        ),
        template=Template(text, text, text),
        rubric_sha256=text,
        transcript=replace(base.transcript, name=text),
        model_info=replace(base.model_info, scorer=text),
        created_at=text,
    )


# --- the words -----------------------------------------------------------------------------------


def test_every_verdict_has_its_own_sign_and_word() -> None:
    assert len({words.sign for words in wording.VERDICTS.values()}) == len(CriterionVerdict)
    for verdict in CriterionVerdict:
        assert wording.VERDICT_MEANINGS[verdict]
        assert wording.verdict(verdict).endswith(wording.VERDICTS[verdict].word)


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (1.0, "100 %"),
        (0.99999, "99 %"),
        (0.0, "0 %"),
        (None, "not scored"),
        (math.nan, "not scored"),
    ],
)
def test_shares_are_never_rounded_up(share: float | None, told: str) -> None:
    assert wording.share(share) == told


# --- the terminal --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", HOSTILE)
def test_no_line_holds_what_a_terminal_would_act_on(text: str) -> None:
    lines = render_table(hostile(text))
    assert len(lines) == len(render_table(hostile("words")))
    for line in lines:
        assert not re.search(
            "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]",
            line,
        )


# --- Markdown ------------------------------------------------------------------------------------


def shape(markdown: str) -> list[tuple[str, str]]:
    """What a renderer makes of it: every element, whatever the texts in it say."""
    found = []
    for token in RENDERER.parse(markdown):
        found.append((token.type, token.tag))
        found += [(child.type, child.tag) for child in token.children or () if child.type != "text"]
    return found


PLAIN = shape(render_markdown(hostile("words"), title="words"))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_forms_no_markdown(text: str) -> None:
    assert shape(render_markdown(hostile(text), title=text)) == PLAIN
