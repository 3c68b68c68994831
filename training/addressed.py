"""The detector of text that speaks to a language model: examples, fit and figures.

Examples are those of writers (`data/addressed/*.jsonl`), sentences made of the parts in
`data/addressed/parts.json`, and the lines of all documents of the training data, none of which
speaks to a model. Nothing is fitted on `held*.jsonl`.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from veridical.text.addressed import WEIGHTS, Detector, addressed, features, stems
from veridical.text.reading import sentence_spans

DATA = Path(__file__).parent / "data"
DOCS = Path(__file__).parent.parent / "docs"
"""Our own pages speak much of models, and seldom to one."""

_MADE = 3_000
_WRITTEN_TIMES = 3
"""How many times what people wrote counts as much as what is put together from parts."""

_BACKGROUND_WEIGHT = 0.5
_LEAST_OFTEN = 2
_STRENGTH, _THRESHOLD = 10.0, 0.6
_COMMON = 0.01
"""Share of the lines of documents from which a beginning of a word tells nothing."""
_DECIMALS, _LEAST_WEIGHT = 1, 0.3


class Text(NamedTuple):
    """A text, and whether it speaks to a model."""

    text: str
    speaks: bool


def written(name: str) -> list[Text]:
    """The texts of one writer."""
    lines = (DATA / "addressed" / f"{name}.jsonl").read_text("utf-8").splitlines()
    rows = map(json.loads, filter(None, lines))
    return [Text(row["text"], row["label"] == "injection") for row in rows]


def made(count: int, seed: int = 0) -> list[Text]:
    """Sentences put together from parts, half of which speak to a model."""
    parts: dict[str, Any] = json.loads((DATA / "addressed" / "parts.json").read_text("utf-8"))
    rng = random.Random(seed)

    def filled(pattern: str, words: dict[str, list[str]]) -> str:
        while "{" in pattern:
            start, end = pattern.rindex("{"), pattern.index("}", pattern.rindex("{"))
            pattern = (
                pattern[:start] + rng.choice(words[pattern[start + 1 : end]]) + pattern[end + 1 :]
            )
        return pattern[:1].upper() + pattern[1:]

    out: list[Text] = []
    for number in range(count):
        language = parts[rng.choice(parts["languages"])]
        speaks = bool(number % 2)
        pattern = rng.choice(language["speaks" if speaks else "harmless"])
        out.append(Text(_disguised(filled(pattern, language["words"]), rng), speaks))
    return list(dict.fromkeys(out))


def _disguised(text: str, rng: random.Random) -> str:
    """One in thirty in capitals."""
    return text.upper() if rng.random() < 1 / 30 else text


def lines() -> Iterator[str]:
    """The sentences of all documents of the training data, and of the documentation."""
    for path in sorted(
        [*(DATA / "written").glob("*.jsonl"), *(DATA / "questions").glob("*.jsonl")]
    ):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            for line in row["text"].split("\n") if "text" in row else ():
                yield from (line[start:end] for start, end in sentence_spans(line))
    for path in sorted(DOCS.glob("*.md")):
        for line in path.read_text("utf-8").splitlines():
            yield from (line[start:end] for start, end in sentence_spans(line))


def fitted(texts: Sequence[Text], background: Sequence[str]) -> Detector:
    """A detector of the texts, with the threshold above which hardly a line of documents stands."""
    rows = [*texts, *(Text(line, speaks=False) for line in background)]
    found = [sorted(features(row.text)) for row in rows]
    often = Counter(chain.from_iterable(found[: len(texts)]))
    names = sorted(name for name, count in often.items() if count >= _LEAST_OFTEN)
    known = {name: at for at, name in enumerate(names)}
    places = [[known[name] for name in names if name in known] for names in found]
    data = [np.full(len(p), 1 / max(1, len(n)) ** 0.5) for p, n in zip(places, found, strict=True)]
    bounds = np.cumsum([0, *map(len, places)])
    columns = np.concatenate(places).astype(int)
    matrix = csr_matrix((np.concatenate(data), columns, bounds), (len(rows), len(known)))
    weigh = np.r_[np.ones(len(texts)), np.full(len(background), _BACKGROUND_WEIGHT)]
    model = LogisticRegression(C=_STRENGTH, max_iter=300)
    model.fit(matrix, [row.speaks for row in rows], weigh)
    weights = {n: round(float(model.coef_[0, at]), _DECIMALS) for n, at in known.items()}
    weights = {name: weight for name, weight in weights.items() if abs(weight) >= _LEAST_WEIGHT}
    bias = round(float(model.intercept_[0]), 2)
    scored = Detector(weights, bias, _THRESHOLD)
    speaking = [text.text for text in texts if scored.score(text.text) > _THRESHOLD]
    return Detector(weights, bias, _THRESHOLD, _telltales(speaking, background))


def _telltales(speaking: Sequence[str], background: Sequence[str]) -> list[str]:
    """Beginnings of words of which nearly each text that speaks to a model has one, chosen one
    after the other so that few lines of documents have any.
    """
    often = Counter(chain.from_iterable(frozenset(stems(line)) for line in background))
    common = {stem for stem, count in often.items() if count > _COMMON * len(background)}
    left = [found for text in speaking if (found := frozenset(stems(text)) - common)]
    chosen: list[str] = []
    while left:
        held = Counter(chain.from_iterable(left))
        best = max(sorted(held), key=lambda stem: held[stem] ** 2 / (often[stem] + 5))
        chosen.append(best)
        left = [text for text in left if best not in text]
    return chosen


def train(
    written_by: Sequence[str] = (
        "train1",
        "train2",
        "train3",
        "train4",
        "train5",
        "usual",
        "orders",
    ),
) -> None:
    """Fit the shipped detector and write its weights."""
    texts = [
        *made(_MADE),
        *(text for name in written_by for text in written(name) * _WRITTEN_TIMES),
    ]
    told = list(dict.fromkeys(lines()))
    detector = fitted(texts, told)
    WEIGHTS.write_text(json.dumps(detector.card(), ensure_ascii=False) + "\n", "utf-8")
    print(f"{len(detector.card()['weights']):,} weights")


def measure() -> None:
    """How many texts of each writer are found, and of the harmless ones and lines of documents."""
    for path in sorted((DATA / "addressed").glob("*.jsonl")):
        found, alarms = rates(written(path.stem))
        print(f"{path.stem}: {found:.1%} found, {alarms:.1%} of the harmless ones")
    told = list(dict.fromkeys(lines()))
    alarms = sum(not addressed([line]) for line in told)
    print(
        f"{alarms} of {len(told):,} lines of documents: {alarms / len(told) * 10_000:.1f} in 10,000"
    )


def rates(texts: Sequence[Text]) -> tuple[float, float]:
    """The shares of the texts that speak to a model, and of the harmless ones, that are found."""

    def share(speaks: bool) -> float:
        asked = [text.text for text in texts if text.speaks is speaks]
        return sum(map(is_found, asked)) / max(1, len(asked))

    return share(True), share(False)


def is_found(text: str) -> bool:
    """Whether a text is found when it stands as a paragraph."""
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    return addressed(sentences) < len(sentences)
