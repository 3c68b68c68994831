"""Defaults of the service, apart from it: the help of a command names them, and is light."""

REFRESH_SECONDS = 5.0
"""How often the documents are looked at for changes."""
