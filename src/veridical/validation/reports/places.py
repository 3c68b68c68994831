"""The places in the documents that the results of a run point to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from veridical.sources.document import Document, Span
from veridical.validation.reports.wording import SIGNS, STATUS_WORDS, TONES, WORST_FIRST
from veridical.validation.results import ClaimResult, Match, Status, ValidationReport

# The fragments by which a page names its claims.


_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Anchors:
    """A fragment for each claim: its own id where that can be one, so that links stay good.

    The page's own fragments hold a colon, which no claim's does but for the numbered ones.
    """

    def __init__(self, claim_ids: Sequence[str]) -> None:
        self.ids = tuple(claim_ids)
        taken: set[str] = set()
        of: list[str] = []
        for number, name in enumerate(claim_ids, 1):
            plain = _PLAIN.fullmatch(name) is not None and name not in taken
            taken.add(name)
            of.append(name if plain else f"claim:{number}")
        self.of = tuple(of)


class Role(IntEnum):
    """What a place is to a claim, the weightiest first."""

    EVIDENCE = 0
    ALTERNATIVE = 1
    TRIED = 2


@dataclass(frozen=True, slots=True)
class Use:
    """The result, by its index in the report, that points to a place."""

    result: int
    role: Role
    status: Status

    @property
    def look(self) -> tuple[str, str, str]:
        """The class of its colour, its sign, and what the place is to the claim in words."""
        if self.role is Role.TRIED:
            return "tried", "○", "tried and rejected"
        another = ", another place" if self.role is Role.ALTERNATIVE else ""
        word = STATUS_WORDS[self.status].lower()
        return TONES[self.status], SIGNS[self.status], f"{word}{another}"

    @property
    def rank(self) -> tuple[int, int, int]:
        """Sorts the use that decides a highlight's colour first."""
        return self.role, WORST_FIRST.index(self.status), self.result


@dataclass(frozen=True, slots=True)
class Place:
    """A span that at least one claim points to. `number` counts from 1 in the order of the report's
    documents and of their text; `uses` stand weightiest first.
    """

    number: int
    document: int
    span: Span
    uses: tuple[Use, ...]

    @property
    def anchor(self) -> str:
        """The fragment of the place in the page."""
        return f"m:{self.number}"

    @property
    def tone(self) -> str:
        """The classes of its highlight: the tone of its status, and `alt` for another place."""
        use = self.uses[0]
        return use.look[0] + (" alt" if use.role is Role.ALTERNATIVE else "")


class Places:
    """All places of a report, and the documents that they stand in."""

    def __init__(self, report: ValidationReport) -> None:
        self.documents: list[Document] = list(report.documents)
        self._index = {id(document): i for i, document in enumerate(self.documents)}
        uses: dict[tuple[int, int, int], dict[int, Use]] = {}
        for number, result in enumerate(report.results):
            for match, role in _matches(result):
                at = uses.setdefault(self._key(match), {})
                at.setdefault(number, Use(number, role, result.status))
        self.all: list[Place] = []
        self._by_key: dict[tuple[int, int, int], Place] = {}
        for key in sorted(uses):
            document, start, end = key
            ranked = tuple(sorted(uses[key].values(), key=lambda use: use.rank))
            place = Place(len(self.all) + 1, document, Span(start, end), ranked)
            self.all.append(place)
            self._by_key[key] = place

    def of(self, match: Match) -> Place:
        """The place of a match of this report."""
        return self._by_key[self._key(match)]

    def numbers(self, matches: Iterable[Match]) -> str:
        """The numbers of the places of matches, each once."""
        return " ".join(dict.fromkeys(str(self.of(match).number) for match in matches))

    def _key(self, match: Match) -> tuple[int, int, int]:
        index = self._index.get(id(match.document))
        if index is None:
            index = self._index[id(match.document)] = len(self.documents)
            self.documents.append(match.document)
        return index, match.span.start, match.span.end


def _matches(result: ClaimResult) -> Iterator[tuple[Match, Role]]:
    """Weightiest first: a span that a claim points to twice keeps its weightier role."""
    for match in (result.match, result.found_at):
        if match is not None:
            yield match, Role.EVIDENCE
    for match in result.alternatives:
        yield match, Role.ALTERNATIVE
    for attempt in result.attempts:
        yield attempt.match, Role.TRIED
