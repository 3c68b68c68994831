"""The claims of an answer by rules, without a model."""

from __future__ import annotations

from veridical.ledger.extraction.extractor import MAX_CLAIMS, Extraction
from veridical.ledger.extraction.finishing import finished
from veridical.ledger.extraction.page import read_page
from veridical.ledger.extraction.reader import ClaimReader
from veridical.ledger.markers import markers_of


class RuleExtractor:
    """Finds claims by rules: the embedded default. Linear in the length of the answer.

    A claim is a sentence, a list item, a row of a table, or one of two independent clauses of a
    sentence; `clauses` says when a sentence is cut, `remarks` what is no claim, `classify` how
    types and importance are told, and `outline` what goes into the context.
    """

    @property
    def name(self) -> str:
        """How ledgers name it."""
        return "rules-1"

    def extract(self, answer: str, session_id: str, query: str = "") -> Extraction:
        """See `Extractor.extract`."""
        page = read_page(answer)
        markers = markers_of(page)
        reader = ClaimReader(page, markers, MAX_CLAIMS)
        reader.read()
        return finished(page, markers, reader, session_id, query)
