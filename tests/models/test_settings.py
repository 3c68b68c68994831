"""Which server is asked: what the settings say, and nothing else."""

from __future__ import annotations

import pytest

from veridical.errors import ConfigurationError
from veridical.models.settings import OPENAI_URL, ModelSettings

KEY = "sk-secret-0123456789"
LOCAL = "http://localhost:8080/v1"


@pytest.mark.parametrize(
    ("arguments", "environ", "expected"),
    [
        ({}, {"MODEL": "m", "API_KEY": KEY}, ("m", OPENAI_URL, KEY)),
        ({}, {"MODEL": " m\n", "BASE_URL": " http://localhost:8080/v1 "}, ("m", LOCAL, None)),
        (
            {"model": "mine", "base_url": LOCAL},
            {"MODEL": "m", "BASE_URL": "http://x/", "API_KEY": f"{KEY}\n"},
            ("mine", LOCAL, KEY),
        ),
        ({"model": "m"}, {"API_KEY": KEY}, ("m", OPENAI_URL, KEY)),
    ],
)
def test_from_the_environment(
    arguments: dict[str, str], environ: dict[str, str], expected: tuple[str, str, str | None]
) -> None:
    environ = {f"VERIDICAL_{name}": value for name, value in environ.items()}
    environ |= {"OPENAI_BASE_URL": "http://y/", "OPENAI_API_KEY": "k"}
    settings = ModelSettings.from_environment(**arguments, environ=environ)
    assert (settings.model, settings.base_url, settings.api_key) == expected


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({}, "VERIDICAL_MODEL"),
        ({"VERIDICAL_MODEL": "  ", "VERIDICAL_API_KEY": KEY}, "VERIDICAL_MODEL"),
        ({"VERIDICAL_MODEL": "m"}, "VERIDICAL_BASE_URL .* VERIDICAL_API_KEY"),
        ({"VERIDICAL_MODEL": "m", "OPENAI_API_KEY": KEY}, "VERIDICAL_BASE_URL"),
        ({"VERIDICAL_MODEL": "m", "VERIDICAL_API_KEY": "  "}, "VERIDICAL_API_KEY"),
        ({"VERIDICAL_MODEL": "m\x00", "VERIDICAL_API_KEY": KEY}, "model name"),
        ({"VERIDICAL_MODEL": "m" * 201, "VERIDICAL_API_KEY": KEY}, "model name"),
        ({"VERIDICAL_MODEL": "m", "VERIDICAL_API_KEY": f"{KEY}\nX-Evil: 1"}, "API key"),
        ({"VERIDICAL_MODEL": "m", "VERIDICAL_API_KEY": f"{KEY}é"}, "API key"),
    ],
)
def test_what_is_missing_or_broken(environ: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        ModelSettings.from_environment(environ=environ)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8080/v1",
        "ftp://example.org/",
        "file:///etc/passwd",
        "http://",
        "http:///v1",
        "http://[::1",
        "http://host:99999/",
        "http://host:port/",
        "http://a b/",
        "http://host/\nv1",
        "http://münchen.example/",
        "http://user:pa55word@example.org/v1",
        "https://pa55word@example.org/v1",
        "https://example.org/v1?key=pa55word",
        "https://example.org/v1#pa55word",
        "",
    ],
)
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ConfigurationError, match="base URL") as caught:
        ModelSettings("m", url)
    assert "pa55word" not in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        {"timeout_seconds": 0},
        {"timeout_seconds": float("nan")},
        {"total_seconds": float("inf")},
        {"total_seconds": -1},
        {"backoff_seconds": -0.1},
        {"max_retries": -1},
        {"max_reply_bytes": 0},
    ],
)
def test_a_bound_that_is_none(values: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(values))):
        ModelSettings("m", **values)


@pytest.mark.parametrize(
    ("key", "said", "shown"),
    [
        (KEY, f"{KEY}, and {KEY}", "[key], and [key]"),
        ("none", "none of it", "none of it"),
        (None, "all of it", "all of it"),
    ],
)
def test_the_key_does_not_show_and_is_cut_out_where_it_comes_back(
    key: str | None, said: str, shown: str
) -> None:
    settings = ModelSettings("m", "http://localhost/", key)
    assert settings.without_key(said) == shown
    assert KEY not in f"{settings!r} {settings}"
