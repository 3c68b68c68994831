"""Scoring that goes on where it was when the process ended: finished sections are kept in a file.

The file is a journal, a line of JSON for each thing that happened: first what was begun, then what
came of each section. A line counts once it ends; what was torn off is cut away.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from veridical.errors import ConfigurationError, ProcessingError, StoreError, VeridicalError
from veridical.scoring.asking.model_scorer import DEFAULT_CONTEXT_TOKENS, DEFAULT_TIMEOUT_SECONDS
from veridical.scoring.checking.evidence import DEFAULT_TOLERANCE_SECONDS
from veridical.scoring.rubric import Section
from veridical.scoring.scorecard import (
    SectionAnswer,
    SectionFailure,
    SectionScorer,
    answer_from_mapping,
    answer_to_mapping,
)
from veridical.scoring.scorer import ScoringRun, SectionState, prepare, run_sections

if TYPE_CHECKING:
    from veridical.models.protocol import LanguageModel
    from veridical.scoring.rubric import Rubric
    from veridical.scoring.scorecard import Scorecard
    from veridical.scoring.scorer import OnChange
    from veridical.sources.transcript import Transcript

FOLDER = Path(".veridical") / "scoring"
"""Below the working folder. A run has a file of its own there, `<resume id>.jsonl`."""

STORED_FORM = 1
"""The form in which runs are stored. A run that was begun in another form is not resumed."""

MOST_RESUME_ID_CHARS = 64
LOCK_SECONDS = 3.0
"""How long a process waits for one that has been stopped and is still winding up."""

_RESUME_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*", re.ASCII)
_HASHES = ("transcript", "rubric", "supplemental material")
_RUN, _IDENTITY, _CREATED_AT, _OUTCOME = "scoringRun", "identity", "createdAt", "outcome"
_LINES_BEGIN = f'{{"{_RUN}": "'.encode()
_PAUSE_SECONDS = 0.05


def score_durably(
    transcript: Transcript,
    rubric: Rubric,
    *,
    resume_id: str,
    model: LanguageModel | None = None,
    supplemental: str | None = None,
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
    context_tokens: int = DEFAULT_CONTEXT_TOKENS,
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
    concurrency: int | None = None,
    created_at: str | None = None,
    on_change: OnChange | None = None,
) -> Scorecard:
    """What `RubricScorer` gives, kept as it grows: called again, it goes on where it was.

    A run is named by `resume_id` (at most 64 letters, digits, dots, dashes and underscores) and
    kept in the file `<resume id>.jsonl` in `.veridical/scoring` below the working folder. However
    the process ended, the next one with the same id asks for what has not been answered, and gives
    the same scorecard as one that was never stopped. A run that has been answered whole gives its
    scorecard again without asking. A section that failed is asked again the next time. A file is
    for one call at a time: another waits three seconds for it, and fails.

    The transcript, the rubric and the supplemental material are not stored, only their hashes, and
    what was answered; the scorecard is computed anew from those.

    `created_at` counts when a run is begun; its scorecard keeps that. `concurrency`,
    `timeout_seconds` and `on_change` may differ from time to time; sections that were answered
    before are told as done.

    Raises what `RubricScorer.score` raises; ConfigurationError for an unfit id, and where the run
    was begun with another transcript, rubric, model, material or setting, which it names;
    ProcessingError where another process works on the file; StoreError where it cannot be used.
    """
    _check_resume_id(resume_id)
    prepared = prepare(
        transcript,
        rubric,
        model=model,
        supplemental=supplemental,
        tolerance_seconds=tolerance_seconds,
        context_tokens=context_tokens,
        timeout_seconds=timeout_seconds,
        concurrency=concurrency,
    )
    material = None if supplemental is None else _sha256(supplemental)
    identity = _identity(prepared, material, context_tokens)
    with _opened(resume_id) as journal:
        began_at = journal.begin(identity, created_at)
        missing = []
        for section in rubric.sections:
            if section.id not in journal.answers:
                missing.append(section)
            elif on_change is not None:
                on_change(section, SectionState.DONE)
        scorer = KeptScorer(prepared.scorer, journal.once)
        asked = run_sections(scorer, missing, prepared.concurrency, on_change=on_change)
    return prepared.scorecard([*journal.answers.values(), *asked], created_at=began_at)


def _identity(run: ScoringRun, material: str | None, context_tokens: int) -> dict[str, Any]:
    """What must be the same for a run to go on."""
    return {
        "form": STORED_FORM,
        "transcript": _transcript_sha256(run.transcript),
        "rubric": run.rubric.sha256,
        "scorer": run.scorer.name,
        "supplemental material": material,
        "context_tokens": context_tokens,
        "tolerance_seconds": run.tolerance_seconds,
    }


def _check_resume_id(resume_id: str) -> None:
    """Raises ConfigurationError unless it is short, and fit to be a part of a file's name."""
    if len(resume_id) > MOST_RESUME_ID_CHARS or not _RESUME_ID.fullmatch(resume_id):
        raise ConfigurationError(
            f"the resume id must be 1 to {MOST_RESUME_ID_CHARS} letters, digits, dots, dashes or "
            "underscores, and begin with a letter or a digit"
        )


def _transcript_sha256(transcript: Transcript) -> str:
    """Of the words, and of who said them when. The name of the file does not matter."""
    parts = [
        [[at.span.start, at.span.end, at.start, at.end, at.speaker] for at in of_one_kind]
        for of_one_kind in (transcript.segments, transcript.words)
    ]
    return _sha256(json.dumps([transcript.sha256, *parts]))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


Once = Callable[[str, Callable[[], str]], str]
"""Given the id of a section and what asks for it: the text that was kept of it, or is from now."""


class KeptScorer:
    """A scorer whose answers are kept, section by section."""

    def __init__(self, scorer: SectionScorer, once: Once) -> None:
        self._scorer = scorer
        self._once = once
        self.name = scorer.name
        self.rule_based = scorer.rule_based

    def score(self, section: Section) -> SectionAnswer | SectionFailure:
        """What was kept of a section, or what the scorer says now."""

        def ask() -> str:
            # As text of our own and in ASCII: any database takes that, whatever a model replied.
            return json.dumps(answer_to_mapping(self._scorer.score(section)), allow_nan=False)

        return answer_from_mapping(json.loads(self._once(section.id, ask)))


# The file of a run.


@contextmanager
def _opened(resume_id: str) -> Iterator[_Journal]:
    """The journal of a run, which nobody else works on meanwhile.

    The lock is the operating system's: it goes with the process, however that ends.
    """
    path = FOLDER / f"{resume_id}.jsonl"
    try:
        with _file_errors():
            FOLDER.mkdir(parents=True, exist_ok=True)
            file = _file_at(path)
        journal = _Journal(path, file, resume_id)
        try:
            journal.lock()
            journal.read()
            yield journal
        finally:
            journal.close()
    except _FileError as problem:
        raise StoreError(
            f"a run cannot be kept in {path} ({problem}). Check that its folder exists and may be "
            "written to, and that there is room"
        ) from problem


def _file_at(path: Path) -> FileIO:
    """The file at a path, made where there is none.

    Unbuffered: what is written is the system's at once, and nothing is left for the end.
    """
    is_new = not path.exists()
    file = path.open("a+b", buffering=0)
    if is_new:  # or a power cut could take the file with all that is in it
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return file


class _FileError(Exception):
    """What the system says of the file. A VeridicalError would be that of a section."""


@contextmanager
def _file_errors() -> Iterator[None]:
    """Raises _FileError for what the system reports inside."""
    try:
        yield
    except OSError as error:
        raise _FileError(error.strerror or error) from error


class _Journal:
    """The file of a run, open. Used from several threads."""

    def __init__(self, path: Path, file: FileIO, resume_id: str) -> None:
        self.answers: dict[str, SectionAnswer] = {}
        self._path = path
        self._file = file
        self._resume_id = resume_id
        self._begun: Mapping[str, Any] | None = None
        self._writing = Lock()

    def lock(self) -> None:
        """Raises ProcessingError where somebody else has the file and keeps it."""
        deadline = time.monotonic() + LOCK_SECONDS
        while not self._is_locked():
            if time.monotonic() > deadline:
                raise ProcessingError(
                    f"another process is working on run {self._resume_id!r} in {self._path}. Wait "
                    "until it has finished, or take another resume id"
                )
            time.sleep(_PAUSE_SECONDS)

    def _is_locked(self) -> bool:
        with _file_errors():
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            if self._is_at_its_path():
                return True
            # It was taken away while this process waited: what is kept in it, nobody would find.
            self._file.close()
            self._file = _file_at(self._path)
        return False

    def _is_at_its_path(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def read(self) -> None:
        """Find what the run has come to. A failure is none of its answers: it is asked again.

        Raises StoreError where the file was not written by this class, or has been changed since.
        """
        try:
            *lines, torn = self._content().split(b"\n")
            for entry in map(json.loads, lines):
                self._take(entry)
        except (ValueError, LookupError, TypeError, RecursionError, VeridicalError) as problem:
            raise StoreError(
                f"{self._path} holds something else than run {self._resume_id!r} under its name "
                f"({type(problem).__name__}). Take another resume id"
            ) from problem
        with _file_errors():
            self._file.truncate(self._file.tell() - len(torn))

    def _content(self) -> bytes:
        """Raises ValueError for another's file, before all of it is read: some have no end."""
        with _file_errors():
            self._file.seek(0)
            begin = self._file.read(len(_LINES_BEGIN))
            if not _LINES_BEGIN.startswith(begin):
                raise ValueError("our lines begin otherwise")
            return begin + self._file.read()

    def _take(self, entry: Mapping[str, Any]) -> None:
        if entry[_RUN] != self._resume_id:
            raise ValueError("it is of another run")
        if self._begun is None:
            begun, created_at = entry[_IDENTITY], entry[_CREATED_AT]
            if not isinstance(begun, dict) or not isinstance(created_at, str | None):
                raise TypeError("a run begins with its identity and its time")
            self._begun = entry
        else:
            outcome = answer_from_mapping(entry[_OUTCOME])
            if isinstance(outcome, SectionAnswer):
                self.answers[outcome.section_id] = outcome

    def begin(self, identity: Mapping[str, Any], created_at: str | None) -> str | None:
        """When the run was begun: now, unless it was before.

        Raises ConfigurationError, which says what differs, where that was another run.
        """
        if self._begun is None:
            self._begun = {_IDENTITY: dict(identity), _CREATED_AT: created_at}
            self._append(self._begun)
        _refuse_another(self._begun[_IDENTITY], identity, self._resume_id)
        told: str | None = self._begun[_CREATED_AT]
        return told

    def once(self, _: str, ask: Callable[[], str]) -> str:
        """What `ask` gives now; on the disk before anybody is told."""
        outcome = ask()
        self._append({_OUTCOME: json.loads(outcome)})
        return outcome

    def _append(self, entry: Mapping[str, Any]) -> None:
        line = json.dumps({_RUN: self._resume_id, **entry}, allow_nan=False).encode() + b"\n"
        with self._writing, _file_errors():
            before = os.fstat(self._file.fileno()).st_size
            try:
                while line:
                    line = line[self._file.write(line) :]
                os.fsync(self._file)
            except OSError:
                # Half a line must not stand before that of another section.
                self._file.truncate(before)
                raise

    def close(self) -> None:
        """Let others have the file. An answer that comes later is not written any more."""
        with self._writing:
            self._file.close()


def _refuse_another(stored: Mapping[str, Any], given: Mapping[str, Any], resume_id: str) -> None:
    """Raises ConfigurationError unless these are the identities of one run."""
    if stored.get("form") != STORED_FORM:
        raise ConfigurationError(
            f"run {resume_id!r} was begun by a version of veridical that stores runs in "
            "another form. Go on with that version, or take another resume id"
        )
    differing = [name for name in given if stored.get(name) != given[name]]
    if differing:
        told = "; ".join(
            f"the {name} is another one"
            if name in _HASHES
            else f"{name} was {stored.get(name)!r} and is now {given[name]!r}"
            for name in differing
        )
        raise ConfigurationError(
            f"run {resume_id!r} was begun differently: {told}. Give what it was begun with, "
            "or take another resume id"
        )
