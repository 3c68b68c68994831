"""What a guard found in an answer, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, LedgerEntry
from veridical.ledger.grounding import GroundingOutcome
from veridical.sources.document import Span

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


_WORST = (Verdict.CONTRADICTED, Verdict.NOT_FOUND, Verdict.WEAK, Verdict.SUPPORTED)


def worst(entries: tuple[LedgerEntry, ...]) -> LedgerEntry | None:
    """The entry with the worst verdict, the first of equals; None where there is none."""
    return min(entries, key=lambda entry: _WORST.index(entry.verdict), default=None)


def nearest(entry: LedgerEntry) -> Evidence | None:
    """The words of a source that come nearest to a claim, or decide on it."""
    return next(iter((*entry.evidence, *entry.near)), None)


@dataclass(frozen=True, slots=True)
class GuardedSentence:
    """A sentence of an answer, or another part of it that holds words: a heading, a table's row.

    `span` is its place in the answer, in code points: `answer[span.start:span.end] == text`.
    `claims` are the entries of the claims in it, as in a ledger. `reason` says why it is not
    checked, where it is not, or why it was left out although its claims are supported.
    """

    text: str
    span: Span
    claims: tuple[LedgerEntry, ...]
    standing: Standing
    reason: str = ""

    @property
    def verdict(self) -> Verdict | None:
        """The worst verdict on its claims; None where it claims nothing."""
        entry = worst(self.claims)
        return entry.verdict if entry else None

    @property
    def grounded(self) -> bool:
        """Whether it claims something, and the sources bear all of that out."""
        return self.standing is Standing.GROUNDED


@dataclass(frozen=True, slots=True)
class GuardReport:
    """What a guard found in an answer, and what of it may be shown.

    `text` is what was given out: marked, shortened or annotated. `late` are claims that only the
    whole answer shows to be unsupported, when their words had been given out: `text` ends with a
    mark for each.
    """

    answer: str
    text: str
    on_fail: OnFail
    sentences: tuple[GuardedSentence, ...]
    late: tuple[LedgerEntry, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def grounded(self) -> bool:
        """Whether the outcome is `grounded`."""
        return self.outcome is GroundingOutcome.GROUNDED

    @property
    def outcome(self) -> GroundingOutcome:
        """What all claims come to; `no_claims` where the answer makes none."""
        verdicts = [entry.verdict for one in self.sentences for entry in one.claims]
        verdicts += [entry.verdict for entry in self.late]
        unchecked = any(one.standing is Standing.UNCHECKED for one in self.sentences)
        return GroundingOutcome.of(verdicts, unchecked=unchecked)

    @property
    def passed(self) -> bool:
        """Whether nothing had to be marked, left out or refused: an answer that claims nothing
        passes, and is not `grounded`.
        """
        return self.outcome is not GroundingOutcome.UNGROUNDED

    @property
    def failing(self) -> tuple[GuardedSentence, ...]:
        """The sentences that are not supported, or were not checked."""
        return tuple(s for s in self.sentences if s.standing in FAILING)
