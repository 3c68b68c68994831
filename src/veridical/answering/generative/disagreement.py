"""Where two policies disagree, a model may not tell one side of it."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.answering.answer import DraftStatement
from veridical.answering.disagreement import find_disagreement
from veridical.answering.evidence.finding import Evidence
from veridical.answering.extractive.author import draft_extractively, is_usable
from veridical.answering.question.asked import AskedQuestion


def with_both_sides(
    asked: AskedQuestion,
    evidence: Sequence[Evidence],
    statements: Sequence[DraftStatement],
    most: int,
) -> tuple[tuple[DraftStatement, ...], str]:
    """The statements, at most `most`, and how the policies disagree (empty where they do not).

    Where statements rest on one side of a disagreement only, the other is told in its own words, if
    need be in place of the last of them.
    """
    found = find_disagreement(asked, evidence)
    if found is None or not (is_usable(found.one) and is_usable(found.other)):
        return tuple(statements), ""
    resting = {
        (chunk.document.name, chunk.ordinal, index)
        for statement in statements
        for chunk, index in statement.deciding
    }
    missing = [side for side in (found.one, found.other) if _place(side) not in resting]
    if len(missing) > 1:
        return tuple(statements), ""
    told = draft_extractively(asked, missing).statements if missing else ()
    return (*statements[: most - len(told)], *told), found.sentence


def _place(side: Evidence) -> tuple[str, int, int]:
    return side.chunk.document.name, side.chunk.ordinal, side.index
