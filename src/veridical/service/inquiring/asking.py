"""What is asked for: questions that are answered at once, sessions that are kept and worked on, and
their ledgers as files, with the signed addresses that those are downloaded by.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from veridical.answering.answer import PolicyAnswer
from veridical.errors import ValidationError
from veridical.ledger.entry import MAX_ANSWER_CHARS
from veridical.service.context import Service, in_own_thread, service_of
from veridical.service.corpora import FolderState
from veridical.service.entry.access import Access, caller_of, is_signed, sign
from veridical.service.errors import NotFoundError, RefusedError, there
from veridical.service.settings import API_PREFIX
from veridical.store.export_files import ExportFile
from veridical.store.inquiries import Inquiry, Mode
from veridical.store.jobs import JobState
from veridical.store.store import Shelf

NO_SESSION = "There is no such session in this workspace."
MOST_TITLE_CHARS = 200
MOST_QUERY_CHARS = 10_000
"""Of what is kept beside an answer to be checked; a question to be answered has its own limit."""


def new_inquiry(
    service: Service,
    access: Access,
    mode: Mode,
    query: str,
    *,
    answer: str | None = None,
    title: str = "",
    earlier: str | None = None,
) -> Inquiry:
    """Keep a question, or an answer to be checked, and have it worked on. `earlier` is the session
    that it checks again.

    Raises ValidationError for a question without words, an answer where none belongs or none where
    one does, and for what is too long.
    """
    _check_length("title", title, MOST_TITLE_CHARS)
    if mode is Mode.ANSWER:
        if answer is not None:
            raise ValidationError("answer: only a session of the mode “verify” has one to check")
        # Not at the top: it loads the words of questions, and the service is to start first.
        from veridical.answering.question import read_question

        query = read_question(query).text
    else:
        _check_length("query", query, MOST_QUERY_CHARS)
        _check_length("answer", answer or "", MAX_ANSWER_CHARS)
        if not (answer or "").strip():
            raise ValidationError("answer: there is nothing to check; give the answer's text")
    inquiry, job = access.shelf.inquiries.add(
        mode,
        query.strip(),
        answer=answer or "",
        title=title.strip(),
        by=access.actor,
        id=access.new_id,
        earlier=earlier,
    )
    service.jobs.wake(job.id)
    return inquiry


def _check_length(name: str, given: str, most: int) -> None:
    if len(given) > most:
        raise ValidationError(f"{name}: it has {len(given):,} characters, the limit is {most:,}")


WAIT_SECONDS = 5.0
"""How long one waits for a file before one is told that it is being made."""

_LOOK_SECONDS = 0.05
_NO_DOWNLOAD = "There is no such download. Take the address of the export as it is."


async def exported(service: Service, access: Access, session_id: str, format: str) -> ExportFile:
    """The ledger of a session as a file, once that is made, or as it is after `WAIT_SECONDS`.

    Raises NotFoundError where there is no such session, RefusedError where it has no ledger yet.
    """
    export = await run_in_threadpool(_begin, service, access, session_id, format)
    deadline = asyncio.get_running_loop().time() + WAIT_SECONDS
    while not JobState(export.state).is_over and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(_LOOK_SECONDS)
        found = await run_in_threadpool(access.shelf.exports.get, export.id)
        export = export if found is None else found
    return export


def _begin(service: Service, access: Access, session_id: str, format: str) -> ExportFile:
    added = access.shelf.exports.add(
        session_id, format, seconds=service.settings.download_seconds, id=access.new_id
    )
    if added is None:
        there(access.shelf.inquiries.get(session_id), NO_SESSION)
        raise RefusedError(409, "not_ready", "The session has no ledger yet; wait for its job.")
    export, job = added
    service.jobs.wake(job.id)
    return export


def download_url(service: Service, workspace: str, export: ExportFile) -> str:
    """The address of a file: a path, good until the file expires."""
    expires = str(int(export.expires_at.timestamp()))
    signature = sign(service.identities.secret, *_signed_parts(workspace, export.id, expires))
    query = urlencode({"workspace": workspace, "expires": expires, "signature": signature})
    return f"{API_PREFIX}/downloads/{export.id}?{query}"


def downloaded(
    service: Service, workspace: str, export_id: str, expires: str, signature: str
) -> tuple[ExportFile, bytes]:
    """A file with its bytes, by the parts of its signed address as they are written: the one way to
    what is on a shelf without a token, and to nothing else on it.

    Raises NotFoundError for an address that was not given out, or whose file is not made yet, and
    RefusedError (410) where it expired.
    """
    parts = _signed_parts(workspace, export_id, expires)
    if not is_signed(service.identities.secret, signature, *parts):
        raise NotFoundError(_NO_DOWNLOAD)
    if int(expires) <= datetime.now(UTC).timestamp():
        raise _gone()
    exports = service.store.shelf(workspace).exports
    export = exports.get(export_id)
    if export is None:
        raise _gone()
    return export, there(exports.content(export_id), _NO_DOWNLOAD)


def _gone() -> RefusedError:
    return RefusedError(410, "expired", "This download expired. Export the ledger again.")


def _signed_parts(workspace: str, export_id: str, expires: str) -> tuple[str, ...]:
    return "download", workspace, export_id, expires


_BUSY = "Too many questions are being answered just now. Ask this one again soon."
_LEFT = "Whoever asked has gone away."


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
            raise RefusedError(408, "too_slow", _LEFT)
        return await in_own_thread(answer)


def status_of_answers(service: Service, shelf: Shelf) -> dict[str, Any]:
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
