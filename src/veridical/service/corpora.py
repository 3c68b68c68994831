"""The documents of each workspace, ready to be searched: made when they are needed, kept while they
are as they were; and the folders that a service is started with, kept indexed in its workspace.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from veridical.errors import ConflictError, NoDocumentsError, VeridicalError
from veridical.ledger.ids import document_id
from veridical.models.protocol import LanguageModel
from veridical.service.errors import NotReadyError
from veridical.service.settings import ServiceSettings
from veridical.store.store import Shelf, Store

if TYPE_CHECKING:
    from veridical.answering.answerer import PolicyAnswerer
    from veridical.answering.index.policy_index import PolicyIndex
    from veridical.ledger.build import LedgerBuilder
    from veridical.retrieval.corpus import Corpus
    from veridical.retrieval.kept import Content


MOST_KEPT = 8
"""Workspaces whose corpora are kept in memory, those used last."""

PATIENCE_SECONDS = 1.0
"""How long after a change was noticed those who ask wait for it: most are taken in by then."""

_NO_DOCUMENTS = "There are no documents in this workspace yet. Upload some, then ask again."

_log = logging.getLogger(__name__)

_State = tuple[tuple[str, str], ...]
"""(document id, fingerprint) of each document, as `Library.state` tells it."""


@dataclass(frozen=True, slots=True)
class WorkspaceCorpus:
    """One state of a workspace's documents. `version` goes up with each change in this process."""

    corpus: Corpus
    answerer: PolicyAnswerer
    builder: LedgerBuilder
    version: int


class Corpora:
    """Corpora by workspace. Usable from several threads; each is made by one of them at a time.

    `model` writes the answers; the embedded author does without one.
    """

    def __init__(self, *, model: LanguageModel | None = None) -> None:
        self._model = model
        self._versions = itertools.count(1)
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Workspace] = OrderedDict()

    def of(self, shelf: Shelf) -> WorkspaceCorpus:
        """The corpus of the documents as they are now; one that is being made is waited for.

        Documents that did not change are not read again. Raises NoDocumentsError where there is
        none.
        """
        found = self._workspace(shelf).newest(shelf, waits=True)
        if not found.corpus.documents:
            raise NoDocumentsError(_NO_DOCUMENTS)
        return found

    def at_hand(self, shelf: Shelf) -> WorkspaceCorpus:
        """The same for a question that is to be answered at once: where another thread takes longer
        to take a change in, the state before is returned. Without documents the corpus is empty.
        """
        return self._workspace(shelf).newest(shelf, waits=False)

    def made(self, shelf: Shelf) -> WorkspaceCorpus | None:
        """The last corpus that was made, whatever changed since; None before there is one."""
        with self._lock:
            kept = self._kept.get(shelf.workspace_id)
        return kept.made.corpus if kept and kept.made else None

    def _workspace(self, shelf: Shelf) -> _Workspace:
        with self._lock:
            kept = self._kept.get(shelf.workspace_id)
            if kept is None:
                kept = self._kept[shelf.workspace_id] = _Workspace(self._model, self._versions)
            self._kept.move_to_end(shelf.workspace_id)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return kept


@dataclass(frozen=True, slots=True)
class _Made:
    """A corpus, and the state and contents that it was made of. `mark` is that of the state."""

    mark: str
    state: _State
    contents: dict[str, Content]
    corpus: WorkspaceCorpus


class _Workspace:
    """The corpus of one workspace."""

    def __init__(self, model: LanguageModel | None, versions: itertools.count[int]) -> None:
        self._model = model
        self._versions = versions
        self._making = threading.Lock()
        self._begun = 0.0
        self.made: _Made | None = None

    def newest(self, shelf: Shelf, *, waits: bool) -> WorkspaceCorpus:
        """The corpus of the state that the store tells; `waits` for another who makes it, however
        long that takes.
        """
        made = self.made
        if made is not None and made.mark == shelf.documents.state_mark():
            return made.corpus
        patience = max(self._begun + PATIENCE_SECONDS - time.monotonic(), 0.0)
        if self._making.acquire(timeout=-1 if waits or made is None else patience):
            self._begun = time.monotonic()
            try:
                return self._renewed(shelf).corpus
            finally:
                self._making.release()
        assert made is not None  # noqa: S101  # or the lock would have been waited for
        return made.corpus

    def _renewed(self, shelf: Shelf) -> _Made:
        """The corpus of the state as it is now, made unless another did that meanwhile."""
        mark = shelf.documents.state_mark()  # before the state: a later change shows next time
        state, made = shelf.documents.state(), self.made
        if made is not None and made.state == state:
            self.made = made = replace(made, mark=mark)
        else:
            contents = _contents(shelf, state, made)
            corpus = self._corpus(shelf, contents)
            self.made = made = _Made(mark, state, contents, corpus)
            _log.info("state %d of documents: %d of one workspace", corpus.version, len(contents))
        return made

    def _corpus(self, shelf: Shelf, contents: dict[str, Content]) -> WorkspaceCorpus:
        # Here, not at the top: this loads most of the library, and the service is to start first.
        from veridical.answering.answerer import PolicyAnswerer
        from veridical.answering.index.snapshot import IndexedCorpus
        from veridical.ledger.build import LedgerBuilder
        from veridical.retrieval.chunks import DEFAULT

        corpus = IndexedCorpus(list(contents.values()), policy=DEFAULT, embedder=None)
        answerer = PolicyAnswerer(corpus, model=self._model)
        answerer.prepare()
        builder = LedgerBuilder(corpus, workspace=shelf.workspace)
        return WorkspaceCorpus(corpus, answerer, builder, next(self._versions))


def _contents(shelf: Shelf, state: _State, made: _Made | None) -> dict[str, Content]:
    """The contents of a state by document id; of the documents in it only what changed is read."""
    before = dict(made.state) if made else {}
    same = {series for series, fingerprint in state if before.get(series) == fingerprint}
    new = tuple(series for series, _ in state if series not in same)
    kept = made.contents if made else {}
    found = {series: kept[series] for series in kept if series in same}
    if new:
        library = shelf.documents
        for content in library.contents(new if same else None):
            found[library.document_id(content[0].name)] = content
    # One that was deleted since the state was told is missing: the next state tells that.
    return {series: found[series] for series, _ in state if series in found}


_STOP_SECONDS = 5.0
"""How long a refresh that is under way is waited for at the end."""

_NOT_OPENED = "The documents could not be opened"
_NOT_REFRESHED = "The last look for changes failed"
_NOT_READY = "The documents are still being read; try again soon."


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
            seconds = self._settings.refresh_seconds if self._settings.documents else 0
            if not seconds or self._stopping.wait(seconds):
                return

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
