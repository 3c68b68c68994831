"""`python -m veridical`."""

from __future__ import annotations

from veridical.cli.main import main

main()
