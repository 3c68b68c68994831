"""What the tools take: their bounds are in the schemas that clients see."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from veridical.integrations.mcp import limits

_MOST_PROBLEMS = 5
_MOST_SHOWN = 80


class Arguments(BaseModel):
    """The arguments of a tool. What it does not know is refused: it may be a misspelt bound."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ListDocuments(Arguments):
    """Of `list_documents`."""

    first: int = Field(
        1, ge=1, le=10_000_000, description="Number of the first document to list, from 1."
    )


class Quote(Arguments):
    """A quote, and where it is said to stand."""

    quote: str = Field(
        min_length=1,
        max_length=limits.MAX_QUOTE_CHARS,
        description="The quoted words, without quotation marks around them. … may stand for words "
        "that are left out.",
    )
    document: str = Field(
        "",
        max_length=limits.MAX_NAME_CHARS,
        description="Name of the document that it is said to stand in; empty for any.",
    )
    expected_section: str = Field(
        "",
        max_length=limits.MAX_NAME_CHARS,
        description="Title of the section that it is said to stand in; empty for any.",
    )
    context_hint: str = Field(
        "",
        max_length=limits.MAX_HINT_CHARS,
        description="Words around it, to tell several places apart; may be empty.",
    )


class ValidateQuotes(Arguments):
    """Of `validate_quotes`."""

    quotes: list[Quote] = Field(min_length=1, max_length=limits.MAX_QUOTES)

    @field_validator("quotes", mode="before")
    @classmethod
    def _unwrapped(cls, given: Any) -> Any:
        """Some clients hand lists in as JSON inside a string."""
        if not isinstance(given, str):
            return given
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            return given


class CheckAnswer(Arguments):
    """Of `check_answer`."""

    answer: str = Field(
        min_length=1,
        max_length=limits.MAX_ANSWER_CHARS,
        description="The whole answer, Markdown or plain text, with its citations.",
    )
    question: str = Field(
        "",
        max_length=limits.MAX_QUESTION_CHARS,
        description="The question that it answers; may be empty.",
    )


class Ask(Arguments):
    """Of `ask`."""

    question: str = Field(
        min_length=1,
        max_length=limits.MAX_QUESTION_CHARS,
        description="One question, in a full sentence.",
    )


class ResolveCitation(Arguments):
    """Of `resolve_citation`."""

    anchor: str = Field(
        min_length=8,
        max_length=limits.MAX_ANCHOR_CHARS,
        pattern="^[0-9a-fA-F]+$",
        description="The digits of a citation [cite:a1b2c3d4]: 8 to 64 hex digits.",
    )


class OpenSpan(Arguments):
    """Of `open_span`."""

    document: str = Field(
        min_length=1, max_length=limits.MAX_NAME_CHARS, description="Name of the document."
    )
    start: int = Field(ge=0, le=2**40, description="First character, from 0.")
    end: int = Field(ge=0, le=2**40, description="First character after the span.")
    context: int = Field(
        500,
        ge=0,
        le=limits.MAX_CONTEXT_CHARS,
        description="Characters to show before and after it, each.",
    )
    version: str = Field(
        "",
        max_length=limits.MAX_ANCHOR_CHARS,
        description="Version of the document that the place was told of: where it has changed "
        "since, nothing is shown. Empty for whatever it is now.",
    )


def problems(error: ValidationError) -> str:
    """What is wrong with arguments, and where; the values themselves are not repeated."""
    listed = error.errors(include_url=False, include_context=False, include_input=False)
    told = [f"{_where(problem['loc'])}: {problem['msg']}" for problem in listed[:_MOST_PROBLEMS]]
    more = len(listed) - len(told)
    if more:
        told.append(f"and {more:,} more")
    return "the arguments do not fit: " + "; ".join(told)


def _where(loc: tuple[int | str, ...]) -> str:
    path = ""
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
    return path.removeprefix(".")[:_MOST_SHOWN] or "arguments"
