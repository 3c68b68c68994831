"""The pytest plugin: a `grounded` fixture, a report of all checked answers, JUnit properties.

It is loaded in every pytest run of an environment that has Veridical, so it costs nothing until it
is used: what checks is imported by the first assertion or fixture.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

if TYPE_CHECKING:
    from veridical.ledger.entry import EvidenceLedger
    from veridical.testing import Checked, Sources, SourcesLike
    from veridical.validation.results import ClaimResult

_INI = "grounded_documents"
_CHECKS = "veridical_checks"
"""The attribute of a test's report that holds what it checked, also from a worker of xdist."""

_KEY = pytest.StashKey[list["Checked"]]()
_REPORT = pytest.StashKey["_GroundedReport"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the setting."""
    group = parser.getgroup("veridical", "answers of language models and their sources")
    group.addoption(
        "--grounded-documents",
        action="append",
        metavar="DIR",
        help="folder or file of sources for the fixture `grounded`; may be given several times",
    )
    group.addoption(
        "--grounded-report",
        metavar="FILE",
        help="write all answers and quotes that were checked to this HTML file",
    )
    parser.addini(_INI, "folders or files of sources for the fixture `grounded`", type="paths")


class Grounded:
    """Checks answers and quotes against the documents of the run: see `veridical.testing`."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources

    def __call__(self, answer: str, **options: Any) -> EvidenceLedger:
        """`assert_grounded` over the documents of the run; takes its options."""
        __tracebackhide__ = True
        from veridical.testing import assert_grounded

        return assert_grounded(answer, self.sources, **options)

    def quotes(self, quotes: str | Iterable[str], **options: Any) -> tuple[ClaimResult, ...]:
        """`assert_quotes` over the documents of the run; takes its options."""
        __tracebackhide__ = True
        from veridical.testing import assert_quotes

        return assert_quotes(quotes, self.sources, **options)


@pytest.fixture(scope="session")
def grounded_documents(request: pytest.FixtureRequest) -> SourcesLike:
    """The documents that `grounded` checks against; override it for others.

    Those of `--grounded-documents`, else of the setting `grounded_documents`.
    """
    listed = _named(request.config)
    if not listed:
        pytest.fail(
            f"the fixture `grounded` has no documents: set `{_INI}` in the pytest settings, give "
            "--grounded-documents, or override the fixture `grounded_documents`",
            pytrace=False,
        )
    return listed


def _named(config: pytest.Config) -> Sequence[Path]:
    """The documents of the command line, else those of the settings."""
    given = cast("Sequence[str] | None", config.getoption("--grounded-documents"))
    if given:
        return [config.invocation_params.dir / name for name in given]
    return cast("Sequence[Path]", config.getini(_INI))


@pytest.fixture(scope="session")
def grounded(grounded_documents: SourcesLike) -> Grounded:
    """Checks answers and quotes against documents that are read and indexed once in a session."""
    from veridical.testing import Sources

    return Grounded(
        grounded_documents
        if isinstance(grounded_documents, Sources)
        else Sources(grounded_documents)
    )


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the report, where one is asked for; a worker of xdist hands its part over."""
    _refuse_empty(config)
    name = config.getoption("--grounded-report")
    if name and not hasattr(config, "workerinput"):
        path = config.invocation_params.dir / name
        if path.is_dir():
            raise pytest.UsageError(f"--grounded-report: {path} is a folder; name a file")
        if any(path.resolve().is_relative_to(root.resolve()) for root in _named(config)):
            raise pytest.UsageError(
                f"--grounded-report: {path} lies among the documents, where the next run would "
                "take its answers for sources; write it elsewhere"
            )
        config.stash[_REPORT] = report = _GroundedReport(path)
        config.pluginmanager.register(report, "veridical-report")


def _refuse_empty(config: pytest.Config) -> None:
    """An empty name is that of a variable that is not set; as a path it is the current folder."""
    for option in ("--grounded-documents", "--grounded-report"):
        given = config.getoption(option)
        names = given if isinstance(given, list) else [given]
        if any(name is not None and not name.strip() for name in names or ()):
            raise pytest.UsageError(f"{option}: the name is empty; name a file or a folder")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Note what the test checked: numbers for JUnit, and all of it for the report."""
    checks = _taken()
    if checks:
        noted = item.stash.setdefault(_KEY, [])
        noted.extend(checks)
        _note_numbers(item, noted)
    report: pytest.TestReport = yield  # type: ignore[assignment]
    if checks and item.config.getoption("--grounded-report"):
        setattr(report, _CHECKS, [_plain(check) for check in checks])
    return report  # type: ignore[return-value]


def _taken() -> list[Checked]:
    """What was checked since the last phase; nothing where no assertion was ever imported."""
    testing = sys.modules.get("veridical.testing")
    return testing.taken_checks() if testing else []


def _note_numbers(item: pytest.Item, checks: Sequence[Checked]) -> None:
    """Numbers of the test so far, which `--junitxml` writes as properties of its test case."""
    answers = [check for check in checks if check.what == "answer"]
    quotes = [check for check in checks if check.what == "quotes"]
    numbers = {
        "veridical_claims": sum(check.total for check in answers),
        "veridical_claims_supported": sum(check.borne_out for check in answers),
        "veridical_quotes": sum(check.total for check in quotes),
        "veridical_quotes_found": sum(check.borne_out for check in quotes),
        "veridical_problems": sum(len(check.problems) for check in checks),
    }
    kept = [pair for pair in item.user_properties if pair[0] not in numbers]
    item.user_properties[:] = [*kept, *numbers.items()]


def _plain(check: Checked) -> dict[str, Any]:
    """A check as data that xdist can send from a worker."""
    problems = [_sendable(told) for told in check.problems]
    return {**asdict(check), "text": _sendable(check.text), "problems": problems}


def _sendable(text: str) -> str:
    """Text without half surrogate pairs, which no encoding can hold."""
    return text.encode("utf-8", "replace").decode()


def render_page(checks: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """The checks of a run as a self-contained HTML page, tests in the order of their names.

    Each check is a test's name and the fields of a `veridical.testing.Checked`.
    """
    from veridical.reports.page import asset, page

    ordered = sorted(checks, key=itemgetter(0))
    return page(
        "grounded",
        "Grounded report",
        style=asset("grounded.css"),
        checks=checks,
        failed=sum(not check["passed"] for _, check in checks),
        tests=[
            (test, [check for _, check in group])
            for test, group in groupby(ordered, key=itemgetter(0))
        ],
    )


class _GroundedReport:
    """Collects what all tests checked, those of workers too, and writes the page at the end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._checks: list[tuple[str, dict[str, Any]]] = []
        self._problem = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test checked."""
        for check in getattr(report, _CHECKS, ()):
            self._checks.append((report.nodeid, check))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the page; a run whose page cannot be written fails."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(render_page(self._checks), encoding="utf-8")
        except OSError as problem:
            self._problem = f"cannot write {self._path}: {problem.strerror or problem}"
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say where the page is."""
        if self._problem:
            terminalreporter.write_line(f"grounded report: {self._problem}", red=True)
        else:
            checked = f"{len(self._checks)} checked"
            terminalreporter.write_sep("-", f"grounded report: {self._path} ({checked})")
