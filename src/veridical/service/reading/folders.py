"""Keeps the folders that a service is started with indexed in its workspace."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from veridical.errors import ConflictError, VeridicalError
from veridical.ledger.ids import document_id
from veridical.service.corpora import Corpora
from veridical.service.errors import NotReadyError
from veridical.service.settings import ServiceSettings
from veridical.store.store import Shelf, Store

if TYPE_CHECKING:
    from veridical.answering.index.policy_index import PolicyIndex

_STOP_SECONDS = 5.0
"""How long a refresh that is under way is waited for at the end."""

_NOT_OPENED = "The documents could not be opened"
_NOT_REFRESHED = "The last look for changes failed"
_NOT_READY = "The documents are still being read; try again soon."

_log = logging.getLogger(__name__)


class FolderState(StrEnum):
    """How far the first look at the folders is."""

    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class FolderStatus:
    """`unreadable` counts files that could not be read. `message` says why the first look failed,
    or why the last did.
    """

    state: FolderState
    unreadable: int = 0
    message: str = ""


class Folders:
    """Looks for changed files now and then, and has the corpus of their workspace made, so that the
    first question need not wait for it. Without folders it does the latter once.

    With `refresh_seconds` 0 it looks once.
    """

    def __init__(self, settings: ServiceSettings, store: Store, corpora: Corpora) -> None:
        self._settings = settings
        self._store = store
        self._corpora = corpora
        self._index: PolicyIndex | None = None
        self._status = FolderStatus(FolderState.STARTING)
        self._ids: frozenset[str] = frozenset()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to look; returns at once."""
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name="folders", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(_STOP_SECONDS)

    @property
    def status(self) -> FolderStatus:
        """How far it is."""
        return self._status

    def require_ready(self, shelf: Shelf) -> None:
        """Raises NotReadyError while the folders of this workspace are read for the first time, or
        where they cannot be.
        """
        status = self._status
        if self._is_kept(shelf) and status.state is not FolderState.READY:
            raise NotReadyError(status.message or _NOT_READY)

    def holds(self, shelf: Shelf, document: str) -> bool:
        """Whether the document of an id is a file of a folder."""
        return self._is_kept(shelf) and document in self._ids

    def require_not_kept(self, shelf: Shelf, document: str) -> None:
        """Raises ConflictError for the id of a document that a folder holds: what is in a folder is
        changed there, or the next look would undo it.
        """
        if self.holds(shelf, document):
            raise ConflictError(
                "This document is kept as it is in a folder of the server. Change or delete the "
                "file there; it is read again by itself."
            )

    def _is_kept(self, shelf: Shelf) -> bool:
        return bool(self._settings.documents) and shelf.workspace == self._settings.workspace

    def _run(self) -> None:
        while True:
            try:
                unreadable = self._look()
                self._corpora.at_hand(self._store.shelf(self._settings.workspace))
                self._status = FolderStatus(FolderState.READY, unreadable)
            except Exception as error:  # noqa: BLE001  # whatever it is, the service must tell it
                self._fail(error)
            if not self._refreshes or self._stopping.wait(self._settings.refresh_seconds):
                return

    @property
    def _refreshes(self) -> bool:
        return bool(self._settings.documents and self._settings.refresh_seconds)

    def _look(self) -> int:
        """Read what changed; how many files cannot be read."""
        if not self._settings.documents:
            return 0
        if self._index is None:
            from veridical.answering.index.policy_index import PolicyIndex

            self._index = PolicyIndex.open(
                self._settings.documents,
                database=self._settings.database,
                workspace=self._settings.workspace,
            )
            report = self._index.opened
        else:
            report = self._index.refresh()
        workspace = self._settings.workspace
        self._ids = frozenset(document_id(name, workspace) for name in self._index.names())
        return len(report.failures)

    def _fail(self, error: Exception) -> None:
        ours = isinstance(error, VeridicalError)
        was_ready = self._status.state is FolderState.READY
        what = _NOT_REFRESHED if was_ready else _NOT_OPENED
        message = f"{what}: {error if ours else type(error).__name__}"
        if message != self._status.message:  # told once, not at every look; /health has the names
            _log.error("%s (%s)", what, type(error).__name__, exc_info=None if ours else error)
        state = FolderState.READY if was_ready else FolderState.FAILED
        self._status = FolderStatus(state, self._status.unreadable, message)
