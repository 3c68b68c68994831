"""Answers and citations as other programs hand them over, told apart by what they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from veridical.errors import ValidationError
from veridical.ledger.wire_anthropic import answer_from_anthropic
from veridical.ledger.wire_given import CitedAnswer
from veridical.ledger.wire_web_annotations_read import answer_from_web_annotations
from veridical.validation.schema_errors import shorten


class GivenForm(StrEnum):
    """A form in which citations come in; the value is how commands call it."""

    ANTHROPIC = "anthropic"
    WEB_ANNOTATIONS = "web-annotations"


_OF_COLLECTIONS = ("@context", "rows", "first", "items", "target")


def read_cited(data: object, form: GivenForm | None = None) -> CitedAnswer:
    """The answer and the citations in parsed JSON of this form; without one, of the form that it
    shows. Web Annotations have no answer: its text is empty.

    Raises ValidationError where it is of no known form, or not as the form has it.
    """
    match form or _form_of(data):
        case GivenForm.ANTHROPIC:
            return answer_from_anthropic(data)
        case GivenForm.WEB_ANNOTATIONS:
            return answer_from_web_annotations(data)


def _form_of(data: object) -> GivenForm:
    """The form of parsed JSON. Raises ValidationError where it shows none."""
    first = data[0] if isinstance(data, list) and data else data
    if isinstance(first, Mapping):
        if any(name in first for name in _OF_COLLECTIONS):
            return GivenForm.WEB_ANNOTATIONS
        if isinstance(first.get("content"), list) or isinstance(first.get("type"), str):
            return GivenForm.ANTHROPIC
    raise ValidationError(
        f"it holds citations in no form that is known ({', '.join(GivenForm)}): got {shorten(data)}"
    )
