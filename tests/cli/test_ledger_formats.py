"""Ledgers in the forms of other programs, evidence packs, and citations that come in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from tests.cli.harness import complaint, invoke
from tests.cli.ledger_desk import ANSWER, POLICY, build, contents, read, set_up
from tests.sources.builders import simple_pdf

from veridical import ledger_from_bytes, ledger_to_bytes

FIRST, SECOND = ANSWER.splitlines()
HANDBOOK = ["Annual leave", FIRST[:37], FIRST[38:], SECOND]


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with documents, an answer and its ledger."""
    folder = set_up(tmp_path, monkeypatch)
    assert build("-o", "ledger.json").exit_code == 0
    return folder


def export(*more: str | Path) -> Any:
    return invoke("ledger", "export", "ledger.json", *more)


def exported(*more: str | Path) -> Any:
    """The JSON that an export prints."""
    done = export(*more)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def verify(source: str, *more: str | Path) -> Any:
    return invoke("ledger", "verify", source, *more)


# --- for other programs ---------------------------------------------------------------------------


def test_changed_citations_are_told() -> None:
    blocks = exported("--format", "anthropic")
    blocks[0]["citations"][0]["cited_text"] = FIRST.replace("27", "28")
    Path("blocks.json").write_text(json.dumps(blocks), "utf-8")
    done = invoke("ledger", "citations", "blocks.json", "--documents", "docs", "--format", "json")
    assert done.exit_code == 1
    first = json.loads(done.stdout)[0]
    assert (first["status"], first["ok"]) == ("altered", False)
    assert first["changes"] == ["number: '28' became '27'"]
    done = build("--response-format", "anthropic", answer="blocks.json")
    assert done.exit_code == 0  # the claim is borne out, though its citation is not
    assert "1 of the 2 citations in the response do not stand in the documents" in done.stderr


def test_an_answer_as_a_reply_of_a_service() -> None:
    reply = {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]}
    Path("reply.json").write_text(json.dumps(reply), "utf-8")
    done = build("--response-format", "anthropic", "--format", "json", answer="reply.json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["answer"] == ANSWER
    done = build("--response-format", "word", answer="reply.json")
    assert "not one of text, anthropic" in complaint(done.stderr)


# --- packs ----------------------------------------------------------------------------------------


def test_a_pack_is_made_and_verified() -> None:
    assert export("-o", "pack.zip").exit_code == 0
    done = verify("pack.zip")
    assert done.exit_code == 2
    assert "the pack has no sources in it" in complaint(done.stderr)
    done = verify("pack.zip", "--documents", "docs")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "The ledger holds.")
    assert "not its report and tables" in done.stderr
    assert export("--with-sources", "--documents", "docs", "-o", "full.zip").exit_code == 0
    done = verify("full.zip", "--format", "json", "-o", "found.json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert (found["ok"], [each["status"] for each in found["sources"]]) == (True, ["unchanged"])
    assert read(Path("found.json")) == found
    head = found["seal"]["head"]
    assert verify("full.zip", "--head", head).exit_code == 0
    assert verify("full.zip", "--head", "0" * 64).exit_code == 1
    Path("docs/leave.md").write_text(POLICY.replace("27", "28"), "utf-8")
    assert verify("full.zip").exit_code == 0
    assert verify("full.zip", "--documents", "docs").exit_code == 1


# --- annotated PDFs -------------------------------------------------------------------------------


def highlights(path: Path) -> int:
    with pypdfium2.PdfDocument(path.read_bytes()) as pdf:
        page = pdf[0]
        count: int = pdfium.FPDFPage_GetAnnotCount(page.raw)
        page.close()
    return count


def test_annotated_pdfs(desk: Path) -> None:
    folder = desk
    (folder / "docs" / "leave.md").unlink()
    (folder / "docs" / "a").mkdir()
    (folder / "docs" / "a" / "leave.pdf").write_bytes(simple_pdf(HANDBOOK))
    build("-o", "ledger.json")
    done = export("--format", "annotated-pdf", "--documents", "docs", "-o", "out.pdf")
    assert done.exit_code == 0, done.stderr
    assert highlights(Path("out.pdf")) == 2
    noon = "The canteen opens at noon on every working day."
    (folder / "docs" / "leave.pdf").write_bytes(simple_pdf(["The canteen", noon]))
    (folder / "answer.md").write_text(f"{ANSWER}{noon}\n", "utf-8")
    build("-o", "ledger.json")
    done = export("--format", "annotated-pdf", "--documents", "docs", "-o", "out.pdf")
    assert "the ledger rests on 2 PDFs: name a folder" in complaint(done.stderr)
    done = export("--format", "annotated-pdf", "--documents", "docs", "-o", "marked")
    assert done.exit_code == 0
    assert [path.name for path in contents(folder / "marked")] == ["leave-2.pdf", "leave.pdf"]
    before = contents(folder)
    done = export("--format", "annotated-pdf", "--documents", "docs", "-o", "docs")
    assert "it is an input of this run" in complaint(done.stderr)
    (folder / "docs" / "leave.pdf").write_bytes(simple_pdf(["Changed", noon]))
    done = export("--format", "annotated-pdf", "--documents", "docs", "-o", "again")
    assert "not the document that the ledger was built from" in complaint(done.stderr)
    assert contents(folder).keys() == before.keys()


# --- what cannot be made --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "web-annotations"], "give them with --documents"),
        (["--format", "annotated-pdf", "-o", "a.pdf"], "give them with --documents"),
        (["--format", "annotated-pdf", "--documents", "docs"], "name a file with --output"),
        (["--format", "annotated-pdf", "--documents", "docs", "-o", "a.pdf"], "rests on no PDF"),
        (["--format", "pack"], "name a file with --output"),
        (["--with-sources", "-o", "a.zip"], "give the sources with --documents"),
        (["--with-sources", "-o", "a.md"], "goes with --format pack only"),
        (["--base-url", "https://a.org", "-o", "a.md"], "goes with web-annotations"),
        (
            ["--format", "web-annotations", "--documents", "docs", "--base-url", "javascript:x"],
            "does not begin with https://",
        ),
        (["--format", "text-fragments", "--documents", "docs"], "no address on the web"),
        (["--format", "anthropic", "--documents", "nosuch"], "nosuch"),
        (["--documents", "answer.md", "-o", "a.md"], "rests on this document, and it is not"),
        (["--store", "none.db", "-o", "a.md"], "this one is a file"),
        (["--workspace", "other"], "this one is a file"),
    ],
)
def test_what_cannot_be_made_is_said_before_anything_is_written(
    desk: Path, options: list[str], message: str
) -> None:
    before = contents(desk)
    done = export(*options)
    assert done.exit_code == 2
    assert message in complaint(done.stderr)
    assert contents(desk) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('[{"type": "text"}]', "must be a string"),
        ('{"target": {"selector": []}}', "must be a list of content blocks"),
    ],
)
def test_citations_that_cannot_be_read(text: str, message: str) -> None:
    Path("given.json").write_text(text, "utf-8")
    done = invoke("ledger", "citations", "given.json", "--documents", "docs")
    assert done.exit_code == 2
    assert message in complaint(done.stderr)


# --- what is handed on is what it is called -------------------------------------------------------

LINKS = ("--format", "text-fragments", "--documents", "docs", "--base-url")


@pytest.mark.parametrize(
    ("form", "name", "ending"),
    [
        ("pdf", "a.html", ".pdf"),
        ("annotated-pdf", "a.html", ".pdf"),
        ("pack", "a.json", ".zip"),
        ("json", "a.pdf", ".json"),
        ("html", "a.MD", ".html"),
        ("markdown", "a.json", ".md"),
        ("anthropic", "a.html", ".json"),
        ("text-fragments", "a.jsonld", ".json"),
    ],
)
def test_a_name_that_promises_another_format_is_refused(
    desk: Path, form: str, name: str, ending: str
) -> None:
    before = contents(desk)
    sources = () if form in ("pdf", "pack", "json", "html", "markdown", "anthropic") else ("docs",)
    given = [part for folder in sources for part in ("--documents", folder)]
    done = export("--format", form, *given, "-o", name)
    assert done.exit_code == 2
    assert f"would hold --format {form}, no " in complaint(done.stderr)
    assert f"end its name with {ending}" in complaint(done.stderr)
    assert contents(desk) == before


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("https://a.org/view?file=", "has a query or a fragment"),
        ("https://", "is no address"),
        ("https://a.org/our docs", "is no address"),
        ('https://a.org/"onclick="', "is no address"),
    ],
)
def test_an_address_that_gives_no_links_is_refused(address: str, message: str) -> None:
    done = export(*LINKS, address)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in complaint(done.stderr)


@pytest.mark.parametrize("form", ["text-fragments", "web-annotations"])
def test_no_mark_is_made_at_other_words_than_the_ledger_quotes(form: str) -> None:
    marks = ("--format", form, "--documents", "docs", "--base-url", "https://a.org")
    assert export(*marks).exit_code == 0
    ledger = ledger_from_bytes(Path("ledger.json").read_bytes())
    first, *rest = ledger.entries
    words = first.evidence[0].snippet.replace("27", "28")
    piece = replace(first.evidence[0], snippet=words, source_text=words)
    changed = replace(ledger, entries=(replace(first, evidence=(piece,)), *rest))
    Path("ledger.json").write_bytes(ledger_to_bytes(changed))  # its seal is intact
    done = export(*marks)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "the evidence of claim 1 does not stand where the ledger says" in complaint(done.stderr)


@pytest.mark.parametrize("packed", [True, False])
def test_the_same_text_in_another_form_is_told(desk: Path, packed: bool) -> None:
    name = "pack.zip" if packed else "ledger.json"
    if packed:
        assert export("-o", name).exit_code == 0
    (desk / "docs" / "leave.md").unlink()
    (desk / "docs" / "leave.txt").write_text(POLICY, "utf-8")
    done = invoke("ledger", "verify", name, "--documents", "docs")
    assert done.exit_code == 1
    assert "it is 'markdown', but its document gives 'plain_text'" in done.stdout


# --- what is not checked of citations never passes ------------------------------------------------


def citations(data: object, *more: str) -> Any:
    Path("given.json").write_text(json.dumps(data), "utf-8")
    return invoke("ledger", "citations", "given.json", "--documents", "docs", *more)


def reply(*texts: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text} for text in texts]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (reply("One.", "Two."), "there is no citation; texts of the answer that carry none: 2"),
        ({"content": []}, "there is no citation"),
    ],
)
def test_nothing_to_check_passes_only_where_that_is_allowed(data: object, told: str) -> None:
    for form in ("table", "json"):
        done = citations(data, "--format", form)
        assert done.exit_code == 1
        assert told in done.stderr
    assert citations(data, "--allow-none").exit_code == 0


def test_a_damaged_pack_is_refused() -> None:
    export("--with-sources", "--documents", "docs", "-o", "full.zip")
    data = Path("full.zip").read_bytes()
    at = data.index(b"27 days", data.index(b"spans.csv"))
    Path("full.zip").write_bytes(data[:at] + b"28" + data[at + 2 :])
    done = verify("full.zip")
    assert done.exit_code == 2  # the zip's own checksum says so first
    assert "CRC" in complaint(done.stderr)
