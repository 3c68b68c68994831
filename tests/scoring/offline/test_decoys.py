"""Never a false "met": whatever is asked, denied, ordered, doubted or read back does not count."""

from __future__ import annotations

import pytest
from tests.scoring.offline.decoys import ASSERTED, DECOYS, Case
from tests.scoring.offline.one_liners import NOT_SO, SO
from tests.scoring.offline.talk import SECONDS_APART, answer, met_by, talk

from veridical.scoring.answer import CriterionVerdict


@pytest.mark.parametrize("case", DECOYS, ids=str)
def test_what_only_looks_like_it_is_not_observed(case: Case) -> None:
    found = answer(talk(*case.lines), met_by(case.cue))
    assert found.verdict is CriterionVerdict.NOT_OBSERVED
    assert found.score is None
    assert not found.evidence
    assert case.cue[:20] in found.rationale


@pytest.mark.parametrize("case", ASSERTED, ids=str)
def test_what_is_said_as_done_is_met_by_the_line_that_says_so(case: Case) -> None:
    found = answer(talk(*case.lines), met_by(case.cue))
    assert found.verdict is CriterionVerdict.MET, found.rationale
    assert found.score == 1
    assert case.line is not None
    assert found.evidence[0].start == case.line * SECONDS_APART


@pytest.mark.parametrize("cue", NOT_SO)
def test_no_line_that_says_otherwise_counts(cue: str) -> None:
    counted = [
        line
        for line in NOT_SO[cue]
        if answer(talk(line), met_by(cue)).verdict is not CriterionVerdict.NOT_OBSERVED
    ]
    assert not counted


@pytest.mark.parametrize("cue", SO)
def test_no_line_that_says_so_is_lost(cue: str) -> None:
    lost = [
        line
        for line in SO[cue]
        if answer(talk(line), met_by(cue)).verdict is not CriterionVerdict.MET
    ]
    assert not lost
