"""What may bear an answer out: the documents given, less the answer and our own output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from veridical.cli.files import is_document_of
from veridical.cli.terminal import clean, err
from veridical.errors import NoDocumentsError, ValidationError
from veridical.sources.document import Document, Format
from veridical.sources.loader import Loaded

_MARKDOWN_EXPORT = re.compile(r"\s*## Evidence Ledger\s+\*\*Session:\*\* ")
_HTML_EXPORT = '<p class="soft">Evidence ledger · <time>'
_PDF_EXPORT = re.compile(
    r"^Evidence ledger · \d{4}-\d\d-\d\d \d\d:\d\d UTC · judged by ", re.MULTILINE
)
_JSON_EXPORT = '"claim_id"'


def evidence_only(loaded: Loaded, answer: str) -> Loaded:
    """The documents without those that prove nothing of the answer, each of which is told.

    An answer bears itself out, and so does a ledger of it, which quotes it.
    Raises NoDocumentsError where nothing is left.
    """
    kept = []
    for document in loaded.documents:
        reason = _reason_against(document, answer)
        if reason:
            err(f"veridical: warning: {clean(document.name)} is left out: {reason}")
        else:
            kept.append(document)
    if not kept:
        raise NoDocumentsError(
            "no document is left: the answer itself and ledgers are no evidence. Give the sources "
            "with --documents."
        )
    return replace(loaded, documents=tuple(kept))


def warn_of_outputs_among(outputs: Sequence[Path], folders: Sequence[str]) -> None:
    """Say which outputs would be taken for documents by the next run."""
    for path in outputs:
        for folder in folders:
            if is_document_of(path, folder):
                err(
                    f"veridical: warning: {clean(str(path))} is written into {clean(folder)}, "
                    "where the documents are; better keep ledgers elsewhere"
                )


def _reason_against(document: Document, answer: str) -> str:
    if document.text.strip() == answer.strip():
        return "it is the answer that is checked"
    return "it is a ledger that veridical wrote" if any(_marks(document)) else ""


def _marks(document: Document) -> Iterator[bool]:
    """What tells our own exports, cheapest first."""
    text = document.text
    yield _MARKDOWN_EXPORT.match(text) is not None
    yield document.format is Format.HTML and _HTML_EXPORT in text
    yield document.format is Format.PDF and _PDF_EXPORT.search(text) is not None
    yield text.lstrip()[:1] == "{" and _JSON_EXPORT in text and _is_ledger_file(text)


def _is_ledger_file(text: str) -> bool:
    from veridical.ledger.wire import ledger_from_bytes

    try:
        ledger_from_bytes(text.encode("utf-8", "surrogatepass"))
    except ValidationError:
        return False
    return True
