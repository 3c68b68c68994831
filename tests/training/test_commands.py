"""What the commands for data and weights ask for, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from training.__main__ import main, plain_card
from training.leaks import Leak, leak, leaks, means
from training.measure import write_card
from training.shown import WrittenClaim
from training.writers import HELD_OUT, WRITERS, own_file, written_file

from veridical.reader.model import Reader


@pytest.fixture(autouse=True)
def no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERIDICAL_DATA", raising=False)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("command", ["train", "research"])
def test_a_command_that_needs_the_shared_data_says_what_they_hold(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    told = refused(capsys, command)
    assert "VERIDICAL_DATA" in told
    for folder in ("claims/", "pool/", "question-pool/", "written/"):
        assert folder in told


def test_a_folder_that_lacks_something_is_refused_by_its_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pool").mkdir()
    monkeypatch.setenv("VERIDICAL_DATA", str(tmp_path))
    assert f"{tmp_path} lacks question-pool/, written/" in refused(capsys, "train")
    assert f"{tmp_path} lacks claims/" in refused(capsys, "research")
    assert "is no folder" in refused(capsys, "train", "--data", str(tmp_path / "none"))


def test_a_writer_who_is_nowhere_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "no claims of writer a:" in refused(capsys, "measure", "a")
    assert "no claims of writer a:" in refused(capsys, "measure", "a", "--data", str(tmp_path))


def test_the_repository_comes_before_the_shared_data(tmp_path: Path) -> None:
    (tmp_path / "written").mkdir()
    for name in ("a", "t"):
        (tmp_path / "written" / f"{name}.jsonl").touch()
    assert written_file("t", tmp_path) == own_file("t")
    assert written_file("a", tmp_path) == tmp_path / "written" / "a.jsonl"


def test_labels_that_a_word_gives_away_are_noticed() -> None:
    claims = [
        WrittenClaim("w", f"d{doc}", "note", "it opens", f"it {word} {doc}.", label, "near")
        for doc in range(10)
        for word, label in (("opens", "supported"), ("never", "refuted"))
    ]
    found = leak("w", claims)
    assert (found.claims, found.right, found.most) == (20, 1.0, 0.5)
    assert found.shared["supported"] > found.shared["refuted"]


def test_the_last_line_has_the_means_of_both_sorts_of_writers() -> None:
    found = [Leak(name, 10, right, 0.5, {}) for name, right in (("g", 0.4), ("h", 0.6), ("t", 0.7))]
    assert means(found) == (
        "mean right by the claim's words alone: 2 training writers 0.500 (commonest label 0.500), "
        "1 held-out writers 0.700 (commonest label 0.500)"
    )


def test_leaks_are_looked_for_in_the_writers_that_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("training.leaks.leak", lambda name, _: Leak(name, 1, 0.5, 0.5, {}))
    names = [one.writer for one in leaks(None)]
    assert names == [n for n in sorted({*WRITERS, *HELD_OUT}) if own_file(n).is_file()]
    assert {"t", "ba"} <= set(names)


def test_a_card_that_is_not_calibrated_yet_can_be_read(tmp_path: Path) -> None:
    card = plain_card("a" * 64, "b" * 64)
    write_card(tmp_path / "card.json", card)
    assert Reader(tmp_path).card == card
