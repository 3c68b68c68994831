"""A model that is waited for so long in all, however often it is asked."""

from __future__ import annotations

import time
from concurrent.futures import Future
from threading import Thread

from veridical.errors import ModelUnavailable
from veridical.models.protocol import LanguageModel, ModelReply, ModelRequest

DEFAULT_TIMEOUT_SECONDS = 60.0


class OutOfTime(ModelUnavailable):
    """The time that a model has in all is over."""


class Deadline:
    """A `LanguageModel` that asks another, and waits for its replies `seconds` in all.

    The call that is cut off goes on in the background, and ends as the model itself ends it.
    """

    def __init__(self, model: LanguageModel, seconds: float) -> None:
        self._model = model
        self._seconds = self._left = seconds

    @property
    def name(self) -> str:
        """The name of the model that is asked."""
        return self._model.name

    def complete(self, request: ModelRequest) -> ModelReply:
        """Its reply. Raises OutOfTime once the time is over."""
        if self._left <= 0:
            raise self._out_of_time()
        outcome: Future[ModelReply] = Future()

        def ask() -> None:
            try:
                outcome.set_result(self._model.complete(request))
            except BaseException as problem:  # noqa: BLE001 - raised again where it is waited for
                outcome.set_exception(problem)

        began = time.monotonic()
        Thread(target=ask, name="veridical-deadline", daemon=True).start()
        try:
            return outcome.result(self._left)
        except TimeoutError:
            if outcome.done():
                raise  # the model's own
            raise self._out_of_time() from None
        finally:
            self._left -= time.monotonic() - began

    def _out_of_time(self) -> OutOfTime:
        return OutOfTime(f"{self.name} gave no whole answer within {self._seconds:g} s in all")
