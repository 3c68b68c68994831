"""Rules of cues: each kind where it means something, and a clock that can be started."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from veridical.scoring.rubric import CriterionType
from veridical.scoring.rubrics.problems import Problems
from veridical.scoring.rubrics.tree import Node
from veridical.validation.schema_errors import shorten

MAX_CUES = 10_000
"""Phrases in the whole rubric."""

_MOST_LISTED = 12

_KINDS = {
    CriterionType.BOOLEAN: ("met", "missed", "elements", "events"),
    CriterionType.GRADED: ("met", "missed", "elements", "events"),
    CriterionType.ENUM: ("options", "events"),
    CriterionType.TIMING: ("events",),
}
"""Which kinds of cues say something about a criterion of a type; events may be told anywhere."""


def check_cues(criteria: list[Node], problems: Problems) -> None:
    """Report cues that show nothing, and warn of criteria that offline scoring cannot score."""
    with_cues = [criterion for criterion in criteria if criterion.get("cues") is not None]
    for criterion in with_cues:
        _check_kinds(criterion, problems)
    for number, phrase in enumerate(
        phrase for criterion in with_cues for phrase in _phrases(criterion.get("cues"))
    ):
        if number == MAX_CUES:
            problems.error(phrase.offset, phrase.path, f"more than {MAX_CUES:,} cues in all")
        if phrase.text and not any(map(str.isalnum, phrase.text)):
            problems.error(phrase.offset, phrase.path, f"{shorten(phrase.text)} holds no word")
    # A rubric without any cue is meant for a model, and need not be told.
    if with_cues:
        _warn_of_silence(criteria, problems)


def _check_kinds(criterion: Node, problems: Problems) -> None:
    type_node, cues = criterion.get("type"), criterion.get("cues")
    if type_node is None or type_node.value not in list(CriterionType) or cues is None:
        return
    kind = CriterionType(str(type_node.value))
    allowed = _KINDS[kind]
    wanted = f"a criterion of type {kind} takes {' and '.join(allowed)}"
    if cues.items and "met" not in allowed:
        problems.error(cues.offset, cues.path, f"a list shows that it was met; {wanted}")
    for name, entry in cues.entries.items():
        if name in ("met", "missed", "elements", "options") and name not in allowed:
            problems.error(entry.offset, entry.node.path, f"says nothing here; {wanted}")
    if kind is CriterionType.ENUM:
        _check_option_names(criterion, cues, problems)


def _check_option_names(criterion: Node, cues: Node, problems: Problems) -> None:
    options, shown = criterion.get("enumOptions"), cues.get("options")
    if options is None or shown is None:
        return
    known = dict.fromkeys(value for value in map(option_value, options.items) if value is not None)
    listed = ", ".join(map(shorten, islice(known, _MOST_LISTED)))
    for name, entry in shown.entries.items():
        if name not in known:
            message = f"{shorten(name)} is no option of this criterion; its options are {listed}"
            problems.error(entry.offset, entry.node.path, message)


def option_value(option: Node) -> str | None:
    """The name of an enum's option, in either form."""
    named = option if option.text is not None else option.get("value")
    return None if named is None else named.text


def _phrases(cues: Node | None) -> Iterator[Node]:
    """The phrases of cues, whatever they show."""
    if cues is None:
        return
    lists = [cues]
    for name, entry in cues.entries.items():
        if name in ("met", "missed"):
            lists.append(entry.node)
        else:
            lists.extend(group.node for group in entry.node.entries.values())
    for cue in (cue for phrases in lists for cue in phrases.items):
        phrase = cue if cue.text is not None else cue.get("say")
        if phrase is not None:
            yield phrase


def _warn_of_silence(criteria: list[Node], problems: Problems) -> None:
    events = set(_cued_events(criteria))
    for criterion in criteria:
        if criterion.get("timing") is not None:
            _warn_of_events(criterion, events, problems)
        elif not _has_own(criterion.get("cues")):
            message = "has no cues of its own, as others have; offline scoring cannot observe it"
            problems.warning(criterion.offset, criterion.path, message)


def _has_own(cues: Node | None) -> bool:
    """Whether cues show more than events, which are for the clocks of other criteria."""
    return cues is not None and (bool(cues.items) or any(name != "events" for name in cues.entries))


def _cued_events(criteria: list[Node]) -> Iterator[str]:
    for criterion in criteria:
        cues = criterion.get("cues")
        events = None if cues is None else cues.get("events")
        if events is not None:
            yield from events.entries


def _warn_of_events(criterion: Node, cued: set[str], problems: Problems) -> None:
    timing = criterion.get("timing")
    for name in ("startEvent", "endEvent"):
        event = None if timing is None else timing.get(name)
        if event is not None and event.text is not None and event.text not in cued:
            message = f"no cue shows {shorten(event.text)}; offline scoring cannot time it"
            problems.warning(event.offset, event.path, message)
