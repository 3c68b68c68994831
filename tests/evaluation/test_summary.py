from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.responses import (
    ASKED,
    GOOD,
    LEAVE,
    REFUSED,
    TRAP,
    response,
)
from tests.evaluation.runs import result
from tests.evaluation.runs import run as run_of

from veridical.evaluation.run import (
    ChatError,
)
from veridical.evaluation.summary import percentile, shown_percent, summarise
from veridical.judging.metrics import Rate


def test_each_metric_has_its_own_denominator() -> None:
    unknown = replace(ASKED, id="q3", expected=())
    summary = summarise(
        run_of(
            result(ASKED, GOOD),
            result(unknown, response("Two days [1].", LEAVE)),
            result(replace(ASKED, id="q4"), REFUSED),
            result(TRAP, REFUSED),
            result(replace(TRAP, id="q5"), GOOD),
            result(replace(ASKED, id="q6"), ChatError("HTTP 500")),
            result(replace(TRAP, id="q7"), ChatError("HTTP 500")),
        )
    )
    counted = {name: (rate.count, rate.of) for name, rate in summary.rates.items()}
    assert counted == {
        "groundedness": (3, 7),
        "citation_accuracy": (2, 7),
        "correct": (2, 6),
        "answered": (2, 4),
        "refused": (1, 3),
        "false_answers": (1, 3),
        "false_refusals": (1, 4),
        "citation_precision": (0, 0),
        "citation_recall": (0, 0),
    }
    assert (summary.questions, summary.errors) == (7, 2)
    assert summary.client_latency_ms.of == 5


def test_latency_is_of_the_responses_that_came_by_client_and_by_server() -> None:
    times = [10.0, 20.0, 30.0, 40.0]
    results = [result(replace(ASKED, id=str(ms)), GOOD, ms) for ms in times]
    silent = replace(GOOD, latency_ms=None)
    failed = result(replace(ASKED, id="e"), ChatError("slow"), client_ms=60_000.0)
    summary = summarise(run_of(*results, result(replace(ASKED, id="s"), silent, 50.0), failed))
    client, server = summary.client_latency_ms, summary.server_latency_ms
    assert (client.p50, client.p95, client.of) == (30.0, 48.0, 5)
    assert (server.p50, server.p95, server.of) == (12.5, 12.5, 4)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50), st.sampled_from([0, 50, 95, 100]))
def test_percentiles_are_those_of_numpy(values: list[float], percent: int) -> None:
    assert percentile(values, percent) == pytest.approx(float(np.percentile(values, percent)))


@pytest.mark.parametrize(
    ("rate", "shown"),
    [
        (Rate(25, 25), "100.0 %"),
        (Rate(2_999, 3_000), "99.9 %"),
        (Rate(1, 3_000), "0.1 %"),
        (Rate(0, 5), "0.0 %"),
        (Rate(0, 0), "none"),
    ],
)
def test_some_is_never_shown_as_all_or_none(rate: Rate, shown: str) -> None:
    assert shown_percent(rate) == shown
