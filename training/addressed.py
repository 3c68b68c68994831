"""The detector of text that speaks to a language model: examples, fit and figures.

Examples are those of writers (`data/addressed/*.jsonl`), sentences made of the parts in
`data/addressed/parts.json`, and the lines of all documents of the training data, none of which
speaks to a model. Nothing is fitted on `held*.jsonl`.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from veridical.text.addressed import (
    BITS,
    STEPS,
    WEIGHTS,
    Detector,
    addressed,
    features,
    place,
    stems,
)
from veridical.text.reading import sentence_spans

DATA = Path(__file__).parent / "data"
DOCS = Path(__file__).parent.parent / "docs"
"""Our own pages speak much of models, and seldom to one."""

_MADE = 8_000
_WRITTEN_WEIGHT, _MADE_WEIGHT, _LINE_WEIGHT = 3.0, 0.7, 0.5
"""What people wrote counts most, then what is put together from parts, then other lines."""

_LEAST_OFTEN = 2
_STRENGTH = 10.0
_ALARMS = 0.02
"""Share of the harmless texts of writers not learned from that may be found."""

_LEAST_THRESHOLD = 2.3
"""Below it ordinary sentences are found: of 8,800 of documents and talks that nothing was learned
from, 12 at the 1.92 that the folds gave, 7 at this.
"""

_COMMON = 0.01
"""Share of the lines of documents from which a beginning of a word tells nothing."""

HELD = "held"
"""How the files begin that nothing is learned from."""


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
    """One in six as people hide words from filters, harmless or not."""
    gap = rng.choice([" ", ".", "-", "\u200b"])
    ways: list[Callable[[str], str]] = [
        str.upper,
        lambda said: (" " * 3).join(map(gap.join, said.split())),
        lambda said: " ".join(map(gap.join, said.split())),
        lambda said: "\u200b".join(said[at : at + 3] for at in range(0, len(said), 3)),
        lambda said: said.translate(str.maketrans("oieas", "01345")),
    ]
    return rng.choice(ways)(text) if rng.random() < 1 / 6 else text


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


class Rows(NamedTuple):
    """Texts with what they count, and their features' places."""

    texts: list[Text]
    counts: list[float]
    found: list[list[str]]


def rows(written_by: Sequence[str]) -> Rows:
    """All that is learned from: of writers, made, and lines of documents."""
    told = [(text, _WRITTEN_WEIGHT) for name in written_by for text in written(name)]
    told += [(text, _MADE_WEIGHT) for text in made(_MADE)]
    told += [(Text(line, speaks=False), _LINE_WEIGHT) for line in dict.fromkeys(lines())]
    texts = [text for text, _ in told]
    return Rows(texts, [c for _, c in told], [sorted(features(t.text)) for t in texts])


def fitted(learned: Rows, threshold: float = 0.0) -> Detector:
    """A detector of the texts."""
    texts, counts, found = learned
    is_line = [count == _LINE_WEIGHT for count in counts]
    often = Counter(
        chain.from_iterable(f for f, line in zip(found, is_line, strict=True) if not line)
    )
    known = {name: place(name) for name, count in often.items() if count >= _LEAST_OFTEN}
    places = [[known[name] for name in names if name in known] for names in found]
    data = [np.full(len(p), 1 / max(1, len(n)) ** 0.5) for p, n in zip(places, found, strict=True)]
    bounds = np.cumsum([0, *map(len, places)])
    columns = np.concatenate(places).astype(int)
    matrix = csr_matrix((np.concatenate(data), columns, bounds), (len(texts), 2**BITS))
    model = LogisticRegression(C=_STRENGTH, max_iter=300)
    model.fit(matrix, [text.speaks for text in texts], counts)
    weights = np.clip(np.rint(model.coef_[0] * STEPS), -127, 127).astype(np.int8).tobytes()
    bias = round(float(model.intercept_[0]), 2)
    scored = Detector(weights, bias, threshold)
    speaking = [text.text for text in texts if text.speaks and scored.is_over(text.text)]
    background = [text.text for text, line in zip(texts, is_line, strict=True) if line]
    return Detector(weights, bias, threshold, _telltales(speaking, background))


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


def writers() -> list[str]:
    """Whose texts are learned from."""
    names = sorted(path.stem for path in (DATA / "addressed").glob("*.jsonl"))
    return [name for name in names if not name.startswith(HELD)]


def train() -> None:
    """Fit the shipped detector and write its weights."""
    names = writers()
    learned = rows(names)
    detector = fitted(learned, max(_by_folds(learned, names), _LEAST_THRESHOLD))
    WEIGHTS.write_text(json.dumps(detector.card(), ensure_ascii=False) + "\n", "utf-8")
    print(f"{WEIGHTS.stat().st_size:,} bytes, threshold {detector.card()['threshold']}")


def _by_folds(learned: Rows, names: Sequence[str]) -> float:
    """The threshold over which few harmless texts stand, of writers that were not learned from."""
    harmless: list[float] = []
    speaking: list[float] = []
    for name in names:
        held = written(name)
        left = frozenset(text.text for text in held)
        kept = [at for at, text in enumerate(learned.texts) if text.text not in left]
        texts, counts, found = learned
        others = Rows(
            [texts[at] for at in kept], [counts[at] for at in kept], [found[at] for at in kept]
        )
        scorer = fitted(others)
        for text in held:
            (speaking if text.speaks else harmless).append(highest(scorer, text.text))
        print(f"{name}: read", flush=True)
    threshold = round(float(np.quantile(harmless, 1 - _ALARMS)), 2)
    share = np.mean(np.array(speaking) > threshold)
    print(f"of writers not learned from {share:.1%} are found, {_ALARMS:.1%} of the harmless ones")
    return threshold


def highest(detector: Detector, text: str) -> float:
    """The highest score of a sentence of a text, or of two that follow each other."""
    told = [text[start:end] for start, end in sentence_spans(text)]
    pairs = [" ".join(pair) for pair in pairwise(told)]
    return max((detector.score(s) for s in [*told, *pairs] if detector.may_speak(s)), default=-99.0)


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
