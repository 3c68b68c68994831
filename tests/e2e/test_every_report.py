"""What holds in a browser of every report that is one file, whatever the words in it are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from tests.e2e.pages import OpenPage
from tests.evaluation.runs import QUOTE, answer, ask, result, run
from tests.ledger.export.samples import entry, evidence, ledger
from tests.scoring.report.incidents import MET, criterion, event, quote, section
from tests.scoring.report.test_text_forms import hostile
from tests.speech.public import filler, item, metrics, public
from tests.speech.transcripts import from_sentences

from veridical.evaluation.report.html import render_html as evaluation_html
from veridical.ledger.export.forms import render_ledger_html
from veridical.scoring.report.html import render_html as score_html
from veridical.sources.document import Document, Span
from veridical.speech.report.html import render_speech_html
from veridical.validation.claims import Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.reports.html import render_html as quotes_html
from veridical.validation.results import (
    ClaimResult,
    Fidelity,
    Match,
    MatchType,
    Status,
    ValidationReport,
)


def ledger_page(words: str) -> str:
    piece = evidence(words, heading_path=(words,), anchor=words)
    each = entry(words, evidence=(piece, piece), near=(piece,), notes=words)
    return render_ledger_html(
        ledger(each, title=words, query=words + "?", actions=(words,), warnings=(words,))
    )


def quotes_page(words: str) -> str:
    document = Document(words, f"before {words} after", warnings=(words,))
    match = Match(document, Span(7, 7 + len(words)), MatchType.EXACT, 0.9, 0.9)
    claim = Claim(words, words, source=words, context_hint=words)
    found = ClaimResult(
        claim, Status.VALIDATED, 1.0,
        fidelity=Fidelity.VERBATIM, match=match, suggestions=(words,),
    )  # fmt: skip
    return quotes_html(ValidationReport((found,), (document,), ValidationConfig()))


def score_page(words: str) -> str:
    radio = from_sentences([(0.0, 9.0, words, words), (9.0, 20.0, "end", "A")])
    first = criterion("x", MET, quote(words, radio), title=words, events=[event(words, 5.0)])
    made = hostile(words)
    return score_html(replace(made, sections=(section("y", first), *made.sections)), radio)


def speech_page(words: str) -> str:
    said = item(10, summary=words, evidence_quote=words, explanation=words)
    return render_speech_html(
        public(
            said, opening=words, closing=words, title=words, speaker=words, author=words,
            warnings=(words,), metrics=metrics(fillers=(filler(3, words),), notes=(words,)),
        )
    )  # fmt: skip


def evaluation_page(words: str) -> str:
    words = words.replace("\ud800", "")  # replies are read from JSON that must be UTF-8
    reply = answer(f"{words} [1]", words, text=f"{words} {QUOTE}")
    return evaluation_html(run(result(ask(words, topic=words), reply, 900.0)), words)


@dataclass(frozen=True)
class Report:
    """A report about some words, and what of it a reader points at and clicks."""

    of: Callable[[str], str]
    clicked: str


REPORTS = {
    "ledger": Report(ledger_page, "#said-1"),
    "quotes": Report(quotes_page, ".quote >> nth=0"),
    "score": Report(score_page, ".pin:visible"),
    "speech": Report(speech_page, "#flag-1 .body"),
    "evaluation": Report(evaluation_page, "main"),
}
HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)></title></svg><svg "
    "onload=alert(3)><style>*{display:none}</style><a href='javascript:alert(4)'>x</a>\"' "
    "onmouseover=alert(5) <!-- \u202e\x00\ud800"
)
RUN_A_SCRIPT = """() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'broken'";
    document.body.append(script);
}"""


def runs_over_the_edge(page: Page, *widths: int) -> list[int]:
    """The widths at which a page can be scrolled sideways."""
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 700})
        if page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0:
            found.append(width)
    return found


@pytest.mark.parametrize("name", REPORTS)
def test_hostile_text_does_nothing(open_html: OpenPage, name: str) -> None:
    report = REPORTS[name]
    page = open_html(report.of(HOSTILE))
    page.hover(report.clicked)
    page.click(report.clicked)
    assert page.locator("script").count() == (name != "evaluation")
    assert page.locator("style").count() == 1
    assert page.locator("img, svg[onload], [onmouseover], a[href^=javascript]").count() == 0
    assert HOSTILE[:40] in page.locator("body").inner_text()


@pytest.mark.parametrize("name", REPORTS)
def test_it_fits_every_width_and_follows_the_scheme_of_the_reader(
    open_html: OpenPage, name: str
) -> None:
    page = open_html(REPORTS[name].of("unbreakable" * 40))
    page.locator("details").evaluate_all("nodes => nodes.forEach(node => { node.open = true; })")
    page.locator("#open-all").evaluate_all("nodes => nodes.forEach(node => node.click())")
    assert runs_over_the_edge(page, 320, 375, 641, 768, 1100, 1280) == []
    for scheme, is_light in (("light", True), ("dark", False)):
        page.emulate_media(color_scheme=scheme)
        red = page.evaluate("getComputedStyle(document.body).backgroundColor").split("(")[1]
        assert (int(red.split(",")[0]) > 127) is is_light


@pytest.mark.parametrize("name", REPORTS)
def test_the_policy_stops_what_would_slip_through(
    browser: Browser, name: str, tmp_path: Path
) -> None:
    file = tmp_path / "report.html"
    file.write_text(REPORTS[name].of("some words"), "utf-8")
    with browser.new_page() as page:
        page.goto(file.as_uri())
        before = page.title()
        page.evaluate(RUN_A_SCRIPT)
        assert page.title() == before != "broken"
