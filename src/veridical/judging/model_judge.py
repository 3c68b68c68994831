"""A judge that is a language model: what it says counts as far as its quotes bear it out."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

from veridical.errors import ConfigurationError, ModelError, ModelUnavailable
from veridical.judging import prompts
from veridical.judging.bearing import directness, shared_words, similarity_at
from veridical.judging.judge import Case, JudgeFailure, Judgement, OperatingPoint, SupportLevel
from veridical.judging.prompts import passage_of
from veridical.judging.schemas import load_schema
from veridical.judging.verdict import FULL_SUPPORT_ABOVE
from veridical.judging.veto import Conflict, describe, vetoes
from veridical.models.protocol import LanguageModel, Message, ModelRequest, Role
from veridical.models.replies import ReplyRejected, parse_json_reply
from veridical.sources.document import Document
from veridical.text.normalize import fold
from veridical.validation.claims import MAX_QUOTE_CHARS
from veridical.validation.config import SemanticMatching, ValidationConfig
from veridical.validation.results import Fidelity
from veridical.validation.schema_errors import first_errors
from veridical.validation.validator import Validator

# What a language model said of some passages, once its reply has been checked for form.


MAX_EXPLANATION_CHARS = 600
_NOT_FOR_SERVERS = ("$schema", "title")


class Unusable(Exception):
    """A reply that has the wrong form. The message holds none of its text."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said of one passage. None of it is verified."""

    quote: str
    explanation: str
    support: SupportLevel
    contradicts: bool


def reply_schema() -> dict[str, Any]:
    """The schema that a model is asked to keep to."""
    schema = load_schema("model_judgements")
    return {key: value for key, value in schema.items() if key not in _NOT_FOR_SERVERS}


def parse_reply(data: object, passages: int) -> dict[int, Said]:
    """What was said of each passage, by its number from 1; a passage may be missing.

    Raises Unusable where the reply does not fit its schema, names a passage that was not shown, or
    speaks twice of one.
    """
    problems = first_errors(load_schema("model_judgements"), data)
    if problems or not isinstance(data, Mapping):
        places = ", ".join(dict.fromkeys(f"{p.path} ({p.constraint})" for p in problems))
        raise Unusable(f"it does not fit its schema at {places}")
    said: dict[int, Said] = {}
    for entry in data["judgements"]:
        number = int(entry["passage"])
        if not 1 <= number <= passages:
            raise Unusable("it judges a passage that was not shown")
        if number in said:
            raise Unusable("it judges one passage twice")
        said[number] = _said(entry)
    return said


def _said(entry: Mapping[str, Any]) -> Said:
    explanation = " ".join(entry["explanation"].split())
    if len(explanation) > MAX_EXPLANATION_CHARS:
        explanation = explanation[: MAX_EXPLANATION_CHARS - 1].rstrip() + "\u2026"
    support = SupportLevel(entry["support"])
    return Said(entry["quote"].strip(), explanation, support, entry["contradicts"])


# What a model's word is worth: the checks between what it said and what is judged.


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


logger = logging.getLogger(__name__)

MAX_CLAIM_CHARS = 4_000
MAX_PASSAGE_CHARS = 24_000
"""Characters of one passage, and of all passages of one call, that a model is shown."""

GIVE_UP_AFTER = 4
"""Calls that fail one after the other before the others are not made any more."""

_ATTEMPTS = 2
_TOKENS_A_REPLY, _TOKENS_A_PASSAGE = 256, 512
_MOST_CONCURRENT, _MOST_PASSAGES = 32, 16

_Outcome: TypeAlias = Judgement | JudgeFailure


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """Asks a language model about passages of one claim, several in a call, and checks its replies.

    A model is never believed by itself: see `veridical.judging.model_judge`. Its probabilities
    are steps set by hand; `veridical ledger calibrate` fits them to labelled rows. `concurrency`
    bounds the calls under way at once and `passages_per_call` the passages in one of them.

    Raises ConfigurationError for bounds out of range.
    """

    model: LanguageModel
    point: OperatingPoint = OperatingPoint.STRICT
    concurrency: int = 4
    passages_per_call: int = 6

    def __post_init__(self) -> None:
        if not 1 <= self.concurrency <= _MOST_CONCURRENT:
            raise ConfigurationError(f"concurrency must lie between 1 and {_MOST_CONCURRENT}")
        if not 1 <= self.passages_per_call <= _MOST_PASSAGES:
            raise ConfigurationError(f"passages_per_call must lie between 1 and {_MOST_PASSAGES}")

    @property
    def name(self) -> str:
        """`model:` and the model's name."""
        return f"model:{self.model.name}"

    def judge(self, cases: Sequence[Case]) -> list[_Outcome]:
        """See `Judge.judge`.

        A case fails where the model does not answer, or not usably even after one reminder. Raises
        ModelError where no call succeeded and asking again would not help: a wrong key, an unknown
        model.
        """
        outcomes: list[_Outcome] = [JudgeFailure(_unfit(case)) for case in cases]
        calls = list(self._calls(cases))
        log: list[ModelError | None] = []
        with ThreadPoolExecutor(min(self.concurrency, max(1, len(calls)))) as pool:
            done = pool.map(lambda call: self._ask([cases[i] for i in call], log), calls)
            for call, judged in zip(calls, done, strict=True):
                for index, outcome in zip(call, judged, strict=True):
                    outcomes[index] = outcome
        cause = _cause(log)
        if cause is not None and None not in log and not isinstance(cause, ModelUnavailable):
            raise cause
        return outcomes

    def _calls(self, cases: Sequence[Case]) -> Iterator[list[int]]:
        """Which cases to ask about together: those of one claim, while they fit."""
        of_claim: dict[tuple[str, str], list[int]] = {}
        for index, case in enumerate(cases):
            if not _unfit(case):
                of_claim.setdefault((case.claim, case.context), []).append(index)
        for indexes in of_claim.values():
            call: list[int] = []
            chars = 0
            for index in indexes:
                size = len(prompts.passage_of(cases[index]))
                if call and (
                    len(call) == self.passages_per_call or chars + size > MAX_PASSAGE_CHARS
                ):
                    yield call
                    call, chars = [], 0
                call.append(index)
                chars += size
            yield call

    def _ask(self, cases: Sequence[Case], log: list[ModelError | None]) -> list[_Outcome]:
        """Judgements on cases of one claim. `log` has the error of each call that is done, None
        where it succeeded; after too many failures in a row the model is not asked any more.
        """
        said: dict[int, Said] = {}
        if len(log) >= GIVE_UP_AFTER and None not in log[-GIVE_UP_AFTER:]:
            reason = f"not asked, as {GIVE_UP_AFTER} calls in a row had failed: {_cause(log)}"
        else:
            try:
                said, reason = self._said(cases)
                log.append(None)
            except ModelError as error:
                reason = str(error)
                log.append(error)
        return [
            judgement_of(case, said[number], self.point) if number in said else JudgeFailure(reason)
            for number, case in enumerate(cases, 1)
        ]

    def _said(self, cases: Sequence[Case]) -> tuple[dict[int, Said], str]:
        """What the model says of each passage, by number, and why some may be missing."""
        asked = prompts.judging_prompt(cases)
        user, problem = asked, ""
        said: dict[int, Said] = {}
        for _ in range(_ATTEMPTS):
            try:
                said = self._reply(user, len(cases))
            except (ReplyRejected, Unusable) as rejected:
                problem = str(rejected)
            else:
                if len(said) == len(cases):
                    return said, ""
                problem = "it leaves out a passage"
            logger.info("a judge's reply could not be used: %s", problem)
            user = f"{asked}\n\n{prompts.reminder(problem)}"
        return said, f"the model's reply could not be used: {problem}"

    def _reply(self, user: str, passages: int) -> dict[int, Said]:
        request = ModelRequest(
            messages=(
                Message(Role.SYSTEM, prompts.SYSTEM_PROMPT),
                Message(Role.USER, user),
            ),
            schema=reply_schema(),
            schema_name="judgements",
            max_tokens=_TOKENS_A_REPLY + _TOKENS_A_PASSAGE * passages,
        )
        return parse_reply(parse_json_reply(self.model.complete(request)), passages)


def _cause(log: Sequence[ModelError | None]) -> ModelError | None:
    """Of the calls that failed, the first that asking later would not mend, else the last one."""
    errors = [error for error in log if error is not None]
    lasting = [error for error in errors if not isinstance(error, ModelUnavailable)]
    return next(iter(lasting or errors[-1:]), None)


def _unfit(case: Case) -> str:
    """Why a model is not asked about a case; empty if it is."""
    if not case.claim.strip() or not prompts.passage_of(case).strip():
        return "the claim or the passage is empty"
    if len(case.claim) > MAX_CLAIM_CHARS:
        return f"the claim is longer than {MAX_CLAIM_CHARS:,} characters"
    if len(prompts.passage_of(case)) > MAX_PASSAGE_CHARS:
        return f"the passage is longer than {MAX_PASSAGE_CHARS:,} characters"
    return ""
