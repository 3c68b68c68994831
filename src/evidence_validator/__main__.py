"""`python -m evidence_validator`."""

from __future__ import annotations

from veridical.cli.evidence import main

main()
