"""Claims made from a text with a fixed seed: quotes to locate, and a whole set of evidence."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.corpus import visible_paragraphs
from veridical.sources.document import Document

MIN_CHARS, MAX_CHARS = 30, 300
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SMALL_WORDS = frozenset(
    "a an and are as at be but by can for from has have if in is it its may more not of on or our "
    "should so that the their there these they this to was we were when which who will with you "
    "your".split()
)
_SYNONYMS = {
    "about": "concerning", "also": "too", "because": "since", "before": "ahead of",
    "before,": "earlier,", "begin": "start", "big": "large", "every": "each", "help": "assist",
    "important": "key", "large": "big", "make": "create", "many": "numerous", "must": "have to",
    "need": "require", "new": "fresh", "people": "persons", "should": "ought to", "show": "present",
    "small": "little", "start": "begin", "such": "like", "use": "employ", "very": "quite",
    "want": "wish", "work": "labour",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote to look for and how it was made."""

    text: str
    kind: str


def quotes_to_locate(document: Document, reserve: Document, count: int, seed: int) -> list[Quote]:
    """Half verbatim but for case, spacing and typography, a quarter with 1 to 3 edits, a tenth
    badly damaged or shortened with an ellipsis, the rest drawn from the reserve: 30 to 300 chars.
    """
    rng = random.Random(seed)
    present, absent = _Passages(document), _Passages(reserve)
    makers: dict[str, tuple[float, Callable[[], str]]] = {
        "restyled": (0.5, lambda: restyled(present.draw(rng), rng)),
        "few edits": (0.25, lambda: edited(present.draw(rng), rng.randint(1, 3), rng)),
        "damaged": (0.05, lambda: _damaged(present.draw(rng), rng)),
        "ellipsis": (0.05, lambda: _shortened(present.draw(rng), rng)),
        "absent": (0.15, lambda: absent.draw(rng)),
    }
    quotes = [
        Quote(make()[:MAX_CHARS], kind)
        for kind, (share, make) in makers.items()
        for _ in range(round(share * count))
    ]
    rng.shuffle(quotes)
    return quotes


def evidence(
    document: Document, reserve: Document, count: int, seed: int, *, reworded: bool = True
) -> list[dict[str, Any]]:
    """Claims in the form of the schema: 60 % direct quotes made as above, 20 % paraphrases, 10 %
    concept and 10 % section references. A quarter names a section and a tenth gives a hint.

    Unless `reworded`, nothing is left to the reader: paraphrases have the source's own words, and
    concepts no more than four.
    """
    rng = random.Random(seed)
    present = _Passages(document)
    direct = round(0.6 * count)
    made = [
        ("direct_quote", quote.text)
        for quote in quotes_to_locate(document, reserve, direct, seed + 1)
    ]
    paraphrase, words = (_paraphrased, 8) if reworded else (lambda text, _: text, 4)
    makers: dict[str, tuple[float, Callable[[], str]]] = {
        "paraphrase": (0.2, lambda: paraphrase(present.draw(rng), rng)),
        "concept_reference": (0.1, lambda: _concept(present.draw(rng), rng, words)),
        "section_reference": (0.1, lambda: _section(document, rng)),
    }
    for kind, (share, make) in makers.items():
        made += [(kind, make()) for _ in range(round(share * count))]
    rng.shuffle(made)
    return [_entry(index, kind, text, document, rng) for index, (kind, text) in enumerate(made, 1)]


def _entry(
    index: int, kind: str, text: str, document: Document, rng: random.Random
) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": f"EV{index:04}",
        "task_id": f"P1.T{index:04}",
        "quote": text,
        "evidence_type": kind,
    }
    draw = rng.random()
    if draw < 0.25 and document.sections:
        entry["expected_section"] = rng.choice(document.sections).title or "Introduction"
    elif draw < 0.35:
        entry["context_hint"] = " ".join(rng.sample(text.split(), min(3, len(text.split()))))
    return entry


class _Passages:
    """Draws stretches of whole words from the paragraphs that a reader sees."""

    def __init__(self, document: Document) -> None:
        self._paragraphs = [
            part for part in visible_paragraphs(document) if len(part) >= 2 * MIN_CHARS
        ]
        self._weights = _running_total([len(part) for part in self._paragraphs])

    def draw(self, rng: random.Random) -> str:
        while True:
            part = rng.choices(self._paragraphs, cum_weights=self._weights)[0]
            length = rng.randint(MIN_CHARS, MAX_CHARS)
            start = part.rfind(" ", 0, rng.randrange(max(1, len(part) - length + 1)) + 1) + 1
            end = part.find(" ", start + length - 1)
            if end < 0 or end - start > MAX_CHARS:
                end = len(part) if len(part) - start <= length else start + length
            text = part[start:end].strip()
            if len(text) >= MIN_CHARS and sum(map(str.isalpha, text)) > len(text) / 2:
                return text


def _running_total(values: Sequence[int]) -> list[int]:
    totals, total = [], 0
    for value in values:
        total += value
        totals.append(total)
    return totals


def restyled(text: str, rng: random.Random) -> str:
    """Other case, spacing and typography; the same words."""
    text = rng.choice((str, str.lower, str.upper, str.title))(text)
    for plain, typeset in (('"', "\u201d"), ("'", "\u2019"), ("-", "\u2013")):
        if rng.random() < 0.5:
            text = text.replace(plain, typeset)
    spaces = (" ", " ", " ", "  ", "\n", "\u00a0")
    spaced = "".join(rng.choice(spaces) if character.isspace() else character for character in text)
    return spaced if len(spaced) <= MAX_CHARS else text


def edited(text: str, edits: int, rng: random.Random) -> str:
    for _ in range(edits):
        at = rng.randrange(1, len(text) - 1)
        kept = at + rng.randint(0, 1)
        text = text[:at] + rng.choice(("", rng.choice(_LETTERS))) + text[kept:]
    return text


def _damaged(text: str, rng: random.Random) -> str:
    return edited(text, max(4, round(len(text) * rng.uniform(0.08, 0.25))), rng)


def _shortened(text: str, rng: random.Random) -> str:
    words = text.split()
    third = len(words) // 3
    gone = rng.randint(1, max(1, third))
    return " ".join([*words[:third], "\u2026", *words[third + gone :]])


def _paraphrased(text: str, rng: random.Random) -> str:
    """Clauses change places, some words are replaced or left out."""
    words = [_SYNONYMS.get(word.lower(), word) for word in text.split()]
    kept = [word for word in words if word.lower() not in _SMALL_WORDS or rng.random() < 0.8]
    cut = rng.randrange(len(kept) // 3, len(kept) * 2 // 3 + 1)
    return " ".join(kept[cut:] + kept[:cut]).ljust(10, ".")


def _concept(text: str, rng: random.Random, most: int) -> str:
    words = [word.strip(".,;:()\"'") for word in text.split()]
    content = [word for word in words if len(word) > 3 and word.lower() not in _SMALL_WORDS]
    chosen = rng.sample(content, min(len(content), rng.randint(3, most))) if content else words
    return " ".join(chosen).ljust(10, ".")


def _section(document: Document, rng: random.Random) -> str:
    """A title that is there, four times in five."""
    titles = [section.title for section in document.sections if len(section.title) >= 10]
    if titles and rng.random() < 0.8:
        return rng.choice(titles)
    return f"Section {rng.randint(1, 40)}.{rng.randint(1, 9)} of the general provisions"
