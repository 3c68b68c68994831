"""A model that is waited for so long in all, however often it is asked."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

from veridical.errors import ModelUnavailable
from veridical.models.protocol import LanguageModel, ModelReply, ModelRequest

DEFAULT_TIMEOUT_SECONDS = 60.0

_T = TypeVar("_T")


class OutOfTime(ModelUnavailable):
    """The time that a model has in all is over."""


class Deadline:
    """A `LanguageModel` that asks another, and waits for its replies `seconds` in all."""

    def __init__(self, model: LanguageModel, seconds: float) -> None:
        self._model = model
        self._seconds = self._left = seconds

    @property
    def name(self) -> str:
        """The name of the model that is asked."""
        return self._model.name

    def complete(self, request: ModelRequest) -> ModelReply:
        """Its reply. Raises OutOfTime once the time is over."""
        began = time.monotonic()
        try:
            return complete_within(self._model, request, self._left)
        except TimeLimit:
            raise OutOfTime(
                f"{self.name} gave no whole answer within {self._seconds:g} s in all"
            ) from None
        finally:
            self._left -= time.monotonic() - began


class TimeLimit(Exception):
    """There was no outcome within the time that was given."""


def within(seconds: float, work: Callable[[], _T]) -> _T:
    """What `work` gives on a thread of its own. What is cut off is left behind, and ends by itself.

    Raises TimeLimit after so many seconds, and what `work` raises.
    """
    outcome: Future[_T] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as problem:  # noqa: BLE001 - raised again where it is waited for
            outcome.set_exception(problem)

    if seconds > 0:
        # With the context of whoever asks: what is done is a part of their trace.
        Thread(target=copy_context().run, args=(run,), name="veridical-model", daemon=True).start()
        if wait([outcome], seconds).done:
            return outcome.result()
    raise TimeLimit


def complete_within(model: LanguageModel, request: ModelRequest, seconds: float) -> ModelReply:
    """The model's reply. Raises as `within`, and what the model raises."""
    return within(seconds, lambda: model.complete(request))
