"""What a model's word is worth: the checks between what it said and what is judged.

A model may be wrong, may be flattered, may be told what to say by the very passage that it reads,
and may say yes to everything. So full support needs more than its word:

1. it quotes, and the quote stands in the passage, word by word, each part in its sentence;
2. the sentences that the quote stands in, as the source has them, share enough of the claim's
   content words (`BEARS_FROM`): a true quote about something else proves nothing;
3. they show no sign of saying something else: see `veridical.judging.veto`.

Whatever fails this is partial support at most, and where the words hardly touch the claim none. A
contradiction too must be quoted, or it is not found. The checks only ever lower what was said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.judging.bearing import directness, shared_words, similarity_at
from veridical.judging.judge import Case, Judgement, OperatingPoint, SupportLevel
from veridical.judging.model_reply import Said
from veridical.judging.prompts import passage_of
from veridical.judging.verdict import FULL_SUPPORT_ABOVE
from veridical.judging.veto import Conflict, describe, vetoes
from veridical.sources.document import Document
from veridical.text.normalize import fold
from veridical.validation.claims import MAX_QUOTE_CHARS
from veridical.validation.config import SemanticMatching, ValidationConfig
from veridical.validation.results import Fidelity
from veridical.validation.validator import Validator

BEARS_FROM = {
    OperatingPoint.STRICT: 0.4,
    OperatingPoint.BALANCED: 0.3,
    OperatingPoint.LENIENT: 0.2,
}
"""Share of the claim's content words that the quoted sentences must have for full support.

Chosen so that a model which says yes to everything, and quotes what is nearest, still passes few.
"""

NEAR_FROM = 0.5
"""Share of them in the whole passage from which a support that is not proven counts in part."""

TOUCHES_FROM = 0.1
"""Share below which words do not bear on the claim at all."""

_FULL, _PARTIAL, _NONE = (0.5, 0.95), (0.1, 0.4), (0.02, 0.12)
"""Probability of the whole claim by what is left of a model's word, from no shared word to all."""

_DOUBT = 0.15
"""What each kind of disagreement takes from it."""

_CONTRADICTED = 0.02
_OPPOSITE, _OPPOSITE_UNPROVEN, _NOT_OPPOSITE = 0.9, 0.4, 0.05

_CONFIG = ValidationConfig(semantic_matching=SemanticMatching(enabled=False))
_TRUE_TO_SOURCE = (Fidelity.VERBATIM, Fidelity.NORMALISED)


@dataclass(frozen=True, slots=True)
class _Proof:
    """The sentences that a quote stands in, and the share of the claim's words that they have."""

    deciding: tuple[int, int]
    words: str
    shared: float


def judgement_of(case: Case, said: Said, point: OperatingPoint) -> Judgement:
    """The judgement on a case from what a model said of it, after the checks above."""
    proof = _proof(case, said.quote)
    if said.contradicts and said.support is SupportLevel.NONE:
        return _opposed(case, said, proof)
    believed, reason = _believed(case, said, proof)
    signs: Sequence[Conflict] = ()
    if believed is SupportLevel.FULL and proof is not None:
        signs = vetoes(case, proof.deciding)
    probability = _probability(believed, proof, signs)
    support, reason = _decided(believed, proof, signs, point) or (believed, reason)
    return Judgement(
        support=support,
        similarity=similarity_at(probability, _full_from(point), support),
        probability=probability,
        contradiction=_OPPOSITE_UNPROVEN if said.contradicts else _NOT_OPPOSITE,
        contradicts=False,
        directness=directness(case.claim, proof.words if proof else ""),
        deciding=proof.deciding if proof and support is not SupportLevel.NONE else None,
        notes=_notes(said, reason),
    )


def _believed(case: Case, said: Said, proof: _Proof | None) -> tuple[SupportLevel, str]:
    """What is left of the support that was claimed once its quote is looked up, and why."""
    if said.support is SupportLevel.NONE:
        return SupportLevel.NONE, ""
    if proof is None:
        unproven = "the quote does not stand in the passage" if said.quote else "nothing was quoted"
        near = shared_words(case.claim, passage_of(case)) >= NEAR_FROM
        return (SupportLevel.PARTIAL if near else SupportLevel.NONE), unproven
    if proof.shared < TOUCHES_FROM:
        return SupportLevel.NONE, "the quoted words do not bear on the claim"
    if said.support is SupportLevel.FULL and said.contradicts:
        return SupportLevel.PARTIAL, "the model said both yes and no"
    return said.support, ""


def _decided(
    believed: SupportLevel,
    proof: _Proof | None,
    signs: Sequence[Conflict],
    point: OperatingPoint,
) -> tuple[SupportLevel, str] | None:
    """Why full support is lowered at an operating point; None where it is not."""
    if believed is not SupportLevel.FULL or proof is None:
        return None
    if signs:
        told = f"the quoted words differ from the claim. {describe(signs)}"
        return SupportLevel.PARTIAL, told
    if proof.shared < BEARS_FROM[point]:
        return SupportLevel.PARTIAL, "the quoted words have too little in common with the claim"
    return None


def _probability(believed: SupportLevel, proof: _Proof | None, signs: Sequence[Conflict]) -> float:
    """Of the whole claim; the same at every operating point."""
    low, high = {SupportLevel.FULL: _FULL, SupportLevel.PARTIAL: _PARTIAL}.get(believed, _NONE)
    doubts = _DOUBT * len({conflict.kind for conflict in signs})
    return max(low + (high - low) * (proof.shared if proof else 0.0) - doubts, _NONE[0])


def _full_from(point: OperatingPoint) -> float:
    """The probability of words that just suffice."""
    low, high = _FULL
    return low + (high - low) * BEARS_FROM[point]


def _opposed(case: Case, said: Said, proof: _Proof | None) -> Judgement:
    """A contradiction, if its quote stands in the passage and bears on the claim."""
    proven = proof is not None and proof.shared >= TOUCHES_FROM
    return Judgement(
        support=SupportLevel.NONE,
        similarity=FULL_SUPPORT_ABOVE * (_OPPOSITE if proven else _CONTRADICTED),
        probability=_CONTRADICTED,
        contradiction=_OPPOSITE if proven else _OPPOSITE_UNPROVEN,
        contradicts=proven,
        directness=directness(case.claim, proof.words if proof else ""),
        deciding=proof.deciding if proof is not None and proven else None,
        notes=_notes(said, "" if proven else "the contradiction could not be shown in its words"),
    )


def _notes(said: Said, reason: str) -> str:
    lowered = f"Lowered: {reason.rstrip('.')}." if reason else ""
    return " ".join(part for part in (said.explanation, lowered) if part)


def _proof(case: Case, quote: str) -> _Proof | None:
    """Where a quote stands in the passage; of several places the one with most of the claim."""
    if not quote or len(quote) > MAX_QUOTE_CHARS:
        return None
    document = Document("passage", passage_of(case))
    result = Validator([document], _CONFIG).check(quote)
    if result.fidelity not in _TRUE_TO_SOURCE or result.match is None:
        return None
    spans = [match.span for match in (result.match, *result.alternatives)]
    read = [_read(case, quote, span.start, span.end) for span in spans]
    proofs = [proof for proof in read if proof is not None]
    return max(proofs, key=lambda proof: (proof.shared, -proof.deciding[0]), default=None)


def _read(case: Case, quote: str, start: int, end: int) -> _Proof | None:
    """The sentences that have words between two offsets of the passage; None where the quote has a
    word that only the end of one and the beginning of the next make together.

    In the source something else may stand between two sentences, so each must hold its own part.
    """
    touched: list[int] = []
    held: list[str] = []
    at = 0
    for index, sentence in enumerate(case.sentences):
        if at < end and start < at + len(sentence):
            part = fold(sentence[max(start - at, 0) : end - at]).split()
            held.extend(part)
            touched.extend([index] if part else [])
        at += len(sentence) + 1
    if not touched or (len(touched) > 1 and fold(quote).split() != held):
        return None
    deciding = touched[0], touched[-1] + 1
    words = " ".join(case.sentences[deciding[0] : deciding[1]])
    return _Proof(deciding, words, shared_words(case.claim, words))
