"""Is the answer to a question in the corpus? A calibrated decision, and what is missing if not.

Few signs (`features`) go into a fitted logistic model. Before it stand rules that nothing
outweighs: a name that no passage knows, a type of thing that no evidence names, a question that
points at something outside of itself.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np

from veridical.answering.answer import Refusal, RefusalReason
from veridical.answering.evidence.finding import Evidence
from veridical.answering.evidence.wanted import STRICT
from veridical.answering.evidence.words import written_words
from veridical.answering.question.asked import AskedQuestion
from veridical.answering.question.kinds import QuestionKind
from veridical.answering.refusal.features import read_signs
from veridical.retrieval.corpus import Corpus

_MOST_DEVIATIONS = 4.0
"""Signs count for no more than this many standard deviations from their mean."""

_MOST_LOGIT = 30.0


@dataclass(frozen=True, slots=True)
class RefusalModel:
    """What is decided by: a weighted sum of standardised signs, the line from it to log-odds, and
    the probability that the corpus answers from which to answer.
    """

    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    slope: float
    intercept: float
    threshold: float

    def probability(self, signs: Sequence[float]) -> float:
        """The calibrated probability of a question with these signs."""
        standard = (np.array(signs) - np.array(self.means)) / np.array(self.scales)
        weighted = np.clip(standard, -_MOST_DEVIATIONS, _MOST_DEVIATIONS) * np.array(self.weights)
        logit = self.slope * float(weighted.sum()) + self.intercept
        return 1 / (1 + math.exp(-min(max(logit, -_MOST_LOGIT), _MOST_LOGIT)))


@lru_cache(maxsize=1)
def shipped_model() -> RefusalModel:
    """The model of the package, whose signs are `FEATURES` in their order."""
    file = resources.files("veridical.answering.refusal.data").joinpath("refusal.json")
    data = json.loads(file.read_text("utf-8"))
    return RefusalModel(**data["head"], threshold=data["threshold"])


_RULED_OUT = 0.02
"""The probability of a question that a rule refuses, at most."""

_ABOUT = 0.5
"""Share of a question that a passage holds that is about it."""

_MOST_MISSING = 3
"""Words that a refusal names."""

_LONGEST = 40
"""Characters of a word that are shown."""

_LEAST_WEIGHT = 0.95
"""What the words of a whole question weigh at least: with less ("Who makes the decision?") it is
not known what it is about.
"""

_POINTS = re.compile(
    r"^(?:(?:and|so|but|who|what|when|where|why|how|which|is|are|was|were|do|does|did|can|could|"
    r"may|must|should|will|would|has|have|we|i|you|to|the)\s+){0,4}"
    r"(?:use|make|made|do|does|get|handle|read|open)?\s*\b(?:this|these|that|those)\b",
    re.IGNORECASE,
)
"""A question that opens with "this" or "that" speaks of something that only the asker sees."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a question is answered.

    `probability` is that the corpus answers it, calibrated on as many questions that it answers as
    that it does not. `refusal` is set if and only if the question is not answered.
    """

    answered: bool
    probability: float
    refusal: Refusal | None = None


def decide(asked: AskedQuestion, evidence: Sequence[Evidence], corpus: Corpus) -> Decision:
    """Whether the evidence, best first, answers the question."""
    if not asked.words:
        return _refused(0.0, RefusalReason.UNUSABLE_QUESTION)
    if not corpus.chunks:
        return _refused(0.0, RefusalReason.EMPTY_CORPUS)
    if not evidence:
        return _refused(0.0, RefusalReason.NOTHING_FOUND, asked.names)
    signs, model = read_signs(asked, evidence, corpus), shipped_model()
    probability = round(model.probability(signs.values), 4)
    ruled_out = min(probability, _RULED_OUT)
    if signs.unknown_names:
        return _refused(ruled_out, RefusalReason.NOT_ANSWERED, signs.unknown_names)
    if asked.wanted in STRICT and not signs.named:
        return _refused(ruled_out, RefusalReason.NOT_ANSWERED, (str(asked.wanted),))
    is_keyword = asked.kind is QuestionKind.KEYWORDS
    if _POINTS.match(asked.text) or (signs.weight < _LEAST_WEIGHT and not is_keyword):
        return _refused(ruled_out, RefusalReason.NOT_ANSWERED)
    # Of a single word whatever is said of it is what was looked for.
    if is_keyword and len(written_words(asked.text)) == 1 and not signs.missing:
        return Decision(True, max(probability, model.threshold))
    if probability >= model.threshold:
        return Decision(True, probability)
    reason = RefusalReason.NOT_ANSWERED if signs.covered >= _ABOUT else RefusalReason.NOTHING_FOUND
    return _refused(probability, reason, tuple(map(_readable, signs.missing[:_MOST_MISSING])))


_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z\d]{1,2}$)")


def _readable(word: str) -> str:
    word = _JOINED.sub(" ", word)
    return word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "\u2026"


def _refused(probability: float, reason: RefusalReason, missing: tuple[str, ...] = ()) -> Decision:
    return Decision(False, probability, Refusal(reason, missing))
