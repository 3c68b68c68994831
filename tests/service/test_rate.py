"""How often a token may be used."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.service.visiting import a_place

from veridical.service.entry.identity import WRONG_TOKENS_PER_MINUTE
from veridical.service.entry.rate import Rates
from veridical.service.settings import Auth
from veridical.store.tokens import TOKEN_PREFIX, Role

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


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 20))
def test_never_more_in_a_span_than_it_holds_and_gets(waits: list[float], per_minute: int) -> None:
    clock = Clock()
    rates = Rates(per_minute, clock=clock)
    times: list[float] = []
    for wait in waits:
        clock.now += wait
        if not rates.take("a").is_spent:
            times.append(clock.now)
    for first, begun in enumerate(times):
        for last in range(first, len(times)):
            span = times[last] - begun
            assert last - first + 1 <= per_minute * (1 + span / 60) + 1e-6


def test_what_is_remembered_is_bounded() -> None:
    rates = Rates(1, most=3)
    for who in "abcd":
        assert not rates.take(who).is_spent
    assert rates.take("d").is_spent
    assert not rates.take("a").is_spent  # was pushed out


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
        known = place.client(place.token())
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
        assert known.get(LIST).status_code == 200


def test_looking_counts_nothing() -> None:
    rates = Rates(2, clock=Clock())
    assert [rates.look("a").remaining for _ in range(5)] == [2] * 5
    rates.take("a")
    rates.take("a")
    assert rates.look("a").is_spent
    assert rates.look("a") == rates.take("a")


def test_open_access_is_not_limited(tmp_path: Path) -> None:
    with a_place(tmp_path, rate_per_minute=1) as place:
        assert [place.client().get(LIST).status_code for _ in range(3)] == [200] * 3
