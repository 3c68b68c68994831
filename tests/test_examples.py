"""The examples show what their README says they show, the same each time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from veridical import ValidationReport, Validator, load_documents, parse_claims

EXAMPLES = Path(__file__).parents[1] / "examples"


def read(name: str) -> Any:
    return json.loads((EXAMPLES / name).read_text("utf-8"))


@cache
def report() -> ValidationReport:
    claims = parse_claims(read("claims.json"), max_claims=1000)
    return Validator(load_documents([EXAMPLES / "sources"]).documents).validate(claims)


def test_the_verdicts_are_the_expected_ones() -> None:
    found = {
        result.claim.id: {"status": result.status, "fidelity": result.fidelity}
        for result in report().results
    }
    assert found == read("expected.json")
    assert report().ok


def test_the_readme_lists_the_same_verdicts() -> None:
    rows = re.findall(
        r"^\| (EV\d+) \| (\w+) \| (\S+) \|",
        (EXAMPLES / "README.md").read_text("utf-8"),
        re.MULTILINE,
    )
    listed = {
        claim: {"status": status, "fidelity": None if fidelity == "–" else fidelity}
        for claim, status, fidelity in rows
    }
    assert listed == read("expected.json")


@pytest.mark.parametrize("result", report().results, ids=lambda result: result.claim.id)
def test_what_was_found_is_in_the_document(result: Any) -> None:
    places = [result.match, result.found_at, *result.alternatives]
    places += [attempt.match for attempt in result.attempts]
    for match in filter(None, places):
        assert match.document.text[match.span.start : match.span.end] == match.text
    if result.claim.source and result.match:
        assert result.match.document.name == result.claim.source


# --- the same input gives the same bytes, in every process, but for the time ----------------------


ROOT = Path(__file__).parents[1]
STAMP = re.compile(rb'"timestamp": "[^"]+"')


FORMS = ("json", "html", "xml", "sarif")


def reports(seed: str, folder: Path) -> dict[str, bytes]:
    """The reports on the examples, made by a process whose hashes start from `seed`."""
    files = {form: folder / f"{seed}.{form}" for form in FORMS}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "veridical", "validate", "examples/sources"),
            *("--claims", "examples/claims.json", "--format", "table"),
            *(part for file in files.values() for part in ("--output", str(file))),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    return {"table": done.stdout, **{form: file.read_bytes() for form, file in files.items()}}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], dict[str, bytes]]:
    folder = tmp_path_factory.mktemp("reports")
    return reports("1", folder), reports("4242", folder)


@pytest.mark.parametrize("form", ["table", *FORMS])
def test_two_processes_write_the_same(
    form: str, pair: tuple[dict[str, bytes], dict[str, bytes]]
) -> None:
    one, other = pair[0][form], pair[1][form]
    assert len(one) > 1000
    assert STAMP.sub(b"", one) == STAMP.sub(b"", other)
    if form == "json":
        hashes = [json.loads(text)["generated"]["contentHash"] for text in (one, other)]
        assert hashes[0] == hashes[1]
        assert len(STAMP.findall(one)) == 1
    else:
        assert one == other  # no time in them at all


def test_a_claim_is_judged_the_same_alone_and_in_company_in_the_order_of_the_file() -> None:
    claims: dict[str, Any] = json.loads((ROOT / "examples/claims.json").read_text("utf-8"))
    validator = Validator(load_documents([ROOT / "examples/sources"]).documents)
    parsed = parse_claims(claims, max_claims=1000)
    together = validator.validate(parsed).results
    assert [validator.validate([claim]).results[0] for claim in parsed] == list(together)
    assert validator.validate(parsed[::-1]).results == together[::-1]
