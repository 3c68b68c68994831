"""The sections of the page: each criterion with its verdict, why, and the words it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from veridical.scoring.answer import CardWarning
from veridical.scoring.report import wording
from veridical.scoring.report.outline import Entry, Outline, Part
from veridical.scoring.report.places import Quotes
from veridical.scoring.report.tones import VERDICT_TONES, status_badge, verdict_badge
from veridical.scoring.scorecard import CheckedEvent, CheckedEvidence, TimingResult
from veridical.validation.reports.markup import escape, isolated
from veridical.validation.reports.wording import first_words


def render_sections(outline: Outline, quotes: Quotes) -> str:
    """All sections in the order of the rubric."""
    rows = "".join(_section(part, outline, quotes) for part in outline.parts)
    return f'<div id="sections">{rows or _NOTHING}</div>'


_NOTHING = '<p class="nothing">The rubric has no sections.</p>'


def warned(warnings: Iterable[CardWarning]) -> str:
    """Warnings where they belong."""
    rows = "".join(f"<li>{isolated(warning.message)}</li>" for warning in warnings)
    return f'<ul class="warned">{rows}</ul>' if rows else ""


def _section(part: Part, outline: Outline, quotes: Quotes) -> str:
    section = part.section
    facts = "".join(
        f'<p class="note">{isolated(fact)}</p>' for fact in wording.facts_of_section(section)
    )
    rows = "".join(_criterion(entry, outline, quotes) for entry in part.entries)
    criteria = f'<ol class="criteria">{rows}</ol>' if rows else ""
    return (
        f'<section class="section" id="{part.anchor}" aria-labelledby="name-{part.number}">'
        f'<h2 id="name-{part.number}">{part.number}. {isolated(section.title)}</h2>'
        f'<p class="result">{status_badge(section.status)} '
        f"<span>{wording.share(section.score)}</span> "
        f'<span class="soft">{wording.weight(section)}</span></p>{facts}{warned(part.warnings)}'
        f"{criteria}</section>"
    )


def _criterion(entry: Entry, outline: Outline, quotes: Quotes) -> str:
    score = entry.score
    review = score.review
    soft = [wording.confidence(score), f"weight {wording.number(score.weight)}"]
    soft += ["required"] * score.required
    why = review.rationale.strip()
    overruled = wording.overruled(score)
    parts = (
        f'<p class="note">{overruled}</p>' if overruled else "",
        f'<p class="why">{isolated(why)}</p>' if why else "",
        _timing(entry, score.timing, outline, quotes) if score.timing else "",
        _evidence(review.evidence, quotes),
        _events(review.events, review.evidence, quotes),
        warned(w for w in entry.warnings if w.code not in wording.TOLD_ELSEWHERE),
    )
    return (
        f'<li class="criterion {VERDICT_TONES[review.verdict]}" id="{entry.anchor}" tabindex="-1">'
        f'<h3><span class="number">{entry.number}</span> {isolated(score.title)}</h3>'
        f'<p class="result">{verdict_badge(review.verdict)} '
        f"<span>{isolated(wording.scored(score))}</span> "
        f'<span class="soft">{" · ".join(filter(None, soft))}</span></p>{"".join(parts)}</li>'
    )


def _timing(entry: Entry, timing: TimingResult, outline: Outline, quotes: Quotes) -> str:
    told = f"<b>{isolated(wording.timing(timing))}</b>"
    if timing.seconds is not None:
        told += f' <span class="soft">{isolated(wording.timed_from(timing))}</span>'
    close = f'<p class="note">{wording.CLOSE_CALL}</p>' if timing.close_call else ""
    rests_on = "".join(
        _rests_on(end, found, entry, quotes)
        for end, source in wording.ends(timing)
        if (found := outline.source(source)) is not None
    )
    return f'<p class="timed">{told}</p>{rests_on}{close}'


def _rests_on(end: str, found: tuple[Entry, CheckedEvidence], own: Entry, quotes: Quotes) -> str:
    """The words that a clock was started or stopped by, with links to them and who cites them."""
    cited_for, evidence = found
    words = isolated(first_words(wording.words(evidence)))
    anchor = quotes.anchor(evidence)
    if anchor is not None:
        words = f'<a href="#{anchor}">{words}</a>'
    elsewhere = ""
    if cited_for.anchor != own.anchor:
        title = isolated(cited_for.score.title)
        elsewhere = f', cited for <a href="#{cited_for.anchor}">{cited_for.number} {title}</a>'
    return f'<p class="cite">{end}: “{words}” {isolated(wording.said(evidence))}{elsewhere}</p>'


def _evidence(evidence: Iterable[CheckedEvidence], quotes: Quotes) -> str:
    rows = "".join(f"<li>{''.join(_quote(each, quotes))}</li>" for each in evidence)
    return f'<ul class="evidence">{rows}</ul>' if rows else ""


def _quote(evidence: CheckedEvidence, quotes: Quotes) -> Iterator[str]:
    mark = f'<span class="check">{wording.evidence_mark(evidence)}</span>'
    if not evidence.verified:
        told = "; ".join(filter(None, (evidence.reason, wording.claimed(evidence))))
        yield f'<blockquote class="struck"><del>{isolated(evidence.quote)}</del></blockquote>'
        yield f'<p class="cite">{mark}{f": {isolated(told)}" if told else ""}</p>'
        return
    words, where = isolated(wording.words(evidence)), isolated(wording.said(evidence))
    anchor = quotes.anchor(evidence)
    if anchor is not None:
        words = f'<a class="quote" href="#{anchor}">{words}</a>'
    yield f"<blockquote>{words}</blockquote>"
    lost = "" if anchor else " · not in the transcript shown here"
    yield f'<p class="cite">{where} · {mark}{lost}</p>'
    if evidence.corrected and evidence.reason:
        yield f'<p class="cite">Corrected: {isolated(evidence.reason)}</p>'
    if wording.cited_otherwise(evidence):
        yield f'<p class="cite">Cited as “{isolated(evidence.quote)}”</p>'


def _events(
    events: Iterable[CheckedEvent], evidence: tuple[CheckedEvidence, ...], quotes: Quotes
) -> str:
    rows = []
    for event in events:
        shown = isolated(wording.event(event))
        shows = event.evidence
        if event.verified and shows is not None and 0 <= shows < len(evidence):
            anchor = quotes.anchor(evidence[shows])
            shown = f'<a href="#{escape(anchor)}">{shown}</a>' if anchor else shown
        sign = "⚑" if event.verified else "✕"
        rows.append(f'<li><i aria-hidden="true">{sign}</i> {shown}</li>')
    return f'<ul class="observed">{"".join(rows)}</ul>' if rows else ""
