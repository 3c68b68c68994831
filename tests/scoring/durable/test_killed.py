"""A run whose process is stopped goes on where it was, on SQLite and on PostgreSQL."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.scoring.durable.program import CONCURRENCY, Job, rubric
from tests.scoring.durable.runs import Asked, score
from tests.scoring.model_server import ScoringServer, scoring_server
from tests.scoring.samples import TRANSCRIPT, sections

from veridical.errors import ProcessingError
from veridical.scoring.durable import place as durable_place
from veridical.scoring.durable.scoring import score_durably
from veridical.scoring.scorer import RubricScorer
from veridical.scoring.wire import scorecard_to_bytes
from veridical.store.engine import Database

COUNT = 9
BEGUN = "2026-01-01T00:00:00Z"
LATER = "2026-01-02T00:00:00Z"


@pytest.fixture
def pace() -> dict[str, float]:
    """How many seconds each answer takes."""
    return {"seconds": 0.1}


@pytest.fixture
def scoring(pace: dict[str, float]) -> Iterator[ScoringServer]:
    with scoring_server(sections(COUNT), seconds=lambda _: pace["seconds"]) as running:
        yield running


@pytest.fixture(scope="module")
def undisturbed() -> bytes:
    """The scorecard of a run in memory."""
    with scoring_server(sections(COUNT)) as other:
        scorer = RubricScorer(other.model(), created_at=BEGUN)
        return scorecard_to_bytes(scorer.score(TRANSCRIPT, rubric(COUNT)))


def resumed(job: Job, scoring: ScoringServer) -> bytes:
    """The scorecard of this process, which goes on with what another one began."""
    card = score_durably(
        TRANSCRIPT,
        rubric(COUNT),
        resume_id=job.resume_id,
        model=scoring.model(),
        database=job.database,
        created_at=LATER,
    )
    return scorecard_to_bytes(card)


def check_counts(scoring: ScoringServer, kept: Counter[str], stops: int) -> None:
    """What was answered is not asked for again; what was in flight when it stopped may be."""
    assert kept == Counter({section: scoring.asked[section] for section in kept})
    assert set(scoring.asked) == {section.id for section in sections(COUNT)}
    assert scoring.asked.total() <= COUNT + stops * CONCURRENCY
    assert scoring.most_in_flight <= CONCURRENCY


def asked(scoring: ScoringServer, answered: Sequence[str]) -> Counter[str]:
    """How often these sections were asked for by now."""
    return Counter({section: scoring.asked[section] for section in answered})


def states(url: str) -> dict[str, str]:
    """The workflows in a PostgreSQL database."""
    query = "SELECT workflow_uuid, status FROM veridical_scoring.workflow_status"
    with closing(Database(url)) as database, database.reading() as connection:
        return {row.workflow_uuid: row.status for row in connection.execute(text(query))}


def test_killed_after_each_third(
    scoring: ScoringServer, undisturbed: bytes, tmp_path: Path
) -> None:
    job = Job(scoring.server.url, str(tmp_path / "run.sqlite"), COUNT)
    kept = asked(scoring, job.stopped_after(3, signal.SIGKILL))
    assert set(kept.values()) == {1}
    for answers in (6, 9):
        # What was answered before is told as done at once.
        told = asked(scoring, job.stopped_after(answers, signal.SIGKILL))
        assert kept.items() <= told.items()
        kept = told
    assert resumed(job, scoring) == undisturbed
    check_counts(scoring, kept, stops=3)
    assert [path.name for path in tmp_path.iterdir()] == ["run.sqlite"]


def test_interrupted_and_killed_on_postgresql(
    scoring: ScoringServer,
    pace: dict[str, float],
    undisturbed: bytes,
    empty_postgres: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = Job(scoring.server.url, empty_postgres, COUNT)

    def refused() -> None:
        """A second process, while the first one is at work."""
        with monkeypatch.context() as patch:
            patch.setattr(durable_place, "LOCK_SECONDS", 0.1)
            with pytest.raises(ProcessingError, match="another process is working on run 'run'"):
                resumed(job, scoring)

    pace["seconds"] = 0.5
    kept = asked(scoring, job.stopped_after(3, signal.SIGINT, meanwhile=refused))
    assert set(kept.values()) == {1}
    pace["seconds"] = 0.1
    told = asked(scoring, job.stopped_after(6, signal.SIGKILL))
    assert kept.items() <= told.items()
    # Another run in the same database lets this one alone.
    before = scoring.asked.total()
    score(Asked(), empty_postgres, resume_id="run.2")
    assert scoring.asked.total() == before
    assert states(empty_postgres) == {
        "veridical-scoring/run/1": "PENDING",
        "veridical-scoring/run.2/1": "SUCCESS",
    }
    assert resumed(job, scoring) == undisturbed
    check_counts(scoring, told, stops=2)
