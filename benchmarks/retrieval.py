"""Retrieval: how fast a corpus is made ready and searched, and how often it finds the answer.

`python -m benchmarks.retrieval --data DIR` prints the rows by themselves.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path

from benchmarks.measure import Timing, stay_on_one_core, times
from benchmarks.report import Line, goal, seconds, table
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import Hit, HybridRetriever
from veridical.sources.document import Document, Format, Span
from veridical.sources.loader import document_from_text

OURS = "**Veridical**"
INDEXED_CHARS = 3_000_000
"""What 1,000 pages hold."""

CLAIMS = 200
DEPTHS = (1, 5, 8)


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and the spans of a document of which one must be found."""

    query: str
    document: str
    answers: tuple[Span, ...]


def handbook(data: Path, *, blank: bool = True) -> tuple[list[Document], list[Question]]:
    """The pages of the 18F handbook, and the questions that they answer.

    With `blank`, the question's own heading is blanked: with it the search would be trivial.
    """
    folder = data / "policies"
    paths = sorted((folder / "18F").rglob("*.md"))
    texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}
    questions: list[Question] = []
    for row in _rows(folder / "faq_questions.dev.jsonl"):
        name, asked = row["doc"], row["question"]
        if name not in texts:
            continue
        start = texts[name].index(row["answer"])
        before, heading, after = texts[name][:start].rpartition(asked)
        if blank:
            texts[name] = before + " " * len(heading) + after + texts[name][start:]
        questions.append(Question(asked, name, (Span(start, start + len(row["answer"])),)))
    documents = [
        document_from_text(text, name, Format.MARKDOWN)
        for name, text in texts.items()
        if text.strip()
    ]
    return documents, questions


def articles(data: Path) -> tuple[list[Document], list[Question]]:
    """The articles that claims of Wikipedia cite, all in one corpus, and the claims borne out."""
    names: dict[str, str] = {}
    claims: list[Question] = []
    for row in _rows(data / "claims" / "wice.dev.jsonl"):
        text = row["document"]
        name = names.setdefault(text, f"article {len(names)}")
        places = [(text.find(sentence), len(sentence)) for sentence in row["evidence"]]
        found = tuple(Span(at, at + length) for at, length in places if at >= 0)
        if found and row["label"] in {"supported", "partial"}:
            claims.append(Question(row["claim"], name, found))
    return [document_from_text(text, name) for text, name in names.items()], claims


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def thousand_pages(documents: Sequence[Document]) -> list[Document]:
    """Documents, repeated under other names, up to `INDEXED_CHARS` characters."""
    pages: list[Document] = []
    length = 0
    for number, document in enumerate(cycle(documents)):
        if length >= INDEXED_CHARS:
            break
        # A copy that has worked nothing out yet.
        pages.append(replace(document, name=f"{number}: {document.name}"))
        length += len(document.text)
    return pages


def indexed(documents: Sequence[Document]) -> Corpus:
    """Our work: documents, already read, cut into chunks, indexed and embedded."""
    corpus = Corpus(map(replace, documents))
    corpus.prepare()
    return corpus


def _holds(chunk: Chunk, question: Question) -> bool:
    """Whether a chunk holds at least half of an answer, or an answer half of the chunk."""
    return chunk.document.name == question.document and any(
        2 * chunk.span.overlap(answer) >= min(len(chunk.span), len(answer))
        for answer in question.answers
    )


def recalls(corpus: Corpus, questions: Sequence[Question]) -> dict[str, list[int]]:
    """For each way of ranking, how many questions are answered among the first of `DEPTHS`.

    The last row hands each passage over with the rest of its section, under the same heading.
    """
    retriever, queries = HybridRetriever(corpus), [question.query for question in questions]
    deep = retriever.search(queries, len(corpus.chunks))
    ranked: dict[str, Sequence[Sequence[Hit]]] = {
        "BM25 alone": [_by(hits, "lexical_rank") for hits in deep],
        "embeddings alone": [_by(hits, "semantic_rank") for hits in deep],
        "fused": retriever.search(queries, max(DEPTHS)),
        "as questions": (asked := retriever.search_questions(queries, max(DEPTHS))),
    }
    found = {name: [_firsts(hits) for hits in rankings] for name, rankings in ranked.items()}
    sections = _sections(corpus)
    found["as questions, whole sections"] = [
        [sections[_section(hit.chunk)] for hit in hits] for hits in asked
    ]
    return {
        name: [
            sum(
                any(_holds(chunk, q) for passage in passages[:depth] for chunk in passage)
                for q, passages in zip(questions, rankings, strict=True)
            )
            for depth in DEPTHS
        ]
        for name, rankings in found.items()
    }


def _firsts(hits: Sequence[Hit]) -> list[list[Chunk]]:
    return [[hit.chunk] for hit in hits[: max(DEPTHS)]]


def _section(chunk: Chunk) -> tuple[str, int]:
    section = chunk.document.section_at(chunk.span.start)
    return chunk.document.name, section.heading.start if section else -1


def _sections(corpus: Corpus) -> dict[tuple[str, int], list[Chunk]]:
    sections: dict[tuple[str, int], list[Chunk]] = {}
    for chunk in corpus.chunks:
        sections.setdefault(_section(chunk), []).append(chunk)
    return sections


def _by(hits: Sequence[Hit], rank: str) -> list[Hit]:
    ranked = [(getattr(hit, rank), hit) for hit in hits]
    return [hit for _, hit in sorted((e for e in ranked if e[0]), key=lambda entry: entry[0])]


def rows(data: Path, runs: int) -> list[Line]:
    """Time and recall; without the shared data there is nothing to search for."""
    if not (data / "policies" / "18F").is_dir():
        return []
    pages, questions = handbook(data)
    cited, claims = articles(data)
    documents = thousand_pages(pages)
    corpus = indexed(documents)
    asked = list(islice(chain(*[(c.query for c in claims)] * 2), CLAIMS))
    spent = times(
        {
            "h, indexing": partial(indexed, documents),
            "h, searching": partial(HybridRetriever(corpus).search, asked),
        },
        runs,
    )
    return [
        *_times(spent, corpus, len(documents), len(asked)),
        *_recall("handbook", Corpus(pages), questions, must=("as questions", 0.60, 0.85)),
        *_recall("handbook with its headings", Corpus(handbook(data, blank=False)[0]), questions),
        *_recall("cited articles", Corpus(cited), claims),
    ]


def _times(spent: dict[str, Timing], corpus: Corpus, pages: int, asked: int) -> list[Line]:
    indexing, searching = spent["h, indexing"], spent["h, searching"]
    size = f"{pages:,} files, {len(corpus.chunks):,} chunks"
    return [
        Line(
            "h",
            "make 1,000 pages (3 million characters) ready to search",
            OURS,
            seconds(indexing),
            located=size,
            must=goal("10 s", met=indexing.median <= 10),
            aim="5 s",
        ),
        Line(
            "h",
            f"search them for {asked} claims",
            OURS,
            seconds(searching),
            must=goal("0.5 s", met=searching.median <= 0.5),
        ),
    ]


def _recall(
    name: str,
    corpus: Corpus,
    questions: Sequence[Question],
    must: tuple[str, float, float] | None = None,
) -> list[Line]:
    """A line a ranking. `must` names one, and what it must reach in the first 1 and 5."""
    lines: list[Line] = []
    total = len(questions)
    work = f"{name}: {total} questions, {len(corpus.chunks):,} chunks, found in the first 1 / 5 / 8"
    for ranking, found in recalls(corpus, questions).items():
        shares = " / ".join(f"{number / total:.1%}" for number in found)
        reached = ""
        if must is not None and ranking == must[0]:
            met = found[0] >= must[1] * total and found[1] >= must[2] * total
            reached = goal(f"{must[1]:.0%} / {must[2]:.0%}", met=met)
        what = work if not lines else ""
        lines.append(Line("h", what, f"{OURS}, {ranking}", "", located=shares, must=reached))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the shared data")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    stay_on_one_core()
    print(table(rows(options.data, options.runs)))


if __name__ == "__main__":
    main()
