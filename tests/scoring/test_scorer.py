"""From a transcript and a rubric to a scorecard."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from tests.models.faulty_server import error
from tests.scoring.model_server import scoring_server
from tests.scoring.samples import (
    ARRIVAL,
    MODE,
    TRANSCRIPT,
    item,
    reply_text,
    reply_to,
    rubric_of,
    sections,
)
from tests.speech.transcripts import plain

from veridical.errors import (
    ModelError,
    ModelUnavailable,
    ValidationError,
)
from veridical.models.protocol import ModelRequest
from veridical.models.scripted import ScriptedModel
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    Cue,
    CueGroup,
    Cues,
    EnumOption,
    Grading,
    Rubric,
    Section,
)
from veridical.scoring.scorecard import (
    CriterionVerdict,
    WarningCode,
)
from veridical.scoring.scorer import RubricScorer
from veridical.scoring.wire import scorecard_from_bytes, scorecard_to_bytes
from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.loader import transcript_from_text

RUBRIC = rubric_of(ARRIVAL)


def test_without_times_no_clock_runs_and_the_reason_says_so() -> None:
    said = "A: Engine 25 on scene.\nA: We have water on the fire."
    card = RubricScorer(ScriptedModel([json.dumps(reply_to(ARRIVAL))])).score(
        transcript_from_text(said), RUBRIC
    )
    timing = card.sections[0].criteria[-1].timing
    assert timing is not None
    assert timing.reason == "the transcript has no times"
    assert scorecard_from_bytes(scorecard_to_bytes(card)) == card


def quote(words: str, start: float, speaker: str | None = "ENG25") -> dict[str, object]:
    return {"quote": words, "start": start, "speaker": speaker}


def test_a_scorecard_rests_on_verified_words_and_computed_times() -> None:
    scene, water = quote("Engine 25 on scene", 0), quote("water on the fire", 130)
    events = [{"name": "unit_on_scene", "at": 0}, {"name": "water_on_fire", "at": 131}]
    reply = reply_to(
        ARRIVAL,
        item("announce-command", evidence=[quote("Engine 25 assuming command", 7)]),
        item("size-up", "partial", score=3, evidence=[quote("two story house", 1)]),
        item("attack-mode", score=1, evidence=[quote("going offensive", 20)]),
        item("first-water", "missed", score=0, evidence=[scene, water], observedEvents=events),
    )
    card = RubricScorer(ScriptedModel([json.dumps(reply)])).score(TRANSCRIPT, RUBRIC)
    command, report, mode, first_water = card.sections[0].criteria
    assert (command.review.verdict, command.normalized) == (CriterionVerdict.MET, 1.0)
    assert (report.review.verdict, report.normalized) == (CriterionVerdict.PARTIAL, 0.75)
    assert mode.review.verdict is CriterionVerdict.NOT_OBSERVED
    assert first_water.review.verdict is not CriterionVerdict.MISSED
    assert first_water.timing is not None
    assert first_water.timing.seconds == pytest.approx(130, abs=3)
    codes = {warning.code for warning in card.warnings}
    assert {WarningCode.EVIDENCE_NOT_VERIFIED, WarningCode.VERDICT_OVERRULED} <= codes
    assert (card.model_info.scorer, card.model_info.rule_based) == ("scripted", False)
    assert card.created_at is None


@pytest.mark.parametrize(
    "transcript",
    [
        *map(plain, ["", " \n ", "... --- !"]),
        *(transcript_from_text(text, "talk") for text in ["[00:01] A: ...", "SPEAKER_00: --\n"]),
    ],
)
def test_a_transcript_without_words_is_refused(transcript: Transcript) -> None:
    model = ScriptedModel([])
    with pytest.raises(ValidationError, match="'talk' is empty"):
        RubricScorer(model).score(transcript, RUBRIC)
    assert model.calls == 0


COMMAND = ARRIVAL.criteria[0]
YES_OR_NO = CriterionType.BOOLEAN


def one_section(criterion: Criterion, weight: float = 1.0) -> Rubric:
    return rubric_of(Section("arrival", "Arrival", weight, (criterion,)))


@pytest.mark.parametrize(
    ("rubric", "message"),
    [
        (one_section(COMMAND, 0.4), r"sections: the weights of the sections sum to 0.4"),
        (one_section(COMMAND, math.inf), r"sections\[0\].weight: inf is not a finite number"),
        (one_section(replace(COMMAND, weight=1e308)), r"criteria\[0\].weight: .* too large"),
        (one_section(replace(COMMAND, weight=math.nan)), r"weight: nan is not a finite"),
        (one_section(replace(COMMAND, weight="1")), r"criteria\[0\].weight: .* must be a number"),  # type: ignore[arg-type]
        (one_section(replace(COMMAND, type="boolean")), "wrong type"),  # type: ignore[arg-type]
        (one_section(replace(COMMAND, title="\ud800")), r"title: half of a surrogate pair"),
        (
            one_section(replace(MODE, options=(EnumOption("a", 1), EnumOption("b", 1)))),
            r"enumOptions\[1\]: the score 1 is that of another option already, at sections\[0\]",
        ),
        (one_section(Criterion("a", "A", CriterionType.TIMING)), '"timing" is missing'),
        (one_section(Criterion("a", "A", YES_OR_NO, grading=Grading(0, 4))), "type graded"),
        (
            rubric_of(replace(ARRIVAL, weight=0.5), replace(ARRIVAL, id="end", weight=0.5)),
            'the criterion id "announce-command" is taken by the criterion at sections',
        ),
        (
            one_section(replace(COMMAND, cues=Cues(events=(CueGroup("a", (Cue("b"),)),) * 2))),
            r"cues.events.a: stands twice",
        ),
        (rubric_of(ARRIVAL, concurrency=0), "llm.concurrency: 0 is too small"),
    ],
)
def test_a_rubric_that_no_file_could_have_is_refused_before_anything_is_asked(
    rubric: Rubric, message: str
) -> None:
    model = ScriptedModel([])
    with pytest.raises(ValidationError, match=message) as caught:
        RubricScorer(model).score(TRANSCRIPT, rubric)
    assert model.calls == 0
    assert str(caught.value).startswith("rubric: ")


def test_a_rubric_without_sections_is_refused() -> None:
    with pytest.raises(ValidationError, match="no sections"):
        RubricScorer().score(TRANSCRIPT, rubric_of())


THREE = sections(3)


@pytest.mark.parametrize(
    ("status", "kind", "reason"), [(401, ModelError, "key"), (503, ModelUnavailable, "503")]
)
def test_a_run_in_which_no_section_is_scored_could_not_be_made(
    status: int, kind: type[ModelError], reason: str
) -> None:
    plan = {section.id: [error(status)] for section in THREE}
    with (
        scoring_server(THREE, plan=plan) as server,
        pytest.raises(ModelError, match=f"scored no section.*{reason}") as raised,
    ):
        RubricScorer(server.model()).score(TRANSCRIPT, rubric_of(*THREE, max_retries=0))
    assert raised.type is kind


def test_the_scorecard_does_not_depend_on_who_is_done_first() -> None:
    rubric = rubric_of(*THREE)

    def reply(request: ModelRequest) -> str:
        assert request.schema is not None
        name = request.schema["properties"]["sectionId"]["enum"][0]
        return reply_text(next(section for section in THREE if section.id == name))

    cards = [
        RubricScorer(ScriptedModel([reply], repeat_last=True)).score(
            TRANSCRIPT, rubric, concurrency=at_once
        )
        for at_once in (1, 2, 9)
    ]
    assert cards[0] == cards[1] == cards[2]
