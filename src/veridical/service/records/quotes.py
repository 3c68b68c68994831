"""A validation as a page shows it: each quote with its verdict, its differences and its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from veridical.codec import Codec
from veridical.sources.transcript import clock
from veridical.store.records import Record
from veridical.validation import wording
from veridical.validation.claims import Claim, parse_claims
from veridical.validation.config import ValidationConfig
from veridical.validation.differences import Comparison, DiffPart, is_struck_through
from veridical.validation.results import ClaimResult, FailureReason, Fidelity, Status

MOST_PASSAGE_CHARS = 600
MOST_PLACES = 10


@dataclass(frozen=True, slots=True)
class Place:
    """Words of a source, with some that stand around them. `link` leads to them where the source
    is a document of the workspace; it is empty for a text that was handed in.
    """

    words: str
    where: str
    link: str
    before: str = ""
    after: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """A quote as it was checked. `place` is where it stands, or what is nearest to it."""

    result: ClaimResult
    place: Place | None
    found_in: str
    others: tuple[Place, ...]
    notes: Sequence[str]

    @property
    def is_sure(self) -> bool:
        """Whether its confidence says how sure the quote is; of any other it would be misread."""
        return self.result.passed

    @property
    def is_misplaced(self) -> bool:
        """Whether it stands somewhere else than it was said to."""
        return self.result.fidelity is Fidelity.MISATTRIBUTED

    @property
    def fidelity(self) -> str:
        """How true it is, in words."""
        is_struck = any(map(is_struck_through, self.result.alterations))
        return "struck out in the source" if is_struck else wording.fidelity_phrase(self.result)

    @property
    def why(self) -> str:
        """Why it has its status."""
        if self.is_misplaced:
            return "The words are real, but do not stand where the claim says."
        return wording.reason(self.result)

    @property
    def claimed(self) -> str:
        """Where it was said to stand, if it stands somewhere else."""
        claim = self.result.claim
        if not self.is_misplaced or self.place is None:
            return ""
        if claim.source and not self.found_in.endswith(claim.source):
            return claim.source
        return f"section {claim.expected_section}" if claim.expected_section else ""

    @property
    def diff(self) -> tuple[DiffPart, ...]:
        """What differs, word for word; nothing where all that is wrong is a line through it."""
        result = self.result
        if result.alterations and all(map(is_struck_through, result.alterations)):
            return ()
        return result.diff if any(not part.equal for part in result.diff) else ()


_COMPARISONS = Codec()


def quotes_of(record: Record) -> list[QuoteRow]:
    """The quotes of a validation that is ready, the worst first."""
    result = record.result or {}
    limit = ValidationConfig.from_mapping(record.request["config"]).performance_limits.max_claims
    claims = {claim.id: claim for claim in parse_claims(record.request["claims"], max_claims=limit)}
    links = {each["filename"]: each for each in record.request["documents"]}
    notes: dict[str, list[str]] = {}
    for note in result.get("warnings", ()):
        notes.setdefault(note.get("claim_id", ""), []).append(note["message"])
    found = {
        each["claim_id"]: each
        for each in (*result.get("failed_claims", ()), *result.get("validated_claims", ()))
    }
    rows = [
        _row(claim, found[name], links, notes.get(name, ()))
        for name, claim in claims.items()
        if name in found
    ]
    return sorted(rows, key=lambda row: wording.WORST_FIRST.index(row.result.status))


def _row(
    claim: Claim, found: Mapping[str, Any], links: Mapping[str, Any], notes: Sequence[str]
) -> QuoteRow:
    match = found.get("match_details") or found.get("found_at")
    return QuoteRow(
        result=ClaimResult(
            claim,
            Status(found["validation_status"]),
            found["confidence_score"],
            FailureReason(found["failure_reason"]) if "failure_reason" in found else None,
            Fidelity(found["fidelity"]) if "fidelity" in found else None,
            comparison=_COMPARISONS.read(Comparison, found),
            suggestions=tuple(found["suggestions"]),
        ),
        place=None if match is None else _place(match, links),
        found_in="" if match is None else match["document"],
        others=tuple(_others(found, links)),
        notes=notes,
    )


def _place(match: Mapping[str, Any], links: Mapping[str, Any]) -> Place:
    quoted: Mapping[str, Any] = next(
        (s for s in match["selectors"] if s["type"] == "TextQuoteSelector"), {}
    )
    words = quoted.get("exact") or match["matched_text"]
    return Place(
        words=_cut(words),
        before=quoted.get("prefix", ""),
        after=quoted.get("suffix", ""),
        where=_where(match),
        link=_link(match["document"], match["start_position"], match["end_position"], links),
    )


def _others(found: Mapping[str, Any], links: Mapping[str, Any]) -> Iterator[Place]:
    """Other places of the quote, then places that were looked at and rejected."""
    for each in (
        *found.get("alternative_matches", ())[:MOST_PLACES],
        *found.get("attempted_matches", ())[:MOST_PLACES],
    ):
        yield Place(
            words=_cut(each.get("matched_text") or each["candidate_text"]),
            where=_where(each),
            link=_link(each["document"], each["position"], each["end_position"], links),
            why_not=each.get("rejection_reason", ""),
        )


def _where(match: Mapping[str, Any]) -> str:
    """Document, page, section and line; of a recording, the second and who spoke."""
    parts = [match["document"]]
    if match.get("start_seconds") is not None:
        return ", ".join([*parts, clock(match["start_seconds"]), *match["speakers"][:3]])
    if "place" in match:
        return ", ".join([*parts, match["place"]])
    if "page" in match:
        parts.append(f"page {match['page']}")
    if match.get("section_path"):
        parts.append(" › ".join(match["section_path"]))
    return ", ".join([*parts, f"line {match['line_number']:,}"])


def _link(document: str, start: int, end: int, links: Mapping[str, Any]) -> str:
    known = links.get(document)
    if known is None:
        return ""
    query = urlencode({"version": known["version"], "start": start, "end": end})
    return f"/documents/{known['document_id']}?{query}"


def _cut(text: str) -> str:
    return text if len(text) <= MOST_PASSAGE_CHARS else text[:MOST_PASSAGE_CHARS] + "…"
