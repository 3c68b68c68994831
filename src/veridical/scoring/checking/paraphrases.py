"""Does the transcript say this in other words?"""

from __future__ import annotations

from functools import cached_property
from threading import Lock

from veridical.errors import VeridicalError
from veridical.sources.span import Span
from veridical.sources.transcript import Transcript
from veridical.validation.claims import MAX_QUOTE_CHARS, Claim, EvidenceType
from veridical.validation.config import SemanticMatching, ValidationConfig
from veridical.validation.validator import Validator


class Paraphrases:
    """Looks for paraphrases with the validator, which is made when the first one comes."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._lock = Lock()

    @cached_property
    def _validator(self) -> Validator:
        # Sense alone validates no paraphrase, so embeddings would only cost time here.
        config = ValidationConfig(semantic_matching=SemanticMatching(enabled=False))
        return Validator([self._transcript], config)

    def find(self, quote: str) -> Span | None:
        """The one place that says the same; None where the validator has any doubt of it."""
        if not 0 < len(quote) <= MAX_QUOTE_CHARS:
            return None
        claim = Claim("EV1", quote, EvidenceType.PARAPHRASE)
        try:
            with self._lock:  # a validator serves one thread at a time
                (result,) = self._validator.validate([claim]).results or (None,)
        except VeridicalError:
            return None
        if result is None or not result.passed or result.match is None:
            return None
        return result.match.span
