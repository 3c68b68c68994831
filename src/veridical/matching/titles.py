"""Sections by what a reader calls them: their title, their number, or both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from veridical.matching.passages import Passage
from veridical.sources.document import Document, Section
from veridical.text.normalize import fold

_REFERENCE = re.compile(
    r"(?:\b(?:section|sections|sect|sec|chapter|article|part|clause|appendix|annex|para|paragraph)"
    r"\b\.?|\u00a7+)\s*(?P<number>\d+(?:\.\d+)*|[A-Z]|[IVXLC]+)\b",
    re.IGNORECASE,
)
_LEADING_NUMBER = re.compile(r"^\s*(?P<number>\d+(?:\.\d+)*)\.?(?=\s|$)")
_FILLER = frozenset(
    "the a an in of see under section sections sect sec chapter article part clause appendix annex "
    "para paragraph heading titled entitled called document page subsection".split()
)
_SIMILAR = 0.85
_CONTRADICTED = 0.6
"""Similarity of a reference whose number is right and whose title is not."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What a reference to a section says: a printed number, words of a title, or both."""

    number: str
    words: str


def parse_reference(text: str) -> Reference:
    """Read "Section 3.2: Overtime", "\u00a7 3.2", "3.2 Overtime" or "the Overtime section"."""
    found = _REFERENCE.search(text) or _LEADING_NUMBER.search(text)
    number = found.group("number").rstrip(".") if found else ""
    rest = text[: found.start()] + " " + text[found.end() :] if found else text
    folded = fold(rest.replace("&", " and "))
    words = " ".join(word for word in folded.split() if word not in _FILLER)
    return Reference(number.upper() if number.isalpha() else number, words)


class TitleIndex:
    """The sections of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._titles = [parse_reference(section.title) for section in document.sections]
        self._words = [title.words for title in self._titles]
        self._by_number: dict[str, list[int]] = {}
        for index, title in enumerate(self._titles):
            number = (document.sections[index].number or title.number).casefold()
            if number:
                self._by_number.setdefault(number, []).append(index)

    def find(self, reference: str, most: int) -> list[Passage]:
        """Headings that a reference may mean, likeliest first; similarity 1 is what it says."""
        return [
            Passage(self._document, section.heading, score)
            for score, section in self._scored(reference)[:most]
        ]

    def sections_named(self, reference: str) -> Iterator[Section]:
        """Sections that a reference certainly names."""
        for score, section in self._scored(reference):
            if score >= _SIMILAR:
                yield section

    def _scored(self, reference: str) -> list[tuple[float, Section]]:
        wanted = parse_reference(reference)
        near = set(self._by_number.get(wanted.number.casefold(), ()) if wanted.number else ())
        if wanted.words:
            near.update(
                index
                for _, _, index in process.extract(
                    wanted.words,
                    self._words,
                    scorer=fuzz.ratio,
                    score_cutoff=100 * _SIMILAR,
                    limit=None,
                )
            )
        sections = self._document.sections
        scored = [
            (score, sections[index])
            for index in sorted(near)
            if (score := _agreement(wanted, self._titles[index], sections[index])) > 0
        ]
        return sorted(scored, key=lambda item: (-item[0], item[1].heading.start))


def _agreement(wanted: Reference, title: Reference, section: Section) -> float:
    number = section.number or title.number
    if wanted.number and wanted.number.casefold() == number.casefold():
        if not wanted.words:
            return 1.0
        return 1.0 if _same_words(wanted.words, title.words) >= _SIMILAR else _CONTRADICTED
    if wanted.number and number:
        return 0.0
    if not wanted.words or not title.words:
        return 0.0
    similarity = _same_words(wanted.words, title.words)
    return similarity if similarity >= _SIMILAR else 0.0


def _same_words(wanted: str, title: str) -> float:
    if wanted == title:
        return 1.0
    return fuzz.ratio(wanted, title) / 100
