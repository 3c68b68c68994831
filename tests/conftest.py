"""What holds for every test."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

# No test asserts a time: on a busy machine an example may take ten times as long as the one before.
# Every run draws other examples, so that few of them a run come to many over the days.
settings.register_profile("veridical", deadline=None, max_examples=30)
settings.load_profile("veridical")

# A shell starts what it puts in the background (`make test &`) with SIGINT ignored, and every child
# would inherit that: those that tests interrupt take the default handler.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)  # after hypothesis has marked what is its
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Properties run all their examples without the tracer, at about twice the speed: tests of
    single cases run the same lines."""
    for item in items:
        if item.get_closest_marker("hypothesis"):
            item.add_marker("no_cover")
