"""A judge that is a language model: what it says counts as far as its quotes bear it out."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeAlias

from veridical.errors import ConfigurationError, ModelError, ModelUnavailable
from veridical.judging import prompts
from veridical.judging.judge import Case, JudgeFailure, Judgement, OperatingPoint
from veridical.judging.model_reply import Said, Unusable, parse_reply, reply_schema
from veridical.judging.model_verdict import judgement_of
from veridical.models.protocol import LanguageModel, Message, ModelRequest, Role
from veridical.models.replies import ReplyRejected, parse_json_reply

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

    A model is never believed by itself: see `veridical.judging.model_verdict`. Its probabilities
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
        line = _Line()
        with ThreadPoolExecutor(min(self.concurrency, max(1, len(calls)))) as pool:
            done = pool.map(lambda call: self._ask([cases[i] for i in call], line), calls)
            for call, judged in zip(calls, done, strict=True):
                for index, outcome in zip(call, judged, strict=True):
                    outcomes[index] = outcome
        line.raise_if_useless()
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

    def _ask(self, cases: Sequence[Case], line: _Line) -> list[_Outcome]:
        """Judgements on cases of one claim."""
        reason = line.broken()
        said: dict[int, Said] = {}
        if not reason:
            try:
                said, reason = self._said(cases)
                line.succeeded()
            except ModelError as error:
                reason = line.failed(error)
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


@dataclass(slots=True)
class _Line:
    """The line to a model within one `judge`: after too many failures in a row it is not used."""

    _lock: Lock = field(default_factory=Lock)
    _in_a_row: int = 0
    _successes: int = 0
    _first: ModelError | None = None

    def broken(self) -> str:
        """Why not to ask any more; empty while the line holds."""
        with self._lock:
            if self._in_a_row < GIVE_UP_AFTER:
                return ""
            return f"not asked, as {GIVE_UP_AFTER} calls in a row had failed: {self._first}"

    def succeeded(self) -> None:
        """A reply came."""
        with self._lock:
            self._successes += 1
            self._in_a_row = 0

    def failed(self, error: ModelError) -> str:
        """No reply came. Returns the reason in words."""
        with self._lock:
            self._in_a_row += 1
            if self._first is None or isinstance(self._first, ModelUnavailable):
                self._first = error
        return str(error)

    def raise_if_useless(self) -> None:
        """Raises the model's error where no call succeeded and asking later would not help."""
        error = self._first
        if error is not None and not self._successes and not isinstance(error, ModelUnavailable):
            raise error


def _unfit(case: Case) -> str:
    """Why a model is not asked about a case; empty if it is."""
    if not case.claim.strip() or not prompts.passage_of(case).strip():
        return "the claim or the passage is empty"
    if len(case.claim) > MAX_CLAIM_CHARS:
        return f"the claim is longer than {MAX_CLAIM_CHARS:,} characters"
    if len(prompts.passage_of(case)) > MAX_PASSAGE_CHARS:
        return f"the passage is longer than {MAX_PASSAGE_CHARS:,} characters"
    return ""
