"""The server over standard input and output, bounded, and ended with its client."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, BinaryIO, NoReturn, cast

from veridical.errors import MissingExtraError
from veridical.integrations.mcp import limits
from veridical.integrations.mcp.server import create_server

try:
    import anyio
    import mcp_types as types
    from mcp.server.stdio import stdio_server
    from mcp.shared.message import SessionMessage
except ImportError as problem:
    raise MissingExtraError("The MCP server", "mcp") from problem

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import WriteStream

    from veridical.models.protocol import LanguageModel

_PIECE = 64 * 1024
_ENDS = 512
_MOST_ID_CHARS = 64
_ID = re.compile(rb'"id"\s{0,9}:\s{0,9}(\d{1,18}|"[\w.-]{1,64}")')
_TOO_LONG = f"the message is longer than {limits.MAX_MESSAGE_BYTES:,} bytes, which is the limit"
_NOT_UTF8 = "the message is not UTF-8"
_NOT_JSON = (
    "the message is no JSON-RPC message: it is no valid JSON, nested too deeply, holds half of a "
    "surrogate pair, or lacks what a request has"
)
_OURS = {"veridical": "unreadable message"}

_log = logging.getLogger(__name__)


def serve(folders: Sequence[str], *, model: LanguageModel | None = None) -> NoReturn:
    """Serve until standard input is closed, or SIGTERM or Ctrl-C comes; then the process ends."""
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, _end)
    roots = _from_common_parent(folders)
    try:
        anyio.run(_serve, roots, model)
    except* OSError:
        _log.debug("the client does not read any more")
    _end()


def _end(_signal: int = 0, _frame: FrameType | None = None) -> NoReturn:
    """End now. Nothing is written that could be left half done, and threads at work, or one that
    waits for standard input, would hold up any other end.
    """
    os._exit(0)


def _from_common_parent(folders: Sequence[str]) -> list[str]:
    """The folders as they are called from their common parent, where the process goes.

    So no name of a document and no message holds a path of this machine.
    """
    real = [Path(folder).resolve() for folder in folders]
    try:
        parent = Path(os.path.commonpath([path.parent for path in real]))
    except ValueError:  # on several drives of Windows
        return [str(path) for path in real]
    os.chdir(parent)
    return [str(path.relative_to(parent)) for path in real]


async def _serve(folders: Sequence[str], model: LanguageModel | None) -> None:
    messages = _Messages(_take_standard_input())
    server = create_server(folders, model=model)
    # The SDK keeps standard output for itself, and sends what others print to standard error.
    async with stdio_server(stdin=cast("anyio.AsyncFile[str]", messages)) as (read, write):
        messages.answer_on(write)
        await server.run(read, write, server.create_initialization_options())


def _take_standard_input() -> BinaryIO:
    """Standard input for this server alone: whatever else reads it finds it empty."""
    own = os.dup(sys.stdin.fileno())
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, sys.stdin.fileno())
    os.close(nowhere)
    return os.fdopen(own, "rb")


class _Messages:
    """The lines of standard input, as the SDK goes through them.

    The SDK passes over a message that it cannot read, and its client would wait for good: such a
    one is answered here.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._write: WriteStream[SessionMessage] | None = None
        self._can_answer = anyio.Event()

    def answer_on(self, write: WriteStream[SessionMessage]) -> None:
        """Say where answers go. Nothing is read before."""
        self._write = write
        self._can_answer.set()

    def __aiter__(self) -> _Messages:
        return self

    async def __anext__(self) -> str:
        await self._can_answer.wait()
        # Nobody waits for the thread that waits for a client.
        while line := await anyio.to_thread.run_sync(self._next, abandon_on_cancel=True):
            if isinstance(line, str):
                return line
            if self._write is not None:
                await self._write.send(SessionMessage(line))
        raise StopAsyncIteration

    def _next(self) -> str | types.JSONRPCError:
        """The next message, or the answer to one that cannot be read; "" at the end."""
        data = self._stream.readline(limits.MAX_MESSAGE_BYTES + 1)
        if len(data) > limits.MAX_MESSAGE_BYTES:
            return _refusal(_id_within(data[:_ENDS] + self._rest(data)), _TOO_LONG)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return _refusal(_id_within(data[:_ENDS] + data[-_ENDS:]), _NOT_UTF8)
        return text if not text or _is_message(text) else _refusal(_id_of(text), _NOT_JSON)

    def _rest(self, data: bytes) -> bytes:
        """How a line that is too long ends; what stands before is thrown away."""
        while not data.endswith(b"\n"):
            piece = self._stream.readline(_PIECE)
            if not piece:
                break
            data = data[-_ENDS:] + piece
        return data[-_ENDS:]


def _is_message(text: str) -> bool:
    try:
        types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        return False
    return True


def _id_of(text: str) -> int | str | None:
    """The id of what is no message, where that can be told."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    id = given.get("id") if isinstance(given, dict) else None  # noqa: A001  # the protocol's word
    if isinstance(id, str):
        return id if len(id) <= _MOST_ID_CHARS and id.isprintable() else None
    return id if isinstance(id, int) and not isinstance(id, bool) else None


def _id_within(ends: bytes) -> int | str | None:
    """The same from how a line begins and ends: by habit the id stands in one of them."""
    found = _ID.search(ends)
    return json.loads(found[1]) if found else None


def _refusal(id: int | str | None, problem: str) -> types.JSONRPCError:
    """The answer to a message that cannot be read."""
    error = types.ErrorData(code=types.PARSE_ERROR, message=problem, data=_OURS)
    return types.JSONRPCError(jsonrpc="2.0", id=id, error=error)
