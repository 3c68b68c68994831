"""Teaching the finder: documents with the questions and claims that were written to them.

1. "deep": one set of layers reads questions and lines. Of all lines of eight documents at a time it
   learns to tell those that answer a question, or decide a claim, and that nothing answers some.
2. "taught": the few layers that are to read lines learn to give the vectors of the deep ones.
3. "joint": both sides learn once more what the first stage does.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from training.examples import load_tokenizer
from training.finder import FinderNetwork, apart, from_package
from training.fit import short_floats
from training.questions import written_questions
from training.shown import read_written
from training.windows import deciding_lines
from training.writers import QUESTIONS, WRITERS, written_file
from veridical.judging.lines import case_of, lines_of
from veridical.reader.finder import line_ids, question_ids
from veridical.reader.windows import Pieces
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Format
from veridical.sources.loader import document_from_text

log = logging.getLogger(__name__)

DOCUMENTS, QUESTIONS_EACH, MOST_EACH = 8, 8, 12
"""Documents of a step; of each, how many questions at most, and with claims."""

STEP_PIECES, COPIED_PIECES = 2400, 4000
"""Pieces that are read at a time: in a step of many, and of lines that are copied."""

WARM_UP = 0.06
SCALE_RATE = 4e-3

_MOST_LINES = 60
"""Lines of a document that is learned from, at most: a longer one would fill a step."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, or a claim, by its pieces, and the lines that answer it, or decide."""

    ids: Pieces
    answers: tuple[int, ...]
    is_question: bool


@dataclass(frozen=True, slots=True)
class Read:
    """The lines of a document by their pieces, and what was asked of it."""

    lines: tuple[Pieces, ...]
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a stage learns: rounds over all documents, and the highest learning rates of the deep
    layers (of which the lowest `frozen` stay as they are), of what comes behind them, and of the
    layers of lines.
    """

    rounds: int
    deep: float = 0.0
    heads: float = 0.0
    frozen: int = 0
    lines: float = 0.0
    seed: int = 1


DEEP = Plan(rounds=4, deep=5e-5, heads=5e-4, frozen=2)
TAUGHT = Plan(rounds=3, lines=5e-4)
JOINT = Plan(rounds=1, deep=2e-5, heads=2e-5, lines=1e-4)


def documents(data: Path | None, tokenizer: Tokenizer) -> list[Read]:
    """All documents that were written for training, with their questions and decided claims."""
    texts: dict[tuple[str, str], str] = {}
    asked: dict[tuple[str, str], list[tuple[str, tuple[str, ...], bool]]] = {}
    for writer in WRITERS:
        for claim in read_written(written_file(writer, data)):
            texts[writer, claim.doc] = claim.text
            if claim.label != "not_enough" and claim.basis:
                asked.setdefault((writer, claim.doc), []).append((claim.claim, claim.basis, False))
    for writer in QUESTIONS:
        (written,) = written_questions([writer])
        for doc, text in written.texts.items():
            texts[writer, doc] = text
        for one in written.questions:
            asked.setdefault((writer, one.doc), []).append((one.question, one.basis, True))
    found = [_read(texts[key], asked[key], tokenizer) for key in sorted(asked)]
    return [one for one in found if one.asked and 2 <= len(one.lines) <= _MOST_LINES]


def _read(
    text: str, asked: Sequence[tuple[str, tuple[str, ...], bool]], tokenizer: Tokenizer
) -> Read:
    corpus = Corpus([document_from_text(text, "document.md", Format.MARKDOWN)])
    lines = lines_of([case_of("", chunk) for chunk in corpus.chunks if chunk.sentences])
    body = _pieces(tokenizer, [line.text for line in lines.lines])
    headings = _pieces(tokenizer, [line.heading for line in lines.lines])
    ids = tuple(
        line_ids(own, heading, body[line.lead_in] if line.lead_in >= 0 else ())
        for own, heading, line in zip(body, headings, lines.lines, strict=True)
    )
    questions = _pieces(tokenizer, [question for question, _, _ in asked])
    out = []
    for (_, basis, is_question), pieces in zip(asked, questions, strict=True):
        answers = tuple(sorted(deciding_lines(basis, lines)))
        if answers or not basis:  # else what answers is in no line
            out.append(Asked(question_ids(pieces), answers, is_question))
    return Read(ids, tuple(out))


def _pieces(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Pieces]:
    found = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    return [tuple(entry.ids) for entry in found]


def train(base: Path, data: Path | None, out: Path) -> FinderNetwork:
    """All stages. `base` is the folder of the packaged model; `out` takes a checkpoint a round, and
    a run goes on from the last.
    """
    out.mkdir(parents=True, exist_ok=True)
    read = documents(data, load_tokenizer(base / "tokenizer.json"))
    log.info("%d documents, %d questions and claims", len(read), sum(len(r.asked) for r in read))
    sampled = random.Random(DEEP.seed).sample(read, min(40, len(read)))
    model = from_package(base / "model.onnx", [torch.tensor([x]) for r in sampled for x in r.lines])
    _learn(model, "deep", DEEP, out, lambda rng: _choosing(model, read, rng, deep=True))
    apart(model)
    lines = sorted({ids for one in read for ids in one.lines})
    _learn(model, "taught", TAUGHT, out, lambda rng: _copying(model, lines, rng))
    _learn(model, "joint", JOINT, out, lambda rng: _choosing(model, read, rng, deep=False))
    model.eval()
    return model


Step = Callable[[], Tensor]


def _learn(
    model: FinderNetwork,
    name: str,
    plan: Plan,
    out: Path,
    steps_of: Callable[[random.Random], Sequence[Step]],
) -> None:
    """Learn in rounds, each kept when it is done; of what a run before has done the state is taken.

    `steps_of` gives the steps of a round, each of which computes its loss.
    """
    groups = _groups(model, plan)
    rates = [group["lr"] for group in groups]
    live = [weight for group in groups for weight in group["params"]]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    path, done = out / f"{name}.pt", 0
    if path.exists():
        state = torch.load(path, weights_only=True)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        done = state["rounds"]
    for turn in range(done, plan.rounds):
        torch.manual_seed(plan.seed + turn)
        steps = steps_of(random.Random(plan.seed + turn))
        model.train()
        mean = 0.0
        for at, step in enumerate(steps):
            share = (turn + at / len(steps)) / plan.rounds
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * max(0.02, min(share / WARM_UP, 1 - share))
            loss = step()
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(live, 1.0)
            optimiser.step()
            mean += (loss.item() - mean) / (at + 1)
        log.info("%s: round %d of %d, loss %.3f", name, turn + 1, plan.rounds, mean)
        partial = path.with_suffix(".partial")
        state = {"model": model.state_dict(), "optimiser": optimiser.state_dict()}
        torch.save(state | {"rounds": turn + 1}, partial)
        partial.replace(path)


def _groups(model: FinderNetwork, plan: Plan) -> list[dict[str, Any]]:
    """What learns, with its rate: what comes behind the layers ten times faster than they."""
    found: list[dict[str, Any]] = []
    if plan.deep:
        layers = [p for layer in model.asking.layers[plan.frozen :] for p in layer.parameters()]
        heads = [model.asking.out.weight, *model.weigh.parameters()]
        found.append({"params": layers, "lr": plan.deep})
        found.append({"params": heads, "lr": plan.heads})
        found.append({"params": [model.scale, model.none], "lr": SCALE_RATE, "weight_decay": 0.0})
    if plan.lines:
        found.append({"params": list(model.telling.parameters()), "lr": plan.lines})
    return found


def _choosing(
    model: FinderNetwork, read: Sequence[Read], rng: random.Random, *, deep: bool
) -> list[Step]:
    """Steps of some documents each: which of all their lines answers?"""
    order = list(read)
    rng.shuffle(order)
    ends = range(DOCUMENTS, len(order) + 1, DOCUMENTS)
    return [partial(_chosen, model, order[end - DOCUMENTS : end], rng, deep) for end in ends]


def _chosen(model: FinderNetwork, read: Sequence[Read], rng: random.Random, deep: bool) -> Tensor:
    lines: list[Pieces] = []
    asked: list[tuple[Asked, list[int]]] = []
    for one in read:
        before = len(lines)
        asked += [(each, [before + at for at in each.answers]) for each in _drawn(one.asked, rng)]
        lines += one.lines
    told = _vectors(lambda ids, mask: (model.lines(ids, mask, deep=deep),), lines)
    questions = _vectors(model.question, [each.ids for each, _ in asked])
    scale = torch.exp(model.scale)
    scores = scale * _late([(v, w) for v, w in questions], [v for (v,) in told])
    none = scale * model.none
    losses = []
    for row, (each, answers) in zip(scores, asked, strict=True):
        every = torch.cat([row, none.view(1)]) if each.is_question else row
        right = torch.logsumexp(row[answers], 0) if answers else none
        losses.append(torch.logsumexp(every, 0) - right)
    return torch.stack(losses).mean()


def _drawn(asked: Sequence[Asked], rng: random.Random) -> list[Asked]:
    """Some questions to a document, and claims for the rest."""
    questions = [one for one in asked if one.is_question]
    claims = [one for one in asked if not one.is_question]
    some = rng.sample(questions, min(QUESTIONS_EACH, len(questions)))
    return some + rng.sample(claims, min(MOST_EACH - len(some), len(claims)))


def _copying(model: FinderNetwork, lines: Sequence[Pieces], rng: random.Random) -> list[Step]:
    """Steps of lines of like length: how far from the deep vectors are those of few layers?"""
    batches = list(_batches(lines, COPIED_PIECES))
    rng.shuffle(batches)
    return [partial(_copied, model, [lines[i] for i in batch]) for batch in batches]


def _copied(model: FinderNetwork, lines: Sequence[Pieces]) -> Tensor:
    ids, mask = _padded(lines)
    with torch.autocast("cpu", torch.bfloat16, enabled=short_floats()):
        with torch.no_grad():
            model.eval()
            wanted = model.lines(ids, mask, deep=True)
            model.train()
        found = model.lines(ids, mask)
    return ((1 - (found * wanted).sum(-1)) * mask).sum() / mask.sum()


def _vectors(
    network: Callable[[Tensor, Tensor], tuple[Tensor, ...]], texts: Sequence[Pieces]
) -> list[tuple[Tensor, ...]]:
    """What a network gives for each text, without what stands for padding."""
    out: list[tuple[Tensor, ...]] = [()] * len(texts)
    for batch in _batches(texts, STEP_PIECES):
        with torch.autocast("cpu", torch.bfloat16, enabled=short_floats()):
            found = network(*_padded([texts[i] for i in batch]))
        for row, i in enumerate(batch):
            out[i] = tuple(one[row, : len(texts[i])] for one in found)
    return out


def _batches(texts: Sequence[Pieces], most: int) -> Iterator[list[int]]:
    """Indexes of texts of like length, so many together that they have `most` pieces at most."""
    batch: list[int] = []
    for i in sorted(range(len(texts)), key=lambda i: len(texts[i])):
        if batch and (len(batch) + 1) * len(texts[i]) > most:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def _padded(texts: Sequence[Pieces]) -> tuple[Tensor, Tensor]:
    width = max(map(len, texts))
    ids = torch.zeros(len(texts), width, dtype=torch.long)
    mask = torch.zeros(len(texts), width, dtype=torch.bool)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = torch.tensor(text)
        mask[row, : len(text)] = True
    return ids, mask


def _late(questions: Sequence[tuple[Tensor, ...]], lines: Sequence[Tensor]) -> Tensor:
    """The score of each question and line: (questions, lines)."""
    width = max(map(len, lines))
    padded = torch.stack([F.pad(one, (0, 0, 0, width - len(one))) for one in lines])
    beyond = torch.stack([(torch.arange(width) >= len(one)) * -1e4 for one in lines])
    rows = []
    for vectors, weights in questions:
        near = (vectors @ padded.flatten(0, 1).T).view(len(vectors), *beyond.shape) + beyond
        rows.append(torch.softmax(weights, 0) @ near.amax(-1))
    return torch.stack(rows)
