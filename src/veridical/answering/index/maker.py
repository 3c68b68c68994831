"""What reads and cuts documents, told by a hash: another reader may make other documents."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from veridical.retrieval.chunks import ChunkPolicy
from veridical.sources.limits import SourceLimits
from veridical.version import __version__

_READERS = ("sources", "text", "retrieval")
"""Our packages that have a hand in documents and chunks."""

_LIBRARIES = ("pypdfium2", "sentencex")
"""The libraries that have one: they take text from PDF, and part sentences."""


def maker(policy: ChunkPolicy, limits: SourceLimits) -> str:
    """A hash, in hex, of all that documents and chunks depend on beside the file itself.

    It changes with the code that reads and cuts, so that nobody has to remember to raise a number
    when it is changed, and with the settings.
    """
    parts = [__version__, _code(), asdict(policy), asdict(limits)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@cache
def _code() -> str:
    """A hash of our own code for documents, and of the versions of the libraries below it."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[2]
    for package in _READERS:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(f"{path.relative_to(root).as_posix()}\n".encode())
            digest.update(path.read_bytes())
    for library in _LIBRARIES:
        digest.update(f"{library} {_version(library)}\n".encode())
    return digest.hexdigest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
