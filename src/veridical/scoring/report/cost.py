"""What scoring cost, in words: calls and tokens, those that are only estimated marked as such."""

from __future__ import annotations

from collections.abc import Iterable

from veridical.scoring.answer import Usage, sum_told
from veridical.scoring.scorecard import Scorecard, SectionScore
from veridical.validation.reports.wording import count


def cost_of_section(section: SectionScore) -> str:
    """`2 calls, 2,410 prompt tokens, 300 reply tokens`; empty where nothing was asked."""
    return _told([section.usage])


def cost_of_card(card: Scorecard) -> str:
    """The same of all sections together."""
    return _told([section.usage for section in card.sections])


def _told(usages: Iterable[Usage]) -> str:
    asked = [usage for usage in usages if usage.calls]
    if not asked:
        return ""
    parts = [count(sum(usage.calls for usage in asked), "call")]
    if (prompts := sum_told(map(_prompt_tokens, asked))) is not None:
        guessed = any(usage.prompt_tokens is None for usage in asked)
        told = count(prompts, "prompt token")
        parts.append(f"about {told} (estimated)" if guessed else told)
    if (replies := sum_told(usage.reply_tokens for usage in asked)) is not None:
        parts.append(count(replies, "reply token"))
    return ", ".join(parts)


def _prompt_tokens(usage: Usage) -> int | None:
    """Those that the server told, else our estimate of a call for each of the calls."""
    if usage.prompt_tokens is not None or usage.estimated_prompt_tokens is None:
        return usage.prompt_tokens
    return usage.calls * usage.estimated_prompt_tokens
