"""What must hold in a rubric and no schema can say.

Each rule passes over what is missing or has the wrong type: the schema has reported that already.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from veridical.scoring.rubric import CriterionType, ScoringRules
from veridical.scoring.rubrics.schema import EVENT, KEBAB
from veridical.scoring.rubrics.tree import MOST_PROBLEMS, Node, Problems, member
from veridical.scoring.schemas import load_schema
from veridical.validation.schema_errors import shorten

_TYPE_WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping of names to values",
    "null": "nothing",
}
_MOST_SUGGESTED = 100
"""Characters of a suggested id; as many as one may have."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
_SECTION_WEIGHT = re.compile(r"sections\[[0-9]+\]\.weight")


def check_shape(root: Node, problems: Problems) -> None:
    """Report every place that does not fit the schema, at most `MOST_PROBLEMS` of them."""
    import jsonschema_rs

    validator = jsonschema_rs.Draft7Validator(load_schema("rubric"))
    for error in islice(validator.iter_errors(root.value), MOST_PROBLEMS):
        node = root
        for part in error.instance_path:
            node = node.items[part] if isinstance(part, int) else node.entries[part]
        kind: Any = error.kind
        match kind.name:
            case "required":
                name = kind.property
                problems.error(node.path, f"{shorten(name)} is missing")
            case "additionalProperties":
                known = _looked_up(error.schema_path[:-1]).get("properties", {})
                for name in kind.unexpected[:MOST_PROBLEMS]:
                    _unknown_name(node, name, list(known), problems)
            case "propertyNames":
                name, rule = kind.error.instance, error.schema_path
                asked = Node(name, member(node.path, name))
                message = _message(str(rule[-1]), _looked_up(rule), asked, problems)
                problems.error_at_name(asked.path, message)
            case keyword:
                message = _message(keyword, _looked_up(error.schema_path), node, problems)
                problems.error(node.path, message)


def _looked_up(path: Sequence[str | int]) -> Any:
    """What the schema has at a path of it."""
    found: Any = load_schema("rubric")
    for part in path:
        found = found[part]
    return found


def _unknown_name(node: Node, name: str, known: list[str], problems: Problems) -> None:
    plain = {_NOT_IN_NAMES.sub("", one.lower()): one for one in known}
    near = difflib.get_close_matches(_NOT_IN_NAMES.sub("", name.lower()), plain, n=1)
    hint = f"did you mean {plain[near[0]]}?" if near else f"known here: {', '.join(known)}"
    path = member(node.path, name)
    problems.error_at_name(path, f"{shorten(name)} is not known; {hint}")


def _message(rule: str, limit: Any, node: Node, problems: Problems) -> str:
    value = shorten(node.value) if not isinstance(node.value, dict | list) else "this"
    match rule:
        case "type":
            written = getattr(problems.places.get(node.path), "written", str(node.value))
            return _wrong_type([limit] if isinstance(limit, str) else limit, node, written)
        case "enum":
            near = difflib.get_close_matches(str(node.value).lower(), limit, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            return f"{value} is not one of {', '.join(limit)}{hint}"
        case "pattern":
            return _wrong_form(limit, value, node)
        case "minItems" | "minProperties" | "minLength":
            size = len(node.value) if isinstance(node.value, str | list | dict) else 0
            state = f"has {size}" if size else "is empty"
            return f"{state}; at least {limit} {'is' if limit == 1 else 'are'} needed"
        case "maxItems" | "maxProperties" | "maxLength":
            size = len(node.value) if isinstance(node.value, str | list | dict) else 0
            unit = " characters" if rule == "maxLength" else ""
            return f"has {size:,}{unit}; at most {limit:,} are allowed"
        case "minimum":
            return f"{value} is too small; it must be at least {limit:,}"
        case "maximum":
            return f"{value} is too large; it must be at most {limit:,}{_share_hint(node)}"
        case _:
            return f"{value} breaks the rule {rule!r} of the schema"


def _share_hint(node: Node) -> str:
    """What an author who counts in percent should have written."""
    if node.path.startswith("scoring.thresholds."):
        what = "scores run from 0 to 1"
    elif _SECTION_WEIGHT.fullmatch(node.path):
        what = "weights are shares of 1"
    else:
        return ""
    number = node.number or 0.0
    example = f": {number / 100:g} for {number:g} %" if 2 <= number <= 100 else ""
    return f"; {what}{example}"


def _wrong_type(wanted: Sequence[str], node: Node, written: str) -> str:
    words = " or ".join(_TYPE_WORDS[name] for name in wanted)
    if node.value is None:
        return f"is empty; give {words}, or leave the name out where it is optional"
    if isinstance(node.value, dict | list):
        return f"must be {words}, not {_TYPE_WORDS[_type_of(node)]}"
    if "string" in wanted:
        quoted = shorten(written)
        return f"{written} is {_TYPE_WORDS[_type_of(node)]}, not text; quote it: {quoted}"
    hint = f"; write [{shorten(node.value)}]" if "array" in wanted else ""
    if isinstance(node.value, str) and {"number", "integer", "boolean"} & set(wanted):
        is_number = re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", node.value) is not None
        is_quoted = node.value in ("true", "false") if "boolean" in wanted else is_number
        hint = "; leave the quotes out" if is_quoted else hint
    return f"{shorten(node.value)} must be {words}{hint}"


def _type_of(node: Node) -> str:
    match node.value:
        case bool():
            return "boolean"
        case str():
            return "string"
        case int() | float():
            return "number"
        case list():
            return "array"
        case dict():
            return "object"
    return "null"


def _wrong_form(pattern: str, value: str, node: Node) -> str:
    text = str(node.value)
    if pattern == KEBAB:
        hint = _suggestion(text, "-")
        return f"{value} must be lower-case letters, digits and single hyphens between them{hint}"
    if pattern == EVENT:
        hint = _suggestion(text, "_")
        return f"{value} must be lower-case letters, digits, underscores and hyphens{hint}"
    return "is blank"


def _suggestion(text: str, joint: str) -> str:
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = _NOT_IN_NAMES.sub(joint, _CAMEL.sub(joint, ascii_text).lower()).strip(joint)
    return f"; for example {name}" if 0 < len(name) <= _MOST_SUGGESTED else ""


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
