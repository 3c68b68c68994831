"""The service over the sample policies: `uvicorn app.main:app --reload`, from this repository.

A language model writes the answers where `VERIDICAL_MODEL` names one, else the embedded author.
"""

from __future__ import annotations

from pathlib import Path

from veridical.answering.index.policy_index import PolicyIndex
from veridical.cli.models import chosen_model
from veridical.errors import ConfigurationError
from veridical.service.app import create_app

POLICIES = Path(__file__).resolve().parent.parent / "examples" / "policies"

try:
    _model = chosen_model(None, None)
except ConfigurationError as error:
    raise SystemExit(f"app.main: {error}") from None

app = create_app(lambda: PolicyIndex.open([POLICIES], keep=False), model=_model)
