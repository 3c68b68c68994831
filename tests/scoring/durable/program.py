"""Programs of their own that score durably: started, killed and started again by tests."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tests.scoring.samples import TRANSCRIPT, rubric_of, sections
from tests.store.processes import ROOT, SECONDS

from veridical.models.openai_compatible import OpenAICompatibleModel
from veridical.models.settings import ModelSettings
from veridical.scoring.durable.scoring import score_durably
from veridical.scoring.rubric import Rubric, Section
from veridical.scoring.running import SectionState

CONCURRENCY = 3
ENDS_SAYING = {signal.SIGKILL: [], signal.SIGINT: ["KeyboardInterrupt"]}


def rubric(count: int) -> Rubric:
    return rubric_of(*sections(count), concurrency=CONCURRENCY)


@dataclass(frozen=True)
class Job:
    """A run that a program begins, or goes on with."""

    server_url: str
    database: str
    count: int
    resume_id: str = "run"
    created_at: str = "2026-01-01T00:00:00Z"

    @contextmanager
    def started(self) -> Iterator[subprocess.Popen[str]]:
        """A program at work; killed at the end if it still is."""
        arguments = json.dumps([getattr(self, name) for name in self.__dataclass_fields__])
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "tests.scoring.durable.program", arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        try:
            yield process
        finally:
            process.kill()
            process.communicate(timeout=SECONDS)

    def stopped_after(
        self, answers: int, by: signal.Signals, *, meanwhile: Callable[[], None] = lambda: None
    ) -> list[str]:
        """The sections that a program told as done when it was sent a signal, and ended."""
        with self.started() as process:
            told = _done_lines(process, answers)
            meanwhile()
            process.send_signal(by)
            _, complaints = process.communicate(timeout=SECONDS)
        assert process.returncode == -by
        assert complaints.splitlines()[-1:] == ENDS_SAYING[by]
        return told


def _done_lines(process: subprocess.Popen[str], count: int) -> list[str]:
    """Read until so many sections are done, and tell which."""
    assert process.stdout is not None
    done: list[str] = []
    while len(done) < count:
        line = process.stdout.readline()
        assert line, process.stderr and process.stderr.read()
        word, _, section = line.strip().partition(" ")
        if word == SectionState.DONE:
            done.append(section)
    return done


def main(arguments: Sequence[str]) -> None:
    job = Job(*json.loads(arguments[0]))

    def tell(section: Section, state: SectionState) -> None:
        print(state, section.id, flush=True)

    score_durably(
        TRANSCRIPT,
        rubric(job.count),
        resume_id=job.resume_id,
        model=OpenAICompatibleModel(ModelSettings("tiny", job.server_url, max_retries=0)),
        database=job.database,
        created_at=job.created_at,
        on_change=tell,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
