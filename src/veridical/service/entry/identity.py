"""Finds out who makes a request: by a token, by a log-in, or as anyone where access is open; and
counts how often somebody calls, or tries tokens.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from veridical.errors import StoreError
from veridical.service.entry.access import (
    LONGEST_SECONDS,
    SESSION,
    Access,
    address_of,
    chosen_workspace,
    read_session,
)
from veridical.service.errors import NotFoundError, RefusedError, TooManyError, UnauthorizedError
from veridical.service.settings import Auth, ServiceSettings
from veridical.store.workspaces import TOKEN_PREFIX, Role, Token, secret_hash

if TYPE_CHECKING:
    from veridical.store.store import Store


MOST_BUCKETS = 10_000
"""Of those who called last; whoever is pushed out begins with a full one again."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Whether a call is allowed, and how many more are now. `retry_seconds` is 0 if it is."""

    limit: int
    remaining: int
    retry_seconds: int

    @property
    def is_spent(self) -> bool:
        """Whether the call must be refused."""
        return self.retry_seconds > 0


class Rates:
    """Counts calls by who makes them: by what `key` makes of that. Usable from several threads."""

    def __init__(
        self,
        per_minute: int,
        *,
        most: int = MOST_BUCKETS,
        key: Callable[[str], str] = str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_minute = per_minute
        self._most = most
        self._key = key
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # content, as of when

    def take(self, who: str) -> Allowance:
        """Count a call of `who`."""
        who = self._key(who)
        with self._lock:
            now = self._clock()
            content = self._content(who, now)
            allowed = self._allowance(content)
            if not allowed.is_spent:
                content -= 1
            self._buckets.pop(who, None)
            self._buckets[who] = (content, now)
            while len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        return replace(allowed, remaining=int(content))

    def look(self, who: str) -> Allowance:
        """What a call of `who` would find now, without counting any."""
        with self._lock:
            return self._allowance(self._content(self._key(who), self._clock()))

    def _content(self, who: str, now: float) -> float:
        content, since = self._buckets.get(who, (float(self._per_minute), now))
        return min(self._per_minute, content + (now - since) * self._per_minute / 60)

    def _allowance(self, content: float) -> Allowance:
        short = 1 - content
        retry = max(1, math.ceil(short * 60 / self._per_minute)) if short > 0 else 0
        return Allowance(self._per_minute, int(content), retry)


WRONG_IN_ALL_PER_MINUTE = 300
"""Wrong tokens, wherever they come from, that may each ask the database."""

KNOWN_SECONDS = 5.0
"""How long what the database told of all tokens is held to be so."""

_NETWORK_BITS = 64
_ALL = "all"


def network_of(address: str) -> str:
    """Whose an address is: with IPv6 one customer has a whole network of them."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((found, _NETWORK_BITS), strict=False))


class Guesses:
    """Bounds what wrong tokens cost in all: after so many, a token is looked for among those that
    the database told of a moment ago, so that whoever has a right one is let in all the same.
    Usable from several threads.
    """

    def __init__(self, hashes: Callable[[], frozenset[str]]) -> None:
        self._hashes = hashes
        self.wrong = Rates(WRONG_IN_ALL_PER_MINUTE)
        self._lock = threading.Lock()
        self._known: tuple[float, frozenset[str]] | None = None

    def is_known(self, secret_hash: str) -> bool:
        """Whether there is such a token, or was a moment ago. Seldom asks the database."""
        with self._lock:
            if self._known is None or time.monotonic() - self._known[0] > KNOWN_SECONDS:
                self._known = (time.monotonic(), self._hashes())
            return secret_hash in self._known[1]


WORKSPACE_HEADER = "Veridical-Workspace"
"""Which workspace an API call is about, percent-encoded where it is not ASCII."""

LOCAL_ACTOR = "local"

TOKEN_CACHE_SECONDS = 5.0
"""How long a token that was revoked, or a log-in that was ended, elsewhere may still be good."""

LOG_INS_PER_MINUTE = 10

WRONG_TOKENS_PER_MINUTE = 30
"""From one address. Each costs a question to the database; right tokens are let in all the same."""

_MOST_TOKENS_CACHED = 1_000
_MOST_SECRET_CHARS = 200
_NOBODY = "This needs a token: log in, or send `Authorization: Bearer vrd_…`."
_TOO_MANY_WRONG = "Too many wrong tokens from your address. Wait a minute, then try again."
_TOO_MANY_IN_ALL = "Too many wrong tokens were sent. Try again soon."
_STRANGER = "This token is not known, has expired or was revoked."


class Identities:
    """Everyone who may come in. Usable from several threads."""

    def __init__(self, settings: ServiceSettings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._lock = threading.Lock()
        self.secret = store.secret("service")
        """What cookies, forms and links are signed with. Read once, as it never changes: who asks
        for it must not wait for the database."""
        self._tokens: OrderedDict[str, tuple[float, Token]] = OrderedDict()
        self.attempts = Rates(LOG_INS_PER_MINUTE, key=network_of)
        """Attempts to log in, by address."""
        self._wrong = Rates(WRONG_TOKENS_PER_MINUTE, key=network_of)
        self._guesses = Guesses(store.tokens.hashes)

    async def of(self, connection: HTTPConnection) -> Access:
        """Who makes a request. Raises UnauthorizedError for nobody that we know, and NotFoundError
        where a token is used for another workspace than its own.
        """
        given = connection.headers.get("authorization")
        if given is not None:
            token = await self._by_header(given, address_of(connection))
            return self._access_of(token, connection, by_header=True)
        if self._settings.auth is Auth.OPEN:
            return self._open(connection)
        session = read_session(self.secret, connection.cookies.get(SESSION, ""))
        if session is None:
            raise UnauthorizedError(_NOBODY)
        token_id, nonce = session

        def by_log_in() -> Token | None:
            is_ended = self._store.ended_log_ins.has(nonce)
            return None if is_ended else self._store.tokens.by_id(token_id)

        token = await self._good(nonce, by_log_in)
        return self._access_of(token, connection, session_nonce=nonce)

    def by_secret(self, secret: str) -> Token | None:
        """The good token of a secret; asks the database. Raises TooManyError for one that is hardly
        right, where there were too many wrong ones just now.
        """
        if not secret.startswith(TOKEN_PREFIX) or not _is_usable(secret):
            return None
        allowed = self._guesses.wrong.look(_ALL)
        if allowed.is_spent and not self._guesses.is_known(secret_hash(secret)):
            raise TooManyError(_TOO_MANY_IN_ALL, retry_seconds=allowed.retry_seconds)
        token = self._store.tokens.by_secret(secret)
        if token is not None and token.is_good(datetime.now(UTC)):
            return token
        self._guesses.wrong.take(_ALL)
        return None

    def forget(self, token_id: str) -> None:
        """Let a token that was revoked here be good no longer at once."""
        with self._lock:
            for key in [key for key, (_, token) in self._tokens.items() if token.id == token_id]:
                del self._tokens[key]

    def end_log_in(self, nonce: str) -> None:
        """Let a log-in be good no longer: here at once, in other processes with the next look."""
        self._store.ended_log_ins.end(nonce, seconds=LONGEST_SECONDS)
        with self._lock:
            self._tokens.pop(nonce, None)

    async def is_known_still(self, connection: HTTPConnection) -> bool:
        """Whether whoever made a request that is still being replied to could make it now."""
        try:
            await self.of(connection)
        except UnauthorizedError:
            return False
        except StoreError:  # the database is gone for now
            return True
        return True

    async def _by_header(self, given: str, address: str) -> Token:
        scheme, _, secret = given.partition(" ")
        secret = secret.strip()
        if scheme.lower() != "bearer" or not _is_usable(secret):
            raise UnauthorizedError(_STRANGER)
        key = secret_hash(secret)
        with self._lock:
            is_kept = key in self._tokens
        allowed = self._wrong.look(address)
        is_guess = allowed.is_spent and not is_kept
        if is_guess and not await run_in_threadpool(self._guesses.is_known, key):
            raise TooManyError(_TOO_MANY_WRONG, retry_seconds=allowed.retry_seconds)
        try:
            return await self._good(key, lambda: self.by_secret(secret))
        except UnauthorizedError:
            self._wrong.take(address)
            raise

    async def _good(self, key: str, find: Callable[[], Token | None]) -> Token:
        """The token that `find` finds, or found a moment ago. Raises UnauthorizedError."""
        with self._lock:
            kept = self._tokens.get(key)
        if kept is None or time.monotonic() - kept[0] > TOKEN_CACHE_SECONDS:
            token = await run_in_threadpool(find)
        else:
            token = kept[1]
        if token is None or not token.is_good(datetime.now(UTC)):
            raise UnauthorizedError(_STRANGER)
        if kept is None or token is not kept[1]:
            with self._lock:
                self._tokens[key] = (time.monotonic(), token)
                self._tokens.move_to_end(key)
                while len(self._tokens) > _MOST_TOKENS_CACHED:
                    self._tokens.popitem(last=False)
        return token

    def _access_of(self, token: Token, connection: HTTPConnection, **how: Any) -> Access:
        asked = _asked_workspace(connection)
        if asked is not None and asked != token.workspace:
            raise NotFoundError("There is no such workspace for this token.")
        return Access(self._store.shelf(token.workspace), token.role, token.name, token.id, **how)

    def _open(self, connection: HTTPConnection) -> Access:
        asked = _asked_workspace(connection)
        chosen = asked or chosen_workspace(connection) or self._settings.workspace
        try:
            shelf = self._store.shelf(chosen)
        except StoreError as error:
            if asked is not None:
                raise RefusedError(422, "invalid_request", str(error)) from None
            shelf = self._store.shelf(self._settings.workspace)
        return Access(shelf, Role.ADMIN, LOCAL_ACTOR)


def _asked_workspace(connection: HTTPConnection) -> str | None:
    value = connection.headers.get(WORKSPACE_HEADER)
    return None if value is None else unquote(value)


def _is_usable(secret: str) -> bool:
    return secret.isascii() and secret.isprintable() and 0 < len(secret) <= _MOST_SECRET_CHARS
