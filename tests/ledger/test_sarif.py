"""SARIF of checked answers: the official schema, stable fingerprints, bounds, nothing of the
machine.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator  # type: ignore[import-untyped]

from veridical import Corpus, document_from_text, load_documents
from veridical.ledger.checking import AnswerChecker, CheckedFile, CheckedFiles, Problem, SourceFile
from veridical.ledger.export import ci as sarif
from veridical.ledger.export.ci import render_sarif
from veridical.sources.document import Document

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "tests/integrations/data/sarif-2.1.0-rtm.5.json"
POLICY = "# Leave\n\nFull-time staff get 26 days of leave.\n\nThe library closes at six.\n"
ANSWER = (
    "Full-time staff get 28 days of leave.\n\nThe library closes at six.\n\nOwls sing at noon.\n"
)


@cache
def schema() -> Draft4Validator:
    return Draft4Validator(json.loads(SCHEMA.read_text("utf-8")))


@cache
def checker() -> AnswerChecker:
    return AnswerChecker(Corpus([document_from_text(POLICY, "leave.md")]))


def checked(text: str, path: str = "answers/a.md", *, inside: bool = True) -> CheckedFile:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return CheckedFile(Document(path, text), digest, checker().check(text), inside=inside)


def run_of(*files: CheckedFile, **more: Any) -> dict[str, Any]:
    """The one run of a file, which fits the schema."""
    log = json.loads(render_sarif(CheckedFiles(files, **more)))
    problems = [f"{list(e.absolute_path)}: {e.message}" for e in schema().iter_errors(log)]
    assert problems == []
    (run,) = log["runs"]
    return run  # type: ignore[no-any-return]


def test_a_result_for_each_problem_at_its_place() -> None:
    source = SourceFile("docs/leave.md", "ab" * 32)
    run = run_of(checked(ANSWER), sources={"leave.md": source})
    assert run["columnKind"] == "unicodeCodePoints"
    first, second = run["results"]
    assert (first["ruleId"], first["level"]) == ("contradicted", "error")
    assert (second["ruleId"], second["level"]) == ("not-found", "error")
    place = first["locations"][0]["physicalLocation"]
    told = {"uri": "answers/a.md", "uriBaseId": "%SRCROOT%", "index": 0}
    assert place["artifactLocation"] == told
    region = place["region"]
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (1, 1, 37)
    assert region["snippet"]["text"] == "Full-time staff get 28 days of leave"
    assert "26 days" in first["message"]["text"]
    related = first["relatedLocations"][0]["physicalLocation"]
    assert related["artifactLocation"]["uri"] == "docs/leave.md"
    assert related["region"]["startLine"] == 3
    hashes = [artifact["hashes"]["sha-256"] for artifact in run["artifacts"]]
    assert hashes == [hashlib.sha256(ANSWER.encode()).hexdigest(), source.sha256]


def test_the_examples_fit_the_schema() -> None:
    sources = load_documents([ROOT / "examples/sources"]).documents
    over_all = AnswerChecker(Corpus(sources))
    text = (ROOT / "examples/answers/annual-leave.md").read_text("utf-8")
    file = CheckedFile(Document("annual leave.md", text), "0" * 64, over_all.check(text))
    files = {document.name: SourceFile(f"s/{document.name}", "1" * 64) for document in sources}
    run = run_of(file, sources=files, warnings=over_all.source_warnings)
    assert len(run["results"]) == len(file.check.problems) >= 2
    paged = [
        related["physicalLocation"]
        for result in run["results"]
        for related in result["relatedLocations"]
        if related["physicalLocation"]["artifactLocation"]["uri"].endswith((".pdf", ".docx"))
    ]
    assert all("region" not in location for location in paged)


def prints(text: str) -> list[str]:
    return [r["partialFingerprints"]["veridicalClaim/v1"] for r in run_of(checked(text))["results"]]


def test_fingerprints_stay_where_lines_move() -> None:
    before = prints(ANSWER)
    assert prints(f"# A title\r\n\r\nHello.\r\n\r\n{ANSWER}") == before
    twice = prints(f"{ANSWER}\n{ANSWER}")
    assert len(set(twice)) == 4
    assert set(before) < set(twice)


def test_no_path_of_the_machine_is_told() -> None:
    run = run_of(checked(ANSWER, "/home/ana/secret/a.md", inside=False))
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "a.md", "index": 0}
    told = json.dumps(run)
    assert "/home" not in told
    assert str(Path.cwd()) not in told


def test_results_are_bounded_the_worst_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_RESULTS", 3)
    text = "Owls sing at noon.\n\n" * 3 + ANSWER
    run = run_of(checked(text), checked(ANSWER, "b.md"))
    assert [result["ruleId"] for result in run["results"]] == [
        *["contradicted"] * 2, "not-found",
    ]  # fmt: skip
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"].startswith("4 more problems are left out")


HOSTILE = st.text(alphabet=st.sampled_from("aé🎉\r\n\t [](){}<>#*`|:%\u2028\u202e.-0"), max_size=40)


@given(before=HOSTILE, inside=HOSTILE)
def test_any_text_fits_the_schema_and_its_places_hold_it(before: str, inside: str) -> None:
    text = f"{before}\n\nOwls sing {inside} at noon.\n"
    file = checked(text)
    results = run_of(file)["results"]
    assert len(results) == len(file.check.problems)
    lines = text.split("\n")
    for problem in file.check.problems:
        assert_place_holds(problem, file, lines)


def assert_place_holds(problem: Problem, file: CheckedFile, lines: list[str]) -> None:
    place = file.region(problem.span)
    rest = "\n".join(lines[place.line - 1 : place.end_line])
    end = len(rest) - len(lines[place.end_line - 1]) + place.end_column - 1
    words = file.document.text[problem.span.start : problem.span.end]
    assert rest[place.column - 1 : end] == words


def test_a_repair_is_a_fix_that_can_be_applied() -> None:
    check = checker().check(ANSWER)
    run = run_of(CheckedFile(Document("a.md", ANSWER), "ab" * 32, check))
    fixed = ANSWER
    for result in reversed(run["results"]):
        (fix,) = result["fixes"]
        (change,) = fix["artifactChanges"]
        assert change["artifactLocation"]["uri"] == "a.md"
        for one in change["replacements"]:
            start = one["deletedRegion"]["charOffset"]
            end = start + one["deletedRegion"]["charLength"]
            fixed = fixed[:start] + one["insertedContent"]["text"] + fixed[end:]
    assert fixed == "Full-time staff get 26 days of leave.\n\nThe library closes at six.\n"
    assert "Repair: put “26” for “28”." in run["results"][0]["message"]["text"]
