"""Links to words in Chromium: it scrolls to the block that the words stand in, and no other."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.pages import launched, needs_chromium

from veridical import Span, document_from_text
from veridical.ledger.text_fragments import TextFragments
from veridical.sources.document import Format

BLOCKS = (
    ("Staff get 25 days of leave.", "25 days"),
    ("Managers get 25 days of leave; as do others.", "25 days"),
    ("The CAFÉ’s rule, A&amp;B-C 100%.", "CAFÉ’s rule, A&amp;B-C 100%"),
    ("the cafe's rule is older", "the cafe's rule"),
    ("It begins here<br>and goes on", "begins here<br>and goes"),
    ("a <b>bold</b> and<!-- x --> <q>quoted</q> word", "bold</b> and<!-- x --> <q>quoted</q> word"),
    ("<table><tr><td>cell one<td>cell two</table>", "one<td>cell"),
)
GAP = "<div style='height:2000px'></div>"


@needs_chromium
def test_chromium_goes_to_the_words(tmp_path: Path) -> None:
    body = "".join(f"{GAP}<div id=b{at}>{block}</div>" for at, (block, _) in enumerate(BLOCKS))
    html = f"<!doctype html><meta charset=utf-8><title>Staff get 25 days</title>{body}{GAP}"
    file = tmp_path / "page.html"
    file.write_text(html, "utf-8")
    document = document_from_text(html, "page.html", Format.HTML)
    fragments = TextFragments(document)
    with launched() as browser:
        page = browser.new_page(viewport={"width": 600, "height": 400})
        for at, (_, words) in enumerate(BLOCKS):
            start = html.index(words, html.index(f"id=b{at}>"))
            link = fragments.link(file.as_uri(), Span(start, start + len(words)))
            assert ":~:text=" in link, words
            page.goto("about:blank")
            page.goto(link)
            page.wait_for_function("scrollY > 0")
            top = page.evaluate(f"document.getElementById('b{at}').getBoundingClientRect().top")
            assert 0 <= top <= 400, words
