"""Which passages are judged for a claim: those that it cites, then those that fit it best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from veridical.errors import ProcessingError
from veridical.judging.judge import (
    Case,
    Judge,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
    judge_groups,
)
from veridical.judging.lines import heading_of, sentences_of
from veridical.judging.verdict import FULL_SUPPORT_ABOVE
from veridical.ledger.entry import (
    AnswerClaim,
    CitationCheck,
    Evidence,
    Source,
    rounded,
    rounded_similarity,
)
from veridical.ledger.ids import chunk_id, document_id
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import HybridRetriever
from veridical.retrieval.tables.layout import Layout
from veridical.sources.document import Span

_DEPTH = 2
"""How many times as many chunks are retrieved as are judged: some are copies of others."""

_OF_A_DOCUMENT = 3
"""Chunks that are looked at of a document that is cited as a whole."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk to be judged for a claim; `cited` says that the answer pointed to it."""

    chunk: Chunk
    cited: bool


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    """A passage and what the judge said of it."""

    passage: Passage
    judgement: Judgement


class PassageFinder:
    """Finds the passages of a corpus that may bear on claims.

    `most` passages are proposed for a claim, besides those of up to `most_cited` citations: what an
    answer cites is looked at first, and takes the place of nothing else. Passages of the same
    content count as one; of several copies that of a source which no other replaces is kept.
    """

    def __init__(
        self, corpus: Corpus, sources: Sequence[Source], *, most: int, most_cited: int
    ) -> None:
        self._corpus = corpus
        self._most = most
        self._most_cited = most_cited
        self._retriever = HybridRetriever(corpus)
        self._names = {source.id: source.filename for source in sources}
        self._replaced = {source.filename for source in sources if source.superseded_by}

    def find(
        self,
        claims: Sequence[AnswerClaim],
        checks: Sequence[Sequence[CitationCheck]],
        attributed: Sequence[Sequence[str]],
    ) -> list[list[Passage]]:
        """The passages of each claim, cited ones first, then the most relevant.

        `attributed` are the ids of the sources that each claim names in its own words.
        """
        queries = [f"{claim.context}\n{claim.statement}".strip() for claim in claims]
        distinct = list(dict.fromkeys(queries))
        hits = self._retriever.search(distinct, _DEPTH * self._most)
        proposed = dict(zip(distinct, hits, strict=True))
        return [
            self._together(
                list(self._cited(query, cited, named)), [hit.chunk for hit in proposed[query]]
            )
            for query, cited, named in zip(queries, checks, attributed, strict=True)
        ]

    def _cited(
        self, query: str, checks: Sequence[CitationCheck], attributed: Sequence[str]
    ) -> Iterator[Chunk]:
        """The cited chunks; of a document that is cited as a whole, what fits the claim best."""
        cited: list[tuple[str | None, str | None]] = [(c.source_id, c.chunk_sha256) for c in checks]
        targets = dict.fromkeys([*cited, *((source_id, None) for source_id in attributed)])
        for source_id, sha256 in islice(targets, self._most_cited):
            if sha256 is not None:
                yield from self._corpus.with_prefix(sha256)[:1]
            elif source_id in self._names:
                names = {self._names[source_id]}
                (hits,) = self._retriever.search([query], _OF_A_DOCUMENT, documents=names)
                yield from (hit.chunk for hit in hits)

    def _together(self, cited: Sequence[Chunk], proposed: Sequence[Chunk]) -> list[Passage]:
        found: dict[str, Passage] = {}
        for chunk in cited:
            if chunk.sentences:
                found.setdefault(chunk.sha256, Passage(chunk, cited=True))
        bound = len(found) + self._most
        for chunk in proposed:
            kept = found.get(chunk.sha256)
            is_new = kept is None and len(found) < bound and bool(chunk.sentences)
            old = kept.chunk.document.name if kept is not None and not kept.cited else None
            if is_new or old in self._replaced:
                found[chunk.sha256] = Passage(chunk, cited=False)
        return list(found.values())


def judge_passages(
    judge: Judge, claims: Sequence[AnswerClaim], passages: Sequence[Sequence[Passage]]
) -> list[tuple[list[JudgedPassage], list[str]]]:
    """What is said of each claim's passages, and why the judge could not judge some of them.

    Those are judged by the embedded judge at the same operating point instead, and say so: a
    passage that was not looked at must not look like one that says nothing.
    Raises ProcessingError where the judge could judge none.
    """
    chunks = {id(passage.chunk): passage.chunk for found in passages for passage in found}
    tables = {key: Layout(chunk).tables for key, chunk in chunks.items()}
    asked = [
        tuple(
            Case(
                claim.statement,
                sentences_of(passage.chunk),
                claim.context,
                heading_of(passage.chunk),
                tables[id(passage.chunk)],
            )
            for passage in found
        )
        for claim, found in zip(claims, passages, strict=True)
    ]
    outcomes = _outcomes(judge, asked)
    results: list[tuple[list[JudgedPassage], list[str]]] = []
    for found, cases in zip(passages, asked, strict=True):
        outcome = outcomes[cases]
        judged = [
            JudgedPassage(passage, one)
            for passage, (one, _) in zip(found, outcome, strict=True)
            if not isinstance(one, JudgeFailure)
        ]
        results.append((judged, [failure for _, failure in outcome if failure]))
    return results


_Outcome = tuple[Judgement | JudgeFailure, str]


def _outcomes(
    judge: Judge, asked: Sequence[tuple[Case, ...]]
) -> dict[tuple[Case, ...], list[_Outcome]]:
    """The outcome of each case, and why the judge gave none where another did.

    A claim that comes up again is judged once: an answer may say the same a thousand times.
    """
    groups = [group for group in dict.fromkeys(asked) if group]
    given = {
        group: [_sound(one, len(case.sentences)) for case, one in zip(group, judged, strict=True)]
        for group, judged in zip(groups, judge_groups(judge, groups) if groups else (), strict=True)
    }
    failed = [one for judged in given.values() for one in judged if isinstance(one, JudgeFailure)]
    if groups and len(failed) == sum(map(len, groups)):
        raise ProcessingError(
            f"the judge {judge.name} could judge none of {len(failed)} passages: {failed[0].reason}"
        )
    # A claim's passages are read together as ever: what contradicts it by itself may tell of
    # another case, beside a passage that was judged.
    lacking = [
        group for group, judged in given.items() if any(isinstance(o, JudgeFailure) for o in judged)
    ]
    instead = _by_embedded_judge(lacking, judge.point) if lacking else {}
    outcomes: dict[tuple[Case, ...], list[_Outcome]] = {(): []}
    for group, judged in given.items():
        outcomes[group] = [
            (instead[group][at], one.reason) if isinstance(one, JudgeFailure) else (one, "")
            for at, one in enumerate(judged)
        ]
    return outcomes


def _by_embedded_judge(
    groups: Sequence[tuple[Case, ...]], point: OperatingPoint
) -> dict[tuple[Case, ...], list[Judgement | JudgeFailure]]:
    """What the embedded judge says of the passages of each claim, and that it was that judge."""
    from veridical.judging.reader_judge import ReaderJudge

    embedded = ReaderJudge(point)
    told = f" (By {embedded.name}: the judge gave no judgement.)"
    return {
        group: [
            replace(one, notes=one.notes + told) if isinstance(one, Judgement) else one
            for one in judged
        ]
        for group, judged in zip(groups, judge_groups(embedded, groups), strict=True)
    }


def _sound(outcome: Judgement | JudgeFailure, sentences: int) -> Judgement | JudgeFailure:
    """The outcome, or a failure where a judge does not keep to what judges promise."""
    if isinstance(outcome, JudgeFailure):
        return outcome
    numbers = (
        outcome.similarity, outcome.probability, outcome.contradiction, outcome.directness,
    )  # fmt: skip
    if not all(0 <= number <= 1 for number in numbers):  # NaN neither
        return JudgeFailure("it gave a number that is not between 0 and 1")
    low, high = outcome.deciding or (0, 1)
    if not 0 <= low < high <= sentences:
        return JudgeFailure("it rests on sentences that the passage does not have")
    return outcome


def as_evidence(judged: JudgedPassage, corpus: Corpus, workspace: str) -> Evidence:
    """A judged passage as a ledger keeps it, its snippet being what the judgement rests on."""
    chunk, judgement = judged.passage.chunk, judged.judgement
    document = chunk.document
    deciding = judgement.deciding or (0, 1)
    span = _deciding_span(chunk, *deciding)
    # Support that rests on words which the snippet cannot show is not full.
    whole = span.end == chunk.sentences[deciding[1] - 1].end
    # Nor is that which text recognition may have misread.
    whole = whole and not document.unsure_words(span)
    support = judgement.support
    if not whole and support is SupportLevel.FULL:
        support = SupportLevel.PARTIAL
    source_id = document_id(document.name, workspace)
    return Evidence(
        chunk_id=chunk_id(source_id, document.sha256, chunk.ordinal),
        chunk_sha256=chunk.sha256,
        anchor=corpus.anchor(chunk),
        source_id=source_id,
        snippet=document.shown(span),
        source_text=document.text[span.start : span.end],
        snippet_span=span,
        chunk_span=chunk.span,
        support=support,
        similarity=rounded_similarity(
            judgement.similarity if whole else min(judgement.similarity, FULL_SUPPORT_ABOVE)
        ),
        probability=rounded(judgement.probability),
        contradiction=rounded(judgement.contradiction),
        contradicts=judgement.contradicts,
        directness=rounded(judgement.directness),
        cited=judged.passage.cited,
        page_number=document.page_at(span.start),
        heading_path=document.path_of(span) if document.places else chunk.heading_path,
    )


def _deciding_span(chunk: Chunk, first: int, last: int) -> Span:
    """From the first to the last deciding sentence, cut short where text is between that is none.

    What is struck out, or speaks to a language model, is no evidence, and must not stand in a
    snippet.
    """
    found = chunk.sentences[first]
    for following in chunk.sentences[first + 1 : last]:
        if any(map(str.isalnum, chunk.document.shown(Span(found.end, following.start)))):
            break
        found = Span(found.start, following.end)
    return found
