"""Is an answer borne out by its sources? The ledger's verdicts in a flat form, for other tools."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.judging.verdict import Verdict
from veridical.ledger.checking import Problem
from veridical.sources.span import Span
from veridical.text.normalize import one_line

_MOST_TOLD = 20
_MOST_TOLD_CHARS = 300


class GroundingOutcome(StrEnum):
    """What the claims of an answer come to.

    `GROUNDED`: it makes claims, each of them is supported, and nothing that may state something
    went unchecked. `NO_CLAIMS`: there was nothing to check, which is no evidence of grounding.
    `UNGROUNDED`: all else.
    """

    GROUNDED = "grounded"
    UNGROUNDED = "ungrounded"
    NO_CLAIMS = "no_claims"

    @classmethod
    def of(cls, verdicts: Iterable[Verdict], *, unchecked: bool) -> GroundingOutcome:
        """What the verdicts on all claims come to; `unchecked`: whether some part was not."""
        found = set(verdicts)
        if unchecked or found - {Verdict.SUPPORTED}:
            return cls.UNGROUNDED
        return cls.GROUNDED if found else cls.NO_CLAIMS


@dataclass(frozen=True, slots=True)
class SourceWords:
    """Words of a source: those that a verdict rests on or, where nothing was found, the nearest.

    `text` is what a reader sees of them. `span` is their place in the text of the source as it was
    given. `source` is the name of the source and `index` its place among those given, from 0.
    `page` counts from 1, None where there are no pages.
    """

    text: str
    source: str
    index: int
    span: Span
    page: int | None = None


@dataclass(frozen=True, slots=True)
class GroundedClaim:
    """A claim of an answer and the verdict on it: `answer[span.start:span.end] == text`.

    `reason` is a sentence. `words` are what the verdict rests on; with the verdict `not_found` they
    are the nearest there are and prove nothing, or None. `confidence` is the ledger's, 0 to 1.
    """

    text: str
    span: Span
    verdict: Verdict
    reason: str
    confidence: float
    words: SourceWords | None = None

    @property
    def grounded(self) -> bool:
        """Whether a source bears the claim out fully: in part is not enough."""
        return self.verdict is Verdict.SUPPORTED

    def told(self) -> str:
        """The claim, the verdict and the words it rests on, in one line for a reader."""
        text = one_line(self.text, _MOST_TOLD_CHARS)
        line = f"{self.verdict.value.replace('_', ' ')}: “{text}”: {self.reason}"
        line = line if line.endswith((".", "!", "?")) else f"{line}."
        if self.words is None:
            return line
        reads = "is nearest" if self.verdict is Verdict.NOT_FOUND else "reads"
        words = one_line(self.words.text, _MOST_TOLD_CHARS)
        return f"{line} {self.words.source} {reads}: “{words}”"


@dataclass(frozen=True, slots=True)
class Grounding:
    """What became of an answer's claims, in its order.

    `unchecked` are parts that may state something and were not checked, such as code that holds
    sentences: each counts as if it were a claim that is not supported. `warnings` are the ledger's.
    """

    answer: str
    claims: tuple[GroundedClaim, ...]
    unchecked: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def outcome(self) -> GroundingOutcome:
        """What the claims come to: see `GroundingOutcome`."""
        verdicts = (claim.verdict for claim in self.claims)
        return GroundingOutcome.of(verdicts, unchecked=bool(self.unchecked))

    @property
    def grounded(self) -> bool:
        """Whether the outcome is `grounded`."""
        return self.outcome is GroundingOutcome.GROUNDED

    @property
    def score(self) -> float | None:
        """The share of claims that are supported, 0 to 1; None where there was nothing to check."""
        total = len(self.claims) + len(self.unchecked)
        return sum(claim.grounded for claim in self.claims) / total if total else None

    def share(self, *, allow_no_claims: bool = False) -> float:
        """`score`, and a number also where there was nothing to check: 0, or 1 if allowed."""
        return float(allow_no_claims) if self.score is None else self.score

    @property
    def reason(self) -> str:
        """Why, for a reader: a line that counts, and one for each claim that is not supported."""
        if self.outcome is GroundingOutcome.NO_CLAIMS:
            return f"Nothing was checked: {'; '.join(self.warnings) or 'there is no claim'}."
        bound = sum(claim.grounded for claim in self.claims)
        lines = [f"{bound} of {len(self.claims)} claims supported by the sources."]
        problems = [f"- {claim.told()}" for claim in self.claims if not claim.grounded]
        problems += [
            f"- not checked: “{one_line(e.text, _MOST_TOLD_CHARS)}”: {e.reason}"
            for e in self.unchecked
        ]
        lines += problems[:_MOST_TOLD]
        if problems[_MOST_TOLD:]:
            lines.append(f"- and {len(problems) - _MOST_TOLD:,} more")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data that JSON can hold.

        `start` and `end` of a claim count code points of the answer, `source_start` and
        `source_end` those of the source's text, all from 0.
        """
        return {
            "outcome": self.outcome.value,
            "grounded": self.grounded,
            "score": self.score,
            "reason": self.reason,
            "claims": [_claim_to_dict(claim) for claim in self.claims],
            "unchecked": [_unchecked_to_dict(part) for part in self.unchecked],
            "warnings": list(self.warnings),
        }


def _unchecked_to_dict(part: Problem) -> dict[str, Any]:
    return {
        "text": part.text,
        "start": part.span.start,
        "end": part.span.end,
        "reason": part.reason,
    }


def _claim_to_dict(claim: GroundedClaim) -> dict[str, Any]:
    words = claim.words
    return {
        "text": claim.text,
        "start": claim.span.start,
        "end": claim.span.end,
        "verdict": claim.verdict.value,
        "grounded": claim.grounded,
        "reason": claim.reason,
        "confidence": claim.confidence,
        "words": words and words.text,
        "source": words and words.source,
        "source_index": None if words is None else words.index,
        "source_start": None if words is None else words.span.start,
        "source_end": None if words is None else words.span.end,
        "page": words and words.page,
    }
