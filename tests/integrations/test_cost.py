"""What adapters cost where they are not used: nothing. And which versions they were tried with."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FRAMEWORKS = {"inspect_ai", "langchain_core", "llama_index", "mcp", "pytest"}
FRAMEWORKS |= {"_pytest", "opentelemetry", "pydantic", "anyio", "openai"}


def printed(program: str) -> str:
    """What a Python of its own prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


@pytest.mark.parametrize("module", ["veridical", "veridical.testing"])
def test_no_framework_is_loaded(module: str) -> None:
    show = "print(*{name.split('.')[0] for name in sys.modules.keys() - before})"
    loaded = printed(f"import sys; before = {{*sys.modules}}; import {module}; {show}")
    assert "veridical" in loaded.split()
    assert not {*loaded.split()} & FRAMEWORKS


@pytest.mark.parametrize(
    ("extra", "needed", "module"),
    [
        ("langchain", "langchain_core", "langchain"),
        ("llamaindex", "llama_index", "llamaindex"),
        ("inspect", "inspect_ai", "inspect_ai"),
    ],
)
def test_what_is_missing_is_named(extra: str, needed: str, module: str) -> None:
    program = (
        f"import sys\nfrom veridical import MissingExtraError\nsys.modules[{needed!r}] = None\n"
        f"try:\n    import veridical.integrations.{module}\n"
        "except MissingExtraError as problem:\n    print(problem)\n"
    )
    assert f"pip install 'veridical[{extra}]'" in printed(program)


@pytest.mark.parametrize("package", ["langchain-core", "llama-index-core", "inspect-ai"])
def test_the_page_names_the_versions_that_are_tested(package: str) -> None:
    page = (ROOT / "docs" / "integrations.md").read_text("utf-8")
    told = dict(re.findall(r"`([\w-]+)` (\d+\.[\d.]*\d)", page))
    try:
        installed = version(package)
    except PackageNotFoundError:
        assert not os.environ.get("CI"), package
        pytest.skip(f"{package} is not installed")
    assert told[package] == installed
