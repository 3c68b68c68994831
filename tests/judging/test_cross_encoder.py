"""Scores of a cross-encoder, over real ONNX models whose answers are known."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.judging.tiny_models import write_model

from veridical.errors import ConfigurationError
from veridical.judging.cross_encoder import CEILING, FLOOR, CrossEncoder
from veridical.judging.judge import Case


def scores(path: Path, *passages: str) -> list[float]:
    return CrossEncoder(path).score([Case("so it is", (passage,)) for passage in passages])


def test_a_reranker_with_one_logit(tmp_path: Path) -> None:
    path = write_model(tmp_path, {"yes": [2.5], "no": [-1.5]}, ["LABEL_0"])
    assert scores(path, "yes", "no", "it", "yes yes no") == [2.5, -1.5, 0.0, 3.5]


@pytest.mark.parametrize(
    ("labels", "sign"),
    [
        (None, 1),
        (("LABEL_0", "LABEL_1"), 1),
        (("not_supported", "supported"), 1),
        (("Relevant", "irrelevant"), -1),
        (("entailment", "not_entailment"), -1),
    ],
)
def test_of_two_labels_the_one_that_speaks_for_the_claim_counts(
    tmp_path: Path, labels: tuple[str, ...] | None, sign: int
) -> None:
    path = write_model(tmp_path, {"yes": (0.0, 3.0), "no": (2.0, 0.0)}, labels)
    assert scores(path, "yes", "no") == [3.0 * sign, -2.0 * sign]


def test_of_an_nli_model_entailment_counts_against_the_other_two(tmp_path: Path) -> None:
    from math import exp, log

    path = write_model(tmp_path, {"yes": (1.0, 2.0, 3.0)}, ("neutral", "contradiction", "ENTAIL"))
    assert scores(path, "yes") == [pytest.approx(3 - log(exp(1) + exp(2)), abs=1e-4)]


def test_scores_are_bounded(tmp_path: Path) -> None:
    path = write_model(tmp_path, {"yes": [500.0], "no": [-500.0]}, ["score"])
    assert scores(path, "yes", "no") == [CEILING, FLOOR]


def test_the_best_window_of_a_long_passage_counts(tmp_path: Path) -> None:
    path = write_model(tmp_path, {"yes": [2.0], "it": [0.0]}, ["score"])
    assert scores(path, "it " * 900 + "yes " + "it " * 900) == [2.0]


def test_what_cannot_be_read_scores_lowest(tmp_path: Path) -> None:
    path = write_model(tmp_path, {"yes": [2.0]}, ["score"])
    cases = [Case("", ("yes",)), Case("it", ("",)), Case("it " * 600, ("yes",)), Case("it", ())]
    assert CrossEncoder(path).score(cases) == [FLOOR] * 4
    assert CrossEncoder(path).score([]) == []


@pytest.mark.parametrize("labels", [("good", "bad"), ("true", "yes"), ("a", "b", "c")])
def test_labels_that_say_nothing_are_refused(tmp_path: Path, labels: tuple[str, ...]) -> None:
    path = write_model(tmp_path, {"yes": [1.0] * len(labels)}, labels)
    with pytest.raises(ConfigurationError, match="cross-encoder"):
        CrossEncoder(path)
