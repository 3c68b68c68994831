"""Receipts: how a quote that lost its names is proved with the raw transcript.

The digest of a receipt is a keyed hash (HMAC-SHA256) of the second, the number of words, the raw
words and the quote as it is shown. The key is made from the raw text of the transcript, which is
not published, and not from its published hash. So only who has that text can make or prove a
receipt, and a shown quote that somebody changed has none. Names can be tried out against a receipt
only by who can rebuild the whole raw text but for them.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from bisect import bisect_left
from functools import cached_property

from veridical.errors import ProcessingError
from veridical.sources.document import Span
from veridical.sources.transcript import Segment, Transcript, Word
from veridical.speech.results import Receipt
from veridical.text.spoken import SpokenTokens, spoken_keys, spoken_tokens
from veridical.validation.timed import DEFAULT_TIMED_POLICY, TimedQuotePolicy

_KEY_PREFIX = b"veridical speech receipt, version 1\n"


class Receipts:
    """Makes and proves the receipts of one raw transcript, which is made ready once."""

    def __init__(
        self, transcript: Transcript, policy: TimedQuotePolicy = DEFAULT_TIMED_POLICY
    ) -> None:
        self.transcript = transcript
        self.policy = policy

    def make(self, span: Span, shown: str) -> Receipt:
        """The receipt of `transcript.text[span.start:span.end]`, which is published as `shown`.

        Raises ProcessingError where nothing was said there or no time is known of it.
        """
        keys = spoken_keys(self.transcript.text[span.start : span.end])
        seconds = self.transcript.moment(span).start
        if not keys or seconds is None:
            raise ProcessingError(
                "a receipt needs words of the transcript and the second at which they were said; "
                "check the quote against this transcript before publishing it"
            )
        return Receipt(self._digest(keys, seconds, shown), len(keys), seconds)

    def prove(self, receipt: Receipt, shown: str) -> Span | None:
        """Where the words stand that were published as `shown`; None where nothing is proven.

        Only words that were said within `policy.tolerance_seconds` of its second are looked at, and
        only receipts of at most `policy.max_tokens` words.
        """
        if not 1 <= receipt.tokens <= self.policy.max_tokens or not math.isfinite(receipt.seconds):
            return None
        for first in self._starting_near(receipt.seconds):
            last = first + receipt.tokens
            if last > len(self._tokens):
                break
            if self._same(receipt, self._tokens.keys[first:last], shown):
                span = Span(self._tokens.starts[first], self._tokens.ends[last - 1])
                if self._said_near(span, receipt.seconds):
                    return span
        return None

    @cached_property
    def _tokens(self) -> SpokenTokens:
        return spoken_tokens(self.transcript.text)

    @cached_property
    def _key(self) -> bytes:
        text = self.transcript.text.encode("utf-8", "surrogatepass")
        return hashlib.sha256(_KEY_PREFIX + text).digest()

    def _digest(self, keys: list[str], seconds: float, shown: str) -> str:
        # Tokens hold no white space, so that no two contents are written alike.
        said = f"{seconds!r}\n{len(keys)}\n{' '.join(keys)}\n{shown}"
        return hmac.new(
            self._key, said.encode("utf-8", "surrogatepass"), hashlib.sha256
        ).hexdigest()

    def _same(self, receipt: Receipt, keys: list[str], shown: str) -> bool:
        made = self._digest(keys, receipt.seconds, shown)
        return hmac.compare_digest(made.encode(), receipt.digest.encode("utf-8", "surrogatepass"))

    def _starting_near(self, seconds: float) -> list[int]:
        """The tokens that start in a word or a segment of about that second, in order."""
        reach = self.policy.tolerance_seconds
        near: set[int] = set()
        parts: tuple[Word | Segment, ...] = (*self.transcript.words, *self.transcript.segments)
        for part in parts:
            if part.start is not None and abs(part.start - seconds) <= reach:
                first = bisect_left(self._tokens.ends, part.span.start + 1)
                near.update(range(first, bisect_left(self._tokens.starts, part.span.end)))
        return sorted(near)

    def _said_near(self, span: Span, seconds: float) -> bool:
        start = self.transcript.moment(span).start
        return start is not None and abs(start - seconds) <= self.policy.tolerance_seconds
