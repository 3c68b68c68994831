from __future__ import annotations

import pytest
from tests.evaluation.responses import ASKED, GOOD, REFUSED, TRAP
from tests.evaluation.runs import result, run

from veridical.errors import ConfigurationError
from veridical.evaluation.run import ChatError
from veridical.evaluation.summary import Summary, check_gates, parse_gates, summarise


@pytest.fixture
def summary() -> Summary:
    """One of two grounded; 10 and 30 ms; no judge."""
    good = result(ASKED, GOOD, 10.0)
    return summarise(run(good, result(TRAP, GOOD, 30.0)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no metric ''; there are groundedness, citation, correct, answered, refused, "),
        ("grounded=1", "precision, recall, p50, p95"),
        ("groundedness=101", "from 0 to 100"),
        ("groundedness=1_0", "from 0 to 100"),
        (
            "groundedness=0.95",
            "0.95 per cent, which nearly every run reaches; write groundedness=95",
        ),
        ("groundedness=nan", "from 0 to 100"),
        ("p95=inf", "milliseconds, from 0 up"),
        ("p95=5,p95=6", "p95 is given twice"),
        ("groundedness=95,", "no metric ''"),
    ],
)
def test_what_is_no_gate(text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_gates(text)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "holds", "told"),
    [
        ("groundedness=50", True, "groundedness: 50.0 % (1 of 2), at least 50 %"),
        ("groundedness=50.1", False, "groundedness: 50.0 % (1 of 2), at least 50.1 %"),
        ("precision=0", False, "precision: nothing was measured"),
        ("p50=20", True, "p50: 20 ms over 2 of 2 replies, at most 20 ms"),
        ("p95=28.9", False, "p95: 29 ms over 2 of 2 replies, at most 28.9 ms"),
    ],
)
def test_a_gate_holds_or_not(summary: Summary, text: str, holds: bool, told: str) -> None:
    (checked,) = check_gates(parse_gates(text), summary)
    assert checked.holds is holds
    assert told in checked.told


def test_replies_that_never_came_are_not_left_out_of_a_bound_of_time() -> None:
    quick = result(ASKED, GOOD, 5.0)
    summary = summarise(run(quick, *[result(TRAP, ChatError("too slow"))] * 24))
    (gate,) = check_gates(parse_gates("p95=500"), summary)
    assert not gate.holds
    assert "5 ms over 1 of 25 replies" in gate.told


def test_no_time_is_not_a_short_time() -> None:
    summary = summarise(run(result(ASKED, ChatError("no"))))
    assert [gate.holds for gate in check_gates(parse_gates("p50=9,p95=9"), summary)] == [False] * 2
    refused = result(TRAP, REFUSED, 0.0)
    assert check_gates(parse_gates("p50=0"), summarise(run(refused)))[0].holds
