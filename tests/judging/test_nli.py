"""The NLI judge, over real ONNX models whose answers are known."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.judging.tiny_models import NLI_LABELS, write_model

from veridical.errors import ConfigurationError
from veridical.judging.judge import (
    Case,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
)
from veridical.judging.nli import MAX_SENTENCES, TOO_LONG_CLAIM, NliJudge, nli_columns

WEIGHTS = {
    "yes": (6.0, 0.0, 0.0),
    "likely": (5.0, 0.0, 0.0),
    "maybe": (1.0, 0.0, 0.0),
    "no": (0.0, 0.0, 8.0),
}
BIAS = (-1.0, 2.0, -2.0)
CLAIM = "so it is"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("nli"), WEIGHTS, bias=BIAS)


def judged(judge: NliJudge, *sentences: str, claim: str = CLAIM, **more: str) -> Judgement:
    (outcome,) = judge.judge([Case(claim, sentences, **more)])
    assert isinstance(outcome, Judgement), outcome
    return outcome


@pytest.mark.parametrize(
    ("sentences", "support", "contradicts", "deciding"),
    [
        (("yes yes it is",), SupportLevel.FULL, False, (0, 1)),
        (("it rains", "yes yes it is", "it rains"), SupportLevel.FULL, False, (1, 2)),
        (("yes", "it rains", "yes"), SupportLevel.FULL, False, (0, 1)),
        (("it rains",), SupportLevel.NONE, False, None),
        (("maybe maybe maybe",), SupportLevel.PARTIAL, False, (0, 1)),
        (("no",), SupportLevel.NONE, True, (0, 1)),
        (("it rains", "no"), SupportLevel.NONE, True, (1, 2)),
    ],
)
def test_a_judgement_follows_the_model(
    folder: Path,
    sentences: tuple[str, ...],
    support: SupportLevel,
    contradicts: bool,
    deciding: tuple[int, int] | None,
) -> None:
    judgement = judged(NliJudge(folder), *sentences)
    assert (judgement.support, judgement.contradicts) == (support, contradicts)
    assert judgement.deciding == deciding
    assert (judgement.similarity > 0.85) == (support is SupportLevel.FULL)
    for number in (judgement.probability, judgement.contradiction, judgement.similarity):
        assert 0 <= number <= 1


def test_a_passage_that_says_both_is_not_full_support(folder: Path) -> None:
    judgement = judged(NliJudge(folder, OperatingPoint.LENIENT), "yes yes", "it rains", "no")
    assert judgement.support is SupportLevel.PARTIAL
    assert not judgement.contradicts


def test_a_higher_point_asks_for_more(folder: Path) -> None:
    support = {p: judged(NliJudge(folder, p), "likely it is").support for p in OperatingPoint}
    assert support == {
        OperatingPoint.STRICT: SupportLevel.PARTIAL,
        OperatingPoint.BALANCED: SupportLevel.FULL,
        OperatingPoint.LENIENT: SupportLevel.FULL,
    }


@pytest.mark.parametrize(
    ("claim", "passage", "why"),
    [
        ("so it is 15", "yes yes it is 12", "15"),
        ("They get 90 days of leave", "yes yes Interns get leave", "90"),
        ("Staff get leave", "yes yes Staff do not get leave", "not"),
        ("Staff get paid leave", "yes yes Staff get unpaid leave", "unpaid"),
        ("It opens in May", "yes yes It opens in March", "March"),
    ],
)
@pytest.mark.parametrize("point", OperatingPoint)
def test_a_passage_that_shows_a_sign_of_something_else_is_never_full(
    folder: Path, claim: str, passage: str, why: str, point: OperatingPoint
) -> None:
    """Whatever the model says, and whatever numbers the answer itself has before the claim."""
    judge = NliJudge(folder, point)
    judgement = judged(judge, passage, claim=claim, context="Interns 90 days", heading="90 days")
    assert judgement.support is SupportLevel.PARTIAL
    assert why in judgement.notes
    assert judgement.similarity <= 0.85


def test_signs_are_read_from_the_window_that_decides(folder: Path) -> None:
    sentences = ("Leave is not paid", "yes yes yes Staff get 15 days", "Interns do not get 15 days")
    judgement = judged(NliJudge(folder), *sentences, claim="Staff get 15 days")
    assert judgement.support is SupportLevel.FULL
    assert judgement.deciding == (1, 2)


def test_labels_are_read_from_the_config(tmp_path: Path) -> None:
    order = (2, 0, 1)
    weights = {word: [row[i] for i in order] for word, row in WEIGHTS.items()}
    labels = [NLI_LABELS[i] for i in order]
    path = write_model(tmp_path, weights, labels, bias=[BIAS[i] for i in order])
    assert judged(NliJudge(path), "yes yes").support is SupportLevel.FULL
    assert judged(NliJudge(path), "no").contradicts


@pytest.mark.parametrize(
    "labels",
    [
        ("LABEL_0", "LABEL_1", "LABEL_2"),
        ("entailment", "entailment", "neutral"),
    ],
)
def test_labels_that_cannot_be_told_apart_are_refused(
    tmp_path: Path, labels: tuple[str, ...]
) -> None:
    assert nli_columns(labels) is None
    with pytest.raises(ConfigurationError, match="id2label"):
        NliJudge(write_model(tmp_path, WEIGHTS, labels))


@pytest.mark.parametrize(
    ("inputs", "int32", "place"),
    [
        (("input_ids", "attention_mask"), False, "model.onnx"),
        (("input_ids", "attention_mask", "token_type_ids"), True, "onnx/model.onnx"),
    ],
)
def test_the_model_gets_the_inputs_that_it_asks_for(
    tmp_path: Path, inputs: tuple[str, ...], int32: bool, place: str
) -> None:
    path = write_model(tmp_path, WEIGHTS, bias=BIAS, inputs=inputs, int32=int32, place=place)
    assert judged(NliJudge(path), "yes yes").support is SupportLevel.FULL


@pytest.mark.parametrize("before", [0, 700, 1400])
def test_a_long_passage_is_read_to_its_end(folder: Path, before: int) -> None:
    sentence = "it rains " * before + "yes yes it is"
    judgement = judged(NliJudge(folder), "it rains", sentence, "it rains")
    assert judgement.support is SupportLevel.FULL
    assert judgement.deciding == (1, 2)


def test_a_claim_is_never_cut(folder: Path) -> None:
    cases = [Case("so " * 600, ("yes yes",)), Case(CLAIM, ("yes yes",))]
    failed, fine = NliJudge(folder).judge(cases)
    assert failed == JudgeFailure(TOO_LONG_CLAIM)
    assert isinstance(fine, Judgement)


@pytest.mark.parametrize(
    "case",
    [
        Case("", ("yes",)),
        Case(CLAIM, ()),
        Case(CLAIM, ("  ", "")),
        Case(CLAIM, ("yes",) * (MAX_SENTENCES + 1)),
    ],
)
def test_nothing_or_too_much_to_read_is_a_failure(folder: Path, case: Case) -> None:
    assert isinstance(NliJudge(folder).judge([case])[0], JudgeFailure)


# --- folders that cannot be used ------------------------------------------------------------------


def broken_config(folder: Path, **changes: object) -> None:
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, **changes}), encoding="utf-8")


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (shutil.rmtree, "is no folder"),
        (lambda f: (f / "model.onnx").unlink(), "neither model.onnx"),
        (lambda f: (f / "model.onnx").rename(f / "model.safetensors"), "optimum-cli export onnx"),
        (lambda f: (f / "model.onnx").write_bytes(b"not a model"), "cannot be loaded"),
        (lambda f: (f / "tokenizer.json").unlink(), "tokenizer.json is missing"),
        (lambda f: (f / "tokenizer.json").write_text("{}"), "no tokenizer"),
        (lambda f: (f / "config.json").unlink(), "cannot read"),
        (lambda f: (f / "config.json").write_text("[" * 100_000), "not valid JSON"),
        (lambda f: (f / "config.json").write_text("[]"), "no JSON object"),
        (lambda f: (f / "config.json").write_bytes(b" " * 2_000_000), "usable size"),
        (lambda f: broken_config(f, id2label={"0": "a", "2": "b"}), "in turn"),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused(
    tmp_path: Path, break_it: Callable[[Path], object], told: str
) -> None:
    write_model(tmp_path, WEIGHTS)
    break_it(tmp_path)
    with pytest.raises(ConfigurationError, match=told):
        NliJudge(tmp_path)


def test_a_model_that_wants_something_else_is_refused(tmp_path: Path) -> None:
    write_model(tmp_path, WEIGHTS, inputs=("input_ids", "attention_mask", "position_ids"))
    with pytest.raises(ConfigurationError, match="position_ids"):
        NliJudge(tmp_path)


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({"yes": (1.0, 2.0), "no": (2.0, 1.0)}, "does not belong to it"),
        ({"yes": (float("nan"), 2.0, 1.0)}, "finite"),
    ],
)
def test_what_a_model_gives_is_checked(
    tmp_path: Path, weights: dict[str, tuple[float, ...]], told: str
) -> None:
    from veridical.errors import ProcessingError

    judge = NliJudge(write_model(tmp_path, weights))
    with pytest.raises(ProcessingError, match=told):
        judge.judge([Case("yes", ("yes",))])
