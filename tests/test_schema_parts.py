"""The parts of JSON Schemas keep the order in which they print their keywords."""

from __future__ import annotations

import json

from veridical.schema_parts import (
    TEXT,
    array,
    closed,
    nullable,
    record,
    reply,
    text,
    told,
    told_first,
)


def test_names_with_a_question_mark_may_be_missing() -> None:
    part = record({"name": TEXT, "note?": TEXT})
    assert (part["required"], list(part["properties"])) == (["name"], ["name", "note"])
    assert "required" not in record({"note?": TEXT})


def test_the_order_of_keywords() -> None:
    part = told(closed({"name": told(text(9, least=1), "What.")}), "All.")
    assert list(part) == ["type", "description", "additionalProperties", "required", "properties"]
    assert list(part["properties"]["name"]) == ["type", "minLength", "maxLength", "description"]
    assert list(reply({"name": TEXT})) == ["type", "required", "additionalProperties", "properties"]
    assert list(told(array(TEXT, 9), "All.")) == ["type", "description", "maxItems", "items"]


def test_descriptions_first_and_a_property_of_that_name_where_it_is() -> None:
    part = told_first(record({"id": told(TEXT, "Which."), "description": told(TEXT, "What.")}))
    assert json.dumps(part["properties"]) == (
        '{"id": {"description": "Which.", "type": "string"}, '
        '"description": {"description": "What.", "type": "string"}}'
    )


def test_null_is_one_of_the_values_too() -> None:
    assert nullable({"type": "string", "enum": ["a"]})["enum"] == ["a", None]
