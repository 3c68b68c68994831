"""What must hold in a rubric and no schema can say.

Each rule passes over what is missing or has the wrong type: the schema has reported that already.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from veridical.scoring.rubric import CriterionType, ScoringRules
from veridical.scoring.rubrics.tree import Node, Problems
from veridical.validation.schema_errors import shorten

WEIGHT_TOLERANCE = 0.001
"""How far from 1 the weights of all sections may sum."""

MAX_CRITERIA = 2000

MAX_CUES = 10_000
"""Phrases in the whole rubric."""

_ROUNDING = 1e-9
_MOST_LISTED = 12

_NEEDS = {
    CriterionType.GRADED: "grading",
    CriterionType.ENUM: "enumOptions",
    CriterionType.TIMING: "timing",
}
_KINDS = {
    CriterionType.BOOLEAN: ("met", "missed", "elements", "events"),
    CriterionType.GRADED: ("met", "missed", "elements", "events"),
    CriterionType.ENUM: ("options", "events"),
    CriterionType.TIMING: ("events",),
}
"""Which kinds of cues say something about a criterion of a type; events may be told anywhere."""


def check_rules(root: Node, problems: Problems) -> None:
    """Report what does not fit together."""
    sections = root.get("sections").items
    criteria = [criterion for section in sections for criterion in section.get("criteria").items]
    if len(criteria) > MAX_CRITERIA:
        problems.error(
            criteria[MAX_CRITERIA].path,
            f"the rubric has {len(criteria):,} criteria; at most {MAX_CRITERIA:,} are allowed",
        )
    _check_weights(root.get("sections"), problems)
    _check_unique(sections, "section", problems)
    _check_unique(criteria, "criterion", problems)
    for criterion in criteria:
        if (kind := _kind(criterion)) is not None:
            _check_criterion(criterion, kind, problems)
    _check_thresholds(root.get("scoring", "thresholds"), problems)
    _check_cues(criteria, problems)


def _check_weights(sections: Node, problems: Problems) -> None:
    weights = [section.get("weight").number for section in sections.items]
    known = [weight for weight in weights if weight is not None]
    if not known or len(known) < len(weights):
        return
    total = math.fsum(known)
    if abs(total - 1) > WEIGHT_TOLERANCE + _ROUNDING:
        hint = "; write 0.25 for 25 %" if abs(total - 100) <= 1 else ""
        message = f"the weights of the sections sum to {total:.6g}; they must sum to 1{hint}"
        problems.error(sections.path, message)


def _check_unique(nodes: list[Node], what: str, problems: Problems) -> None:
    first: dict[str, Node] = {}
    for node in (identified.get("id") for identified in nodes):
        if node.text is None:
            continue
        same = first.setdefault(node.text, node)
        if same is not node:
            taken = problems.where(same.path)
            message = f"the {what} id {shorten(node.text)} is taken by the {what} {taken}"
            problems.error(node.path, message)


def _check_thresholds(thresholds: Node, problems: Problems) -> None:
    passing, improving = thresholds.get("pass").number, thresholds.get("needsImprovement").number
    default = ScoringRules()
    least = default.pass_threshold if passing is None else passing
    lower = default.needs_improvement_threshold if improving is None else improving
    # Above 1 they are out of bounds, which has been said already.
    if lower > least and lower <= 1:
        unset = " (where it is not set)" if improving is None or passing is None else ""
        message = f"needsImprovement {lower:g} must not be more than pass {least:g}{unset}"
        problems.error(thresholds.path, message)


# Rules of one criterion: what its type needs, and what does not contradict itself.


def _kind(criterion: Node) -> CriterionType | None:
    written = criterion.get("type").value
    return CriterionType(written) if written in list(CriterionType) else None


def _check_criterion(criterion: Node, kind: CriterionType, problems: Problems) -> None:
    for other, name in _NEEDS.items():
        entry = criterion.get(name)
        if entry.is_there and other is not kind:
            message = f"is for criteria of type {other}; this one is {kind}"
            problems.error_at_name(entry.path, message)
        elif not entry.is_there and other is kind:
            message = f"{shorten(name)} is missing; a criterion of type {kind} needs it"
            problems.error(criterion.path, message)
    grading = criterion.get("grading")
    lowest, highest = grading.get("minScore").number, grading.get("maxScore").number
    if lowest is not None and highest is not None and lowest >= highest:
        message = f"minScore {lowest:g} must be less than maxScore {highest:g}"
        problems.error(grading.path, message)
    _check_options(criterion.get("enumOptions").items, problems)
    _check_timing(criterion.get("timing"), problems)
    _check_kinds_of_cues(criterion, kind, problems)


def _check_options(options: list[Node], problems: Problems) -> None:
    first: dict[str | float, Node] = {}
    for index, option in enumerate(options):
        value = _option_value(option)
        score = float(index) if option.text is not None else option.get("score").number
        told: list[tuple[str | float, str]] = []
        if value is not None:
            told.append((value.strip().casefold(), f"the option {shorten(value)}"))
        if score is not None:
            told.append((score, f"the score {score:g}"))
        for key, what in told:
            same = first.setdefault(key, option)
            if same is not option:
                taken = problems.where(same.path)
                problems.error(option.path, f"{what} is that of another option already, {taken}")


def _option_value(option: Node) -> str | None:
    """The name of an enum's option, in either form."""
    return option.get("value").text if option.text is None else option.text


def _check_timing(timing: Node, problems: Problems) -> None:
    if not timing.entries:
        return
    start, end = timing.get("startEvent"), timing.get("endEvent")
    if start.text and start.text == end.text:
        message = f"startEvent and endEvent are both {shorten(start.text)}; no time lies between"
        problems.error(end.path, message)
    target, most = timing.get("targetSeconds"), timing.get("maxSeconds")
    if not (target.is_there or most.is_there):
        message = "targetSeconds or maxSeconds is missing; give at least one"
        problems.error(timing.path, message)
    if target.number is not None and most.number is not None and target.number > most.number:
        message = (
            f"targetSeconds {target.number:g} must not be more than maxSeconds {most.number:g}"
        )
        problems.error(timing.path, message)


# Rules of cues: each kind where it means something, and a clock that can be started.


def _check_kinds_of_cues(criterion: Node, kind: CriterionType, problems: Problems) -> None:
    cues, allowed = criterion.get("cues"), _KINDS[kind]
    wanted = f"a criterion of type {kind} takes {' and '.join(allowed)}"
    if cues.items and "met" not in allowed:
        problems.error(cues.path, f"a list shows that it was met; {wanted}")
    for name in ("met", "missed", "elements", "options"):
        if name not in allowed and cues.get(name).is_there:
            problems.error_at_name(cues.get(name).path, f"says nothing here; {wanted}")
    options = criterion.get("enumOptions")
    if kind is CriterionType.ENUM and options.is_there:
        known = dict.fromkeys(filter(None, map(_option_value, options.items)))
        listed = ", ".join(map(shorten, islice(known, _MOST_LISTED)))
        for name, entry in cues.get("options").entries.items():
            if name not in known:
                told = f"{shorten(name)} is no option of this criterion; its options are {listed}"
                problems.error_at_name(entry.path, told)


def _check_cues(criteria: list[Node], problems: Problems) -> None:
    """Report cues that show nothing, and warn of criteria that offline scoring cannot score."""
    with_cues = [cues for criterion in criteria if (cues := criterion.get("cues")).is_there]
    for number, phrase in enumerate(phrase for cues in with_cues for phrase in _phrases(cues)):
        if number == MAX_CUES:
            problems.error(phrase.path, f"more than {MAX_CUES:,} cues in all")
        if phrase.text and not any(map(str.isalnum, phrase.text)):
            problems.error(phrase.path, f"{shorten(phrase.text)} holds no word")
    # A rubric without any cue is meant for a model, and need not be told.
    if with_cues:
        _warn_of_silence(criteria, problems)


def _phrases(cues: Node) -> Iterator[Node]:
    """The phrases of cues, whatever they show."""
    lists = [cues]
    for name, entry in cues.entries.items():
        lists += [entry] if name in ("met", "missed") else entry.entries.values()
    for cue in (cue for phrases in lists for cue in phrases.items):
        phrase = cue if cue.text is not None else cue.get("say")
        if phrase.is_there:
            yield phrase


def _warn_of_silence(criteria: list[Node], problems: Problems) -> None:
    cued = {name for criterion in criteria for name in criterion.get("cues", "events").entries}
    for criterion in criteria:
        timing, cues = criterion.get("timing"), criterion.get("cues")
        if timing.is_there:
            for event in (timing.get("startEvent"), timing.get("endEvent")):
                if event.text is not None and event.text not in cued:
                    told = f"no cue shows {shorten(event.text)}; offline scoring cannot time it"
                    problems.warning(event.path, told)
        # Events are for the clocks of other criteria.
        elif not cues.items and all(name == "events" for name in cues.entries):
            message = "has no cues of its own, as others have; offline scoring cannot observe it"
            problems.warning(criterion.path, message)
