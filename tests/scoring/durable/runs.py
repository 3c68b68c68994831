"""Runs in this process, with a model that counts what it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

from tests.scoring.samples import TRANSCRIPT, reply_text, rubric_of, sections

from veridical.errors import ModelUnavailable
from veridical.models.protocol import ModelRequest
from veridical.models.scripted import ScriptedModel
from veridical.scoring.durable.scoring import score_durably
from veridical.scoring.scorecard import Scorecard

SECTIONS = sections(4)
RUBRIC = rubric_of(*SECTIONS, concurrency=2, max_retries=0)
ONCE = {section.id: 1 for section in SECTIONS}


class Asked(Counter[str]):
    """How often a model was asked for each section. It says that all is met.

    The first time it raises `error` for the sections that are to fail.
    """

    def __init__(
        self,
        fails: Collection[str] = (),
        error: Exception = ModelUnavailable("not now"),  # noqa: B008 - it is not changed
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._fails = set(fails)
        self._error = error
        self._meanwhile = meanwhile

    def model(self) -> ScriptedModel:
        return ScriptedModel([self._reply], name="tiny", repeat_last=True)

    def _reply(self, request: ModelRequest) -> str:
        assert request.schema is not None
        name: str = request.schema["properties"]["sectionId"]["enum"][0]
        self[name] += 1
        if name in self._fails:
            self._fails.remove(name)
            raise self._error
        self._meanwhile()
        return reply_text(next(section for section in SECTIONS if section.id == name))


def score(asked: Asked, database: str | None, **changes: Any) -> Scorecard:
    given = {"transcript": TRANSCRIPT, "rubric": RUBRIC, "resume_id": "run", **changes}
    return score_durably(database=database, **{"model": asked.model(), **given})
