"""What is kept of a check that is asked for: read and found usable before a job is written.

The API and the forms of the pages come through here. What is returned is plain JSON for
`Records.add`, complete in itself: the same request gives the same result whenever its job begins.

What reads the inputs of a kind is imported when one of that kind is asked for: every page and the
API import this module, and the service would start a third of a second later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from veridical.errors import ConfigurationError, DocumentParsingError, ValidationError
from veridical.ledger.canonical import compact_bytes
from veridical.service.records.documents import GivenText, PinnedDocument, pinned
from veridical.service.records.transcripts import TranscriptInput, one_line, taken_transcript
from veridical.store.records import RecordKind
from veridical.store.shelf import Shelf

if TYPE_CHECKING:
    from veridical.scoring.rubric import Rubric

MAX_TITLE_CHARS = 200
MAX_NAMES = 200
MAX_NAME_CHARS = 100
MAX_SUPPLEMENT_CHARS = 200_000
MAX_TOLERANCE_SECONDS = 3_600
MAX_QUESTIONS = 1_000
"""Of one run here; `veridical eval run` takes more."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What `Records.add` takes: the kind, a title, and what was given."""

    kind: RecordKind
    title: str
    request: dict[str, Any]


_Given = ParamSpec("_Given")


def _refusing(ask: Callable[_Given, Asked]) -> Callable[_Given, Asked]:
    """What cannot be used is the fault of who asks, whichever part of the library finds it."""

    @wraps(ask)
    def refusing(*given: _Given.args, **named: _Given.kwargs) -> Asked:
        try:
            asked = ask(*given, **named)
        except (ConfigurationError, DocumentParsingError) as error:
            raise ValidationError(str(error)) from error
        return Asked(asked.kind, asked.title, _well_formed(asked.request))

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


# --- validations ---------------------------------------------------------------------------------


@_refusing
def validation_asked(
    shelf: Shelf,
    claims: object,
    *,
    documents: Sequence[str] = (),
    texts: Sequence[GivenText] = (),
    config: Mapping[str, Any] | None = None,
    strict: bool = False,
    title: str = "",
) -> Asked:
    """A validation of claims against documents of the workspace and texts that were handed in.

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
    chosen = pinned(shelf, documents, texts)
    return Asked(
        RecordKind.VALIDATION,
        _title(title, _validation_title(len(parsed), chosen, texts)),
        {
            "claims": data,
            "documents": [document.to_mapping() for document in chosen],
            "texts": [text.to_mapping() for text in texts],
            "config": dict(config) if config else None,
            "strict": strict,
        },
    )


def _validation_title(
    claims: int, documents: Sequence[PinnedDocument], texts: Sequence[GivenText]
) -> str:
    names = [document.filename for document in documents] + [text.name for text in texts]
    against = names[0] if len(names) == 1 else f"{len(names):,} documents"
    return f"{claims:,} {'quote' if claims == 1 else 'quotes'} against {against}"


# --- speech --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpeechOptions:
    """What `veridical speech evaluate` and `check` take: see their help.

    `seconds` is the longest that the script may take to be spoken.
    """

    speaker: str | None = None
    label: str | None = None
    names: tuple[str, ...] = ()
    phrase: str | None = None
    seconds: float | None = None


@_refusing
def speech_asked(
    shelf: Shelf,
    transcript: TranscriptInput,
    *,
    evaluation: object = None,
    options: SpeechOptions | None = None,
    title: str = "",
) -> Asked:
    """An evaluation of a speech; with `evaluation`, the check of one that is there already.

    Raises ValidationError for what cannot be used, NotFoundError for a document that is not there.
    """
    from veridical.speech.checking import read_evaluation
    from veridical.speech.speakers import evaluated_speaker, require_label

    chosen = options or SpeechOptions()
    given, read = taken_transcript(shelf, transcript)
    _check_names(chosen.names)
    if evaluation is None:
        evaluated_speaker(read, name=chosen.speaker, label=chosen.label)
    else:
        read_evaluation(evaluation)
        require_label(read, chosen.label)
    what = "Evaluation" if evaluation is None else "Check of an evaluation"
    return Asked(
        RecordKind.SPEECH,
        _title(title, f"{what}: {given['name']}"),
        {
            "transcript": given,
            "evaluation": evaluation,
            "speaker": chosen.speaker,
            "label": chosen.label,
            "names": list(chosen.names),
            "phrase": chosen.phrase,
            "seconds": chosen.seconds,
            "title": _title(title, "") or None,
        },
    )


def _check_names(names: Sequence[str]) -> None:
    if len(names) > MAX_NAMES or any(len(name) > MAX_NAME_CHARS for name in names):
        raise ValidationError(
            f"names: at most {MAX_NAMES} of at most {MAX_NAME_CHARS} characters each"
        )


# --- scorecards ----------------------------------------------------------------------------------


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
) -> Asked:
    """A scorecard of a transcript. `rubric` is the name of a shipped one, its YAML or JSON as text,
    or as an object; with `needs_cues`, where no model scores, one that has cues.

    Raises ValidationError for what cannot be used, NotFoundError for a document that is not there.
    """
    from veridical.scoring.rubrics.wire import rubric_to_mapping
    from veridical.scoring.scorer import check_inputs

    if supplemental is not None and len(supplemental) > MAX_SUPPLEMENT_CHARS:
        raise ValidationError(f"supplemental: at most {MAX_SUPPLEMENT_CHARS:,} characters")
    if tolerance_seconds is not None and not 0 <= tolerance_seconds <= MAX_TOLERANCE_SECONDS:
        raise ValidationError(f"tolerance_seconds: from 0 to {MAX_TOLERANCE_SECONDS:,}")
    read = _rubric(rubric)
    if needs_cues and not any(c.cues for section in read.sections for c in section.criteria):
        raise ValidationError(
            "rubric: it has no cues, and without a model only cues are looked up: add cues to its "
            "criteria, or run the service with a model"
        )
    given, said = taken_transcript(shelf, transcript)
    check_inputs(said, read)
    return Asked(
        RecordKind.SCORECARD,
        _title(title, f"{read.template.name or read.template.id}: {given['name']}"),
        {
            "transcript": given,
            "rubric": rubric_to_mapping(read),
            "supplemental": supplemental or None,
            "tolerance_seconds": tolerance_seconds,
        },
    )


def _rubric(given: str | Mapping[str, Any]) -> Rubric:
    from veridical.scoring.rubrics.file import rubric_from_text
    from veridical.scoring.rubrics.shipped import shipped_names, shipped_text

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


# --- evaluations ---------------------------------------------------------------------------------


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
    from veridical.evaluation.gates import parse_gates
    from veridical.evaluation.questions import RECORDS, parse_questions

    lines = questions if isinstance(questions, str) else _as_lines(questions)
    parsed = parse_questions(lines.encode("utf-8", "replace"))
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


def _as_lines(questions: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(compact_bytes(question).decode() for question in questions)


# --- what several of them have -------------------------------------------------------------------


def _title(title: str, otherwise: str) -> str:
    return (one_line(title) or one_line(otherwise))[:MAX_TITLE_CHARS]
