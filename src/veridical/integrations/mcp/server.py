"""The server: the tools behind the protocol of the official SDK."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError as ArgumentsError

from veridical.errors import MissingExtraError, VeridicalError
from veridical.integrations.mcp import arguments, limits
from veridical.integrations.mcp.documents import Documents
from veridical.integrations.mcp.tools import INSTRUCTIONS, TOOLS, ToolSpec
from veridical.integrations.mcp.working import CallCancelled, Job, Workers
from veridical.version import __version__

try:
    import mcp_types as types
    from mcp.server import Server, ServerRequestContext
except ImportError as problem:  # it is missing, or older than what `veridical[mcp]` asks for
    raise MissingExtraError("The MCP server", "mcp") from problem

if TYPE_CHECKING:
    from veridical.models.protocol import LanguageModel

_MOST_NAMED = 60

_log = logging.getLogger(__name__)


def create_server(folders: Sequence[str], *, model: LanguageModel | None = None) -> Server[Any]:
    """A server for the documents of some folders, to be run over any transport of the SDK.

    Reading the documents begins at once, in a thread. `model` writes answers to questions; without
    one nothing is asked of a network.
    """
    documents, workers = Documents(folders, model=model), Workers()
    workers.begin(partial(_read_ahead, documents))
    listed = [_described(spec, asks_a_model=model is not None) for spec in TOOLS.values()]

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        spec = TOOLS.get(params.name)
        if spec is None:
            named = ", ".join(TOOLS)
            return _error(f"there is no tool {params.name[:_MOST_NAMED]!r}. There are: {named}")
        try:
            given = spec.takes.model_validate(params.arguments or {})
        except (ArgumentsError, RecursionError) as error:
            return _error(_misfit(error))
        try:
            work = partial(_done, spec, given, documents)
            result, text = await workers.run(work, context.session.report_progress)
        except VeridicalError as error:
            return _error(str(error))
        except Exception as error:  # noqa: BLE001  # the server lives on, and tells no more of it
            _log.error("%s: unexpected %s", spec.name, type(error).__name__)
            return _error(
                f"an unexpected {type(error).__name__} stopped the call. This is a defect of "
                "veridical: please report it"
            )
        return _reply(result, text)

    return Server(
        "veridical",
        title="Veridical",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _done(
    spec: ToolSpec, given: arguments.Arguments, documents: Documents, job: Job
) -> tuple[dict[str, Any], str]:
    from veridical.integrations.mcp.doing import DOES

    result, text = DOES[spec.name](given, documents, job)
    return result.model_dump(mode="json"), text


def _read_ahead(documents: Documents, job: Job) -> None:
    try:
        documents.current(job)
    except (VeridicalError, CallCancelled):
        _log.debug("the documents cannot be read yet; the next call tells why")


def _described(spec: ToolSpec, *, asks_a_model: bool) -> types.Tool:
    return types.Tool(
        name=spec.name,
        title=spec.title,
        description=spec.description,
        input_schema=spec.takes.model_json_schema(),
        output_schema=spec.gives.model_json_schema(mode="serialization"),
        annotations=types.ToolAnnotations(
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=asks_a_model and spec.name == "ask",
        ),
    )


def _misfit(error: ArgumentsError | RecursionError) -> str:
    if isinstance(error, ArgumentsError):
        return arguments.problems(error)
    return "the arguments are nested too deeply"


def _reply(result: dict[str, Any], text: str) -> types.CallToolResult:
    data = json.dumps(result, ensure_ascii=False)
    if len(data) > limits.MAX_RESULT_CHARS:
        return _error(
            f"the result would have {len(data):,} characters, the limit is "
            f"{limits.MAX_RESULT_CHARS:,}. Ask for less at once"
        )
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=_sendable(text))],
        structured_content=json.loads(_sendable(data)),
    )


def _error(message: str) -> types.CallToolResult:
    line = " ".join(_sendable(message).split())[: limits.MAX_PASSAGE_CHARS]
    return types.CallToolResult(content=[types.TextContent(type="text", text=line)], is_error=True)


def _sendable(text: str) -> str:
    """The text without halves of surrogate pairs, which a document may hold and no message can."""
    return text.encode("utf-8", "replace").decode("utf-8")
