"""The MCP server: the checks of this library as tools of assistants.

`stdio.serve` runs it, `server.create_server` makes it for other transports, `tools` has what it
offers. Needs the extra `mcp`.
"""
