"""Runs that are kept: what is asked again, what is told, what is refused, what is in the file."""

from __future__ import annotations

import json
import resource
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.scoring.samples import TRANSCRIPT, reply_text, rubric_of, sections

from veridical.errors import (
    ConfigurationError,
    ModelUnavailable,
    ProcessingError,
    StoreError,
    ValidationError,
    VeridicalError,
)
from veridical.models.protocol import ModelRequest
from veridical.models.scripted import ScriptedModel
from veridical.scoring import journal
from veridical.scoring.journal import score_durably
from veridical.scoring.rubric import ModelRules, Section
from veridical.scoring.scorecard import (
    CardWarning,
    CitedEvent,
    CitedEvidence,
    CriterionAnswer,
    CriterionVerdict,
    Scorecard,
    SectionAnswer,
    SectionFailure,
    Status,
    TimeRange,
    Usage,
    WarningCode,
    answer_from_mapping,
    answer_to_mapping,
)
from veridical.scoring.scorer import SectionState

SECTIONS = sections(4)
RUBRIC = rubric_of(*SECTIONS, concurrency=2, max_retries=0)
ONCE = {section.id: 1 for section in SECTIONS}
STEPS = [SectionState.QUEUED, SectionState.RUNNING, SectionState.DONE]


class Asked(Counter[str]):
    """How often a model was asked for each section. It says that all is met.

    The first time it raises `error` for the sections that are to fail.
    """

    def __init__(
        self,
        fails: Collection[str] = (),
        error: Exception = ModelUnavailable("not now"),  # noqa: B008 - it is not changed
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._fails = set(fails)
        self._error = error
        self._meanwhile = meanwhile

    def model(self) -> ScriptedModel:
        return ScriptedModel([self._reply], name="tiny", repeat_last=True)

    def _reply(self, request: ModelRequest) -> str:
        assert request.schema is not None
        name: str = request.schema["properties"]["sectionId"]["enum"][0]
        self[name] += 1
        if name in self._fails:
            self._fails.remove(name)
            raise self._error
        self._meanwhile()
        return reply_text(next(section for section in SECTIONS if section.id == name))


class Told(dict[str, list[SectionState]]):
    """What the progress callback was told, by section."""

    def __call__(self, section: Section, state: SectionState) -> None:
        self.setdefault(section.id, []).append(state)


def score(asked: Asked, **changes: Any) -> Scorecard:
    given = {"transcript": TRANSCRIPT, "rubric": RUBRIC, "resume_id": "run", **changes}
    return score_durably(**{"model": asked.model(), **given})


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the run, below a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / journal.FOLDER / "run.jsonl"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What is in the file of a run that has been made."""
    with chdir(tmp_path_factory.mktemp("begun")):
        score(Asked())
        return (journal.FOLDER / "run.jsonl").read_bytes()


@pytest.fixture
def made(begun: bytes, file: Path) -> Path:
    """The same, to be changed."""
    file.parent.mkdir(parents=True)
    file.write_bytes(begun)
    return file


# --- what is asked again --------------------------------------------------------------------------


def test_only_what_failed_is_asked_again() -> None:
    asked, told = Asked(fails=["section-1", "section-2"]), Told()
    card = score(asked, created_at="then")
    assert [section.status for section in card.sections] == [
        Status.PASS, Status.INCOMPLETE, Status.INCOMPLETE, Status.PASS,
    ]  # fmt: skip
    card = score(asked, created_at="now", on_change=told)
    assert {section.status for section in card.sections} == {Status.PASS}
    assert card.created_at == "then"
    assert (told["section-0"], told["section-1"]) == ([SectionState.DONE], STEPS)
    assert score(asked) == card
    assert asked == {"section-0": 1, "section-1": 2, "section-2": 2, "section-3": 1}


@pytest.mark.parametrize("error", [ModelUnavailable("not now"), ProcessingError("out of paper")])
def test_an_error_is_that_of_its_section_or_of_all(error: VeridicalError) -> None:
    one, all_of_them = Asked(["section-1"], error), Asked(ONCE, error)
    assert str(error) in score(one).sections[1].failure
    with pytest.raises(ModelUnavailable, match="no section"):
        score(all_of_them, resume_id="all")
    for failed, resume_id in ((one, "run"), (all_of_them, "all")):
        card = score(failed, resume_id=resume_id)
        assert {section.status for section in card.sections} == {Status.PASS}
    assert one == {**ONCE, "section-1": 2}


def test_a_defect_is_raised_and_nothing_is_lost(asked: Asked) -> None:
    def fail(section: Section, state: SectionState) -> None:
        if state is SectionState.DONE:
            raise RuntimeError("the progress bar is broken")

    one_by_one = replace(RUBRIC, llm=ModelRules(1))
    with pytest.raises(RuntimeError, match="progress bar"):
        score(asked, rubric=one_by_one, on_change=fail)
    assert asked == {"section-0": 1}
    score(asked, rubric=one_by_one)
    assert asked == ONCE


# --- the file -------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [0, 1, 5, -1], ids=["nothing", "a byte", "its begin", "no end"])
def test_a_line_that_was_torn_off_is_as_if_it_had_not_been(made: Path, left: int) -> None:
    card = score(Asked())
    whole = made.read_bytes()
    lines = whole.splitlines(keepends=True)
    for torn in range(len(lines)):
        made.write_bytes(b"".join(lines[:torn]) + lines[torn][:left])
        asked = Asked()
        assert score(asked) == card
        assert asked.total() == min(len(lines) - torn, len(SECTIONS))
        assert sorted(made.read_bytes().splitlines()) == sorted(whole.splitlines())


# --- what is refused ------------------------------------------------------------------------------

OTHER_WORDS = replace(TRANSCRIPT, text=TRANSCRIPT.text.replace("smoke", "steam"))
OTHER_SPEAKER = replace(
    TRANSCRIPT, segments=tuple(replace(part, speaker="ENG26") for part in TRANSCRIPT.segments)
)
OTHER_RUBRIC = replace(RUBRIC, template=replace(RUBRIC.template, version="2"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"transcript": OTHER_WORDS}, "the transcript is another one"),
        ({"transcript": OTHER_SPEAKER}, "the transcript is another one"),
        ({"rubric": OTHER_RUBRIC}, "the rubric is another one"),
        ({"rubric": rubric_of(*SECTIONS, concurrency=3)}, "the rubric is another one"),
        ({"model": ScriptedModel([], name="big")}, "scorer was 'tiny' and is now 'big'"),
        ({"supplemental": "a policy"}, "the supplemental material is another one"),
        ({"tolerance_seconds": 7.5}, "tolerance_seconds was 20.0 and is now 7.5"),
        ({"context_tokens": 9_000}, "context_tokens was 100000 and is now 9000"),
        ({"concurrency": 0}, "concurrency must be 1 or more, not 0"),
    ],
)
def test_another_run_under_the_same_id_is_refused(
    asked: Asked, begun: bytes, made: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        score(asked, **changes)
    assert (asked, made.read_bytes()) == ({}, begun)


@pytest.mark.parametrize(
    "resume_id", ["", ".", "..", ".hidden", "a/b", "a b", "é", "x" * 65, "a\n"]
)
def test_unfit_resume_ids(asked: Asked, resume_id: str) -> None:
    with pytest.raises(ConfigurationError, match="resume id must be"):
        score(asked, resume_id=resume_id)
    assert not journal.FOLDER.exists()


def test_places_where_no_run_can_be_kept(asked: Asked, file: Path) -> None:
    Path(".veridical").touch()
    with pytest.raises(StoreError, match=r"kept in \.veridical/scoring/run\.jsonl \("):
        score(asked)
    Path(".veridical").unlink()
    file.mkdir(parents=True)
    with pytest.raises(StoreError, match=r"\(Is a directory\)"):
        score(asked)
    file.rmdir()
    file.symlink_to("/dev/zero")  # which has no end
    with pytest.raises(StoreError, match="holds something else than run 'run'"):
        score(asked)
    assert not asked


def test_a_file_that_somebody_else_has(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one process; two of them are shown with the command."""
    monkeypatch.setattr(journal, "LOCK_SECONDS", 0.1)
    refusals: list[str] = []

    def second() -> None:
        with pytest.raises(ProcessingError) as raised:
            score(asked)
        refusals.append(str(raised.value))

    score(Asked(meanwhile=second))
    assert not asked
    assert all("another process is working on run 'run'" in refusal for refusal in refusals)
    assert len(refusals) == len(SECTIONS)


def test_no_half_line_stays_where_the_disk_was_full(asked: Asked, made: Path) -> None:
    """Another section would write behind it, and the run could never be read again."""
    before, limits = made.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    before = before[: before.rindex(b"\n", 0, -1) + 1]  # one answer less
    made.write_bytes(before)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 9, limits[1]))
    try:
        with pytest.raises(StoreError, match="File too large"):
            score(asked)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert made.read_bytes() == before


@pytest.mark.parametrize("kept", [0, 1, 2], ids=["no lines", "a begin", "an answer"])
@pytest.mark.parametrize(
    "line",
    [
        "not a journal",
        "SQLite format 3\0",
        "null",
        '{"scoringRun": "run"}',
        '{"scoringRun": "another", "outcome": {}}',
        '{"scoringRun": "run", "identity": [], "createdAt": null}',
        '{"scoringRun": "run", "identity": {}, "createdAt": 1}',
        '{"scoringRun": "run", "outcome": {"kind": "answer"}}',
        '{"scoringRun": "run", "outcome": {"kind": "answer", "attempts": Infinity}}',
        '{"scoringRun": "run", "outcome": ' + "[" * 99_999 + "}",
    ],
)
def test_lines_that_somebody_else_wrote(asked: Asked, made: Path, kept: int, line: str) -> None:
    before = "".join(made.read_text("ascii").splitlines(keepends=True)[:kept])
    # Without an end a line after ours is one that was torn off.
    for changed in [f"{before}{line}\n"] + ([line] if line[0] != "{" and not kept else []):
        made.write_text(changed, "ascii")
        with pytest.raises(StoreError, match="something else than run 'run'"):
            score(asked)
        assert (asked, made.read_text("ascii")) == ({}, changed)


# --- answers as they are stored ------------------------------------------------------------------

_USAGE = Usage(2, None, 300, 90)
_CRITERION = CriterionAnswer(
    "command",
    CriterionVerdict.PARTIAL,
    0.5,
    1e-9,
    'a\u00e9"\\\n\u2028\u6c34\U0001f525',
    (CitedEvidence("on scene", None, "ENG25"), CitedEvidence("command", -1.5)),
    (CitedEvent("arrival", 6),),
)
_WARNING = CardWarning(WarningCode.SCORER_WARNING, "noisy", "arrival")
GOOD = answer_to_mapping(SectionAnswer("arrival", ()))


@pytest.mark.parametrize(
    "outcome",
    [
        SectionAnswer("arrival", ()),
        SectionAnswer(
            "arrival", (_CRITERION,), "Calm.", (_WARNING,), _USAGE, (TimeRange(0.1, 2.0),)
        ),
        SectionFailure("arrival", "busy", _USAGE, True),
    ],
)
def test_an_outcome_comes_back_from_json_as_it_was(outcome: SectionAnswer | SectionFailure) -> None:
    stored = json.dumps(answer_to_mapping(outcome), allow_nan=False)
    again = answer_from_mapping(json.loads(stored))
    assert again == outcome
    assert repr(again) == repr(outcome)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"kind": "answer"},
        GOOD | {"kind": "else"},
        GOOD | {"more": 1},
        GOOD | {"usage": None},
        GOOD | {"criteria": None},
        GOOD | {"criteria": [{"criterion_id": "a"}]},
        GOOD | {"warnings": [{"code": "unheard_of", "message": ""}]},
        {key: value for key, value in GOOD.items() if key != "section_id"},
    ],
)
def test_anything_else_is_refused(data: Any) -> None:
    with pytest.raises(ValidationError, match="score the transcript anew"):
        answer_from_mapping(data)
