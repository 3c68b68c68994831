"""What adapters cost where they are not used: nothing. And which versions they were tried with."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import veridical.integrations

ROOT = Path(__file__).parents[2]
FRAMEWORKS = {"inspect_ai", "langchain_core", "llama_index", "mcp", "pytest"}
FRAMEWORKS |= {"opentelemetry", "pydantic", "anyio", "openai"}
EXTRAS = {
    "langchain": ("langchain_core", "veridical.integrations.langchain"),
    "llamaindex": ("llama_index.core", "veridical.integrations.llamaindex"),
    "inspect": ("inspect_ai", "veridical.integrations.inspect_ai"),
}


def loaded(*arguments: str) -> list[str]:
    """The modules that a Python loads for `arguments`, in order, as it tells of itself."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return re.findall(r"^import time: +\d+ \| +\d+ \| +(\S+)$", done.stderr, re.MULTILINE)


def packages(modules: Iterable[str]) -> set[str]:
    return {module.split(".")[0] for module in modules}


@pytest.fixture(scope="module")
def start() -> list[str]:
    """What a Python that does nothing loads, such as by `.pth` files."""
    return loaded("-c", "pass")


@pytest.mark.parametrize(
    "arguments", [("-c", "import veridical"), ("-m", "veridical", "--version")]
)
def test_no_framework_and_no_adapter_is_loaded(
    arguments: tuple[str, ...], start: list[str]
) -> None:
    found = loaded(*arguments)
    assert "veridical" in found
    assert packages(found) & FRAMEWORKS <= packages(start)
    assert [module for module in found if module.startswith("veridical.integrations")] == []


OURS = 'name.startswith("veridical.integrations") or '
WITHOUT = """
import json, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("veridical.integrations") or name.split(".")[0] in FRAMEWORKS:
            raise ModuleNotFoundError(f"{name} is not installed", name=name)
FRAMEWORKS = set(json.loads(sys.argv[1]))
sys.meta_path.insert(0, Absent())
"""


def test_the_same_modules_are_loaded_without_adapters_and_frameworks() -> None:
    """What is loaded is what it takes: the same with all of them absent as with all present."""
    show = "import veridical; print(json.dumps(sorted(sys.modules)))"
    names = json.dumps(sorted(FRAMEWORKS))
    having, lacking = (
        subprocess.run(
            [sys.executable, "-c", program, names],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout
        for program in (f"import json, sys\n{show}", f"{WITHOUT}{show}")
    )
    assert json.loads(having) == json.loads(lacking)


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_is_missing_is_named(extra: str) -> None:
    module = EXTRAS[extra][1]
    program = (
        f"{WITHOUT.replace(OURS, '')}from veridical.errors import MissingExtraError\n"
        f"try:\n    import {module}\nexcept MissingExtraError as problem:\n    print(problem)\n"
    )
    names = json.dumps(["langchain_core", "llama_index", "inspect_ai"])
    done = subprocess.run(
        [sys.executable, "-c", program, names],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert f"pip install 'veridical[{extra}]'" in done.stdout


def test_every_adapter_is_a_module_of_its_own() -> None:
    """An adapter's name may be its tool's: they are told apart by where they stand."""
    folder = Path(veridical.integrations.__path__[0])
    for _, module in EXTRAS.values():
        assert (folder / f"{module.rsplit('.', 1)[1]}.py").exists()


# --- the page -------------------------------------------------------------------------------------

TESTED = re.compile(r"^\|.*\| `([\w-]+)` (\d[\d.]*) \|$", re.MULTILINE)


def versions_told() -> dict[str, str]:
    """The version that the page's table names for each package."""
    page = (ROOT / "docs" / "integrations.md").read_text("utf-8")
    return dict(TESTED.findall(page))


@pytest.mark.parametrize("package", ["langchain-core", "llama-index-core", "inspect-ai"])
def test_the_page_names_the_versions_that_are_tested(package: str) -> None:
    try:
        installed = version(package)
    except PackageNotFoundError:
        assert not os.environ.get("CI"), package
        pytest.skip(f"{package} is not installed")
    assert versions_told()[package] == installed
