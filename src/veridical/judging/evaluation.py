"""A judge measured on labelled rows: a verdict a row, and what these verdicts are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from veridical.judging import metrics
from veridical.judging.datasets import Grouping, Label, LabelledRow, group_rows
from veridical.judging.judge import Case, Judge, JudgeFailure, Judgement, judge_groups
from veridical.judging.verdict import EvidenceMatch, Verdict, assign_verdict
from veridical.sources.document import Document
from veridical.text.normalize import fold
from veridical.text.reading import sentence_spans

FOLDS = 5
"""Parts that rows are cut into where something is fitted on them."""

MAX_PASSAGE_CHARS = 20_000
"""Evidence longer than this is searched as a document is."""

PASSAGES_OF_A_DOCUMENT = 5
"""Passages of a document that are judged: those that fit the claim best."""

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class RowResult:
    """What a judge makes of one row.

    `confidence` is the probability that the evidence bears the whole claim out, and `contradiction`
    that it says the opposite. `failure` says why a row could not be judged: then there is no
    verdict, and the row counts nowhere.
    """

    row: LabelledRow
    verdict: Verdict | None
    confidence: float
    contradiction: float
    failure: str = ""

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        told: dict[str, Any] = {
            "id": self.row.id,
            "label": self.row.label.value,
            "verdict": self.verdict.value if self.verdict else None,
            "confidence": round(self.confidence, _DIGITS) if self.verdict else None,
            "contradiction": round(self.contradiction, _DIGITS) if self.verdict else None,
        }
        return told | ({"failure": self.failure} if self.failure else {})


@dataclass(frozen=True)
class Evaluation:
    """A judge's results on labelled rows, in their order, and what they come to.

    The one question that all rates are about is whether the evidence bears the whole claim out:
    rows of every label but `supported` are the rest, and the one verdict `supported` is a pass.
    """

    judge: str
    point: str
    results: tuple[RowResult, ...]

    @cached_property
    def judged(self) -> tuple[RowResult, ...]:
        """The results that there are."""
        return tuple(result for result in self.results if result.verdict is not None)

    @cached_property
    def truth(self) -> list[bool]:
        """Whether each judged row is supported."""
        return [result.row.supported for result in self.judged]

    @cached_property
    def grouping(self) -> Grouping:
        """Which of the judged rows belong together."""
        return group_rows([result.row for result in self.judged])

    @cached_property
    def outcome(self) -> metrics.Outcome:
        """How often the verdicts are right."""
        said = [result.verdict is Verdict.SUPPORTED for result in self.judged]
        return metrics.outcome(self.truth, said, self.grouping.groups)

    @cached_property
    def calibration_error(self) -> float | None:
        """The expected calibration error of the confidences."""
        return metrics.calibration_error(self.truth, [r.confidence for r in self.judged])

    @cached_property
    def containment(self) -> metrics.Outcome:
        """What bare word containment reaches on the same rows.

        Its threshold is the best one of the rows in the other folds, never of those it is used on.
        """
        scores = [word_containment(result.row) for result in self.judged]
        said = metrics.by_folds(self.truth, scores, self.grouping.folds(FOLDS))
        return metrics.outcome(self.truth, said, self.grouping.groups)

    @cached_property
    def contradiction_auc(self) -> float | None:
        """The chance that a refuted row is found more contradicted than a supported one."""
        rows = [r for r in self.judged if r.row.label in (Label.REFUTED, Label.SUPPORTED)]
        refuted = [result.row.label is Label.REFUTED for result in rows]
        return metrics.auc(refuted, [result.contradiction for result in rows])

    def accused(self, label: Label) -> metrics.Rate:
        """How many rows of a label are called contradicted."""
        rows = [result for result in self.judged if result.row.label is label]
        called = sum(result.verdict is Verdict.CONTRADICTED for result in rows)
        return metrics.Rate(called, len(rows))

    def to_mapping(self) -> dict[str, Any]:
        """Rows and metrics as plain data, ready for JSON."""
        return {
            "judge": self.judge,
            "point": self.point,
            "metrics": self._metrics(),
            "rows": [result.to_mapping() for result in self.results],
        }

    def _metrics(self) -> dict[str, Any]:
        labels = Counter(result.row.label.value for result in self.judged)
        told: dict[str, Any] = {
            "rows": len(self.results),
            "judged": len(self.judged),
            "failed": len(self.results) - len(self.judged),
            "groups": self.grouping.count,
            "labels": dict(sorted(labels.items())),
            **self.outcome.to_mapping(),
            "ece": metrics.rounded(self.calibration_error),
            "ece_bins": metrics.BINS,
            "auc": metrics.rounded(metrics.auc(self.truth, [r.confidence for r in self.judged])),
            "majority_baseline": metrics.majority(self.truth).to_mapping(),
            "containment_baseline": self.containment.to_mapping(),
        }
        if labels[Label.REFUTED]:
            told["contradiction"] = {
                "auc": metrics.rounded(self.contradiction_auc),
                "refuted": labels[Label.REFUTED],
                "supported": labels[Label.SUPPORTED],
                "found": self.accused(Label.REFUTED).to_mapping(),
                "falsely_accused": self.accused(Label.SUPPORTED).to_mapping(),
            }
        return told


def evaluate(rows: Sequence[LabelledRow], judge: Judge) -> Evaluation:
    """Judge every row by its evidence, or by the best passages of its document."""
    cases = cases_of_rows(rows)
    outcomes = judge_groups(judge, cases)
    results = tuple(row_result(row, found) for row, found in zip(rows, outcomes, strict=True))
    return Evaluation(judge.name, judge.point.value, results)


def row_result(row: LabelledRow, outcomes: Sequence[Judgement | JudgeFailure]) -> RowResult:
    """What the judgements on the passages of a row come to."""
    judgements = [outcome for outcome in outcomes if isinstance(outcome, Judgement)]
    failures = [outcome.reason for outcome in outcomes if isinstance(outcome, JudgeFailure)]
    if failures and not judgements:
        return RowResult(row, None, 0.0, 0.0, failure=failures[0])
    judgements.sort(key=lambda judgement: -judgement.similarity)
    matches = [EvidenceMatch("", j.similarity, j.support, j.contradicts) for j in judgements]
    return RowResult(
        row,
        assign_verdict(matches).verdict,
        max((judgement.probability for judgement in judgements), default=0.0),
        max((judgement.contradiction for judgement in judgements), default=0.0),
    )


def cases_of_rows(rows: Sequence[LabelledRow]) -> list[tuple[Case, ...]]:
    """What to judge for each row: its evidence as one passage, for that is what the label was given
    on; without evidence, or with more than a passage holds, what fits the claim best.
    """
    cases: list[tuple[Case, ...]] = [()] * len(rows)
    to_search: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        if 0 < sum(map(len, row.evidence)) <= MAX_PASSAGE_CHARS:
            cases[index] = (Case(row.claim, sentences_of(row.evidence), row.context),)
        elif row.evidence or row.document:
            text = "\n\n".join(row.evidence) or row.document
            to_search.setdefault(text, []).append(index)
    for text, indexes in to_search.items():
        for index, found in zip(indexes, _searched(text, [rows[i] for i in indexes]), strict=True):
            cases[index] = found
    return cases


def _searched(text: str, rows: Sequence[LabelledRow]) -> Iterator[tuple[Case, ...]]:
    """The passages of a document that fit the claim of each row best."""
    from veridical.retrieval.corpus import Corpus
    from veridical.retrieval.hybrid import HybridRetriever

    retriever = HybridRetriever(Corpus([Document("document", text)]))
    queries = [f"{row.context}\n{row.claim}".strip() for row in rows]
    for row, hits in zip(rows, retriever.search(queries, PASSAGES_OF_A_DOCUMENT), strict=True):
        chunks = [hit.chunk for hit in hits if hit.chunk.sentences]
        yield tuple(
            Case(
                row.claim,
                tuple(chunk.document.shown(span) for span in chunk.sentences),
                row.context,
                " > ".join(chunk.heading_path),
            )
            for chunk in chunks
        )


def sentences_of(passages: Sequence[str]) -> tuple[str, ...]:
    """The sentences of some passages, in order; none goes on over a line end."""
    lines = (line for passage in passages for line in passage.splitlines())
    return tuple(line[start:end] for line in lines for start, end in sentence_spans(line))


def word_containment(row: LabelledRow) -> float:
    """The share of the claim's different words that stand in its evidence: what any judge must
    beat.
    """
    words = set(fold(row.claim).split())
    known = set(fold(" ".join(row.evidence) or row.document).split())
    return len(words & known) / len(words) if words else 0.0
