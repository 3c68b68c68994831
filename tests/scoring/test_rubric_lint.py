from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scoring.rubric_texts import RUBRIC, changed

from veridical.errors import ValidationError
from veridical.scoring.rubrics.file import MAX_FILE_BYTES, lint_rubric, rubric_from_text
from veridical.scoring.rubrics.tree import MOST_PROBLEMS

GRADING = "grading: {minScore: 0, maxScore: 4}"
ENUM = "enumOptions: [none, {value: unclear, score: 0.5}, offensive]"
TIMING = "timing: {startEvent: on_scene, endEvent: water, targetSeconds: 120, maxSeconds: 240}"
LIMITS = ", targetSeconds: 120, maxSeconds: 240"
WRONG = "is for criteria of type graded; this one is boolean"

S1 = "sections[1]"
COMMAND, REPORT = "sections[0].criteria[0]", "sections[0].criteria[1]"
MODE, WATER = "sections[1].criteria[0]", "sections[1].criteria[1]"

TIMED, SHOWN = f"{WATER}.timing", f"{WATER}.cues.events"
TWICE = "\n        title: B"

# What is changed and into what, the words at which the mistake is marked, its path, and a part of
# what is said of it.
ERRORS = [
    ("weight: 0.4", "weight: 0.3", "- id: arrival", "sections", "sum to 0.9; they must sum to 1"),
    ("weight: 0.4", "weight: -0.4", "-0.4", f"{S1}.weight", "too small"),
    ("id: attack", "id: arrival", "arrival\n    title: Att", f"{S1}.id", "section on line 6"),
    ("id: mode", "id: My Mode", "My Mode", f"{MODE}.id", "for example my-mode"),
    ("id: mode", "id: 7", "7\n", f"{MODE}.id", '7 is a number, not text; quote it: "7"'),
    ('version: "1.0"', "version: 1.0", "1.0\n", "template.version", 'quote it: "1.0"'),
    ('version: "1.0"', "version: ''", "''", "template.version", "is empty"),
    ("title: Mode", "title: ~", "~", f"{MODE}.title", "is empty; give text"),
    ("title: Mode", 'title: "  "', '"  "', f"{MODE}.title", "is blank"),
    ("title: Mode", "title: true", "true\n        type: enum", f"{MODE}.title", "not text"),
    ("        title: Mode\n", "", "id: mode", MODE, '"title" is missing'),
    ("title: Mode", "title: [Mode]", "[Mode]", f"{MODE}.title", "must be text, not a list"),
    ("required: true", "Required: true", "Required", f"{COMMAND}.Required", "mean required?"),
    ("minScore", "min_score", "{min_score", f"{REPORT}.grading", '"minScore" is missing'),
    ("required: true", "required: yes", "yes", f"{COMMAND}.required", '"yes" must be tr'),
    ("weight: 2", "weight: heavy", "heavy", f"{COMMAND}.weight", "must be a number"),
    ("weight: 2", "weight: 0", "0\n        type: bool", f"{COMMAND}.weight", "at least 0.001"),
    ("type: boolean", "type: bool", "bool\n", f"{COMMAND}.type", "did you mean boolean?"),
    (GRADING, "weight: 1", "id: report", REPORT, '"grading" is missing; a'),
    ("maxScore: 4", "maxScore: 0", "{minScore", f"{REPORT}.grading", "must be less than maxScore"),
    ("weight: 2", f"{GRADING} ", f"{GRADING} ", f"{COMMAND}.grading", WRONG),
    (f"        {ENUM}\n", "", "id: mode", MODE, '"enumOptions" is missing'),
    (ENUM, "enumOptions: [a]", "[a]", f"{MODE}.enumOptions", "has 1; at least 2 are needed"),
    ("score: 0.5", "score: 2", "offensive]", f"{MODE}.enumOptions[2]", "the score 2 is that of"),
    (", score: 0.5", "", "{value: unclear", f"{MODE}.enumOptions[1]", '"score" is missing'),
    (f"        {TIMING}\n", "", "id: water", WATER, '"timing" is missing; a c'),
    ("endEvent: water", "endEvent: on_scene", "on_scene, target", f"{TIMED}.endEvent", "both"),
    ("endEvent: water", "endEvent: Water!", "Water!", f"{TIMED}.endEvent", "example water"),
    (LIMITS, "", "{startEvent", f"{WATER}.timing", "targetSeconds or maxSeconds is missing"),
    ("maxSeconds: 240", "maxSeconds: 60", "{startEvent", f"{WATER}.timing", "120 must not be more"),
    ("pass: 0.8", "pass: 80", "80", "scoring.thresholds.pass", "run from 0 to 1: 0.8 for 80 %"),
    ("pass: 0.8", "pass: 0.5", "{pass", "scoring.thresholds", "0.6 must not be more than pass 0.5"),
    ("            offensive:", "            Off:", "Off:", f"{MODE}.cues.options.Off", "no option"),
    (
        "          options:",
        "          elements:",
        "elements:\n            off",
        f"{MODE}.cues.elements",
        "says nothing here; a criterion of type enum takes options",
    ),
    (
        "          options:\n            offensive: [offensive mode]",
        "          [x]",
        "[x]",
        f"{MODE}.cues",
        "a list shows that it was met",
    ),
    (
        "       water: [",
        "       Water On: [",
        "Water On",
        f"{SHOWN}.'Water On'",
        "example water_on",
    ),
    ("[on scene]", "[...]", "...]", f"{SHOWN}.on_scene[0]", "holds no word"),
    ("[on scene]", "on scene", "on scene\n", f"{SHOWN}.on_scene", '["on scene"]'),
    ("[on scene]", "[]", "[]", f"{SHOWN}.on_scene", "is empty; at least 1 is needed"),
    ("{say: est", "{says: est", "{says", f"{COMMAND}.cues[1]", '"say" is missing'),
    ("title: Mode", f"title: A{TWICE}", "title: B", f"{MODE}.title", "the first is on line 29"),
    ("[two story", "[2", "2,", f"{REPORT}.cues.elements.building[0]", "2 is a number, not text"),
]


@pytest.mark.parametrize(("old", "new", "at", "path", "message"), ERRORS)
def test_a_mistake_is_named_at_its_place(
    old: str, new: str, at: str, path: str, message: str
) -> None:
    text = changed(old, new)
    assert text.count(at) == 1, f"{at!r} stands {text.count(at)} times"
    before = text[: text.index(at)]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    found = [problem for problem in lint_rubric(text) if problem.severity == "error"]
    match = [p.message for p in found if (p.line, p.column, p.path) == (line, column, path)]
    assert any(message in said for said in match), [problem.describe() for problem in found]
    with pytest.raises(ValidationError, match=f":{found[0].line}:{found[0].column}: error: "):
        rubric_from_text(text)


WHOLE = [
    ("", "x", "is empty"),
    ("# nothing\n", "x", "is empty"),
    ("a: b: c", "x", "1:5: error: not valid YAML"),
    ("a:\n\tb: 1", "x", "2:1: error: not valid YAML: found character"),
    ("a: 1\nb: 'x\nc: 2\n", "x", "2:4: error: not valid YAML: found unexpected end"),
    ("a: 1\n---\nb: 2", "x", "2:1: error: a second document begins here"),
    ("a: &n [1]\nb: *n", "x", "1:4: error: an anchor"),
    ("a: *n", "x", "1:4: error: an alias"),
    ("a: !!str 1", "x", "1:4: error: a tag"),
    ("a: !!python/object/apply:os.system [ls]", "x", "1:4: error: a tag"),
    ("<<: {a: 1}", "x", "1:1: error: a merge key"),
    ("%YAML 1.1\n---\na: 1", "x", "error: directives"),
    ("? [a]\n: 1", "x", "1:3: error: a name must be text"),
    ("a: .inf", "x", "1:4: error: .inf is not a finite number"),
    ("a: 1e999", "x", "1:4: error: 1e999 is not a finite number"),
    ("a: 1" + "0" * 5000, "x", "1:4: error: a number of 5,001 characters"),
    ('a: "\\0"', "x", "1:4: error: a control character (U+0000)"),
    ("ok: 1\nb\x00: 1", "x", "2:2: error: a control character (U+0000)"),
    ("[" * 1000, "x", "1:17: error: nested more than 16"),
    ("a" * 300 + ": 1", "x", "error: a name of more than 200 characters"),
    ("[" + "1," * 50_001 + "]", "x", "error: more than 50,000 values"),
    ("x" * (MAX_FILE_BYTES + 1), "x", "error: larger than 1,048,576 bytes"),
    ("[1, 2]", "x", "error: must be a mapping of names to values, not a list"),
    ("just words", "x", '"just words" must be a mapping'),
    ("", "x.json", "is empty"),
    ("a: 1", "x.json", "1:1: error: not valid JSON"),
    ('{"a": 1,\n "b" 2}', "x.json", "2:6: error: not valid JSON: Expecting ':'"),
    ('{"a": 1,}', "x.JSON", "1:9: error: not valid JSON"),
    ('{"a": NaN}', "x.json", "1:7: error: NaN is not a finite number"),
    ('{"a": "\\ud800"}', "x.json", "1:7: error: half of a surrogate pair (U+D800)"),
    ('{"a": "\\ud800"}', "x", "1:7: error: half of a surrogate pair (U+D800)"),
    ('{"a": 1' + "0" * 5000 + "}", "x.json", "1:7: error: a number of 5,001 characters"),
    ('{"a":' * 100_000, "x.json", "error: nested more than 16 levels"),
    ("\ufeffé: 1\né: ".encode() + b"\xff\n", "x", "2:4: error: not UTF-8: byte 0xff. Save the"),
    ("a: 1".encode("utf-16"), "x", "1:1: error: not UTF-8: byte 0xff"),
    (b"a: \xc3", "x", "1:4: error: not UTF-8: byte 0xc3"),
]


@pytest.mark.parametrize(("text", "name", "described"), WHOLE)
def test_what_cannot_be_read_at_all(text: str | bytes, name: str, described: str) -> None:
    problems = lint_rubric(text, name)
    assert problems
    assert described in problems[0].describe()


def test_what_is_said_is_short_whatever_the_file_holds() -> None:
    options = json.dumps([f"option {number}" for number in range(2000)])
    shown = json.dumps({f"other {number}": ["x"] for number in range(2000)})
    texts = [
        changed("id: mode", "id: " + "A" * 100_000),
        changed("type: enum", "type: " + "enum" * 100_000),
        changed(ENUM, f"enumOptions: {options}").replace(
            "options:\n            offensive: [offensive mode]", f"options: {shown}"
        ),
        "a: !" + "x" * 100_000 + "!b c",
        "a: 1\n" + "b" * 199 + ": {" * 2000,
    ]
    for text in texts:
        assert 0 < max(len(problem.describe()) for problem in lint_rubric(text)) < 1500


def test_all_mistakes_are_told_at_once_and_in_order() -> None:
    text = changed("title: Arrival", "titel: Arrival").replace("type: enum", "type: enums")
    text = text.replace("0.4", "0.3").replace("on scene", "...")
    lines = [problem.line for problem in lint_rubric(text)]
    assert lines == sorted(lines)
    assert set(lines) == {6, 7, 30, 41}


WATER_CUE = "            water: [water on the fire]\n"
COMMAND_CUE = '        cues: [assuming command, {say: establishing command, by: ["Engine *"]}]\n'
SHOWN_BY_ANOTHER = changed(WATER_CUE, "").replace(
    "          elements:", "          events: {water: [water flowing]}\n          elements:"
)
FOR_A_MODEL = "".join(
    line
    for line in RUBRIC.splitlines(keepends=True)
    if "cues" not in line and not line.startswith(" " * 10)
)


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        *((changed("weight: 0.4", f"weight: {weight}"), []) for weight in (0.4, 0.401, 0.399)),
        (changed(WATER_CUE, ""), [(38, f"{WATER}.timing.endEvent")]),
        (SHOWN_BY_ANOTHER, []),
        (changed(COMMAND_CUE, ""), [(10, COMMAND)]),
        (changed(COMMAND_CUE, "        cues: {events: {water: [flowing]}}\n"), [(10, COMMAND)]),
        (FOR_A_MODEL, []),
    ],
)
def test_what_no_cue_can_show_is_warned_of(text: str, warned: list[tuple[int, str]]) -> None:
    problems = lint_rubric(text)
    assert {problem.severity for problem in problems} <= {"warning"}
    assert [(problem.line, problem.path) for problem in problems] == warned
    assert rubric_from_text(text).template.id == "fireground"


def many(sections: int, criteria: int) -> str:
    listed = [
        {
            "id": f"s{s}",
            "title": "t",
            "weight": 1 / sections,
            "criteria": [
                {"id": f"c{s}-{c}", "title": "t", "type": "boolean"} for c in range(criteria)
            ],
        }
        for s in range(sections)
    ]
    template = {"id": "x", "name": "x", "version": "1"}
    return json.dumps({"template": template, "sections": listed})


def test_how_large_a_rubric_may_be() -> None:
    assert lint_rubric(many(200, 10)) == ()
    (sections,) = lint_rubric(many(201, 1))
    assert "has 201; at most 200 are allowed" in sections.message
    (criteria,) = lint_rubric(many(3, 667))
    assert "the rubric has 2,001 criteria" in criteria.message


def test_more_problems_than_anyone_reads() -> None:
    assert len(lint_rubric("".join(f"name{n}: 1\n" for n in range(5000)))) == MOST_PROBLEMS
    with pytest.raises(ValidationError, match="and 5 more; `veridical score lint`"):
        rubric_from_text("".join(f"name{n}: 1\n" for n in range(8)))


@given(st.data())
def test_whatever_is_changed_it_is_read_or_told(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(RUBRIC)))
    end = data.draw(st.integers(start, min(len(RUBRIC), start + 30)))
    alphabet = st.sampled_from([*"{}[]:,-#&*!|>'\"\\%@`?\n\t 01.e~", "é", "🚒", "\x00", "\ud800"])
    text = RUBRIC[:start] + data.draw(st.text(alphabet, max_size=6)) + RUBRIC[end:]
    problems = lint_rubric(text)
    if any(problem.severity == "error" for problem in problems):
        with pytest.raises(ValidationError):
            rubric_from_text(text)
    else:
        assert rubric_from_text(text).sections
    for problem in problems:
        assert 1 <= problem.line <= text.count("\n") + text.count("\r") + 1
        assert problem.column >= 1
