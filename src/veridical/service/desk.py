"""Questions that are answered at once, and whether they can be."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from veridical.answering.answer import PolicyAnswer
from veridical.service.context import Service, in_own_thread, service_of
from veridical.service.corpora import FolderState
from veridical.service.entry.access import Access, caller_of
from veridical.service.errors import RefusedError
from veridical.store.store import Shelf

_BUSY = "Too many questions are being answered just now. Ask this one again soon."
_GONE = "Whoever asked has gone away."


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer and the time it took here, in milliseconds."""

    answer: PolicyAnswer
    latency_ms: float


async def answer_in_turn(request: Request, access: Access, question: str) -> Answered:
    """The answer to a question, from one state of the documents, whatever changes meanwhile: in a
    thread of its own, as a model may take minutes, and with so many at a time of each caller and
    workspace, so that nobody keeps the others waiting.

    Raises RefusedError where there is no place in time, or the client went away meanwhile, and
    NotReadyError while the folders of the workspace are read for the first time, else what
    `PolicyAnswerer.answer` raises.
    """
    service = service_of(request)

    def answer() -> Answered:
        service.folders.require_ready(access.shelf)
        start = time.perf_counter()
        found = service.corpora.at_hand(access.shelf).answerer.answer(question)
        return Answered(found, (time.perf_counter() - start) * 1000)

    async with service.asking.one_for(access.workspace, caller_of(request)) as is_given:
        if not is_given:
            raise RefusedError(503, "too_many_questions", _BUSY, {"Retry-After": "5"})
        if await request.is_disconnected():
            raise RefusedError(408, "too_slow", _GONE)
        return await in_own_thread(answer)


def status(service: Service, shelf: Shelf) -> dict[str, Any]:
    """How far it is, without looking into the database, and what is answered from. `unreadable`
    counts files of folders that could not be read; `version` goes up with each change. `message`
    says why it failed, or why the last look for changes did.
    """
    folders, made = service.folders.status, service.corpora.made(shelf)
    is_early = made is None and folders.state is FolderState.READY
    return {
        "status": FolderState.STARTING if is_early else folders.state,
        "documents": len(made.corpus.documents) if made else 0,
        "chunks": len(made.corpus.chunks) if made else 0,
        "unreadable": folders.unreadable if made else 0,
        "version": made.version if made else 0,
        "answered_by": made.answerer.name if made else "",
        "message": folders.message,
    }
