"""Valid rubrics of every kind, for property tests."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from hypothesis import strategies as st

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
from veridical.scoring.rubrics.wire import content_hash

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
