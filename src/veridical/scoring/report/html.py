"""The scorecard as one HTML page: what came out, on which words and seconds it rests.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of transcript, rubric and model as text.
"""

from __future__ import annotations

from veridical.scoring.report import wording
from veridical.scoring.report.cost import cost_of_card
from veridical.scoring.report.outline import Outline
from veridical.scoring.report.places import Quotes, lines_of
from veridical.scoring.report.sections import render_sections, warned
from veridical.scoring.report.timeline import Timeline
from veridical.scoring.report.tones import status_badge, verdict_badge
from veridical.scoring.report.transcript import render_transcript
from veridical.scoring.report.wording import VERDICT_MEANINGS
from veridical.scoring.scorecard import ReviewItem, Scorecard
from veridical.sources.transcript import Transcript
from veridical.validation.reports.markup import escape, isolated
from veridical.validation.reports.page import ReportParts, asset, page, report_style
from veridical.validation.reports.wording import count

DEFAULT_TITLE = "Scorecard"

MOST_SHOWN = 8
"""Things to look at, and warnings, before the rest of them is folded away."""


def render_html(
    card: Scorecard,
    transcript: Transcript,
    *,
    title: str | None = None,
    generated: str | None = None,
) -> str:
    """The scorecard as a self-contained HTML page.

    `transcript` is the one that was scored; quotes that do not stand in it are not linked, and the
    page says so. `generated`, a time for example, is shown as it is: without it the same scorecard
    gives the same bytes.
    """
    name = title or card.template.name.strip() or DEFAULT_TITLE
    header = _header(card, f"<h1>{isolated(name)}</h1>", generated)
    body = f"{header}<main>{_sections(card, transcript)}</main>{_HELP}"
    return page(name, body, style=_style(), script=_script())


def parts(card: Scorecard, transcript: Transcript) -> ReportParts:
    """The same apart from its page, and without its title."""
    main = f'<div class="main">{_sections(card, transcript)}</div>'
    return ReportParts(f"{_header(card, '', None)}{main}{_HELP}", _style(), _script())


def _style() -> str:
    return report_style(__package__, "score.css")


def _script() -> str:
    return asset(__package__, "score.js")


def _sections(card: Scorecard, transcript: Transcript) -> str:
    outline, lines = Outline(card), lines_of(transcript)
    quotes = Quotes(outline, transcript)
    timeline = Timeline(outline, lines, quotes)
    words = render_transcript(transcript, lines, quotes, timeline.axis, timeline.linked)
    return (
        f'{_another(card, transcript)}<div class="lead">{_result(outline)}{_review(outline)}</div>'
        '<section id="timeline" aria-labelledby="timeline-name">'
        f'<h2 class="vh" id="timeline-name">Time axis</h2></section>{timeline.render()}'
        f'<div class="panes">{render_sections(outline, quotes)}{words}</div>'
        f"{_warnings(card)}{_record(card)}"
    )


def _header(card: Scorecard, heading: str, generated: str | None) -> str:
    facts = [card.transcript.name, f"scored by {wording.scored_by(card.model_info)}"]
    facts += [stamp for stamp in (card.created_at, generated) if stamp]
    return (
        f'<header class="report-head"><div class="line">{heading}'
        '<button type="button" id="help-button" class="js-only" aria-label="keys and symbols">?'
        f'</button></div><p class="soft">{" · ".join(map(isolated, facts))}</p></header>'
    )


def _result(outline: Outline) -> str:
    """The overall score, and every section in a row."""
    overall = outline.card.overall
    score = "–" if overall.score is None else wording.share(overall.score)
    rows = "".join(
        f'<tr><th scope="row"><a href="#{part.anchor}">{part.number}. '
        f"{isolated(part.section.title)}</a></th>"
        f"<td>{wording.share(part.section.score)}</td><td>{status_badge(part.section.status)}</td>"
        f'<td><span class="narrow-only">weight </span>'
        f"{wording.weight(part.section).removeprefix('weight ')}</td></tr>"
        for part in outline.parts
    )
    table = (
        '<table><thead><tr><th scope="col">Section</th><th scope="col">Score</th>'
        f'<th scope="col">Status</th><th scope="col">Weight</th></tr></thead><tbody>{rows}</tbody>'
        "</table>"
    )
    return (
        '<section id="result" aria-labelledby="result-name">'
        '<h2 class="vh" id="result-name">What came out</h2>'
        f'<p class="overall"><strong>{score}</strong> {status_badge(overall.status)}</p>'
        f"<p>{wording.coverage(overall)} "
        f'<span class="soft">{wording.thresholds(outline.card.scoring)}</span></p>'
        f"{_incomplete(outline)}{table if rows else ''}</section>"
    )


def _incomplete(outline: Outline) -> str:
    rows = "".join(
        f'<li><a href="#{part.anchor}">{part.number}. {isolated(part.section.title)}</a>: '
        f"{isolated(part.section.failure)}</li>"
        for part in outline.parts
        if part.section.failure
    )
    return f'<ul class="warned">{rows}</ul>' if rows else ""


def _another(card: Scorecard, transcript: Transcript) -> str:
    if card.transcript.sha256 == transcript.sha256:
        return ""
    return (
        '<p class="another" role="note"><b>! The transcript on this page is not the one that was '
        "scored.</b> Quotes that do not stand in it are not linked.</p>"
    )


def _review(outline: Outline) -> str:
    """What a person should look at first, and what is warned of the whole."""
    items = [_item(outline, item) for item in outline.card.human_review.items]
    number = f" <small>{count(len(items), 'place')}</small>" if items else ""
    body = _folded(items) if items else "<p>Nothing was flagged.</p>"
    return (
        '<section id="review" aria-labelledby="review-name"><h2 id="review-name">'
        f"Look at this first{number}</h2>"
        f"{body}{warned(outline.warnings[:MOST_SHOWN])}</section>"
    )


def _item(outline: Outline, item: ReviewItem) -> str:
    found, name = outline.find(item), isolated(outline.title(item))
    link = f'<a href="#{found.anchor}">{name}</a>' if found else name
    return f"{link}: {isolated('; '.join(item.reasons))}"


def _folded(rows: list[str]) -> str:
    first, rest = _listed(rows[:MOST_SHOWN]), _listed(rows[MOST_SHOWN:])
    if not rest:
        return first
    more = f"<summary>{len(rows) - MOST_SHOWN:,} more</summary>"
    return f"{first}<details>{more}{rest}</details>"


def _listed(rows: list[str]) -> str:
    return f"<ul>{''.join(f'<li>{row}</li>' for row in rows)}</ul>" if rows else ""


def _warnings(card: Scorecard) -> str:
    """Every warning in one list: those that stand beside what they are about, and all others."""
    if not card.warnings:
        return ""
    rows = _listed([isolated(warning.message) for warning in card.warnings])
    name = f"All {count(len(card.warnings), 'warning')}"
    return f'<section id="warnings"><details><summary>{name}</summary>{rows}</details></section>'


def _record(card: Scorecard) -> str:
    template, scored = card.template, card.transcript
    rubric = f"{isolated(template.name)} ({isolated(template.id)}), version "
    facts = [
        ("Rubric", f"{rubric}{isolated(template.version)}"),
        ("SHA-256 of the rubric", f"<code>{isolated(card.rubric_sha256)}</code>"),
        ("Transcript", f"{isolated(scored.name)}. {wording.precision(scored.precision)}"),
        ("SHA-256 of its text", f"<code>{isolated(scored.sha256)}</code>"),
        ("Scored by", isolated(wording.scored_by(card.model_info))),
    ]
    if used := cost_of_card(card):
        facts.append(("Cost", used))
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    return (
        '<section id="record" aria-labelledby="record-name"><h2 id="record-name">How it was made'
        f'</h2><dl class="facts">{rows}</dl></section>'
    )


_KEYS = (
    ("j", "next criterion"),
    ("k", "previous criterion"),
    ("t", "its words in the transcript; again for the next of them"),
    ("?", "this help"),
    ("Esc", "close"),
)

_HELP = (
    '<dialog id="help" aria-label="keys and symbols"><h2>Keys</h2><dl class="keys">'
    + "".join(f"<div><dt><kbd>{escape(k)}</kbd></dt><dd>{escape(v)}</dd></div>" for k, v in _KEYS)
    + '</dl><h2>Verdicts</h2><dl class="keys">'
    + "".join(
        f"<div><dt>{verdict_badge(verdict)}</dt><dd>{meaning}</dd></div>"
        for verdict, meaning in VERDICT_MEANINGS.items()
    )
    + '</dl><button type="button" id="help-close">Close</button></dialog>'
)
