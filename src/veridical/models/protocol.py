"""What every language model is to us: messages in, one reply out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable


class Role(StrEnum):
    """Who speaks in a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What is asked of a model.

    `schema` is the JSON Schema that the reply should fit and `schema_name` its name (letters,
    digits and underscores); without it the reply is free text. A model may ignore the schema:
    whoever asks checks the reply. `max_tokens` bounds the reply.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    schema_name: str = "reply"
    max_tokens: int = 2048
    temperature: float = 0.0


class FinishReason(StrEnum):
    """Why a reply ends: it is complete, it ran into `max_tokens`, or the server broke it off."""

    STOP = "stop"
    LENGTH = "length"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's reply as it came. `model` is the name that the server gave, or the one asked for.

    Token counts are None where the server does not tell.
    """

    text: str
    finish_reason: FinishReason = FinishReason.STOP
    model: str = ""
    prompt_tokens: int | None = None
    reply_tokens: int | None = None


@runtime_checkable
class LanguageModel(Protocol):
    """A language model. May be called from several threads at once."""

    @property
    def name(self) -> str:
        """How results name it."""
        ...

    def complete(self, request: ModelRequest) -> ModelReply:
        """One reply to one request, in bounded time.

        Raises ModelUnavailable where asking again later may help, ModelError where it would not.
        """
        ...
