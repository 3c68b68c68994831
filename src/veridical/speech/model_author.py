"""An evaluation written by a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from veridical.errors import ValidationError
from veridical.models.protocol import LanguageModel, Message, ModelRequest, Role
from veridical.models.replies import ReplyRejected, parse_json_reply
from veridical.speech import prompts
from veridical.speech.author import Assignment, Rejected
from veridical.speech.evaluation import (
    LEAST_ITEMS,
    MOST_ITEMS,
    EvaluationItem,
    StructuredEvaluation,
)
from veridical.speech.schemas import load_schema
from veridical.validation.timed import TimedQuotePolicy

MAX_REPLY_TOKENS = 4_096
"""More than five items with their explanations need."""

_Parsed = TypeVar("_Parsed")
_KEPT_KEYWORDS = frozenset({"type", "enum", "required", "additionalProperties", "description"})


@dataclass(frozen=True, slots=True)
class ModelAuthor:
    """Asks a language model for evaluations in the form of the shipped schema."""

    model: LanguageModel
    policy: TimedQuotePolicy

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def rule_based(self) -> bool:
        """It is not."""
        return False

    def write(
        self, assignment: Assignment, *, problems: Sequence[str] = ()
    ) -> StructuredEvaluation:
        """See `Author.write`."""
        user = prompts.evaluation_prompt(assignment, problems)
        data = self._ask(user, reply_schema(), "speech_evaluation")
        return _parsed(StructuredEvaluation.from_mapping, data)

    def rewrite(
        self, assignment: Assignment, item: EvaluationItem, problems: Sequence[str]
    ) -> EvaluationItem:
        """See `Author.rewrite`."""
        user = prompts.item_prompt(assignment, item, problems)
        schema = reply_schema()["properties"]["items"]["items"]
        return _parsed(EvaluationItem.from_mapping, self._ask(user, schema, "evaluation_item"))

    def _ask(self, user: str, schema: dict[str, Any], name: str) -> Any:
        request = ModelRequest(
            messages=(
                Message(Role.SYSTEM, prompts.system_prompt(self.policy)),
                Message(Role.USER, user),
            ),
            schema=schema,
            schema_name=name,
            max_tokens=MAX_REPLY_TOKENS,
        )
        try:
            return parse_json_reply(self.model.complete(request))
        except ReplyRejected as problem:
            raise Rejected(f"the reply is not usable: {problem.reason}") from problem


def _parsed(parse: Callable[[object], _Parsed], data: object) -> _Parsed:
    try:
        return parse(data)
    except ValidationError as problem:
        raise Rejected(f"the reply has the wrong shape: {problem}") from problem


def reply_schema() -> dict[str, Any]:
    """The schema of an evaluation with the keywords that servers take.

    Bounds on lengths and numbers are left out; the reply is checked against all of them. The number
    of items is kept: small models go on listing them until they are cut off.
    """
    schema = _plain(load_schema("structured_evaluation"))
    schema["properties"]["items"] |= {
        "minItems": sum(LEAST_ITEMS.values()),
        "maxItems": sum(MOST_ITEMS.values()),
    }
    return schema


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in schema.items() if key in _KEPT_KEYWORDS}
    if "properties" in schema:
        plain["properties"] = {key: _plain(value) for key, value in schema["properties"].items()}
    if "items" in schema:
        plain["items"] = _plain(schema["items"])
    return plain
