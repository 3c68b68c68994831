"""Documents that Veridical wrote itself: they quote what they check, and are evidence of nothing.

A report that says "not found" of a claim holds the words of that claim. Laid beside the sources it
would bear the claim out the next time.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator

from veridical.errors import NoDocumentsError, ValidationError
from veridical.reports.words import some
from veridical.sources.document import Document, Format

_log = logging.getLogger(__name__)

_MARKDOWN_EXPORT = re.compile(r"\s*## Evidence Ledger\s+\*\*Session:\*\* ")
_HTML_EXPORT = '<p class="soft">Evidence ledger · <time>'
_TESTS_REPORT = '<main><h1>Grounded report</h1><p class="soft">'
_PDF_EXPORT = re.compile(
    r"^Evidence ledger · \d{4}-\d\d-\d\d \d\d:\d\d UTC · judged by ", re.MULTILINE
)
_JSON_EXPORT = '"claim_id"'
_TABLE_EXPORT = "number\tclaim_id\tclaim\tverdict\treviewed\t"
_LEDGER_PATHS = frozenset({"$.ledger_id", "$.entries", "$.seal.head"})
_CHECK_LINE = re.compile(r".+?:\d+:\d+: (?:contradicted|not found|partial|unchecked): ")
_MOST_NAMED = 5


def is_own_work(document: Document) -> bool:
    """Whether a document is a ledger that Veridical wrote, in whatever form, or its report."""
    return any(_marks(document))


def without_own_work(documents: Iterable[Document]) -> tuple[Document, ...]:
    """The documents that may be evidence; a warning of the log names the others.

    Raises NoDocumentsError where nothing is left of some.
    """
    kept: list[Document] = []
    left: list[str] = []
    for document in documents:
        if is_own_work(document):
            left.append(document.name)
        else:
            kept.append(document)
    if left:
        names = some([*map(repr, left)], _MOST_NAMED)
        _log.warning("left out, for veridical wrote them: %s", names)
        if not kept:
            raise NoDocumentsError(
                "no document is left: ledgers that veridical wrote are no evidence. Give the "
                "sources."
            )
    return tuple(kept)


def _marks(document: Document) -> Iterator[bool]:
    """What tells our own exports, cheapest first."""
    text = document.text
    yield _MARKDOWN_EXPORT.match(text) is not None
    yield document.format is Format.HTML and (_HTML_EXPORT in text or _TESTS_REPORT in text)
    yield document.format is Format.PDF and _PDF_EXPORT.search(text) is not None
    lines = (line for line in text.split("\n") if line.strip())  # `veridical check` prints such
    yield _CHECK_LINE.match(text) is not None and all(map(_CHECK_LINE.match, lines))
    yield document.format is Format.CSV and text.startswith(_TABLE_EXPORT)
    is_json = document.format is Format.JSON and "claim_id: " in text
    yield is_json and _LEDGER_PATHS.issubset(place.name for place in document.places)
    yield text.lstrip()[:1] == "{" and _JSON_EXPORT in text and _is_ledger_file(text)


def _is_ledger_file(text: str) -> bool:
    from veridical.ledger.wire import ledger_from_bytes

    try:
        ledger_from_bytes(text.encode("utf-8", "surrogatepass"))
    except ValidationError:
        return False
    return True
