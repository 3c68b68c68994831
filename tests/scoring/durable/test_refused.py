"""What a run that can be resumed refuses: another's work, databases that cannot be trusted."""

from __future__ import annotations

import base64
import builtins
import pickle
import shutil
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dbos import DBOS
from tests.scoring.durable.runs import ONCE, RUBRIC, SECTIONS, Asked, score
from tests.scoring.samples import TRANSCRIPT, rubric_of

from veridical.errors import ConfigurationError, MissingExtraError, ProcessingError, StoreError
from veridical.models.scripted import ScriptedModel
from veridical.scoring.durable import place as durable_place

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
    ],
)
def test_another_run_under_the_same_id_is_refused(
    begun: tuple[Asked, str], changes: dict[str, Any], message: str
) -> None:
    asked, file = begun
    with pytest.raises(ConfigurationError, match=message):
        score(asked, file, **changes)
    assert asked == ONCE


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Asked, str]:
    """A run that has been made, and the file that it is in."""
    file = str(tmp_path_factory.mktemp("begun") / "runs.sqlite")
    asked = Asked()
    score(asked, file)
    return asked, file


@pytest.fixture
def made(begun: tuple[Asked, str], tmp_path: Path) -> str:
    """A copy of that file, to be changed."""
    return shutil.copy(begun[1], str(tmp_path))


@pytest.mark.parametrize(
    "resume_id", ["", ".", "..", ".hidden", "a/b", "a b", "é", "x" * 65, "a\n"]
)
def test_unfit_resume_ids(asked: Asked, file: str, resume_id: str) -> None:
    with pytest.raises(ConfigurationError, match="resume id must be"):
        score(asked, file, resume_id=resume_id)
    assert not Path(file).exists()


@pytest.mark.parametrize("database", ["sqlite://", ":memory:", "sqlite:///file:x?uri=true"])
def test_a_database_that_does_not_last(asked: Asked, database: str) -> None:
    with pytest.raises(ConfigurationError, match="a database that lasts"):
        score(asked, database)


def test_a_folder_is_no_database(asked: Asked, tmp_path: Path) -> None:
    for folder in (str(tmp_path), "."):
        with pytest.raises(ConfigurationError, match="is a folder; name a file"):
            score(asked, folder)


def test_a_file_that_is_no_database(asked: Asked, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database\n" * 100)
    with pytest.raises(StoreError, match=r"notes.txt is not an SQLite database"):
        score(asked, str(tmp_path / "notes.txt"))
    with pytest.raises(StoreError, match=r"lock file .* cannot be made"):
        score(asked, str(tmp_path / "missing" / "runs.sqlite"))


def test_an_unreachable_server(asked: Asked) -> None:
    url = "postgresql://me:secret@127.0.0.1:9/runs"
    with pytest.raises(StoreError, match="cannot be reached") as raised:
        score(asked, url)
    assert "secret" not in str(raised.value)


def test_a_run_that_is_worked_on_elsewhere(
    asked: Asked, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a file; on PostgreSQL this is shown by processes that are killed."""
    monkeypatch.setattr(durable_place, "LOCK_SECONDS", 0.1)
    with durable_place.run_database(file, "run"):
        with pytest.raises(ProcessingError, match="another process is working on run 'run'"):
            score(asked, file)
        score(asked, file, resume_id="another")
    score(asked, file)


def change(file: str, statement: str, *values: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement, values)


def test_a_run_that_is_stored_in_another_form(asked: Asked, made: str) -> None:
    change(made, """UPDATE workflow_input SET inputs = replace(inputs, '"form":1', '"form":0')""")
    with pytest.raises(ConfigurationError, match="another form"):
        score(asked, made)


def test_a_run_of_a_service(asked: Asked, made: str) -> None:
    change(made, "UPDATE workflow_status SET status = 'PENDING', application_version = 'service'")
    with pytest.raises(ProcessingError, match="begun by a service"):
        score(asked, made)


def test_a_run_that_is_cancelled_from_outside(file: str) -> None:
    cancel = "UPDATE workflow_status SET status = 'CANCELLED', owner_xid = NULL"
    asked = Asked(meanwhile=lambda: change(file, cancel))
    with pytest.raises(ProcessingError, match=r"ended from outside \(CANCELLED\)"):
        score(asked, file)
    again = Asked()
    assert score(again, file).overall.score == 1.0


def test_a_database_that_breaks(file: str) -> None:
    asked = Asked(meanwhile=lambda: change(file, "DROP TABLE IF EXISTS operation_outputs"))
    with pytest.raises(StoreError, match=r"runs.sqlite reports an error"):
        score(asked, file)


def test_a_concurrency_of_none(asked: Asked, file: str) -> None:
    with pytest.raises(ConfigurationError, match="concurrency must be 1 or more, not 0"):
        score(asked, file, concurrency=0)


class Exploit:
    def __reduce__(self) -> tuple[Any, ...]:
        return exec, ("import builtins; builtins.unpickled = True",)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE workflow_input SET inputs = ?",
        "UPDATE operation_outputs SET output = ?",
    ],
)
def test_a_pickle_in_the_database_is_not_loaded(
    asked: Asked, made: str, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pickled = base64.b64encode(pickle.dumps(Exploit())).decode()
    change(made, statement, pickled)
    for table in ("workflow_status", "operation_outputs"):
        change(made, f"UPDATE {table} SET serialization = 'py_pickle'")  # noqa: S608
    monkeypatch.delattr(builtins, "unpickled", raising=False)
    with pytest.raises(StoreError, match="something else than run 'run'"):
        score(asked, made)
    assert not hasattr(builtins, "unpickled")


@pytest.mark.parametrize(
    "stored",
    ["null", "[]", '"{}"', '"{\\"kind\\": \\"answer\\"}"', '"NaN"', '"' + "[" * 9_999 + '"', "x"],
)
def test_answers_that_somebody_else_wrote(asked: Asked, made: str, stored: str) -> None:
    change(made, "UPDATE operation_outputs SET output = ?", stored)
    with pytest.raises(StoreError, match="something else than run 'run'"):
        score(asked, made)


def test_without_dbos(asked: Asked, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dbos", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'veridical\[durable\]'"):
        score(asked, file)


def test_beside_a_dbos_of_somebody_else(asked: Asked, file: str, tmp_path: Path) -> None:
    other = f"sqlite:///{tmp_path / 'other.sqlite'}"
    DBOS(config={"name": "other", "system_database_url": other, "log_level": "CRITICAL"})
    try:
        with pytest.raises(ProcessingError, match="runs DBOS already"):
            score(asked, file)
    finally:
        DBOS.destroy()
