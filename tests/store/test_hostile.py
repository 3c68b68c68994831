"""Whatever a text holds, it is kept as it is, and is nothing but text."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql, sqlite
from tests.store.samples import sample_ledger, text_pair
from tests.store.shelves import delete, resolved
from tests.store.shelves import texts as texts_of
from tests.store.strategies import texts

from veridical.errors import StoreError
from veridical.store.columns import Utc, json_text, json_value, restored, storable
from veridical.store.store import Store

HOSTILE = [
    "'; DROP TABLE claims; --",
    '"; DELETE FROM documents WHERE "1"="1',
    "x' OR '1'='1",
    "\\'; TRUNCATE sessions; --",
    ":name %(name)s %s $1 ? {0}",
    "\\.\n\\N\t\\x41\r\n",  # what COPY reads as its end, as NULL and as escapes
    '{a,NULL,"b\\"}',
    "$$; DROP SCHEMA public CASCADE; $$",
]


@pytest.fixture
def bystander(store: Store) -> Store:
    """A store that already holds something, which must be left as it is."""
    store.save(sample_ledger(name="bystander"))
    store.ingest([text_pair("bystander.txt", "Ten days.")])
    return store


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_only_text(bystander: Store, text: str) -> None:
    store = bystander
    ledger = sample_ledger(2)
    entry = ledger.entries[0]
    ledger = replace(
        ledger, title=text, query=text, answer=text, warnings=(text,),
        entries=(
            replace(
                entry, notes=text, claim=replace(entry.claim, text=text, context=text),
                evidence=(replace(entry.evidence[0], snippet=text, heading_path=(text, text)),),
            ),
            ledger.entries[1],
        ),
    )  # fmt: skip
    store.save(ledger)
    assert store.load(ledger.id) == ledger
    pair = text_pair(text, f"{text}\n\nMore of {text}")
    store.ingest([pair])
    assert texts_of(store)[text] == pair[0].text
    assert resolved(store, pair[1][0].sha256).resolved
    store.record_export(ledger.id, format=text, sha256="ab" * 32, path=text)
    assert store.exports(ledger.id)[0].path == text
    assert delete(store, text)
    assert store.load(sample_ledger(name="bystander").id) == sample_ledger(name="bystander")
    assert list(texts_of(store)) == ["bystander.txt"]


@pytest.mark.parametrize("name", [text for text in HOSTILE if text.isprintable()])
def test_the_name_of_a_workspace_is_only_a_name(bystander: Store, name: str) -> None:
    assert bystander.list(name) == ()
    assert texts_of(bystander, name) == {}
    bystander.save(sample_ledger(), name)
    bystander.ingest([text_pair("a.txt", "Twelve days.")], name)
    assert [row.ledger_id for row in bystander.list(name)] == [sample_ledger().id]
    assert [row.ledger_id for row in bystander.list()] == [sample_ledger(name="bystander").id]
    assert texts_of(bystander, name) == {"a.txt": "Twelve days."}


# --- what every database takes -------------------------------------------------------------------


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
