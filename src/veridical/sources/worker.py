"""What runs inside the worker process of `veridical.sources.isolated`.

Reads one line of JSON (`entry`, `options`, `name`, `limits`) and then the file's bytes from
standard input; writes one JSON object to what was standard output: what the entry made of the file,
or `error` (a message for the user), `failure` (the parser failed at this file), `unavailable` (it
cannot be loaded at all) or `unusable` (what is wrong with what it is installed with).
Imports as little as it can: each file pays for it.
"""

from __future__ import annotations

import gc
import json
import math
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

from veridical.codec import EXACT, Codec, Form
from veridical.errors import ConfigurationError, DocumentParsingError
from veridical.sources.document import MEBIBYTE, Document, SourceLimits, UnreadPages


def _whole_text(value: Any) -> str:
    """Text that can be written anywhere. Raises UnicodeEncodeError at half a surrogate pair."""
    text: str = EXACT[str][1](value)
    text.encode()
    return text


WIRE = Codec(
    {Document: Form(apart=("name", "format", "masks", "size_bytes"), optional=("places",))},
    values={**EXACT, str: (None, _whole_text)},
    closed=True,
)
"""Writes what was read of a file, and reads it trusting nothing: a parser that was taken over could
answer anything.
"""


is_serving = False
"""Whether this process is a worker."""


def main() -> NoReturn:
    """Serve one request and end the process."""
    global is_serving  # noqa: PLW0603 - a process serves once
    is_serving = True
    gc.disable()  # one file and out: looking for garbage takes a fifth of the time
    reply_to = _take_standard_output()
    request = json.loads(sys.stdin.buffer.readline())
    limits = SourceLimits(**request["limits"])
    sys.setrecursionlimit(5 * limits.max_nesting + 1_000)  # an element of XML takes two calls
    _limit_resources(limits)
    reply = answer(request, sys.stdin.buffer.read(), request["name"], limits)
    with os.fdopen(reply_to, "wb") as stream:
        stream.write(json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace"))
        stream.flush()
        # No clean-up of native libraries: it takes time, and after a hostile file it may crash.
        os._exit(0)


def entry_of(name: str) -> Callable[..., Any]:
    """The function of a name such as "package.module:name"."""
    module, _, function = name.partition(":")
    entry: Callable[..., Any] = getattr(import_module(module), function)
    return entry


def answer(
    request: Mapping[str, Any], data: bytes, name: str, limits: SourceLimits
) -> dict[str, Any]:
    """The reply to one request, whatever the parser does short of ending the process."""
    try:
        entry = entry_of(request["entry"])
    except (ImportError, OSError, MemoryError) as error:
        return {"unavailable": str(error) or "out of memory"}
    try:
        made = entry(data, name, limits=limits, **request.get("options", {}))
        return made if isinstance(made, dict) else WIRE.write(made)
    except UnreadPages as found:
        return {"scanned": found.args}
    except DocumentParsingError as error:
        return {"error": str(error)}
    except ConfigurationError as error:
        return {"unusable": str(error)}
    except MemoryError:
        return {
            "lacks_memory": True,
            "failure": "the parser needed more than "
            f"{limits.max_worker_memory_bytes // MEBIBYTE:,} MB of memory",
        }
    except Exception as error:  # noqa: BLE001 - a bug of ours or of a library is answered, too
        return {"failure": "the parser failed", "detail": type(error).__name__}


def _take_standard_output() -> int:
    """Keep standard output for the reply; what libraries print there from now on is dropped."""
    reply_to = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return reply_to


def _limit_resources(limits: SourceLimits) -> None:
    """Bound memory and processor time by the operating system, where it can (not on Windows)."""
    try:
        import resource
    except ImportError:
        return
    seconds = math.ceil(limits.max_parse_seconds)
    for kind, soft in (
        (resource.RLIMIT_AS, limits.max_worker_memory_bytes),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):
            _, hard = resource.getrlimit(kind)
            unlimited = hard == resource.RLIM_INFINITY
            resource.setrlimit(kind, (soft if unlimited else min(soft, hard), hard))
