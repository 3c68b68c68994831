"""What the work of a job is given, and must keep to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from veridical.service.corpora import Corpora
from veridical.service.settings import ServiceSettings
from veridical.store.jobs import Job
from veridical.store.store import Shelf

T = TypeVar("T")


class CancelledError(Exception):
    """The job was asked to end early."""


class Steps(Protocol):
    """Remembers what was paid for, so that a job that is begun again does not pay twice."""

    def once(self, name: str, work: Callable[[], str]) -> str:
        """What `work` returned when it was done under this name, or does it now. Names are unique
        within a job; the text is kept with it. Use it for each call of a model.
        """
        ...


@dataclass(frozen=True, slots=True)
class Doing:
    """A job under way. Work must give the same result when it is begun again from the start, write
    what comes of it in one transaction (`Shelf…finish`), and keep nothing elsewhere.
    """

    job: Job
    shelf: Shelf
    corpora: Corpora
    settings: ServiceSettings
    steps: Steps
    tell: Callable[[int, int, str], None]
    """Tells how far it is (done, total, step); raises CancelledError where the job shall end.
    Cheap: call it for every claim or section."""


Work = Callable[[Doing], None]
"""Does a job to its end. What it raises fails the job: a VeridicalError with its message."""
