"""Answers and citations as other programs hand them over, told apart by what they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from veridical.errors import ValidationError
from veridical.ledger.wire_anthropic import answer_from_anthropic
from veridical.ledger.wire_given import CitedAnswer
from veridical.ledger.wire_openai import answer_from_openai
from veridical.ledger.wire_web_annotations_read import answer_from_web_annotations
from veridical.validation.schema_errors import shorten


class GivenForm(StrEnum):
    """A form in which citations come in; the value is how commands call it."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    WEB_ANNOTATIONS = "web-annotations"


_OF_COLLECTIONS = ("@context", "rows", "first", "items", "target")


def read_cited(data: object, form: GivenForm | None = None) -> CitedAnswer:
    """The answer and the citations in parsed JSON of this form; without one, of the form that it
    shows. Web Annotations have no answer: its text is empty.

    Raises ValidationError where it is of no known form, or not as the form has it.
    """
    match form or form_of(data):
        case GivenForm.ANTHROPIC:
            return answer_from_anthropic(data)
        case GivenForm.OPENAI:
            return answer_from_openai(data)
        case GivenForm.WEB_ANNOTATIONS:
            return answer_from_web_annotations(data)


def form_of(data: object) -> GivenForm:
    """The form of parsed JSON. Raises ValidationError where it shows none."""
    first = data[0] if isinstance(data, list) and data else data
    if isinstance(first, Mapping):
        if any(name in first for name in _OF_COLLECTIONS):
            return GivenForm.WEB_ANNOTATIONS
        content = first.get("content")
        inner = content[0] if isinstance(content, list) and content else None
        if "output" in first or isinstance(content, str) or _kind(first) == "output_text":
            return GivenForm.OPENAI
        if _kind(inner) in ("output_text", "refusal") or _kind(first) == "reasoning":
            return GivenForm.OPENAI
        if isinstance(content, list) or isinstance(_kind(first), str):
            return GivenForm.ANTHROPIC
    raise ValidationError(
        f"it holds citations in no form that is known ({', '.join(GivenForm)}): got {shorten(data)}"
    )


def _kind(value: object) -> object:
    return value.get("type") if isinstance(value, Mapping) else None
