"""What a guard does with what the sources do not bear out."""

from __future__ import annotations

from enum import StrEnum

OPEN, CLOSE = "\u27e6", "\u27e7"
"""The brackets of a mark. A guard writes them, and lets no answer write them."""

NOT_CHECKED = "not checked"
LEFT_OUT = f"{OPEN}\u2026{CLOSE}"
"""What stands for words that were dropped, where something has to."""


class OnFail(StrEnum):
    """What becomes of a sentence that is not supported.

    It is followed by a mark, left out, followed by the verdict and the nearest words of a source,
    or it ends the answer with `UngroundedError`.
    """

    MARK = "mark"
    DROP = "drop"
    ANNOTATE = "annotate"
    FAIL = "fail"


class Standing(StrEnum):
    """How a sentence stands to the sources.

    `GROUNDED`: all of its claims are supported. `UNSUPPORTED`: one is not. `UNCHECKED`: it may
    state something, and that was not checked. `REFUSAL`: it says that nothing was found.
    `NEUTRAL`: it claims nothing: a heading, a question, a greeting, code.
    """

    GROUNDED = "grounded"
    UNSUPPORTED = "unsupported"
    UNCHECKED = "unchecked"
    REFUSAL = "refusal"
    NEUTRAL = "neutral"


FAILING = frozenset({Standing.UNSUPPORTED, Standing.UNCHECKED})
"""What is marked, left out or refused. A refusal is marked as not checked, and kept."""
