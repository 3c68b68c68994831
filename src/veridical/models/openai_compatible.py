"""A language model behind an OpenAI-compatible server."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from veridical.models.exchange import Answer, Exchange, Failure, Remedy, converse, require_client
from veridical.models.protocol import FinishReason, ModelReply, ModelRequest, Role
from veridical.models.settings import ModelSettings

# What a server understands of the protocol, found out by asking ever less of it.


class ReplyFormat(StrEnum):
    """How a server is told to reply in JSON, the strictest way first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"


_WEAKER = {
    ReplyFormat.JSON_SCHEMA: ReplyFormat.JSON_OBJECT,
    ReplyFormat.JSON_OBJECT: ReplyFormat.TEXT,
}

_REFUSALS = {400, 415, 422, 501}
"""Statuses of a request that a server does not understand, whatever it says about it."""

_PERHAPS_REFUSALS = {404, 500}
"""Statuses that some servers give for a reply format, and most for something else."""

_ABOUT_FORMAT = re.compile(
    r"response_format|json_?schema|json_object|structured|grammar", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to say a request so that a server takes it.

    Newer models of OpenAI's own take `max_completion_tokens` for `max_tokens`, and no temperature;
    many other servers know nothing of JSON schemas, or of JSON replies at all.
    """

    reply_format: ReplyFormat = ReplyFormat.JSON_SCHEMA
    length_parameter: str = "max_tokens"
    with_temperature: bool = True

    def parameters(self, request: ModelRequest) -> dict[str, Any]:
        """The body of the request, but for the model."""
        parameters: dict[str, Any] = {
            "messages": self._messages(request),
            self.length_parameter: request.max_tokens,
        }
        if self.with_temperature:
            parameters["temperature"] = request.temperature
        if request.schema is None or self.reply_format is ReplyFormat.TEXT:
            return parameters
        parameters["response_format"] = {"type": self.reply_format.value}
        if self.reply_format is ReplyFormat.JSON_SCHEMA:
            parameters["response_format"]["json_schema"] = {
                "name": request.schema_name,
                "schema": request.schema,
                "strict": True,
            }
        return parameters

    def simpler(self, failure: Failure, request: ModelRequest) -> Dialect | None:
        """The dialect to try next after a refusal; None if the dialect is not to blame.

        Never one that was tried before, so that there are few steps.
        """
        if failure.status not in _REFUSALS | _PERHAPS_REFUSALS:
            return None
        about = failure.parameter or failure.refusal
        about_format = bool(_ABOUT_FORMAT.search(about))
        if self.length_parameter == "max_tokens" and "max_completion_tokens" in failure.refusal:
            return replace(self, length_parameter="max_completion_tokens")
        if self.with_temperature and "temperature" in about and not about_format:
            return replace(self, with_temperature=False)
        if request.schema is None or self.reply_format not in _WEAKER:
            return None
        if failure.status in _REFUSALS or about_format:
            return replace(self, reply_format=_WEAKER[self.reply_format])
        return None

    def _messages(self, request: ModelRequest) -> list[dict[str, str]]:
        messages = [
            {"role": message.role.value, "content": _encodable(message.content)}
            for message in request.messages
        ]
        if request.schema is None or self.reply_format is ReplyFormat.JSON_SCHEMA:
            return messages
        # A model that is not held to the schema is shown it; OpenAI also refuses a JSON reply
        # format where no message speaks of JSON.
        words = (
            f"Reply with one JSON value that fits this JSON Schema:\n{json.dumps(request.schema)}"
        )
        if messages and messages[-1]["role"] == Role.USER:
            messages[-1]["content"] += f"\n\n{words}"
        else:
            messages.append({"role": Role.USER.value, "content": words})
        return messages


def _encodable(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair: UTF-8 cannot hold one."""
    return text.encode("utf-8", "replace").decode()


_MOST_NAME_CHARS = 200


class OpenAICompatibleModel:
    """A `LanguageModel` of OpenAI or of any server that speaks its chat completions protocol.

    Replies are held to the request's JSON Schema where the server can do that, else asked for as
    JSON, else as text; what the server takes is remembered. Every call ends within
    `settings.total_seconds`, whatever the server does. Usable from several threads at once, and
    from a running event loop.
    """

    def __init__(self, settings: ModelSettings) -> None:
        """Raises MissingExtraError without httpx2."""
        require_client()
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
        return converse(self._settings, lambda exchange: self._settle(exchange, request))

    async def _settle(self, exchange: Exchange, request: ModelRequest) -> ModelReply:
        """Ask, in ever simpler dialects while the server refuses."""
        dialect = self._dialect
        first: Failure | None = None
        while True:
            body = {"model": self.name, **dialect.parameters(request)}
            try:
                reply = await exchange.post("/chat/completions", body, self._read)
            except Failure as problem:
                failure = problem
            else:
                # One assignment, which threads cannot tear: any dialect that worked will do.
                self._dialect = dialect
                return reply
            first = first or failure
            simpler = dialect.simpler(failure, request)
            if simpler is None:
                # Should no dialect help, the first refusal says best what is wrong.
                raise first if failure.remedy is Remedy.CHANGE else failure
            dialect = simpler

    def _read(self, answer: Answer) -> ModelReply:
        return read_completion(answer, self._settings)


def read_completion(answer: Answer, settings: ModelSettings) -> ModelReply:
    """The reply in the body of a chat completion. Raises Failure where there is none."""
    if answer.content_type == "text/html" or answer.body.lstrip().startswith(b"<"):
        raise Failure(
            f"{settings.server} answers with a web page; check the base URL, which mostly ends "
            "in /v1",
            Remedy.CHANGE,
        )
    try:
        completion = json.loads(answer.body)
    except (ValueError, RecursionError):
        raise Failure(
            f"{settings.server} answered with something that is not JSON, or only half of it",
            Remedy.RETRY,
        ) from None
    match completion:
        case {"choices": [{"message": {"content": str(text)}} as choice, *_]}:
            finish = _finish_reason(choice.get("finish_reason"))
        case {"choices": [{"finish_reason": "length"}, *_]}:
            text, finish = "", FinishReason.LENGTH  # all its tokens went into thinking
        case _:
            text, finish = "", FinishReason.OTHER
    if not text and finish is not FinishReason.LENGTH:
        raise Failure(f"{settings.server} answered without a reply in it", Remedy.RETRY)
    usage = completion.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return ModelReply(
        text=settings.without_key(text),
        finish_reason=finish,
        model=_name(completion.get("model"), settings),
        prompt_tokens=_count(counts.get("prompt_tokens")),
        reply_tokens=_count(counts.get("completion_tokens")),
    )


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
