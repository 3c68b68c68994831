"""Sections scored by a language model: one call each, repeated where that may help."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from veridical.errors import ConfigurationError, ModelError, ModelUnavailable
from veridical.models.protocol import LanguageModel, Message, ModelReply, ModelRequest, Role
from veridical.models.replies import ReplyRejected, parse_json_reply
from veridical.scoring.answer import (
    NO_USAGE,
    CardWarning,
    SectionAnswer,
    SectionFailure,
    Usage,
    WarningCode,
    sum_told,
)
from veridical.scoring.asking.lines import lines_of
from veridical.scoring.asking.prompts import REMINDER, reply_schema, section_prompt, system_prompt
from veridical.scoring.asking.reply import Reply, Unusable, read_reply
from veridical.scoring.asking.windows import (
    LEAST_TRANSCRIPT_TOKENS,
    Excerpt,
    Windows,
    estimated_tokens,
)
from veridical.scoring.rubric import Rubric, Section
from veridical.sources.clock import clock
from veridical.sources.transcript import Transcript

logger = logging.getLogger(__name__)

DEFAULT_CONTEXT_TOKENS = 100_000
"""Less than what most models take, 128,000; about four hours of speech, as estimated here."""

FIRST_WAIT_SECONDS = 0.5
MOST_WAIT_SECONDS = 60.0
"""A server that asks for a longer wait is asked again after this one."""

_NOTES_TOKENS = 256
_JUDGEMENT_TOKENS = 210
_QUOTE_TOKENS = 110
_EVENTS_TOKENS = 80
"""What a reply has room for, as estimated here and written with indents: notes of 500 characters;
a criterion's verdict and a rationale of 300; a quote of 150; the two events of a timing."""

_MOST_REPLY_TOKENS = 8_192

_ENVELOPE_TOKENS = 64
"""What the form of a conversation costs besides its texts."""

_MOST_GAPS_NAMED = 10


@dataclass(frozen=True, slots=True)
class _Try:
    """What one attempt came to: a reply, or why there is none and what to do next time."""

    reply: Reply | None = None
    reason: str = ""
    permanent: bool = False
    remind: bool = False
    wait_seconds: float | None = None


class ModelScorer:
    """A `SectionScorer` that asks a language model for each section.

    `supplemental` is text to judge by, such as a policy; `context_tokens` bounds prompt and reply
    together. Where the transcript does not fit, each section is shown the minutes that bear on it.

    Raises ConfigurationError where the rest of a prompt leaves no room for a transcript.
    """

    def __init__(
        self,
        model: LanguageModel,
        transcript: Transcript,
        rubric: Rubric,
        *,
        supplemental: str | None = None,
        context_tokens: int = DEFAULT_CONTEXT_TOKENS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model = model
        self._windows = Windows(lines_of(transcript))
        self._system = system_prompt(rubric.llm)
        self._supplemental = supplemental
        self._context_tokens = context_tokens
        self._attempts = 1 + rubric.llm.max_retries
        self._sleep = sleep
        self._check_context(rubric.sections)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def rule_based(self) -> bool:
        """It is not."""
        return False

    def score(self, section: Section) -> SectionAnswer | SectionFailure:
        """See `SectionScorer.score`.

        The model is asked up to `1 + max_retries` times: again after a wait where it is not
        available, at once with a reminder where its reply cannot be read.
        """
        excerpt = self._windows.excerpt(section, self._room(section))
        usage = replace(NO_USAGE, estimated_prompt_tokens=self._size(section, excerpt.text))
        wait = FIRST_WAIT_SECONDS
        last, answered = _Try(), False
        for attempt in range(1, self._attempts + 1):
            if last.wait_seconds is not None:
                self._sleep(min(MOST_WAIT_SECONDS, max(wait, last.wait_seconds)))
                wait *= 2
            last, usage = self._try(section, excerpt, usage, remind=last.remind)
            if last.reply is not None:
                return self._answer(section, last.reply, excerpt, usage)
            answered |= last.remind
            logger.info("attempt %d of %d failed", attempt, self._attempts)
            if last.permanent:
                break
        tried = f" (asked {usage.calls} times)" if usage.calls > 1 else ""
        return SectionFailure(section.id, last.reason + tried, usage, last.permanent, answered)

    def _try(
        self, section: Section, excerpt: Excerpt, usage: Usage, *, remind: bool
    ) -> tuple[_Try, Usage]:
        usage = replace(usage, calls=usage.calls + 1)
        try:
            reply = self._model.complete(self._request(section, excerpt.text, remind=remind))
        except ModelUnavailable as problem:
            wait = problem.retry_after or 0.0
            return _Try(reason=str(problem), remind=remind, wait_seconds=wait), usage
        except ModelError as problem:
            return _Try(reason=str(problem), permanent=True), usage
        usage = _with(usage, reply)
        try:
            return _Try(read_reply(parse_json_reply(reply), section)), usage
        except (ReplyRejected, Unusable) as problem:
            return _Try(reason=f"no usable reply: {problem}", remind=True), usage

    def _request(self, section: Section, transcript: str, *, remind: bool) -> ModelRequest:
        user = section_prompt(section, transcript, self._supplemental, remind=remind)
        return ModelRequest(
            messages=(Message(Role.SYSTEM, self._system), Message(Role.USER, user)),
            schema=reply_schema(section),
            schema_name="section_scores",
            max_tokens=self._reply_bound(section, transcript),
        )

    def _answer(
        self, section: Section, reply: Reply, excerpt: Excerpt, usage: Usage
    ) -> SectionAnswer:
        warnings = reply.warnings
        if excerpt.lines_left_out:
            warnings = (self._shortened(section, excerpt), *warnings)
        return SectionAnswer(
            section.id,
            reply.criteria,
            notes=reply.notes,
            warnings=warnings,
            usage=usage,
            omitted=excerpt.omitted,
        )

    def _shortened(self, section: Section, excerpt: Excerpt) -> CardWarning:
        gaps = [f"{clock(gap.start)} to {clock(gap.end)}" for gap in excerpt.omitted]
        named = ", ".join(gaps[:_MOST_GAPS_NAMED])
        more = len(gaps) - _MOST_GAPS_NAMED
        return CardWarning(
            WarningCode.TRANSCRIPT_SHORTENED,
            f"the transcript does not fit into {self._context_tokens:,} tokens; the model was not "
            f"shown {excerpt.lines_left_out} of its {len(self._windows.lines)} lines"
            + (f": {named}" if named else "")
            + (f" and {more} more stretches" if more > 0 else ""),
            section.id,
        )

    def _size(self, section: Section, transcript: str) -> int:
        """About how many tokens the prompt of a section has."""
        user = section_prompt(section, transcript, self._supplemental)
        return _ENVELOPE_TOKENS + estimated_tokens(self._system) + estimated_tokens(user)

    def _check_context(self, sections: Sequence[Section]) -> None:
        """Refuse a context that is too small for any section, and name the least that is not."""
        least = min(LEAST_TRANSCRIPT_TOKENS, self._windows.tokens)
        sizes = {section.id: self._reserved(section) for section in sections}
        needed = max(sizes.values(), default=0) + least
        if self._context_tokens >= needed:
            return
        small = sum(self._context_tokens < size + least for size in sizes.values())
        largest = max(sizes, key=lambda section_id: sizes[section_id])
        parts, advice = "the rubric and the reply", ""
        if self._supplemental:
            parts, advice = "the rubric, the supplemental material and the reply", "less material, "
        raise ConfigurationError(
            f"a context of {self._context_tokens:,} tokens is too small for {small} of "
            f"{len(sizes)} sections; all of them fit into {needed:,}. The largest is {largest!r}: "
            f"{parts} take about {sizes[largest]:,}, and the transcript needs {least:,} at least. "
            f"Use a model with a larger context, {advice}or sections with fewer criteria"
        )

    def _room(self, section: Section) -> int:
        """About how many tokens of transcript the context has room for."""
        return self._context_tokens - self._reserved(section)

    def _reply_bound(self, section: Section, transcript: str) -> int:
        """How many tokens a reply may have: what is kept for it, and as much again if that is free.

        Models that think before they answer have it counted as a part of the reply.
        """
        kept = _reply_tokens(section)
        free = self._room(section) - estimated_tokens(transcript)
        return min(_MOST_REPLY_TOKENS, kept + max(0, min(kept, free)))

    def _reserved(self, section: Section) -> int:
        """About how many tokens all but the transcript takes: the rest of the prompt, the reply."""
        # A server that cannot hold a model to the schema has it shown to it.
        shown_schema = estimated_tokens(str(reply_schema(section)))
        rest = self._size(section, "") + shown_schema + estimated_tokens(REMINDER)
        return rest + _reply_tokens(section)


def _reply_tokens(section: Section) -> int:
    """What is kept for a reply: room for a quote more than each criterion needs."""
    needed = _NOTES_TOKENS
    for criterion in section.criteria:
        quotes = 1 + max(1, criterion.evidence.min_evidence)
        needed += _JUDGEMENT_TOKENS + _QUOTE_TOKENS * quotes
        needed += _EVENTS_TOKENS if criterion.timing is not None else 0
    return min(_MOST_REPLY_TOKENS, needed)


def _with(usage: Usage, reply: ModelReply) -> Usage:
    return replace(
        usage,
        prompt_tokens=sum_told((usage.prompt_tokens, reply.prompt_tokens)),
        reply_tokens=sum_told((usage.reply_tokens, reply.reply_tokens)),
    )
