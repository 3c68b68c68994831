"""A data set of claims over documents of 50 KB, from the shared texts, with a fixed seed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.claims import edited, restyled
from benchmarks.corpus import Corpus, build_text

DOCUMENT_CHARS = 50 * 1024
CLAIMS_OF_ONE = 100
_LEAST, _MOST = 30, 300
_GROUP = 200
_SHARES = {"verbatim": 0.64, "retyped": 0.16, "a few edits": 0.1, "of another document": 0.1}
MIX = ", ".join(f"{share:.0%} {kind}" for kind, share in _SHARES.items())


def write(source: Corpus, folder: Path, documents: int) -> tuple[Path, Path]:
    """Files of claims and of documents: direct quotes of 30 to 300 characters, mixed as `MIX`."""
    paragraphs = [p for p in build_text(source, 4 * 1024**2).split("\n\n") if p.strip()]
    claims, texts = folder / "claims.parquet", folder / "documents.parquet"
    with (
        pq.ParquetWriter(claims, _strings("claim_id", "document_id", "quote")) as to_claims,
        pq.ParquetWriter(texts, _strings("document_id", "text")) as to_texts,
    ):
        for first in range(0, documents, _GROUP):
            numbers = range(first, min(documents, first + _GROUP))
            made = {f"d{number:07}": _text(paragraphs, number) for number in numbers}
            to_texts.write_table(_table(("document_id", "text"), list(made.items())))
            rows = [row for name, text in made.items() for row in _claims(name, text, paragraphs)]
            to_claims.write_table(_table(("claim_id", "document_id", "quote"), rows))
    return claims, texts


def write_written(source: Path, folder: Path) -> tuple[Path, Path]:
    """Files of claims that were written about documents, in the form of `training/data`."""
    rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    texts = [(row["doc"], row["text"]) for row in rows if "text" in row]
    asked = [
        (f"{row['doc']}-{at}", row["doc"], row["claim"])
        for at, row in enumerate(rows)
        if "claim" in row
    ]
    claims, documents = folder / "claims.parquet", folder / "documents.parquet"
    pq.write_table(_table(("claim_id", "document_id", "claim"), asked), claims)
    pq.write_table(_table(("document_id", "text"), texts), documents)
    return claims, documents


def _text(paragraphs: list[str], number: int) -> str:
    rng, parts, chars = random.Random(number), list[str](), 0
    while chars < DOCUMENT_CHARS:
        parts.append(rng.choice(paragraphs))
        chars += len(parts[-1]) + 2
    return "\n\n".join(parts)[:DOCUMENT_CHARS]


def _claims(name: str, text: str, paragraphs: list[str]) -> list[tuple[str, str, str]]:
    rng = random.Random(name)
    kinds = rng.choices(list(_SHARES), list(_SHARES.values()), k=CLAIMS_OF_ONE)
    return [
        (f"{name}-{number}", name, _quote(kind, text, paragraphs, rng))
        for number, kind in enumerate(kinds)
    ]


def _quote(kind: str, text: str, paragraphs: list[str], rng: random.Random) -> str:
    if kind == "of another document":
        text = _text(paragraphs, rng.randrange(10**9, 2 * 10**9))
    drawn = ""
    while len(drawn) < _LEAST:
        start = text.find(" ", rng.randrange(len(text) - 2 * _MOST)) + 1
        end = text.find(" ", start + rng.randint(_LEAST, _MOST - 50))
        drawn = text[start : end if end > 0 else start + _MOST].strip()[:_MOST]
    if kind == "retyped":
        return restyled(drawn, rng)
    return edited(drawn, rng.randint(1, 3), rng) if kind == "a few edits" else drawn


def _strings(*names: str) -> pa.Schema:
    return pa.schema([(name, pa.string()) for name in names])


def _table(names: tuple[str, ...], rows: list[tuple[str, ...]]) -> pa.Table:
    columns = zip(*rows, strict=True)
    return pa.table(dict(zip(names, map(list, columns), strict=True)), schema=_strings(*names))
