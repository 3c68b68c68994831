"""Classifiers of text pairs as ONNX files: passage and claim in, logits out, on this machine."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.errors import ConfigurationError, ProcessingError, require_package
from veridical.networks.session import onnx_session, run, safe

MAX_TOKENS = 512
"""Tokens of one pair: what models of this kind are trained on."""

_BATCH_TOKENS = 8_192
_LEAST_PASSAGE_TOKENS = 32
"""What a claim must leave for the passage, or the pair is not judged."""

_MAX_CONFIG_BYTES = 1024 * 1024
_MAX_TOKENIZER_BYTES = 128 * 1024 * 1024
_DECIMALS = 4
"""Logits are rounded to these: beyond them they depend on what else is in the batch."""

_MODEL_FILES = ("model.onnx", "onnx/model.onnx")
_OTHER_WEIGHTS = ("model.safetensors", "pytorch_model.bin", "tf_model.h5", "flax_model.msgpack")
_KNOWN_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_OFFSET_POSITIONS = frozenset({"roberta", "xlm-roberta", "camembert", "mpnet"})
"""Kinds of model whose positions start at 2."""


@dataclass(frozen=True, slots=True)
class PassageWindow:
    """Consecutive sentences of a passage, `start` to `end`, that fit a model with the claim."""

    start: int
    end: int
    text: str


class PairClassifier:
    """A folder with `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and `config.json`, as
    exported by Optimum. It is read from this machine only, and runs in one thread unless told
    otherwise, so that it gives the same logits every time.
    """

    def __init__(self, folder: str | Path, *, threads: int = 1) -> None:
        """Raises ConfigurationError for a folder that lacks a file or holds one that cannot be
        used.
        """
        self._folder = Path(folder)
        model_file = _model_file(self._folder)
        config = _json_file(self._folder / "config.json", _MAX_CONFIG_BYTES)
        self.name = self._folder.resolve().name
        self.labels = _labels(config, self._folder)
        self._session = _session(model_file, threads)
        self._tokenizer = _tokenizer(self._folder / "tokenizer.json")
        self._inputs = self._checked_inputs(model_file)
        self._most = _most_tokens(config)
        pad = config.get("pad_token_id")
        self._pad = pad if isinstance(pad, int) and pad >= 0 else 0

    def _checked_inputs(self, model_file: Path) -> dict[str, str]:
        inputs = {entry.name: entry.type for entry in self._session.get_inputs()}
        unknown = sorted(inputs.keys() - _KNOWN_INPUTS)
        if unknown or "input_ids" not in inputs:
            listed = ", ".join(unknown) or "no input_ids"
            raise ConfigurationError(
                f"{model_file} is no text classifier that we can feed: it wants {listed}. "
                "Export it for the task text-classification."
            )
        return inputs

    def windows(self, sentences: Sequence[str], claim: str) -> tuple[PassageWindow, ...] | None:
        """The passage in windows that fit beside the claim, each starting half way through the one
        before; a sentence that does not fit by itself is cut at words.

        None where the claim leaves too little room: a claim is never cut, for what is left of it
        may be supported when the whole is not.
        """
        room = self._most - self._length("", claim)
        if room < _LEAST_PASSAGE_TOKENS:
            return None
        sizes = [self._length(sentence, None) for sentence in sentences]
        return tuple(_windows(sentences, sizes, room))

    def _length(self, text: str, pair: str | None) -> int:
        return len(self._tokenizer.encode(safe(text), None if pair is None else safe(pair)).ids)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Logits of shape (pairs, labels), for pairs of passage and claim.

        Raises ProcessingError where the model fails or gives what is no number.
        """
        encoded = self._tokenizer.encode_batch([(safe(a), safe(b)) for a, b in pairs])
        result = np.zeros((len(pairs), len(self.labels)), np.float64)
        for batch in _batches([min(len(entry.ids), self._most) for entry in encoded]):
            result[batch] = self._run([encoded[i] for i in batch])
        return np.round(result, _DECIMALS)

    def _run(self, batch: Sequence[Any]) -> NDArray[np.float64]:
        shape = (len(batch), min(self._most, max(len(entry.ids) for entry in batch)))
        arrays = {
            "input_ids": np.full(shape, self._pad, np.int64),
            "attention_mask": np.zeros(shape, np.int64),
            "token_type_ids": np.zeros(shape, np.int64),
        }
        for row, entry in enumerate(batch):
            kept = _kept(entry.sequence_ids, self._most)
            arrays["input_ids"][row, : len(kept)] = [entry.ids[i] for i in kept]
            arrays["attention_mask"][row, : len(kept)] = 1
            arrays["token_type_ids"][row, : len(kept)] = [entry.type_ids[i] for i in kept]
        feed = {
            name: arrays[name].astype(np.int32 if "int32" in kind else np.int64)
            for name, kind in self._inputs.items()
        }
        return self._checked(self._session_run(feed), len(batch))

    def _session_run(self, feed: Mapping[str, Any]) -> NDArray[np.float64]:
        names = [entry.name for entry in self._session.get_outputs()]
        wanted = "logits" if "logits" in names else names[0]
        try:
            (found,) = run(self._session, [wanted], feed)
        except Exception as problem:  # onnxruntime's errors share no class of their own
            raise ProcessingError(
                f"the model in {self._folder} failed on a batch: {type(problem).__name__}. "
                "Check that it was exported with a dynamic batch and sequence length."
            ) from problem
        return np.asarray(found, np.float64)

    def _checked(self, logits: NDArray[np.float64], rows: int) -> NDArray[np.float64]:
        if logits.ndim == 1:
            logits = logits.reshape(rows, -1) if logits.size % rows == 0 else logits
        if logits.shape != (rows, len(self.labels)):
            raise ProcessingError(
                f"the model in {self._folder} gives an array of shape {logits.shape}, not one row "
                f"of {len(self.labels)} for each pair; its config.json does not belong to it"
            )
        if not np.isfinite(logits).all():
            raise ProcessingError(f"the model in {self._folder} gives what is not a finite number")
        return logits


def _model_file(folder: Path) -> Path:
    if not folder.is_dir():
        raise ConfigurationError(f"{folder} is no folder; give one that holds an ONNX model")
    for name in _MODEL_FILES:
        if (folder / name).is_file():
            return folder / name
    if any((folder / name).is_file() for name in _OTHER_WEIGHTS):
        raise ConfigurationError(
            f"{folder} holds the model's weights, but not as ONNX. Export it with: "
            "optimum-cli export onnx --model FOLDER --task text-classification OUTPUT_FOLDER "
            "(pip install 'optimum[onnxruntime]'), and give the output folder"
        )
    raise ConfigurationError(f"{folder} holds neither {' nor '.join(_MODEL_FILES)}")


def _json_file(path: Path, most: int) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
        value = json.loads(data) if len(data) <= most else None
    except OSError as problem:
        raise ConfigurationError(f"cannot read {path}: {problem.strerror}") from problem
    except (ValueError, RecursionError) as problem:
        raise ConfigurationError(f"{path} is not valid JSON: {problem}") from problem
    if not isinstance(value, dict):
        raise ConfigurationError(f"{path} holds no JSON object of a usable size")
    return value


def _labels(config: Mapping[str, Any], folder: Path) -> tuple[str, ...]:
    """The model's labels in the order of its logits."""
    named = config.get("id2label")
    if named is None:
        return ("LABEL_0", "LABEL_1")  # what Transformers takes for granted
    numbers = [str(number) for number in range(len(named))] if isinstance(named, dict) else []
    if not numbers or sorted(named) != sorted(numbers):
        raise ConfigurationError(
            f"{folder / 'config.json'}: id2label must name the labels 0, 1, ... in turn"
        )
    return tuple(str(named[number]) for number in numbers)


def _most_tokens(config: Mapping[str, Any]) -> int:
    positions = config.get("max_position_embeddings")
    if not isinstance(positions, int) or positions <= 0:
        return MAX_TOKENS
    return min(MAX_TOKENS, positions - 2 * (config.get("model_type") in _OFFSET_POSITIONS))


def _session(path: Path, threads: int) -> Any:
    try:
        return onnx_session(str(path), threads)
    except ConfigurationError:  # it is not the model's fault
        raise
    except Exception as problem:  # onnxruntime's errors share no class of their own
        raise ConfigurationError(
            f"{path} cannot be loaded as an ONNX model: {type(problem).__name__}"
        ) from problem


def _tokenizer(path: Path) -> Any:
    require_package("tokenizers", "A model of your own", "nli")
    from tokenizers import Tokenizer

    if not path.is_file() or path.stat().st_size > _MAX_TOKENIZER_BYTES:
        raise ConfigurationError(
            f"{path} is missing or too large; it comes with a fast tokenizer's save_pretrained()"
        )
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as problem:  # the library raises bare Exception
        raise ConfigurationError(f"{path} is no tokenizer that can be read: {problem}") from problem
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _kept(sequence_ids: Sequence[int | None], most: int) -> list[int]:
    """Which tokens of a pair to keep: where they are too many, the passage loses its last ones."""
    excess = len(sequence_ids) - most
    of_passage = [i for i, sequence in enumerate(sequence_ids) if sequence == 0]
    dropped = set(of_passage[max(0, len(of_passage) - excess) :]) if excess > 0 else set()
    return [i for i in range(len(sequence_ids)) if i not in dropped][:most]


def _windows(sentences: Sequence[str], sizes: Sequence[int], room: int) -> Iterator[PassageWindow]:
    start = 0
    while start < len(sentences):
        end, used = start, 0
        while end < len(sentences) and used + sizes[end] <= room:
            used += sizes[end]
            end += 1
        if end == start:
            yield from _pieces(sentences[start], start, math.ceil(sizes[start] / room))
            start += 1
            continue
        yield PassageWindow(start, end, " ".join(sentences[start:end]))
        if end == len(sentences):
            return
        start += max(1, (end - start) // 2)


def _pieces(sentence: str, at: int, count: int) -> Iterator[PassageWindow]:
    """A sentence in `count` parts of about one size, and as many again across their borders."""
    words, glue = sentence.split(), " "
    if len(words) < 2 * count:
        words, glue = list(sentence), ""
    step = max(1, math.ceil(len(words) / (2 * (count + 1))))
    for start in range(0, max(1, len(words) - step), step):
        yield PassageWindow(at, at + 1, glue.join(words[start : start + 2 * step]))


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes in batches of like lengths, bounded in tokens."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: (lengths[i], i)):
        if batch and lengths[index] * (len(batch) + 1) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
