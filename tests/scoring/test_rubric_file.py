from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.rubric_texts import RUBRIC, changed

from veridical.errors import ValidationError
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    Cue,
    CueGroup,
    Cues,
    EnumOption,
    EvidenceRules,
    Grading,
    ModelRules,
    NotObserved,
    Rubric,
    ScoringRules,
    Section,
    Template,
    TimingTarget,
)
from veridical.scoring.rubrics.file import (
    json_tokens,
    lint_rubric,
    load_rubric,
    rubric_from_text,
    shipped_text,
    yaml_tokens,
)
from veridical.scoring.rubrics.tree import Problems, Unreadable, build
from veridical.scoring.rubrics.wire import content_hash, rubric_to_mapping

# Valid rubrics of every kind.

_WORDS = st.text(st.sampled_from("aBz7éß語🚒 \u00a0\n'\"\\:#-,&*!{}[]%@~"), max_size=12)
_TITLES = st.builds(str.__add__, st.sampled_from("aB7é語🚒'#-&*!{[%"), _WORDS)
_PHRASES = st.builds(str.__add__, st.sampled_from("aB7é語"), _WORDS)
_IDS = st.sampled_from(["a", "7", "fire-ground", "call-2-b"])
_EVENTS = st.sampled_from(["on_scene", "water", "par-1", "_", "9"])
_NUMBERS = st.integers(-40, 40).map(lambda number: number / 4)


_CUES = st.builds(Cue, _PHRASES, st.lists(_TITLES, max_size=2).map(tuple))
_CUE_LISTS = st.lists(_CUES, min_size=1, max_size=2).map(tuple)


def _groups(names: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[CueGroup, ...]]:
    """No group, or some with different names."""
    return st.dictionaries(names, _CUE_LISTS, max_size=2).map(
        lambda groups: tuple(CueGroup(name, cues) for name, cues in groups.items())
    )


_EVENT_CUES = _groups(_EVENTS)
_ELEMENT_CUES = _groups(_TITLES)
_MAYBE_CUES = st.just(()) | _CUE_LISTS


@st.composite
def _cues(draw: st.DrawFn, kind: CriterionType, options: tuple[EnumOption, ...]) -> Cues | None:
    cues = Cues(events=draw(_EVENT_CUES))
    if kind is CriterionType.ENUM:
        names = st.sampled_from([option.value for option in options])
        cues = replace(cues, options=draw(_groups(names)))
    elif kind is not CriterionType.TIMING:
        cues = replace(
            cues,
            met=draw(_MAYBE_CUES),
            missed=draw(_MAYBE_CUES),
            elements=draw(_ELEMENT_CUES),
        )
    return None if cues == Cues() else cues


@st.composite
def _options(draw: st.DrawFn) -> tuple[EnumOption, ...]:
    values = draw(
        st.lists(_TITLES, min_size=2, max_size=4, unique_by=lambda v: v.strip().casefold())
    )
    scores = draw(st.lists(_NUMBERS, min_size=len(values), max_size=len(values), unique=True))
    return tuple(map(EnumOption, values, scores))


@st.composite
def _timings(draw: st.DrawFn) -> TimingTarget:
    start, end = draw(st.lists(_EVENTS, min_size=2, max_size=2, unique=True))
    target, most = sorted(draw(st.tuples(*[st.integers(0, 2400).map(lambda n: n / 4)] * 2)))
    missing = draw(st.sampled_from(["target", "max", ""]))
    return TimingTarget(
        start,
        end,
        None if missing == "target" else target,
        None if missing == "max" else most,
    )


@st.composite
def criteria(draw: st.DrawFn, criterion_id: str = "criterion") -> Criterion:
    """A criterion of any type, with that id."""
    kind = draw(st.sampled_from(CriterionType))
    options = draw(_options()) if kind is CriterionType.ENUM else ()
    ends = sorted(draw(st.lists(_NUMBERS, min_size=2, max_size=2, unique=True)))
    return Criterion(
        id=criterion_id,
        title=draw(_TITLES),
        type=kind,
        description=draw(_WORDS),
        required=draw(st.booleans()),
        weight=draw(st.integers(1, 40)) / 8,
        grading=Grading(*ends) if kind is CriterionType.GRADED else None,
        options=options,
        timing=draw(_timings()) if kind is CriterionType.TIMING else None,
        evidence=EvidenceRules(draw(st.integers(0, 4)), draw(st.booleans())),
        cues=draw(_cues(kind, options)),
    )


@st.composite
def rubrics(draw: st.DrawFn, max_sections: int = 3, max_criteria: int = 3) -> Rubric:
    """A rubric that passes every check, with its hash."""
    shares = draw(st.lists(st.integers(1, 9), min_size=1, max_size=max_sections))
    numbers = count()
    sections = tuple(
        Section(
            id=f"section-{next(numbers)}",
            title=draw(_TITLES),
            weight=share / sum(shares),
            criteria=tuple(
                draw(criteria(f"c{next(numbers)}"))
                for _ in range(draw(st.integers(1, max_criteria)))
            ),
            description=draw(_WORDS),
        )
        for share in shares
    )
    improving, passing = sorted(draw(st.tuples(*[st.integers(0, 20).map(lambda n: n / 20)] * 2)))
    rubric = Rubric(
        Template(
            draw(_IDS),
            draw(_TITLES),
            draw(_TITLES),
            draw(_WORDS),
            tuple(draw(st.lists(_TITLES, max_size=2))),
        ),
        sections,
        ScoringRules(passing, improving, draw(st.sampled_from(NotObserved))),
        ModelRules(draw(st.integers(1, 64)), draw(st.integers(0, 10)), draw(st.integers(20, 2000))),
    )
    return replace(rubric, sha256=content_hash(rubric))


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


@settings(max_examples=20)
@given(rubrics())
def test_a_rubric_comes_back_from_its_data(rubric: Rubric) -> None:
    text = json.dumps(rubric_to_mapping(rubric))
    assert [p for p in lint_rubric(text) if p.severity == "error"] == []
    assert rubric_from_text(text, "rubric.json") == rubric
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
