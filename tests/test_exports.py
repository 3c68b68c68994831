"""The public names: sorted, complete, importable and documented."""

from __future__ import annotations

import dataclasses
import inspect
import subprocess
import sys
from enum import Enum
from importlib import import_module
from typing import Any

import pytest

import evidence_validator
import veridical


def test_every_error_is_exported() -> None:
    errors = import_module("veridical.errors")
    tree = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert tree <= set(veridical.__all__)


def test_each_name_is_what_its_home_holds() -> None:
    assert veridical.__all__ == sorted(veridical._HOMES)
    for name in veridical.__all__:
        home = import_module(f"veridical.{veridical._HOMES[name]}")
        assert getattr(veridical, name) is getattr(home, name)
        assert name in dir(veridical)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        _ = veridical.Nonsense


def test_type_checkers_see_the_same_names() -> None:
    source = inspect.getsource(veridical)
    shown = source.split("if TYPE_CHECKING:\n    from", 1)[1].split("\n__version__", 1)[0]
    for name in veridical.__all__:
        assert name in shown.replace(",", " ").split(), name


def parts(value: Any) -> list[tuple[str, Any]]:
    """The public methods and properties that a class itself defines."""
    if not isinstance(value, type):
        return []
    fields = {f.name for f in dataclasses.fields(value)} if dataclasses.is_dataclass(value) else ()
    return [
        (name, part)
        for name, part in vars(value).items()
        if not name.startswith("_")
        and name not in fields
        and (callable(part) or isinstance(part, (property, classmethod, staticmethod)))
        and not isinstance(part, Enum)
    ]


@pytest.mark.parametrize("module", [veridical, evidence_validator])
def test_everything_public_has_a_docstring(module: Any) -> None:
    for name in module.__all__:
        value = getattr(module, name)
        assert inspect.getdoc(value), name
        assert not (value.__doc__ or "").startswith(f"{name}("), f"{name}: the generated one"
        for part, thing in parts(value):
            documented = getattr(thing, "__func__", thing)
            assert inspect.getdoc(documented), f"{name}.{part}"


def test_the_example_in_the_docstring_is_true() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "doctest", str(inspect.getsourcefile(veridical))],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
