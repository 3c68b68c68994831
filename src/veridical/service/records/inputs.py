"""What is kept of a check that is asked for: read and found usable before a job is written.

The API and the forms of the pages come through here. What is returned is plain JSON for
`Records.add`, complete in itself: the same request gives the same result whenever its job begins.

What reads the inputs of a kind is imported when one of that kind is asked for: every page and the
API import this module, and the service would start a third of a second later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import islice
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from starlette.requests import Request

from veridical.errors import (
    ConfigurationError,
    DocumentParsingError,
    NoDocumentsError,
    ValidationError,
)
from veridical.ledger.canonical import compact_bytes
from veridical.service.context import service_of
from veridical.service.entry.access import Access
from veridical.service.errors import there
from veridical.sources.document import MEBIBYTE, Document, SourceLimits
from veridical.sources.loader import document_from_text
from veridical.sources.sniff import decode
from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.loader import load_transcript_bytes, transcript_from_text
from veridical.store.library import Shown
from veridical.store.paging import MOST_ON_A_PAGE, Page
from veridical.store.recordings import NewRecording
from veridical.store.records import Record, RecordKind
from veridical.store.store import Shelf

if TYPE_CHECKING:
    from veridical.scoring.rubric import Rubric
    from veridical.speech.speakers import Evaluated

T = TypeVar("T")

MAX_DOCUMENTS = 1_000
"""Documents that one validation looks at."""

MAX_TEXTS = 20
MAX_FILENAME_CHARS = 200
MAX_TRANSCRIPT_BYTES = 16 * MEBIBYTE

_LIMITS = SourceLimits(max_bytes=MAX_TRANSCRIPT_BYTES, max_text_chars=MAX_TRANSCRIPT_BYTES)

MAX_TITLE_CHARS = 200
MAX_NAMES = 200
MAX_NAME_CHARS = 100
MAX_SUPPLEMENT_CHARS = 200_000
MAX_TOLERANCE_SECONDS = 3_600
MAX_QUESTIONS = 1_000
"""Of one run here; `veridical eval run` takes more."""


@dataclass(frozen=True, slots=True)
class TranscriptInput:
    """A transcript: its `text` (of any supported form), its file, or the document that holds it."""

    text: str = ""
    name: str = ""
    document_id: str = ""
    content: bytes = b""


def read_transcript(given: Mapping[str, Any]) -> Transcript:
    """The transcript that a request holds. Raises DocumentParsingError where it is none."""
    return transcript_from_text(given["text"], given["name"], limits=_LIMITS)


def taken_transcript(shelf: Shelf, asked: TranscriptInput) -> tuple[dict[str, Any], Transcript]:
    """A transcript as it is kept with the request, and read.

    Raises ValidationError and DocumentParsingError for what is none, NotFoundError for a document
    that is not there.
    """
    given = [bool(asked.text.strip()), bool(asked.content), bool(asked.document_id)]
    if sum(given) != 1:
        raise ValidationError(
            "transcript: give one of the three: its text, its file, or the id of the document that "
            "holds it"
        )
    if asked.document_id:
        asked = _stored_transcript(shelf, asked.document_id)
    name = one_line(asked.name) or "transcript"
    if asked.content:
        read = load_transcript_bytes(asked.content, name, limits=_LIMITS)
        return {"name": name, "text": decode(asked.content, name)}, read
    kept = {"name": name, "text": asked.text}
    return kept, read_transcript(kept)


def _said(
    shelf: Shelf, transcript: TranscriptInput, recording: NewRecording | None
) -> tuple[dict[str, Any], str, Transcript | None]:
    """What of a transcript and a recording is kept with the request, what it is called, and the
    transcript; None where there is only the recording, which the job hears.
    """
    told = {} if recording is None else {"recording": {"filename": recording.filename}}
    if recording is not None and transcript == TranscriptInput():
        return {"transcript": None, **told}, recording.filename, None
    given, read = taken_transcript(shelf, transcript)
    return {"transcript": given, **told}, given["name"], read


def _stored_transcript(shelf: Shelf, document_id: str) -> TranscriptInput:
    """The transcript in a document: its file where there is one, which has all its times."""
    pinned = _named(shelf, document_id)
    name, version = pinned["filename"], pinned["version"]
    upload = shelf.documents.file_of(document_id, version)
    content = None if upload is None else shelf.documents.upload_content(upload.id)
    if content:
        return TranscriptInput(name=name, content=content)
    document = shelf.documents.read(document_id, version)
    return TranscriptInput(name=name, text=document.text if document else "")


def one_line(text: str) -> str:
    """Text on one line, without what no database holds."""
    return " ".join(text.replace("\0", " ").encode("utf-8", "replace").decode().split())


@dataclass(frozen=True, slots=True)
class Asked:
    """What `Records.add` takes: the kind, a title, and what was given."""

    kind: RecordKind
    title: str
    request: dict[str, Any]
    recording: NewRecording | None = None


def begin(request: Request, access: Access, asked: Asked) -> Record:
    """Keep what was asked for, and have its job begin."""
    record, job = access.shelf.records.add(
        asked.kind,
        asked.title,
        asked.request,
        by=access.actor,
        id=access.new_id,
        recording=asked.recording,
    )
    service_of(request).jobs.wake(job.id)
    return record


_Given = ParamSpec("_Given")


def _refusing(ask: Callable[_Given, Asked]) -> Callable[_Given, Asked]:
    """What cannot be used is the fault of who asks, whichever part of the library finds it."""

    @wraps(ask)
    def refusing(*given: _Given.args, **named: _Given.kwargs) -> Asked:
        try:
            asked = ask(*given, **named)
        except (ConfigurationError, DocumentParsingError) as error:
            raise ValidationError(str(error)) from error
        return replace(asked, request=_well_formed(asked.request))

    return refusing


def _well_formed(value: Any) -> Any:
    """JSON without half surrogate pairs, which no reply in UTF-8 can hold."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, list | tuple):
        return [_well_formed(item) for item in value]
    if isinstance(value, Mapping):
        return {_well_formed(key): _well_formed(item) for key, item in value.items()}
    return value


@_refusing
def validation_asked(
    shelf: Shelf,
    claims: object,
    *,
    documents: Sequence[str] = (),
    texts: Sequence[Mapping[str, str]] = (),
    config: Mapping[str, Any] | None = None,
    strict: bool = False,
    title: str = "",
) -> Asked:
    """A validation of claims against documents of the workspace and texts that were handed in, each
    with its `name` and `text`, and kept nowhere else.

    Without either, all documents of the workspace are looked at, in their versions of now.
    Raises ValidationError for what cannot be used, NotFoundError for a document that is not there.
    """
    from veridical.validation.claims import parse_claims
    from veridical.validation.config import ValidationConfig

    settings = ValidationConfig.from_mapping(config)
    data = {"claims": claims} if isinstance(claims, list) else claims
    parsed = parse_claims(data, max_claims=settings.performance_limits.max_claims)
    if not parsed:
        raise ValidationError("there are no claims to validate")
    chosen = _pinned(shelf, documents, texts)
    names = [each["filename"] for each in chosen] + [text["name"] for text in texts]
    against = names[0] if len(names) == 1 else f"{len(names):,} documents"
    quotes = f"{len(parsed):,} {'quote' if len(parsed) == 1 else 'quotes'}"
    return Asked(
        RecordKind.VALIDATION,
        _title(title, f"{quotes} against {against}"),
        {
            "claims": data,
            "documents": chosen,
            "texts": [dict(text) for text in texts],
            "config": dict(config) if config else None,
            "strict": strict,
        },
    )


def _pinned(
    shelf: Shelf, document_ids: Sequence[str], texts: Sequence[Mapping[str, str]]
) -> list[dict[str, Any]]:
    """The named documents in their versions of now; all of the workspace if nothing is named.

    Raises NotFoundError for one that is not there, NoDocumentsError where there is none at all, and
    ValidationError for too many, or two of one name.
    """
    _check_texts(texts)
    if document_ids:
        chosen = [_named(shelf, each) for each in dict.fromkeys(document_ids)]
    else:
        every = () if texts else all_of(shelf.documents.page)
        chosen = list(islice(_pins(every), MAX_DOCUMENTS + 1))
    if len(chosen) > MAX_DOCUMENTS:
        raise ValidationError(
            f"there are more than {MAX_DOCUMENTS:,} documents; name those to look at"
        )
    if not chosen and not texts:
        raise NoDocumentsError(
            "the workspace has no document to check against; add one, or give a text"
        )
    names = Counter([each["filename"] for each in chosen] + [text["name"] for text in texts])
    twice = next((name for name, times in names.items() if times > 1), None)
    if twice is not None:
        raise ValidationError(f"two documents are named {twice!r}; rename one")
    return chosen


def _named(shelf: Shelf, document_id: str) -> dict[str, Any]:
    pin = next(_pins((shelf.documents.get(document_id),)), None)
    return there(pin, f"There is no document {document_id!r} that could be read.")


def _pins(documents: Iterable[Shown | None]) -> Iterator[dict[str, Any]]:
    """Those documents that can be read, in their versions of now."""
    for shown in documents:
        if shown is not None and shown.ready is not None:
            yield {
                "document_id": shown.document_id,
                "version": shown.ready.version,
                "filename": shown.filename,
            }


def all_of(page: Callable[..., Page[T]]) -> Iterator[T]:
    """Everything that a list has, page by page."""
    after: str | None = None
    while True:
        part = page(limit=MOST_ON_A_PAGE, after=after)
        yield from part.items
        after = part.next
        if after is None:
            return


def _check_texts(texts: Sequence[Mapping[str, str]]) -> None:
    for text in texts:
        if not text["name"].strip():
            raise ValidationError(
                f"texts: each needs a name of at most {MAX_FILENAME_CHARS} characters"
            )
        document_from_text(text["text"], text["name"])


def read_documents(shelf: Shelf, request: Mapping[str, Any]) -> tuple[Document, ...]:
    """The documents of a validation's request, in their order.

    Raises DocumentParsingError for one that was taken away since, or cannot be read.
    """
    found: list[Document] = []
    for pin in request["documents"]:
        document = shelf.documents.read(pin["document_id"], pin["version"])
        if document is None:
            raise DocumentParsingError(
                f"{pin['filename']}: the document was deleted since the validation was asked for"
            )
        found.append(document)
    return (*found, *(document_from_text(each["text"], each["name"]) for each in request["texts"]))


@_refusing
def speech_asked(
    shelf: Shelf,
    transcript: TranscriptInput,
    *,
    evaluation: object = None,
    speaker: str | None = None,
    label: str | None = None,
    names: Sequence[str] = (),
    phrase: str | None = None,
    seconds: float | None = None,
    from_seconds: float | None = None,
    to_seconds: float | None = None,
    title: str = "",
    recording: NewRecording | None = None,
) -> Asked:
    """An evaluation of a speech; with `evaluation`, the check of one that is there already. The
    other options are those of `veridical speech evaluate` and `check`; `seconds` is the longest
    that the script may take to be spoken. A `recording` is kept beside, to listen to; without a
    transcript it is heard first.

    Raises ValidationError for what cannot be used, NotFoundError for a document that is not there.
    """
    from veridical.speech.checking import read_evaluation

    given, name, read = _said(shelf, transcript, recording)
    if len(names) > MAX_NAMES or any(len(name) > MAX_NAME_CHARS for name in names):
        raise ValidationError(
            f"names: at most {MAX_NAMES} of at most {MAX_NAME_CHARS} characters each"
        )
    if evaluation is not None:
        read_evaluation(evaluation)
    stretch = {"from_seconds": from_seconds, "to_seconds": to_seconds}
    asked = {"evaluation": evaluation, "speaker": speaker, "label": label, **stretch}
    if read is not None:
        speech_of(asked, read)
    what = "Evaluation" if evaluation is None else "Check of an evaluation"
    return Asked(
        RecordKind.SPEECH,
        _title(title, f"{what}: {name}"),
        {
            **given,
            **asked,
            "names": list(names),
            "phrase": phrase,
            "seconds": seconds,
            "title": _title(title, "") or None,
        },
        recording,
    )


def speech_of(request: Mapping[str, Any], transcript: Transcript) -> tuple[Transcript, Evaluated]:
    """The transcript in which only the speech that is asked for is the speaker's, and whose it is.

    Raises ConfigurationError for a speaker or a stretch that it does not have.
    """
    from veridical.speech.span import between
    from veridical.speech.speakers import Evaluated, evaluated_speaker, require_label

    stretch = request.get("from_seconds"), request.get("to_seconds")  # older ones have none
    if request["evaluation"] is not None and stretch == (None, None):
        require_label(transcript, request["label"])
        return transcript, Evaluated(request["label"])
    chosen = evaluated_speaker(transcript, name=request["speaker"], label=request["label"])
    return between(transcript, chosen, *stretch)


@_refusing
def other_stretch(record: Record, from_seconds: float | None, to_seconds: float | None) -> Asked:
    """The same of another stretch. Raises ValidationError where nothing is said there."""
    request = {**record.request, "from_seconds": from_seconds, "to_seconds": to_seconds}
    speech_of(request, read_transcript(request["transcript"]))
    return Asked(record.kind, record.title, request)


@_refusing
def scorecard_asked(
    shelf: Shelf,
    transcript: TranscriptInput,
    rubric: str | Mapping[str, Any],
    *,
    needs_cues: bool = False,
    supplemental: str | None = None,
    tolerance_seconds: float | None = None,
    title: str = "",
    recording: NewRecording | None = None,
) -> Asked:
    """A scorecard of a transcript, or of a recording as `speech_asked` takes one.

    `rubric` is the name of a shipped one, its YAML or JSON as text, or as an object; with
    `needs_cues`, where no model scores, one that has cues.

    Raises ValidationError for what cannot be used, NotFoundError for a document that is not there.
    """
    from veridical.scoring.rubrics.wire import rubric_to_mapping
    from veridical.scoring.scorer import check_inputs

    read = _rubric(rubric)
    if needs_cues and not any(c.cues for section in read.sections for c in section.criteria):
        raise ValidationError(
            "rubric: it has no cues, and without a model only cues are looked up: add cues to its "
            "criteria, or run the service with a model"
        )
    given, name, said = _said(shelf, transcript, recording)
    if said is not None:
        check_inputs(said, read)
    return Asked(
        RecordKind.SCORECARD,
        _title(title, f"{read.template.name or read.template.id}: {name}"),
        {
            **given,
            "rubric": rubric_to_mapping(read),
            "supplemental": supplemental or None,
            "tolerance_seconds": tolerance_seconds,
        },
        recording,
    )


def _rubric(given: str | Mapping[str, Any]) -> Rubric:
    from veridical.scoring.rubrics.file import rubric_from_text, shipped_names, shipped_text

    if not isinstance(given, str):
        return rubric_from_text(compact_bytes(given), "rubric.json")
    text = given.strip()
    if text in shipped_names():
        return rubric_from_text(shipped_text(text), text)
    if "\n" not in text and not text.startswith("{"):
        raise ValidationError(
            f"rubric: there is none of this name; there are {', '.join(shipped_names())}. "
            "Or give the text of one, in YAML or JSON."
        )
    return rubric_from_text(given)


@_refusing
def evaluation_asked(
    questions: str | Sequence[Mapping[str, Any]],
    *,
    fail_under: str = "",
    judged: bool = True,
    title: str = "",
) -> Asked:
    """A run of questions with known outcomes over the workspace's documents.

    `questions` are JSON Lines, or the same as objects. `fail_under` is as in `veridical eval run`.
    Raises ValidationError for what cannot be used.
    """
    from veridical.evaluation.questions import RECORDS, parse_questions
    from veridical.evaluation.summary import parse_gates

    if not isinstance(questions, str):
        questions = "\n".join(compact_bytes(question).decode() for question in questions)
    parsed = parse_questions(questions.encode("utf-8", "replace"))
    if len(parsed) > MAX_QUESTIONS:
        raise ValidationError(f"questions: {len(parsed):,}, the limit here is {MAX_QUESTIONS:,}")
    if fail_under.strip():
        parse_gates(fail_under)
    count = f"{len(parsed):,} {'question' if len(parsed) == 1 else 'questions'}"
    return Asked(
        RecordKind.EVALUATION,
        _title(title, count),
        {
            "questions": [RECORDS.write(question) for question in parsed],
            "fail_under": fail_under.strip() or None,
            "judged": judged,
        },
    )


def _title(title: str, otherwise: str) -> str:
    return (one_line(title) or one_line(otherwise))[:MAX_TITLE_CHARS]
