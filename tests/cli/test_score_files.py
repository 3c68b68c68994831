"""`veridical score rubrics`, `lint`, `diff` and `agreement`, as a user runs them on files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from tests.cli.harness import complaint, invoke
from tests.cli.score_desk import desk
from tests.scoring.rubric_texts import changed

from veridical.scoring.rubrics.file import load_rubric, shipped_names

__all__ = ["desk"]

TIMING = "timing: {startEvent: on_scene, endEvent: water, targetSeconds: 120, maxSeconds: 240}"


def score(*arguments: str, stdin: bytes | None = None) -> Result:
    return invoke("score", *arguments, stdin=stdin)


def scored(name: str, rubric: str = "cues.yaml") -> str:
    """The name of a scorecard, written."""
    assert score("run", "radio.vtt", rubric, "-o", name).exit_code == 0
    return name


# --- rubrics and lint -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_rubric_is_printed_to_be_changed_and_used(name: str) -> None:
    printed = score("rubrics", name).stdout_bytes
    Path("mine.yaml").write_bytes(printed)
    for rubric, stdin in ((name, None), ("mine.yaml", None), ("-", printed)):
        done = score("lint", rubric, "--format", "json", stdin=stdin)
        report = json.loads(done.stdout)
        assert (done.exit_code, report["valid"]) == (0, True)
        assert report["sha256"] == load_rubric(name).sha256


MISTAKES = {
    "nothing": ("", "1:1: error: is empty; a rubric has a template and sections"),
    "no YAML": ("a: [", "1:5: error: not valid YAML"),
    "weights": (
        changed("weight: 0.4", "weight: 0.5"),
        "6:3: error: sections: the weights of the sections sum to 1.1; they must sum to 1",
    ),
    "a clock without events": (
        changed(TIMING, "timing: {targetSeconds: 120}"),
        '"startEvent" is missing',
    ),
}


@pytest.mark.parametrize(("text", "told"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_fails_lint_and_is_refused_by_a_run(text: str, told: str) -> None:
    Path("bad.yaml").write_text(text, encoding="utf-8")
    linted = score("lint", "bad.yaml")
    assert (linted.exit_code, linted.stderr) == (1, "")
    assert any(line.startswith("bad.yaml:") and told in line for line in linted.stdout.splitlines())
    done = score("run", "radio.vtt", "bad.yaml", "-o", "card.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "veridical: rubric: bad.yaml:" in complaint(done.stderr)
    assert told in done.stderr
    assert not Path("card.json").exists()


# --- diff -----------------------------------------------------------------------------------------


def test_diff_tells_by_its_exit_code_whether_something_changed() -> None:
    Path("later.yaml").write_text(
        changed("targetSeconds: 120, maxSeconds: 240", "targetSeconds: 20, maxSeconds: 60"),
        encoding="utf-8",
    )
    before, after = scored("a.json"), scored("b.json", "later.yaml")
    same = score("diff", before, before)
    assert (same.exit_code, same.stderr) == (0, "")
    other = score("diff", before, after)
    assert other.exit_code == 1
    assert "verdict: met → missed" in other.stdout
    assert json.loads(score("diff", before, after, "--format", "json").stdout)["changed"] is True
    piped = score("diff", "-", after, stdin=Path(before).read_bytes())
    assert piped.exit_code == 1
    assert "met → missed" in piped.stdout


# --- agreement ------------------------------------------------------------------------------------


def rated(rows: str, name: str = "human.csv") -> str:
    Path(name).write_text(f"criterion_id,verdict\n{rows}", encoding="utf-8")
    return name


def test_agreement_with_what_a_person_said() -> None:
    card = scored("a.json")
    human = rated("command,met\nreport,met\nmode,missed\nwater,met\n")
    done = score("agreement", card, human)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "4 of 4 ratings compared." in done.stdout
    whole = json.loads(score("agreement", card, human, "--format", "json").stdout)["overall"]
    assert (whole["n"], whole["agreement"]["count"]) == (4, 3)
    piped = score("agreement", card, "-", "--format", "json", stdin=Path(human).read_bytes())
    assert json.loads(piped.stdout)["overall"] == whole


def test_agreement_that_cannot_be_told_is_exit_code_2() -> None:
    card, human = scored("a.json"), rated("command,met\n")
    Path("empty").mkdir()
    for arguments, told in (
        ((card, "gone.csv"), "ratings: cannot read gone.csv: No such file"),
        (("empty", human), "empty: there is no scorecard (*.json) in this folder"),
        ((card, rated("command,splendid\n", "odd.csv")), "splendid"),
        ((card, rated("tennis,met\n", "other.csv")), "none of 1 ratings is of a criterion"),
        (("-", "-"), "standard input (-) can be read for one thing only"),
    ):
        done = score("agreement", *arguments)
        assert (done.exit_code, done.stdout) == (2, ""), arguments
        assert told in complaint(done.stderr)
