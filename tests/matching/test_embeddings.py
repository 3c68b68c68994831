"""The embedded model is WordLlama's, token for token."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, normalizers

from veridical.errors import ConfigurationError
from veridical.matching.embeddings import WEIGHTS, StaticEmbedder, _load

MERGES = "59e4e8c4dee8e40d986b9ab8ff2b4a010aaaca001febe12559f68d6a5bb47da5"
"""SHA-256 of the pairs, as JSON, that WordLlama's `tokenizer.json` lists."""


def reference_tokenizer(number: dict[str, int]) -> Tokenizer:
    """Hugging Face's tokenizer with WordLlama's vocabulary and the pairs of its file."""
    pairs = [
        (token[:at], token[at:])
        for token in sorted(number, key=lambda token: (not token.strip("\u2581"), number[token]))
        for at in sorted(range(1, len(token)), key=lambda at: number.get(token[:at], -1))
        if token[:at] in number and token[at:] in number
    ]
    assert hashlib.sha256(json.dumps(pairs).encode()).hexdigest() == MERGES
    unknown = "<unk>"
    tokenizer = Tokenizer(
        models.BPE(number, pairs, unk_token=unknown, fuse_unk=True, byte_fallback=True)
    )
    blanks = [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
    tokenizer.normalizer = normalizers.Sequence(blanks)
    tokenizer.add_special_tokens([unknown, "<s>", "</s>"])
    return tokenizer


def test_tokens_are_those_of_the_reference_tokenizer() -> None:
    embedder = StaticEmbedder()
    reference = reference_tokenizer(dict(embedder._tokenizer._vocabulary))
    assert embedder._table.shape == (32_000, 256)
    words = "the Paid naïve e\u0301clair 25 € 休暇 отпуск ไทย antidisestablishmentarianism".split()
    words += [chr(code) for code in range(0x21, 0x20000) if not 0xD800 <= code < 0xE000]
    words += [token[1:] for token in reference.get_vocab() if token[:1] == "\u2581" and token[1:]]
    found = map(embedder._tokenizer.encode, words)
    for word, ids in zip(words, found, strict=True):
        assert ids == reference.encode(word, add_special_tokens=False).ids, ascii(word)


def test_a_word_of_a_megabyte_is_read_in_parts() -> None:
    embedder = StaticEmbedder()
    tokenizer = embedder._tokenizer
    written = {number: token for token, number in tokenizer._vocabulary.items()}
    word = "xylophone" * 120_000
    assert "".join(written[one] for one in tokenizer.encode(word)) == f"\u2581{word}"


@pytest.mark.parametrize("kept", [None, 0, 500])
@pytest.mark.parametrize("name", ["vocabulary.json", "vectors.npy"])
def test_weights_that_are_damaged_or_missing_are_an_error_that_says_so(
    tmp_path: Path, name: str, kept: int | None
) -> None:
    for path in WEIGHTS.iterdir():
        shutil.copy(path, tmp_path)
    (tmp_path / name).unlink()
    if kept is not None:
        (tmp_path / name).write_bytes((WEIGHTS / name).read_bytes()[:kept])
    with pytest.raises(ConfigurationError, match=rf"{name} (is damaged|cannot be read \(No such)"):
        _load(tmp_path)
