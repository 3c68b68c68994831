"""A model that is waited for so long in all, however often it is asked."""

from __future__ import annotations

import time
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Thread

from veridical.errors import ModelUnavailable
from veridical.models.protocol import LanguageModel, ModelReply, ModelRequest

DEFAULT_TIMEOUT_SECONDS = 60.0


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
    """A model gave no reply within the time that it was given."""


def complete_within(model: LanguageModel, request: ModelRequest, seconds: float) -> ModelReply:
    """The model's reply. A call that is cut off is left behind, and ends as the model ends it.

    Raises TimeLimit after so many seconds, and what the model raises.
    """
    outcome: Future[ModelReply] = Future()

    def ask() -> None:
        try:
            outcome.set_result(model.complete(request))
        except BaseException as problem:  # noqa: BLE001 - raised again where it is waited for
            outcome.set_exception(problem)

    if seconds > 0:
        # With the context of whoever asks: what the model does is a part of their trace.
        Thread(
            target=copy_context().run, args=(ask,), name="veridical-deadline", daemon=True
        ).start()
        if wait([outcome], seconds).done:
            return outcome.result()
    raise TimeLimit
