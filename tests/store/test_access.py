"""Tokens, keyed requests, secrets and workspaces."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from tests.store.shelves import there, url_of

from veridical.errors import StoreError, ValidationError
from veridical.store import requests
from veridical.store.engine import Database
from veridical.store.requests import KEPT_SECONDS, Claim, KeptReply
from veridical.store.store import Store
from veridical.store.tables import metadata
from veridical.store.workspaces import Role

NOW = datetime(2026, 1, 3, 14, 30, tzinfo=UTC)


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


def test_a_token_and_its_secret(store: Store) -> None:
    ends = datetime.now(UTC).replace(microsecond=0) + timedelta(days=3)
    token, secret = store.tokens.create("claims", "Ada Byron", Role.REVIEWER, expires_at=ends)
    assert re.fullmatch(r"vrd_[A-Za-z0-9]{43}", secret)
    assert store.tokens.by_secret(secret) == store.tokens.by_id(token.id) == token
    assert (token.workspace, token.name, token.role) == ("claims", "Ada Byron", Role.REVIEWER)
    assert token.is_good(ends - timedelta(seconds=1))
    assert not token.is_good(ends)
    for wrong in ("", secret[:-1], secret + "x", secret.upper(), token.id, "\ud800", "\x00"):
        assert store.tokens.by_secret(wrong) is None
    assert "claims" in store.workspaces()
    assert not replace(token, revoked_at=ends).is_good(ends - timedelta(days=1))
    with store._database.reading() as connection:
        held = "".join(
            repr(connection.execute(sa.select(table)).all()) for table in metadata.tables.values()
        )
    assert secret[4:] not in held


def test_a_token_that_is_revoked_stays_so(store: Store) -> None:
    token, secret = store.tokens.create("a", "Ada", Role.ADMIN)
    assert not store.tokens.revoke(token.id, "b")
    assert store.tokens.by_id(token.id) == token
    assert store.tokens.revoke(token.id, "a")
    gone = there(store.tokens.by_secret(secret))
    assert gone.revoked_at is not None
    assert not gone.is_good(datetime.now(UTC))
    assert store.tokens.revoke(token.id)
    assert store.tokens.by_id(token.id) == gone


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101])
def test_a_token_needs_a_name_to_sign_with(store: Store, name: str) -> None:
    with pytest.raises(ValidationError, match="needs a name"):
        store.tokens.create("a", name, Role.READER)
    assert store.workspaces() == ()


def test_each_try_of_a_call_is_to_make_the_same_thing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyed = store.requests("a")
    at = NOW
    monkeypatch.setattr(requests, "now", lambda: at)
    first = keyed.begin("k", "h", stale_seconds=60)
    assert isinstance(first, Claim)
    keyed.forget("k")
    assert keyed.begin("k", "h", stale_seconds=60) == first
    at = NOW + timedelta(seconds=60)
    assert keyed.begin("k", "h", stale_seconds=60) == first
    keyed.forget("k")
    others = [
        keyed.begin("k", "another call", stale_seconds=60),
        store.requests("b").begin("k", "h", stale_seconds=60),
    ]
    keyed.forget("k")
    at += timedelta(seconds=KEPT_SECONDS)
    others.append(keyed.begin("k", "another call", stale_seconds=60))
    assert len({first, *others}) == 4


def test_keys_that_were_left_or_are_old(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    keyed = store.requests("a")
    at = NOW
    monkeypatch.setattr(requests, "now", lambda: at)
    keyed.begin("left", "h", stale_seconds=60)
    keyed.begin("done", "h", stale_seconds=60)
    keyed.end("done", 200, b"x")
    at = NOW + timedelta(seconds=59)
    assert keyed.begin("left", "h", stale_seconds=60) == KeptReply("h", 0, b"")
    at = NOW + timedelta(seconds=60)
    assert isinstance(keyed.begin("left", "h2", stale_seconds=60), Claim)
    assert keyed.begin("left", "h2", stale_seconds=60) == KeptReply("h2", 0, b"")
    assert keyed.begin("done", "h", stale_seconds=60) == KeptReply("h", 200, b"x")
    at = NOW + timedelta(seconds=KEPT_SECONDS)
    assert isinstance(keyed.begin("done", "h", stale_seconds=60), Claim)


def test_of_many_who_claim_a_key_one_has_it(store: Store) -> None:
    with ThreadPoolExecutor(4) as pool:
        told = list(
            pool.map(lambda _: store.requests("a").begin("k", "h", stale_seconds=60), range(8))
        )
    assert len([one for one in told if isinstance(one, Claim)]) == 1


def test_a_secret_is_the_same_for_every_process(store: Store) -> None:
    def ask(_: int) -> bytes:
        with Store.open(url_of(store)) as other:
            return other.secret("downloads")

    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(ask, range(4)))
    assert found == {store.secret("downloads")}
    assert [len(one) for one in found] == [32]
    assert store.secret("cookies") not in found


def test_workspaces(store: Store) -> None:
    assert store.add_workspace("b")
    assert store.add_workspace("a")
    assert not store.add_workspace("b")
    assert store.workspaces() == ("a", "b")
    store.shelf("never used")
    assert store.workspaces() == ("a", "b")
    for name in ("", "   ", "\n", "x" * 201, "a\x00b", "\udcff"):
        for use in (
            store.add_workspace,
            store.shelf,
            store.requests,
            store.list,
            lambda name: store.ingest([], name),
        ):
            with pytest.raises(StoreError, match="workspace needs a name"):
                use(name)


def test_a_server_that_was_started_anew_is_reached_again(postgres_store: Store) -> None:
    """What is left of a restart in this process: connections that are dead."""
    postgres_store.ping()
    assert postgres_store.workspaces() == ()
    admin = Database(postgres_store._database._url.render_as_string(hide_password=False))
    with closing(admin), admin.engine.begin() as connection:
        ended = connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).all()
    assert ended
    postgres_store.ping()
    assert postgres_store.add_workspace("a")
