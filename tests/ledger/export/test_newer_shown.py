"""Every export says that a source has a newer version, dated, and no seal is about that."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
from tests.ledger.export.samples import LEAVE
from tests.ledger.export.test_pdf import pages, squeezed
from tests.ledger.ledgers import documents, sample_ledger
from tests.validation.report_page import parse

from veridical.ledger.export.forms import ExportForm, export_ledger
from veridical.ledger.export.wording import newer_told
from veridical.ledger.newer import NewerVersion
from veridical.ledger.schemas import load_schema
from veridical.ledger.seal import check_seal
from veridical.ledger.verify import verify_ledger
from veridical.ledger.wire import ledger_from_bytes, ledger_to_bytes

NEWER = NewerVersion("source-hr", "HR_Policy.pdf", 1, 2, "2026-02-01T09:05:00Z")
TOLD = (
    "Newer version 2 of HR_Policy.pdf was added on 2026-02-01 09:05 UTC; the claims were checked "
    "against version 1."
)


def test_markdown_page_and_pdf_say_so_before_the_claims() -> None:
    made = {form: export_ledger(LEAVE, form, newer=(NEWER,)) for form in ExportForm}
    markdown = made[ExportForm.MARKDOWN].decode()
    told = TOLD.replace("_", r"\_") if r"\_" in markdown else TOLD
    assert f"\n\n⚠️ {told}\n\n" in markdown
    assert markdown.index(told) < markdown.index("### Summary")
    page = parse(made[ExportForm.HTML].decode())
    assert TOLD in page.by_id("newer").text
    assert squeezed(TOLD) in squeezed(pages(made[ExportForm.PDF])[0])


def test_a_file_with_the_note_fits_its_schema_and_is_verified() -> None:
    ledger = ledger_from_bytes(ledger_to_bytes(sample_ledger()))
    plain = ledger_to_bytes(ledger)
    noted = ledger_to_bytes(ledger, newer=(NEWER,))
    data = json.loads(noted)
    jsonschema.validate(data, load_schema("evidence_ledger"))
    assert data["newer_versions"] == [
        {
            "document_id": "source-hr",
            "filename": "HR_Policy.pdf",
            "checked_version": 1,
            "newer_version": 2,
            "added_at": "2026-02-01T09:05:00Z",
        }
    ]
    assert data["seal"] == json.loads(plain)["seal"]
    assert check_seal(noted, expected_head=data["seal"]["head"]).intact
    assert verify_ledger(noted, documents()).ok
    assert ledger_from_bytes(noted) == ledger


def test_a_note_of_another_shape_is_refused() -> None:
    data = json.loads(ledger_to_bytes(sample_ledger(), newer=(NEWER,)))
    data["newer_versions"][0]["verdict"] = "supported"
    assert not check_seal(json.dumps(data).encode()).intact


def test_an_earlier_version_that_came_back_is_not_called_newer() -> None:
    back = replace(NEWER, checked=2, newer=1)
    assert newer_told(back) == (
        "Version 1 of HR_Policy.pdf is current again; the claims were checked against version 2."
    )
