"""Does the transcript say this in other words?"""

from __future__ import annotations

from functools import cached_property

from veridical.errors import VeridicalError
from veridical.sources.span import Span
from veridical.sources.transcript import Transcript
from veridical.text.spoken import spoken_tokens
from veridical.text.tokens import word_key
from veridical.validation.claims import MAX_QUOTE_CHARS, Claim, EvidenceType
from veridical.validation.config import SemanticMatching, ValidationConfig
from veridical.validation.lexicon import MODALS, RESTRICTIONS
from veridical.validation.validator import Validator


class Paraphrases:
    """Looks for paraphrases with the validator, which is made when the first one comes."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript

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
            (result,) = self._validator.validate([claim]).results or (None,)
        except VeridicalError:
            return None
        if result is None or not result.passed or result.match is None:
            return None
        span = result.match.span
        said = self._transcript.text[span.start : span.end]
        return span if says_no_more(quote, said) else None


_QUALIFIERS = frozenset({*MODALS, *RESTRICTIONS})
_LIGHT = frozenset(
    """
    a an the this that these those of to for with from by at and is are was were be been being am
    have has had i we you he she it they my our your his her its their me us him them there so now
    just then also as who which
    """.split()
)
"""Words that a paraphrase may add. On, off, in, out, up and down are none of them."""


def says_no_more(paraphrase: str, said: str) -> bool:
    """Whether each word of a paraphrase that carries meaning stands in what was said.

    In that form, or as done for being done: "vented" is not the order to vent. Neither may be
    surer than the other, and the words keep their order: it tells who did it to whom. Between
    opposites nothing else differs than one word, so no other word will do in its place.
    """
    claimed, there = _words(paraphrase), _words(said)
    if _QUALIFIERS.intersection(claimed) != _QUALIFIERS.intersection(there):
        return False
    left = iter([_form(word) for word in there])
    return all(_form(word) in left for word in claimed if word not in _LIGHT)


def _words(text: str) -> list[str]:
    tokens = spoken_tokens(text)
    pairs = zip(tokens.starts, tokens.ends, strict=True)
    return [word_key(text[start:end]) for start, end in pairs]


def _form(word: str) -> str:
    """A word but for the difference between done and being done."""
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending) + "-"
    return word
