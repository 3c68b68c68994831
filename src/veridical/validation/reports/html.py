"""The report as one HTML page: claims on one side, their sources on the other.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of claims and documents as text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.reports.page import page
from veridical.reports.words import count
from veridical.validation import wording
from veridical.validation.claims import EvidenceType
from veridical.validation.differences import DiffPart
from veridical.validation.reports.source import Anchors, Places, panes
from veridical.validation.results import (
    Attempt,
    ClaimResult,
    Fidelity,
    Match,
    Status,
    ValidationReport,
)
from veridical.validation.wording import WORST_FIRST

MOST_PASSAGE_CHARS = 600
DEFAULT_TITLE = "Quote validation"


@dataclass(frozen=True, slots=True)
class Row:
    """One claim; `rank` is its place in the order of the documents."""

    number: int
    rank: int
    anchor: str
    result: ClaimResult
    place: Match | None

    @property
    def matches(self) -> list[Match]:
        """Every place that the claim points to."""
        result = self.result
        found = [match for match in (result.match, result.found_at) if match is not None]
        return [*found, *result.alternatives, *(attempt.match for attempt in result.attempts)]

    @property
    def tried(self) -> list[Attempt]:
        """The places that were rejected."""
        return [attempt for attempt in self.result.attempts if attempt.match is not self.place]

    @property
    def details(self) -> str:
        """What is folded away, in words."""
        result = self.result
        numbers = (
            (len(result.alternatives), "other place"),
            (len(result.suggestions), "suggestion"),
            (len(result.notes), "note"),
        )
        return ", ".join(("Details", *(count(n, noun) for n, noun in numbers if n)))

    @property
    def has_diff(self) -> bool:
        """Whether the quote is shown with the source's words beside those that were changed."""
        result = self.result
        return bool(result.diff) and result.claim.evidence_type is EvidenceType.DIRECT_QUOTE

    def diff(self) -> Iterator[tuple[str, DiffPart]]:
        """The quote in its parts, each with what stands in the quote between it and the one before;
        a space where the quote does not hold the part as it was compared.
        """
        quote, at = self.result.claim.quote, 0
        for part in self.result.diff:
            found = quote.find(part.quoted, at) if part.quoted else -1
            yield " " if found < 0 else quote[at:found], part
            if found >= 0:
                at = found + len(part.quoted)

    @property
    def passage(self) -> str:
        """The source's own words, where they differ from the quote's."""
        if self.place is None or self.result.fidelity is Fidelity.VERBATIM:
            return ""
        shown = self.place.shown
        if shown.split() == self.result.claim.quote.split():
            return ""
        return shown[:MOST_PASSAGE_CHARS] + ("…" if len(shown) > MOST_PASSAGE_CHARS else "")


def render_html(
    report: ValidationReport, *, title: str | None = None, generated: str | None = None
) -> str:
    """The report as a self-contained HTML page.

    `title` heads the page; `generated`, a time for example, is shown as it is. Without it the page
    holds no time: the same report gives the same bytes.
    """
    anchors = Anchors([result.claim.id for result in report.results])
    places = Places(report)
    groups: dict[Status, list[Row]] = {status: [] for status in WORST_FIRST}
    for row in _rows(report, places, anchors):
        groups[row.result.status].append(row)
    return page(
        "validation",
        title or DEFAULT_TITLE,
        report=report,
        generated=generated,
        groups=groups,
        places=places,
        anchors=anchors,
        panes=list(panes(places)),
        wording=wording,
    )


def _rows(report: ValidationReport, places: Places, anchors: Anchors) -> Iterator[Row]:
    """The claims in order, each with its rank by where its place stands; those without one last."""
    found = [wording.primary_place(result) for result in report.results]
    ends = [places.of(match).number if match else len(places.all) + 1 for match in found]
    order = sorted(range(len(ends)), key=ends.__getitem__)
    ranks = {number: rank for rank, number in enumerate(order)}
    for number, result in enumerate(report.results):
        yield Row(number, ranks[number], anchors.of[number], result, found[number])
