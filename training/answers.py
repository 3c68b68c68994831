"""How well questions are answered by reading, and the card's calibration of what answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from training.questions import Written, answering, found
from veridical.answering.answerer import MOST_NEAREST
from veridical.answering.evidence.finding import Evidence
from veridical.answering.reading import MOST_TOLD, NEARLY, Read, answer_probabilities
from veridical.reader.model import Card, Reader

WRONG_ANSWERS = 0.08
"""Share of answerable questions that get a wrong answer, where the threshold is set."""

_RIDGE = 0.001
_GRID = np.linspace(0.3, 0.8, 51)
"""The thresholds that are tried."""

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Rivals:
    """The lines that were read alone for a question: what `answer_probabilities` reads (lines, 2),
    and whether each answers. `answerable` tells whether any line of the documents does.
    """

    alone: Floats
    answers: Truths
    answerable: bool


@dataclass(frozen=True)
class Asked:
    """What was read for questions.

    `shown` has for each answerable question, of the sentences that a refusal would show, which
    answer it, and `beside` which of their chunks do; `found` tells whether any line that was read
    does. Of all lines that were read, also for questions that nothing answers, there are the
    `signs` that `line_odds` reads, and whether each `answers`. `rivals` has an entry a question.
    """

    shown: list[list[bool]]
    beside: list[list[bool]]
    found: list[bool]
    signs: Floats
    answers: Truths
    rivals: list[Rivals]


def asked(corpora: Iterable[Written], reader: Reader) -> Asked:
    """Ask the questions of some corpora, and look at what is read."""
    shown: list[list[bool]] = []
    beside: list[list[bool]] = []
    read_at_all: list[bool] = []
    signs: list[Floats] = []
    answers: list[bool] = []
    rivals: list[Rivals] = []
    for corpus in corpora:
        finder = found(corpus, list(corpus.texts), reader)
        for question in corpus.questions:
            read = finder.read(question.question)
            right = answering(question, read)
            signs.append(read.signs)
            answers += [line in right for line in read.told]
            ours = np.array([line in right for line in read.rivals], bool)
            rivals.append(Rivals(read.alone, ours, question.answerable))
            if not question.answerable:
                continue
            read_at_all.append(not right.isdisjoint(read.told))
            places = {read.lines.places[line] for line in right}
            near = _nearest(finder.find(question.question), read)
            shown.append([place in places for place in near])
            beside.append([any(hit == at for at, _ in places) for hit, _ in near])
    return Asked(shown, beside, read_at_all, np.concatenate(signs), np.array(answers), rivals)


def _nearest(evidence: Sequence[Evidence], read: Read) -> list[tuple[int, int]]:
    """The sentences that a refusal shows, one a chunk: (number of the chunk's hit, sentence)."""
    hits = {(h.chunk.document.name, h.chunk.span): at for at, h in enumerate(read.hits)}
    told: dict[int, int] = {}
    for one in evidence:
        hit = hits[one.chunk.document.name, one.chunk.span]
        if len(told) < MOST_NEAREST:
            told.setdefault(hit, one.index)
    return list(told.items())


def nearness(found: Asked) -> dict[str, Any]:
    """How often what comes nearest answers: the first sentence, one of the three, their chunks."""
    return {
        "answerable": len(found.shown),
        "read": round(float(np.mean(found.found)), 4),
        "first": round(float(np.mean([any(one[:1]) for one in found.shown])), 4),
        "three": round(float(np.mean([any(one) for one in found.shown])), 4),
        "chunks": round(float(np.mean([any(one) for one in found.beside])), 4),
    }


def answerability(card: Card, asked: Sequence[Rivals], threshold: float) -> dict[str, float]:
    """Of the answerable questions, which are answered rightly and wrongly by reading; of those that
    nothing answers, which are refused.
    """
    likely, right = _told(card, asked)
    answerable = np.array([one.answerable for one in asked])
    told = likely >= threshold
    return {
        "right": round(float((told & right)[answerable].mean()), 4),
        "wrong": round(float((told & ~right)[answerable].mean()), 4),
        "refused": round(float((~told)[~answerable].mean()), 4),
    }


def _told(card: Card, asked: Sequence[Rivals]) -> tuple[Floats, Truths]:
    """For each question the likelihood of what would be told, and whether a line of it answers."""
    likely, right = np.zeros(len(asked)), np.zeros(len(asked), bool)
    for at, one in enumerate(asked):
        scores = answer_probabilities(card, one.alone)
        for rank in np.argsort(-scores, kind="stable")[:MOST_TOLD]:
            if scores[rank] >= NEARLY * scores.max():
                likely[at] += scores[rank]
                right[at] |= one.answers[rank]
    return likely, right


def lines_calibrated(card: Card, found: Asked) -> Card:
    """The card with what tells lines that answer, fitted on held-out questions."""
    lines = LogisticRegression(C=10.0, max_iter=1000).fit(found.signs, found.answers)
    relevance, deciding, nearness = (round(float(x), 4) for x in lines.coef_[0])
    return replace(
        card,
        line_relevance=relevance,
        line_deciding=deciding,
        line_nearness=nearness,
        line_intercept=round(float(lines.intercept_[0]), 4),
    )


def answers_calibrated(card: Card, asked: Sequence[Rivals]) -> Card:
    """The card with what tells the one line that answers from its rivals and from there being none,
    and the least likelihood at which few enough are answered wrongly.
    """
    read = [one for one in asked if len(one.alone)]

    def loss(weights: Floats) -> float:
        total = _RIDGE * len(read) * float(weights @ weights)
        for one in read:
            logits = one.alone @ weights[:2] + weights[2]
            total += float(np.logaddexp.reduce([0.0, *logits]))
            if one.answers.any():
                total -= float(np.logaddexp.reduce(logits[one.answers]))
        return total / len(read)

    before, alone, intercept = minimize(loss, np.zeros(3), method="BFGS").x
    card = replace(
        card,
        answer_before=round(float(before), 4),
        answer_alone=round(float(alone), 4),
        answer_intercept=round(float(intercept), 4),
    )
    right = (t for t in _GRID if answerability(card, asked, t)["wrong"] <= WRONG_ANSWERS)
    return replace(card, answers=round(float(next(right, _GRID[-1])), 2))
