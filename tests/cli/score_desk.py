"""A transcript, a rubric with cues and one for a model, as files to run `veridical score` on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.cli.harness import invoke
from tests.models.faulty_server import FaultyServer, answer, completion
from tests.scoring.rubric_texts import RUBRIC
from tests.scoring.samples import rubric_of, sections

from veridical.scoring.rubrics.wire import rubric_to_mapping

RADIO = (
    (0, 5, "Dispatch", "Engine 25, respond to a structure fire at 14 Elm Street."),
    (60, 66, "Engine 25", "Engine 25 is on scene, two story house, smoke showing."),
    (90, 93, "Engine 25", "Engine 25 is assuming command."),
    (110, 113, "Engine 25", "We are in offensive mode."),
    (150, 154, "Engine 25", "We have water on the fire."),
)
ASSUMED = (
    (6, 9, "ENG25", "Engine 25 assuming command."),
    (9, 10, "Dispatch", "Copy, Engine 25 has command."),
)
"""Holds what the replies of `tests.scoring.model_server` quote, at its second."""

FOUR = sections(4)
"""The sections of `four.json`."""

NO_JSON = answer(completion("I would rather talk."))

Said = tuple[float, float, str, str]


def captions(said: tuple[Said, ...], *, later: float = 0.0) -> str:
    """WebVTT of sentences, all of them so many seconds later."""
    cues = (
        f"{_time(start + later)} --> {_time(end + later)}\n<v {speaker}>{words}\n"
        for start, end, speaker, words in said
    )
    return "\n".join(("WEBVTT\n", *cues))


def _time(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes):02}:{rest:06.3f}"


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a transcript and rubrics; no model in the environment."""
    for name in ("MODEL", "BASE_URL", "API_KEY"):
        monkeypatch.delenv(f"VERIDICAL_{name}", raising=False)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    (tmp_path / "radio.vtt").write_text(captions(RADIO), encoding="utf-8")
    (tmp_path / "assumed.vtt").write_text(captions(ASSUMED), encoding="utf-8")
    (tmp_path / "cues.yaml").write_text(RUBRIC, encoding="utf-8")
    write_model_rubric(tmp_path / "four.json", 4)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(server: FaultyServer, *options: str, rubric: str = "four.json") -> Result:
    """Run with the model of a server."""
    named = ("--model", "tiny", "--base-url", server.url)
    return invoke("score", "run", "assumed.vtt", rubric, *named, *options)


def write_model_rubric(path: Path, count: int, **rules: int) -> None:
    """A rubric of sections of one criterion each, without cues, whose model is asked once."""
    rubric = rubric_of(*sections(count), **{"max_retries": 0, **rules})
    path.write_text(json.dumps(rubric_to_mapping(rubric)), encoding="utf-8")


def verdicts(card: dict[str, Any]) -> dict[str, str]:
    return {
        criterion["criterionId"]: criterion["verdict"]
        for section in card["sections"]
        for criterion in section["criteria"]
    }
