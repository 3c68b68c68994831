"""How a ledger's numbers are rounded, so that one in memory equals the one in its file."""

from __future__ import annotations

from veridical.judging.verdict import FULL_SUPPORT_ABOVE

DECIMALS = 6
"""Decimals of every number of a ledger."""

_STEP = 10**-DECIMALS


def rounded(value: float) -> float:
    """A number between 0 and 1 as a ledger has it."""
    return round(float(value), DECIMALS) + 0.0  # no minus zero


def rounded_similarity(value: float) -> float:
    """A similarity as a ledger has it: rounding never carries it over the bound of full support."""
    written = rounded(value)
    if value > FULL_SUPPORT_ABOVE >= written:
        return rounded(FULL_SUPPORT_ABOVE + _STEP)
    return written
