"""The trained network as one int8 ONNX file.

The graph is written by hand, of ONNX Runtime's fused operators: a third faster on one core than
what the exporter of PyTorch and the quantiser make of it. Weights are symmetric int8 with a scale
a column, kept to seven bits, so that processors without VNNI cannot saturate; activations are
quantised as they come.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from training.network import EPSILON, HEADS, Reader

_FUSED = "com.microsoft"
_MOST = 63  # seven bits
Floats = NDArray[np.float32]


class Graph:
    """Nodes and initializers as they are added; each call gives the name of what comes out."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.stored: list[Any] = []

    def keep(self, name: str, values: NDArray[Any]) -> str:
        self.stored.append(numpy_helper.from_array(np.array(values, order="C"), name))
        return name

    def node(self, op: str, inputs: list[str], out: str, *, fused: bool = False, **how: Any) -> str:
        domain = _FUSED if fused else ""
        self.nodes.append(helper.make_node(op, inputs, [out], domain=domain, **how))
        return out

    def linear(self, x: str, name: str, part: Any) -> str:
        """X @ weight + bias with int8 weights."""
        weight, bias = _floats(part.weight).T, _floats(part.bias)
        scale = np.maximum(np.abs(weight).max(axis=0) / _MOST, 1e-12).astype(np.float32)
        whole = np.clip(np.round(weight / scale), -_MOST, _MOST).astype(np.int8)
        inputs = [
            x,
            self.keep(f"{name}.weight", whole),
            self.keep(f"{name}.scale", scale),
            self.keep(f"{name}.zero", np.zeros(len(scale), np.int8)),
            self.keep(f"{name}.bias", bias),
        ]
        return self.node("DynamicQuantizeMatMul", inputs, name, fused=True)

    def exact(self, x: str, name: str, part: Any) -> str:
        """X @ weight + bias as floats: the heads are small, and what they say decides."""
        weight = self.keep(f"{name}.weight", _floats(part.weight).T)
        product = self.node("MatMul", [x, weight], f"{name}.product")
        return self.node("Add", [product, self.keep(f"{name}.bias", _floats(part.bias))], name)

    def rows(self, ids: str, name: str, part: Any) -> str:
        """Rows of an embedding, stored as int8 with a scale a row."""
        table = _floats(part.weight)
        scale = np.maximum(np.abs(table).max(axis=1, keepdims=True) / 127, 1e-12)
        whole = np.clip(np.round(table / scale), -127, 127).astype(np.int8)
        row = self.node("Gather", [self.keep(f"{name}.table", whole), ids], f"{name}.row")
        real = self.node("Cast", [row], f"{name}.real", to=TensorProto.FLOAT)
        scales = self.keep(f"{name}.scale", scale.astype(np.float32))
        return self.node("Mul", [real, self.node("Gather", [scales, ids], f"{name}.by")], name)

    def norm(self, x: str, other: str, name: str, part: Any) -> str:
        """The sum of two, normalised: in two nodes, a fourth of the time of the fused one."""
        gain = self.keep(f"{name}.gain", _floats(part.weight))
        shift = self.keep(f"{name}.shift", _floats(part.bias))
        total = self.node("Add", [x, other], f"{name}.sum")
        return self.node("LayerNormalization", [total, gain, shift], name, epsilon=EPSILON)


def _floats(parameter: Any) -> Floats:
    return np.asarray(parameter.detach().numpy(), np.float32)


def graph_of(model: Reader) -> onnx.ModelProto:
    """The network as ONNX: `ids` and `kinds` in, int32 (pairs, pieces); logits out.

    There is no mask: pairs of one run have the same length, none is padded.
    """
    g = Graph()
    words = g.rows("ids", "words", model.words)
    beside = g.node(
        "Add",
        [g.rows("kinds", "kind", model.kinds), added_places(g, model.places)],
        "beside",
    )
    x = g.norm(words, beside, "embedded", model.norm)
    for i, layer in enumerate(model.layers):
        x = add_layer(g, x, f"layer{i}", layer)
    zero = g.keep("zero", np.array(0, np.int64))
    first = g.node("Gather", [x, zero], "first", axis=1)
    pooled = g.node("Tanh", [g.exact(first, "pooler", model.pooler)], "pooled")
    mean = g.node("ReduceMean", [x], "mean", axes=[1], keepdims=0)
    both = g.node("Concat", [pooled, mean], "both", axis=-1)
    g.exact(both, "verdict", model.verdict)
    flat = g.exact(pooled, "ranked", model.relevance)
    column = g.keep("column", np.array([-1], np.int64))
    g.node("Squeeze", [flat, column], "relevance")
    g.node("Squeeze", [g.exact(x, "decides", model.deciding), column], "deciding")
    shape = ["pairs", "pieces"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT32, shape) for name in ("ids", "kinds")
    ]
    outputs = [
        helper.make_tensor_value_info("verdict", TensorProto.FLOAT, ["pairs", 3]),
        helper.make_tensor_value_info("relevance", TensorProto.FLOAT, ["pairs"]),
        helper.make_tensor_value_info("deciding", TensorProto.FLOAT, shape),
    ]
    return finished(g, "reader", inputs, outputs)


def added_places(g: Graph, part: Any) -> str:
    """The rows of a table of places for each piece of `ids`."""
    zero, one = (g.keep(n, np.array(v, np.int64)) for n, v in (("from", 0), ("ahead", 1)))
    begin, end = (g.keep(n, np.array([v], np.int64)) for n, v in (("first.axis", 1), ("behind", 2)))
    shape = g.node("Shape", ["ids"], "shape")
    wide = g.node("Slice", [shape, begin, end], "wide")
    places = g.node("Range", [zero, g.node("Squeeze", [wide], "width"), one], "places")
    return g.rows(places, "place", part)


def finished(g: Graph, name: str, inputs: list[Any], outputs: list[Any]) -> onnx.ModelProto:
    """The graph as a model."""
    graph = helper.make_graph(g.nodes, name, inputs, outputs, g.stored)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_FUSED, 1)]
    made = helper.make_model(graph, opset_imports=opsets, producer_name="veridical training")
    made.ir_version = 9
    return made


def add_layer(g: Graph, x: str, name: str, layer: Any) -> str:
    """One transformer layer over `x`."""
    q, k, v = (
        g.linear(x, f"{name}.{part}", getattr(layer, part)) for part in ("query", "key", "value")
    )
    mixed = g.node("MultiHeadAttention", [q, k, v], f"{name}.mixed", fused=True, num_heads=HEADS)
    x = g.norm(
        g.linear(mixed, f"{name}.output", layer.output), x, f"{name}.first", layer.first_norm
    )
    inner = g.linear(x, f"{name}.inner", layer.inner)
    inner = g.node("FastGelu", [inner], f"{name}.gelu", fused=True)
    outer = g.linear(inner, f"{name}.outer", layer.outer)
    return g.norm(outer, x, f"{name}.second", layer.second_norm)


def export(model: Reader, path: Path) -> None:
    """Write the int8 file; deterministic for equal weights."""
    path.write_bytes(graph_of(model.eval()).SerializeToString(deterministic=True))
