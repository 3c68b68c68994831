"""What the finder says of lines: compared piece by piece, each line on its own."""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import ConfigurationError
from veridical.reader.finder import Finder, Told, default_finder, line_ids, question_ids
from veridical.reader.model import Reader, default_reader

WEIGHTS = Path(str(files("veridical.reader"))) / "weights"
BABY = "Can I freeze my membership when I'm having a baby?"
PAUSE = Told("Membership may be suspended for up to a year after childbirth.", "Club > Membership")
OTHERS = [
    Told("The pool opens at 6 a.m.", "Club > Pool"),
    Told("Members pay 40 euros a month.", "Club > Membership"),
    Told("perfume and scented candles", "Club > Not allowed", "The following may not be brought:"),
    Told("Parking is free for two hours.", "Club > Parking"),
]


def test_a_line_is_found_that_shares_no_word_with_the_question_but_one() -> None:
    scores = default_finder().scores(BABY, [*OTHERS, PAUSE])
    assert int(scores.argmax()) == len(OTHERS)


def test_titles_and_the_line_before_a_list_count() -> None:
    question = "Which things are forbidden?"
    bare, told = default_finder().scores(question, [Told(OTHERS[2].text), OTHERS[2]])
    assert told > bare


def test_scores_are_those_of_the_nearest_pieces() -> None:
    """Computed once more from what the network gives, piece by piece."""
    session = onnxruntime.InferenceSession(str(WEIGHTS / "finder.onnx"))
    encode = default_reader().encode
    (asked,) = encode([BABY])
    ids = np.array([question_ids(asked)], np.int32)
    (vectors,), (weights,) = session.run(None, {"ids": ids, "is_line": np.array(False)})
    shares = np.exp(weights) / np.exp(weights).sum()
    expected = []
    for line in (*OTHERS, PAUSE):
        pieces = line_ids(*encode([line.text, line.heading, line.lead_in]))
        feed = {"ids": np.array([pieces], np.int32), "is_line": np.array(True)}
        (found,), _ = session.run(None, feed)
        best = [max(float(piece @ other) for other in found) for piece in vectors]
        expected.append(float(np.dot(shares, best)))
    scores = default_finder().scores(BABY, [*OTHERS, PAUSE])
    assert scores == pytest.approx(expected, abs=0.02)


WORDS = st.lists(
    st.sampled_from("dog park bench opens unbelievably xylophonist 休暇 \ud800 1.5 %".split()),
    max_size=200,
).map(" ".join)


@given(st.lists(st.builds(Told, WORDS, WORDS, WORDS), min_size=1, max_size=4), WORDS)
def test_a_line_has_its_score_whatever_stands_beside_it(lines: list[Told], question: str) -> None:
    finder = default_finder()
    finder._lines.clear()
    scores = finder.scores(question, lines)
    assert scores.shape == (len(lines),)
    assert (np.abs(scores) <= 1.01).all()
    finder._lines.clear()
    alone = [finder.scores(question, [line])[0] for line in reversed(lines)]
    assert alone[::-1] == scores.tolist()


def test_only_so_much_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = default_finder().scores(BABY, [*OTHERS, PAUSE]).tolist()
    monkeypatch.setattr("veridical.reader.finder._MOST_REMEMBERED", 40)
    finder = Finder()
    for _ in range(2):
        assert finder.scores(BABY, [*OTHERS, PAUSE]).tolist() == expected
        assert sum(map(len, finder._lines.values())) <= 40


@pytest.mark.parametrize("harm", ["gone", "flipped"])
def test_a_file_that_is_not_as_released_is_named(tmp_path: Path, harm: str) -> None:
    for name in ("card.json", "vocab.txt"):
        shutil.copy(WEIGHTS / name, tmp_path)
    (tmp_path / "reader.onnx").symlink_to(WEIGHTS / "reader.onnx")
    if harm == "flipped":
        data = bytearray((WEIGHTS / "finder.onnx").read_bytes())
        data[len(data) // 2] ^= 1
        (tmp_path / "finder.onnx").write_bytes(data)
    with pytest.raises(ConfigurationError, match=r"finder\.onnx") as caught:
        Finder(Reader(tmp_path)).scores(BABY, OTHERS)
    assert "pip install --force-reinstall veridical" in str(caught.value)
