"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# No test asserts a time: on a busy machine an example may take ten times as long as the one before.
settings.register_profile("veridical", deadline=None)
settings.load_profile("veridical")
