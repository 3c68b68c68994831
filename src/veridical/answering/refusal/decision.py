"""Is the answer to a question in the corpus? A calibrated decision, and what is missing if not.

Few signs go into a fitted logistic model. Before it stand rules that nothing outweighs: a name that
no passage knows, a type of thing that no evidence names, a question that points at something
outside of itself.
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
from numpy.typing import NDArray

from veridical.answering.answer import Refusal, RefusalReason
from veridical.answering.evidence.finding import ABOVE, Evidence, sentences_of, titles_of
from veridical.answering.evidence.match import Matrix, match_texts
from veridical.answering.evidence.wanted import STRICT, TYPE_MET, names_wanted, said_by_type
from veridical.answering.evidence.words import is_number, key_of, written_words
from veridical.answering.question.asked import AskedQuestion
from veridical.answering.question.kinds import QuestionKind
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.terms import terms
from veridical.text.normalize import fold

# Signs that a corpus answers a question: what the fitted decision sees.


FEATURES = {
    "score": "score of the best evidence that names the amount asked for, if one is",
    "held": "how much of the question, by weight, one sentence and its titles hold, which also "
    "names the type of thing asked for",
    "unmet": "the share of it that no such sentence holds",
    "missing": "words that the best passage lacks",
    "names": "words of its names that no passage has, and names whose words stand nowhere together",
    "numbers": "numbers of it that no passage has",
    "margin": "how far the best evidence is ahead of that of other passages",
    "words": "how many words it has",
    "parted": "weight of pairs of words side by side in it that nowhere stand near each other",
}
"""What each feature means, in order. A word weighs what its vector does times how rare it is."""

MET = 0.5
"""Match from which a word counts as met."""

_LEAST_PASSAGES = 100
"""How many passages a smaller corpus is taken to have: in a single page no word is rare."""

_DIGITS = 4
"""Decimals of a feature: the same on every machine."""


@dataclass(frozen=True)
class Signs:
    """What was seen of a question that has evidence.

    `values` are the features in order. `missing` are the words that the best passage lacks,
    `unknown_names` the names of which no passage has a word, both as written, in the order of the
    question. `named` tells whether any evidence names the type of thing asked for, and `covered`,
    0 to 1, is the share of the question that the best passage holds. `weight` is what its words
    weigh together, about 1 for one noun.
    """

    values: tuple[float, ...]
    missing: tuple[str, ...]
    unknown_names: tuple[str, ...]
    named: bool
    covered: float
    weight: float


def read_signs(asked: AskedQuestion, evidence: Sequence[Evidence], corpus: Corpus) -> Signs:
    """The signs for a question with at least one word and one sentence of evidence."""
    count, chunks = len(evidence), list({id(one.chunk): one.chunk for one in evidence}.values())
    passages = [_passage(chunk) for chunk in chunks]
    texts = [*(one.text for one in evidence), *(one.above for one in evidence), *passages]
    matches = match_texts(asked.words, texts, asked.name_keys).weighing(asked.weights)
    # How well each word is met, (words, n), by sentences, by what is above them, by passages.
    named = np.array([names_wanted(asked, one.text, one.above) for one in evidence])
    naming = {id(one.chunk) for one, has in zip(evidence, named, strict=True) if has}
    columns = [*named, *[False] * count, *(id(chunk) in naming for chunk in chunks)]
    by_type = np.ix_(np.array(said_by_type(asked), bool), np.array(columns, bool))
    met = matches.best.copy()
    met[by_type] = np.maximum(met[by_type], TYPE_MET)
    in_titles = np.maximum(met[:, :count], met[:, count : 2 * count])
    in_passages = met[:, 2 * count :]
    weight = matches.weight * _rarity(asked.words, corpus)
    share = weight @ in_passages
    best, anywhere = in_passages[:, int(share.argmax())], in_passages.max(axis=1)
    held = float((weight @ in_titles * named).max())
    keys = [key_of(word) for word in asked.words]
    unmet, apart = _where(keys, anywhere < MET), _apart(asked, passages)
    values = {
        "score": _score(asked, evidence, named),
        "held": math.log1p(held),
        "unmet": 1 - held / float(weight.sum()),
        "missing": float((best < MET).sum()),
        "names": float(sum(key in asked.name_keys for key in unmet) + len(apart)),
        "numbers": float(sum(map(is_number, unmet))),
        "margin": _margin(evidence),
        "words": math.log(len(keys)),
        "parted": _parted(asked, evidence, anywhere, weight),
    }
    return Signs(
        values=tuple(round(values[name], _DIGITS) for name in FEATURES),
        missing=tuple(_where(asked.words, best < MET)),
        unknown_names=tuple(
            name
            for name in asked.names
            if name in apart or any(key_of(word) in unmet for word in name.split())
        ),
        named=bool(named.any()),
        covered=float(share.max() / weight.sum()),
        weight=round(float(matches.weight.sum()), _DIGITS),
    )


_WINDOW, _STEP = 6, 3
_READ_CLOSELY = 6


def _parted(
    asked: AskedQuestion, evidence: Sequence[Evidence], anywhere: Matrix, weight: Matrix
) -> float:
    """The weight of pairs of words that stand side by side in a question and are parted: each is
    met, and the two never within a few words of each other, by the best sentences or what stands
    above them.
    """
    pairs = [pair for pair in asked.pairs if anywhere[list(pair)].min() >= MET]
    if not pairs or asked.kind is QuestionKind.KEYWORDS:
        return 0.0
    windows: list[str] = []
    for text in dict.fromkeys(
        part for one in evidence[:_READ_CLOSELY] for part in (one.text, *one.above.split(ABOVE))
    ):
        words = written_words(text)
        starts = range(0, max(1, len(words) - _WINDOW + _STEP), _STEP)
        windows += [" ".join(words[at : at + _WINDOW]) for at in starts]
    best = match_texts(asked.words, windows, asked.name_keys).best
    return float(
        sum(weight[list(pair)].min() for pair in pairs if best[list(pair)].min(axis=0).max() < MET)
    )


def _rarity(words: Sequence[str], corpus: Corpus) -> Matrix:
    """How rare each word is in a corpus, (words,): about 0 where all passages have it, 1 where
    one has it, and a little more where none has.
    """
    total = max(len(corpus.chunks), _LEAST_PASSAGES)
    rare: Matrix = np.ones(len(words))
    for at, word in enumerate(words):
        found = [np.count_nonzero(corpus.lexical.scores([term]) > 0) for term in terms(word)]
        if found:
            rare[at] = math.log((total + 1) / (min(found) + 0.5)) / math.log(2 * (total + 1))
    return rare


def _passage(chunk: Chunk) -> str:
    """A passage with its titles, but for what is struck through or speaks to a model."""
    return ABOVE.join((titles_of(chunk), *sentences_of(chunk).values()))


def _score(asked: AskedQuestion, evidence: Sequence[Evidence], named: NDArray[np.bool_]) -> float:
    """The score of the best evidence; of a type that can be seen, of the best that names it."""
    if asked.wanted not in STRICT:
        return evidence[0].score
    return max((one.score for one, has in zip(evidence, named, strict=True) if has), default=0.0)


def _margin(evidence: Sequence[Evidence]) -> float:
    others = (one.score for one in evidence if one.chunk is not evidence[0].chunk)
    return evidence[0].score - max(others, default=0.0)


def _where(words: Sequence[str], chosen: NDArray[np.bool_]) -> list[str]:
    return [word for word, kept in zip(words, chosen, strict=True) if kept]


def _apart(asked: AskedQuestion, texts: Sequence[str]) -> list[str]:
    """The names of several words that no passage has word for word."""
    several = [name for name in asked.names if " " in name]
    folded = [f" {fold(text)}" for text in texts] if several else []
    return [name for name in several if not any(f" {fold(name)}" in text for text in folded)]


# The fitted decision, and the rules before it.


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

_POINTS = re.compile(
    r"^(?:(?:and|so|but|who|what|when|where|why|how|which|is|are|was|were|do|does|did|can|could|"
    r"may|must|should|will|would|has|have|we|i|you|to|the)\s+){0,4}"
    r"(?:use|make|made|do|does|get|handle|read|open)?\s*\b(?:this|these|that|those)\b",
    re.IGNORECASE,
)
"""A question that opens with "this" or "that" speaks of something that only the asker sees."""

_LONGEST = 40
"""Characters of a word that are shown."""

_LEAST_WEIGHT = 0.95
"""What the words of a whole question weigh at least: with less ("Who makes the decision?") it is
not known what it is about.
"""


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
