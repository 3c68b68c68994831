"""Which model to ask, where, with which key, and for how long."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from veridical.errors import ConfigurationError

OPENAI_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "VERIDICAL_API_KEY"

_PLACEHOLDER_KEY = "no-key"
"""What a server is sent that asks for no key: the protocol has a place for one."""

_LEAST_SECRET_CHARS = 8
"""A shorter key is a placeholder such as `none`: cutting it out of texts would only garble them."""

_MOST_MODEL_CHARS = 200


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How to reach one model of one OpenAI-compatible server, and what to allow it.

    `base_url` is the address that `/chat/completions` is appended to; it mostly ends in `/v1`.
    `api_key` never shows in the representation. `timeout_seconds` bounds one attempt and
    `total_seconds` one call with all its attempts and waits; `max_retries` counts the attempts
    after the first, before which it waits for `backoff_seconds`, then twice as long each time.
    A reply of more than `max_reply_bytes` is not read to its end.

    Raises ConfigurationError for what cannot be used.
    """

    model: str
    base_url: str = OPENAI_URL
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 120.0
    total_seconds: float = 300.0
    max_retries: int = 2
    backoff_seconds: float = 0.5
    max_reply_bytes: int = 2 * 1024 * 1024

    def __post_init__(self) -> None:
        if not self.model.strip() or not self.model.isprintable():
            raise ConfigurationError("the model name is empty or has control characters in it")
        if len(self.model) > _MOST_MODEL_CHARS:
            raise ConfigurationError(
                f"the model name is longer than {_MOST_MODEL_CHARS} characters"
            )
        _check_url(self.base_url)
        if self.api_key is not None and not _fits_a_header(self.api_key):
            raise ConfigurationError(
                "the API key is empty or has spaces, control or non-ASCII characters in it; "
                "check what was copied"
            )
        for name in ("timeout_seconds", "total_seconds"):
            if not 0 < getattr(self, name) < math.inf:
                raise ConfigurationError(f"{name} must be more than 0 seconds, and finite")
        if not 0 <= self.backoff_seconds < math.inf:
            raise ConfigurationError("backoff_seconds must be 0 or more, and finite")
        if self.max_retries < 0 or self.max_reply_bytes < 1:
            raise ConfigurationError("max_retries must be 0 or more, max_reply_bytes 1 or more")

    @classmethod
    def from_environment(
        cls,
        model: str | None = None,
        base_url: str | None = None,
        environ: Mapping[str, str] | None = None,
        *,
        model_variable: str = "VERIDICAL_MODEL",
    ) -> ModelSettings:
        """The settings of VERIDICAL_MODEL, VERIDICAL_BASE_URL and VERIDICAL_API_KEY.

        `model` and `base_url` go before the variables; `environ` stands for the process's own.
        With a key and no address OpenAI is asked; with an address the key may be missing, as most
        servers on one's own machine want none. No other variable chooses where anything is sent.

        Raises ConfigurationError where there is no model name, or neither a key nor an address.
        """
        variables = os.environ if environ is None else environ
        model = (model or variables.get(model_variable, "")).strip()
        base_url = (base_url or variables.get("VERIDICAL_BASE_URL", "")).strip()
        api_key = variables.get(KEY_VARIABLE, "").strip() or None
        if not model:
            raise ConfigurationError(f"no model is named: set {model_variable}")
        if not base_url and api_key is None:
            raise ConfigurationError(
                "no server to ask: set VERIDICAL_BASE_URL to an OpenAI-compatible server (such as "
                "http://localhost:8080/v1), or VERIDICAL_API_KEY to use OpenAI"
            )
        return cls(model=model, base_url=base_url or OPENAI_URL, api_key=api_key)

    @property
    def bearer(self) -> str:
        """The key to send, or a placeholder."""
        return self.api_key or _PLACEHOLDER_KEY

    @property
    def server(self) -> str:
        """Host and port, to name the server in messages."""
        return urlsplit(self.base_url).netloc

    @property
    def is_encrypted(self) -> bool:
        """Whether what is sent can be read by that server alone."""
        return urlsplit(self.base_url).scheme == "https"

    def without_key(self, text: str) -> str:
        """A server's words, with the key cut out should it have sent it back."""
        if self.api_key is None or len(self.api_key) < _LEAST_SECRET_CHARS:
            return text
        return text.replace(self.api_key, "[key]")


def _check_url(url: str) -> None:
    """Messages do not repeat the address: a password may stand in it."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not url.isascii() or not url.isprintable() or " " in url:
        raise ConfigurationError(
            "the base URL must be an http or https address, such as http://localhost:8080/v1"
        )
    if parts.username is not None or parts.password is not None:
        raise ConfigurationError(
            "the base URL holds a name or a password; give the key as VERIDICAL_API_KEY instead"
        )
    if parts.query or parts.fragment:
        raise ConfigurationError("the base URL must end before any ? or #")


def _fits_a_header(key: str) -> bool:
    return bool(key) and key.isascii() and key.isprintable() and " " not in key
