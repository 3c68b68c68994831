"""Twenty answers over the example documents, each with seven true claims and three planted errors.

`labels.json` names, for every answer, the question, the verbatim text of its ten claims and what
each is. They were written from the documents alone, without regard to how a judge works.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from veridical import Document
from veridical.sources.span import Span

HERE = Path(__file__).parent
SOURCES = Path(__file__).parents[3] / "examples" / "sources"


class Label(StrEnum):
    """What a claim is: true, or which error was planted in it."""

    TRUE = "true"
    NUMBER = "number"
    NEGATION = "negation"
    NOWHERE = "nowhere"


ALTERED = (Label.NUMBER, Label.NEGATION)
"""Errors that a document speaks against; a claim from nowhere has no document."""

EXPECTED_COUNTS = {Label.TRUE: 7, Label.NUMBER: 1, Label.NEGATION: 1, Label.NOWHERE: 1}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A claim of an answer, where it stands there, and the words of `document` that settle it."""

    text: str
    span: Span
    label: Label
    document: str = ""
    settled_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlantedAnswer:
    """An answer, the question it answers, and its claims in order."""

    name: str
    query: str
    text: str
    claims: tuple[Labelled, ...]


def load_planted() -> tuple[PlantedAnswer, ...]:
    """All answers by name. A labelled text that does not stand in its answer is a ValueError."""
    rows = json.loads((HERE / "labels.json").read_text("utf-8"))["answers"]
    return tuple(_answer(row) for row in rows)


def _answer(row: Mapping[str, object]) -> PlantedAnswer:
    name, claims = str(row["answer"]), row["claims"]
    assert isinstance(claims, list)
    text = (HERE / name).read_text("utf-8")
    return PlantedAnswer(
        name.removesuffix(".md"),
        str(row["query"]),
        text,
        tuple(
            Labelled(
                claim["text"],
                _place(text, claim["text"]),
                Label(claim["label"]),
                claim.get("document", ""),
                tuple(claim.get("settled_by", ())),
            )
            for claim in claims
        ),
    )


def _place(answer: str, claim: str) -> Span:
    if answer.count(claim) != 1:
        raise ValueError(f"should stand once in its answer: {claim!r}")
    start = answer.index(claim)
    return Span(start, start + len(claim))


def faults(answer: PlantedAnswer, documents: Mapping[str, Document]) -> Iterator[str]:
    """What is unsound in the labels of an answer; nothing, if all is well."""
    labels = [claim.label for claim in answer.claims]
    if {label: labels.count(label) for label in Label} != EXPECTED_COUNTS:
        yield f"wrong counts: {labels}"
    for before, after in zip(answer.claims, answer.claims[1:], strict=False):
        if after.span.start < before.span.end:
            yield f"out of order or overlapping: {after.text!r}"
    for claim in answer.claims:
        if claim.label is Label.NOWHERE:
            if claim.document or claim.settled_by:
                yield f"comes from nowhere, yet has a source: {claim.text!r}"
        elif claim.document not in documents or not claim.settled_by:
            yield f"nothing settles it: {claim.text!r}"
        else:
            seen = _as_read(documents[claim.document])
            for words in claim.settled_by:
                if words not in seen:
                    yield f"not in {claim.document}: {words!r}"


def _as_read(document: Document) -> str:
    """The words a reader sees, one space between them, those broken over two lines put together."""
    shown = document.shown(Span(0, len(document.text)))
    return " ".join(re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", shown).split())
