"""The files of our models, and the error where one is not as this version was released."""

from __future__ import annotations

import hashlib
from pathlib import Path

from veridical.errors import ConfigurationError


def read_file(path: Path) -> bytes:
    """What a file holds. Raises ConfigurationError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as problem:
        raise unusable(path, f"cannot be read ({problem.strerror})") from problem


def check_file(path: Path, sha256: str) -> None:
    """Make sure that a file is the one that this version was released with."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise unusable(path, f"cannot be read ({problem.strerror})") from problem
    if digest != sha256:
        raise unusable(path, "is damaged: it is not the one that this version was released with")


def unusable(path: Path, how: str) -> ConfigurationError:
    """The error that tells what is wrong with a file of the package, and what to do."""
    return ConfigurationError(
        f"Veridical's file {path} {how}. "
        "Install Veridical again: pip install --force-reinstall veridical"
    )
