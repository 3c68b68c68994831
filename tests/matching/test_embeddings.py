"""The embedded model is WordLlama's, token for token."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from tokenizers import Tokenizer

from veridical.matching.embeddings import StaticEmbedder


def test_tokens_are_those_of_the_reference_tokenizer() -> None:
    folder = Path(str(files("veridical.matching"))) / "weights"
    reference = Tokenizer.from_file(str(folder / "tokenizer.json"))
    embedder = StaticEmbedder()
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
