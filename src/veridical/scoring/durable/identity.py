"""What a resume id stands for: one transcript, one rubric, one scorer, one set of settings."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from veridical.errors import ConfigurationError
from veridical.scoring.rubric import Rubric
from veridical.sources.transcript import Transcript

STORED_FORM = 1
"""The form in which runs are stored. A run that was begun in another form is not resumed."""

MOST_RESUME_ID_CHARS = 64

Setting = str | float | None

_RESUME_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*", re.ASCII)
_FORM = "form"
_HASHES = ("transcript", "rubric", "supplemental material")


def check_resume_id(resume_id: str) -> None:
    """Raises ConfigurationError unless it is short, and fit to be a part of a file's name."""
    if len(resume_id) > MOST_RESUME_ID_CHARS or not _RESUME_ID.fullmatch(resume_id):
        raise ConfigurationError(
            f"the resume id must be 1 to {MOST_RESUME_ID_CHARS} letters, digits, dots, dashes or "
            "underscores, and begin with a letter or a digit"
        )


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """What must be the same when a run goes on, so that its answers still answer the question.

    Of the transcript, the rubric and the supplemental material only hashes are kept.
    """

    transcript_sha256: str
    rubric_sha256: str
    scorer: str
    supplemental_sha256: str | None
    settings: tuple[tuple[str, Setting], ...] = ()

    def to_mapping(self) -> dict[str, Setting]:
        """As it is stored; the keys are how messages name the parts."""
        return {
            _FORM: STORED_FORM,
            "transcript": self.transcript_sha256,
            "rubric": self.rubric_sha256,
            "scorer": self.scorer,
            "supplemental material": self.supplemental_sha256,
            **dict(self.settings),
        }

    def refuse_another(self, stored: Mapping[str, Any], resume_id: str) -> None:
        """Raises ConfigurationError, which says what differs, where it is not this run."""
        given = self.to_mapping()
        if stored.get(_FORM) != STORED_FORM:
            raise ConfigurationError(
                f"run {resume_id!r} was begun by a version of veridical that stores runs in "
                "another form. Go on with that version, or take another resume id"
            )
        differing = [name for name in given if stored.get(name) != given[name]]
        if differing:
            told = "; ".join(_difference(name, stored.get(name), given[name]) for name in differing)
            raise ConfigurationError(
                f"run {resume_id!r} was begun differently: {told}. Give what it was begun with, "
                "or take another resume id"
            )


def identify(
    transcript: Transcript,
    rubric: Rubric,
    *,
    scorer: str,
    supplemental: str | None = None,
    settings: Mapping[str, Setting] | None = None,
) -> RunIdentity:
    """The identity of a run over these inputs; `settings` are those that change what comes out."""
    return RunIdentity(
        transcript_sha256=_transcript_sha256(transcript),
        rubric_sha256=rubric.sha256 or _sha256(repr(rubric)),
        scorer=scorer,
        supplemental_sha256=None if supplemental is None else _sha256(supplemental),
        settings=tuple(sorted((settings or {}).items())),
    )


def _transcript_sha256(transcript: Transcript) -> str:
    """Of the words, and of who said them when. The name of the file does not matter."""
    parts = [
        [
            [part.span.start, part.span.end, part.start, part.end, part.speaker]
            for part in of_one_kind
        ]
        for of_one_kind in (transcript.segments, transcript.words)
    ]
    return _sha256(json.dumps([transcript.sha256, *parts]))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _difference(name: str, stored: Any, given: Setting) -> str:
    if name in _HASHES:
        return f"the {name} is another one"
    return f"{name} was {stored!r} and is now {given!r}"
