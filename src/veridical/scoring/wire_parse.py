"""The strict reading of a scorecard's bytes: JSON, and nothing that only Python takes for it."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from veridical.errors import ValidationError

MAX_FILE_BYTES = 64 * 1024 * 1024
"""A larger scorecard is refused."""

_MOST_DIGITS = 20
"""More digits than any whole number of a scorecard has; also what keeps reading them linear."""

_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def parse(data: bytes) -> object:
    """The value in the bytes of a file. Raises ValidationError that says where it is no JSON."""
    if len(data) > MAX_FILE_BYTES:
        raise ValidationError(
            f"the scorecard has {len(data):,} bytes, the limit is {MAX_FILE_BYTES:,}"
        )
    try:
        value = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_without_repeats,
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_whole,
        )
        if _ESCAPED_SURROGATE.search(data):
            json.dumps(value, ensure_ascii=False).encode()  # fails on half of a pair
    except UnicodeDecodeError as problem:
        raise ValidationError(
            f"the scorecard is not UTF-8: byte {problem.start + 1:,} cannot be read"
        ) from None
    except UnicodeEncodeError:
        raise ValidationError("the scorecard has half of a surrogate pair in a text") from None
    except json.JSONDecodeError as problem:
        raise ValidationError(
            f"the scorecard is not JSON: line {problem.lineno}, column {problem.colno}: "
            f"{problem.msg}"
        ) from None
    except RecursionError:
        raise ValidationError("the scorecard is nested too deeply") from None
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValidationError("the scorecard has the same name twice in one object")
    return value


def _no_number(token: str) -> None:
    raise ValidationError(f"the scorecard has {token} for a number")


def _finite(token: str) -> float:
    value = float(token)
    if math.isinf(value):
        raise ValidationError("the scorecard has a number that is too large")
    return value


def _whole(token: str) -> int:
    if len(token) > _MOST_DIGITS:
        raise ValidationError("the scorecard has a number that is too large")
    return int(token)
