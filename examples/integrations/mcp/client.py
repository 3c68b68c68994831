"""Checks the quotes and the answer of a model through the MCP server, as an assistant does.

Run from the root of the repository: python examples/integrations/mcp/client.py
Needs: pip install 'veridical[mcp]'
"""

from __future__ import annotations

import os
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters

SERVER = StdioServerParameters(
    command="veridical", args=["mcp", "examples/sources"], env=dict(os.environ)
)
ANSWER = Path("examples/answers/annual-leave.md").read_text("utf-8")


async def main() -> None:
    """Ask for the tools, then use two of them."""
    async with Client(SERVER) as client:
        tools = (await client.list_tools()).tools
        print("Tools:", ", ".join(tool.name for tool in tools))

        quotes = [{"quote": "Full-time staff are entitled to 28 days of annual leave"}]
        reply = await client.call_tool("validate_quotes", {"quotes": quotes})
        for verdict in reply.structured_content["quotes"]:
            print(f"Quote {verdict['number']}: {verdict['status']}, {verdict['changes']}")

        reply = await client.call_tool("check_answer", {"answer": ANSWER})
        for claim in reply.structured_content["claims"]:
            print(f"{claim['verdict']:12} {' '.join(claim['claim'].split())}")


if __name__ == "__main__":
    anyio.run(main)
