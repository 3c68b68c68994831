"""The promptfoo assertion, run by promptfoo; and what it makes of single outputs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.integrations.leave import (
    CARRIED,
    ENTITLED,
    EXAMPLES,
    INVENTED,
    NO_CLAIMS,
    POLICY,
    REFUSAL,
    ROOT,
    WRONG,
)

from veridical.integrations.promptfoo import get_assert

PROMPTFOO = ROOT / "build" / "promptfoo" / "node_modules" / ".bin" / "promptfoo"
BOTH = f"{WRONG} {CARRIED}"

CASES: dict[str, tuple[str, dict[str, Any], bool]] = {
    "from a variable": (ENTITLED, {}, True),
    "a folder that is not there": (ENTITLED, {"documents": "nowhere"}, False),
}
"""An output, the assertion's config, and whether it passes. promptfoo starts a Python for each."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What promptfoo says of the cases, beside the example's own."""
    if not PROMPTFOO.exists():
        assert not os.environ.get("CI"), "promptfoo is missing: sh scripts/ensure_promptfoo.sh"
        pytest.skip("promptfoo is not installed: sh scripts/ensure_promptfoo.sh")
    place = tmp_path_factory.mktemp("promptfoo") / "project"
    shutil.copytree(EXAMPLES / "promptfoo", place)
    config = yaml.safe_load((place / "promptfooconfig.yaml").read_text("utf-8"))
    common = config.pop("defaultTest")["assert"]
    tests = [{**test, "assert": common} for test in config["tests"]]
    tests += [
        {
            "description": name,
            "vars": {"answer": answer, "context": POLICY},
            "assert": [{"type": "python", "value": "file://grounded.py", "config": settings}],
        }
        for name, (answer, settings, _) in CASES.items()
    ]
    (place / "all.yaml").write_text(yaml.safe_dump({**config, "tests": tests}), encoding="utf-8")
    done = subprocess.run(
        [str(PROMPTFOO), *"eval -c all.yaml --no-cache --no-share --no-table -o out.json".split()],
        cwd=place,
        env={**os.environ, **quiet(place)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (place / "out.json").exists(), done.stdout + done.stderr
    found = json.loads((place / "out.json").read_text("utf-8"))["results"]["results"]
    return {result["testCase"]["description"]: result for result in found}


def quiet(place: Path) -> dict[str, str]:
    """Settings that keep promptfoo to this machine, and this Python."""
    switched_off = ("TELEMETRY", "UPDATE", "REMOTE_GENERATION", "SHARING", "ADAPTIVE_SCHEDULER")
    return {
        **{f"PROMPTFOO_DISABLE_{name}": "1" for name in switched_off},
        "PROMPTFOO_SELF_HOSTED": "1",
        "PROMPTFOO_CONFIG_DIR": str(place / "config"),
        "PROMPTFOO_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }


@pytest.mark.parametrize("name", CASES)
def test_promptfoo_says_so(name: str, results: dict[str, dict[str, Any]]) -> None:
    assert results[name]["success"] is CASES[name][2], results[name]["gradingResult"]["reason"]


def test_the_examples_own_cases(results: dict[str, dict[str, Any]]) -> None:
    good = results["every claim is in the handbook"]
    bad = results["a number was changed"]
    assert (good["success"], bad["success"]) == (True, False)
    assert good["score"] == 1
    assert bad["namedScores"]["groundedness"] == 0.5
    assert "27 days" in bad["gradingResult"]["reason"]
    told = bad["gradingResult"]["componentResults"]
    assert any("contradicted: “Full-time staff" in part["reason"] for part in told)


def test_promptfoo_tells_what_could_not_be_checked(results: dict[str, dict[str, Any]]) -> None:
    told = results["a folder that is not there"]["gradingResult"]["reason"]
    assert "Not checked: nowhere: no such file" in told


# --- as promptfoo calls it ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "config", "passes", "score"),
    [
        (ENTITLED, None, True, 1.0),
        (BOTH, {"threshold": 0.5}, False, 0.5),
        (f"{INVENTED} {CARRIED}", {"threshold": 0.5}, True, 0.5),
        (f"{INVENTED} {CARRIED}", {"threshold": 0.6}, False, 0.5),
        (INVENTED, {"threshold": 0}, True, 0.0),
        ({"answer": ENTITLED}, {}, False, 0.0),
        (None, {}, False, 0.0),
        *[(answer, {}, False, 0.0) for answer in NO_CLAIMS],
        *[(answer, {"threshold": 0}, False, 0.0) for answer in NO_CLAIMS],
        (ENTITLED, {"context_var": "nothing"}, False, 0.0),
        (ENTITLED, {"threshold": 2}, False, 0.0),
        (ENTITLED, {"threshold": "high"}, False, 0.0),
        (ENTITLED, {"point": "lax"}, False, 0.0),
        (ENTITLED, {"document": "handbook"}, False, 0.0),
        (REFUSAL, {"allow_no_claims": True}, True, 1.0),
        (REFUSAL, {"allow_no_claims": "false"}, False, 0.0),
        (ENTITLED, {"documents": []}, False, 0.0),
        (ENTITLED, {"documents": ""}, False, 0.0),
        (ENTITLED, {"point": ["strict"]}, False, 0.0),
        (ENTITLED, {"context_var": ["context"]}, False, 0.0),
        (ENTITLED, {"documents": None}, False, 0.0),
        (ENTITLED, {"query_var": ["question"]}, False, 0.0),
        (INVENTED, {"threshold": False}, False, 0.0),
        (ENTITLED, {"documents": [7]}, False, 0.0),
        (ENTITLED, {"documents": [["a"]]}, False, 0.0),
        (ENTITLED, {"documents": 7}, False, 0.0),
        (ENTITLED, ["documents"], False, 0.0),
    ],
)
def test_results(output: Any, config: Any, passes: bool, score: float) -> None:
    found = get_assert(output, {"vars": {"context": [POLICY]}, "config": config})
    assert (found["pass"], found["score"]) == (passes, score), found["reason"]
    assert found["reason"]
    json.dumps(found)


def test_each_claim_is_a_component() -> None:
    found = get_assert(BOTH, {"vars": {"context": POLICY}})
    assert [part["pass"] for part in found["componentResults"]] == [False, True]
    assert found["namedScores"] == {"groundedness": 0.5}
    many = get_assert(f"{ENTITLED} " * 150, {"vars": {"context": POLICY}})
    assert len(many["componentResults"]) == 100
    assert many["pass"] is True
