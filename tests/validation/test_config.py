"""Settings: defaults, bounds, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from veridical import ConfigurationError, ValidationConfig
from veridical.validation.schemas import load_schema


def settings() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for group, schema in load_schema("validation_config")["properties"].items():
        for name, rule in schema["properties"].items():
            yield group, name, rule


def test_the_defaults_are_those_of_the_schema() -> None:
    stated: dict[str, dict[str, Any]] = {}
    for group, name, rule in settings():
        stated.setdefault(group, {})[name] = rule["default"]
        assert rule["description"]
    assert ValidationConfig().to_mapping() == stated
    for nothing in (None, {}, {"validation_config": {}}):
        assert ValidationConfig.from_mapping(nothing) == ValidationConfig()


def test_a_whole_number_may_be_written_as_a_fraction() -> None:
    config = ValidationConfig.from_mapping(
        {
            "fuzzy_matching": {"max_edit_distance": 3.0},
            "performance_limits": {"max_claims": 20.0, "max_document_size_mb": 0.5},
        }
    )
    assert repr(config.fuzzy_matching.max_edit_distance) == "3"
    assert repr(config.performance_limits.max_claims) == "20"
    assert config.performance_limits.max_document_size_mb == 0.5
    assert config.performance_limits.max_document_bytes == 512 * 1024


@pytest.mark.parametrize(("group", "name", "rule"), list(settings()))
def test_bounds(group: str, name: str, rule: dict[str, Any]) -> None:
    wrong: list[Any] = [None, [], {}, "x" if rule["type"] != "string" else 1]
    good: list[Any] = []
    if rule["type"] == "boolean":
        good, wrong = [True, False], [*wrong, 1, 0]
    elif "enum" in rule:
        good = rule["enum"]
    else:
        wrong += [True, math.nan, math.inf, rule["maximum"] * 1.01 + 1]
        good += [rule["maximum"]]
        if "minimum" in rule:
            good.append(rule["minimum"])
            wrong.append(rule["minimum"] - 1)
        else:
            good.append(rule["exclusiveMinimum"] + 0.001)
            wrong.append(rule["exclusiveMinimum"])
        if rule["type"] == "integer":
            wrong.append(rule["default"] + 0.5)
    for value in wrong:
        with pytest.raises(ConfigurationError, match=rf"configuration: {group}\.{name}: "):
            ValidationConfig.from_mapping({group: {name: value}})
    around = {"semantic_matching": {"chunk_size": 10_000, "overlap_size": 0}}
    for value in good:
        given = {**around, group: {**around.get(group, {}), name: value}}
        config = ValidationConfig.from_mapping(given).to_mapping()
        assert config[group][name] == value


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ([], "expected an object of settings, got list"),
        ("defaults", "expected an object of settings, got str"),
        ({"validation_config": None}, "expected an object of settings, got NoneType"),
        ({"validation_config": {}, "fuzzy_matching": {}}, 'unknown: "validation_config"'),
        ({"fuzzy": {}}, 'unknown: "fuzzy"'),
        ({"fuzzy_matching": {"threshold": 1}}, 'fuzzy_matching: unknown: "threshold"'),
        ({"fuzzy_matching": None}, "fuzzy_matching: null is not of type"),
        ({"semantic_matching": {"overlap_size": 500}}, "must be less than"),
        ({1: {}}, "not JSON data"),
    ],
)
def test_what_is_refused(config: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        ValidationConfig.from_mapping(config)
