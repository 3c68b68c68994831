"""A decorator for functions that answer: what they return is guarded by the sources."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from functools import cache, wraps
from inspect import iscoroutinefunction
from typing import Any, TypeVar, cast

from veridical.errors import ConfigurationError
from veridical.guarding.guard import Guard
from veridical.guarding.report import OnFail
from veridical.judging.judge import Judge
from veridical.ledger.grounding import Sources, documents_of
from veridical.retrieval.corpus import Corpus

_Function = TypeVar("_Function", bound=Callable[..., Any])


def grounded(
    sources: Sources, *, on_fail: OnFail | str = OnFail.MARK, judge: Judge | None = None
) -> Callable[[_Function], _Function]:
    """Decorate a function that returns an answer, or yields the pieces of one: what comes out is
    what `Guard` lets through of it, as soon as it may. Coroutines and asynchronous generators too.

    `sources` are as `veridical.check` takes them; they are read and indexed at the first call.
    `on_fail` and `judge` are those of `Guard`. A call raises UngroundedError with `OnFail.FAIL`,
    and ConfigurationError where the function returns no text.
    """
    on_fail = OnFail(on_fail)

    @cache
    def corpus() -> Corpus:
        return sources if isinstance(sources, Corpus) else Corpus(documents_of(sources))

    def shown(answer: object) -> str | Iterator[str] | AsyncIterator[str]:
        guard = Guard(corpus(), on_fail=on_fail, judge=judge)  # each serves one answer at a time
        if isinstance(answer, str):
            return guard.check(answer).text
        if isinstance(answer, (AsyncIterable, Iterable)) and not isinstance(answer, bytes):
            return guard.guarded(answer)
        raise ConfigurationError(
            f"a guarded function must return text or yield it, and not {type(answer).__name__}"
        )

    def decorated(function: _Function) -> _Function:
        @wraps(function)
        async def answer_async(*args: Any, **more: Any) -> Any:
            return await to_thread(shown, await function(*args, **more))

        @wraps(function)
        def answer(*args: Any, **more: Any) -> Any:  # what generators return is walked through
            return shown(function(*args, **more))

        return cast(_Function, answer_async if iscoroutinefunction(function) else answer)

    return decorated
