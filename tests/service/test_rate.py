"""How often a token may be used."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.service.visiting import BROWSER, HERE, a_place, log_in
from tests.store.shelves import there

from veridical.service.entry import identity
from veridical.service.entry.identity import (
    LOG_INS_PER_MINUTE,
    WRONG_TOKENS_PER_MINUTE,
    Rates,
    network_of,
)
from veridical.service.settings import Auth
from veridical.store.workspaces import TOKEN_PREFIX, Role, Token, Tokens

LIST = "/api/v1/workspaces"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_minutes_worth_at_once_and_then_evenly() -> None:
    clock = Clock()
    rates = Rates(60, clock=clock)
    assert [rates.take("a").remaining for _ in range(60)] == list(range(59, -1, -1))
    assert rates.take("a").retry_seconds == 1
    assert not rates.take("b").is_spent
    clock.now = 1.0
    assert not rates.take("a").is_spent
    assert rates.take("a").is_spent
    clock.now = 10_000.0
    assert rates.take("a").remaining == 59


def test_each_token_has_its_own_and_is_told(tmp_path: Path) -> None:
    with a_place(tmp_path, auth=Auth.TOKEN, rate_per_minute=3) as place:
        client, other = place.client(place.token(Role.READER)), place.client(place.token())
        replies = [client.get(LIST) for _ in range(4)]
        assert [reply.status_code for reply in replies] == [200, 200, 200, 429]
        assert [reply.headers["RateLimit-Remaining"] for reply in replies[:3]] == ["2", "1", "0"]
        assert replies[0].headers["RateLimit-Limit"] == "3"
        assert 1 <= int(replies[3].headers["Retry-After"]) <= 20
        assert replies[3].json()["error"]["code"] == "too_many_requests"
        assert other.get(LIST).status_code == 200
        assert [place.client().get("/health").status_code != 429 for _ in range(5)] == [True] * 5


def test_wrong_tokens_are_limited_by_address_and_good_ones_go_on(tmp_path: Path) -> None:
    with a_place(tmp_path, auth=Auth.TOKEN) as place:
        known, new = place.client(place.token()), place.client(place.token())
        assert known.get(LIST).status_code == 200
        guessing = []
        # A machine that is slow gives some of them back while it works.
        while len(guessing) < 3 * WRONG_TOKENS_PER_MINUTE:
            guessing.append(place.client(f"{TOKEN_PREFIX}{len(guessing)}").get(LIST))
            if guessing[-1].status_code == 429:
                break
        assert len(guessing) > WRONG_TOKENS_PER_MINUTE
        assert [reply.status_code for reply in guessing] == [401] * (len(guessing) - 1) + [429]
        assert int(guessing[-1].headers["Retry-After"]) >= 1
        for right in (known, new):  # many may come from one address
            assert right.get(LIST).status_code == 200


def test_open_access_is_not_limited(tmp_path: Path) -> None:
    with a_place(tmp_path, rate_per_minute=1) as place:
        assert [place.client().get(LIST).status_code for _ in range(3)] == [200] * 3


def test_addresses_of_one_network_have_one_allowance(tmp_path: Path) -> None:
    with a_place(tmp_path, auth=Auth.TOKEN) as place:
        attempts = Rates(LOG_INS_PER_MINUTE, key=network_of, clock=Clock())
        place.app.state.service.identities.attempts = attempts
        statuses = []
        for number in range(LOG_INS_PER_MINUTE + 2):
            browser = TestClient(
                place.app, HERE, headers=BROWSER, client=(f"2001:db8::{number:x}", 1)
            )
            statuses.append(log_in(browser, f"{TOKEN_PREFIX}{number}").status_code)
        elsewhere = TestClient(place.app, HERE, headers=BROWSER, client=("2001:db8:0:1::1", 1))
        assert log_in(elsewhere, f"{TOKEN_PREFIX}x").status_code == 401
    assert statuses == [401] * LOG_INS_PER_MINUTE + [429] * 2


def test_wrong_tokens_in_all_cost_little_and_lock_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "WRONG_IN_ALL_PER_MINUTE", 5)
    asked: list[str] = []
    real = Tokens.by_secret

    def noting(tokens: Tokens, secret: str) -> Token | None:
        asked.append(secret)
        return real(tokens, secret)

    monkeypatch.setattr(Tokens, "by_secret", noting)
    with a_place(tmp_path, auth=Auth.TOKEN) as place:
        token, other, revoked = place.token(), place.token(), place.token()
        found = there(place.store.tokens.by_secret(revoked))
        place.store.tokens.revoke(found.id)
        asked.clear()
        replies = []
        for number in range(40):
            stranger = TestClient(place.app, HERE, client=(f"10.0.0.{number}", 1))
            sent = {"Authorization": f"Bearer {TOKEN_PREFIX}{number}"}
            replies.append(stranger.get(LIST, headers=sent))
        assert [reply.status_code for reply in replies[:5]] == [401] * 5
        assert [reply.status_code for reply in replies[-5:]] == [429] * 5
        assert int(replies[-1].headers["Retry-After"]) >= 1
        assert len(asked) < 20  # a machine that is slow gives some of them back while it works
        # Whoever has a right one comes in, in any way, for the first time too.
        assert place.client(token).get(LIST).status_code == 200
        assert log_in(place.browser(), other).status_code == 303
        assert place.client(revoked).get(LIST).status_code in (401, 429)
