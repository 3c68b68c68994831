"""The examples show what their README says they show."""

from __future__ import annotations

import json
import re
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
