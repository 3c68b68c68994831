"""A rubric of twenty sections over the sample radio traffic, by a model that takes its time."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from functools import partial
from pathlib import Path

from benchmarks.measure import Timing, times
from benchmarks.report import Line, goal, ratio, seconds
from veridical.models.protocol import ModelReply, ModelRequest
from veridical.scoring.asking.model_scorer import ModelScorer
from veridical.scoring.journal import score_durably
from veridical.scoring.rubric import Criterion, CriterionType, Rubric, Section, Template
from veridical.scoring.scorer import RubricScorer
from veridical.sources.transcripts.loader import load_transcript

OURS = "**Veridical**"
SECTIONS = 20
AT_ONCE = 5
ANSWER_SECONDS = 0.1
SLOW_SECONDS = 1.0
_IDEAL = SECTIONS / AT_ONCE * ANSWER_SECONDS
_SAMPLE = Path(__file__).parent.parent / "examples" / "scoring" / "fireground.vtt"
_QUOTE = {"quote": "This'll be an offensive attack", "start": 251, "speaker": "Engine 7"}


class _SlowModel:
    """Answers each section truly after a while; the first one perhaps after a longer one."""

    name = "slow"

    def __init__(self, first: float) -> None:
        self._first = first

    def complete(self, request: ModelRequest) -> ModelReply:
        assert request.schema
        section = request.schema["properties"]["sectionId"]["enum"][0]
        time.sleep(self._first if section == "section-0" else ANSWER_SECONDS)
        criterion = {
            "criterionId": section.replace("section", "criterion"),
            "verdict": "met",
            "score": 1,
            "confidence": 0.9,
            "rationale": "",
            "evidence": [_QUOTE],
            "observedEvents": [],
        }
        reply = {"sectionId": section, "criteria": [criterion], "sectionNotes": "", "warnings": []}
        return ModelReply(json.dumps(reply))


def lines(runs: int) -> list[Line]:
    """Row k: all ways in the same rounds, by the clock."""
    made: list[Line] = []
    for slow in (False, True):
        first = SLOW_SECONDS if slow else ANSWER_SECONDS
        spent = times(_ways(first), runs, clock=time.perf_counter)
        made += _table(spent, first, slow=slow)
    return made


def _ways(first: float) -> dict[str, Callable[[], object]]:
    transcript, rubric, model = load_transcript(_SAMPLE), _rubric(), _SlowModel(first)
    scorer = RubricScorer(model)
    return {
        "k": partial(scorer.score, transcript, rubric, concurrency=AT_ONCE),
        "k, durably": partial(_durably, model),
        "k, in batches": partial(_in_batches, ModelScorer(model, transcript, rubric), rubric),
    }


def _durably(model: _SlowModel) -> None:
    sample = load_transcript(_SAMPLE)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        score_durably(sample, _rubric(), resume_id="bench", model=model, concurrency=AT_ONCE)


def _in_batches(scorer: ModelScorer, rubric: Rubric) -> None:
    """Five at a time in lock step: the next five when the last of these is done."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for start in range(0, SECTIONS, AT_ONCE):
            list(pool.map(scorer.score, rubric.sections[start : start + AT_ONCE]))


def _rubric() -> Rubric:
    sections = tuple(
        Section(
            f"section-{number}",
            f"Section {number}",
            1 / SECTIONS,
            (Criterion(f"criterion-{number}", "Declares the strategy", CriterionType.BOOLEAN),),
        )
        for number in range(SECTIONS)
    )
    return Rubric(Template("bench", "Bench", "1"), sections)


def _table(spent: dict[str, Timing], first: float, *, slow: bool) -> list[Line]:
    ours = spent["k"]
    what = f"{SECTIONS} sections of {ANSWER_SECONDS:g} s, {AT_ONCE} at once, by the clock"
    if slow:
        what = f"the same, one of them of {first:g} s"
    must = "" if slow else goal("1.3 x 0.4 s", met=ours.median <= 1.3 * _IDEAL)
    return [
        Line("k", what, OURS, seconds(ours), must=must),
        Line(
            "k",
            "",
            f"{OURS}, kept in a file (`--resume-id`)",
            seconds(spent["k, durably"]),
            ratio(spent["k, durably"].median / ours.median),
        ),
        Line(
            "k",
            "",
            "five at a time in lock step, nothing checked",
            seconds(spent["k, in batches"]),
            ratio(spent["k, in batches"].median / ours.median),
        ),
    ]
