"""What the tests of adapters share."""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from types import ModuleType

import pytest


def needs(module: str) -> ModuleType:
    """The module of a tool that an adapter plugs into.

    Where it is not installed the tests are skipped by its name; in CI, which installs all, it is an
    error. What a tool warns of while it is imported is not ours to mend.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if os.environ.get("CI"):
            return import_module(module)
        found: ModuleType = pytest.importorskip(module)
        return found
