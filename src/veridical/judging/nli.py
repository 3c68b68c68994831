"""A judge that is a model of natural language inference on one's own machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from veridical.errors import ConfigurationError
from veridical.judging.bearing import directness, similarity_at
from veridical.judging.judge import Case, JudgeFailure, Judgement, OperatingPoint, SupportLevel
from veridical.judging.verdict import FULL_SUPPORT_ABOVE
from veridical.judging.veto import describe, vetoes
from veridical.reader.pair_classifier import PairClassifier, PassageWindow

FULL_FROM = {
    OperatingPoint.STRICT: 0.95,
    OperatingPoint.BALANCED: 0.8,
    OperatingPoint.LENIENT: 0.5,
}
"""Probability of entailment, less what contradiction takes from it, from which support is full.

Set by hand, as each model has a calibration of its own: `veridical ledger calibrate` fits it.
"""

PARTIAL_FROM = 0.3
"""Probability of entailment from which a passage bears on the claim."""

CONTRADICTS_FROM = 0.9
"""Probability of contradiction from which a passage says the opposite."""

MAX_SENTENCES = 256
"""Sentences of one passage that are read; what a chunk of a document never has."""

_MOST_CONTEXT_CHARS = 300
_KINDS = ("entail", "neutral", "contradict")
"""How the names of the three labels begin."""

NEARLY = 0.9
"""Share of the highest probability at which a shorter stretch decides in place of a longer one."""

TOO_LONG_CLAIM = "the claim is too long for the model, and a part of it would be another claim"
NOTHING_TO_READ = "the claim or the passage is empty"


class NliJudge:
    """Judges by a three-way NLI model: entailment, neutral, contradiction, as its config names
    them.

    The passage is the premise, in windows where it is too long and sentence by sentence to find
    the one that decides; the claim, after the words that its pronouns refer to, is the hypothesis.
    Support is the best window's, contradiction the worst one's. Support is not full where that
    window shows a sign of saying something else (`veridical.judging.veto`), whatever the
    claim's context says. Usable from several threads.
    """

    def __init__(
        self,
        path: str | Path,
        point: OperatingPoint = OperatingPoint.STRICT,
        *,
        threads: int = 1,
    ) -> None:
        """`path` is a folder with `model.onnx`, `tokenizer.json` and `config.json`.

        Raises ConfigurationError for a model that cannot be used.
        """
        self._model = PairClassifier(path, threads=threads)
        columns = nli_columns(self._model.labels)
        if columns is None:
            raise ConfigurationError(
                f"{path}: config.json names the labels {', '.join(self._model.labels)}; an NLI "
                "model has entailment, neutral and contradiction. Name them in its id2label."
            )
        self._entailment, self._contradiction = columns
        self._point = point

    @property
    def name(self) -> str:
        """`nli:` and the name of the model's folder."""
        return f"nli:{self._model.name}"

    @property
    def point(self) -> OperatingPoint:
        """The operating point that it decides at."""
        return self._point

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        """See `Judge.judge`. Raises ProcessingError where the model itself fails."""
        plans = [_plan(self._model, case) for case in cases]
        pairs = [
            (window.text, hypothesis(case))
            for case, plan in zip(cases, plans, strict=True)
            if not isinstance(plan, JudgeFailure)
            for window in plan
        ]
        rows = iter(self._probabilities(pairs) if pairs else ())
        return [
            plan
            if isinstance(plan, JudgeFailure)
            else self._judgement(case, plan, [next(rows) for _ in plan])
            for case, plan in zip(cases, plans, strict=True)
        ]

    def _probabilities(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
        """Of entailment and of contradiction, for each pair."""
        logits = self._model.logits(pairs)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = (odds / odds.sum(axis=1, keepdims=True)).tolist()
        return [(row[self._entailment], row[self._contradiction]) for row in shares]

    def _judgement(
        self, case: Case, windows: Sequence[PassageWindow], shares: Sequence[tuple[float, float]]
    ) -> Judgement:
        entailment, supporting = _strongest(windows, [share[0] for share in shares])
        contradiction, opposing = _strongest(windows, [share[1] for share in shares])
        probability = entailment * (1 - contradiction)
        support, notes = self._support(case, supporting, entailment, probability)
        similarity = similarity_at(probability, FULL_FROM[self._point], support)
        contradicts = contradiction >= CONTRADICTS_FROM and entailment < PARTIAL_FROM
        if contradicts:
            similarity, notes = FULL_SUPPORT_ABOVE * contradiction, "The passage says the opposite."
        window = opposing if contradicts else supporting
        bears = contradicts or support is not SupportLevel.NONE
        return Judgement(
            support=support,
            similarity=similarity,
            probability=probability,
            contradiction=contradiction,
            contradicts=contradicts,
            directness=directness(case.claim, window.text),
            deciding=(window.start, window.end) if bears else None,
            notes=notes,
        )

    def _support(
        self, case: Case, window: PassageWindow, entailment: float, probability: float
    ) -> tuple[SupportLevel, str]:
        """How far the passage bears the claim out by a window of it, and why not further."""
        if entailment < PARTIAL_FROM:
            return SupportLevel.NONE, "The passage neither says this nor the opposite."
        found = vetoes(case, (window.start, window.end))
        notes = describe(found)
        if probability < FULL_FROM[self._point]:
            return SupportLevel.PARTIAL, notes or "The passage says this in part, or not surely."
        return (SupportLevel.PARTIAL if found else SupportLevel.FULL), notes


def nli_columns(labels: Sequence[str]) -> tuple[int, int] | None:
    """Where entailment and contradiction stand among three labels, in whatever case and order;
    None where the labels are others.
    """
    kinds = [next((k for k in _KINDS if label.casefold().startswith(k)), "") for label in labels]
    if sorted(kinds) != sorted(_KINDS):
        return None
    return kinds.index("entail"), kinds.index("contradict")


def hypothesis(case: Case) -> str:
    """The claim as a model reads it: after the words that its pronouns refer to."""
    context = " ".join(case.context.split())
    if len(context) > _MOST_CONTEXT_CHARS:
        context = context[-_MOST_CONTEXT_CHARS:].partition(" ")[2]
    return f"{context}: {case.claim}" if context else case.claim


def _plan(model: PairClassifier, case: Case) -> tuple[PassageWindow, ...] | JudgeFailure:
    """What to ask of a case: the passage in windows, and each of its sentences."""
    if not case.claim.strip() or not any(sentence.strip() for sentence in case.sentences):
        return JudgeFailure(NOTHING_TO_READ)
    if len(case.sentences) > MAX_SENTENCES:
        return JudgeFailure(f"the passage has more than {MAX_SENTENCES} sentences")
    windows = model.windows(case.sentences, hypothesis(case))
    if windows is None:
        return JudgeFailure(TOO_LONG_CLAIM)
    covered = {(window.start, window.end) for window in windows}
    singles = [
        PassageWindow(i, i + 1, sentence)
        for i, sentence in enumerate(case.sentences)
        if sentence.strip() and (i, i + 1) not in covered
    ]
    return (*windows, *singles)


def _strongest(
    windows: Sequence[PassageWindow], shares: Sequence[float]
) -> tuple[float, PassageWindow]:
    """The highest share, and the shortest stretch that comes within reach of it."""
    highest = max(shares)
    near = [w for w, share in zip(windows, shares, strict=True) if share >= NEARLY * highest]
    return highest, min(near, key=lambda window: (window.end - window.start, window.start))
