"""A language model behind an OpenAI-compatible server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from veridical.models.dialect import Dialect
from veridical.models.exchange import Answer, Exchange, converse
from veridical.models.failures import Failure, Remedy
from veridical.models.protocol import FinishReason, ModelReply, ModelRequest
from veridical.models.settings import ModelSettings

if TYPE_CHECKING:
    import openai

_MOST_NAME_CHARS = 200


class OpenAICompatibleModel:
    """A `LanguageModel` of OpenAI or of any server that speaks its chat completions protocol.

    Replies are held to the request's JSON Schema where the server can do that, else asked for as
    JSON, else as text; what the server takes is remembered. Every call ends within
    `settings.total_seconds`, whatever the server does. Usable from several threads at once, and
    from a running event loop.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._dialect = Dialect()

    def __repr__(self) -> str:
        return f"OpenAICompatibleModel({self._settings!r})"

    @property
    def name(self) -> str:
        """The name of the model that is asked for."""
        return self._settings.model

    def complete(self, request: ModelRequest) -> ModelReply:
        """See `LanguageModel.complete`.

        Raises ModelUnavailable where there is no usable answer in time or after all attempts, and
        ModelError where the server refuses the key, the model or the request.
        """

        async def work(exchange: Exchange) -> ModelReply | Failure:
            return await self._settle(exchange, request)

        return converse(self._settings, work)

    async def _settle(self, exchange: Exchange, request: ModelRequest) -> ModelReply | Failure:
        """Ask, in ever simpler dialects while the server refuses and there are any."""
        dialect = self._dialect
        refusals: list[Failure] = []
        while True:
            outcome = await exchange.ask(self._sender(dialect, request), self._read)
            if not isinstance(outcome, Failure):
                # One assignment, which threads cannot tear: any dialect that worked will do.
                self._dialect = dialect
                return outcome
            refusals.append(outcome)
            simpler = dialect.simpler(outcome, request)
            if simpler is None:
                break
            dialect = simpler
        # Should no dialect help, the first refusal says best what is wrong.
        return refusals[0] if outcome.remedy is Remedy.CHANGE else outcome

    def _sender(self, dialect: Dialect, request: ModelRequest) -> Any:
        parameters = dialect.parameters(request)

        def send(client: openai.AsyncOpenAI) -> AbstractAsyncContextManager[Any]:
            create: Any = client.chat.completions.with_streaming_response.create
            sent: AbstractAsyncContextManager[Any] = create(
                model=self._settings.model, **parameters
            )
            return sent

        return send

    def _read(self, answer: Answer) -> ModelReply | Failure:
        return read_completion(answer, self._settings)


def read_completion(answer: Answer, settings: ModelSettings) -> ModelReply | Failure:
    """The reply in the body of a chat completion, or why there is none."""
    if answer.content_type == "text/html" or answer.body.lstrip().startswith(b"<"):
        return Failure(
            f"{settings.server} answers with a web page; check the base URL, which mostly ends "
            "in /v1",
            Remedy.CHANGE,
        )
    try:
        completion = json.loads(answer.body)
    except (ValueError, RecursionError):
        return Failure(
            f"{settings.server} answered with something that is not JSON, or only half of it",
            Remedy.RETRY,
        )
    choice = _first(_get(completion, "choices"))
    finish = _finish_reason(_get(choice, "finish_reason"))
    text = _get(_get(choice, "message"), "content")
    if text is None and finish is FinishReason.LENGTH:
        text = ""  # all its tokens went into thinking
    if not isinstance(text, str) or (not text and finish is not FinishReason.LENGTH):
        return Failure(f"{settings.server} answered without a reply in it", Remedy.RETRY)
    usage = _get(completion, "usage")
    return ModelReply(
        text=settings.without_key(text),
        finish_reason=finish,
        model=_name(_get(completion, "model"), settings),
        prompt_tokens=_count(_get(usage, "prompt_tokens")),
        reply_tokens=_count(_get(usage, "completion_tokens")),
    )


def _get(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _first(value: object) -> Any:
    return value[0] if isinstance(value, list) and value else None


def _finish_reason(value: object) -> FinishReason:
    """A server that tells no reason leaves the field out, and its reply is whole."""
    if value in (None, "stop"):
        return FinishReason.STOP
    return FinishReason.LENGTH if value == "length" else FinishReason.OTHER


def _name(value: object, settings: ModelSettings) -> str:
    if isinstance(value, str) and value.isprintable() and 0 < len(value) <= _MOST_NAME_CHARS:
        return settings.without_key(value)
    return settings.model


def _count(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return None
