"""The fitted model that the calibrated judge has by default, as a file of the package."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridical.judging.model_file import FittedModel


@lru_cache(maxsize=1)
def shipped_model() -> FittedModel:
    """The shipped model, read and checked once a process."""
    from veridical.judging.model_file import parse_model

    text = resources.files(__name__).joinpath("calibrated.json").read_text("utf-8")
    return parse_model(text, name="the shipped judge model")
