"""JSON read strictly: what Python takes and JSON has not, or what means two things, is refused."""

from __future__ import annotations

import json
import math
from typing import Any


class Unfit(Exception):
    """What Python takes for JSON and we do not; the message goes on from "it has"."""


def strict_json(text: str, *, most_digits: int) -> Any:
    """The value in a JSON text without NaN, infinity or a name that an object has twice.

    A whole number has at most `most_digits`, which also keeps reading it linear. Raises Unfit;
    JSONDecodeError for what is no JSON at all, and RecursionError for what is nested too deeply.
    """

    def whole(token: str) -> int:
        if len(token) > most_digits:
            raise Unfit("a number that is too large")
        return int(token)

    return json.loads(
        text,
        object_pairs_hook=_without_repeats,
        parse_constant=_no_number,
        parse_float=_finite,
        parse_int=whole,
    )


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise Unfit("the same name twice in one object")
    return value


def _no_number(token: str) -> None:
    raise Unfit(f"{token} for a number")


def _finite(token: str) -> float:
    value = float(token)
    if math.isinf(value):
        raise Unfit("a number that is too large")
    return value
