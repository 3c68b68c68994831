"""Fine-tuning: batches alike in length, AdamW, a checkpoint every few minutes to go on from."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from training.examples import NOT_SUPPORTED, SUPPORTED, Example
from training.network import Reader

log = logging.getLogger(__name__)
CHECKPOINT_SECONDS = 180
_HEADS = ("verdict", "relevance", "deciding")
SORTED_OVER = 25  # batches are alike in length within so many


@dataclass(frozen=True, slots=True)
class Plan:
    """How one stage learns.

    `pieces` is the size of a batch in word pieces; `rate` the highest learning rate, reached after
    `warm_up` of the steps and, with `decay`, brought down to a fiftieth at the end.
    """

    rate: float
    pieces: int = 2560
    warm_up: float = 0.06
    decay: bool = True
    frozen: int = 5
    head_factor: float = 3.0
    question_weight: float = 0.5
    deciding_weight: float = 0.3
    seed: int = 0


def batches(examples: Sequence[Example], plan: Plan) -> list[list[Example]]:
    """Examples in batches of like length and one kind each, in a seeded order."""
    rng = random.Random(plan.seed)
    out: list[list[Example]] = []
    for question in (False, True):
        rows = [e for e in examples if e.question == question]
        rng.shuffle(rows)
        reach = max(1, SORTED_OVER * plan.pieces // 80)
        for start in range(0, len(rows), reach):
            batch: list[Example] = []
            for row in sorted(rows[start : start + reach], key=lambda e: len(e.ids)):
                if batch and len(row.ids) * (len(batch) + 1) > plan.pieces:
                    out.append(batch)
                    batch = []
                batch.append(row)
            out.append(batch)
    rng.shuffle(out)
    return out


def tensors(batch: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, mask and kinds of a batch, padded to its longest row: (rows, pieces) each."""
    width = max(len(e.ids) for e in batch)
    ids = torch.zeros(len(batch), width, dtype=torch.long)
    mask, kinds = torch.zeros_like(ids), torch.zeros_like(ids)
    for row, example in enumerate(batch):
        n = len(example.ids)
        ids[row, :n] = torch.tensor(example.ids)
        mask[row, :n] = 1
        kinds[row, example.second : n] = 1
    return ids, mask, kinds


def loss(verdict: Tensor, relevance: Tensor, batch: Sequence[Example], plan: Plan) -> Tensor:
    """Half the loss of three classes, half that of supported against the rest."""
    target = torch.tensor([e.target for e in batch])
    if batch[0].question:
        return plan.question_weight * F.binary_cross_entropy_with_logits(relevance, target.float())
    p = torch.log_softmax(verdict, -1)
    exact = -p.gather(1, target.clamp(max=2).unsqueeze(1)).squeeze(1)
    other = torch.logsumexp(p[:, [0, 2]], -1)
    coarse = -torch.where(target == SUPPORTED, p[:, SUPPORTED], other)
    return torch.where(target == NOT_SUPPORTED, coarse, 0.5 * (exact + coarse)).mean()


def deciding_loss(deciding: Tensor, batch: Sequence[Example]) -> Tensor:
    """Of each piece of a line that is shown: whether its line decides."""
    target, weight = torch.zeros_like(deciding), torch.zeros_like(deciding)
    for row, example in enumerate(batch):
        for (start, end), decides in zip(example.lines, example.decides, strict=True):
            target[row, start:end] = float(decides)
            weight[row, start:end] = 1.0
    each = F.binary_cross_entropy_with_logits(deciding, target, weight, reduction="sum")
    return each / weight.sum().clamp(min=1.0)


@dataclass(frozen=True, slots=True)
class _Learner:
    """A network with what changes its weights; `live` are those that learn."""

    model: Reader
    live: list[nn.Parameter]
    optimiser: torch.optim.Optimizer
    schedule: torch.optim.lr_scheduler.LRScheduler

    def learn(self, value: Tensor) -> None:
        """One step against a loss."""
        self.optimiser.zero_grad()
        value.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.live, 1.0)
        self.optimiser.step()
        self.schedule.step()

    def go_on_from(self, checkpoint: Path) -> int:
        """Take up what a run before has left; how many steps it had done."""
        state = torch.load(checkpoint, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.schedule.load_state_dict(state["schedule"])
        return int(state["step"])

    def save(self, step: int, path: Path) -> None:
        """Write a checkpoint whole or not at all."""
        state = {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "schedule": self.schedule.state_dict(),
            "step": step,
        }
        partial = path.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(path)


def _learner(model: Reader, plan: Plan, steps: int) -> _Learner:
    """The heads learn faster than the body, and all of it by the plan's schedule."""
    model.freeze(plan.frozen)
    live = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    heads = [p for n, p in live if n.startswith(_HEADS)]
    body = [p for n, p in live if not n.startswith(_HEADS)]
    groups: list[dict[str, Any]] = [
        {"params": body},
        {"params": heads, "lr": plan.rate * plan.head_factor},
    ]
    optimiser = torch.optim.AdamW(groups, lr=plan.rate, weight_decay=0.01)

    def factor(step: int) -> float:
        rising = (step + 1) / max(1.0, plan.warm_up * steps)
        falling = (steps - step) / steps if plan.decay else 1.0
        return min(rising, max(0.02, falling))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, factor)
    return _Learner(model, [p for _, p in live], optimiser, schedule)


def fit(model: Reader, examples: Sequence[Example], plan: Plan, checkpoint: Path) -> Reader:
    """Train on `examples` once, going on from `checkpoint` if it was left by a run before."""
    torch.manual_seed(plan.seed)
    todo = batches(examples, plan)
    learner = _learner(model, plan, len(todo))
    begin = 0
    if checkpoint.exists():
        begin = learner.go_on_from(checkpoint)
        torch.manual_seed(plan.seed + begin)
    model.train()
    short = short_floats()
    started = saved = time.monotonic()
    mean = {False: 1.0, True: 0.3}
    for step in range(begin, len(todo)):
        batch = todo[step]
        with torch.autocast("cpu", torch.bfloat16, enabled=short):
            verdict, relevance, deciding = model(*tensors(batch))
        value = loss(verdict.float(), relevance.float(), batch, plan)
        value = value + plan.deciding_weight * deciding_loss(deciding.float(), batch)
        learner.learn(value)
        kind = batch[0].question
        mean[kind] = 0.98 * mean[kind] + 0.02 * value.item()
        now = time.monotonic()
        if step % 25 == 0:
            log.info(
                "step %d of %d, loss %.3f (questions %.3f), %.0f s",
                step, len(todo), mean[False], mean[True], now - started,
            )  # fmt: skip
        if now - saved > CHECKPOINT_SECONDS or step == len(todo) - 1:
            saved = now
            learner.save(step + 1, checkpoint)
    return model


def short_floats() -> bool:
    """Whether the processor multiplies bfloat16: twice as fast there, 23 times slower elsewhere."""
    return bool(torch.cpu._is_avx512_bf16_supported())
