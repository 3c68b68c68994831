"""A section's reply, read: exactly one answer a criterion, whatever the model made of the form.

What is missing, doubled or of the wrong type becomes `not_observed` or is left out, always with a
warning. A repair never makes a verdict better than it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from veridical.models.values import read_number, seconds, shortened, tidied
from veridical.scoring.rubric import Criterion, CriterionType, Section
from veridical.scoring.scorecard import (
    SCORED,
    CardWarning,
    CitedEvent,
    CitedEvidence,
    CriterionAnswer,
    CriterionVerdict,
    SectionAnswer,
    WarningCode,
)

MOST_EVIDENCE = 50
MOST_EVENTS = 100
"""Quotes and events of one criterion that are kept."""

MOST_WARNINGS = 20
MOST_REPEATS = 10
"""Answers to one criterion that are compared; where there are more, none of them is believed."""

MOST_UNKNOWN = 10
"""Unknown criteria that are named, each with a warning of its own."""

_MOST_RATIONALE_CHARS = 2_000
_MOST_NOTES_CHARS = 4_000
_MOST_WARNING_CHARS = 500
_MOST_ID_CHARS = 80
_MOST_QUOTE_CHARS = 4_000
_MOST_NAME_CHARS = 200

_APART = re.compile(r"[\s_-]+")

_FIELDS = frozenset({"sectionId", "criteria", "sectionNotes", "warnings"})
_CRITERION_FIELDS = frozenset(
    {"criterionId", "verdict", "score", "confidence", "rationale", "evidence", "observedEvents"}
)
_T = TypeVar("_T")


class Unusable(Exception):
    """A reply in which there are no answers to read. The message holds none of its text."""


def read_reply(data: object, section: Section) -> SectionAnswer:
    """The answers in a reply that is parsed JSON, in linear time.

    Raises Unusable where it is no object, has no list of criteria, or is of another section.
    """
    if not isinstance(data, Mapping):
        raise Unusable("the reply is not a JSON object")
    items = data.get("criteria")
    if not isinstance(items, list):
        raise Unusable("the reply has no list of criteria")
    repairs = _Repairs(section.id)
    if (named := data.get("sectionId")) != section.id:
        # It may be the section's id but for case and spaces, or its title.
        names = {section.id.casefold(), section.title.casefold()}
        is_name = isinstance(named, str) and named.strip().casefold() in names
        if named is not None and not is_name:
            raise Unusable("the reply is about another section than the one that was asked for")
        repairs.add("the reply does not name the section that was asked for")
    unknown = len(data.keys() - _FIELDS)
    unknown += sum(len(item.keys() - _CRITERION_FIELDS) for item in items if isinstance(item, dict))
    _count(repairs.add, "the reply has fields that were not asked for; they are left out", unknown)
    given = _by_criterion(items, section, repairs)
    criteria = tuple(_answer(given[c.id], c, repairs) for c in section.criteria)
    notes = _text(data, "sectionNotes", _MOST_NOTES_CHARS, repairs.add)
    _pass_warnings_on(data.get("warnings"), repairs)
    return SectionAnswer(section.id, criteria, notes, repairs.warnings)


class _Repairs:
    """The warnings of one reply, each once, in the order in which it is read."""

    def __init__(self, section_id: str) -> None:
        self._warnings: dict[CardWarning, None] = {}
        self._section_id = section_id

    @property
    def warnings(self) -> tuple[CardWarning, ...]:
        return tuple(self._warnings)

    def add(
        self,
        message: str,
        criterion_id: str | None = None,
        code: WarningCode = WarningCode.REPLY_REPAIRED,
    ) -> None:
        self._warnings[CardWarning(code, message, self._section_id, criterion_id)] = None


_Note = Callable[[str], None]
"""Notes one repair."""


def _answer(
    given: Sequence[Mapping[str, Any]], criterion: Criterion, repairs: _Repairs
) -> CriterionAnswer:
    """The one answer of the items that there are for a criterion."""

    def note(message: str, code: WarningCode = WarningCode.REPLY_REPAIRED) -> None:
        repairs.add(message, criterion.id, code)

    unseen = CriterionAnswer(criterion.id, CriterionVerdict.NOT_OBSERVED)
    if not given:
        message = "the reply leaves this criterion out; it counts as not observed"
        note(message, WarningCode.MISSING_CRITERION)
        return unseen
    read = [_read(item, criterion, note) for item in given[:MOST_REPEATS]]
    if len(given) == 1:
        return read[0]
    verdicts = {(answer.verdict, answer.score) for answer in read}
    agree = len(verdicts) == 1 and len(given) <= MOST_REPEATS
    taken = "the first is taken" if agree else "it counts as not observed"
    note(
        f"the reply scores this criterion {len(given)} times; {taken}",
        WarningCode.DUPLICATE_CRITERION,
    )
    return read[0] if agree else unseen


def _by_criterion(
    items: list[Any], section: Section, repairs: _Repairs
) -> dict[str, list[Mapping[str, Any]]]:
    """The items of each criterion. Those of no criterion are warned of."""
    given: dict[str, list[Mapping[str, Any]]] = {c.id: [] for c in section.criteria}
    unknown: dict[str, None] = {}
    nameless = 0
    for item in items:
        name = item.get("criterionId") if isinstance(item, Mapping) else None
        if not isinstance(name, str):
            nameless += 1
        elif name in given:
            given[name].append(item)
        else:
            unknown[name] = None
    _count(repairs.add, "criteria of the reply without an id are left out", nameless)
    for name in list(unknown)[:MOST_UNKNOWN]:
        shown = shortened(name, _MOST_ID_CHARS)
        repairs.add(
            f"the reply scores {shown!r}, which is no criterion of this section; it is left out",
            code=WarningCode.UNKNOWN_CRITERION,
        )
    if len(unknown) > MOST_UNKNOWN:
        repairs.add(
            f"the reply scores further criteria that are not of this section; they are left out: "
            f"{len(unknown) - MOST_UNKNOWN}",
            code=WarningCode.UNKNOWN_CRITERION,
        )
    return given


def _read(item: Mapping[str, Any], criterion: Criterion, note: _Note) -> CriterionAnswer:
    answer = CriterionAnswer(
        criterion.id,
        _verdict(item.get("verdict"), note),
        score=_number(item, "score", note),
        confidence=_number(item, "confidence", note),
        rationale=_text(item, "rationale", _MOST_RATIONALE_CHARS, note),
        evidence=_list(item, "evidence", MOST_EVIDENCE, _evidence, note),
        observed_events=_list(item, "observedEvents", MOST_EVENTS, _event, note),
    )
    unreadable = item.get("score") is not None and answer.score is None
    if unreadable and criterion.type is not CriterionType.TIMING and answer.verdict in SCORED:
        # It may have said that little or nothing of it was met.
        note("without a readable score it counts as not observed")
        return replace(answer, verdict=CriterionVerdict.NOT_OBSERVED)
    return answer


def _verdict(given: object, note: _Note) -> CriterionVerdict:
    """The verdict that is named, in whatever case and with whatever between its words."""
    name = _APART.sub("_", given.strip().casefold()) if isinstance(given, str) else ""
    if name not in set(CriterionVerdict):
        note("the reply's verdict is none of those that there are; it counts as not observed")
        return CriterionVerdict.NOT_OBSERVED
    if name != given:
        note(f"the reply writes its verdict in another way; it is read as {name}")
    return CriterionVerdict(name)


def _number(item: Mapping[str, Any], name: str, note: _Note) -> float | None:
    given = item.get(name)
    read = read_number(given)
    if given is not None and read is None:
        note(f"the reply's {name} is not a number; it is left out")
    return read


def _text(item: Mapping[str, Any], name: str, most: int, note: _Note) -> str:
    given = item.get(name)
    if not isinstance(given, str | None):
        note(f"the reply's {name} is not a text; it is left out")
        return ""
    whole = tidied(given or "")
    if len(whole) > most:
        note(f"the reply's {name} is cut after {most:,} characters")
    return shortened(whole, most)


def _list(
    item: Mapping[str, Any],
    name: str,
    most: int,
    read: Callable[[Mapping[str, Any]], _T | None],
    note: _Note,
) -> tuple[_T, ...]:
    """The entries of a list that can be read, and a note for each kind of repair."""
    given = item.get(name)
    if not isinstance(given, list | None):
        note(f"the reply's {name} is not a list; it is left out")
    entries = given if isinstance(given, list) else []
    found = [read(entry) if isinstance(entry, Mapping) else None for entry in entries[:most]]
    kept = tuple(entry for entry in found if entry is not None)
    _count(note, f"further entries of the reply's {name} are left out", len(entries) - most)
    unfit = f"entries of the reply's {name} that do not have the right form are left out"
    _count(note, unfit, len(found) - len(kept))
    return kept


def _count(note: _Note, message: str, count: int) -> None:
    if count > 0:
        note(f"{message}: {count}")


def _pass_warnings_on(given: object, repairs: _Repairs) -> None:
    """The model's own warnings, as such."""
    if given is None:
        return
    entries: Iterable[object] = given if isinstance(given, list) else [given]
    texts = [text for text in entries if isinstance(text, str)]
    if not isinstance(given, list) or len(texts) < len(given):
        repairs.add("the reply's warnings are not a list of texts; what is no text is left out")
    said = [line for text in texts if (line := shortened(text, _MOST_WARNING_CHARS))]
    for line in said[:MOST_WARNINGS]:
        repairs.add(f"the scorer warns: {line}", code=WarningCode.SCORER_WARNING)
    _count(repairs.add, "further warnings of the reply are left out", len(said) - MOST_WARNINGS)


def _evidence(item: Mapping[str, Any]) -> CitedEvidence | None:
    """A quote with its second and speaker. None where one of them is of the wrong type: a quote is
    not believed without what was said of it.
    """
    quote, start, speaker = (item.get(name) for name in ("quote", "start", "speaker"))
    if not isinstance(quote, str) or not isinstance(speaker, str | None):
        return None
    words, label, at = tidied(quote), tidied(speaker or ""), seconds(start)
    if not 0 < len(words) <= _MOST_QUOTE_CHARS or len(label) > _MOST_NAME_CHARS:
        return None
    if start is not None and at is None:
        return None
    return CitedEvidence(words, at and at[0], label or None)


def _event(item: Mapping[str, Any]) -> CitedEvent | None:
    name, at = item.get("name"), seconds(item.get("at"))
    tidy = tidied(name) if isinstance(name, str) else ""
    return CitedEvent(tidy, at[0]) if at and 0 < len(tidy) <= _MOST_NAME_CHARS else None
