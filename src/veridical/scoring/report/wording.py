"""What a scorecard says in words. The same words stand on the terminal, in Markdown and the page.

Nothing is escaped here: every form does that in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import NamedTuple

from veridical.reports.axis import known
from veridical.reports.words import confidence_word, count, percent
from veridical.scoring.report.outline import Entry, Outline
from veridical.scoring.rubric import CriterionType, ScoringRules
from veridical.scoring.ruling import score_after, standing
from veridical.scoring.scorecard import (
    CheckedEvent,
    CheckedEvidence,
    CriterionReview,
    CriterionScore,
    CriterionVerdict,
    EvidenceFidelity,
    ModelInfo,
    Overall,
    Scorecard,
    SectionScore,
    Status,
    TimingResult,
    Usage,
    WarningCode,
    sum_told,
)
from veridical.scoring.trend import Direction, Half
from veridical.sources.transcript import clock

# What scoring cost, in words: calls and tokens, those that are only estimated marked as such.


def cost(sections: Iterable[SectionScore]) -> str:
    """`2 calls, 2,410 prompt tokens, 300 reply tokens`; empty where nothing was asked."""
    asked = [section.usage for section in sections if section.usage.calls]
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


# How verdicts and statuses look on the page: sign, word and colour, always together.


class Shown(NamedTuple):
    """The class of its colour, its sign and its word."""

    tone: str
    sign: str
    word: str


VERDICTS = {
    CriterionVerdict.MET: Shown("ok", "✓", "Met"),
    CriterionVerdict.PARTIAL: Shown("low", "~", "Partial"),
    CriterionVerdict.MISSED: Shown("fail", "✕", "Missed"),
    CriterionVerdict.NOT_OBSERVED: Shown("none", "○", "Not observed"),
    CriterionVerdict.NOT_APPLICABLE: Shown("none", "–", "Not applicable"),
}
VERDICT_MEANINGS = {
    CriterionVerdict.MET: "the transcript shows it",
    CriterionVerdict.PARTIAL: "the transcript shows a part of it",
    CriterionVerdict.MISSED: "the transcript shows that it was not done, or too late",
    CriterionVerdict.NOT_OBSERVED: "the transcript does not show enough to tell",
    CriterionVerdict.NOT_APPLICABLE: "it did not come up",
}
STATUSES = {
    Status.PASS: Shown("ok", "✓", "Pass"),
    Status.NEEDS_IMPROVEMENT: Shown("low", "~", "Needs improvement"),
    Status.FAIL: Shown("fail", "✕", "Fail"),
    Status.INCOMPLETE: Shown("none", "…", "Incomplete"),
    Status.NOT_APPLICABLE: Shown("none", "–", "Not applicable"),
}


DIRECTIONS = {
    Direction.DECLINES: "Declines",
    Direction.SAME: "The same",
    Direction.IMPROVES: "Improves",
    Direction.TOO_FEW: "Scored too seldom",
}
"""The ways of a trend, those to look at first in front."""


def half(part: Half) -> str:
    """How often a criterion was met in a half of the cards: `1 of 3`."""
    return f"{part.met:,} of {part.scored:,}"


NO_SPEAKER = "speaker unknown"

CLOSE_CALL = "Too close to a limit to be sure: the times are not known closely enough."

_TOLD_ELSEWHERE = frozenset(
    {
        WarningCode.EVIDENCE_NOT_VERIFIED,
        WarningCode.EVIDENCE_CORRECTED,
        WarningCode.EVENT_NOT_VERIFIED,
        WarningCode.TIMING_NOT_COMPUTED,
        WarningCode.TIMING_CLOSE_CALL,
        WarningCode.VERDICT_OVERRULED,
        WarningCode.REQUIRED_NOT_OBSERVED,
    }
)
"""Warnings that a criterion's own evidence, events, timing and verdict tell where they stand."""

_PRECISIONS = {
    "word": "Times are known to the word.",
    "segment": "Times are known to the segment.",
    "none": "The transcript has no times.",
}


def verdict(value: CriterionVerdict) -> str:
    """`✓ Met`."""
    return f"{VERDICTS[value].sign} {VERDICTS[value].word}"


def status(value: Status) -> str:
    """`✓ Pass`."""
    return f"{STATUSES[value].sign} {STATUSES[value].word}"


def share(value: float | None) -> str:
    """A share from 0 to 1 in whole percent, rounded down; `not scored` where there is none."""
    return "not scored" if value is None or not isfinite(value) else f"{percent(value)} %"


def weight(section: SectionScore) -> str:
    """How much of the whole a section is."""
    return f"weight {number(100 * section.weight)} %"


def number(value: float) -> str:
    """A number as short as it can be: `2`, `2.5`."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) < 1e9 else f"{value:g}"


def seconds(value: float) -> str:
    """A length of time in seconds, to a tenth: `132`, `132.5`."""
    return f"{value:,.1f}".removesuffix(".0")


def scored(score: CriterionScore) -> str:
    """What a criterion scored, on its own scale where that is not yes or no."""
    if score.counted_as_missed:
        return "counts as 0: it is required, and was not observed"
    if score.normalized is None:
        return "does not count"
    value, option = score.review.score, score.review.option
    if value is None or score.type in (CriterionType.BOOLEAN, CriterionType.TIMING):
        return share(score.normalized)
    least, most = map(number, score.scale)
    named = f"“{option}”, " if option else ""
    return f"{named}{number(value)} on a scale from {least} to {most}"


def confidence(score: CriterionScore) -> str:
    """How sure the scorer is; empty where it does not say."""
    value = score.review.confidence
    if value is None or not isfinite(value):
        return ""
    return f"confidence {percent(value)} %, {confidence_word(value)}"


def counts_for(score: CriterionScore) -> str:
    """How sure the scorer is, and how much a criterion counts."""
    facts = (confidence(score), f"weight {number(score.weight)}", "required" * score.required)
    return " · ".join(filter(None, facts))


def overruled(score: CriterionScore) -> str:
    """What the scorer said, where that is not what stands; empty where it is."""
    if not score.overruled:
        return ""
    given = score.review.given_verdict
    why = "the verified times say otherwise"
    if score.timing is None or score.timing.seconds is None:
        why = "its evidence does not carry that"
    return f"The scorer said “{VERDICTS[given].word.lower()}”; {why}."


def rulings(card: Scorecard, review: CriterionReview) -> Iterator[str]:
    """What reviewers said of a criterion, in order: `Overruled by Ana, 2026-01-03: ✓ Met. Why`."""
    for each in card.rulings:
        if each.criterion_id == review.criterion_id:
            who = f"{each.reviewer or 'a reviewer'}, {each.at[:10]}"
            if each.verdict is None:
                yield f"Ruling taken back by {who}. {each.reason}".rstrip()
            else:
                yield f"Overruled by {who}: {verdict(each.verdict)}. {each.reason}"


def after_review(card: Scorecard) -> str:
    """The score with the rulings that stand; empty where none does."""
    ruled = len(standing(card))
    if not ruled:
        return ""
    return f"After review: {share(score_after(card))}, {count(ruled, 'verdict')} overruled."


def timing(result: TimingResult) -> str:
    """`132 s of 120 s (max 240)`; why not, where it could not be computed."""
    if result.seconds is None:
        return f"not timed: {result.reason or 'an event is missing'}"
    target, most = result.target.target_seconds, result.target.max_seconds
    parts = [f"{seconds(result.seconds)} s"]
    if target is not None:
        parts.append(f"of {seconds(target)} s")
    if most is not None:
        parts.append(f"(max {seconds(most)})")
    return " ".join(parts)


def time(score: CriterionScore) -> str:
    """How long a criterion took, else when the words were said that it rests on; empty for none."""
    if score.timing is not None:
        return timing(score.timing)
    first = next((each for each in score.review.evidence if each.verified), None)
    return at(first.start) if first else ""


def timed_from(result: TimingResult) -> str:
    """From which event to which the clock ran, and when."""
    start, end = result.target.start_event, result.target.end_event
    return f"{start} ({at(result.started_at)}) to {end} ({at(result.ended_at)})"


def at(moment: float | None) -> str:
    """`m:ss`; `no time` where it is not known."""
    good = known(moment)
    return "no time" if good is None else clock(good)


def said(evidence: CheckedEvidence) -> str:
    """When and by whom verified words were said: `1:30, ENG25`."""
    return f"{at(evidence.start)}, {evidence.speaker or NO_SPEAKER}"


def claimed(evidence: CheckedEvidence) -> str:
    """When and by whom words are claimed to be said; empty where nothing is claimed."""
    parts = [clock(good)] if (good := known(evidence.claimed_start)) is not None else []
    parts += [evidence.claimed_speaker] if evidence.claimed_speaker else []
    return f"claimed for {', '.join(parts)}" if parts else ""


def words(evidence: CheckedEvidence) -> str:
    """The words to show: those of the transcript where they were found."""
    return evidence.matched_text or evidence.quote


def cited_otherwise(evidence: CheckedEvidence) -> bool:
    """Whether other words were cited than those that stand there: not only other signs or case."""
    return evidence.verified and _bare(evidence.quote) != _bare(words(evidence))


def _bare(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def evidence_mark(evidence: CheckedEvidence) -> str:
    """`✓ verified, word for word`, or that it is not."""
    if not evidence.verified:
        return "✕ not verified"
    paraphrased = evidence.fidelity is EvidenceFidelity.PARAPHRASE
    return f"✓ verified, {'in other words' if paraphrased else 'word for word'}"


def event(found: CheckedEvent) -> str:
    """An event, its second, and whether words show it."""
    if found.verified:
        return f"{found.name} at {at(found.at)}"
    why = f": {found.reason}" if found.reason else ""
    return f"{found.name}, claimed for {at(found.claimed_at)}, not verified{why}"


def coverage(overall: Overall) -> str:
    """How much of the rubric was scored at all."""
    if overall.score is None:
        applies = overall.status is not Status.NOT_APPLICABLE
        return "Nothing could be scored." if applies else "Nothing of the rubric applies."
    if overall.scored_weight < 1:
        return f"Only {share(overall.scored_weight)} of the weight was scored."
    return "All of the weight was scored."


def outcome(overall: Overall) -> str:
    """`82 %, ✓ Pass`; the status alone where there is no score."""
    score = "" if overall.score is None else f"{share(overall.score)}, "
    return f"{score}{status(overall.status)}"


def unverified(evidence: CheckedEvidence) -> str:
    """Why words are not believed, and for what they are claimed; empty where nothing is known."""
    return "; ".join(filter(None, (evidence.reason, claimed(evidence))))


def timed(score: CriterionScore, outline: Outline) -> Iterator[tuple[str, Entry, CheckedEvidence]]:
    """What the clock of a criterion was started and stopped by: the words, and who cites them."""
    timing = score.timing
    if timing is None:
        return
    for word, name, source in (
        ("Started by", timing.target.start_event, timing.start_source),
        ("Stopped by", timing.target.end_event, timing.end_source),
    ):
        if (found := outline.source(source)) is not None:
            yield f"{word} {name}", *found


def own_warnings(entry: Entry) -> list[str]:
    """The warnings of a criterion that it does not tell where its evidence and time stand."""
    return [each.message for each in entry.warnings if each.code not in _TOLD_ELSEWHERE]


def told_first(outline: Outline) -> list[str]:
    """What is warned of the whole that a reader must know before the first score."""
    found = (each for each in outline.warnings if each.code is WarningCode.SPEAKER_UNKNOWN)
    return [each.message[:1].upper() + each.message[1:] + "." for each in found]


def thresholds(rules: ScoringRules) -> str:
    """From which scores a section passes or only needs improvement."""
    return (
        f"Pass from {number(100 * rules.pass_threshold)} %, needs improvement from "
        f"{number(100 * rules.needs_improvement_threshold)} %."
    )


def scored_by(model: ModelInfo) -> str:
    """Who scored."""
    return f"{model.scorer}, by fixed rules, no model" if model.rule_based else model.scorer


def precision(value: str) -> str:
    """How closely the times of a transcript are known."""
    return _PRECISIONS.get(value, "")


def facts_of_section(section: SectionScore) -> Iterator[str]:
    """Why a section is incomplete, what was left out, what the scorer noted, and what it cost."""
    if section.failure:
        yield f"Incomplete: {section.failure}"
    if section.omitted:
        spans = ", ".join(f"{at(each.start)}–{at(each.end)}" for each in section.omitted)
        yield f"The scorer was not shown {spans}."
    if section.notes.strip():
        yield section.notes
    if cost_of_section := cost([section]):
        yield f"Cost: {cost_of_section}"
