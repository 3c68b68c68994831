"""One call for every form."""

from __future__ import annotations

import json

import pytest
from tests.ledger.export.samples import LEAVE, entry, ledger

from veridical.ledger.export.forms import ExportForm, export_ledger, render

STARTS = {
    ExportForm.MARKDOWN: b"## Evidence Ledger\n",
    ExportForm.JSON: b"{",
    ExportForm.PDF: b"%PDF-",
    ExportForm.HTML: b"<!doctype html>",
}


@pytest.mark.parametrize("form", list(ExportForm))
def test_every_form_is_made_and_is_the_same_each_time(form: ExportForm) -> None:
    data = export_ledger(LEAVE, form)
    assert data.startswith(STARTS[form])
    assert render(LEAVE, form).data == data


def test_the_page_shows_the_head_of_the_seal_that_the_file_carries() -> None:
    head = json.loads(export_ledger(LEAVE, ExportForm.JSON))["seal"]["head"]
    assert f"<bdi>{head}</bdi>".encode() in export_ledger(LEAVE, ExportForm.HTML)


def test_a_ledger_that_no_file_can_hold_still_has_a_page() -> None:
    page = export_ledger(ledger(entry("half \ud800")), ExportForm.HTML)
    assert b"Seal head" not in page


def test_a_script_without_a_font_is_a_warning() -> None:
    assert render(ledger(title="\U00013000"), ExportForm.PDF).warnings
