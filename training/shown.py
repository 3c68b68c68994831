"""Claims about documents as the product shows them to the reader: found, cut, put in a window."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from veridical.judging.judge import Case
from veridical.judging.lines import Lines, case_of, lines_of
from veridical.ledger.build import LedgerPolicy
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import HybridRetriever
from veridical.sources.document import Format
from veridical.sources.loader import document_from_text

MOST_PASSAGES = LedgerPolicy().most_passages


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """A claim that was written for us. `basis` are words of each sentence that decides.

    `text` is its document, or its passage where it was written for one.
    """

    writer: str
    doc: str
    genre: str
    text: str
    claim: str
    label: str
    kind: str
    basis: tuple[str, ...] = ()


def read_written(path: Path) -> list[WrittenClaim]:
    """The claims of one file in the form of `training/data/BRIEF.md`."""
    docs: dict[str, dict[str, str]] = {}
    claims = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "text" in row:
            docs[row["doc"]] = row
            continue
        passage = row.get("evidence")
        if passage is not None:
            row["doc"] = f"{path.stem}-{sha256(passage.encode()).hexdigest()[:12]}"
            docs[row["doc"]] = {"genre": "passage", "text": passage}
        doc = docs[row["doc"]]
        claims.append(
            WrittenClaim(
                path.stem,
                row["doc"],
                doc["genre"],
                doc["text"],
                row["claim"],
                row["label"],
                row["kind"],
                tuple(row.get("basis", ())),
            )
        )
    return claims


def cases_of(text: str, claims: Sequence[str]) -> Iterator[list[Case]]:
    """The cases of each claim over one Markdown document, as a ledger makes them."""
    corpus = Corpus([document_from_text(text, "document.md", Format.MARKDOWN)])
    found = HybridRetriever(corpus).search(claims, MOST_PASSAGES)
    for claim, hits in zip(claims, found, strict=True):
        yield [case_of(claim, hit.chunk) for hit in hits if hit.chunk.sentences]


def shown(claims: Sequence[WrittenClaim]) -> Iterator[tuple[WrittenClaim, Lines]]:
    """Each claim with the lines that were found for it; claims of one document follow."""
    by_doc: dict[str, list[WrittenClaim]] = {}
    for claim in claims:
        by_doc.setdefault(claim.doc, []).append(claim)
    for group in by_doc.values():
        cases = cases_of(group[0].text, [claim.claim for claim in group])
        for claim, found in zip(group, cases, strict=True):
            yield claim, lines_of(found)
