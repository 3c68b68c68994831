"""The one who answers: an index kept up to date, and an answerer over its newest state."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from veridical.answering.answer import PolicyAnswer
from veridical.answering.answerer import PolicyAnswerer
from veridical.answering.index.policy_index import PolicyIndex, Snapshot
from veridical.errors import VeridicalError
from veridical.models.protocol import LanguageModel
from veridical.service.errors import NotReadyError

_STOP_SECONDS = 5.0
"""How long a refresh that is under way is waited for at the end."""

_NOT_OPENED = "The documents could not be opened"
_NOT_REFRESHED = "The last look for changes failed"

_log = logging.getLogger(__name__)


class State(StrEnum):
    """How far a desk is."""

    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class DeskStatus:
    """What a desk answers from. `unreadable` counts files that could not be read; `version` goes
    up with each change. `message` says why it failed, or why the last refresh did.
    """

    state: State
    documents: int = 0
    chunks: int = 0
    unreadable: int = 0
    version: int = 0
    answered_by: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer and the time it took here, in milliseconds."""

    answer: PolicyAnswer
    latency_ms: float


@dataclass(frozen=True, slots=True)
class _Current:
    snapshot: Snapshot
    answerer: PolicyAnswerer


class AnswerDesk:
    """Opens an index in the background, answers from it, and looks for changes now and then.

    A question is answered from one state of the documents, whatever changes meanwhile. With
    `refresh_seconds` 0 it never looks for changes.
    """

    def __init__(
        self,
        open_index: Callable[[], PolicyIndex],
        *,
        model: LanguageModel | None = None,
        refresh_seconds: float = 0.0,
    ) -> None:
        self._open_index = open_index
        self._model = model
        self._refresh_seconds = refresh_seconds
        self._current: _Current | None = None
        self._message = ""
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to open the index; returns at once."""
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name="index", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look for no more changes."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(_STOP_SECONDS)

    @property
    def status(self) -> DeskStatus:
        """How far it is."""
        current = self._current
        if current is None:
            return DeskStatus(
                State.FAILED if self._message else State.STARTING, message=self._message
            )
        snapshot = current.snapshot
        return DeskStatus(
            State.READY,
            documents=len(snapshot.corpus.documents),
            chunks=len(snapshot.corpus.chunks),
            unreadable=len(snapshot.failures),
            version=snapshot.version,
            answered_by=current.answerer.name,
            message=self._message,
        )

    def answer(self, question: str) -> Answered:
        """The answer to a question, from the newest state of the documents.

        Raises NotReadyError before the index is open, else what `PolicyAnswerer.answer` raises.
        """
        current = self._current
        if current is None:
            raise NotReadyError(self._message or "The index is still being made; try again soon.")
        start = time.perf_counter()
        answer = current.answerer.answer(question)
        return Answered(answer, (time.perf_counter() - start) * 1000)

    def _run(self) -> None:
        """Open the index and keep it up to date; what fails is tried again at the next look."""
        index: PolicyIndex | None = None
        while True:
            try:
                if index is None:
                    index = self._open_index()
                else:
                    index.refresh()
                self._take(index.current())
                self._message = ""
            except Exception as error:  # noqa: BLE001  # whatever it is, the service must tell it
                self._fail(_NOT_OPENED if self._current is None else _NOT_REFRESHED, error)
            if not self._refresh_seconds or self._stopping.wait(self._refresh_seconds):
                return

    def _take(self, snapshot: Snapshot) -> None:
        """Answer from a state of the documents from now on, once all that it needs is made."""
        current = self._current
        if current is not None and current.snapshot is snapshot:
            return
        answerer = PolicyAnswerer(snapshot.corpus, model=self._model)
        answerer.prepare()
        self._current = _Current(snapshot, answerer)
        _log.info("answering from state %d of the documents", snapshot.version)

    def _fail(self, what: str, error: Exception) -> None:
        told = str(error) if isinstance(error, VeridicalError) else type(error).__name__
        message = f"{what}: {told}"
        if message != self._message:  # told once, not at every look; /health has the names in it
            ours = isinstance(error, VeridicalError)
            _log.error("%s (%s)", what, type(error).__name__, exc_info=None if ours else error)
        self._message = message
