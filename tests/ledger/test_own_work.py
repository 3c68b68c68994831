"""What Veridical wrote of an answer is no evidence for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from veridical import (
    ExportForm,
    NoDocumentsError,
    build_ledger,
    document_from_text,
    export_ledger,
    ledger_to_bytes,
    load_documents,
)
from veridical.integrations.common import AnswerCheck
from veridical.ledger.own_work import is_own_work, without_own_work
from veridical.testing import assert_grounded

FALSE = "Full-time staff get 99 days of annual leave a year."
SOURCE = "Full-time staff get 27 days of annual leave a year."


@pytest.fixture(scope="module")
def exports() -> dict[str, bytes]:
    """A ledger that says "contradicted" of a false claim, in the forms that a folder may hold."""
    ledger = build_ledger(FALSE, [document_from_text(SOURCE, "leave.md")])
    return {
        "ledger.html": export_ledger(ledger, ExportForm.HTML),
        "ledger.md": export_ledger(ledger, ExportForm.MARKDOWN),
        "ledger.txt": ledger_to_bytes(ledger),
        "check.txt": f"a.md:1:1: contradicted: {FALSE} It says 27.\n".encode() * 2,
    }


@pytest.mark.parametrize("name", ["ledger.html", "ledger.md", "ledger.txt", "check.txt"])
def test_a_ledger_beside_the_sources_bears_nothing_out(
    name: str, exports: dict[str, bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "leave.md").write_text(SOURCE, "utf-8")
    (tmp_path / name).write_bytes(exports[name])
    with caplog.at_level("WARNING", "veridical"):
        kept = without_own_work(load_documents([tmp_path]).documents)
    assert [document.name for document in kept] == ["leave.md"]
    assert f"veridical wrote them: '{name}'" in caplog.text
    with pytest.raises(AssertionError, match="99"):
        assert_grounded(FALSE, tmp_path)
    assert not AnswerCheck(str(tmp_path)).check(FALSE, "", list).grounded


def test_where_only_ledgers_are_there_is_no_source(
    exports: dict[str, bytes], tmp_path: Path
) -> None:
    (tmp_path / "ledger.md").write_bytes(exports["ledger.md"])
    with pytest.raises(NoDocumentsError, match="ledgers that veridical wrote"):
        assert_grounded(FALSE, tmp_path)
    assert without_own_work(()) == ()


def test_a_document_about_ledgers_is_a_source() -> None:
    text = (
        "# Evidence Ledger\n\nWe keep a ledger of the evidence, with a claim_id for each claim.\n"
    )
    assert not is_own_work(document_from_text(text, "about.md"))
    partly = "a.md:1:1: partial: This is an example.\n\nSo does a line begin.\n"
    assert not is_own_work(document_from_text(partly, "check.txt"))


def test_an_empty_name_is_no_source() -> None:
    with pytest.raises(NoDocumentsError, match="empty"):
        load_documents([""])
