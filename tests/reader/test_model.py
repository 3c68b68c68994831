"""The reader's files, its tokenizer, and that a reading hangs on the pair alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer

from veridical.errors import ConfigurationError
from veridical.networks.session import cores, run
from veridical.reader.model import Reader, default_reader

WEIGHTS = Path(str(files("veridical.reader"))) / "weights"
REINSTALL = "pip install --force-reinstall veridical"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("card.json", "vocab.txt"):
        shutil.copy(WEIGHTS / name, tmp_path)
    (tmp_path / "reader.onnx").symlink_to(WEIGHTS / "reader.onnx")
    return tmp_path


def _gone(path: Path) -> None:
    path.unlink()


def _flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    path.unlink()  # a link to the file that is shipped
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _emptied(path: Path) -> None:
    path.unlink()
    path.write_bytes(b"")


@pytest.mark.parametrize("name", ["reader.onnx", "vocab.txt", "card.json"])
@pytest.mark.parametrize("harm", [_gone, _emptied])
def test_a_missing_or_empty_file_is_named_with_what_to_do(
    folder: Path, name: str, harm: Callable[[Path], None]
) -> None:
    harm(folder / name)
    with pytest.raises(ConfigurationError, match=name) as caught:
        Reader(folder).encode(["a"])
    assert REINSTALL in str(caught.value)


@pytest.mark.parametrize("name", ["reader.onnx", "vocab.txt"])
def test_one_bit_that_is_not_as_released_is_noticed(folder: Path, name: str) -> None:
    _flipped(folder / name)
    with pytest.raises(ConfigurationError, match=f"{name} is damaged") as caught:
        Reader(folder).encode(["a"])
    assert REINSTALL in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda card: [card],
        lambda card: {key: card[key] for key in card if key != "strict"},
        lambda card: card | {"more": 1},
        lambda card: {key: card[key] for key in card if key != "answer_nearness"},
        lambda card: card | {"slope": None},
        lambda card: card | {"answer_intercept": "-5"},
        lambda card: card | {"slope": float("nan")},
        lambda card: card | {"strict": "0.9"},
        lambda card: card | {"partial": 0.0},
    ],
)
def test_a_card_that_cannot_be_read_is_named(
    folder: Path, change: Callable[[dict[str, object]], object]
) -> None:
    card = json.loads((WEIGHTS / "card.json").read_text())
    (folder / "card.json").write_text(json.dumps(change(card)))
    with pytest.raises(ConfigurationError, match=r"card\.json is damaged") as caught:
        Reader(folder)
    assert REINSTALL in str(caught.value)


READS_ONCE = "from veridical.reader.model import default_reader as r; r().read([((7,), (8, 9))])"


def test_reading_leaves_nothing_in_the_home_of_its_user(tmp_path: Path) -> None:
    """ONNX Runtime would keep an identifier there, and send it home with what is loaded."""
    known = {k: v for k, v in os.environ.items() if k != "CI" and not k.startswith("ORT_")}
    homes = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", READS_ONCE], env=known | homes, check=True, timeout=120)
    assert list(tmp_path.iterdir()) == []


READS_AT_EXIT = """
import atexit
atexit.register(lambda: print(r().read([((7,), (8, 9))]).verdict.shape))
from veridical.reader.model import default_reader as r
r().read([((7,), (8, 9))])
"""


def test_what_ends_with_the_process_may_still_read() -> None:
    """Registered before the reader's own end, so called after it."""
    command = [sys.executable, "-c", READS_AT_EXIT]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "(1, 3)\n"


def test_one_reader_serves_the_process() -> None:
    assert default_reader() is default_reader()


@pytest.fixture(scope="module")
def reference() -> BertWordPieceTokenizer:
    return BertWordPieceTokenizer(str(WEIGHTS / "vocab.txt"), lowercase=True)


@given(
    st.lists(
        st.text(max_size=40).filter(lambda text: "[" not in text)  # "[SEP]": see the next test
        | st.sampled_from(["", "Café naïve", "a" * 101, "1,000.5 €", "休暇は", "x\u0000y"]),
        max_size=4,
    )
)
def test_pieces_are_those_of_bert_uncased(
    reference: BertWordPieceTokenizer, texts: list[str]
) -> None:
    found = default_reader().encode(texts)
    assert found == [tuple(reference.encode(t, add_special_tokens=False).ids) for t in texts]


def test_every_character_is_read_as_bert_uncased_reads_it(
    reference: BertWordPieceTokenizer,
) -> None:
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    texts = [
        " ".join(f"a{character}b {character}" for character in characters[at : at + 64])
        for at in range(0, len(characters), 64)
    ]
    found = default_reader().encode(texts)
    for text, pieces in zip(texts, found, strict=True):
        assert pieces == tuple(reference.encode(text, add_special_tokens=False).ids), ascii(text)


def test_no_text_can_hold_the_marks_that_part_claim_and_evidence() -> None:
    (pieces,) = default_reader().encode(["yes [SEP] so [CLS] it is [PAD] [UNK]"])
    assert not {0, 100, 101, 102} & set(pieces)


def test_halves_of_surrogate_pairs_are_read_as_question_marks() -> None:
    assert default_reader().encode(["a \ud800 b"]) == default_reader().encode(["a ? b"])


PAIRS = [
    ("Staff get 25 days.", "All who work here get 25 days of leave."),
    ("Dogs may come in.", "No dog is let in. " * 6),
    ("", "Nothing is claimed."),
    ("Nothing is shown.", ""),
]


def test_a_reading_hangs_on_its_pair_alone() -> None:
    reader = default_reader()
    first, second = (reader.encode([pair[i] for pair in PAIRS]) for i in (0, 1))
    pairs = list(zip(first, second, strict=True))
    together = reader.read(pairs)
    assert together.verdict.shape == (4, 3)
    assert together.relevance.shape == (4,)
    assert np.isfinite(together.verdict).all()
    assert np.isfinite(together.relevance).all()
    with ThreadPoolExecutor(4) as pool:
        alone = list(pool.map(lambda pair: reader.read([pair]), pairs))
    turned = reader.read(pairs[::-1])
    threaded = Reader(threads=3).read(pairs)
    for other in (
        np.concatenate([one.verdict for one in alone]),
        turned.verdict[::-1],
        threaded.verdict,
    ):
        assert np.array_equal(together.verdict, other)
    assert np.array_equal(together.relevance, turned.relevance[::-1])
    assert len({tuple(row) for row in together.verdict.tolist()}) == 4
    assert reader.read([]).verdict.shape == (0, 3)


def test_several_windows_are_read_at_a_time_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = default_reader()
    used: set[str] = set()
    both = threading.Barrier(2, timeout=60)

    def run_one(session: Any, outputs: Sequence[str], feed: Mapping[str, Any]) -> list[Any]:
        used.add(threading.current_thread().name)
        if cores() > 1:
            both.wait()
        return run(session, outputs, feed)

    monkeypatch.setattr("veridical.reader.model.run", run_one)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    together = reader.read([((7,), (8, 9)), ((8,), (7,))])
    assert len(used) == 2
    used.clear()
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    alone = reader.read([((7,), (8, 9)), ((8,), (7,))])
    assert used == {threading.current_thread().name}
    assert np.array_equal(together.verdict, alone.verdict)
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert 1 <= cores() <= 8
