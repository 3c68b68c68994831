"""Questions that are answered at once, and whether they can be."""

from __future__ import annotations

import time
from dataclasses import dataclass

from starlette.requests import Request

from veridical.answering.answer import PolicyAnswer
from veridical.service.context import Service, service_of
from veridical.service.entry.access import Access, caller_of
from veridical.service.entry.places import in_own_thread
from veridical.service.errors import RefusedError
from veridical.service.reading.folders import FolderState
from veridical.store.shelf import Shelf

_BUSY = "Too many questions are being answered just now. Ask this one again soon."
_GONE = "Whoever asked has gone away."


@dataclass(frozen=True, slots=True)
class DeskStatus:
    """What is answered from. `unreadable` counts files of folders that could not be read; `version`
    goes up with each change. `message` says why it failed, or why the last look for changes did.
    """

    state: FolderState
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


def answer(service: Service, shelf: Shelf, question: str) -> Answered:
    """The answer to a question, from one state of the documents, whatever changes meanwhile.

    Raises NotReadyError while the folders of the workspace are read for the first time, else what
    `PolicyAnswerer.answer` raises.
    """
    service.folders.require_ready(shelf)
    start = time.perf_counter()
    found = service.corpora.at_hand(shelf).answerer.answer(question)
    return Answered(found, (time.perf_counter() - start) * 1000)


async def answer_in_turn(request: Request, access: Access, question: str) -> Answered:
    """The same for a call: in a thread of its own, as a model may take minutes, and with so many at
    a time of each caller and workspace, so that nobody keeps the others waiting.

    Raises RefusedError where there is no place in time, or the client went away meanwhile.
    """
    service = service_of(request)
    async with service.asking.one_for(access.workspace, caller_of(request)) as is_given:
        if not is_given:
            raise RefusedError(503, "too_many_questions", _BUSY, {"Retry-After": "5"})
        if await request.is_disconnected():
            raise RefusedError(408, "too_slow", _GONE)
        return await in_own_thread(lambda: answer(service, access.shelf, question))


def status(service: Service, shelf: Shelf) -> DeskStatus:
    """How far it is, without looking into the database."""
    folders, made = service.folders.status, service.corpora.made(shelf)
    if made is None:
        state = FolderState.STARTING if folders.state is FolderState.READY else folders.state
        return DeskStatus(state, message=folders.message)
    return DeskStatus(
        folders.state,
        documents=len(made.corpus.documents),
        chunks=len(made.corpus.chunks),
        unreadable=folders.unreadable,
        version=made.version,
        answered_by=made.answerer.name,
        message=folders.message,
    )
