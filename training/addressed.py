"""The detector of text that speaks to a language model: examples, the gate's fit, and figures.

Examples are those of writers (`data/addressed/*.jsonl`), sentences made of the parts in
`data/addressed/parts.json`, and the lines of all documents of the training data and of passages of
the open sets, none of which speaks to a model. Nothing is fitted on `held*.jsonl`. The encoder is
fitted in `addressed_network`, on those lines above all that look most like orders to the gate.
"""

from __future__ import annotations

import gzip
import json
import logging
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from training.examples import POOL, QUESTIONS
from veridical.networks.addressed import WEIGHTS as ENCODER
from veridical.networks.addressed import Reads, addressed
from veridical.text.addressed import WEIGHTS, Gate, features, stems
from veridical.text.reading import sentence_spans

log = logging.getLogger(__name__)

DATA = Path(__file__).parent / "data"
DOCS = Path(__file__).parent.parent / "docs"
"""Our own pages speak much of models, and seldom to one."""

_MADE = 1_000
_WRITTEN_WEIGHT, _BACKGROUND_WEIGHT = 3.0, 0.5
"""What people wrote, and lines of documents, count beside what is put together from parts."""

_LEAST_OFTEN = 3
_STRENGTH, _THRESHOLD = 3.0, -0.5
"""The threshold lets 4 of 1,000 lines of unseen documents through."""

_ALONE = 0.5
"""Where words alone decide."""

_COMMON = 0.01
"""Share of the lines of documents from which a beginning of a word tells nothing."""

_DECIMALS, _LEAST_WEIGHT = 1, 0.3
_PASSAGES, _MOST_LINES = 60_000, 80_000
"""Sentences of the open sets, and of all documents, that are looked at."""

_HARD, _EASY = 6_000, 4_000
"""Lines that the encoder learns from: those that look most like orders to the gate, and others."""

_DECIDES = 3.5
"""What the encoder's logit and twice the gate's score are to be over together. (Of 9,683 sentences
of other documents one is then wrongly taken for an order.)
"""

WRITERS = (*(f"train{number}" for number in range(1, 12)), "usual", "orders")


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
                yield from parts(line)
    for path in sorted(DOCS.glob("*.md")):
        for line in path.read_text("utf-8").splitlines():
            yield from parts(line)


def passages(data: Path) -> Iterator[str]:
    """The sentences of passages of the open sets, and those that stand beside each other."""
    files = {"pool/pool": (POOL, "evidence"), "question-pool/questions": (QUESTIONS, "passage")}
    for name, (sources, key) in files.items():
        with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            rows = map(json.loads, file)
            found = [row[key][:_MOST_PASSAGE] for row in rows if row["source"] in sources]
        for line in dict.fromkeys(chain.from_iterable(map(str.splitlines, found))):
            yield from parts(line)


_MOST_PASSAGE = 6_000


def parts(text: str) -> list[str]:
    """What is looked at of a paragraph: each sentence, and each with the one before it."""
    said = [text[start:end] for start, end in sentence_spans(text)]
    return [*said, *map(" ".join, pairwise(said))]


def fitted_gate(
    written_by: Sequence[Text], put_together: Sequence[Text], background: Sequence[str]
) -> Gate:
    """A gate for the texts, with the threshold above which few lines of documents stand."""
    texts = [*written_by, *put_together]
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
    weigh = np.repeat(
        [_WRITTEN_WEIGHT, 1.0, _BACKGROUND_WEIGHT],
        [len(written_by), len(put_together), len(background)],
    )
    model = LogisticRegression(C=_STRENGTH, max_iter=100)
    model.fit(matrix, [row.speaks for row in rows], weigh)
    weights = {n: round(float(model.coef_[0, at]), _DECIMALS) for n, at in known.items()}
    weights = {name: weight for name, weight in weights.items() if abs(weight) >= _LEAST_WEIGHT}
    bias = round(float(model.intercept_[0]), 2)
    scored = Gate(weights, bias, _THRESHOLD, _ALONE)
    speaking = [text.text for text in texts if scored.score(text.text) > _THRESHOLD]
    return Gate(weights, bias, _THRESHOLD, _ALONE, _telltales(speaking, background))


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


def train(data: Path) -> None:
    """Fit both looks and write their weights; `data` is the folder of the open sets."""
    from training.addressed_network import Row, chosen_pieces, export, fitted, vocabulary

    rng = random.Random(0)
    others = sorted(set(passages(data)))
    told = list(dict.fromkeys([*lines(), *rng.sample(others, min(_PASSAGES, len(others)))]))
    told = rng.sample(told, min(_MOST_LINES, len(told)))
    texts = [text for name in WRITERS for text in written(name)]
    gate = fitted_gate(texts, made(_MADE), told)
    WEIGHTS.write_text(json.dumps(gate.card(), ensure_ascii=False) + "\n", "utf-8")
    log.info("the gate has %d weights, from %d lines", len(gate.card()["weights"]), len(told))
    told.sort(key=lambda line: (-gate.score(line), line))
    rows = [Row(text.text, speaks=True, weight=2.0) for text in texts if text.speaks]
    calm = [part for text in texts if not text.speaks for part in (text.text, *parts(text.text))]
    calm += [*told[:_HARD], *rng.sample(told[_HARD:], _EASY)]
    rows += [Row(text, speaks=False, weight=1.0) for text in dict.fromkeys(calm)]
    rows += [Row(text, speaks, 0.5) for text, speaks in made(_MADE)]
    kept = chosen_pieces([row.text for row in rows])
    words = vocabulary(kept)
    log.info("the encoder has %d word pieces, and learns from %d texts", len(words), len(rows))
    export(fitted(rows, kept, words), words, _DECIDES, ENCODER)


def measure() -> None:
    """How many texts of each writer are found, and of the harmless ones and lines of documents."""
    for path in sorted((DATA / "addressed").glob("*.jsonl")):
        found, alarms = rates(written(path.stem))
        print(f"{path.stem}: {found:.1%} found, {alarms:.1%} of the harmless ones")
    told = list(dict.fromkeys(lines()))
    alarms = sum(not addressed([line], Reads()) for line in told)
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
    return addressed(sentences, Reads()) < len(sentences)
