"""Labelled rows, their groups, and a judge measured on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judging.word_judge import WordJudge

from veridical.errors import ValidationError
from veridical.judging import datasets
from veridical.judging.datasets import (
    Label,
    LabelledRow,
    group_rows,
    parse_rows,
    read_rows,
)
from veridical.judging.evaluation import (
    MAX_PASSAGE_CHARS,
    PASSAGES_OF_A_DOCUMENT,
    cases_of_rows,
    evaluate,
)
from veridical.judging.verdict import Verdict

LEAVE = "Staff receive fifteen days of leave."


def line(**changes: Any) -> str:
    fields = {"id": "r1", "claim": "Staff receive leave", "evidence": [LEAVE], "label": "supported"}
    return json.dumps({**fields, **changes})


def row(number: int = 1, **changes: Any) -> LabelledRow:
    (made,) = parse_rows(line(id=f"r{number}", **changes))
    return made


# --- reading --------------------------------------------------------------------------------------


def test_a_row_is_read() -> None:
    text = line(article="A", question="", claim_context="Of staff.", other={"kept": "out"})
    (read,) = parse_rows(f"\ufeff{text}\r\n\n".removeprefix("\ufeff"))
    assert read == LabelledRow(
        id="r1",
        claim="Staff receive leave",
        evidence=(LEAVE,),
        label=Label.SUPPORTED,
        context="Of staff.",
        keys=(("article", "a"),),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no row"),
        ("{", "line 1: not valid JSON"),
        (f"{line()}\n[]", "line 2"),
        (f"{line()}\n\n{line()}", "line 3: the id 'r1' was used in line 1"),
        (line(label="true"), "label"),
        (line(claim="  "), "claim is empty"),
        (line(evidence="text"), "evidence"),
        (line(evidence=[1]), "evidence[0]"),
        (line(claim="x" * 10_001), "10,001"),
        (line(evidence=["x"] * 201), "evidence"),
        ('{"id": "a", "claim": "b", "label": "supported", "x": NaN}', "NaN"),
        ('{"id": "a", "claim": "b", "label": "supported", "x": 1e999}', "too large"),
        ('{"id": ' + "1" * 5_000 + "}", "too large"),
        ("[" * 200_000, "line 1"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(text: str, told: str) -> None:
    with pytest.raises(ValidationError, match=told.replace("[", r"\[").replace("]", r"\]")):
        parse_rows(text)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, monkeypatch) -> None:
    with pytest.raises(ValidationError, match="cannot read"):
        read_rows(tmp_path / "nowhere.jsonl")
    path = tmp_path / "rows.jsonl"
    path.write_bytes(line(claim="café").encode("latin-1").replace(b"\\u00e9", b"\xe9"))
    with pytest.raises(ValidationError, match="not UTF-8"):
        read_rows(path)
    path.write_text(f"\ufeff{line()}", encoding="utf-8")
    assert len(read_rows(path)) == 1
    monkeypatch.setattr(datasets, "MAX_FILE_BYTES", 10)
    with pytest.raises(ValidationError, match="larger than"):
        read_rows(path)


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "MAX_ROWS", 2)
    with pytest.raises(ValidationError, match="more than 2 rows"):
        parse_rows("\n".join(line(id=n) for n in range(3)))


# --- groups ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ({"claim": "A", "evidence": ["x"]}, {"claim": "B", "evidence": ["y"]}, False),
        ({"claim": "A  b", "evidence": ["x"]}, {"claim": "a B", "evidence": ["y"]}, True),
        ({"claim": "A", "evidence": ["x"]}, {"claim": "B", "evidence": ["y", "X"]}, True),
        (
            {"claim": "A", "evidence": [], "document": "d"},
            {"claim": "B", "evidence": [], "document": "d"},
            True,
        ),
        ({"claim": "A", "evidence": ["x"], "question": "q"},
         {"claim": "B", "evidence": ["y"], "question": "q"}, True),
        ({"claim": "A", "evidence": ["x"], "article": "q"},
         {"claim": "B", "evidence": ["y"], "question": "q"}, False),
    ],
)  # fmt: skip
def test_what_rows_share_ties_them(
    first: dict[str, Any], second: dict[str, Any], together: bool
) -> None:
    others = [row(n, claim=f"other {n}", evidence=[f"passage {n}"]) for n in range(10, 20)]
    groups = group_rows([row(1, **first), row(2, **second), *others]).groups
    assert (groups[0] == groups[1]) == together
    assert len(set(groups[2:])) == 10


def test_a_key_that_ties_nearly_everything_is_given_up() -> None:
    rows = [row(n, claim=f"c{n}", evidence=[f"e{n}"], article="one", group=n) for n in range(10)]
    grouping = group_rows(rows)
    assert grouping.count == 10
    assert "article" not in grouping.keys
    assert "group" in grouping.keys
    same = [row(n, claim="one claim", evidence=[f"e{n}"]) for n in range(10)]
    assert group_rows(same).count == 1


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 5)), min_size=1, max_size=40
    ),
    st.integers(1, 6),
)
def test_folds_never_part_a_group(values: list[tuple[int, int, int]], k: int) -> None:
    rows = [
        LabelledRow(
            str(i), f"c{claim}", (f"e{passage}",), Label.SUPPORTED, keys=(("group", f"{g}"),)
        )
        for i, (claim, passage, g) in enumerate(values)
    ]
    grouping = group_rows(rows)
    folds = group_rows(rows).folds(k)
    assert folds == group_rows(rows).folds(k)
    assert all(0 <= fold < k for fold in folds)
    of_group: dict[int, set[int]] = {}
    for group, fold in zip(grouping.groups, folds, strict=True):
        of_group.setdefault(group, set()).add(fold)
    assert all(len(found) == 1 for found in of_group.values())
    for key in ("claim", *(key for key in grouping.keys if key != "claim")):
        sides: dict[tuple[str, str], set[int]] = {}
        for each, fold in zip(rows, folds, strict=True):
            for pair in each.shared():
                if pair[0] == key:
                    sides.setdefault(pair, set()).add(fold)
        assert all(len(found) == 1 for found in sides.values())


# --- what is judged -------------------------------------------------------------------------------


def test_without_evidence_the_document_is_searched() -> None:
    pages = [
        f"The office of town {n} opens at nine and closes at five each day." for n in range(80)
    ]
    pages[57] = "Staff receive fifteen days of annual leave in each calendar year."
    made = row(
        evidence=[], document="\n\n".join(pages), claim="Staff receive fifteen days of leave"
    )
    (cases,) = cases_of_rows([made])
    assert 1 <= len(cases) <= PASSAGES_OF_A_DOCUMENT
    assert any(pages[57] in case.sentences for case in cases)
    assert sum(len(" ".join(case.sentences)) for case in cases) < len(made.document)


def test_evidence_that_is_too_long_is_searched_too() -> None:
    long = "The office opens at nine. " * (MAX_PASSAGE_CHARS // 20)
    (cases,) = cases_of_rows([row(evidence=[long, LEAVE])])
    assert len(cases) >= 1
    assert any(LEAVE in case.sentences for case in cases)


@pytest.mark.parametrize("nothing", [{"evidence": []}, {"evidence": None}, {"evidence": [" "]}])
def test_a_row_without_anything_is_not_found(nothing: dict[str, Any]) -> None:
    (result,) = evaluate([row(**nothing)], WordJudge()).results
    assert (result.verdict, result.confidence) == (Verdict.NOT_FOUND, 0.0)


# --- what is measured -----------------------------------------------------------------------------


def measured() -> list[LabelledRow]:
    made = [
        ("staff work here", "staff work here", "supported"),
        ("cats sleep", "cats sleep", "supported"),
        ("dogs run fast", "dogs sleep", "supported"),
        ("birds fly high", "birds fly", "partial"),
        ("fish swim", "fish swim", "not_enough"),
        ("bees sting", "bees do not sting", "refuted"),
        ("ants march", "rain falls", "refuted"),
        ("moles ???", "moles dig", "supported"),
    ]
    return [
        row(n, claim=claim, evidence=[passage], label=label)
        for n, (claim, passage, label) in enumerate(made)
    ]


def test_rows_get_the_ledgers_verdicts() -> None:
    results = evaluate(measured(), WordJudge()).results
    assert [result.verdict for result in results] == [
        Verdict.SUPPORTED, Verdict.SUPPORTED, Verdict.WEAK, Verdict.WEAK, Verdict.SUPPORTED,
        Verdict.CONTRADICTED, Verdict.NOT_FOUND, None,
    ]  # fmt: skip
    assert results[0].confidence == 1.0
    assert results[2].confidence == pytest.approx(1 / 3)


def test_without_refuted_rows_nothing_is_said_of_contradiction() -> None:
    rows = [each for each in measured() if each.label is not Label.REFUTED]
    assert "contradiction" not in evaluate(rows, WordJudge()).to_mapping()["metrics"]
