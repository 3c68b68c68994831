"""The viewer without a browser: what its page says, where its marks are, what its API replies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from tests.service.seeding import (
    EXAMPLES,
    Seeded,
    add_document,
    add_ledger,
    end,
    long_ledger,
    seed,
)
from tests.service.visiting import Place, a_place
from tests.store.shelves import ledger_in, there

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, EvidenceLedger, Source
from veridical.ledger.review import Decision
from veridical.ledger.risks import summarised
from veridical.ledger.verification import EvidenceStatus
from veridical.service.pages.viewer import fate_of
from veridical.service.reading.text_view import BLOCK_CHARS, BLOCKS, WHOLE_CHARS, text_view
from veridical.service.reading.viewing import Bounded
from veridical.sources.document import Document, Format, Span
from veridical.sources.loader import document_from_text
from veridical.store.store import Shelf

NOBODY = "00000000-0000-4000-8000-000000000000"
HANDBOOK = "expense-handbook.pdf"
HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> \" ' & &amp; \u202etxt\u202c end."


@dataclass(frozen=True)
class Shown:
    place: Place
    seeded: Seeded
    client: TestClient

    def page(self, name: str, **query: object) -> str:
        reply = self.client.get(self.address(name), params=query)  # type: ignore[arg-type]
        assert reply.status_code == 200, reply.text
        return reply.text

    def address(self, name: str) -> str:
        return f"/documents/{self.seeded.documents[name]}"

    def document(self, name: str) -> Document:
        return there(self.seeded.shelf.documents.read(self.seeded.documents[name]))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    with showing(tmp_path_factory.mktemp("viewer")) as shown:
        yield shown


@contextmanager
def showing(folder: Path) -> Iterator[Shown]:
    """Documents of several formats, and a session over three of them."""
    with a_place(folder) as place:
        seeded = seed(place.store, sources=("leave-policy.md", "remote-work.html", HANDBOOK))
        for name, old, new in (
            ("rules.md",
             "The notice period is 30 days.\n\nKeep receipts for a year.\n\nTravel by train.\n",
             "Keep receipts for a year.\n\nThe notice period is 60 days.\n\nTravel by ship.\n"),
            ("hostile.md", HOSTILE, ""),
            ("long.txt", "".join(f"Line {n} of a long text.\n" for n in range(9_000)), ""),
        ):  # fmt: skip
            for text in filter(None, (old, new)):
                (folder / name).write_text(text, "utf-8")
                add_fresh(place, seeded, folder / name)
        yield Shown(place, seeded, place.client(Accept="text/html"))


def add_fresh(place: Place, seeded: Seeded, path: object) -> None:
    from veridical.retrieval.corpus import Corpus
    from veridical.sources.loader import load_document

    document = load_document(path, name=path.name)  # type: ignore[attr-defined,arg-type]
    data = path.read_bytes()  # type: ignore[attr-defined]
    upload, _ = seeded.shelf.documents.add_upload(document.name, "", data)
    seeded.shelf.documents.put_read(upload.id, document, Corpus((document,)).chunks)
    seeded.documents[document.name] = upload.document_id


class Marked(HTMLParser):
    """The words inside `<mark>`, and the id of the first."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.ids: list[str | None] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "mark":
            self._inside = True
            self.words.append("")
            self.ids.append(dict(attrs).get("id"))

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "mark"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.words[-1] += data


# --- the marked words ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["leave-policy.md", "remote-work.html", HANDBOOK])
def test_the_words_of_the_span_are_marked_and_no_others(shown: Shown, name: str) -> None:
    document = shown.document(name)
    for start in range(0, len(document.text) - 200, len(document.text) // 7):
        span = Span(start, start + 150)
        marked = Marked(shown.page(name, start=span.start, end=span.end))
        assert unspaced("".join(marked.words)) == unspaced(document.shown(span))
        assert marked.ids[:1] == ["span"]
        assert set(marked.ids[1:]) <= {None}
    for nothing in ({}, {"start": 5, "end": 5}, {"start": 10**9, "end": 2 * 10**9}):
        assert Marked(shown.page(name, **nothing)).words == []


def unspaced(text: str) -> str:
    return "".join(text.split())


def test_a_span_of_a_claim_is_told_with_the_claim_and_leads_on(shown: Shown) -> None:
    shelf, session = shown.seeded.shelf, shown.seeded.session_id
    ledger = ledger_in(shelf, session)
    number, piece = next(
        (n, entry.evidence[0]) for n, entry in enumerate(ledger.entries, 1) if entry.evidence
    )
    verdict = ledger.entries[number - 1].verdict.value
    reply = shown.client.get(
        f"/documents/{piece.source_id}",
        params={"start": piece.snippet_span.start, "end": piece.snippet_span.end,
                "session": session, "claim": number},
    )  # fmt: skip
    assert f'class="verdict-{verdict}"' in reply.text
    assert f'href="/sessions/{session}#claim-{number}"' in reply.text
    following = re.search(r'rel="next" href="([^"]+)"', reply.text)
    assert following
    further = shown.client.get(following[1].replace("&amp;", "&").removesuffix("#span"))
    assert further.status_code == 200
    assert 'rel="prev"' in further.text
    assert Marked(further.text).ids[:1] == ["span"]


def test_text_of_a_document_is_shown_and_never_acts(shown: Shown) -> None:
    page = shown.page("hostile.md", start=0, end=20)
    body = page[page.index("<document-viewer") :]
    assert "<script" not in body
    assert "<img" not in body
    assert "\u202e" not in page
    assert "[RLO]" in body


def test_a_long_text_is_shown_in_pieces_that_join(shown: Shown) -> None:
    document = shown.document("long.txt")
    at = document.text.index("Line 5000 ")
    page = shown.page("long.txt", start=at, end=at + 9)
    assert Marked(page).words == ["Line 5000"]
    assert len(page) < 6 * BLOCKS * BLOCK_CHARS
    later = re.search(r'rel="next" href="[^"]*at=(\d+)"', page)
    earlier = re.search(r'rel="prev" href="[^"]*at=(\d+)"', page)
    assert later
    assert earlier
    first_after = document.text[int(later[1]) :].split("\n")[0]
    assert first_after not in page
    assert first_after in shown.page("long.txt", at=later[1])


def test_an_older_version_says_so_and_where_its_words_are_now(shown: Shown) -> None:
    text = "The notice period is 30 days."
    page = shown.page("rules.md", version=1, start=0, end=len(text))
    assert "were altered in it" in page
    kept = "Keep receipts for a year."
    start = len(text) + 2
    page = shown.page("rules.md", version=1, start=start, end=start + len(kept))
    assert "at another place" in page
    link = re.search(r'href="([^"]*version=2&amp;start=0&amp;end=25[^"]*)"', page)
    assert link
    assert "there is a newer one" not in shown.page("rules.md")


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"version": 9}, 404),
        ({"start": 9, "end": 2}, 422),
        ({"start": -1, "end": 2}, 422),
        ({"session": "x" * 99}, 422),
        ({"session": NOBODY, "claim": 3, "start": 1, "end": 9}, 200),
        ({"session": "no uuid", "claim": 3}, 200),
        ({"at": 10**9}, 200),
        ({"page": 999}, 200),
    ],
)
def test_addresses_that_are_not_right(shown: Shown, query: dict[str, object], status: int) -> None:
    for name in (HANDBOOK, "leave-policy.md"):
        reply = shown.client.get(shown.address(name), params=query)  # type: ignore[arg-type]
        assert reply.status_code == status


# --- what is told of the words -------------------------------------------------------------------

RULES = (
    "The final salary is paid within 7 calendar days.",
    "Paid sick days end with the contract.",
    "The salary may be paid late in a month with holidays.",
    "Nothing is said of anything else here.",
)
"""What decides a claim, bears it out in part, speaks against it, and has nothing to do with it."""


@dataclass(frozen=True)
class Judged:
    """A session of two claims over `rules.txt`, and its second version: 7 days became 9."""

    place: Place
    shelf: Shelf
    client: TestClient
    document: str
    session: str

    def page(self, rule: str, *, claim: int = 1, **more: object) -> str:
        """The viewer at a rule, in the version that the claim was checked against."""
        start = "\n\n".join(RULES).index(rule)
        query = {"version": 1, "start": start, "end": start + len(rule), **more}
        return self.at(session=self.session, claim=claim, **query)

    def at(self, **query: object) -> str:
        reply = self.client.get(f"/documents/{self.document}", params=query)  # type: ignore[arg-type]
        assert reply.status_code == 200, reply.text
        return unescape(reply.text[reply.text.index("<main") if "<main" in reply.text else 0 :])

    @contextmanager
    def overruled(self) -> Iterator[None]:
        """While a reviewer says otherwise of the first claim."""
        entry = ledger_in(self.shelf, self.session).entries[0]
        self.shelf.reviews.add(
            self.session, entry.id, Decision.OVERRULE, verdict=Verdict.CONTRADICTED,
            reason="Read it again.", by="Ada",
        )  # fmt: skip
        try:
            yield
        finally:
            self.shelf.reviews.add(self.session, entry.id, Decision.WITHDRAW, by="Ada")


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory, shown: Shown) -> Iterator[Judged]:
    tmp_path = tmp_path_factory.mktemp("judged")
    with a_place(tmp_path) as place:
        shelf = place.store.shelf("default")
        file = tmp_path / "rules.txt"
        file.write_text("\n\n".join(RULES), "utf-8")
        document = add_document(place.store, shelf, file)
        session = add_ledger(place.store, shelf, ledger_about(shown, shelf, document))
        later = Document("rules.txt", "\n\n".join(RULES).replace("7 cal", "9 cal"))
        upload, job = shelf.documents.add_upload("rules.txt", "", later.text.encode())
        shelf.documents.put_read(upload.id, later, ())
        end(place.store, job)
        client = place.client(Accept="text/html")
        yield Judged(place, shelf, client, document, session)


def ledger_about(shown: Shown, shelf: Shelf, document: str) -> EvidenceLedger:
    """A supported claim with a deciding piece and two lesser ones, and one that is contradicted."""
    ledger = replace(long_ledger(shown.seeded, 2), risk_flags=())
    entries = long_ledger(shown.seeded, 30).entries
    usual = next(entry.evidence[0] for entry in entries if entry.evidence)
    text = "\n\n".join(RULES)

    def piece(rule: str, support: SupportLevel, *, against: bool = False) -> Evidence:
        span = Span(text.index(rule), text.index(rule) + len(rule))
        return replace(
            usual, source_id=document, snippet=rule, source_text=rule, snippet_span=span,
            chunk_span=span, support=support, contradicts=against, page_number=None,
        )  # fmt: skip

    salary, sick, late, _ = RULES
    pieces = (
        (Verdict.SUPPORTED, (piece(salary, SupportLevel.FULL), piece(sick, SupportLevel.PARTIAL),
                             piece(late, SupportLevel.NONE, against=True))),
        (Verdict.CONTRADICTED, (piece(late, SupportLevel.NONE, against=True),
                                piece(sick, SupportLevel.PARTIAL))),
    )  # fmt: skip
    made = tuple(
        replace(entry, verdict=verdict, evidence=evidence, near=())
        for entry, (verdict, evidence) in zip(ledger.entries, pieces, strict=True)
    )
    read = there(shelf.documents.read(document))
    source = Source(document, "rules.txt", read.sha256, read.format.value, len(read.text))
    return replace(ledger, entries=made, sources=(source,), summary=summarised(made))


def tones(page: str) -> set[str]:
    """The classes of the marks."""
    return set(re.findall(r'<mark[^>]* class="([^"]*)"', page))


def from_claim(page: str) -> str:
    """What is said of the claim that led to a page."""
    found = re.search(r'<p class="from-claim">(.*?)</p>', page, re.DOTALL)
    assert found
    return " ".join(re.sub("<[^>]*>", " ", found[1]).split())


def test_the_verdict_is_told_of_nothing_but_the_words_that_the_ledger_saw(judged: Judged) -> None:
    salary, sick, *_ = RULES
    page = judged.page(salary)
    assert tones(page) == {"verdict-supported"}
    assert from_claim(page).startswith("✓ Supported Claim 1")
    altered = judged.page(salary, version=2)
    assert Marked(altered).words == [salary.replace("7", "9")]
    assert tones(altered) == {"neutral"}
    assert from_claim(altered).startswith("Claim 1")
    assert "verdict" not in altered
    assert f'It was checked against version 1: “<span class="own-direction">{salary}' in altered
    assert "This version says it in other words." in altered
    assert "version=1&start=0&end=48" in altered
    held = judged.page(sick, version=2)
    assert tones(held) == {"neutral"}
    assert "Those words stand in this version too, at the same place." in held
    elsewhere = judged.page(RULES[3])
    assert tones(elsewhere) == {"neutral"}
    assert "This is not the place that the claim was checked against." in elsewhere
    assert "verdict-" not in elsewhere
    without = judged.at(version=1, session=judged.session, claim=1)
    assert "verdict-" not in without


def test_a_lesser_piece_of_evidence_says_what_it_says_itself(judged: Judged) -> None:
    salary, sick, late, _ = RULES
    part = judged.page(sick)
    assert tones(part) == {"verdict-weak"}
    assert from_claim(part).startswith("Supports it in part Claim 1")
    assert "further passage, 2 of 3" in part
    assert "Supported" not in from_claim(part)
    against = judged.page(late)
    assert tones(against) == {"verdict-contradicted"}
    assert from_claim(against).startswith("Speaks against it Claim 1")
    decided = judged.page(late, claim=2)
    assert from_claim(decided).startswith("✗ Contradicted Claim 2")
    pane = judged.page(late, claim=2, pane=1)
    assert "<html" not in pane
    assert from_claim(pane).startswith("✗ Contradicted Claim 2")
    assert 'data-claim="2"' in pane
    assert tones(judged.page(sick, claim=2)) == {"verdict-weak"}
    assert "deciding passage, 1 of 3" in judged.page(salary)


def test_what_a_reviewer_says_counts_and_the_machine_stands_beside_it(judged: Judged) -> None:
    with judged.overruled():
        page = judged.page(RULES[0])
        lesser = judged.page(RULES[1])
    assert from_claim(page).startswith("Reviewer: ✗ Contradicted machine: Supported Claim 1")
    assert tones(page) == {"verdict-contradicted"}
    assert tones(lesser) == {"neutral"}


@pytest.mark.parametrize(("start", "end"), [(5000, 5100), (0, 48 + 10**6), (0, 99_999_999)])
def test_a_span_that_does_not_fit_is_told(judged: Judged, start: int, end: int) -> None:
    page = judged.at(version=1, session=judged.session, claim=1, start=start, end=end)
    assert tones(page) <= {"neutral"}
    assert "verdict-" not in page
    assert ("do not exist in this version" in page) is (start == 5000)
    assert ("Only what there is of them is marked" in page) is (start == 0)
    assert "Open them in" not in page
    assert "Open what was checked" in page
    alone = judged.at(version=1, start=start, end=end)
    assert "this address" in alone


# --- the file for pdf.js -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "status", "start", "end"),
    [
        ("", 200, 0, None), ("bytes=0-99", 206, 0, 100), ("bytes=100-", 206, 100, None),
        ("bytes=-50", 206, -50, None), ("bytes=5-5", 206, 5, 6), ("bytes=0-9,20-29", 200, 0, None),
        ("bytes=9-5", 416, 0, 0), ("bytes=99999999-", 416, 0, 0), ("lines=1-2", 200, 0, None),
        ("bytes=-", 200, 0, None), ("bytes=0-99999999", 206, 0, None),
    ],
)  # fmt: skip
def test_ranges_of_a_file(
    shown: Shown, asked: str, status: int, start: int, end: int | None
) -> None:
    whole = (EXAMPLES / "sources" / HANDBOOK).read_bytes()
    assert shown.client.get(f"{shown.address('leave-policy.md')}/raw").status_code == 404
    headers = {"Range": asked} if asked else {}
    reply = shown.client.get(f"{shown.address(HANDBOOK)}/raw", headers=headers)
    assert (reply.status_code, reply.content) == (status, whole[start:end])
    if status == 206:
        assert reply.headers["content-range"].endswith(f"/{len(whole)}")
        assert reply.headers["content-disposition"].startswith("attachment")
        changed = {**headers, "If-Range": '"another file"'}
        assert shown.client.get(f"{shown.address(HANDBOOK)}/raw", headers=changed).content == whole


# --- the API -------------------------------------------------------------------------------------


def boxes(shown: Shown, name: str, page: int, **query: object) -> dict[str, object]:
    path = f"/api/v1{shown.address(name)}/pages/{page}/boxes"
    reply = shown.client.get(path, params=query)  # type: ignore[arg-type]
    return {"status": reply.status_code, **reply.json()}


def test_boxes_are_on_the_pages_that_the_span_is_on(shown: Shown) -> None:
    document = shown.document(HANDBOOK)
    first, second = document.pages[:2]
    span = {"start": first.span.end - 30, "end": second.span.start + 30}
    for page in (first, second):
        found = boxes(shown, HANDBOOK, page.number, **span)
        assert found["exact"]
        assert found["boxes"]
    elsewhere = boxes(shown, HANDBOOK, 1, start=second.span.start, end=second.span.end)
    assert elsewhere["boxes"] == []
    assert boxes(shown, HANDBOOK, 999, **span)["status"] == 404
    assert boxes(shown, HANDBOOK, 1, start=9, end=3)["status"] == 422
    assert boxes(shown, "leave-policy.md", 1, **span)["status"] == 404


# --- what became of words ------------------------------------------------------------------------

CARRIED = "Unused leave may be carried over at the discretion of the head of department."
OLD = f"# Leave of absence\n\nStaff get 15 days.\n\n{CARRIED}\n\nA note is needed.\n"


@pytest.mark.parametrize(
    ("new", "status"),
    [
        (OLD, EvidenceStatus.HELD),
        (f"# Leave of absence\n\nA note is needed.\n\n{CARRIED}\n", EvidenceStatus.MOVED),
        (OLD.replace("may be", "may not be"), EvidenceStatus.ALTERED),
        (OLD.replace(CARRIED, f"It is no longer so that {CARRIED}"), EvidenceStatus.ALTERED),
        ("# Leave of absence\n\nNothing of the kind.\n", EvidenceStatus.ORPHANED),
    ],
)
def test_what_became_of_a_sentence(new: str, status: EvidenceStatus) -> None:
    before, after = (document_from_text(text, "a.md", Format.MARKDOWN) for text in (OLD, new))
    start = OLD.index(CARRIED)
    found, now = fate_of(before, Span(start, start + len(CARRIED)), after, whole=True)
    assert found is status
    assert (now is None) is (status is EvidenceStatus.ORPHANED)
    if status is EvidenceStatus.MOVED:
        assert after.text[there(now).start : there(now).end] == CARRIED


# --- the text view -------------------------------------------------------------------------------

MARKUP = st.text(st.sampled_from("ab *_~`<>/&;#\n\t|-1.[]()!é"), min_size=1, max_size=80)


@given(MARKUP, st.integers(0, 80), st.integers(0, 80), st.sampled_from(["a.md", "a.html", "a.txt"]))
def test_lines_say_what_the_reader_sees(text: str, start: int, end: int, name: str) -> None:
    if not text.strip():
        return
    document = document_from_text(text, name)
    span = Span(min(start, end), max(start, end))
    view = text_view(document, span)
    shown = "\n".join("".join(part.text for part in line.parts) for line in view.lines)
    assert shown.split() == document.shown(Span(0, len(document.text))).split() or name != "a.txt"
    marked = "".join(part.text for line in view.lines for part in line.parts if part.marked)
    cut = Span(min(span.start, len(document.text)), min(span.end, len(document.text)))
    assert "".join(marked.split()) == "".join(document.shown(cut).split())


WRAPPED = """
    The final salary is paid within 7 calendar days of the last working day, together with
    unused leave. One day of it is
    worth a share of the yearly salary that is told in another place of this very rule
    book.
"""


def dedented(text: str) -> str:
    return "".join(f"{line.strip()}\n" for line in text.strip().splitlines())


@pytest.mark.parametrize(
    ("format", "expected"),
    [(Format.PLAIN_TEXT, [1, 3]), (Format.MARKDOWN, [1]), (Format.HTML, [1])],
)
def test_lines_that_a_file_was_broken_at_are_joined(format: Format, expected: list[int]) -> None:
    text = dedented(WRAPPED)
    document = document_from_text(text, "a", format)
    at = text.index("together with\nunused")
    span = Span(at, at + len("together with\nunused leave"))
    lines = [line for line in text_view(document, span).lines if not line.is_blank]
    assert [line.number for line in lines] == expected
    marked = [part.text for line in lines for part in line.parts if part.marked]
    assert "".join(marked) == "together with unused leave"
    assert " ".join(line.words for line in lines).split() == text.split()


@pytest.mark.parametrize("text", ["word " * 20_000, "x" * 100_000, "a\n" * 25_000])
def test_a_window_is_small_however_the_text_is_broken(text: str) -> None:
    document = document_from_text(text, "a.txt")
    assert len(text) > WHOLE_CHARS
    view = text_view(document, Span(len(text) // 2, len(text) // 2 + 50))
    assert len(view.window) <= (BLOCKS + 1) * BLOCK_CHARS
    at = 0
    for _ in range(150):
        view = text_view(document, None, at)
        assert view.window.start == at
        if view.later is None:
            break
        assert view.later > at
        at = view.later
    assert view.later is None


def test_what_is_kept_is_bounded() -> None:
    kept = Bounded[str, str](10, len)
    made: list[str] = []

    def make(value: str) -> str:
        made.append(value)
        return value

    for value in ("aaaa", "bbbb", "aaaa", "cccc", "bbbb", "dddddddddddd", "dddddddddddd"):
        assert kept.get(value, lambda value=value: make(value)) == value  # type: ignore[misc]
    assert made == ["aaaa", "bbbb", "cccc", "bbbb", "dddddddddddd", "dddddddddddd"]
