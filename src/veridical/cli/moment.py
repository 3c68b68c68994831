"""The time that a result bears."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime

from veridical.errors import ConfigurationError

_EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"
_MOST_EPOCH = 253_402_300_799
"""The last second of the year 9999."""


def given_moment() -> datetime | None:
    """The time that `SOURCE_DATE_EPOCH` names, in seconds since 1970, for builds that repeat.

    Raises ConfigurationError for what is no such number.
    Source: https://reproducible-builds.org/specs/source-date-epoch/
    """
    given = os.environ.get(_EPOCH_VARIABLE, "").strip()
    if not given:
        return None
    if not re.fullmatch(r"[0-9]{1,12}", given) or int(given) > _MOST_EPOCH:
        raise ConfigurationError(
            f"{_EPOCH_VARIABLE} is {given[:40]!r}; it must be whole seconds since 1970, up to "
            f"{_MOST_EPOCH}, or not set"
        )
    return datetime.fromtimestamp(int(given), UTC)
