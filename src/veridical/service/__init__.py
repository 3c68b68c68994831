"""Veridical over HTTP: needs the extra `serve`."""
