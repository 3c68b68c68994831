"""The claims and questions that the reader learns from: whole, all different, truly held out."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from training.questions import written_questions
from training.shown import WrittenClaim, read_written
from training.writers import FORMAL, HELD_OUT, HELD_OUT_QUESTIONS, MEASURED, WRITERS
from training.writers import QUESTIONS as TRAINED_QUESTIONS

from veridical.text.normalize import fold

DATA = Path(__file__).resolve().parents[2] / "training" / "data"
WRITTEN = sorted((DATA / "written").glob("*.jsonl"))
QUESTIONS = sorted((DATA / "questions").glob("*.jsonl"))
LABELS = {"supported", "refuted", "not_enough"}
HELD_OUT_FILES = [path for path in WRITTEN if path.stem in HELD_OUT]


def claims_of(path: Path) -> list[WrittenClaim]:
    found = read_written(path)
    assert found
    return found


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_a_writer_s_claims_are_labelled_and_all_different(path: Path) -> None:
    claims = claims_of(path)
    assert {claim.label for claim in claims} == LABELS
    assert all(claim.claim.strip() and claim.text.strip() for claim in claims)
    assert len({(claim.text, fold(claim.claim)) for claim in claims}) == len(claims)
    shares = Counter(claim.label for claim in claims)
    assert max(shares.values()) < 0.6 * len(claims), "one label would be a good guess"


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_what_decides_stands_in_the_document(path: Path) -> None:
    claims = [claim for claim in claims_of(path) if claim.label != "not_enough" and claim.basis]
    plain = {claim.text: _letters(claim.text) for claim in claims}
    lost = [
        (claim.doc, fragment)
        for claim in claims
        for fragment in claim.basis
        if not all(_letters(word) in plain[claim.text] for word in fragment.split())
    ]
    assert lost == []


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def test_no_writer_is_both_trained_on_and_held_out() -> None:
    assert len(set(WRITERS)) == len(WRITERS)
    assert not set(WRITERS) & set(HELD_OUT)
    assert set(MEASURED) <= set(HELD_OUT)
    assert {path.stem for path in WRITTEN} <= {*WRITERS, *HELD_OUT}
    assert not set(TRAINED_QUESTIONS) & set(HELD_OUT_QUESTIONS)
    assert {path.stem for path in QUESTIONS} == {
        *TRAINED_QUESTIONS,
        *FORMAL,
        *HELD_OUT_QUESTIONS,
    }


@pytest.mark.parametrize("path", HELD_OUT_FILES, ids=lambda path: path.stem)
def test_no_document_is_measured_on_that_was_trained_on(path: Path) -> None:
    held = claims_of(path)
    trained = [claim for one in WRITTEN if one.stem in WRITERS for claim in claims_of(one)]
    assert not {fold(claim.text) for claim in held} & {fold(claim.text) for claim in trained}
    assert not {fold(claim.claim) for claim in held} & {fold(claim.claim) for claim in trained}


@pytest.mark.parametrize("path", QUESTIONS, ids=lambda path: path.stem)
def test_questions_are_labelled_and_answered_where_they_say(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    (written,) = written_questions([path.stem])
    texts = written.texts
    asked = [row for row in rows if "question" in row]
    assert {row["label"] for row in asked} == {"answerable", "unanswerable"}
    for row in asked:
        assert row["question"].strip()
        assert bool(row["basis"]) or row["label"] == "unanswerable", row
        whole = _letters(texts[row["doc"]])
        if row["label"] == "answerable":
            assert all(_letters(word) in whole for one in row["basis"] for word in one.split()), row
