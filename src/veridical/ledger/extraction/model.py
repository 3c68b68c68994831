"""The claims of an answer as a language model sees them, held against the rules."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from veridical.errors import ModelError
from veridical.ledger.entry import AnswerClaim, ClaimType, Importance
from veridical.ledger.extraction.extractor import (
    MAX_CLAIMS,
    Extraction,
    Extractor,
    Skipped,
    SkipReason,
)
from veridical.ledger.extraction.finishing import NO_CLAIMS
from veridical.ledger.extraction.merging import Merged, Merger
from veridical.ledger.extraction.page import read_page
from veridical.ledger.extraction.prompts import RETRY, SYSTEM, parts, shown_part
from veridical.ledger.extraction.proposals import Located, Locator, Proposal
from veridical.ledger.extraction.rules import RuleExtractor
from veridical.ledger.extraction.schemas import reply_schema
from veridical.ledger.markers import markers_of
from veridical.models.protocol import LanguageModel, Message, ModelRequest, Role
from veridical.models.replies import ReplyRejected, parse_json_reply
from veridical.sources.span import Span
from veridical.validation.reports.wording import count
from veridical.validation.schema_errors import first_errors

MAX_REPLY_TOKENS = 8_192
"""What the claims of `prompts.MAX_PART_CHARS` need, each given as text and as statement."""

_ATTEMPTS = 2

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelExtractor:
    """Asks a language model for the claims of an answer, a few paragraphs at a time.

    Each claim must stand in the answer word for word. Claims that `fallback` finds and the model
    leaves out are added back; where the model gives no usable reply, `fallback` alone decides. Both
    are said in warnings.
    """

    model: LanguageModel
    fallback: Extractor = field(default_factory=RuleExtractor)

    @property
    def name(self) -> str:
        """How ledgers name it: the model, and what holds it in check."""
        return f"model:{self.model.name}+{self.fallback.name}"

    def extract(self, answer: str, session_id: str, query: str = "") -> Extraction:
        """See `Extractor.extract`. A model that cannot be reached is a warning, not an error."""
        base = self.fallback.extract(answer, session_id, query)
        replies = self._ask(answer, base)
        page = read_page(answer)
        merger = Merger(page, markers_of(page).found, session_id, query)
        merged = merger.merge(base.claims, base.skipped, replies.located, replies.asked)
        claims, skipped = _bounded(merged, len(answer))
        kept = tuple(line for line in base.warnings if line != NO_CLAIMS or not claims)
        warnings = replies.warnings(self.model.name, merged)
        return Extraction(claims, (*kept, *warnings), skipped)

    def _ask(self, answer: str, base: Extraction) -> _Replies:
        """What the model says about each part of the answer that has words."""
        replies = _Replies()
        locator = Locator(answer)
        over = [s.span.start for s in base.skipped if s.reason is SkipReason.OVER_LIMIT]
        for part in parts(answer[: min(over, default=len(answer))]):
            text = answer[part.start : part.end]
            if not any(character.isalnum() for character in text):
                continue
            try:
                proposals = self._proposals(text)
            except ModelError as problem:
                replies.unreachable = type(problem).__name__
                break
            if proposals is None:
                replies.unusable += 1
                continue
            found, lost = locator.locate(proposals, part)
            replies.located.extend(found)
            replies.asked.append(part)
            replies.lost += lost
        return replies

    def _proposals(self, text: str) -> list[Proposal] | None:
        """The claims that the model lists for a part; None where no reply is usable."""
        messages = [Message(Role.SYSTEM, SYSTEM), Message(Role.USER, shown_part(text))]
        for _ in range(_ATTEMPTS):
            request = ModelRequest(
                messages=tuple(messages),
                schema=reply_schema(),
                schema_name="claims",
                max_tokens=MAX_REPLY_TOKENS,
            )
            problem = ""
            try:
                data = parse_json_reply(self.model.complete(request))
                errors = first_errors(reply_schema(), data)
                if not errors:
                    return [_proposal(row) for row in data["claims"]]
                problem = f"it does not fit the schema at {errors[0].path}"
            except ReplyRejected as rejected:
                problem = str(rejected)
            _log.debug("a reply was not usable: %s", problem)
            messages[2:] = [Message(Role.USER, RETRY.format(problem=problem))]
        return None


@dataclass(slots=True)
class _Replies:
    """What came of all requests: claims with their places, and what could not be used."""

    located: list[Located] = field(default_factory=list)
    asked: list[Span] = field(default_factory=list)
    lost: int = 0
    unusable: int = 0
    unreachable: str = ""

    def warnings(self, model: str, merged: Merged) -> tuple[str, ...]:
        """What a reader should know about the model's part in this."""
        found: list[str] = []
        if self.unreachable:
            found.append(f"{model} could not be asked for claims; the rest was found by rules")
        if self.unusable:
            found.append(
                f"{model} gave no usable list of claims for {count(self.unusable, 'part')} of the "
                "answer; the claims there were found by rules"
            )
        dropped = self.lost + merged.refused
        if dropped:
            were = (
                "is not in the answer and was" if dropped == 1 else "are not in the answer and were"
            )
            found.append(f"{count(dropped, 'claim')} that {model} listed {were} dropped")
        if merged.restored:
            were = "was" if merged.restored == 1 else "were"
            restored = count(merged.restored, "claim")
            found.append(f"{restored} that {model} left out {were} added back by rules")
        return tuple(found)


def _proposal(row: dict[str, str]) -> Proposal:
    return Proposal(
        row["text"],
        row["statement"],
        row["context"],
        ClaimType(row["type"]),
        Importance(row["importance"]),
    )


def _bounded(merged: Merged, length: int) -> tuple[tuple[AnswerClaim, ...], tuple[Skipped, ...]]:
    """The merged claims, at most `MAX_CLAIMS` of them; what is cut off is skipped."""
    claims = merged.claims[:MAX_CLAIMS]
    if len(claims) == len(merged.claims):
        return claims, merged.skipped
    end = merged.claims[MAX_CLAIMS].span.start
    kept = [skip for skip in merged.skipped if skip.span.end <= end]
    return claims, (*kept, Skipped(Span(end, length), SkipReason.OVER_LIMIT))
