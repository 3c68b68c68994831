"""Is what follows from entries and documents what the ledger says: dates, risks, what to do next?

All of it is made again by the functions that made it when the ledger was built.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime

from veridical.judging.verdict import Verdict
from veridical.ledger.deciding import QUALITY_CURRENT, QUALITY_STALE
from veridical.ledger.entry import EvidenceLedger, Source
from veridical.ledger.followups import follow_up_questions, recommended_actions
from veridical.ledger.freshness import Staleness, described, stale_sources
from veridical.ledger.ids import DEFAULT_WORKSPACE
from veridical.ledger.risks import risk_flags
from veridical.ledger.seal import Problem
from veridical.sources.document import Document

Documents = Mapping[str, Document]
"""By source id, the documents whose text is the one that the ledger was built on."""


def time_problems(ledger: EvidenceLedger) -> Iterator[Problem]:
    """Times and dates that no calendar has."""
    for where, moment in (("generated_at", ledger.created_at), ("updated_at", ledger.updated_at)):
        if not is_time(moment):
            yield Problem(where, f"there is no such time: {moment}")
    for index, source in enumerate(ledger.sources):
        if source.date is not None and not is_time(source.date):
            yield Problem(f"sources[{index}].date", f"there is no such day: {source.date}")


def is_time(text: str) -> bool:
    """Whether a calendar has this time or day."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def source_problems(ledger: EvidenceLedger, unchanged: Documents) -> Iterator[Problem]:
    """What is said of sources that is not so. Which replaces which is known of all together."""
    known = {source.id for source in ledger.sources}
    for index, source in enumerate(ledger.sources):
        at = f"sources[{index}]"
        if source.superseded_by is not None and source.superseded_by not in known:
            yield Problem(at, "it is superseded by a document that is not among the sources")
        if source.id not in unchanged:
            continue
        (now,) = described([_as_named(unchanged[source.id], source)], DEFAULT_WORKSPACE)
        if now.chars != source.chars:
            yield Problem(at, f"it has {now.chars:,} characters, not {source.chars:,}")
        if now.format != source.format:
            yield Problem(f"{at}.format", f"it was read as {now.format}, not {source.format}")
        if now.date != source.date:
            yield Problem(f"{at}.date", f"the document says {now.date or 'nothing'}")
    if known and known == unchanged.keys():
        yield from _successors(ledger, unchanged)


def _successors(ledger: EvidenceLedger, unchanged: Documents) -> Iterator[Problem]:
    documents = [_as_named(unchanged[source.id], source) for source in ledger.sources]
    made = described(documents, DEFAULT_WORKSPACE)
    ids = {now.id: source.id for now, source in zip(made, ledger.sources, strict=True)}
    for index, (now, source) in enumerate(zip(made, ledger.sources, strict=True)):
        newer = None if now.superseded_by is None else ids[now.superseded_by]
        if newer != source.superseded_by:
            where = f"sources[{index}].superseded_by"
            yield Problem(where, f"the names of the sources say {newer or 'nothing'}")


def _as_named(document: Document, source: Source) -> Document:
    """The document under the name that it had when the ledger was built."""
    return document if document.name == source.filename else replace(document, name=source.filename)


def follows(ledger: EvidenceLedger, unchanged: Documents) -> Iterator[Problem]:
    """What does not follow from the entries, where all sources are as they were.

    Only for a ledger that is right otherwise: it would be made from what is wrong.
    """
    if any(source.id not in unchanged for source in ledger.sources):
        return
    entries, sources = ledger.entries, ledger.sources
    documents = [_as_named(unchanged[source.id], source) for source in sources]
    stale = stale_sources(documents, sources, date.fromisoformat(ledger.created_at[:10]))
    yield from _qualities(ledger, stale)
    flags = risk_flags(ledger.session_id, entries, sources, stale)
    expected = (
        ("risk_flags", ledger.risk_flags, flags),
        (
            "follow_up_questions",
            ledger.follow_up_questions,
            follow_up_questions(entries, sources, stale),
        ),
        ("actions", ledger.actions, recommended_actions(entries, flags)),
    )
    for where, stated, made in expected:
        if tuple(stated) != tuple(made):
            yield Problem(where, "they are not those that follow from the entries and the sources")


def _qualities(ledger: EvidenceLedger, stale: Mapping[str, Staleness]) -> Iterator[Problem]:
    for index, entry in enumerate(ledger.entries):
        if entry.verdict in (Verdict.NOT_FOUND, Verdict.CONTRADICTED):
            continue  # their confidence rests on no source
        quality = QUALITY_STALE if entry.evidence[0].source_id in stale else QUALITY_CURRENT
        if entry.components.source_quality != quality:
            where = f"entries[{index}].components.source_quality"
            yield Problem(where, f"the source of the deciding piece gives {quality:.6g}")
