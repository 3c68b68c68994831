"""The forms in which a ledger can be handed on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from veridical.errors import ValidationError
from veridical.ledger.entry import EvidenceLedger


class ExportForm(StrEnum):
    """A form of a ledger; the value is how commands call it."""

    MARKDOWN = "markdown"
    JSON = "json"
    PDF = "pdf"
    HTML = "html"


@dataclass(frozen=True, slots=True)
class Export:
    """A ledger in one of its forms, and what a reader of it should be told.

    `warnings` say what could not be shown: scripts without a font, claims that were left out.
    """

    data: bytes
    warnings: tuple[str, ...] = ()


def export_ledger(ledger: EvidenceLedger, form: ExportForm, *, key: bytes | None = None) -> bytes:
    """The ledger in this form: UTF-8, or a PDF. The same ledger gives the same bytes.

    JSON is the sealed file of section 9.2; with `key` only its holder can seal it anew. A PDF also
    depends on the fonts that are installed, and may have warnings: see `render`.

    Raises MissingExtraError where a PDF is wanted and typst is not installed; ProcessingError
    where the PDF cannot be made; ValidationError where the ledger holds what JSON cannot.
    """
    return render(ledger, form, key=key).data


def render(ledger: EvidenceLedger, form: ExportForm, *, key: bytes | None = None) -> Export:
    """As `export_ledger`, with the warnings that go with it."""
    if form is ExportForm.JSON:
        from veridical.ledger.wire import ledger_to_bytes

        return Export(ledger_to_bytes(ledger, key=key))
    if form is ExportForm.MARKDOWN:
        from veridical.ledger.export.markdown import render_markdown

        return Export(render_markdown(ledger).encode())
    if form is ExportForm.PDF:
        from veridical.ledger.export.pdf import export_pdf

        return export_pdf(ledger, seal_head=_seal_head(ledger, key))
    from veridical.ledger.export.html import render_ledger_html

    return Export(render_ledger_html(ledger, seal_head=_seal_head(ledger, key)).encode())


def _seal_head(ledger: EvidenceLedger, key: bytes | None) -> str | None:
    """The head of the seal that the ledger's file carries; None where no file can hold it."""
    from veridical.ledger.seal import seal
    from veridical.ledger.wire import ledger_to_json

    try:
        head = seal(ledger_to_json(ledger), key=key)["seal"]["head"]
    except ValidationError:
        return None
    return str(head)
