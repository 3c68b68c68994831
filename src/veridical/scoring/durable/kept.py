"""A scorer that is not asked again for what it has said before, wherever that is kept."""

from __future__ import annotations

import json
from collections.abc import Callable

from veridical.scoring.answer import SectionAnswer, SectionFailure, SectionScorer
from veridical.scoring.durable.answer_wire import answer_from_mapping, answer_to_mapping
from veridical.scoring.rubric import Section

Once = Callable[[str, Callable[[], str]], str]
"""Given the id of a section and what asks for it: the text that was kept of it, or is from now."""


class KeptScorer:
    """A scorer whose answers are kept, section by section."""

    def __init__(self, scorer: SectionScorer, once: Once) -> None:
        self._scorer = scorer
        self._once = once

    @property
    def name(self) -> str:
        """How scorecards name it."""
        return self._scorer.name

    @property
    def rule_based(self) -> bool:
        """Whether it follows fixed rules, without a model."""
        return self._scorer.rule_based

    def score(self, section: Section) -> SectionAnswer | SectionFailure:
        """What was kept of a section, or what the scorer says now."""

        def ask() -> str:
            # As text of our own and in ASCII: any database takes that, whatever a model replied.
            return json.dumps(answer_to_mapping(self._scorer.score(section)), allow_nan=False)

        return answer_from_mapping(json.loads(self._once(section.id, ask)))
