"""Ledgers come back exactly as they were saved."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from tests.store.samples import sample_ledger
from tests.store.strategies import ledgers

from veridical.errors import StoreError
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.wire import ledger_to_bytes
from veridical.store.ledgers import Saved
from veridical.store.store import Store

# One store for all examples of a test, each in a workspace of its own.
names = map("workspace {}".format, count())
any_ledger = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@any_ledger
@given(ledger=ledgers)
def test_a_ledger_comes_back_equal(store: Store, ledger: EvidenceLedger) -> None:
    workspace = next(names)
    store.save(ledger, workspace)
    assert store.load(ledger.id, workspace) == ledger


@any_ledger
@given(first=ledgers, second=ledgers)
def test_the_last_one_saved_under_an_id_counts(
    store: Store, first: EvidenceLedger, second: EvidenceLedger
) -> None:
    workspace = next(names)
    times = {"created_at": first.created_at, "updated_at": first.updated_at}
    second = replace(second, id=first.id, **times)
    store.save(first, workspace)
    store.save(second, workspace)
    assert store.load(first.id, workspace) == second


def test_what_a_ledger_replaces_stays_as_an_earlier_revision(store: Store) -> None:
    first, same = sample_ledger(minute=1), sample_ledger(minute=2)
    second = sample_ledger(minute=2, notes="judged otherwise")
    outcomes = [store.save(ledger) for ledger in (first, first, same, second, second, first)]
    assert outcomes == [
        Saved.ADDED, Saved.UNCHANGED, Saved.UNCHANGED, Saved.REPLACED, Saved.UNCHANGED,
        Saved.REPLACED,
    ]  # fmt: skip
    kept = [store.load(first.id, revision=number) for number in (1, 2, 3)]
    assert kept == [first, second, first]
    assert store.load(first.id) == store.load(first.session_id) == first
    record = store.load_record(first.id)
    sealed = json.loads(ledger_to_bytes(first))
    assert (record.ledger, record.revision, record.is_as_saved) == (first, 3, True)
    assert record.seal_head == sealed["seal"]["head"]
    with pytest.raises(StoreError, match=r"There is no ledger .* with a revision 4"):
        store.load(first.id, revision=4)
    # The list goes by the time of the newest revision.
    other = sample_ledger(name="two", minute=2)
    store.save(other)
    store.save(sample_ledger(minute=3, notes="judged once more"))
    assert [(row.ledger_id, row.revision) for row in store.list()] == [(first.id, 4), (other.id, 1)]
    assert [row.ledger_id for row in store.list(after=first.id)] == [other.id]


def test_what_no_file_can_hold_has_no_seal(store: Store) -> None:
    ledger = replace(sample_ledger(), title="half of a pair: \ud83d")
    store.save(ledger)
    record = store.load_record(ledger.id)
    assert (record.ledger, record.seal_head, record.is_as_saved) == (ledger, None, True)


def test_two_judges_may_see_one_session(store: Store) -> None:
    one = sample_ledger()
    other = replace(sample_ledger(name="other"), session_id=one.session_id, entries=one.entries)
    store.save(one)
    store.save(other)
    assert store.load(one.id) == one
    assert store.load(other.id) == other
    with pytest.raises(StoreError, match=f"Several ledgers.*{min(one.id, other.id)}"):
        store.load(one.session_id)


def test_a_ledger_is_found_by_the_beginning_of_an_id(store: Store) -> None:
    ledger = sample_ledger()
    store.save(ledger)
    for full in (ledger.id, ledger.session_id):
        for given_id in (full, full.upper(), full[:6], full[:13], full.replace("-", "")):
            assert store.load(given_id) == ledger


@pytest.mark.parametrize("id", ["", "-", "zz", "' OR 1=1 --", "%", "0" * 33, "a" * 100, "é"])
def test_what_is_no_id_is_refused(store: Store, id: str) -> None:
    store.save(sample_ledger())
    with pytest.raises(StoreError, match="not the id"):
        store.load(id)


def test_workspaces_are_apart(store: Store) -> None:
    ledger, changed = sample_ledger(), sample_ledger(notes="otherwise")
    store.save(ledger, "one")
    store.save(changed, "two")
    assert store.load(ledger.id, "one") == ledger
    assert store.load(ledger.id, "two") == changed
    for unknown in (ledger.id, "00"):
        with pytest.raises(StoreError, match=f"no ledger {unknown} in the workspace 'default'"):
            store.load(unknown)
    assert store.list() == ()


def with_entry(**changes: object) -> EvidenceLedger:
    """A ledger of one entry, of which some fields are changed."""
    ledger = sample_ledger(1)
    return replace(ledger, entries=(replace(ledger.entries[0], **changes),))


UNUSABLE = {
    "not a UUID": (replace(sample_ledger(), id="led_abc123"), "'led_abc123' is not a UUID"),
    "not as a UUID is written": (replace(sample_ledger(), session_id="A" * 32), "not a UUID"),
    "not a moment": (replace(sample_ledger(), created_at="yesterday"), "its time 'yesterday'"),
    "not in UTC": (replace(sample_ledger(), updated_at="2026-01-03T14:30:00+02:00"), "its time"),
    "one claim twice": (replace(sample_ledger(), entries=sample_ledger().entries * 2), "one id"),
    "a score above 1": (with_entry(confidence_score=1.5), "refused a value.*confidence_score"),
    "no number": (with_entry(probability=float("nan")), "number cannot be stored"),
}


@pytest.mark.parametrize("case", UNUSABLE)
def test_an_unusable_ledger_is_refused_whole(store: Store, case: str) -> None:
    ledger, message = UNUSABLE[case]
    with pytest.raises(StoreError, match=message):
        store.save(ledger)
    assert store.list() == ()
