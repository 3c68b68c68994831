"""The errors that Veridical raises, and nothing else.

    VeridicalError                      everything below; catch this one
    ├── ValidationError                 claims or an evaluation that do not fit their schema
    ├── DocumentParsingError            a source that cannot be read as a document
    │   └── NoDocumentsError            nothing to check against
    ├── ConfigurationError              unknown setting, value out of range
    │   └── MissingExtraError           an optional package is not installed
    ├── OutputError                     a result that cannot be written
    ├── ModelError                      a language model that cannot be used
    │   └── ModelUnavailable            not now: no answer in time, overloaded, broken off
    ├── StoreError                      a database that cannot be reached, read or written
    │   └── StoreUnavailable            not now: it cannot be reached, and may be again soon
    ├── ConflictError                   something else was written in between
    ├── TooManyJobsError                more work is waiting than is let in
    ├── UngroundedError                 an answer that a guard has stopped
    └── ProcessingError                 the work itself could not be finished

A quote that is not in its source is a *result*, never an exception. These are raised only where the
input is unusable. Each message says what happened, where, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any


class VeridicalError(Exception):
    """Base of every error that Veridical raises on purpose."""


class ValidationError(VeridicalError):
    """What was handed in to be checked does not fit its schema or limits: claims, an evaluation.

    `details` holds the machine-readable part: `path` (for example `claims[3].quote`), `value`
    (shortened) and `constraint`, where one place is to blame.
    """

    def __init__(self, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.details: dict[str, Any] = dict(details or {})


class DocumentParsingError(VeridicalError):
    """A source cannot be read as a document."""

    def __init__(self, message: str, document_format: str | None = None) -> None:
        super().__init__(message)
        self.document_format = document_format


class NoDocumentsError(DocumentParsingError):
    """No usable document was given: an empty folder, or every file in it failed."""


class ConfigurationError(VeridicalError):
    """A setting is unknown, of the wrong type, or out of range."""


class MissingExtraError(ConfigurationError):
    """An optional package is missing. The message names the `pip install` line that brings it."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs an optional package that is not installed. "
            f"Install it with: pip install 'veridical[{extra}]'"
        )
        self.extra = extra


def require_package(name: str, feature: str, extra: str) -> None:
    """Raises MissingExtraError where a package that an extra brings is not installed."""
    try:
        found = find_spec(name)
    except (ImportError, ValueError):
        found = None
    if found is None:
        raise MissingExtraError(feature, extra)


class OutputError(VeridicalError):
    """A result could not be written. What was at the place before is unchanged."""


class ModelError(VeridicalError):
    """A language model cannot be used: refused, unknown, wrongly configured.

    Messages never hold a key or the text that was sent.
    """


class ModelUnavailable(ModelError):
    """A language model gave no usable answer, and may give one later.

    `retry_after` is the wait in seconds that its server asks for, None where it does not say.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class StoreError(VeridicalError):
    """A database cannot be reached, read or written, or does not hold what was asked for.

    Messages never hold a password. One that names the file, or the host and user, has `public`
    beside it: the same for those who only use a service.
    """

    def __init__(self, message: str, *, public: str | None = None) -> None:
        super().__init__(message)
        self.public = public


class StoreUnavailable(StoreError):
    """A database cannot be reached for now. The same work may succeed later."""


class ProcessingError(VeridicalError):
    """The work could not be finished for a reason that is not the input's fault."""


class ConflictError(VeridicalError):
    """What was to be changed is no longer as the caller saw it. Look again, then decide anew."""


class TooManyJobsError(VeridicalError):
    """So much work is waiting already that no more is let in. It may be, once some is done."""


class UngroundedError(VeridicalError):
    """A guard came upon a sentence that the sources do not bear out, and stopped the answer.

    `sentence` is what it says, `start` and `end` its place in the answer (code points), and
    `verdict` the worst one on its claims, empty where it could not be checked.
    """

    def __init__(self, message: str, *, sentence: str, start: int, end: int, verdict: str) -> None:
        super().__init__(message)
        self.sentence = sentence
        self.start = start
        self.end = end
        self.verdict = verdict
