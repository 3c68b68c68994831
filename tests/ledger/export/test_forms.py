"""One call for every form; and every form says that a source has a newer version."""

from __future__ import annotations

import json

import jsonschema
import pytest
from tests.ledger.export.samples import LEAVE
from tests.ledger.export.test_pdf import pages, squeezed
from tests.ledger.ledgers import documents, sample_ledger
from tests.validation.report_page import parse

from veridical.ledger.entry import NewerVersion
from veridical.ledger.export.forms import ExportForm, export_ledger, render
from veridical.ledger.export.wording import newer_told
from veridical.ledger.schemas import load_schema
from veridical.ledger.seal import check_seal
from veridical.ledger.verify import verify_ledger
from veridical.ledger.wire import ledger_from_bytes, ledger_to_bytes


@pytest.mark.parametrize("form", list(ExportForm))
def test_every_form_is_made_and_is_the_same_each_time(form: ExportForm) -> None:
    assert render(LEAVE, form).data == export_ledger(LEAVE, form)


# --- newer versions -------------------------------------------------------------------------------

NEWER = NewerVersion("source-hr", "HR_Policy.pdf", 1, 2, "2026-02-01T09:05:00Z")
TOLD = (
    "Newer version 2 of HR_Policy.pdf was added on 2026-02-01 09:05 UTC; the claims were checked "
    "against version 1."
)


def test_markdown_page_and_pdf_tell_of_a_newer_version_before_the_claims() -> None:
    made = {form: export_ledger(LEAVE, form, newer=(NEWER,)) for form in ExportForm}
    before, _, _ = made[ExportForm.MARKDOWN].decode().partition("### Summary")
    assert f"\n\n⚠️ {TOLD}\n\n" in before.replace("\\", "")
    assert TOLD in parse(made[ExportForm.HTML].decode()).by_id("newer").text
    assert squeezed(TOLD) in squeezed(pages(made[ExportForm.PDF])[0])
    back = NewerVersion("source-hr", "HR_Policy.pdf", 2, 1, NEWER.added_at)
    assert newer_told(back).startswith("Version 1 of HR_Policy.pdf is current again; ")


def test_no_seal_is_about_a_newer_version_and_the_file_is_verified() -> None:
    made = ledger_from_bytes(ledger_to_bytes(sample_ledger()))
    noted = ledger_to_bytes(made, newer=(NEWER,))
    data = json.loads(noted)
    jsonschema.validate(data, load_schema("evidence_ledger"))
    assert data["newer_versions"][0]["added_at"] == NEWER.added_at
    assert data["seal"] == json.loads(ledger_to_bytes(made))["seal"]
    assert check_seal(noted, expected_head=data["seal"]["head"]).intact
    assert verify_ledger(noted, documents()).ok
    assert ledger_from_bytes(noted) == made
    data["newer_versions"][0]["verdict"] = "supported"  # a note of another shape is refused
    assert not check_seal(json.dumps(data).encode()).intact
