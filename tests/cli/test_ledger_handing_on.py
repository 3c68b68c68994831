"""What is handed on must be what it is called, and say what of it was checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.harness import complaint, invoke
from tests.cli.ledger_desk import POLICY, build, contents, set_up

from veridical import ledger_from_bytes, ledger_to_bytes

LINKS = ("--format", "text-fragments", "--documents", "docs", "--base-url")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with documents, an answer and its ledger."""
    folder = set_up(tmp_path, monkeypatch)
    assert build("-o", "ledger.json").exit_code == 0
    return folder


def export(*more: str | Path) -> Any:
    return invoke("ledger", "export", "ledger.json", *more)


@pytest.mark.parametrize(
    ("form", "name", "ending"),
    [
        ("pdf", "a.html", ".pdf"),
        ("annotated-pdf", "a.html", ".pdf"),
        ("annotated-pdf", "a.zip", ".pdf"),
        ("pack", "a.json", ".zip"),
        ("json", "a.pdf", ".json"),
        ("json", "a.html", ".json"),
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


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(
    ("form", "name"),
    [("json", "a.JSON"), ("anthropic", "a.json"), ("html", "a.htm"), ("markdown", "a.txt")],
)
def test_a_name_that_fits_or_promises_nothing_is_taken(form: str, name: str) -> None:
    assert export("--format", form, "-o", name).exit_code == 0
    assert Path(name).is_file()


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("https://a.org/view?file=", "has a query or a fragment"),
        ("https://a.org/#top", "has a query or a fragment"),
        ("https://", "is no address"),
        ("https:///docs", "is no address"),
        ("https://a.org/our docs", "is no address"),
        ('https://a.org/"onclick="', "is no address"),
    ],
)
def test_an_address_that_gives_no_links_is_refused(address: str, message: str) -> None:
    done = export(*LINKS, address)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in complaint(done.stderr)


@pytest.mark.usefixtures("desk")
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
