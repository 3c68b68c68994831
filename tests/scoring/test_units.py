"""Units: what names one, and what only looks like it."""

from __future__ import annotations

import pytest

from veridical.scoring.units import Units, places_of_units, with_plain_units


@pytest.mark.parametrize("text", ["an E2E test", "Engine 1A goes in", "Engine 5th in line"])
def test_a_number_with_a_letter_is_no_number_of_a_unit(text: str) -> None:
    assert not list(places_of_units(text))
    assert not list(Units([]).named(text))
    assert with_plain_units(text) == text
