"""The viewer in a browser: the highlight is where the words are."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import typst
from playwright.sync_api import Browser, Page, expect
from tests.e2e.accessibility import assert_accessible
from tests.e2e.service_pages import Site, runs_over_the_edge, served, visiting
from tests.service.seeding import Seeded, add_document, seed
from tests.service.serving import until
from tests.sources.builders import Pdf, simple_pdf

from veridical import Span, document_from_text
from veridical.ledger.text_fragments import TextFragments
from veridical.sources.document import Document, Format

HANDBOOK = "expense-handbook.pdf"
PAPER = r"""
#set page(width: 595pt, height: 842pt, margin: 70pt, columns: 2, header: [Annual report])
#set text(hyphenate: true, lang: "en")
#set par(justify: true)
#for part in range(1, 13) [
  = Chapter #part
  #lorem(160) The sentence of chapter #part is zebra#part and efficiently found here.
  #lorem(160)
]
"""


@dataclass(frozen=True)
class Viewed:
    site: Site
    seeded: Seeded

    def document(self, name: str) -> Document:
        found = self.seeded.shelf.documents.read(self.seeded.documents[name])
        assert found is not None
        return found

    def address(self, name: str, words: str = "", **more: object) -> str:
        """The viewer at some words of a document."""
        query = dict(more)
        if words:
            start = self.document(name).text.index(words)
            query |= {"start": start, "end": start + len(words)}
        told = "&".join(f"{key}={value}" for key, value in query.items())
        return f"/documents/{self.seeded.documents[name]}?{told}{'#span' if words else ''}"


def add(site: Site, seeded: Seeded, folder: Path, name: str, data: bytes) -> None:
    (folder / name).write_bytes(data)
    seeded.documents[name] = add_document(site.store, site.shelf, folder / name)


def turned_page(turn: int) -> bytes:
    pdf = Pdf()
    pdf.add_page(
        b"BT /F 14 Tf 100 700 Td (The turned words stand here.) Tj 0 -40 Td (Others below.) Tj ET",
        b"/CropBox[40 40 540 780]/Rotate %d" % turn,
    )
    return pdf.build()


def with_script() -> bytes:
    pdf = Pdf()
    pdf.add_page(["Words of a file with scripts."], b"/AA<</O<</S/JavaScript/JS(app.alert(1))>>>>")
    pdf.catalog_extra = b"/OpenAction<</S/JavaScript/JS(app.alert\\(2\\))>>"
    return pdf.build()


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewed]:
    folder = tmp_path_factory.mktemp("files")
    with served(tmp_path_factory.mktemp("site")) as site:
        seeded = seed(site.store, sources=("leave-policy.md", "remote-work.html", HANDBOOK))
        add(site, seeded, folder, "paper.pdf", typst.compile(PAPER.encode()))
        add(site, seeded, folder, "script.pdf", with_script())
        add(site, seeded, folder, "turned-90.pdf", turned_page(90))
        broken = simple_pdf(["Words of a file that breaks later."])
        add(site, seeded, folder, "broken.pdf", broken)
        yield Viewed(site, seeded)


def marks(page: Page) -> list[dict[str, float]]:
    """The boxes of the highlight on the pages, in pixels of the window."""
    page.wait_for_selector(".marks i")
    found: list[dict[str, float]] = page.locator(".marks i").evaluate_all(
        "all => all.map(one => { const box = one.getBoundingClientRect(); "
        "return {left: box.left, top: box.top, right: box.right, bottom: box.bottom}; })"
    )
    return found


WORDS_OF_TEXT_LAYER = """
(wanted) => {
  // The rectangles that the text layer of pdf.js has for the words, looked for without spaces.
  const letters = [];
  for (const layer of document.querySelectorAll(".textLayer[data-complete]")) {
    const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      [...node.data].forEach((char, at) => {
        if (/\\S/.test(char)) letters.push([char, node, at]);
      });
    }
  }
  const at = letters.map(([char]) => char).join("").indexOf(wanted);
  if (at < 0) return null;
  return letters.slice(at, at + wanted.length).map(([, node, offset]) => {
    const range = document.createRange();
    range.setStart(node, offset);
    range.setEnd(node, offset + 1);
    const box = range.getBoundingClientRect();
    return {x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2};
  });
}
"""


def in_text_layer(page: Page, words: str) -> list[dict[str, float]]:
    """The middle of each letter of the words, as pdf.js itself places them. A page that is drawn
    anew, in another size, has no layer for a moment."""
    wanted = "".join(words.split())
    found = until(lambda: page.evaluate(WORDS_OF_TEXT_LAYER, wanted), lambda found: bool(found))
    return list(found)


def holds(box: dict[str, float], point: dict[str, float], slack: float = 2) -> bool:
    across = box["left"] - slack <= point["x"] <= box["right"] + slack
    return across and box["top"] - slack <= point["y"] <= box["bottom"] + slack


# --- the highlight -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("paper.pdf", "zebra9 and efficiently"),
        ("turned-90.pdf", "turned words"),
    ],
)
def test_the_boxes_are_where_pdfjs_has_the_words(
    viewed: Viewed, browser: Browser, name: str, words: str
) -> None:
    text = viewed.document(name).text
    start = text.index(words)
    before = "".join(text[text.rfind("\n", 0, start) + 1 : start].split())
    with visiting(viewed.site, browser) as page:
        page.goto(viewed.address(name, words))
        boxes = marks(page)
        inside = in_text_layer(page, words)
        assert all(any(holds(box, point) for box in boxes) for point in inside)
        assert all(any(holds(box, point) for point in inside) for box in boxes)
        if before:
            outside = in_text_layer(page, before + words)[: len(before) - 1]
            assert not any(holds(box, point, slack=-1) for box in boxes for point in outside)
        assert all(box["top"] > 0 and box["bottom"] < 800 for box in boxes)


def test_pixels_differ_under_the_highlight_and_nowhere_else(
    viewed: Viewed, browser: Browser
) -> None:
    with visiting(viewed.site, browser) as page:
        page.goto(viewed.address("paper.pdf", "zebra7 and efficiently found"))
        boxes = marks(page)
        marked = page.screenshot(animations="disabled")
        plain = until(lambda: without_marks(page), lambda picture: picture != b"")
    differ = differing(browser, marked, plain)
    assert all(any(holds(box, point, 4) for box in boxes) for point in differ)
    for box in boxes:
        changed = sum(holds(box, point, 0) for point in differ)
        assert changed > 0.6 * (box["right"] - box["left"]) * (box["bottom"] - box["top"])


def without_marks(page: Page) -> bytes:
    """A picture without the highlight; none where the page was drawn anew meanwhile, and marked."""
    page.evaluate("document.querySelectorAll('.marks i').forEach(one => { one.hidden = true; })")
    picture = page.screenshot(animations="disabled")
    return b"" if page.locator(".marks i:not([hidden])").count() else picture


DIFFERING = """
async (pictures) => {
  const [one, other] = await Promise.all(pictures.map(async (data) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return canvas.getContext("2d").getImageData(0, 0, picture.width, picture.height);
  }));
  const found = [];
  for (let at = 0; at < one.data.length; at += 4) {
    if ([0, 1, 2].some((part) => one.data[at + part] !== other.data[at + part])) {
      found.push({x: (at / 4) % one.width, y: Math.floor(at / 4 / one.width)});
    }
  }
  return found;
}
"""


def differing(browser: Browser, *pictures: bytes) -> list[dict[str, float]]:
    """The pixels in which two pictures of one size differ."""
    page = browser.new_page()
    try:
        told = [b64encode(picture).decode("ascii") for picture in pictures]
        return list(page.evaluate(DIFFERING, told))
    finally:
        page.close()


def test_a_citation_lands_on_the_highlighted_passage(viewed: Viewed, browser: Browser) -> None:
    words = "zebra11 and"
    with visiting(viewed.site, browser) as page:
        page.goto(viewed.address("paper.pdf", words))
        (small,) = marks(page)
        assert 100 < small["top"] < 500
        number = page.locator(".pdf-page:has(.marks i)").get_attribute("data-number")
        assert page.inner_text(".page-number") == number
        page.click('[data-zoom="in"]')
        page.wait_for_function(
            "width => document.querySelector('.marks i').getBoundingClientRect().width > width",
            arg=1.1 * (small["right"] - small["left"]),
        )
        page.click('[data-show="text"]')
        assert page.inner_text("mark#span") == words
        assert 60 < page.locator("mark#span").bounding_box()["y"] < 600  # type: ignore[index]
        page.click('[data-show="pages"]')
        (large,) = marks(page)
        assert 100 < large["top"] < 500
        assert all(holds(large, point, 3) for point in in_text_layer(page, words))


# --- other ways to read it -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words", "width"),
    [("paper.pdf", "zebra12 and", 1280), ("leave-policy.md", "Public holidays are", 375)],
)
def test_without_scripts_the_words_are_marked_in_the_text(
    viewed: Viewed, browser: Browser, name: str, words: str, width: int
) -> None:
    with visiting(viewed.site, browser, width=width, java_script_enabled=False) as page:
        page.goto(viewed.address(name, words))
        assert page.inner_text("mark#span") == words
        box = page.locator("mark#span").bounding_box()
        assert box
        assert 40 < box["y"] < 600
        assert not page.is_visible(".view-tools")
        assert not page.is_visible(".pages")
        assert not runs_over_the_edge(page)


def test_in_the_pane_of_a_session_one_document_follows_another(
    viewed: Viewed, browser: Browser
) -> None:
    put = """address => htmx.ajax("GET", address.replace("#span", "&pane=1"), {
      target: document.getElementById("document-body"), swap: "innerHTML" })"""
    with visiting(viewed.site, browser) as page:
        page.goto(f"/sessions/{viewed.seeded.session_id}")
        page.evaluate("() => { document.getElementById('document').hidden = false; }")
        page.evaluate(put, viewed.address("leave-policy.md", "Public holidays are"))
        page.wait_for_selector("#document mark#span")
        page.evaluate(put, viewed.address("paper.pdf", "zebra8 and"))
        (box,) = marks(page)
        pane = page.locator("#document-body").bounding_box()
        assert pane
        assert pane["y"] < box["top"] < box["bottom"] < pane["y"] + pane["height"]
        assert page.evaluate("scrollY") == 0


def test_the_pane_says_when_another_claim_is_shown(viewed: Viewed, browser: Browser) -> None:
    with visiting(viewed.site, browser) as page:
        page.goto(f"/sessions/{viewed.seeded.session_id}")
        page.click("tbody.claim[data-v=supported] .go >> nth=0")
        row = page.locator("tbody.claim.open")
        first = row.get_attribute("data-n")
        row.locator("a.view >> nth=0").click()
        page.wait_for_selector(f"#document document-viewer[data-claim='{first}']")
        assert f"Claim {first}" in page.inner_text("#document .from-claim")
        for _ in range(20):
            other = page.get_attribute("#document a.step[rel=next]", "data-claim")
            told = page.inner_text("#document a.step[rel=next]")
            assert ("Next evidence" in told) is (other == first)
            if other != first:
                break
            at = page.inner_text("#document .from-claim")
            page.click("#document a.step[rel=next]")
            page.wait_for_function(
                "at => document.querySelector('#document .from-claim').innerText !== at", arg=at
            )
        assert f"Claim {other}" in told
        page.click("#document a.step[rel=next]")
        page.wait_for_selector(f"#claim-{other}.open")
        assert f"Claim {other}" in page.inner_text("#document .from-claim")
        assert page.locator("tbody.claim.open").count() == 1
        assert f"claim={other}#span" in str(page.get_attribute("#document-alone", "href"))
        expect(page.locator("#document a.step[rel~=next]")).to_be_focused()
        page.click("#document-close")
        expect(page.locator(f"#claim-{other} .go")).to_be_focused()


def test_of_two_documents_asked_for_the_last_is_shown(viewed: Viewed, browser: Browser) -> None:
    with visiting(viewed.site, browser) as page:
        page.goto(f"/sessions/{viewed.seeded.session_id}")
        for row in range(2):
            page.click(f"tbody.claim[data-v=supported] .go >> nth={row}")
        expect(page.locator("tbody.claim.open")).to_have_count(2)
        last = page.locator("tbody.claim.open").last.get_attribute("data-n")
        page.route("**/documents/*", lambda route: (time.sleep(0.3), route.continue_())[1])
        page.evaluate(
            "() => [...document.querySelectorAll('tbody.claim.open')]"
            ".forEach((row) => row.querySelector('a.view').click())"
        )
        page.wait_for_selector(f"#document document-viewer[data-claim='{last}']")
        page.wait_for_timeout(700)
        assert page.locator("#document document-viewer").count() == 1
        assert page.locator("#document [role=alert]").count() == 0


def test_axe_finds_nothing_wrong(viewed: Viewed, browser: Browser) -> None:
    with visiting(viewed.site, browser, reduced_motion="reduce") as page:
        page.goto(viewed.address("turned-90.pdf", "words stand"))
        marks(page)
        assert_accessible(page)
        page.click('[data-show="text"]')
        assert_accessible(page)


# --- hostile and broken files --------------------------------------------------------------------


def test_scripts_of_a_file_are_not_run(viewed: Viewed, browser: Browser) -> None:
    with visiting(viewed.site, browser) as page:
        page.goto(viewed.address("script.pdf", "Words of a file"))
        assert len(marks(page)) == 1
        assert page.locator(".annotationLayer, .pages a, .pages form").count() == 0


def test_a_file_that_pdfjs_cannot_read_is_shown_as_text(viewed: Viewed, browser: Browser) -> None:
    with visiting(viewed.site, browser) as page:
        page.route("**/raw?**", lambda route: route.fulfill(body=b"%PDF-1.7 no more of it"))
        page.goto(viewed.address("broken.pdf", "file that breaks"))
        page.wait_for_selector(".marks-note:visible")
        assert "This is its text" in page.inner_text(".marks-note")
        assert page.inner_text("mark#span") == "file that breaks"
        assert not page.is_visible(".pages")


def test_where_words_cannot_be_marked_the_page_says_so(viewed: Viewed, browser: Browser) -> None:
    with visiting(viewed.site, browser, allowed=("422",)) as page:
        page.route("**/boxes?**", lambda route: route.fulfill(status=422, body="{}"))
        page.goto(viewed.address("paper.pdf", "zebra4 and"))
        page.wait_for_selector(".marks-note:visible")
        assert "marked in the text" in page.inner_text(".marks-note")
        assert page.locator(".marks i").count() == 0


# --- links to words of a page elsewhere ----------------------------------------------------------


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


def test_chromium_goes_to_the_words(browser: Browser, tmp_path: Path) -> None:
    body = "".join(f"{GAP}<div id=b{at}>{block}</div>" for at, (block, _) in enumerate(BLOCKS))
    html = f"<!doctype html><meta charset=utf-8><title>Staff get 25 days</title>{body}{GAP}"
    file = tmp_path / "page.html"
    file.write_text(html, "utf-8")
    document = document_from_text(html, "page.html", Format.HTML)
    fragments = TextFragments(document)
    with browser.new_page(viewport={"width": 600, "height": 400}) as page:
        for at, (_, words) in enumerate(BLOCKS):
            start = html.index(words, html.index(f"id=b{at}>"))
            link = fragments.link(file.as_uri(), Span(start, start + len(words)))
            assert ":~:text=" in link, words
            page.goto("about:blank")
            page.goto(link)
            page.wait_for_function("scrollY > 0")
            top = page.evaluate(f"document.getElementById('b{at}').getBoundingClientRect().top")
            assert 0 <= top <= 400, words
