from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.scoring.rubric_texts import RUBRIC, changed

from veridical.errors import ValidationError
from veridical.scoring.rubrics.file import (
    json_tokens,
    lint_rubric,
    load_rubric,
    rubric_from_text,
    shipped_names,
    shipped_text,
    yaml_tokens,
)
from veridical.scoring.rubrics.tree import Problems, Unreadable, build
from veridical.scoring.rubrics.wire import rubric_to_mapping


def from_yaml(text: str) -> Any:
    problems = Problems(text)
    return build(yaml_tokens(text, problems), problems)


SAME = {
    "JSON": json.dumps(from_yaml(RUBRIC)),
    "JSON with tabs": json.dumps(from_yaml(RUBRIC), indent="\t"),
    "names in another order": json.dumps(from_yaml(RUBRIC), sort_keys=True),
    "a comment": "# for trainers\n" + RUBRIC,
    "Windows line ends": RUBRIC.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + RUBRIC,
    "numbers in another form": changed("maxSeconds: 240", "maxSeconds: 2.4e+2"),
    "a default written out": RUBRIC + "llm: {maxRetries: 2}\n",
    "the long form of cues": changed(
        "cues: [assuming command, {say: establishing command, by: ['Engine *']}]".replace("'", '"'),
        'cues: {met: [{say: assuming command}, {say: establishing command, by: ["Engine *"]}]}',
    ),
    "options with scores": changed("[none,", "[{value: none, score: 0},"),
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_the_same_rubric_has_the_same_hash(text: str) -> None:
    assert rubric_from_text(text.encode()).sha256 == rubric_from_text(RUBRIC).sha256


@pytest.mark.parametrize("text", [RUBRIC, *map(shipped_text, shipped_names())])
def test_a_rubric_comes_back_from_its_data(text: str) -> None:
    rubric = rubric_from_text(text)
    assert rubric_from_text(json.dumps(rubric_to_mapping(rubric)), "rubric.json") == rubric
    # JSON without escaped surrogate pairs is YAML too; after a comment it is read as such.
    text = "#\n" + json.dumps(rubric_to_mapping(rubric), ensure_ascii=False)
    assert rubric_from_text(text, "rubric.yaml") == rubric


BROKEN = changed("title: Attack", "titel: Attack").replace("type: enum", "type: enums")


def test_both_yaml_parsers_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [RUBRIC, BROKEN, "a: &x 1", "# c\r\n\r\na: ü\u2028🚒 [\r\n", "- a\n-\n- b:\n  c:\n"]
    assert hasattr(yaml, "CSafeLoader"), "this test needs PyYAML with its parser in C"
    texts.append(RUBRIC + "\t")

    def places() -> list[list[tuple[int, int, str]]]:
        return [[(p.line, p.column, p.path) for p in lint_rubric(text)] for text in texts]

    fast = places()
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert places() == fast


def test_a_file_is_loaded_and_comes_before_a_shipped_rubric(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "fireground"
    path.write_text(RUBRIC, encoding="utf-8")
    assert load_rubric(path) == load_rubric("fireground") == rubric_from_text(RUBRIC)


@pytest.mark.parametrize("name", ["none.yaml", "a\0b", "."])
def test_what_cannot_be_opened(name: str) -> None:
    with pytest.raises(ValidationError, match=r"cannot read"):
        load_rubric(name)
    with pytest.raises(KeyError):
        shipped_text("../rubrics/fireground")


def test_the_first_problems_are_listed_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN, encoding="utf-8")
    with pytest.raises(ValidationError) as raised:
        load_rubric(path)
    lines = str(raised.value).split("; ")
    assert lines[0].startswith(f'rubric: {path}:24:5: error: sections[1]: "title" is missing')
    assert "broken.yaml:25:5: error: sections[1].titel" in lines[1]
    details = raised.value.details
    assert (details["line"], details["path"], len(details["problems"])) == (24, "sections[1]", 3)


def test_too_deep_for_python_is_too_deep_for_us() -> None:
    text = '{"a":' * 100_000
    with pytest.raises(Unreadable, match="levels deep"):
        build(json_tokens(text), Problems(text))
