"""How current are the sources? Dates that documents state of themselves, and newer versions."""

from __future__ import annotations

import calendar
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath

from veridical.ledger.entry import Source
from veridical.ledger.ids import document_id
from veridical.sources.document import Document, Span

# Dates as people write them: ISO, "1 March 2024", "March 1, 2024", "March 2024", "2024".


_MONTHS = {
    name: number
    for number in range(1, 13)
    for name in (calendar.month_name[number].lower(), calendar.month_abbr[number].lower())
}
_MONTHS["sept"] = 9

_YEAR = r"(?:19|20)\d\d"
_DATE = re.compile(
    rf"(?<![\w.])(?:(?P<iso_year>{_YEAR})-(?P<iso_month>\d\d)(?:-(?P<iso_day>\d\d))?"
    r"|(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?[ \t]+)?"
    rf"(?a:(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))}))\.?"
    rf"(?:[ \t]+(?P<day_after>\d{{1,2}})(?:st|nd|rd|th)?)?,?[ \t]+(?P<named_year>{_YEAR})"
    rf"|(?P<year>{_YEAR}))(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)


def dates_in(text: str) -> Iterator[tuple[int, date]]:
    """The dates of a text with where they start, in order. A month or a year alone counts as its
    last day. Dates all in numbers ("3/4/2024") are left out: nobody can tell the month from the
    day.
    """
    for found in _DATE.finditer(text):
        year = int(found["iso_year"] or found["named_year"] or found["year"])
        month = _MONTHS[found["month"].lower()] if found["month"] else int(found["iso_month"] or 12)
        day = found["iso_day"] or found["day_after"] or found["day"]
        with suppress(ValueError):  # of a day or a month that there is not
            last = calendar.monthrange(year, month)[1]
            yield found.start(), date(year, month, int(day) if day else last)


OUTDATED_AFTER_YEARS = 3
"""A source whose own date lies further back is called possibly outdated."""

_HEAD_CHARS = 3_000
"""A document states its date near its beginning."""

_STATED = re.compile(
    r"\b(?:effective(?: date| from| as of)?|in force (?:from|since)|valid from|issued(?: on)?|"
    r"issue date|(?:last |date )?(?:updated|revised|reviewed|modified|amended|published|approved)"
    r"(?: on)?|revision date|publication date|date of (?:issue|revision|publication|approval)|"
    r"version date|(?m:^)[ \t|*_]*date(?=[ \t*_]*[:|]))\b[ \t*_:|–—-]{0,6}",
    re.IGNORECASE,
)
_EXPIRY = re.compile(
    r"\b(?:valid (?:until|to|through)|expires?(?: on)?|expiry date|"
    r"(?:next )?review (?:date|by|due)|to be reviewed (?:by|before)|in force until)\b"
    r"[ \t*_:|–—-]{0,6}",
    re.IGNORECASE,
)
_GONE = "superseded|withdrawn|obsolete|archived|rescinded|repealed|no longer in force"
_WITHDRAWN = re.compile(
    rf"^[ \t#>*_\[(-]*(?:status\W{{1,6}}({_GONE})\b"
    rf"|({_GONE})(?=[\W_]*$|[\W_]+(?:on|since|by|as of)\b))",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that says this of the document: "Archived files are kept" says something else."""

_DATE_CHARS = 40
_VERSION_YEAR = re.compile(rf"(?<!\d)(?<!\d[-_.])({_YEAR})(?![-_.]?\d)")
_VERSION = re.compile(
    r"(?<![a-z0-9])(?:v|ver|version|rev|revision)[-_ .]?(\d{1,4}(?:[._]\d{1,4}){0,3})(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Staleness:
    """Why a source may be outdated; `superseded_by` is the id of the source that replaces it.

    `replaced` says that more than the names bear this out: both state their dates, the newer one's
    is later and not yet to come, and nothing speaks against the newer one.
    """

    reason: str
    superseded_by: str | None = None
    replaced: bool = False


def stated_date(document: Document) -> date | None:
    """The latest date of issue, revision or effect that a document states near its beginning.

    A bare year counts as its last day: nothing is called older than it may be.
    """
    found = _dates_after(_STATED, document)
    return max(found, default=None)


def described(documents: Sequence[Document], workspace: str) -> tuple[Source, ...]:
    """The documents as a ledger's sources, each with its date and its newer version."""
    sources = []
    for document in documents:
        stated = stated_date(document)
        sources.append(
            Source(
                id=document_id(document.name, workspace),
                filename=document.name,
                sha256=document.sha256,
                format=document.format.value,
                chars=len(document.text),
                date=stated.isoformat() if stated else None,
            )
        )
    return with_successors(sources)


def stale_sources(
    documents: Sequence[Document], sources: Sequence[Source], today: date
) -> dict[str, Staleness]:
    """Why sources may be outdated, by their id: withdrawn, expired, superseded or old.

    `sources` describe `documents`, in the same order.
    """
    by_id = {source.id: source for source in sources}
    found: dict[str, Staleness] = {}
    for document, source in zip(documents, sources, strict=True):
        if reason := _reason(document, source, today):
            found[source.id] = Staleness(reason, source.superseded_by)
    stale_by_themselves = frozenset(found)
    for source in sources:
        if source.superseded_by is not None:
            newer = by_id[source.superseded_by]
            # Whether the documents themselves say that it is later; ISO dates compare as texts.
            dated = bool(source.date and newer.date)
            is_later = dated and (source.date or "") < (newer.date or "") <= today.isoformat()
            borne_out = newer.id not in stale_by_themselves and is_later
            reason = f"{newer.filename} is a newer version of it"
            found[source.id] = Staleness(reason, newer.id, replaced=borne_out)
    return found


def with_successors(sources: Sequence[Source]) -> tuple[Source, ...]:
    """The sources, each with the newest other version of it among them.

    Two files are versions of one document where their names differ in a year or a version number
    only: `HR_Policy_2023.pdf` and `HR_Policy_2024.pdf`, `leave-v1.md` and `leave-v2.md`. Names with
    a month or a day in them are taken for records of different days.
    """
    families: defaultdict[str, list[tuple[tuple[int, ...], Source]]] = defaultdict(list)
    for source in sources:
        stem, version = _family(source.filename)
        if version:
            families[stem].append((version, source))
    newest: dict[str, str] = {}
    for members in families.values():
        latest_version, latest = max(members, key=lambda member: (member[0], member[1].id))
        for version, source in members:
            if version < latest_version:
                newest[source.id] = latest.id
    return tuple(replace(s, superseded_by=newest.get(s.id, s.superseded_by)) for s in sources)


def _reason(document: Document, source: Source, today: date) -> str:
    withdrawn = _WITHDRAWN.search(_head(document))
    if withdrawn:
        said = withdrawn[1] or withdrawn[2]
        return f"it says of itself “{' '.join(said.split())}”"
    expiry = max(_dates_after(_EXPIRY, document), default=None)
    if expiry is not None and expiry < today:
        return f"it was to be reviewed, or valid until, {expiry.isoformat()}"
    if source.date is not None:
        stated = date.fromisoformat(source.date)
        is_before_day = (today.month, today.day) < (stated.month, stated.day)
        if today.year - stated.year - is_before_day >= OUTDATED_AFTER_YEARS:
            return f"it is dated {source.date}"
    return ""


def _head(document: Document) -> str:
    return document.shown(Span(0, min(len(document.text), _HEAD_CHARS)))


def _dates_after(words: re.Pattern[str], document: Document) -> list[date]:
    head = _head(document)
    found = []
    for match in words.finditer(head):
        line = head[match.end() : match.end() + _DATE_CHARS].split("\n", 1)[0]
        start, stated = next(dates_in(line), (len(line), None))
        if stated is not None and start <= 2:
            found.append(stated)
    return found


def _family(filename: str) -> tuple[str, tuple[int, ...]]:
    """A file's name without the parts that tell versions apart, and those parts as numbers."""
    path = PurePosixPath(filename.replace("\\", "/").lower())
    stem = str(path.with_suffix(""))
    version: tuple[int, ...] = ()
    explicit = _VERSION.search(stem)
    year = _VERSION_YEAR.search(stem)
    if explicit:
        version = tuple(int(part) for part in re.split(r"[._]", explicit[1]))
        stem = stem.replace(explicit[0], "", 1)
    elif year:
        version = (int(year[1]),)
        stem = stem.replace(year[0], "", 1)
    return re.sub(r"[-_. ]+", "-", stem).strip("-") + path.suffix, version
