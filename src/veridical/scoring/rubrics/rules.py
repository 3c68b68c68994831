"""What must hold in a rubric and no schema can say.

Each rule passes over what has the wrong type: the schema has reported that already.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from veridical.scoring.rubric import CriterionType, ScoringRules
from veridical.scoring.rubrics.tree import Node, Problems
from veridical.validation.schema_errors import shorten

# Rules of cues: each kind where it means something, and a clock that can be started.


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
    with_cues = [(c, cues) for c in criteria if (cues := c.get("cues")) is not None]
    for criterion, cues in with_cues:
        _check_kinds(criterion, cues, problems)
    for number, phrase in enumerate(phrase for _, cues in with_cues for phrase in _phrases(cues)):
        if number == MAX_CUES:
            problems.error(phrase.path, f"more than {MAX_CUES:,} cues in all")
        if phrase.text and not any(map(str.isalnum, phrase.text)):
            problems.error(phrase.path, f"{shorten(phrase.text)} holds no word")
    # A rubric without any cue is meant for a model, and need not be told.
    if with_cues:
        _warn_of_silence(criteria, problems)


def _kind(criterion: Node) -> CriterionType | None:
    node = criterion.get("type")
    is_known = node is not None and node.value in list(CriterionType)
    return CriterionType(str(node.value)) if node is not None and is_known else None


def _check_kinds(criterion: Node, cues: Node, problems: Problems) -> None:
    kind = _kind(criterion)
    if kind is None:
        return
    allowed = _KINDS[kind]
    wanted = f"a criterion of type {kind} takes {' and '.join(allowed)}"
    if cues.items and "met" not in allowed:
        problems.error(cues.path, f"a list shows that it was met; {wanted}")
    for name, entry in cues.entries.items():
        if name in ("met", "missed", "elements", "options") and name not in allowed:
            problems.error_at_name(entry.path, f"says nothing here; {wanted}")
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
            problems.error_at_name(entry.path, message)


def option_value(option: Node) -> str | None:
    """The name of an enum's option, in either form."""
    named = option if option.text is not None else option.get("value")
    return None if named is None else named.text


def _phrases(cues: Node) -> Iterator[Node]:
    """The phrases of cues, whatever they show."""
    lists = [cues]
    for name, entry in cues.entries.items():
        if name in ("met", "missed"):
            lists.append(entry)
        else:
            lists.extend(entry.entries.values())
    for cue in (cue for phrases in lists for cue in phrases.items):
        phrase = cue if cue.text is not None else cue.get("say")
        if phrase is not None:
            yield phrase


def _warn_of_silence(criteria: list[Node], problems: Problems) -> None:
    groups = [events for c in criteria if (events := _at(c, "cues", "events")) is not None]
    cued = {name for events in groups for name in events.entries}
    for criterion in criteria:
        if (timing := criterion.get("timing")) is not None:
            for event in (timing.get("startEvent"), timing.get("endEvent")):
                if event is not None and event.text is not None and event.text not in cued:
                    told = f"no cue shows {shorten(event.text)}; offline scoring cannot time it"
                    problems.warning(event.path, told)
            continue
        cues = criterion.get("cues")
        # Events are for the clocks of other criteria.
        if cues is None or (not cues.items and all(name == "events" for name in cues.entries)):
            message = "has no cues of its own, as others have; offline scoring cannot observe it"
            problems.warning(criterion.path, message)


def _at(node: Node, *names: str) -> Node | None:
    """What stands at a path of names; None where there is nothing."""
    found: Node | None = node
    for name in names:
        found = None if found is None else found.get(name)
    return found


WEIGHT_TOLERANCE = 0.001
"""How far from 1 the weights of all sections may sum."""

MAX_CRITERIA = 2000

_ROUNDING = 1e-9
_NEEDS = {
    CriterionType.GRADED: "grading",
    CriterionType.ENUM: "enumOptions",
    CriterionType.TIMING: "timing",
}


def check_rules(root: Node, problems: Problems) -> None:
    """Report what does not fit together."""
    sections = _items(root, "sections")
    criteria = [criterion for section in sections for criterion in _items(section, "criteria")]
    if len(criteria) > MAX_CRITERIA:
        problems.error(
            criteria[MAX_CRITERIA].path,
            f"the rubric has {len(criteria):,} criteria; at most {MAX_CRITERIA:,} are allowed",
        )
    _check_weights(root, sections, problems)
    _check_unique(sections, "section", problems)
    _check_unique(criteria, "criterion", problems)
    for criterion in criteria:
        _check_criterion(criterion, problems)
    _check_thresholds(root, problems)
    check_cues(criteria, problems)


def _items(node: Node, name: str) -> list[Node]:
    child = node.get(name)
    return [] if child is None else child.items


def _number(node: Node | None, name: str) -> float | None:
    child = None if node is None else node.get(name)
    return None if child is None else child.number


def _check_weights(root: Node, sections: list[Node], problems: Problems) -> None:
    weights = [_number(section, "weight") for section in sections]
    known = [weight for weight in weights if weight is not None]
    node = root.get("sections")
    if node is None or not known or len(known) < len(weights):
        return
    total = math.fsum(known)
    if abs(total - 1) > WEIGHT_TOLERANCE + _ROUNDING:
        hint = "; write 0.25 for 25 %" if abs(total - 100) <= 1 else ""
        message = f"the weights of the sections sum to {total:.6g}; they must sum to 1{hint}"
        problems.error(node.path, message)


def _check_unique(nodes: list[Node], what: str, problems: Problems) -> None:
    first: dict[str, Node] = {}
    for identified in nodes:
        node = identified.get("id")
        name = None if node is None else node.text
        if node is None or name is None:
            continue
        if name in first:
            taken = problems.where(first[name].path)
            message = f"the {what} id {shorten(name)} is taken by the {what} {taken}"
            problems.error(node.path, message)
        first.setdefault(name, node)


def _check_criterion(criterion: Node, problems: Problems) -> None:
    kind = _kind(criterion)
    if kind is None:
        return
    for other, name in _NEEDS.items():
        entry = criterion.entries.get(name)
        if entry is not None and other is not kind:
            message = f"is for criteria of type {other}; this one is {kind}"
            problems.error_at_name(entry.path, message)
        elif entry is None and other is kind:
            message = f"{shorten(name)} is missing; a criterion of type {kind} needs it"
            problems.error(criterion.path, message)
    grading = criterion.get("grading")
    lowest, highest = _number(grading, "minScore"), _number(grading, "maxScore")
    if grading and lowest is not None and highest is not None and lowest >= highest:
        message = f"minScore {lowest:g} must be less than maxScore {highest:g}"
        problems.error(grading.path, message)
    _check_options(_items(criterion, "enumOptions"), problems)
    _check_timing(criterion.get("timing"), problems)


def _check_options(options: list[Node], problems: Problems) -> None:
    values: dict[str, Node] = {}
    scores: dict[float, Node] = {}
    for index, option in enumerate(options):
        value = option_value(option)
        score = float(index) if option.text is not None else _number(option, "score")
        if value is not None:
            same = values.setdefault(value.strip().casefold(), option)
            _check_apart(option, same, f"the option {shorten(value)}", problems)
        if score is not None:
            same = scores.setdefault(score, option)
            _check_apart(option, same, f"the score {score:g}", problems)


def _check_apart(option: Node, same: Node, what: str, problems: Problems) -> None:
    if same.path != option.path:
        taken = problems.where(same.path)
        message = f"{what} is that of another option already, {taken}"
        problems.error(option.path, message)


def _check_timing(timing: Node | None, problems: Problems) -> None:
    if timing is None or not timing.entries:
        return
    start, end = timing.get("startEvent"), timing.get("endEvent")
    if start is not None and end is not None and start.text and start.text == end.text:
        message = f"startEvent and endEvent are both {shorten(start.text)}; no time lies between"
        problems.error(end.path, message)
    if timing.get("targetSeconds") is None and timing.get("maxSeconds") is None:
        message = "targetSeconds or maxSeconds is missing; give at least one"
        problems.error(timing.path, message)
    target, most = _number(timing, "targetSeconds"), _number(timing, "maxSeconds")
    if target is not None and most is not None and target > most:
        message = f"targetSeconds {target:g} must not be more than maxSeconds {most:g}"
        problems.error(timing.path, message)


def _check_thresholds(root: Node, problems: Problems) -> None:
    thresholds = _at(root, "scoring", "thresholds")
    if thresholds is None:
        return
    default = ScoringRules()
    passing, improving = _number(thresholds, "pass"), _number(thresholds, "needsImprovement")
    least = default.pass_threshold if passing is None else passing
    lower = default.needs_improvement_threshold if improving is None else improving
    # Above 1 they are out of bounds, which has been said already.
    if lower > least and lower <= 1:
        unset = " (where it is not set)" if improving is None or passing is None else ""
        message = f"needsImprovement {lower:g} must not be more than pass {least:g}{unset}"
        problems.error(thresholds.path, message)
