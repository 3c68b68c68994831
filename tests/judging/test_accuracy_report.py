"""The page of measurements: who is judged by whom, and what stands in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.judging.word_judge import WordJudge

from veridical.errors import ValidationError
from veridical.judging.accuracy_report import POINTS, Sets, main, measure, read_sets, render
from veridical.judging.datasets import LabelledRow
from veridical.judging.judge import Case, JudgeFailure, Judgement, OperatingPoint


def write_sets(folder: Path) -> Path:
    for name in ("alpha", "beta"):
        labels = ("supported", "partial", "refuted") if name == "beta" else ("supported", "partial")
        rows = [
            {
                "id": number,
                "claim": f"{name} claim {number}",
                "evidence": [f"{name} {'claim' if number % 3 else 'says not'} {number} | x"],
                "label": labels[number % len(labels)],
                "group": number // 2,
            }
            for number in range(40)
        ]
        lines = "\n".join(json.dumps(row) for row in rows)
        (folder / f"{name}.dev.jsonl").write_text(lines, encoding="utf-8")
    return folder


@dataclass(frozen=True)
class Knowing(WordJudge):
    """Refuses to judge a claim that it was fitted on."""

    seen: frozenset[str] = frozenset()

    def _judged(self, case: Case) -> Judgement | JudgeFailure:
        assert case.claim not in self.seen
        return super()._judged(case)


def test_no_row_is_judged_by_a_judge_that_has_seen_its_group_or_set(tmp_path: Path) -> None:
    sets = read_sets(write_sets(tmp_path))
    trained: list[dict[str, set[str]]] = []

    def fit(training: Sets) -> Callable[[OperatingPoint], Knowing]:
        trained.append({name: {row.id for row in rows} for name, rows in training.items()})
        partners = {row.claim for name, rows in training.items() for row in tied(sets, name, rows)}
        return lambda point: Knowing(point, seen=frozenset(partners))

    measured = measure(sets, fit)
    assert [each.name for each in measured] == ["alpha", "beta"]
    assert len(trained) == 5 + 2
    assert [sorted(training) for training in trained[5:]] == [["beta"], ["alpha"]]
    for each in measured:
        for point in POINTS:
            for evaluation in (each.folds[point], each.transfer[point]):
                assert [r.row for r in evaluation.results] == list(sets[each.name])
                assert evaluation.point == point


def tied(sets: Sets, name: str, rows: Sequence[LabelledRow]) -> list[LabelledRow]:
    """All rows of the groups that some rows of a set are of."""
    groups = {row.keys for row in rows}
    return [row for row in sets[name] if row.keys in groups]


def test_the_page_shows_every_set_with_its_denominators(tmp_path: Path) -> None:
    sets = read_sets(write_sets(tmp_path))
    page = render(measure(sets, lambda _: WordJudge))
    for heading in (
        "balanced point, by folds",
        "strict point, by folds",
        "on sets it was not fitted on",
        "Trivial baselines",
        "Contradiction",
    ):
        assert heading in page
    tables = [line for line in page.splitlines() if line.startswith("|")]
    assert sum(line.startswith("| alpha | 40 | 20 |") for line in tables) == 4
    assert sum("mean of the sets" in line for line in tables) == 4
    assert "of 20)" in page
    assert all(line.count("|") in (6, 8) for line in tables)
    assert page == render(measure(sets, lambda _: WordJudge))


def test_one_set_alone_has_no_transfer(tmp_path: Path) -> None:
    sets = read_sets(write_sets(tmp_path))
    page = render(measure({"alpha": sets["alpha"]}, lambda _: WordJudge))
    assert "not fitted on" not in page
    assert "## Contradiction" not in page


@pytest.mark.parametrize(("names", "told"), [(None, "no .jsonl"), (["gamma"], "no set gamma")])
def test_sets_that_are_not_there_are_refused(
    tmp_path: Path, names: list[str] | None, told: str
) -> None:
    with pytest.raises(ValidationError, match=told):
        read_sets(tmp_path, names)


def fit_words(_training: Sets) -> Callable[[OperatingPoint], WordJudge]:
    """A way to fit that the command line can name."""
    return WordJudge


def test_the_page_is_written_by_one_command(tmp_path: Path) -> None:
    folder, page = write_sets(tmp_path), tmp_path / "accuracy.md"
    fit = f"{__name__}:fit_words"
    assert main([str(folder), "-o", str(page), "--fit", fit, "--sets", "beta"]) == 0
    text = page.read_text("utf-8")
    assert "| beta | 40 |" in text
    assert "alpha" not in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--fit", "nowhere.at:all"], "MODULE:FUNCTION"),
        (["--fit", "json"], "MODULE:FUNCTION"),
        (["--sets", "gamma"], "no set gamma"),
        (["-o", "{folder}"], "cannot write"),
    ],
)
def test_what_cannot_be_written_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    folder = write_sets(tmp_path)
    given = [str(folder), "-o", str(tmp_path / "page.md"), "--fit", f"{__name__}:fit_words"]
    assert main([*given, *(a.format(folder=folder) for a in arguments)]) == 2
    assert told in capsys.readouterr().err
