"""What the pages of validations, speech evaluations, scorecards and evaluations have in common.

All four are records: a list with a form, and a page each that shows how far the work is, why it
failed, or what came of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from veridical.errors import ValidationError
from veridical.service.context import service_of
from veridical.service.entry.access import Access, Admin, Reader, Reviewer
from veridical.service.errors import NotFoundError
from veridical.service.files import file_response
from veridical.service.pages.rendering import render
from veridical.service.records.documents import TranscriptInput
from veridical.service.records.inputs import Asked
from veridical.service.records.problems import in_words
from veridical.store.records import Record, RecordKind, RecordState

SEE_OTHER = 303
UNPROCESSABLE = 422
ON_A_PAGE = 25
_MOST_CURSOR_CHARS = 1_000
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Download:
    """A result as a file."""

    suffix: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class RecordPages:
    """The pages of one kind, at `/<place>`; templates are `<place>.html` and `<place>_one.html`.

    `one` is what a reader calls such a record. `form` gives what the form needs, `shown` what the
    page of a ready record needs, and `forms` makes files of its result, by the word that asks for
    them.
    """

    kind: RecordKind
    place: str
    one: str
    form: Callable[[Request, Access], dict[str, Any]]
    shown: Callable[[Access, Record], dict[str, Any]]
    forms: Mapping[str, Callable[[Access, Record], Download]]

    def listing(
        self,
        request: Request,
        access: Access,
        *,
        after: str | None = None,
        problem: str = "",
        given: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Response:
        """The list, with the form; after something unusable was sent, with what was given."""
        page = access.shelf.records.page(self.kind, limit=ON_A_PAGE, after=after)
        return render(
            request,
            f"{self.place}.html",
            access=access,
            status=UNPROCESSABLE if problem else 200,
            pages=self,
            page=page,
            after=after,
            problem=problem,
            given=given or {},
            **{**self.form(request, access), **more},
        )

    def find(self, access: Access, record_id: str) -> Record:
        """A record of the workspace. Raises NotFoundError where there is none."""
        record = access.shelf.records.get(self.kind, record_id)
        if record is None:
            raise NotFoundError(f"There is no such {self.one} here. It may have been deleted.")
        return record

    def begin(self, request: Request, access: Access, asked: Asked) -> Response:
        """Keep what was asked for, have its job begin, and lead to its page."""
        record, job = access.shelf.records.add(
            asked.kind, asked.title, asked.request, by=access.actor
        )
        service_of(request).jobs.wake(job.id)
        return RedirectResponse(f"/{self.place}/{record.id}", SEE_OTHER)

    def create(
        self,
        request: Request,
        access: Access,
        make: Callable[[], Asked],
        given: Mapping[str, str],
    ) -> Response:
        """What a form asks for; where that cannot be used, the form again, with what was given."""
        try:
            asked = make()
        except (ValidationError, NotFoundError) as problem:
            return self.listing(request, access, problem=in_words(str(problem)), given=given)
        return self.begin(request, access, asked)


def router_of(pages: RecordPages) -> APIRouter:
    """The routes that all kinds have alike: list, one, again, delete, and the result as a file."""
    router = APIRouter(include_in_schema=False)
    here = f"/{pages.place}"
    one = here + "/{record_id}"

    @router.get(here)
    def listed(
        request: Request,
        access: Reader,
        after: Annotated[str | None, Query(max_length=_MOST_CURSOR_CHARS)] = None,
    ) -> Response:
        return pages.listing(request, access, after=after)

    @router.get(one)
    def shown(request: Request, access: Reader, record_id: str) -> Response:
        record = pages.find(access, record_id)
        is_ready = record.state is RecordState.READY
        more = pages.shown(access, record) if is_ready else {}
        job = None if is_ready else access.shelf.jobs.get(record.job_id)
        return render(
            request, f"{pages.place}_one.html", access=access, pages=pages, record=record, job=job,
            **more,
        )  # fmt: skip

    @router.post(one + "/again")
    def again(request: Request, access: Reviewer, record_id: str) -> Response:
        record = pages.find(access, record_id)
        return pages.begin(request, access, Asked(record.kind, record.title, record.request))

    @router.get(one + "/delete")
    def ask_to_delete(request: Request, access: Admin, record_id: str) -> Response:
        record = pages.find(access, record_id)
        return render(request, "records_delete.html", access=access, pages=pages, record=record)

    @router.post(one + "/delete")
    def deleted(access: Admin, record_id: str) -> Response:
        record = pages.find(access, record_id)
        access.shelf.records.delete(record.kind, record.id)
        return RedirectResponse(here, SEE_OTHER)

    @router.get(one + "/file")
    def as_file(
        access: Reader, record_id: str, form: Annotated[str, Query(max_length=20)] = "json"
    ) -> Response:
        record = pages.find(access, record_id)
        make = pages.forms.get(form)
        if make is None or record.state is not RecordState.READY:
            raise NotFoundError("There is no such file of it.")
        made = make(access, record)
        name = f"{_UNSAFE.sub('-', record.title).strip('-.')[:80] or pages.one}{made.suffix}"
        return file_response(made.content, filename=name, media_type=made.media_type)

    return router


def text_of(file: UploadFile | None) -> str:
    """The text of a file that a form sent; empty where none was chosen.

    Raises ValidationError for a file that is not UTF-8.
    """
    try:
        return content_of(file).decode("utf-8-sig")
    except UnicodeDecodeError:
        name = file.filename if file is not None else ""
        raise ValidationError(f"{name}: this is not UTF-8. Save the file as UTF-8.") from None


def one_of_two(typed: str, from_file: str, what: str) -> str:
    """What was typed, or what stands in the file that was chosen. ValidationError for both, and
    for neither.
    """
    if bool(typed.strip()) == bool(from_file.strip()):
        raise ValidationError(f"Give {what}: paste them, or choose a file, but not both.")
    return typed if typed.strip() else from_file


def transcript_of(typed: str, file: UploadFile | None) -> TranscriptInput:
    """The transcript that a form sent. ValidationError unless it came in one way, and in one."""
    content = content_of(file)
    if bool(typed.strip()) == bool(content):
        raise ValidationError("Give a transcript: choose a file, or paste it, but not both.")
    name = (file.filename or "") if file and content else ""
    return TranscriptInput(text=as_typed(typed), name=name, content=content)


def content_of(file: UploadFile | None) -> bytes:
    """The bytes of a file that a form sent; none where none was chosen."""
    return b"" if file is None or not file.filename else file.file.read()


def as_typed(text: str) -> str:
    """What was typed: browsers send its line ends as CR LF."""
    return text.replace("\r\n", "\n")
