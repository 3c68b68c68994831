"""`veridical ledger evaluate` and `calibrate`, as a user runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from tests.cli.harness import complaint
from tests.judging.tiny_models import write_model
from tests.models.faulty_server import Client, answer, completion, serve

from veridical.cli.ledger_evaluate import calibrate, evaluate

YES, NO = "yes yes it is", "no it rains"
ROWS = [
    {"id": "a", "claim": "it is so", "evidence": [YES], "label": "supported"},
    {"id": "b", "claim": "it is dry", "evidence": [NO], "label": "refuted"},
    {"id": "c", "claim": "it is late", "evidence": ["it rains"], "label": "supported"},
    {"id": "d", "claim": "it is cold", "evidence": ["well yes"], "label": "not_enough"},
]


def run(command: click.Command, *arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments], input=stdin)


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("MODEL", "BASE_URL", "API_KEY"):
        monkeypatch.delenv(f"VERIDICAL_{name}", raising=False)
    return write_rows(tmp_path / "rows.jsonl", ROWS)


@pytest.fixture(scope="module")
def nli(tmp_path_factory: pytest.TempPathFactory) -> Path:
    weights = {"yes": (6.0, 0.0, 0.0), "no": (0.0, 0.0, 8.0), "well": (-3.0, 0.0, 0.0)}
    labels = ("entailment", "neutral", "contradiction")
    return write_model(tmp_path_factory.mktemp("nli"), weights, labels, bias=(-1.0, 2.0, -2.0))


def test_rows_and_metrics_as_json(data: Path, nli: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "result.json"
    done = run(evaluate, data, "--judge", "nli", "--model-path", nli, "-o", out)
    assert (done.exit_code, done.stdout) == (0, "")
    told = json.loads(out.read_text("utf-8"))
    assert told["judge"] == f"nli:{nli.name}"
    assert told["point"] == "strict"
    verdicts = {row["id"]: row["verdict"] for row in told["rows"]}
    assert verdicts == {
        "a": "supported", "b": "contradicted", "c": "not_found", "d": "weak",
    }  # fmt: skip
    assert all(0 <= row["confidence"] <= 1 for row in told["rows"])
    metrics = told["metrics"]
    assert metrics["accuracy"]["value"] == 0.75
    assert metrics["accuracy"]["of"] == 4
    assert metrics["false_pass"]["count"] == 0
    assert metrics["false_strip"] | {"interval": 0} == {
        "value": 0.5, "count": 1, "of": 2, "interval": 0,
    }  # fmt: skip
    assert metrics["contradiction"]["auc"] == 1.0
    assert {"ece", "majority_baseline", "containment_baseline"} <= metrics.keys()


def test_rows_that_could_not_be_judged_are_told_and_counted(tmp_path: Path, nli: Path) -> None:
    rows = [*ROWS, {"id": "e", "claim": "so " * 900, "evidence": [YES], "label": "supported"}]
    done = run(evaluate, write_rows(tmp_path / "rows.jsonl", rows), "--model-path", nli)
    assert done.exit_code == 1
    assert "4 rows; 1 could not be judged" in done.stdout
    assert "not judged: the claim is too long" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.jsonl", "--judge", "reader", "--model-path", "x"], "--model-path goes with"),
        (["{data}", "--judge", "nli"], "--model-path"),
        (["{data}", "--judge", "oracle"], "not one of"),
        (["{data}", "--point", "loose"], "not one of"),
        (["{data}", "--model-path", "{nli}", "--format", "xml"], "not one of"),
        (["{data}", "--model-path", "nowhere"], "is no folder"),
        (["{data}", "--model-path", "{nli}", "-o", "{data}"], "it is an input of this run"),
        (["{data}", "--model-path", "{nli}", "-o", "ev.csv"], "cannot tell the format of ev.csv"),
        (["{data}", "--judge", "model"], "give --model, and its server as --base-url"),
        (["nowhere.jsonl", "--model-path", "{nli}"], "cannot read"),
        (["{data}", "--model-path", "{nli}", "--calibration", "nowhere"], "cannot read"),
    ],
)
def test_what_cannot_be_run_says_why(
    data: Path, nli: Path, arguments: list[str], told: str
) -> None:
    done = run(evaluate, *(a.format(data=data, nli=nli) for a in arguments))
    assert done.exit_code == 2
    assert told in complaint(done.stderr)


def test_bad_rows_are_told_by_line(tmp_path: Path, nli: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", [ROWS[0], {**ROWS[1], "label": "wrong\x1b[31m"}])
    done = run(evaluate, path, "--model-path", nli)
    assert done.exit_code == 2
    assert "line 2" in complaint(done.stderr)
    assert "\x1b" not in done.stderr


def test_a_language_model_judges_over_its_server(tmp_path: Path) -> None:
    """It says yes and quotes the first passage whole, though the numbers differ."""
    row = {
        "id": "b",
        "claim": "Staff receive twenty days of leave",
        "evidence": ["Staff receive fifteen days of leave a year."],
        "label": "refuted",
    }

    def agree(client: Client) -> None:
        user = client.received.json["messages"][-1]["content"]
        found = re.search(r"BEGIN PASSAGE 1 (\S+)\n(.*?)\nEND \1", user, re.DOTALL)
        assert found is not None
        said = {
            "passage": 1, "quote": found[2], "explanation": "Yes.", "support": "full",
            "contradicts": False,
        }  # fmt: skip
        answer(completion(json.dumps({"judgements": [said]})))(client)

    with serve(agree) as server:
        done = run(
            evaluate, write_rows(tmp_path / "rows.jsonl", [row]), "--judge", "model",
            "--model", "tiny", "--base-url", server.url, "--format", "json",
        )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert [row["verdict"] for row in json.loads(done.stdout)["rows"]] == ["weak"]


# --- calibrate ------------------------------------------------------------------------------------


def calibration_rows(count: int = 60) -> list[dict[str, Any]]:
    """One "yes" is all that supported rows have, which the judge takes for partial support."""
    rows = []
    for number in range(count):
        supported = number % 2 == 0
        evidence = f"{'yes' if supported else 'dull'} well it is room {number}"
        label = "supported" if supported else "not_enough"
        claim = f"it is room {number}"
        rows.append({"id": number, "claim": claim, "evidence": [evidence], "label": label})
    return rows


def test_a_calibration_is_fitted_reported_and_used(tmp_path: Path, nli: Path) -> None:
    data = write_rows(tmp_path / "rows.jsonl", calibration_rows())
    fitted = tmp_path / "calibration.json"
    done = run(calibrate, data, "-o", fitted, "--model-path", nli)
    assert done.exit_code == 0, done.stderr
    assert "Before" in done.stdout
    assert "by cross-validation" in done.stdout
    told = json.loads(fitted.read_text("utf-8"))
    assert told["judge"] == f"nli:{nli.name}"
    assert told["fitted_on"] == {"rows": 60, "supported": 30}
    before = json.loads(run(evaluate, data, "--model-path", nli, "--format", "json").stdout)
    assert before["metrics"]["false_strip"]["value"] == 1.0
    arguments = (data, "--model-path", nli, "--format", "json", "--calibration", fitted)
    after = json.loads(run(evaluate, *arguments).stdout)
    assert after["metrics"]["balanced_accuracy"]["value"] == 1.0
    assert after["metrics"]["ece"] < before["metrics"]["ece"]


def test_what_a_calibration_makes_worse_is_told(tmp_path: Path, nli: Path) -> None:
    """The judge needs none: what is true is surely true, what is not surely not."""
    rows = [
        {**row, "evidence": [f"{YES if row['label'] == 'supported' else 'rain'} {row['id']}"]}
        for row in calibration_rows(40)
    ]
    data = write_rows(tmp_path / "rows.jsonl", rows)
    done = run(calibrate, data, "-o", tmp_path / "c.json", "--model-path", nli)
    assert done.exit_code == 0, done.stderr
    assert "warning: calibration error is worse after (" in done.stderr
    assert "label more rows, or use the judge without a calibration" in done.stderr


@pytest.mark.parametrize(("count", "told"), [(20, "at least 30"), (29, "at least 30")])
def test_too_few_rows_are_refused_and_nothing_is_written(
    tmp_path: Path, nli: Path, count: int, told: str
) -> None:
    data = write_rows(tmp_path / "rows.jsonl", calibration_rows(count))
    fitted = tmp_path / "calibration.json"
    done = run(calibrate, data, "-o", fitted, "--model-path", nli)
    assert done.exit_code == 2
    assert told in complaint(done.stderr)
    assert not fitted.exists()
