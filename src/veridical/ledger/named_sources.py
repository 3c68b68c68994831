"""A claim that names its source is borne out by that source, or else in part only.

"Staff get 25 days of leave (travel.md)" tells a reader to look it up in travel.md. Where another
source says it and that one does not, the claim is wrong about something that matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import FULL_SUPPORT_ABOVE
from veridical.ledger.entry import CitationCheck, Evidence, MarkerKind

_MOST_SHOWN = 3


def cited_by_name(citations: Sequence[CitationCheck]) -> tuple[CitationCheck, ...]:
    """The citations that point to a source by its name, or by a number of the answer's own list of
    sources.
    """
    return tuple(
        check
        for check in citations
        if check.source_id is not None and check.marker.kind is not MarkerKind.ANCHOR
    )


def supports(evidence: Evidence) -> bool:
    """Whether a piece bears its claim out fully, and does not speak against it."""
    return evidence.support is SupportLevel.FULL and not evidence.contradicts


def by_others_only(evidence: Sequence[Evidence], named: Mapping[str, str]) -> bool:
    """Whether sources bear a claim out, and none of those that it names: `named` by their ids."""
    supporting = {piece.source_id for piece in evidence if supports(piece)}
    return bool(named and supporting) and supporting.isdisjoint(named)


def in_part(evidence: Evidence) -> Evidence:
    """A piece of another source: it bears out what is said, and not where it is said."""
    similarity = min(evidence.similarity, FULL_SUPPORT_ABOVE)
    return replace(evidence, support=SupportLevel.PARTIAL, similarity=similarity)


def told(named: Mapping[str, str]) -> str:
    """Why a claim is borne out in part only, for a reader."""
    files = sorted(set(named.values()))
    more = f" and {len(files) - _MOST_SHOWN} more" if files[_MOST_SHOWN:] else ""
    return (
        f"Another source says it, and {', '.join(files[:_MOST_SHOWN])}{more}, which the answer "
        "names for it, does not."
    )
