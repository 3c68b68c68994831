"""How a quote can differ from its source: the rules of the ladder, and the kinds of alteration."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """A harmless way in which a quote differs from its source, in the order of the ladder."""

    CASE = "case"
    WHITESPACE = "whitespace"
    PUNCTUATION = "punctuation"
    TYPOGRAPHY = "typography"
    MARKUP = "markup"
    HYPHENATION = "hyphenation"
    ELLIPSIS = "ellipsis"


class AlterationKind(StrEnum):
    """What a change touches. All but `SPELLING` and `WORDING` are vetoed in a direct quote."""

    NUMBER = "number"
    NEGATION = "negation"
    UNIT = "unit"
    DATE = "date"
    NAME = "name"
    WORDING = "wording"
    SPELLING = "spelling"


VETOED = frozenset(AlterationKind) - {AlterationKind.WORDING, AlterationKind.SPELLING}


@dataclass(frozen=True, slots=True)
class Alteration:
    """`source` stands in the document where the quote has `quoted`; either may be empty."""

    kind: AlterationKind
    quoted: str
    source: str

    def describe(self) -> str:
        """One line for a reader."""
        if not self.source:
            return f"{self.kind}: added {self.quoted!r}"
        if not self.quoted:
            return f"{self.kind}: left out {self.source!r}"
        return f"{self.kind}: {self.source!r} became {self.quoted!r}"


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A run of the word diff: what the quote has and what the source has, equal or not."""

    quoted: str
    source: str
    equal: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a quote differs from what stands in the source."""

    rules: tuple[Rule, ...]
    alterations: tuple[Alteration, ...]
    diff: tuple[DiffPart, ...]

    @property
    def vetoed(self) -> bool:
        """Whether the quote, as a direct quote, must not be validated."""
        return any(alteration.kind in VETOED for alteration in self.alterations)


NOTHING_CHANGED = Comparison((), (), ())


def struck_through(words: str) -> Alteration:
    """The alteration of a quote whose words the source strikes through."""
    return Alteration(AlterationKind.WORDING, words, f"~~{words}~~")


def is_struck_through(alteration: Alteration) -> bool:
    """Whether that is what an alteration says."""
    return alteration == struck_through(alteration.quoted)
