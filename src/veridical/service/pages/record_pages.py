"""What the pages of validations, speech evaluations, scorecards and evaluations have in common.

All four are records: a form, and a page each that shows how far the work is, why it
failed, or what came of it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from mimetypes import guess_type
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Form, Query, Request, UploadFile
from starlette.datastructures import FormData
from starlette.datastructures import UploadFile as SentFile
from starlette.responses import RedirectResponse, Response

from veridical.errors import ConfigurationError, ValidationError
from veridical.reports.page import asset, report_style
from veridical.service.entry.access import Access, Admin, Reader, Reviewer
from veridical.service.entry.headers import file_response
from veridical.service.errors import NotFoundError, there
from veridical.service.pages.rendering import render
from veridical.service.records.inputs import Asked, TranscriptInput, begin, one_line
from veridical.store.recordings import NewRecording
from veridical.store.records import Record, RecordKind, RecordState
from veridical.transcription.sound import is_sound

_CLAIM = re.compile(r"\bclaims\[(\d+)\]\.quote: ")
_PLACE = re.compile(r"\b(claims|items)\[(\d+)\](?:\.(\w+))?((?:[.\[]\w+\]?)*): ")
_THINGS = {"claims": "quote", "items": "item"}

_TYPES = {
    "string": "text",
    "boolean": "true or false",
    "number": "a number",
    "integer": "a whole number",
    "array": "a list",
    "object": "a JSON object",
    "null": "null",
}

_WORDS = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"^the claims do not fit their schema: ", "The quotes cannot be used: "),
        (r"^the evaluation does not fit its schema: ", "The evaluation cannot be used: "),
        (r"^(?:rubric: )?rubric:(\d+):\d+: error: ", r"Rubric, line \1: "),
        (r"; rubric:(\d+):\d+: error: ", r"; line \1: "),
        (r"^(rubric|questions|transcript|names): ", lambda found: f"{found[1].capitalize()}: "),
        (r"^(no metric|\w+ needs a number) ", r"Bounds: \1 "),
        (r"\(top\): ", ""),
        (r'"([^"]*)" is a required property', "\u201c\\1\u201d is missing"),
        (r'does not match "\^EV\\d\+\$"', "must be EV and a number, as in EV001"),
        (r'does not match "[^"]*"', "is not written as it must be"),
        (r'is not of type "(\w+)"', lambda found: f"is not {_TYPES.get(found[1], found[1])}"),
        (r", or raise [\w.]+ in the configuration", ""),
    )
)


def in_words(problem: str) -> str:
    """A problem as a form tells it: which line or field of it, and no paths."""
    told = _PLACE.sub(_in_place, problem)
    for pattern, said in _WORDS:
        told = pattern.sub(said, told)
    return told[:1].upper() + told[1:]


def at_lines(problem: str, lines: Sequence[int]) -> str:
    """The same, with the lines on which the quotes stand that were given one a line."""

    def line_of(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"line {lines[number]}: " if number < len(lines) else found[0]

    return _CLAIM.sub(line_of, problem)


def _in_place(found: re.Match[str]) -> str:
    thing = f"{_THINGS[found[1]]} {int(found[2]) + 1}"
    return f"{thing}, \u201c{found[3]}\u201d: " if found[3] else f"{thing}: "


@dataclass(frozen=True, slots=True)
class Given:
    """A form that was sent: what was typed, and the files that were chosen."""

    form: FormData

    def typed(self, name: str) -> str:
        """What was typed in a field, with plain line ends: browsers send CR LF."""
        value = self.form.get(name, "")
        return value.replace("\r\n", "\n") if isinstance(value, str) else ""

    def file(self, name: str) -> tuple[str, bytes]:
        """The name and the bytes of a file; nothing where none was chosen."""
        value = self.form.get(name)
        if not isinstance(value, SentFile) or not value.filename:
            return "", b""
        return value.filename, value.file.read()

    def text(self, name: str) -> str:
        """What was typed in a field, or else the text of the file of `<name>_file`.

        Raises ValidationError for a file that is not UTF-8.
        """
        return self.typed(name) or self._text_of_file(name)

    def one_text(self, name: str) -> str:
        """The same. ValidationError too where there is both, or neither."""
        typed, of_file = self.typed(name), self._text_of_file(name)
        if bool(typed.strip()) == bool(of_file.strip()):
            raise ValidationError(f"Give the {name}: paste them, or choose a file, but not both.")
        return typed if typed.strip() else of_file

    def transcript(self) -> TranscriptInput:
        """The transcript. ValidationError unless it came in one way, and in one."""
        text, (name, content) = self.typed("transcript"), self.file("transcript_file")
        if bool(text.strip()) == bool(content):
            raise ValidationError("Give a transcript: choose a file, or paste it, but not both.")
        return TranscriptInput(text=text, name=name if content else "", content=content)

    def said(self, usual: int | None) -> tuple[TranscriptInput, NewRecording | None]:
        """The transcript and the recording: one of them, or both. `usual` is how many seconds the
        recording is kept after the report where the form does not say.
        """
        name, content = self.file("recording_file")
        if not content:
            return self.transcript(), None
        kind = guess_type(name)[0] or ""
        if not kind.startswith(("audio/", "video/")) or not is_sound(content[:4096], name):
            raise ValidationError(f"{name}: this is no recording. Choose sound or video.")
        told = self.typed("keep")
        keep = {"": usual, "always": None}.get(told, 60 * _minutes(told))
        recording = NewRecording(one_line(name), kind, content, keep)
        chosen = self.form.get("transcript_file")
        is_alone = not self.typed("transcript").strip() and not getattr(chosen, "filename", "")
        return TranscriptInput() if is_alone else self.transcript(), recording

    def stretch(self) -> tuple[float | None, float | None]:
        """From when to when the speech is, None where nothing was typed. ValidationError for what
        is no time.
        """
        from veridical.speech.span import seconds_of

        typed = [self.typed(name).strip() for name in ("from_time", "to_time")]
        try:
            begin, end = (seconds_of(time) if time else None for time in typed)
        except ConfigurationError as problem:
            raise ValidationError(str(problem)) from None
        return begin, end

    def _text_of_file(self, name: str) -> str:
        name, content = self.file(f"{name}_file")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ValidationError(f"{name}: this is not UTF-8. Save the file as UTF-8.") from None


def _minutes(told: str) -> int:
    """Minutes as a form has them. ValidationError for what is none, but for the other choices."""
    if told in ("", "always"):
        return 0
    if not told.isascii() or not told.isdecimal() or len(told) > _MOST_DIGITS:
        raise ValidationError("How long the recording is kept is a whole number of minutes.")
    return int(told)


async def _given(
    request: Request,
    title: Annotated[str, Form(max_length=200)] = "",  # noqa: ARG001  # for its limit, as others
    speaker: Annotated[str, Form(max_length=100)] = "",  # noqa: ARG001
    names: Annotated[str, Form(max_length=20_000)] = "",  # noqa: ARG001
    rubric: Annotated[str, Form(max_length=200)] = "",  # noqa: ARG001
    fail_under: Annotated[str, Form(max_length=300)] = "",  # noqa: ARG001
    transcript_file: Annotated[UploadFile | None, File()] = None,  # noqa: ARG001  # as below
    keep: Annotated[str, Form(max_length=20)] = "",  # noqa: ARG001
    from_time: Annotated[str, Form(max_length=20)] = "",  # noqa: ARG001
    to_time: Annotated[str, Form(max_length=20)] = "",  # noqa: ARG001
) -> Given:
    # That a file is among the parameters lets large ones in: `Authentication` looks for it.
    return Given(await request.form())


Sent = Annotated[Given, Depends(_given)]


_MOST_DIGITS = 6
ON_A_PAGE = 25
MOST_CURSOR_CHARS = 1_000
_UNSAFE = re.compile(r"[^\w.-]+")


ResultFile = tuple[str, str | bytes]
"""A result as a file: its suffix, and what is in it."""

_MEDIA_TYPES = {
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".html": "text/html; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".pdf": "application/pdf",
}


@dataclass(frozen=True, slots=True)
class RecordPages:
    """The pages of one kind, at `/<place>`; templates are `<place>.html` and `<place>_one.html`.

    `one` is what a reader calls such a record. `asked` is what a form that was sent asks for,
    `shown` gives what the page of a ready record needs, `files` makes files of its result, by the
    word that asks for them, `form` gives what the form needs, and `other` asks for the same
    record once more, with what the form of its page changes.
    """

    kind: RecordKind
    place: str
    one: str
    asked: Callable[[Request, Access, Given], Asked]
    shown: Callable[[Record], dict[str, Any]]
    files: Mapping[str, Callable[[Access, Record], ResultFile]]
    form: Callable[[Request, Access], dict[str, Any]] = lambda _request, _access: {}
    other: Callable[[Record, Given], Asked] = lambda record, _given: Asked(
        record.kind, record.title, record.request
    )

    def router(self) -> APIRouter:
        """Its routes: the form, a new one, one, again, delete, and the result as a file."""
        router = APIRouter(include_in_schema=False)
        here, one = f"/{self.place}", f"/{self.place}/{{record_id}}"
        for method, path, endpoint in (
            ("GET", here, self.blank),
            ("POST", here, self.create),
            ("GET", one, self.page),
            ("POST", one + "/again", self.again),
            ("GET", one + "/delete", self.ask_to_delete),
            ("POST", one + "/delete", self.delete),
            ("GET", one + "/file", self.file),
        ):
            router.add_api_route(path, endpoint, methods=[method])
        return router

    def blank(self, request: Request, access: Reader) -> Response:
        """The form."""
        return self._form(request, access, "", {})

    def create(self, request: Request, given: Sent, access: Reviewer) -> Response:
        """Begin what the form asks for; what cannot be used comes back with what is wrong."""
        try:
            asked = self.asked(request, access, given)
        except (ValidationError, NotFoundError) as problem:
            return self._form(request, access, in_words(str(problem)), dict(given.form))
        return self._begun(request, access, asked)

    def page(self, request: Request, access: Reader, record_id: str) -> Response:
        """How far one is, why it failed, or what came of it."""
        record = self._find(access, record_id)
        is_ready = record.state is RecordState.READY
        more = self.shown(record) if is_ready else {}
        job = None if is_ready else access.shelf.jobs.get(record.job_id)
        return render(
            request, f"{self.place}_one.html", access=access, pages=self, record=record, job=job,
            recording=access.shelf.recordings.of_record(record.id),
            **more,
        )  # fmt: skip

    def again(self, request: Request, given: Sent, access: Reviewer, record_id: str) -> Response:
        """Begin the same once more: a record of its own, with a recording of its own."""
        record = self._find(access, record_id)
        recording = access.shelf.recordings.given(record_id)
        asked = replace(self.other(record, given), recording=recording)
        return self._begun(request, access, asked)

    def ask_to_delete(self, request: Request, access: Admin, record_id: str) -> Response:
        """Asks whether one shall really go."""
        record = self._find(access, record_id)
        return render(request, "records_delete.html", access=access, pages=self, record=record)

    def delete(self, access: Admin, record_id: str) -> Response:
        """Take one away."""
        record = self._find(access, record_id)
        access.shelf.records.delete(record.kind, record.id)
        return RedirectResponse(f"/library?kind={self.kind.value}", 303)

    def file(
        self, access: Reader, record_id: str, form: Annotated[str, Query(max_length=20)] = "json"
    ) -> Response:
        """The result of one as a file."""
        record = self._find(access, record_id)
        make = self.files.get(form)
        if make is None or record.state is not RecordState.READY:
            raise NotFoundError("There is no such file of it.")
        suffix, made = make(access, record)
        name = f"{_UNSAFE.sub('-', record.title).strip('-.')[:80] or self.one}{suffix}"
        content = made.encode() if isinstance(made, str) else made
        return file_response(content, filename=name, media_type=_MEDIA_TYPES[suffix])

    def _form(self, request: Request, access: Access, problem: str, given: Any) -> Response:
        """The form; after something unusable was sent, with what was given."""
        return render(
            request,
            f"{self.place}.html",
            access=access,
            status=422 if problem else 200,
            pages=self,
            problem=problem,
            given=given,
            **self.form(request, access),
        )

    def _find(self, access: Access, record_id: str) -> Record:
        """A record of the workspace. Raises NotFoundError where there is none."""
        record = access.shelf.records.get(self.kind, record_id)
        return there(record, f"There is no such {self.one} here. It may have been deleted.")

    def _begun(self, request: Request, access: Access, asked: Asked) -> Response:
        """Keep what was asked for, have its job begin, and lead to its page."""
        return RedirectResponse(f"/{self.place}/{begin(request, access, asked).id}", 303)


report_assets = APIRouter(include_in_schema=False)

_NOT_MODIFIED = 304

_FILES = {"speech.css", "speech.js", "score.css", "score.js", "evaluation.css"}


@cache
def _made(name: str) -> tuple[bytes, str]:
    """The bytes of a file and its tag."""
    made = report_style if name.endswith(".css") else asset
    content = made(name).encode()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


@report_assets.head("/static/reports/{name}")
@report_assets.get("/static/reports/{name}")
def report_asset(request: Request, name: str) -> Response:
    """The same for everybody, so that nobody needs a token for it."""
    if name not in _FILES:
        raise NotFoundError("There is no such file.")
    content, tag = _made(name)
    headers = {"ETag": tag, "Cache-Control": "public, max-age=3600"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=_NOT_MODIFIED, headers=headers)
    return Response(
        content,
        media_type="text/css" if name.endswith(".css") else "text/javascript",
        headers=headers,
    )
