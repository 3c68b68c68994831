"""The work of a job of the kind `scorecard`."""

from __future__ import annotations

from collections.abc import Callable

from veridical.scoring.answer import SectionScorer
from veridical.scoring.durable.kept import KeptScorer
from veridical.service.jobs.work.doing import Doing
from veridical.service.jobs.work.records import record_of
from veridical.service.records.results import scored
from veridical.store.records import RecordKind


def work(doing: Doing) -> None:
    """Score the transcript section by section, and keep the scorecard."""
    record = record_of(doing, RecordKind.SCORECARD)

    def once(section_id: str, ask: Callable[[], str]) -> str:
        return doing.steps.once(f"section-{section_id}", ask)

    def keeping(scorer: SectionScorer) -> SectionScorer:
        return scorer if scorer.rule_based else KeptScorer(scorer, once)

    outcome = scored(
        record.request,
        record.created_at,
        model=doing.settings.model,
        keeping=keeping,
        progress=lambda done, total: doing.tell(done, total, "scoring sections"),
    )
    doing.shelf.records.finish(record.id, outcome.result, outcome.summary)
