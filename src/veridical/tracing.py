"""OpenTelemetry spans and evaluation events of the library, for programs that have OpenTelemetry.

Nothing is imported, and nothing is done, unless the program has imported `opentelemetry` itself or
the environment asks for traces or logs. Spans and events hold numbers, verdicts and codes: never
a word of a document or of an answer, a name, or a key.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from functools import cache, wraps
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from veridical.version import __version__

if TYPE_CHECKING:
    from opentelemetry._logs import Logger
    from opentelemetry.trace import Tracer

P = ParamSpec("P")
T = TypeVar("T")

Value = str | int | float | bool

SCOPE: Final = "veridical"
EVALUATION_EVENT: Final = "gen_ai.evaluation.result"
"""Source: the semantic conventions of OpenTelemetry for generative AI, events."""

_NAME: Final = "gen_ai.evaluation.name"
_SCORE: Final = "gen_ai.evaluation.score.value"
_LABEL: Final = "gen_ai.evaluation.score.label"
_EXPLANATION: Final = "gen_ai.evaluation.explanation"
_RESPONSE: Final = "gen_ai.response.id"

_ROOT = "opentelemetry"
_VARIABLES = (
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_LOGS_EXPORTER",
    "OTEL_TRACES_EXPORTER",
)
_MOST_ID_CHARS = 256

_response: ContextVar[str | None] = ContextVar("veridical_response_id", default=None)


def span(name: str, **values: Value) -> AbstractContextManager[None]:
    """A span of that name for a `with` block: `ledger.build` becomes `veridical.ledger.build`.

    It is the current span inside the block. What ends the block early is told by its type only,
    since messages hold names of documents.
    """
    if not is_on():
        return nullcontext()
    tracer = _tracer()
    return nullcontext() if tracer is None else _recorded(tracer, f"{SCOPE}.{name}", values)


def traced(name: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorator: each call of the function is a span of that name."""

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            with span(name):
                return function(*args, **kwargs)

        return call

    return decorated


def tell(**values: Value) -> None:
    """Say more of the work that the innermost span is about, in numbers and codes: `claims=3`
    becomes its attribute `veridical.claims`. To be called inside a span of ours only.
    """
    if is_on() and _tracer() is not None:
        from opentelemetry.trace import get_current_span

        get_current_span().set_attributes(_attributes(values))


def evaluated(
    name: str, *, label: str, score: float | None = None, explanation: str | None = None
) -> None:
    """Tell the result of an evaluation, as an event of the current span.

    `name` is what was evaluated (`Groundedness`), `label` the verdict, `score` goes with it, and
    `explanation` is a code that says why: nothing of a text.
    """
    if not is_on():
        return
    logger = _logger()
    if logger is None:
        return
    told: dict[str, Value | None] = {
        _NAME: name,
        _LABEL: label,
        _SCORE: None if score is None else float(score),
        _EXPLANATION: explanation,
        _RESPONSE: _response.get(),
    }
    attributes = {key: value for key, value in told.items() if value is not None}
    with suppress(TypeError):  # of an OpenTelemetry that is too old to know events
        logger.emit(event_name=EVALUATION_EVENT, attributes=attributes)


@contextmanager
def of_response(response_id: str) -> Iterator[None]:
    """Inside, evaluations are those of the model's response with this id, as its server told it."""
    token = _response.set(response_id[:_MOST_ID_CHARS])
    try:
        yield
    finally:
        _response.reset(token)


@contextmanager
def _recorded(tracer: Tracer, name: str, values: dict[str, Value]) -> Iterator[None]:
    from opentelemetry.trace import StatusCode

    # What it records of an exception by itself are its words.
    with tracer.start_as_current_span(
        name,
        attributes=_attributes(values),
        record_exception=False,
        set_status_on_exception=False,
    ) as recorded:
        try:
            yield
        except Exception as error:
            recorded.set_attribute("error.type", type(error).__qualname__)
            recorded.set_status(StatusCode.ERROR)
            raise


def _attributes(values: dict[str, Value]) -> dict[str, Value]:
    return {f"{SCOPE}.{name}": value for name, value in values.items()}


def is_on() -> bool:
    """Whether anybody may listen. What is told often should not be put together for nobody."""
    return _ROOT in sys.modules or _is_asked_for()


@cache
def _is_asked_for() -> bool:
    """Whether the environment asks for telemetry; looked up once."""
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    named = (os.environ.get(name, "").strip().lower() for name in _VARIABLES)
    return any(value not in ("", "none") for value in named)


@cache
def _tracer() -> Tracer | None:
    """The tracer, which follows the provider that the program sets; None without the package."""
    try:
        from opentelemetry.trace import get_tracer
    except ImportError:
        return None
    return get_tracer(SCOPE, __version__)


@cache
def _logger() -> Logger | None:
    """The same for events."""
    try:
        from opentelemetry._logs import get_logger
    except ImportError:
        return None
    return get_logger(SCOPE, __version__)
