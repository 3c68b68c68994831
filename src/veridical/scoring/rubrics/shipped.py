"""The rubrics that come with the package, by name."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable

_SUFFIX = ".yaml"


def shipped_names() -> tuple[str, ...]:
    """The names of the shipped rubrics, in order."""
    folder = _folder()
    if not folder.is_dir():
        return ()
    files = (file.name for file in folder.iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)))


def shipped_text(name: str) -> str:
    """The YAML text of a shipped rubric. Raises KeyError where there is none of that name."""
    if name not in shipped_names():
        raise KeyError(name)
    return _folder().joinpath(name + _SUFFIX).read_text("utf-8")


def _folder() -> Traversable:
    return resources.files(__package__).joinpath("files")
