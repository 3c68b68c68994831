from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from veridical.errors import ConfigurationError, ValidationError
from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.data import shipped_model
from veridical.judging.fit import main
from veridical.judging.fit_rows import load_rows
from veridical.judging.judge import Case, Judgement, OperatingPoint
from veridical.judging.model_file import parse_model, read_model
from veridical.judging.points import Sample, choose_thresholds

_WHO = ("Employees", "Managers", "Interns", "Visitors", "Contractors", "Drivers", "Nurses")
_WHAT = ("a laptop", "free parking", "a travel card", "a uniform", "a badge", "paid leave")
_WHEN = ("after one month", "in the first week", "before the summer", "at the end of the year")


def labelled(rows: int, seed: int) -> list[dict[str, object]]:
    """Rows whose label is known by the way they are made: the claim is reworded or altered."""
    chance = random.Random(seed)
    made: list[dict[str, object]] = []
    for number in range(rows):
        who, other_who = chance.sample(_WHO, 2)
        what, other_what = chance.sample(_WHAT, 2)
        when = chance.choice(_WHEN)
        evidence = f"{who} receive {what} {when}, as the handbook of part {number} says."
        label, claim = chance.choice(
            [
                ("supported", f"{who} get {what} {when}."),
                ("supported", f"{what[0].upper()}{what[1:]} is given to {who.lower()} {when}."),
                ("refuted", f"{who} do not get {what} {when}."),
                ("not_enough", f"{other_who} get {other_what} {when}."),
                ("partial", f"{who} get {what} and {other_what} {when}."),
            ]
        )
        made.append(
            {"id": f"r{number}", "claim": claim, "evidence": [evidence], "label": label,
             "group": f"g{number % 40}"}
        )  # fmt: skip
    return made


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("labelled")
    write(path / "one.dev.jsonl", labelled(160, 1))
    write(path / "two.jsonl", labelled(120, 2))
    write(path / "few.jsonl", labelled(12, 3))
    return path


@pytest.fixture(scope="module")
def fitted(folder: Path) -> Path:
    assert main([str(folder), "-o", str(folder / "model.json")]) == 0
    return folder / "model.json"


def test_the_same_data_gives_the_same_bytes(folder: Path, fitted: Path) -> None:
    assert main([str(folder), "-o", str(folder / "again.json")]) == 0
    assert (folder / "again.json").read_bytes() == fitted.read_bytes()
    assert sorted(path.name for path in folder.glob(".*")) == []


def test_a_fit_says_where_it_comes_from_and_what_it_is_worth(fitted: Path) -> None:
    model = read_model(fitted)
    assert {name: told["rows"] for name, told in model.provenance["data_sets"].items()} == {
        "one": 160,
        "two": 120,
    }
    assert model.provenance["skipped"][0].startswith("few.jsonl: ")
    for told in model.measured["sets"].values():
        assert told["auc"] > 0.8
        assert told["balanced"]["balanced_accuracy"] > told["majority"]["balanced_accuracy"]
        assert told["strict"]["false_pass"][0] <= 0.2 * told["strict"]["false_pass"][1]
        assert told["contradiction"]["auc"] > 0.7


def test_a_fitted_model_judges(fitted: Path) -> None:
    judge = CalibratedJudge(OperatingPoint.BALANCED, model=read_model(fitted))
    evidence = ("Clerks receive free parking after one month, as the handbook of part 3 says.",)
    told = judge.judge(
        [
            Case("Clerks get free parking after one month.", evidence),
            Case("Pilots get a uniform in the first week.", evidence),
        ]
    )
    probabilities = [one.probability for one in told if isinstance(one, Judgement)]
    assert probabilities[0] > 0.5 > probabilities[1]


def test_the_table_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder)]) == 0
    told = capsys.readouterr().out
    for word in ("one", "two", "balanced accuracy", "transfer", "not used: few.jsonl"):
        assert word in told


def test_no_row_is_judged_by_a_fit_that_saw_its_group(folder: Path) -> None:
    rows = load_rows(folder)
    for name in rows.names:
        own = rows.of(name)
        pairs = set(zip(rows.groups[own].tolist(), rows.folds[own].tolist(), strict=True))
        assert len(pairs) == len({group for group, _ in pairs})


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "no *.jsonl file"),
        ({"a.jsonl": "{not json}\n"}, "line 1"),
        ({"a.jsonl": json.dumps(labelled(3, 1)[0]) + "\n"}, "no file can be used"),
    ],
)
def test_what_cannot_be_fitted_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], message: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert main([str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
    with pytest.raises(ValidationError):
        load_rows(tmp_path)


def test_a_place_that_cannot_be_written_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(folder), "-o", str(folder / "nowhere" / "model.json")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_the_shipped_model_is_written_as_it_is_read() -> None:
    model = shipped_model()
    assert parse_model(model.to_json()) == model


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.update(surprise=1), "unknown keys: surprise"),
        (lambda data: data.pop("support"), "lacks support"),
        (lambda data: data.update(format="x"), "format"),
        (lambda data: data.update(features_version=0), "version 0"),
        (lambda data: data["features"].reverse(), "in their order"),
        (lambda data: data["support"]["weights"].pop(), "support.weights"),
        (lambda data: data["support"].update(slope=-1.0), "less likely"),
        (lambda data: data["support"]["scales"].__setitem__(0, 0.0), "above 0"),
        (lambda data: data["contradiction"]["means"].__setitem__(0, "1"), "not a number"),
        (lambda data: data["thresholds"].update(strict=0.0), "must rise"),
        (lambda data: data["thresholds"].update(strict=1.5), "must rise"),
        (lambda data: data["thresholds"].update(odd=1.5), "unknown keys: odd"),
        (lambda data: data.update(provenance=[]), "provenance"),
        (lambda data: data.update(version=""), "version"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(change, message: str) -> None:
    data = json.loads(shipped_model().to_json())
    change(data)
    with pytest.raises(ConfigurationError, match=message):
        parse_model(json.dumps(data))


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"format": NaN}', "[" * 100_000])
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError):
        parse_model(text)


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot read"):
        read_model(tmp_path / "none.json")
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match="UTF-8"):
        read_model(tmp_path / "odd.json")


def test_thresholds_keep_their_promises() -> None:
    import numpy as np

    chance = np.random.default_rng(1)
    truth = chance.random(4_000) < 0.4
    probability = np.clip(chance.normal(np.where(truth, 0.6, 0.4), 0.15), 0, 1)
    free = np.ones(4_000, bool)
    sample = Sample(truth, probability, free, free, ~free)
    chosen = choose_thresholds([sample])
    assert chosen.partial <= chosen.lenient <= chosen.balanced <= chosen.strict
    assert sample.rates(chosen.strict, strict=True)[0] <= 0.1
    assert sample.rates(chosen.strict - 0.02, strict=True)[0] > 0.1
    assert sample.rates(chosen.lenient, strict=False)[1] <= 0.2
    assert chosen.balanced == pytest.approx(0.5, abs=0.04)
    barred = Sample(truth, probability, free, ~free, ~free)
    assert barred.rates(chosen.strict, strict=True) == (0.0, 1.0)
