"""`@grounded`: functions that answer, guarded by their sources."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from veridical import ConfigurationError, UngroundedError, grounded

POLICY = "# Leave\n\nFull-time staff are entitled to 26 days of leave in each calendar year.\n"
TRUE = "Full-time staff are entitled to 26 days of leave in each calendar year."
FALSE = "Full-time staff are entitled to 28 days of leave in each calendar year."
SOURCES = {"leave.md": POLICY}


def test_all_kinds_of_functions_are_guarded() -> None:
    guarded = grounded(SOURCES, on_fail="drop")

    @guarded
    def answer(first: str, *, last: str) -> str:
        """Answer."""
        return f"{first} {last}"

    @guarded
    async def answer_async() -> str:
        return f"{TRUE} {FALSE}"

    @guarded
    def stream() -> Iterator[str]:
        yield from (f"{TRUE} ", FALSE)

    @guarded
    async def stream_async() -> AsyncIterator[str]:
        for piece in (f"{TRUE} ", FALSE):
            yield piece

    @guarded
    def handed_on() -> Iterator[str]:
        return iter([TRUE, " ", FALSE])

    async def joined() -> str:
        return "".join([piece async for piece in stream_async()])

    assert (answer.__name__, answer.__doc__) == ("answer", "Answer.")
    shown = [
        answer(TRUE, last=FALSE),
        asyncio.run(answer_async()),
        "".join(stream()),
        asyncio.run(joined()),
        "".join(handed_on()),
    ]
    assert {text.strip() for text in shown} == {TRUE}


def test_what_is_not_borne_out_can_be_refused() -> None:
    @grounded(SOURCES, on_fail="fail")
    def answer() -> str:
        return FALSE

    with pytest.raises(UngroundedError, match="28 days"):
        answer()


def test_what_is_no_text_is_refused() -> None:
    @grounded(SOURCES)
    def answer() -> object:
        return 28

    with pytest.raises(ConfigurationError, match="not int"):
        answer()
