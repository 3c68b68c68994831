"""The `veridical score` commands."""

from __future__ import annotations

import click

from veridical.cli.group import Commands

_COMMANDS = {
    "agreement": "Tell how far scorecards and a person agree, criterion by criterion.",
    "diff": "Tell what changed between two scorecards, criterion by criterion.",
    "draft": "Draft a rubric from a procedure, each criterion with its exact words and page.",
    "lint": "Check a rubric, and name the line of each mistake.",
    "rubrics": "List the rubrics that are shipped, or print one, to be changed and used as a file.",
    "run": "Score a transcript, or a recording, which is heard first (see: veridical transcribe).",
    "trend": "Tell what improves over several scorecards, and what does not.",
}
_PLACES = {"lint": "score_rubrics:lint"}


@click.group(cls=Commands, elsewhere=_COMMANDS, places=_PLACES, prefix="score_")
def score() -> None:
    """Score a transcript against a rubric, every verdict on words that were said.

    TRANSCRIPT is JSON of Whisper (OpenAI, faster-whisper, WhisperX, whisper-timestamped,
    whisper.cpp), Deepgram or AssemblyAI, SRT, WebVTT, or lines with [mm:ss] and SPEAKER:. RUBRIC is
    a YAML or JSON file, or the name of one that is shipped (see: veridical score rubrics). Either
    may be - for standard input.
    """
