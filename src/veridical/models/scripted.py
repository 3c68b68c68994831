"""A model that replies as it is told: for tests, and for trying things out without a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import TypeAlias

from veridical.errors import ModelError
from veridical.models.protocol import ModelReply, ModelRequest

ScriptedReply: TypeAlias = (
    "str | ModelReply | BaseException | Callable[[ModelRequest], str | ModelReply]"
)


class ScriptedModel:
    """A `LanguageModel` that gives the replies of a list, one a call.

    A reply is a text, a whole ModelReply, an exception to raise, or a function of the request.
    After the last one it raises ModelError, or with `repeat_last` gives that one again. Usable
    from several threads at once.
    """

    def __init__(
        self,
        replies: Iterable[ScriptedReply],
        *,
        name: str = "scripted",
        repeat_last: bool = False,
    ) -> None:
        self._replies = tuple(replies)
        self._name = name
        self._repeat_last = repeat_last
        self._requests: list[ModelRequest] = []
        self._lock = Lock()

    @property
    def name(self) -> str:
        """How results name it."""
        return self._name

    @property
    def calls(self) -> int:
        """How often it was asked, also in vain."""
        return len(self.requests)

    @property
    def requests(self) -> tuple[ModelRequest, ...]:
        """What it was asked, in order."""
        with self._lock:
            return tuple(self._requests)

    def complete(self, request: ModelRequest) -> ModelReply:
        """The next reply. Raises ModelError when there is none, and what it was told to raise."""
        with self._lock:
            turn = len(self._requests)
            self._requests.append(request)
        if self._repeat_last:
            turn = min(turn, len(self._replies) - 1)
        if not 0 <= turn < len(self._replies):
            raise ModelError(
                f"the scripted model has {len(self._replies)} replies and was asked once more; "
                "give it more, or repeat_last=True"
            )
        return self._said(self._replies[turn], request)

    def _said(self, reply: ScriptedReply, request: ModelRequest) -> ModelReply:
        if isinstance(reply, BaseException):
            raise reply
        said = reply(request) if callable(reply) else reply
        return said if isinstance(said, ModelReply) else ModelReply(said, model=self._name)
