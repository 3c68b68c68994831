"""The encoder that has the last word on text that may speak to a language model: fit and export.

It starts from the four layers by which the shipped finder reads lines, with the word pieces alone
that the examples have most; other words are read in smaller pieces.
"""

from __future__ import annotations

import hashlib
import json
import logging
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from training.export import Graph, add_layer, added_places, finished
from training.finder import LINE_LAYERS
from training.fit import short_floats
from training.network import EPSILON, HIDDEN, Layer, put
from veridical.networks.addressed import MOST_PIECES
from veridical.networks.pieces import WordPieces
from veridical.text.addressed import plain

log = logging.getLogger(__name__)

_READER = Path("src/veridical/reader/weights")
_PIECES = 9_000
_PLACES = MOST_PIECES + 2
_LATIN = 0x180
"""Characters below this one are pieces, often or not."""

_EPOCHS, _RATE, _HEAD_FACTOR, _WARM_UP = 3, 2e-4, 5, 0.06
_BATCH, _SORTED_OVER, _SEED = 3_000, 2_000, 0


class Row(NamedTuple):
    """A text, whether it speaks to a model, and what it counts."""

    text: str
    speaks: bool
    weight: float


class Network(nn.Module):
    """Pieces to one logit, from the first piece beside the mean of all."""

    def __init__(self, pieces: int) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(pieces, HIDDEN), nn.Embedding(_PLACES, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LINE_LAYERS))
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(2 * HIDDEN, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """`ids` and `mask` (rows, pieces); gives (rows,)."""
        x = self.dropout(self.norm(self.words(ids) + self.places.weight[: ids.shape[1]]))
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        weights = mask.unsqueeze(-1).to(x.dtype)
        mean = (x * weights).sum(1) / weights.sum(1)
        out: Tensor = self.head(self.dropout(torch.cat([x[:, 0], mean], -1)))
        return out.squeeze(-1)


def chosen_pieces(texts: Sequence[str]) -> list[int]:
    """The places, in the reader's vocabulary, of the pieces that texts have most."""
    words = [w for w in (_READER / "vocab.txt").read_text("utf-8").split("\n") if w]
    often: Counter[int] = Counter()
    tokenizer = WordPieces({word: at for at, word in enumerate(words)})
    for text in texts:
        often.update(tokenizer.encode(plain(text)))
    kept = {
        at
        for at, word in enumerate(words)
        if word in ("[UNK]", "[CLS]", "[SEP]")
        or (len(word.removeprefix("##")) == 1 and ord(word[-1]) < _LATIN)
    }
    for at, _ in often.most_common():
        if len(kept) < _PIECES:
            kept.add(at)
    return sorted(kept)


def begun(kept: Sequence[int]) -> Network:
    """The network with the tables and the layers of the shipped finder."""
    graph = onnx.load(str(_READER / "finder.onnx")).graph
    branches = [a.g for node in graph.node for a in node.attribute if a.g.node]
    stored = {i.name: numpy_helper.to_array(i) for g in (graph, *branches) for i in g.initializer}
    model = Network(len(kept))
    put(model.words.weight, (stored["words.table"] * stored["words.scale"])[kept])
    put(model.places.weight, (stored["place.table"] * stored["place.scale"])[:_PLACES])
    model.words.requires_grad_(False)
    model.places.requires_grad_(False)
    norms = [(model.norm, "embedded")]
    for at, layer in enumerate(model.layers):
        for part in ("query", "key", "value", "output", "inner", "outer"):
            name, linear = f"line{at}.{part}", getattr(layer, part)
            put(linear.weight, (stored[f"{name}.weight"] * stored[f"{name}.scale"]).T)
            put(linear.bias, stored[f"{name}.bias"])
        norms += [
            (getattr(layer, f"{half}_norm"), f"line{at}.{half}") for half in ("first", "second")
        ]
    for norm, name in norms:
        put(norm.weight, stored[f"{name}.gain"])
        put(norm.bias, stored[f"{name}.shift"])
    return model


def fitted(rows: Sequence[Row], kept: Sequence[int], words: Sequence[str]) -> Network:
    """The network after the rows, seen in batches of like length."""
    torch.manual_seed(_SEED)
    model, rng = begun(kept), random.Random(_SEED)
    tokenizer = WordPieces({word: at for at, word in enumerate(words)})
    first, last = words.index("[CLS]"), words.index("[SEP]")
    read = [[first, *tokenizer.encode(plain(row.text))[:MOST_PIECES], last] for row in rows]
    todo = [batch for _ in range(_EPOCHS) for batch in _batches(read, rng)]
    head = [model.head.weight, model.head.bias]
    body = [p for n, p in model.named_parameters() if p.requires_grad and not n.startswith("head")]
    groups: list[dict[str, Any]] = [{"params": body}, {"params": head, "lr": _RATE * _HEAD_FACTOR}]
    optimiser = torch.optim.AdamW(groups, lr=_RATE, weight_decay=0.01)

    def factor(step: int) -> float:
        rising = (step + 1) / (_WARM_UP * len(todo))
        return min(rising, max(0.02, (len(todo) - step) / len(todo)))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, factor)
    model.train()
    for step, batch in enumerate(todo):
        with torch.autocast("cpu", torch.bfloat16, enabled=short_floats()):
            found = model(*_tensors([read[at] for at in batch]))
        target = torch.tensor([float(rows[at].speaks) for at in batch])
        weight = torch.tensor([rows[at].weight for at in batch])
        loss = F.binary_cross_entropy_with_logits(found.float(), target, weight)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_([*body, *head], 1.0)
        optimiser.step()
        schedule.step()
        if step % 25 == 0:
            log.info("step %d of %d, loss %.3f", step, len(todo), loss.item())
    model.eval()
    return model


def _batches(read: Sequence[Sequence[int]], rng: random.Random) -> list[list[int]]:
    order = rng.sample(range(len(read)), len(read))
    out: list[list[int]] = []
    for start in range(0, len(order), _SORTED_OVER):
        batch: list[int] = []
        for at in sorted(order[start : start + _SORTED_OVER], key=lambda at: len(read[at])):
            if batch and len(read[at]) * (len(batch) + 1) > _BATCH:
                out.append(batch)
                batch = []
            batch.append(at)
        out.append(batch)
    rng.shuffle(out)
    return out


def _tensors(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    width = max(map(len, rows))
    ids, mask = torch.zeros(len(rows), width, dtype=torch.long), torch.zeros(len(rows), width)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = torch.tensor(row)
        mask[at, : len(row)] = 1
    return ids, mask.bool()


def export(model: Network, words: Sequence[str], threshold: float, path: Path) -> None:
    """Write the int8 file, and its card beside it; deterministic for equal weights."""
    g = Graph()
    embedded = g.rows("ids", "words", model.words)
    x = g.norm(embedded, added_places(g, model.places), "embedded", model.norm)
    for at, layer in enumerate(model.layers):
        x = add_layer(g, x, f"layer{at}", layer)
    zero = g.keep("zero", np.array(0, np.int64))
    begin = g.node("Gather", [x, zero], "begin", axis=1)
    mean = g.node("ReduceMean", [x], "mean", axes=[1], keepdims=0)
    both = g.node("Concat", [begin, mean], "both", axis=-1)
    column = g.keep("column", np.array([-1], np.int64))
    g.node("Squeeze", [g.exact(both, "head", model.head), column], "speaks")
    ids = helper.make_tensor_value_info("ids", TensorProto.INT32, ["texts", "pieces"])
    out = helper.make_tensor_value_info("speaks", TensorProto.FLOAT, ["texts"])
    written = finished(g, "addressed", [ids], [out]).SerializeToString(deterministic=True)
    path.write_bytes(written)
    card = {
        "sha256": hashlib.sha256(written).hexdigest(),
        "threshold": threshold,
        "pieces": list(words),
    }
    path.with_suffix(".json").write_text(json.dumps(card, ensure_ascii=False) + "\n", "utf-8")


def vocabulary(kept: Sequence[int]) -> list[str]:
    """The pieces at these places of the reader's vocabulary."""
    words = (_READER / "vocab.txt").read_text("utf-8").split("\n")
    return [words[at] for at in kept]
