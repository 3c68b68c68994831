"""The pytest plugin and the assertions, in real runs of pytest, xdist and unittest."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from veridical import document_from_text
from veridical.errors import ConfigurationError, NoDocumentsError
from veridical.testing import Sources, assert_grounded, assert_quotes, taken_checks

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
MODULE = "veridical.integrations.pytest_plugin"
PLUGIN = ("-p", MODULE, "-p", "no:cacheprovider")

POLICY = """# Leave

Full-time staff are entitled to 26 days of leave in each calendar year.

Up to four days may be carried over into the next year.
"""
TRUE = "Full-time staff are entitled to 26 days of leave in each calendar year."
FALSE = "Full-time staff are entitled to 28 days of leave in each calendar year."
DOCUMENT = document_from_text(POLICY, "leave.md")


@pytest.fixture(autouse=True)
def no_other_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugins of this environment take seconds to load, in each run."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with a policy that its settings name."""
    pytester.mkdir("policies")
    (pytester.path / "policies/leave.md").write_text(POLICY)
    pytester.makeini("[pytest]\ngrounded_documents = policies\n")
    return pytester


def run(project: pytest.Pytester, *arguments: str | Path) -> pytest.RunResult:
    return project.runpytest(*PLUGIN, *arguments)


def test_the_folder_is_read_once_and_taken_from_where_the_user_says(
    project: pytest.Pytester,
) -> None:
    other = project.mkdir("other")
    (other / "x.md").write_text("The library closes at six.\n")
    project.makepyfile(
        f"""
        seen = []
        def test_one(grounded):
            grounded({TRUE!r})
            seen.append(grounded.sources.checker)
        def test_two(grounded):
            assert grounded.quotes("26 days of leave")[0].passed
            assert seen == [grounded.sources.checker]
        """
    )
    run(project).assert_outcomes(passed=2)
    run(project, "--grounded-documents", "other").assert_outcomes(failed=2)
    project.makeconftest(
        "import pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def grounded_documents():\n"
        "    from veridical import document_from_text\n"
        f"    return document_from_text({POLICY!r}, 'leave.md')\n"
    )
    run(project, "--grounded-documents", "other").assert_outcomes(passed=2)


def test_without_documents_the_fixture_says_what_to_do(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(grounded):\n    grounded('x')\n")
    result = run(pytester)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the fixture `grounded` has no documents: set*"])


HOSTILE = "Owls sing at noon <script>alert(1)</script> \u202e& every day."
TESTS = f"""
from veridical.testing import Sources, assert_grounded, assert_quotes
import pytest
SOURCES = Sources("policies")
def test_right(grounded):
    grounded({TRUE!r})
@pytest.mark.parametrize("number", range(3))
def test_wrong(number):
    assert_grounded({HOSTILE!r} + f" Number {{number}}.", SOURCES)
def test_quotes(grounded):
    grounded.quotes(["26 days of leave", "four days"])
    grounded.quotes("27 days of leave")
def test_nothing():
    pass
@pytest.fixture
def checked_before(grounded):
    grounded({TRUE!r})
def test_set_up(checked_before):
    pass
"""


@pytest.mark.parametrize("workers", [0, 2])
def test_the_report_has_every_answer_of_every_worker(
    project: pytest.Pytester, workers: int
) -> None:
    if workers:
        pytest.importorskip("xdist")
    project.makepyfile(test_all=TESTS)
    spread = ("-p", "xdist.plugin", "-n", str(workers)) if workers else ()
    result = run(project, *spread, "--grounded-report", "out/r.html", "--junitxml", "j.xml")
    result.assert_outcomes(passed=3, failed=4)
    result.stdout.fnmatch_lines(["*grounded report: *r.html (7 checked)*"])
    page = (project.path / "out/r.html").read_text("utf-8")
    named = re.findall(r"<h2><bdi>(.*?)</bdi></h2>", page)
    assert named == [
        *[f"test_all.py::test_{name}" for name in ("quotes", "right", "set_up")],
        *[f"test_all.py::test_wrong[{number}]" for number in range(3)],
    ]
    assert page.count('<article class="failed">') == 4
    assert page.count('<article class="passed">') == 3
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>" not in page
    assert "\u202e" not in page
    assert "[-27-] days" in page
    root = ET.fromstring((project.path / "j.xml").read_text("utf-8"))  # noqa: S314 - our own
    numbers = {
        str(case.get("name")): {p.get("name"): p.get("value") for p in case.iter("property")}
        for case in root.iter("testcase")
    }
    assert numbers["test_nothing"] == {}
    assert numbers["test_right"] == {
        "veridical_claims": "1",
        "veridical_claims_supported": "1",
        "veridical_quotes": "0",
        "veridical_quotes_found": "0",
        "veridical_problems": "0",
    }
    assert numbers["test_quotes"]["veridical_quotes"] == "3"
    assert numbers["test_quotes"]["veridical_quotes_found"] == "2"
    assert numbers["test_wrong[1]"]["veridical_claims_supported"] == "0"
    assert numbers["test_set_up"]["veridical_claims"] == "1"


def test_a_report_where_it_would_become_a_source_is_refused(project: pytest.Pytester) -> None:
    project.makepyfile("def test_it():\n    pass\n")
    for name, told in (("policies/r.html", "lies among the documents"), (".", "is a folder")):
        result = run(project, "--grounded-report", name)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines([f"*--grounded-report: *{told}*"])


def test_a_report_that_cannot_be_written_fails_the_run(project: pytest.Pytester) -> None:
    file = project.makepyfile("def test_it():\n    pass\n")
    result = run(project, "--grounded-report", file / "r.html")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*grounded report: cannot write *"])


def test_the_plugin_imports_nothing_until_it_is_used(project: pytest.Pytester) -> None:
    project.makeconftest(
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    print('LOADED', sorted(m for m in sys.modules if m.startswith('veridical')))\n"
        "    print('NUMPY', 'numpy' in sys.modules)\n"
    )
    project.makepyfile("def test_it():\n    pass\n")
    result = project.runpytest_subprocess(*PLUGIN, "-s")
    light = ["veridical", "veridical.integrations", MODULE, "veridical.version"]
    result.stdout.fnmatch_lines([f"*LOADED {light!r}".replace("[", "[[]"), "NUMPY False"])


def test_the_sample_project_runs_as_its_page_says(tmp_path: Path) -> None:
    folder = tmp_path / "sample"
    shutil.copytree(ROOT / "examples/integrations/pytest", folder)
    page = (folder / "README.md").read_text("utf-8")
    environment = {**os.environ, "NO_COLOR": "1"}

    def python(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            env=environment,
            timeout=300,
            check=False,
        )

    (found,) = entry_points(group="pytest11", name="veridical")
    assert found.value == MODULE
    right = python("pytest", *PLUGIN, "test_answers.py")
    assert right.returncode == 0, right.stdout
    assert "3 passed" in right.stdout
    assert "\n    3 passed\n" in page
    wrong = python("pytest", *PLUGIN, "wrong")
    assert wrong.returncode == 1
    shown = [line.strip() for line in page.splitlines() if line.strip().startswith("E ")]
    assert len(shown) == 6
    assert [line for line in wrong.stdout.splitlines() if line.startswith("E ")] == shown
    assert "testing.py" not in wrong.stdout
    assert "pytest_plugin.py" not in wrong.stdout
    other = python("unittest", "unittest_answers.py")
    assert other.returncode == 0, other.stderr


# --- the assertions, without a runner -------------------------------------------------------------


def told(answer: str, **options: object) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_grounded(answer, DOCUMENT, **options)  # type: ignore[arg-type]
    return str(caught.value)


def test_what_is_grounded_gives_its_ledger_or_results() -> None:
    assert assert_grounded(TRUE, DOCUMENT).summary.total_claims == 1
    (result,) = assert_quotes("FOUR days may be carried", Sources(DOCUMENT))
    assert result.match is not None
    assert [check.passed for check in taken_checks()] == [True] * 2
    assert taken_checks() == []


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (FALSE, "1. contradicted: "),
        (f"{TRUE} Owls sing at noon.", "1. not found: "),
        (f"{TRUE}\n\n```\nStaff may take forty days of leave.\n```", "1. unchecked: "),
        (f"# If ill, staff must work at night\n\n{TRUE}", "1. unchecked: "),
        ("I could not find that in the documents.", "nothing was verified"),
        ("\n\n".join(f"Owls sing {n} songs at noon." for n in range(25)), "... and 5 more"),
    ],
)
def test_what_is_not_grounded_fails(answer: str, line: str) -> None:
    assert line in told(answer)


def test_options_allow_what_they_say() -> None:
    fees = document_from_text("# Fees\n\nThe fee is 5 euros.", "fees.md")
    partly = TRUE.replace(".", " (fees.md).")  # another source says it than the one it names
    with pytest.raises(AssertionError, match="partial: "):
        assert_grounded(partly, [DOCUMENT, fees])
    assert assert_grounded(partly, [DOCUMENT, fees], allow_partial=True).entries
    assert assert_grounded("Hello!", DOCUMENT, allow_no_claims=True).entries == ()
    assert "contradicted" in told(FALSE, allow_partial=True, allow_no_claims=True)


def test_quotes_must_stand_as_written() -> None:
    quotes = ["28 days of leave", "Dogs may fly to the moon", "26 days of leave"]
    with pytest.raises(AssertionError) as caught:
        assert_quotes(quotes, DOCUMENT)
    message = str(caught.value)
    assert message.startswith("2 of 3 quotes not found as written in leave.md\n1. failed: ")
    assert "[-28-] days" in message
    assert "{+26+} days" in message
    with pytest.raises(AssertionError, match="nothing was verified"):
        assert_quotes([], DOCUMENT)
    desk = "Call the desk first"
    twice = document_from_text(f"# A\n\n{desk}.\n\n# B\n\n{desk}.\n", "t.md")
    with pytest.raises(AssertionError, match="ambiguous"):
        assert_quotes(desk, twice)
    assert assert_quotes(desk, twice, allow_ambiguous=True)


@pytest.mark.parametrize(
    ("sources", "error"),
    [
        ("no/such/folder", ConfigurationError),
        (POLICY * 200, ConfigurationError),
        ([7], ConfigurationError),
        ("-", ConfigurationError),
        ([], NoDocumentsError),
    ],
)
def test_sources_that_cannot_be_used_are_errors_not_failures(
    sources: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        assert_grounded(TRUE, sources)  # type: ignore[arg-type]
