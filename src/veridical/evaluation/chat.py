"""Asking a question of what is evaluated: a server over HTTP, or an answerer in this process.

Both ways end in `read_reply`: what is scored is what a client of the server would have read.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import Protocol

from veridical.answering.answer import PolicyAnswer
from veridical.answering.wire import answer_to_wire
from veridical.errors import ValidationError, VeridicalError
from veridical.evaluation.questions import RECORDS
from veridical.evaluation.run import ChatError, ChatResponse
from veridical.evaluation.schemas import load_schema
from veridical.ledger.canonical import compact_bytes, parse_file
from veridical.validation.schema_errors import first_errors

MAX_REPLY_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 32
"""How deep lists and objects of a reply may be nested."""

_OURS = ("answer", "citations", "snippets", "latency_ms")

logger = logging.getLogger(__name__)


class ChatClient(Protocol):
    """Asks one question. May be called from several threads at once; raises nothing."""

    def ask(self, question: str) -> ChatResponse | ChatError:
        """The response, or why there is none that could be used."""
        ...


@dataclass(frozen=True, slots=True)
class Unreachable(ChatError):
    """Nobody is there to be asked: no other question will fare better."""


class Answerer(Protocol):
    """What `InProcessChat` asks: `answering.answerer.PolicyAnswerer`."""

    def answer(self, question: str) -> PolicyAnswer:
        """The answer to a question, or a refusal."""
        ...


class InProcessChat:
    """Asks an answerer in this process. The server's time is that of the answerer alone."""

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer

    def ask(self, question: str) -> ChatResponse | ChatError:
        """The response, read from the bytes that a server would send."""
        started = time.perf_counter()
        try:
            answer = self._answerer.answer(question)
            latency_ms = (time.perf_counter() - started) * 1000
            return read_reply(compact_bytes(answer_to_wire(answer, latency_ms)))
        except VeridicalError as error:
            return ChatError(str(error))
        except Exception as error:
            logger.debug("the answerer failed", exc_info=True)
            return ChatError(f"the answerer failed: an unexpected {type(error).__name__}")


def read_reply(body: bytes) -> ChatResponse | ChatError:
    """The response in the body of a reply, of the shipped schema `chat_response`.

    A body that is too large, not JSON, nested too deeply or of another shape is a ChatError.
    """
    try:
        data = parse_file(body, what="the reply", most_bytes=MAX_REPLY_BYTES)
    except ValidationError as error:
        return ChatError(str(error))
    if _is_deeper(data, MAX_DEPTH):
        return ChatError(f"the reply is nested more than {MAX_DEPTH} levels deep")
    problems = first_errors(load_schema("chat_response"), data)
    if problems:
        described = "; ".join(problem.describe() for problem in problems)
        return ChatError(f"the reply is not a chat response: {described}")
    extra = {name: value for name, value in data.items() if name not in _OURS}
    return RECORDS.read(ChatResponse, {**data, "extra": extra})


def _is_deeper(value: object, most: int) -> bool:
    """Whether lists and objects are nested more than `most` levels deep."""
    if not isinstance(value, (dict, list)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return most == 0 or any(_is_deeper(each, most - 1) for each in inner)
