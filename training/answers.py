"""How well questions are answered by reading, and the card's calibration of what answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from training.questions import Written, answering, corpus_of, found
from training.windows import plain
from veridical.answering.answerer import PolicyAnswerer
from veridical.answering.reading import (
    MOST_TOLD,
    SIGNS,
    answer_probabilities,
    enough,
    row_of,
    together,
)
from veridical.reader.model import Card, Reader

WRONG_ANSWERS, REFUSED = 0.08, 0.88
"""Where the threshold is set: at most this share of answerable questions get a wrong answer, and at
least this share of the others none.
"""

_RIDGE = 0.001
_GRID = np.linspace(0.3, 0.8, 51)
"""The thresholds that are tried."""

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Rivals:
    """The lines that were read for a question, the finder's first one first: the signs that
    `answer_probabilities` reads (lines, signs), the passage that each is a row of, or nothing, and
    whether it answers. `answerable` tells whether any line of the documents does.
    """

    signs: Floats
    rows: tuple[str, ...]
    answers: Truths
    answerable: bool


def asked(corpora: Iterable[Written], reader: Reader) -> list[Rivals]:
    """Ask the questions of some corpora, and look at what is read."""
    rivals: list[Rivals] = []
    for corpus in corpora:
        finder = found(corpus, list(corpus.texts), reader)
        for question in corpus.questions:
            read = finder.read(question.question)
            right = answering(question, read)
            ours = np.array([line in right for line in read.rivals], bool)
            places = [read.lines.places[line] for line in read.rivals]
            rows = tuple(row_of(read.hits[hit].chunk, index) for hit, index in places)
            rivals.append(Rivals(read.signs, rows, ours, question.answerable))
    return rivals


def answered(corpora: Iterable[Written]) -> dict[str, Any]:
    """How questions are answered as users get it: rightly, with what decides among what is cited,
    wrongly, or not at all; and of those that nothing answers, how many are refused.
    """
    outcomes: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for corpus in corpora:
        answerer = PolicyAnswerer(corpus_of(corpus, list(corpus.texts)))
        for question in corpus.questions:
            answer = answerer.answer(question.question)
            cited = [c.snippet for c in answer.citations if c.doc_id == f"{question.doc}.md"]
            right = any(_shares(snippet, words) for snippet in cited for words in question.basis)
            outcome = "refused" if answer.refusal else "right" if right else "wrong"
            outcomes[question.answerable][outcome] += 1
    return {
        "answerable": dict(sorted(outcomes[True].items())),
        "unanswerable": dict(sorted(outcomes[False].items())),
    }


def _shares(snippet: str, fragment: str) -> bool:
    """Whether one holds the other, or, of a table's row, its words."""
    told, basis = plain(snippet), plain(fragment)
    words = fragment.replace("|", " ").split()
    return basis in told or told in basis or all(plain(word) in told for word in words)


def finding(card: Card, asked: Sequence[Rivals]) -> dict[str, Any]:
    """How often what is found answers: any line that is read, the finder's first, and, as they are
    ordered after reading, the first and one of three, which a refusal shows.
    """
    answerable = [one for one in asked if one.answerable]
    read = [
        one.answers[np.argsort(-answer_probabilities(card, one.signs), kind="stable")]
        for one in answerable
    ]
    return {
        "answerable": len(answerable),
        "read": round(float(np.mean([one.any() for one in read])), 4),
        "found_first": round(float(np.mean([one.answers[:1].any() for one in answerable])), 4),
        "first": round(float(np.mean([one[:1].any() for one in read])), 4),
        "three": round(float(np.mean([one[:3].any() for one in read])), 4),
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
        scores = answer_probabilities(card, one.signs)
        first = np.argsort(-scores, kind="stable")[:MOST_TOLD]
        likely[at] = together(scores[first].tolist(), [one.rows[i] for i in first])
        right[at] = one.answers[first[: enough(scores[first].tolist())]].any()
    return likely, right


def answers_calibrated(
    card: Card, asked: Sequence[Rivals], everyday: Sequence[Rivals] | None = None
) -> Card:
    """The card with what tells the one line that answers from its rivals and from there being none,
    and the least likelihood at which few enough of the `everyday` ones (all, if they are not told
    apart) are answered wrongly.
    """
    read = [one for one in asked if len(one.signs)]
    spread = np.concatenate([one.signs for one in read]).std(axis=0)

    def loss(weights: Floats) -> float:
        total = _RIDGE * len(read) * float(weights @ weights)
        for one in read:
            logits = one.signs / spread @ weights[:SIGNS] + weights[SIGNS]
            total += float(np.logaddexp.reduce([0.0, *logits]))
            if one.answers.any():
                total -= float(np.logaddexp.reduce(logits[one.answers]))
        return total / len(read)

    *weights, intercept = minimize(loss, np.zeros(SIGNS + 1), method="BFGS").x
    found, behind, relevance, nearness = (np.array(weights) / spread).tolist()
    card = replace(
        card,
        answer_found=round(found, 4),
        answer_behind=round(behind, 4),
        answer_relevance=round(relevance, 4),
        answer_nearness=round(nearness, 4),
        answer_intercept=round(float(intercept), 4),
    )
    told = ((t, answerability(card, everyday or asked, t)) for t in _GRID)
    right = (t for t, o in told if o["wrong"] <= WRONG_ANSWERS and o["refused"] >= REFUSED)
    return replace(card, answers=round(float(next(right, _GRID[-1])), 2))
