"""What every database takes, and gives back as it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql, sqlite
from tests.store.strategies import texts

from veridical.errors import StoreError
from veridical.store.columns import Utc, json_text, json_value, restored, storable

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(texts)
def test_any_text_comes_back_and_can_be_stored(text: str) -> None:
    kept = storable(text)
    assert restored(kept) == text
    assert "\x00" not in kept
    kept.encode("utf-8")


@given(values)
def test_any_json_value_comes_back_and_can_be_stored(value: object) -> None:
    kept = json_text(value)
    assert json_value(kept) == value
    assert "\\u0000" not in kept.replace("\\\\", "")
    kept.encode("utf-8")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [-float("inf")]])
def test_what_json_cannot_say_is_refused(value: object) -> None:
    with pytest.raises(StoreError, match="cannot be stored"):
        json_text(value)


@pytest.mark.parametrize("dialect", [sqlite.dialect(), postgresql.dialect()])
def test_moments_are_kept_in_utc(dialect: object) -> None:
    moment = datetime(2026, 1, 3, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    kept = Utc().process_bind_param(moment, dialect)
    assert Utc().process_result_value(kept, dialect) == moment
    assert kept.replace(tzinfo=UTC) == moment
    with pytest.raises(ValueError, match="time zone"):
        Utc().process_bind_param(moment.replace(tzinfo=None), dialect)
