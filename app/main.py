"""The service over the sample policies: `uvicorn app.main:app --reload`, from this repository.

A language model writes the answers where `VERIDICAL_MODEL` names one, else the embedded author.
What is kept is thrown away at the end.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from veridical.cli.models import chosen_model
from veridical.errors import ConfigurationError
from veridical.service.app import create_app
from veridical.service.settings import ServiceSettings

POLICIES = Path(__file__).resolve().parent.parent / "examples" / "policies"

try:
    _model = chosen_model(None, None)
except ConfigurationError as error:
    raise SystemExit(f"app.main: {error}") from None

_folder = TemporaryDirectory(prefix="veridical-app-", ignore_cleanup_errors=True)

app = create_app(
    ServiceSettings(
        database=f"sqlite:///{_folder.name}/policies.db", documents=(str(POLICIES),), model=_model
    )
)
