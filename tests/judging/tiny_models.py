"""Real ONNX models that are small enough to know what they will say.

Each word of the vocabulary has a weight for each label; the logits of a pair are the sums over its
tokens, padding aside. So a test decides by its words which label wins, and by how much.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
PAD_WEIGHT = 1_000.0
"""What a padding token would add to every label: seen at once if it is not masked."""

NLI_LABELS = ("ENTAILMENT", "Neutral", "contradiction")


def write_model(
    folder: Path,
    weights: Mapping[str, Sequence[float]],
    labels: Sequence[str] = NLI_LABELS,
    *,
    bias: Sequence[float] | None = None,
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    place: str = "model.onnx",
    int32: bool = False,
) -> Path:
    """A folder as Optimum exports it, with a model that adds up `weights` of words."""
    width = len(next(iter(weights.values())))
    vocabulary = [*SPECIAL, *weights]
    table = np.zeros((len(vocabulary), width), np.float32)
    table[0] = PAD_WEIGHT
    for row, word in enumerate(weights, len(SPECIAL)):
        table[row] = weights[word]
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    start = np.asarray(bias if bias is not None else [0.0] * width, np.float32)
    onnx.save(_graph(table, start, inputs, int32=int32), path)
    _tokenizer(vocabulary).save(str(folder / "tokenizer.json"))
    settings: dict[str, Any] = {"model_type": "bert", "pad_token_id": 0}
    settings["id2label"] = {str(i): label for i, label in enumerate(labels)}
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


def _graph(
    table: np.ndarray[Any, Any], bias: np.ndarray[Any, Any], inputs: Sequence[str], *, int32: bool
) -> onnx.ModelProto:
    kind = TensorProto.INT32 if int32 else TensorProto.INT64
    given = [helper.make_tensor_value_info(name, kind, ["batch", "length"]) for name in inputs]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["wide"]),
        helper.make_node("Mul", ["rows", "wide"], ["kept"]),
        helper.make_node("ReduceSum", ["kept", "one"], ["sum"], keepdims=0),
        helper.make_node("Add", ["sum", "bias"], ["logits"]),
    ]
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(bias, "bias"),
        numpy_helper.from_array(np.array([2], np.int64), "last"),
        numpy_helper.from_array(np.array([1], np.int64), "one"),
    ]
    wanted = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", table.shape[1]])
    graph = helper.make_graph(nodes, "tiny", given, [wanted], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def _tokenizer(vocabulary: Sequence[str]) -> Tokenizer:
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(vocabulary)}, "[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    # As saved tokenizers often are: padded and cut. We must undo both.
    tokenizer.enable_padding(length=64)
    tokenizer.enable_truncation(max_length=8)
    return tokenizer
