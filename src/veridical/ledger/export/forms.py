"""The forms in which a ledger can be handed on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from veridical.errors import ValidationError
from veridical.ledger.entry import EvidenceLedger, NewerVersion
from veridical.ledger.export import wording
from veridical.ledger.export.originals import placed
from veridical.ledger.export.wording import left_out
from veridical.ledger.review import EntryReview, Reviewed, reviewed
from veridical.ledger.risks import as_reviewed
from veridical.ledger.seal import seal
from veridical.ledger.text_fragments import TextFragments
from veridical.ledger.wire import ledger_to_bytes, ledger_to_json, with_reviews
from veridical.ledger.wire_given import to_anthropic
from veridical.ledger.wire_web_annotations import source_iri, to_web_annotations
from veridical.sources.document import Document

# Links to the quoted words of a ledger, as data.


def text_fragment_links(
    ledger: EvidenceLedger,
    documents: Iterable[Document],
    *,
    reviews: Sequence[EntryReview] = (),
    base_url: str | None = None,
) -> list[dict[str, Any]]:
    """One row for each piece of evidence: its claim, verdicts, source, quote and `url`.

    `exact` says whether the link tells the very words; else it leads to their page or document.
    Raises ValidationError where a source that is cited is missing or has another text now, does not
    have the words where the ledger quotes them, or has no address on the web: give `base_url`.
    """
    sources = wording.sources_by_id(ledger)
    fragments = cache(TextFragments)
    links: list[dict[str, Any]] = []
    for row, document in placed(ledger, documents, reviews):
        source = sources[row.piece.source_id]
        iri = source_iri(source, base_url)
        if iri.startswith("urn:"):
            raise ValidationError(
                f"{source.filename}: it has no address on the web, so no link can lead to it. Say "
                "where the sources stand: --base-url https://…"
            )
        url = fragments(document).link(iri, row.piece.snippet_span)
        links.append(
            {
                "claim": row.entry.claim.words,
                "number": row.number,
                "verdict": row.entry.verdict.value,
                "reviewed": row.review.verdict.value if row.review and row.review.verdict else None,
                "bearing": row.bearing,
                "source": source.filename,
                "quote": row.piece.snippet,
                "url": url,
                "exact": ":~:text=" in url,
            }
        )
    return links


class ExportForm(StrEnum):
    """A form of a ledger; the value is how commands call it."""

    MARKDOWN = "markdown"
    JSON = "json"
    PDF = "pdf"
    HTML = "html"


class CitationForm(StrEnum):
    """A form of what a ledger cites, for other programs; the value is how commands call it."""

    ANTHROPIC = "anthropic"
    WEB_ANNOTATIONS = "web-annotations"
    TEXT_FRAGMENTS = "text-fragments"


@dataclass(frozen=True, slots=True)
class Export:
    """A ledger in one of its forms, and what a reader of it should be told.

    `warnings` say what could not be shown: scripts without a font, claims that were left out.
    """

    data: bytes
    warnings: tuple[str, ...] = ()


def export_ledger(
    ledger: EvidenceLedger,
    form: ExportForm,
    *,
    reviews: Sequence[EntryReview] = (),
    revision: int = 1,
    newer: Sequence[NewerVersion] = (),
) -> bytes:
    """The ledger in this form: UTF-8, or a PDF. The same ledger gives the same bytes.

    JSON is the sealed file of section 9.2. A PDF also depends on the fonts that are installed, and
    may have warnings: see `render`.

    `reviews` are what reviewers decided about the verdicts, oldest first. Every form shows and
    counts the verdicts that stand, with the machine's beside them; the JSON keeps the machine's.
    `revision` is the one of the ledger (`StoredLedger` has it): a review says which revision it is
    of.

    `newer` are sources that have another version since; every form says so, with the date, and the
    seal does not cover it.

    Raises MissingExtraError where a PDF is wanted and typst is not installed; ProcessingError
    where the PDF cannot be made; ValidationError where the ledger holds what JSON cannot.
    """
    made = render(ledger, form, reviews=reviews, revision=revision, newer=newer)
    return made.data


def render(
    ledger: EvidenceLedger,
    form: ExportForm,
    *,
    reviews: Sequence[EntryReview] = (),
    revision: int = 1,
    newer: Sequence[NewerVersion] = (),
) -> Export:
    """As `export_ledger`, with the warnings that go with it.

    A review of a claim that the ledger has not is left out, and a warning says so.
    """
    found = reviewed(ledger, reviews)
    notice = left_out(found)
    warnings = (notice,) if notice else ()
    if form is ExportForm.JSON:
        data = ledger_to_bytes(ledger, reviews=found.history, revision=revision, newer=newer)
        return Export(data, warnings)
    if form is ExportForm.MARKDOWN:
        return Export(render_markdown(ledger, found, newer).encode(), warnings)
    head = _seal_head(ledger, found, revision)
    if form is ExportForm.PDF:
        from veridical.ledger.export.pdf import export_pdf

        made = export_pdf(ledger, seal_head=head, reviewed=found, newer=newer)
        return Export(made.data, (*warnings, *made.warnings))
    return Export(render_ledger_html(ledger, found, newer, seal_head=head).encode(), warnings)


SHOWN_AT_FIRST = 500
"""Rows that a browser with scripts lays out before it is asked for more; the script's `STEP`."""


def render_markdown(
    ledger: EvidenceLedger, found: Reviewed | None = None, newer: Sequence[NewerVersion] = ()
) -> str:
    """The ledger as Markdown (section 9.1 of its specification), in the order of the answer."""
    from veridical.reports import markdown

    return markdown.render_markdown("ledger", **_told(ledger, found, newer))


def render_ledger_html(
    ledger: EvidenceLedger,
    found: Reviewed | None = None,
    newer: Sequence[NewerVersion] = (),
    *,
    seal_head: str | None = None,
) -> str:
    """The same as a page that is complete in itself, the worst verdicts first: it asks nothing of
    any network, can be read without scripts, and treats every text as text.
    """
    from veridical.reports.page import page

    return page(
        "ledger",
        wording.heading(ledger),
        **_told(ledger, found, newer),
        seal_head=seal_head,
        band_class=lambda entry: wording.band(entry.confidence_score).replace(" ", "-"),
        SHOWN_AT_FIRST=SHOWN_AT_FIRST,
    )


def _told(
    ledger: EvidenceLedger, found: Reviewed | None, newer: Sequence[NewerVersion]
) -> dict[str, Any]:
    """What the templates say a ledger with."""
    found = found or reviewed(ledger)
    stood = as_reviewed(ledger, found.standing)
    return {
        "ledger": stood,
        "machine": ledger.summary,
        "found": found,
        "newer": [wording.newer_told(each) for each in newer],
        "sources": wording.sources_by_id(ledger),
        "numbers": wording.numbers_by_claim(ledger),
        "rows": wording.numbered(stood),
        "by_entry": wording.rows_by_entry(ledger),
        "wording": wording,
    }


def export_citations(
    ledger: EvidenceLedger,
    form: CitationForm,
    documents: Sequence[Document] = (),
    *,
    reviews: Sequence[EntryReview] = (),
    base_url: str | None = None,
) -> bytes:
    """What a ledger cites, as JSON in UTF-8. The same arguments give the same bytes.

    `documents` are the sources as they were, of which the last two forms need those that are
    cited. `base_url` is where they stand on the web; without it only sources whose names are web
    addresses have one. Reviewers' verdicts in `reviews` are told beside the machine's, and what
    they say is not borne out is not cited.

    Raises ValidationError where a document is missing or has another text than the ledger's.
    """
    import json

    data: object
    match form:
        case CitationForm.ANTHROPIC:
            data = to_anthropic(ledger, reviews=reviews)
        case CitationForm.WEB_ANNOTATIONS:
            data = to_web_annotations(ledger, documents, reviews=reviews, base_url=base_url)
        case CitationForm.TEXT_FRAGMENTS:
            data = text_fragment_links(ledger, documents, reviews=reviews, base_url=base_url)
    text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    return text.encode("utf-8", "backslashreplace")


def _seal_head(ledger: EvidenceLedger, found: Reviewed, revision: int) -> str | None:
    """The head of the seal that the ledger's file carries; None where no file can hold it."""
    try:
        data = with_reviews(ledger_to_json(ledger), found.history, revision)
        return str(seal(data)["seal"]["head"])
    except ValidationError:
        return None
