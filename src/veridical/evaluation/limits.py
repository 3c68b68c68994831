"""Bounds of a run, apart from what makes one: the help of a command names them, and is light."""

MAX_CONCURRENCY = 64
"""Questions asked at once, and so connections to the server."""

DEFAULT_TIMEOUT_SECONDS = 60.0
MAX_TIMEOUT_SECONDS = 3600.0
"""How long a server may take for a whole reply."""
