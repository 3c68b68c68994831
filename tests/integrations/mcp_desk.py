"""A running MCP server: spoken to by the official client, or line by line."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult

PATIENCE = 120.0
"""Seconds after which an answer does not come any more."""

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "lines", "version": "1"},
}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "veridical", "mcp", *arguments]


class Desk:
    """A server behind the official client."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal = portal
        self.client = client

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> CallToolResult:
        reply: CallToolResult = self.portal.call(self.client.call_tool, tool, arguments)
        return reply

    def result(self, tool: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """The structured result of a call that is to succeed."""
        reply = self.call(tool, arguments)
        assert not reply.is_error, reply.content
        assert isinstance(reply.structured_content, dict)
        return reply.structured_content

    def problem(self, tool: str, arguments: dict[str, Any] | None = None) -> str:
        """What is said of a call that is to fail."""
        reply = self.call(tool, arguments)
        assert reply.is_error
        assert reply.structured_content is None
        return said(reply)


def said(reply: CallToolResult) -> str:
    (block,) = reply.content
    assert block.type == "text"
    return block.text


@contextmanager
def desk(*arguments: str, mode: str = "auto", errors: Path | None = None) -> Iterator[Desk]:
    """A server for the folders and options, and a client of it."""
    run, *rest = command(*arguments)
    started = StdioServerParameters(command=run, args=rest, env=dict(os.environ))
    with (errors or Path(os.devnull)).open("a", encoding="utf-8") as log:
        client = Client(
            stdio_client(started, errlog=log),
            mode=mode,
            read_timeout_seconds=PATIENCE,
        )
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as inside:
            yield Desk(portal, inside)


class Lines:
    """A server that gets its messages as they are written, however wrong."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            command(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.passed: list[dict[str, Any]] = []
        self.errors = b""
        self._readers = [threading.Thread(target=reads) for reads in (self._out, self._err)]
        for reader in self._readers:
            reader.start()

    def _out(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._messages.put(json.loads(line))  # nothing but the protocol stands there
        self._messages.put(None)

    def _err(self) -> None:
        assert self.process.stderr
        self.errors = self.process.stderr.read()

    def write(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, id: int | None, method: str, params: object = None) -> None:
        given = {
            "jsonrpc": "2.0",
            "method": method,
            **({} if params is None else {"params": params}),
        }
        self.write(json.dumps(given if id is None else {**given, "id": id}).encode())

    def hello(self) -> dict[str, Any]:
        self.send(0, "initialize", HELLO)
        reply = self.reply(0)
        self.send(None, "notifications/initialized")
        return reply

    def call(self, id: int, tool: str, arguments: object, **meta: object) -> None:
        params = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
        self.send(id, "tools/call", params)

    def reply(self, id: int | None) -> dict[str, Any]:
        """The answer to the message of that id; what comes before it is kept in `passed`."""
        for message in self.passed:
            if message.get("id") == id and "method" not in message:
                self.passed.remove(message)
                return message
        while (new := self._messages.get(timeout=PATIENCE)) is not None:
            if new.get("id") == id and "method" not in new:
                return new
            self.passed.append(new)
        raise AssertionError(f"the server has ended: {self.errors.decode()}")

    def ended(self) -> int:
        """The exit code, after the server was asked to end."""
        code = self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None and not pipe.closed:
                pipe.close()
        return code

    def close(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        return self.ended()


@contextmanager
def lines(*arguments: str) -> Iterator[Lines]:
    server = Lines(*arguments)
    try:
        yield server
    finally:
        server.process.kill()
        server.ended()
