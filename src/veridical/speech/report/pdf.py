"""The evaluation of a speech as a PDF, made from the public copy like the page."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.ledger.export.forms import Export
from veridical.ledger.export.pdf import blocks_to_pdf
from veridical.reports.axis import known
from veridical.sources.transcript import clock
from veridical.speech.report import wording
from veridical.speech.report.html import DEFAULT_TITLE
from veridical.speech.results import PublicEvaluation, PublicItem


def render_pdf(public: PublicEvaluation, *, title: str | None = None) -> Export:
    """The evaluation as a PDF, and warnings. The same evaluation and fonts give the same bytes.

    Raises MissingExtraError where typst is not installed; ProcessingError where it cannot be made.
    """
    return blocks_to_pdf(title or public.title or DEFAULT_TITLE, list(_blocks(public)))


def _blocks(public: PublicEvaluation) -> Iterator[tuple[str, str]]:
    if public.speaker:
        yield "text", f"Speaker: {public.speaker}"
    yield "soft", wording.written_by(public)
    yield from (("soft", f"Warning: {warning}") for warning in public.warnings)
    if public.opening:
        yield "text", public.opening
    for number, item in enumerate(public.items, 1):
        yield from _item(number, item)
    if public.closing:
        yield "text", public.closing
    metrics = public.metrics
    yield "part", "Delivery"
    yield "text", f"Words: {metrics.words:,}. Pace: {wording.pace(metrics)}"
    yield "text", f"Pauses: {wording.pauses(metrics)}. Fillers: {len(metrics.fillers):,}"


def _item(number: int, item: PublicItem) -> Iterator[tuple[str, str]]:
    start = known(item.start)
    yield "point", f"{number}. {item.type.value.capitalize()}: {item.summary}"
    yield "quote", item.evidence_quote
    if start is not None:
        yield "soft", clock(start)
    if item.explanation:
        yield "text", item.explanation
