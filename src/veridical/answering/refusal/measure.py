"""What the decision to answer is worth: rates for each set of questions, beside simple rules."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from veridical.answering.evidence.finding import Evidence, find_evidence
from veridical.answering.question.asked import AskedQuestion, read_question
from veridical.answering.refusal.cases import (
    OTHERS_OF_SAMPLE,
    OWN,
    SAMPLE_OF_HANDBOOK,
    WITHOUT_PAGE,
    Bench,
    Case,
)  # fmt: skip
from veridical.answering.refusal.decision import decide_by_signs
from veridical.answering.refusal.features import Signs, read_signs
from veridical.answering.refusal.model import RefusalModel
from veridical.judging.metrics import Rate, auc, calibration_error
from veridical.retrieval.hybrid import HybridRetriever
from veridical.retrieval.terms import terms

PASSAGES = 8
_BEST = 3


@dataclass(frozen=True)
class Seen:
    """A case and all that is seen of it; `signs` are None where nothing was found.

    `cosine` is the best of the question with a passage, and `lexical` the best BM25 score as a
    share of what all its terms could score together.
    """

    case: Case
    asked: AskedQuestion
    evidence: tuple[Evidence, ...]
    signs: Signs | None
    cosine: float
    lexical: float

    def fold(self, folds: int) -> int:
        """Which part of the cases it belongs to."""
        return zlib.crc32(self.case.group.encode()) % folds

    @property
    def shown(self) -> bool:
        """Whether the answer stands among the best sentences of evidence."""
        return any(
            self.case.is_answered_by(one.chunk.document.name, one.text)
            for one in self.evidence[:_BEST]
        )

    def answered(self, model: RefusalModel) -> bool:
        """Whether it is answered, rules included."""
        return self.signs is not None and decide_by_signs(self.asked, self.signs, model).answered

    def probability(self, model: RefusalModel) -> float:
        """The probability that it is given."""
        if self.signs is None:
            return 0.0
        return decide_by_signs(self.asked, self.signs, model).probability


def seen_of(bench: Bench) -> list[Seen]:
    """All cases, searched for and read."""
    retrievers = {name: HybridRetriever(corpus) for name, corpus in bench.corpora.items()}
    return [_seen(case, bench, retrievers[case.body]) for case in bench.cases]


def _seen(case: Case, bench: Bench, retriever: HybridRetriever) -> Seen:
    corpus = bench.corpora[case.body]
    asked = read_question(case.question)
    searched = None
    if case.without:
        searched = [one.name for one in corpus.documents if one.name != case.without]
    (hits,) = retriever.search_questions([asked.text], PASSAGES, documents=searched)
    evidence = find_evidence(asked, hits)
    signs = read_signs(asked, evidence, corpus) if asked.words and evidence else None
    wanted = list(dict.fromkeys(terms(asked.text)))
    most = sum(float(corpus.lexical.scores([term]).max()) for term in wanted)
    best = float(corpus.lexical.scores(wanted).max())
    cosine = float(np.max(corpus.semantic.scores([asked.text])))
    return Seen(case, asked, evidence, signs, cosine, best / most if most else 0.0)


@dataclass(frozen=True)
class Figures:
    """What was answered of each set, by the model and by cuts that answer as many of the sample's
    own questions; and how good the probabilities are.
    """

    rates: dict[str, Rate]
    by_cosine: dict[str, Rate]
    by_lexical: dict[str, Rate]
    answerable: dict[str, bool]
    auc: float | None
    calibration: float | None
    mistaken: tuple[Seen, ...]

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "answered": {name: rate.to_mapping() for name, rate in self.rates.items()},
            "auc": None if self.auc is None else round(self.auc, 4),
            "calibration_error": None if self.calibration is None else round(self.calibration, 4),
        }

    def table(self, title: str) -> str:
        """As text for a terminal."""
        return "\n".join(self._lines(title))

    def _lines(self, title: str) -> Iterator[str]:
        yield f"{title:34}should be   answered             95 %          cosine cut  BM25 cut"
        for name, rate in self.rates.items():
            should = "answered" if self.answerable[name] else "refused"
            yield (
                f"{name:34}{should:10} {_shown(rate)}  {_percent(self.by_cosine[name])}"
                f"      {_percent(self.by_lexical[name])}"
            )
        yield f"auc of the sample's own against others' {self.auc or 0:.3f}, "
        yield f"calibration error {self.calibration or 0:.3f}; always answering is 100 % of each "
        yield "row, always refusing 0 %; the cuts answer as many of the sample's own questions"

    def wrong(self) -> str:
        """The cases that are decided against what they should be."""
        return "\n".join(
            f"{one.case.set}: {one.case.question} -> "
            f"{one.evidence[0].text[:160] if one.evidence else '-'}"
            for one in self.mistaken
        )


def figures(seen: Sequence[Seen], models: Sequence[RefusalModel]) -> Figures:
    """The figures of some cases, each decided by its own model."""
    pairs = list(zip(seen, models, strict=True))
    said = {id(one): one.answered(model) for one, model in pairs}
    rates = _rates(seen, lambda one: said[id(one)])
    share = rates[OWN].value or 0.0
    told = [
        (one.case.answerable, one.probability(model))
        for one, model in pairs
        if one.case.set in (OWN, OTHERS_OF_SAMPLE, SAMPLE_OF_HANDBOOK)
    ]
    truth, probability = [t for t, _ in told], [p for _, p in told]
    return Figures(
        rates,
        _rates(seen, _cut(seen, lambda one: one.cosine, share)),
        _rates(seen, _cut(seen, lambda one: one.lexical, share)),
        {one.case.set: one.case.answerable for one in seen},
        auc(truth, probability),
        calibration_error(truth, probability),
        tuple(
            one
            for one in seen
            if one.case.set != WITHOUT_PAGE and said[id(one)] != one.case.answerable
        ),
    )


def _rates(seen: Sequence[Seen], answered: Callable[[Seen], bool]) -> dict[str, Rate]:
    said: dict[str, list[bool]] = {}
    for one in seen:
        said.setdefault(one.case.set, []).append(answered(one))
    return {name: Rate(sum(rows), len(rows)) for name, rows in sorted(said.items())}


def _cut(
    seen: Sequence[Seen], value: Callable[[Seen], float], share: float
) -> Callable[[Seen], bool]:
    """Answering from a value upwards, so that the given share of the sample's own is answered."""
    own = sorted((value(one) for one in seen if one.case.set == OWN), reverse=True)
    least = own[max(0, round(share * len(own)) - 1)]
    return lambda one: value(one) >= least


def _shown(rate: Rate) -> str:
    low, high = rate.interval or (0.0, 1.0)
    return f"{rate.count:4} of {rate.of:4} {_percent(rate)}  {100 * low:5.1f} to {100 * high:5.1f}"


def _percent(rate: Rate) -> str:
    return f"{100 * (rate.value or 0):5.1f} %"
