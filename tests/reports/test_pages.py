"""What holds for the page of every report: it is whole, safe and readable, whatever it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.runs import FAILED, MISQUOTED, REFUSAL, RIGHT, UNCITED, WRONG, run_of
from tests.ledger.export.samples import LEAVE
from tests.reports.hostile import (
    hostile_ledger,
    hostile_report,
    hostile_run,
    hostile_score,
    hostile_speech,
)
from tests.scoring.report.incidents import INCIDENT, MET, MISSED, RADIO, card, criterion, event
from tests.scoring.report.incidents import quote as quoted
from tests.scoring.report.incidents import section as part
from tests.speech.public import TALK, TROUBLED, item, public
from tests.validation.report_colours import SCHEMES, low_contrasts, palette
from tests.validation.report_page import HOSTILE, check_links, check_policy, lost, parse, report

from veridical.evaluation.report.html import render_html as evaluation_page
from veridical.integrations.pytest_plugin import render_page as grounded_page
from veridical.ledger.export.forms import render_ledger_html as ledger_page
from veridical.scoring.report.html import render_html as score_page
from veridical.speech.report.html import render_speech_html as speech_page
from veridical.validation.reports.html import render_html as validation_page


def grounded(text: str) -> str:
    fields = {"passed": False, "what": "answer", "borne_out": 1, "total": 2, "text": text}
    return grounded_page([(text, {**fields, "problems": [text]})])


HOSTILE_PAGES: dict[str, Callable[[str], str]] = {
    "validation": lambda t: validation_page(hostile_report(t), title=t, generated=t),
    "ledger": lambda t: ledger_page(hostile_ledger(t), seal_head=t),
    "score": lambda t: score_page(*hostile_score(t), title=t, generated=t),
    "speech": lambda t: speech_page(hostile_speech(t), title=t, generated=t),
    "evaluation": lambda t: evaluation_page(hostile_run(t), t),
    "grounded": grounded,
}
RESPONDING = quoted("Ladder 7 responding")
SCORECARDS = [
    INCIDENT,
    card(),
    card(part("s", criterion("c"), criterion("c")), part("s", criterion("c"))),
    card(part("</a>", criterion("1 2"), criterion("é")), part("x:y", criterion("c.d"))),
    card(part("s", criterion("c", MET, RESPONDING), criterion("d", MISSED, RESPONDING))),
    card(part("s", criterion("c", MET, events=[event("e", 9.0, 7)]))),
]
TALKS = [TALK, TROUBLED, public(), public(item(None), item(50)), public(*[item(5)] * 20)]
RUN = run_of([RIGHT, FAILED, UNCITED, MISQUOTED, WRONG, REFUSAL])
PAGES: list[Callable[[], str]] = [
    lambda: validation_page(report(lost("EV001"))),
    lambda: ledger_page(LEAVE),
    *[lambda made=made: score_page(made, RADIO) for made in SCORECARDS],  # type: ignore[misc]
    *[lambda made=made: speech_page(made) for made in TALKS],  # type: ignore[misc]
    lambda: evaluation_page(RUN),
]


def shape(page: str) -> list[tuple[str, list[str]]]:
    """Every element with the names of its attributes, but the markers of invisible characters."""
    nodes = parse(page).all()
    return [(n.tag, sorted(n.attributes)) for n in nodes if "ctl" not in n.classes]


def tame(text: str) -> str:
    """Plain words of the same length, with the same white space."""
    return re.sub(r"[^\s]", "x", text.translate(dict.fromkeys(range(8234, 8298), "x")))


@pytest.mark.parametrize("kind", HOSTILE_PAGES)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_changes_no_element_and_no_attribute(kind: str, text: str) -> None:
    page = HOSTILE_PAGES[kind](text)
    page.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", page)
    # A document is shown as it is, so that it can be searched and copied.
    assert kind == "validation" or "\u202e" not in page
    assert shape(page) == shape(HOSTILE_PAGES[kind](tame(text)))


@pytest.mark.parametrize("kind", ["score", "speech", "grounded"])
@settings(max_examples=15)
@given(text=st.text(st.characters(), max_size=20))
def test_no_text_whatever_changes_a_page(kind: str, text: str) -> None:
    assert shape(HOSTILE_PAGES[kind](f"w{text}w")) == shape(HOSTILE_PAGES[kind]("words"))


@pytest.mark.parametrize("kind", HOSTILE_PAGES)
def test_a_page_asks_nothing_of_any_network_and_allows_only_its_own_code(kind: str) -> None:
    check_policy(parse(HOSTILE_PAGES[kind]("https://example.org/x.js")))


@pytest.mark.parametrize("made", PAGES)
def test_the_same_bytes_each_time_with_unique_ids_and_links_that_lead_somewhere(
    made: Callable[[], str],
) -> None:
    assert made() == made()
    check_links(parse(made()))


TEXT, TONES = ("ink", "muted", "accent"), ("bad", "warn", "second", "ok", "none")


def each(shown: Iterable[str], *grounds: str, least: float = 4.5) -> dict[tuple[str, str], float]:
    """The least contrast of each of some colours on each of some grounds, "soft" its own."""
    return {(one, g if g != "soft" else f"{one}-soft"): least for one in shown for g in grounds}


CONTRASTS: dict[str, dict[tuple[str, str], float]] = {
    "validation": each(TEXT, "paper", "pick", "surface")
    | each(TONES, "paper", "surface", "pick", "soft")
    | each(["ink"], *(f"{tone}-soft" for tone in TONES)),
    "score": each(TEXT, "paper", "pick", "warn-soft")
    | each(("ok", "warn", "bad", "none"), "paper", "pick", "soft")
    | {("ink", "words"): 4.5, ("paper", "accent"): 4.5, ("stroke", "paper"): 3.0},
    "speech": each(TEXT, "paper", "pick", "warn-soft")
    | each(("ok", "second"), "paper", "pick", "soft")
    | each(("bad", "warn"), "soft")
    | each(["stroke"], "surface", "paper", least=3.0)
    | each(("ok", "second"), "area", least=3.0),
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("kind", CONTRASTS)
def test_text_and_shapes_have_aa_contrast_in_light_and_dark(kind: str, scheme: str) -> None:
    colours = palette(parse(HOSTILE_PAGES[kind]("words")).all("style")[0].text, scheme)
    assert not low_contrasts(colours, CONTRASTS[kind])
