"""A policy and answers about it, which the tests of the frameworks share."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "integrations"

ENTITLED = "Full-time staff are entitled to 27 days of annual leave in each leave year."
CARRIED = "Up to five days may be carried over into the next leave year."
WRONG = ENTITLED.replace("27", "28")
INVENTED = "Members of staff may bring their dogs to the office on Fridays."
REFUSAL = "I cannot find this in the documents."
POLICY = f"# Leave\n\n{ENTITLED}\n\n{CARRIED}\n"

NO_CLAIMS = ["", " \n", REFUSAL, "# Leave", "How much leave is there?", "Good luck!"]
"""Answers that claim nothing: no evidence of grounding."""


def example(name: str) -> ModuleType:
    """An example's module, its main part not run."""
    path = EXAMPLES / name
    spec = spec_from_file_location(f"example_{path.stem}", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
