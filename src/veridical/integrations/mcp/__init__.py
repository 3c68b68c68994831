"""The MCP server: the checks of this library as tools of assistants.

`stdio.serve` runs it, `server.create_server` makes it for other transports, `server.TOOLS` tells
what it offers. Needs the extra `mcp`.
"""
