"""A rubric file against its JSON Schema, in words for the person who writes it."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from itertools import islice
from typing import Any

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
_KEBAB = "^[a-z0-9]+(-[a-z0-9]+)*$"
_EVENT = "^[a-z0-9_-]+$"


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
    if pattern == _KEBAB:
        hint = _suggestion(text, "-")
        return f"{value} must be lower-case letters, digits and single hyphens between them{hint}"
    if pattern == _EVENT:
        hint = _suggestion(text, "_")
        return f"{value} must be lower-case letters, digits, underscores and hyphens{hint}"
    return "is blank"


def _suggestion(text: str, joint: str) -> str:
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = _NOT_IN_NAMES.sub(joint, _CAMEL.sub(joint, ascii_text).lower()).strip(joint)
    return f"; for example {name}" if 0 < len(name) <= _MOST_SUGGESTED else ""
