"""The scorecard as lines for a terminal and as Markdown, and the words that all forms share."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.scoring.report.incidents import (
    INCIDENT,
    MET,
    MISSED,
    NOT_APPLICABLE,
    NOT_OBSERVED,
    PARTIAL,
    RADIO,
    card,
    criterion,
    invented,
    quote,
    section,
    timed,
)

from veridical.scoring.answer import (
    CardWarning,
    CriterionVerdict,
    TimeRange,
    Usage,
    WarningCode,
)
from veridical.scoring.report import wording
from veridical.scoring.report.html import render_html
from veridical.scoring.report.markdown import render_markdown
from veridical.scoring.report.table import render_table
from veridical.scoring.report.wording import cost_of_card, cost_of_section
from veridical.scoring.rubric import CriterionType, Template
from veridical.scoring.scorecard import (
    CriterionScore,
    Overall,
    ReviewItem,
    Scorecard,
    Status,
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


@pytest.mark.parametrize("verdict", CriterionVerdict)
def test_every_verdict_has_its_own_sign_and_word(verdict: CriterionVerdict) -> None:
    others = set(CriterionVerdict) - {verdict}
    assert wording.VERDICT_MEANINGS[verdict]
    assert wording.VERDICT_SIGNS[verdict] not in {wording.VERDICT_SIGNS[each] for each in others}
    assert wording.verdict(verdict).endswith(wording.VERDICT_WORDS[verdict])


@pytest.mark.parametrize("status", Status)
def test_every_status_has_a_sign_and_a_word(status: Status) -> None:
    assert re.fullmatch(r"\S [A-Z][a-z ]+", wording.status(status))


@pytest.mark.parametrize(
    ("started", "ended", "target", "most", "told"),
    [
        (88.0, 220.0, 120.0, 240.0, "132 s of 120 s (max 240)"),
        (0.0, 59.96, 60.0, None, "60 s of 60 s"),
        (10.0, 42.5, None, 60.0, "32.5 s (max 60)"),
        (0.0, 3600.0, 1800.0, 7200.5, "3,600 s of 1,800 s (max 7,200.5)"),
        (None, 220.0, 120.0, None, "not timed: there is no verified event water"),
    ],
)
def test_timing_in_words(
    started: float | None, ended: float, target: float | None, most: float | None, told: str
) -> None:
    timing = timed("t", MET, started, ended, target=target, most=most).timing
    assert timing is not None
    assert wording.timing(timing) == told


@pytest.mark.parametrize(
    ("score", "told"),
    [
        (criterion("c", MET), "100 %"),
        (criterion("c", MISSED), "0 %"),
        (criterion("c", PARTIAL, normalized=0.999999, score=0.999999), "99 %"),
        (criterion("c", NOT_APPLICABLE), "does not count"),
        (criterion("c", NOT_OBSERVED), "does not count"),
        (
            criterion("c", NOT_OBSERVED, required=True),
            "counts as 0: it is required, and was not observed",
        ),
        (
            criterion(
                "c", PARTIAL, type=CriterionType.GRADED, scale=(1.0, 5.0), score=3.5, normalized=0.6
            ),
            "3.5 on a scale from 1 to 5",
        ),
        (
            criterion("c", MET, type=CriterionType.ENUM, option="offensive", scale=(0.0, 2.0)),
            "“offensive”, 1 on a scale from 0 to 2",
        ),
    ],
)
def test_a_score_in_words(score: CriterionScore, told: str) -> None:
    assert wording.scored(score) == told


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


def test_a_verdict_that_was_taken_back_says_so() -> None:
    assert wording.overruled(criterion("c", MET)) == ""
    assert "“met”; its evidence" in wording.overruled(criterion("c", NOT_OBSERVED, given=MET))
    late = timed("c", MISSED, 0.0, 900.0, given=MET)
    assert "“met”; the verified times" in wording.overruled(late)


@pytest.mark.parametrize(
    ("cited", "differs"),
    [
        ("Ladder 7 responding", False),
        ("“LADDER 7, responding.”", False),
        ("Ladder 9 responds", True),
    ],
)
def test_only_other_words_are_told_as_cited_otherwise(cited: str, differs: bool) -> None:
    assert wording.cited_otherwise(quote("Ladder 7 responding", quote=cited)) is differs


def test_what_the_scorer_did_not_see_is_told() -> None:
    assert wording.omitted((TimeRange(0, 60), TimeRange(3600, 7200))) == (
        "The scorer was not shown 0:00–1:00, 1:00:00–2:00:00."
    )
    assert wording.omitted(()) == ""


@pytest.mark.parametrize(
    ("usages", "told"),
    [
        ([], ""),
        ([Usage()], ""),
        ([Usage(estimated_prompt_tokens=700)], ""),
        ([Usage(1, 1204, 310, 1100)], "1 call, 1,204 prompt tokens, 310 reply tokens"),
        ([Usage(3, None, None, 400)], "3 calls, about 1,200 prompt tokens (estimated)"),
        ([Usage(2)], "2 calls"),
        ([Usage(1, 100, 20), Usage(), Usage(2, 200, None)],
         "3 calls, 300 prompt tokens, 20 reply tokens"),
        ([Usage(1, 100, 20), Usage(2, None, None, 90)],
         "3 calls, about 280 prompt tokens (estimated), 20 reply tokens"),
    ],
)  # fmt: skip
def test_what_it_cost_in_words(usages: list[Usage], told: str) -> None:
    made = card(*(section(f"s{at}", usage=used) for at, used in enumerate(usages)))
    assert cost_of_card(made) == told
    if len(usages) == 1:
        assert cost_of_section(made.sections[0]) == told


def test_every_form_tells_what_each_section_and_the_whole_cost() -> None:
    costs = (
        "Cost: 5 calls, about 14,000 prompt tokens (estimated), 1,200 reply tokens",
        "Cost: 1 call, 3,100 prompt tokens, 640 reply tokens",
        "Cost: 1 call, 3,400 prompt tokens, 560 reply tokens",
        "Cost: 3 calls, about 7,500 prompt tokens (estimated)",
    )
    table = "\n".join(render_table(INCIDENT))
    assert [line.strip() for line in table.splitlines() if "Cost:" in line] == list(costs)
    markdown = render_markdown(INCIDENT).replace("\\", "")
    html = render_html(INCIDENT, RADIO)
    for cost in costs:
        assert cost in markdown
    for cost in costs[1:]:
        assert cost in html
    assert costs[0].removeprefix("Cost: ") in html
    by_rules = replace(INCIDENT, sections=(section("s"),))
    assert "Cost" not in render_markdown(by_rules)


# --- the terminal --------------------------------------------------------------------------------


def test_the_table_tells_it_all_in_order() -> None:
    text = "\n".join(render_table(INCIDENT))
    wanted = [
        "Fire-ground radio 1.0: elm-street.vtt",
        "Overall: 75 %, … Incomplete. Only 80 % of the weight was scored.",
        "1. Arrival: 60 %, ~ Needs improvement (weight 40 %)",
        "   ~ Partial: 1.1 Gives a size-up on arrival (3 on a scale from 0 to 4)",
        "      “two story wood frame, smoke showing from side alpha” (1:30, Engine 25)",
        "   ✓ Met: 1.2 Announces command (100 %)",
        "   ○ Not observed: 1.3 Names the mode of attack (counts as 0",
        "      “We are going offensive” (not verified)",
        "   ~ Partial: 2.1 First water within two minutes (50 %)",
        "      132 s of 120 s (max 240)",
        "   ✕ Missed: 2.3",
        "   – Not applicable: 2.5",
        "3. After the knockdown: not scored, … Incomplete (weight 20 %)",
        "   Incomplete: the model gave no usable JSON in 3 attempts",
        "Warnings (4 items):",
        "  ! two cues stood out of order",
        "To be looked at by a person (3 items):",
        "  ! 1.3 Names the mode of attack: it is required and was not observed; it is unsure: 40%",
        "  ! 3 After the knockdown: it is incomplete",
    ]
    places = [text.index(each) for each in wanted]
    assert places == sorted(places)


def test_an_empty_scorecard_is_told_too() -> None:
    nothing = card(overall=Overall(None, Status.INCOMPLETE, 0.0))
    assert render_table(nothing)[1] == "Overall: … Incomplete. Nothing could be scored."
    assert "Nothing could be scored." in render_markdown(nothing)


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


@settings(max_examples=20, deadline=None)
@given(st.text(st.characters(), max_size=30))
def test_no_text_whatever_forms_markdown(text: str) -> None:
    assert shape(render_markdown(hostile(f"w{text}w"), title="words")) == PLAIN


def test_the_report_in_markdown() -> None:
    text = render_markdown(INCIDENT)
    for part in (
        "# Fire-ground radio: elm-street.vtt",
        "**75 %, … Incomplete**",
        "| 1 | Arrival | 60 % | ~ Needs improvement | 40 % |",
        "## For a person to look at\n\n- **1.3 Names the mode of attack**: it is required",
        "| 2.1 | First water within two minutes | ~ Partial | 50 % | 132 s of 120 s (max 240) |",
        '"two story wood frame, smoke showing from side alpha" (1:30, Engine 25; ✓ verified, word',
        '"We are going offensive" (✕ not verified: these words are not in the transcript; claimed',
        "Too close to a limit to be sure",
        "Event: mayday, claimed for 8:20, not verified: no words show it",
        "## Warnings\n\n- two cues stood out of order",
    ):
        assert part in text.replace("\\", "")
    assert render_markdown(INCIDENT) == render_markdown(replace(INCIDENT))
    assert render_markdown(INCIDENT, title="Other").startswith("# Other\n")


def test_what_was_cited_in_other_words_stands_beside_what_was_said() -> None:
    shown = quote("primary search is complete", quote="primary search was complete")
    made = card(section("s", criterion("c", MET, shown)))
    for text in (render_markdown(made), str(render_table(made))):
        assert "primary search is complete" in text
        assert re.search("Cited as .primary search was complete", text)
