from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.rubric_texts import RUBRIC, changed
from tests.scoring.rubrics import rubrics

from veridical.errors import ValidationError
from veridical.scoring.rubric import (
    EvidenceRules,
    ModelRules,
    NotObserved,
    Rubric,
)
from veridical.scoring.rubrics.file import (
    json_tokens,
    lint_rubric,
    load_rubric,
    rubric_from_text,
    yaml_tokens,
)
from veridical.scoring.rubrics.shipped import shipped_names, shipped_text
from veridical.scoring.rubrics.tree import Problems, Unreadable, build
from veridical.scoring.rubrics.wire import rubric_to_mapping
from veridical.scoring.schemas import load_schema


def from_yaml(text: str) -> Any:
    problems = Problems(text)
    return build(yaml_tokens(text, problems), problems)


def test_values_that_are_not_the_defaults() -> None:
    rubric = rubric_from_text(
        changed("type: boolean", "type: boolean\n        evidenceRules: {minEvidence: 0}")
        + "  requiredNotObservedBehavior: exclude_with_warning\n"
        + "llm: {concurrency: 1, maxRetries: 0, evidenceQuoteMaxChars: 100}\n"
    )
    assert rubric.sections[0].criteria[0].evidence == EvidenceRules(0, require_verbatim_quote=True)
    assert rubric.scoring.required_not_observed is NotObserved.EXCLUDE_WITH_WARNING
    assert rubric.llm == ModelRules(1, 0, 100)


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


OTHER = [
    ("Fire ground", "Fire Ground"),
    ("weight: 0.6", "weight: 0.6000001"),
    ("required: true", "required: false"),
    ("maxScore: 4", "maxScore: 5"),
    ("score: 0.5", "score: 0.75"),
    ("[on scene]", "[On scene]"),
    (', by: ["Engine *"]', ""),
    ("maxSeconds: 240", "maxSeconds: 241"),
    ("pass: 0.8", "pass: 0.81"),
]


def test_another_rubric_has_another_hash() -> None:
    texts = [RUBRIC, *(changed(old, new) for old, new in OTHER)]
    assert len({rubric_from_text(text).sha256 for text in texts}) == len(texts)


@settings(max_examples=20, deadline=None)
@given(rubrics())
def test_a_rubric_comes_back_from_its_data(rubric: Rubric) -> None:
    text = json.dumps(rubric_to_mapping(rubric))
    assert [p for p in lint_rubric(text) if p.severity == "error"] == []
    assert rubric_from_text(text, "rubric.json") == rubric
    # JSON without escaped surrogate pairs is YAML too; after a comment it is read as such.
    text = "#\n" + json.dumps(rubric_to_mapping(rubric), ensure_ascii=False)
    assert rubric_from_text(text, "rubric.yaml") == rubric


SCALARS: list[tuple[str, Any]] = [
    ("yes", "yes"),
    ("no", "no"),
    ("on", "on"),
    ("010", 10),
    ("0o7", 7),
    ("0x1F", 31),
    ("+1", 1),
    ("-0.5", -0.5),
    (".5", 0.5),
    ("5.", 5.0),
    ("true", True),
    ("TRUE", True),
    ("False", False),
    ("|\n  1", "1"),
    (">-\n  a\n  b", "a b"),
]


@pytest.mark.parametrize(("written", "value"), SCALARS)
def test_scalars_are_those_of_yaml_1_2(written: str, value: Any) -> None:
    read = from_yaml(f"a: {written}")["a"]
    assert read == value
    assert type(read) is type(value)


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(categories=("L",)), max_size=9), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=40, deadline=None)
@given(JSON_VALUES.map(lambda value: [value]), st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_json_is_read_as_the_standard_library_reads_it(
    value: Any, ascii_only: bool, indent: int | str | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert build(json_tokens(text), Problems(text)) == json.loads(text)


def test_json_that_yaml_would_misread() -> None:
    name = "n" * 150
    text = json.dumps({name: "\U0001f692 a/b"}).replace("/", "\\/").replace(":", "\t:\t")
    assert build(json_tokens(text), Problems(text)) == {name: "\U0001f692 a/b"}


BROKEN = changed("title: Attack", "titel: Attack").replace("type: enum", "type: enums")


def test_both_yaml_parsers_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [RUBRIC, BROKEN, "a: &x 1", "# c\r\n\r\na: ü\u2028🚒 [\r\n", "- a\n-\n- b:\n  c:\n"]
    assert hasattr(yaml, "CSafeLoader"), "this test needs PyYAML with its parser in C"
    fast = [
        [(p.line, p.column, p.path) for p in lint_rubric(text)] for text in [*texts, RUBRIC + "\t"]
    ]
    monkeypatch.delattr(yaml, "CSafeLoader")
    slow = [
        [(p.line, p.column, p.path) for p in lint_rubric(text)] for text in [*texts, RUBRIC + "\t"]
    ]
    assert slow == fast


def test_the_schema_is_one() -> None:
    from jsonschema import Draft7Validator

    schema = load_schema("rubric")
    Draft7Validator.check_schema(schema)
    mapping = rubric_to_mapping(rubric_from_text(RUBRIC))
    assert list(Draft7Validator(schema).iter_errors(mapping)) == []


class TestLoading:
    def test_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.yml"
        path.write_text(RUBRIC, encoding="utf-8")
        assert load_rubric(path) == load_rubric(str(path)) == rubric_from_text(RUBRIC)

    def test_shipped_rubrics_are_sound(self) -> None:
        assert set(shipped_names()) >= {"customer-call", "fireground"}
        for name in shipped_names():
            assert load_rubric(name) == rubric_from_text(shipped_text(name))

    def test_a_file_comes_before_a_shipped_rubric(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "fireground").write_text(RUBRIC, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        assert load_rubric("fireground").template.name == "Fire ground"

    def test_no_name_leads_out_of_the_shipped_ones(self) -> None:
        with pytest.raises(KeyError):
            shipped_text("../rubrics/fireground")

    @pytest.mark.parametrize("name", ["none.yaml", "a\0b"])
    def test_what_cannot_be_opened(self, name: str) -> None:
        with pytest.raises(ValidationError, match=r"cannot read .*shipped rubric: .*fireground"):
            load_rubric(name)

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(ValidationError, match="cannot read"):
            load_rubric(tmp_path)

    def test_the_first_problems_are_listed_with_their_places(self, tmp_path: Path) -> None:
        path = tmp_path / "broken.yaml"
        path.write_text(BROKEN, encoding="utf-8")
        with pytest.raises(ValidationError) as raised:
            load_rubric(path)
        lines = str(raised.value).split("; ")
        assert lines[0].startswith(f'rubric: {path}:24:5: error: sections[1]: "title" is missing')
        assert "broken.yaml:25:5: error: sections[1].titel" in lines[1]
        assert raised.value.details["line"] == 24
        assert raised.value.details["path"] == "sections[1]"
        assert len(raised.value.details["problems"]) == 3

    def test_how_many_more_there_are(self) -> None:
        with pytest.raises(ValidationError, match="and 5 more; `veridical score lint`"):
            rubric_from_text("".join(f"name{n}: 1\n" for n in range(8)))

    def test_a_warning_is_no_error(self) -> None:
        text = changed("            water: [water on the fire]\n", "")
        assert [problem.severity for problem in lint_rubric(text)] == ["warning"]
        assert rubric_from_text(text).template.id == "fireground"


def test_too_deep_for_python_is_too_deep_for_us() -> None:
    text = '{"a":' * 100_000
    with pytest.raises(Unreadable, match="levels deep"):
        build(json_tokens(text), Problems(text))
