"""Who tries tokens, how often, and what it may cost: by network, and in all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network

from veridical.service.entry.rate import Allowance, Rates

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


class NetworkRates(Rates):
    """Counts by the network that an address is in."""

    def take(self, who: str) -> Allowance:
        """Count a call from an address."""
        return super().take(network_of(who))

    def look(self, who: str) -> Allowance:
        """What a call from an address would find now."""
        return super().look(network_of(who))


class Guesses:
    """Bounds what wrong tokens cost in all: after so many, a token is looked for among those that
    the database told of a moment ago, so that whoever has a right one is let in all the same.
    Usable from several threads.
    """

    def __init__(self, hashes: Callable[[], frozenset[str]]) -> None:
        self._hashes = hashes
        self._wrong = Rates(WRONG_IN_ALL_PER_MINUTE)
        self._lock = threading.Lock()
        self._known: tuple[float, frozenset[str]] | None = None

    def count_wrong(self) -> None:
        """A token was wrong."""
        self._wrong.take(_ALL)

    def refusal(self, secret_hash: str) -> int:
        """In how many seconds a token may be asked about; 0 for now."""
        allowed = self._wrong.look(_ALL)
        return 0 if not allowed.is_spent or self.is_known(secret_hash) else allowed.retry_seconds

    def is_known(self, secret_hash: str) -> bool:
        """Whether there is such a token, or was a moment ago. Seldom asks the database."""
        with self._lock:
            if self._known is None or time.monotonic() - self._known[0] > KNOWN_SECONDS:
                self._known = (time.monotonic(), self._hashes())
            return secret_hash in self._known[1]
