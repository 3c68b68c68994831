"""The language model that the options of a command, or the environment, name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from veridical.errors import ConfigurationError

if TYPE_CHECKING:
    from veridical.models.protocol import LanguageModel

MODEL_VARIABLE = "VERIDICAL_MODEL"
URL_VARIABLE = "VERIDICAL_BASE_URL"


def names_a_model(model: str | None, base_url: str | None) -> bool:
    """Whether a language model is asked for, by option or environment."""
    return bool(model or base_url or os.environ.get(MODEL_VARIABLE, "").strip())


def chosen_model(model: str | None, base_url: str | None) -> LanguageModel | None:
    """The language model, where one is asked for. Raises ConfigurationError for half of one."""
    return language_model(model, base_url) if names_a_model(model, base_url) else None


def language_model(
    model: str | None,
    base_url: str | None,
    *,
    max_retries: int | None = None,
    timeout_seconds: float | None = None,
) -> LanguageModel:
    """The language model that is asked for.

    `max_retries` are the client's own attempts after the first, and `timeout_seconds` what it
    waits for one, and for all of them; None for its defaults.
    Raises ConfigurationError where no model is named, or no server.
    """
    from dataclasses import replace

    from veridical.models.openai_compatible import OpenAICompatibleModel
    from veridical.models.settings import KEY_VARIABLE, ModelSettings

    if not (model or os.environ.get(MODEL_VARIABLE, "").strip()):
        raise ConfigurationError(
            f"no model is named: give --model, and its server as --base-url (or set "
            f"{MODEL_VARIABLE} and {URL_VARIABLE})"
        )
    if not any((base_url, *map(os.environ.get, (URL_VARIABLE, KEY_VARIABLE)))):
        raise ConfigurationError(
            f"no server to ask: give --base-url, or set {URL_VARIABLE}; with {KEY_VARIABLE} alone "
            "OpenAI is asked"
        )
    settings = ModelSettings.from_environment(model=model, base_url=base_url)
    if max_retries is not None:
        settings = replace(settings, max_retries=max_retries)
    if timeout_seconds is not None:
        settings = replace(settings, timeout_seconds=timeout_seconds, total_seconds=timeout_seconds)
    return OpenAICompatibleModel(settings)
