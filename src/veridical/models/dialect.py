"""What a server understands of the protocol, found out by asking ever less of it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from veridical.models.failures import Failure
from veridical.models.protocol import ModelRequest, Role


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
        """The request as the SDK's `chat.completions.create` takes it, but for the model."""
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
