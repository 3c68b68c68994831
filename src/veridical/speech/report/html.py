"""The evaluation of a speech as one HTML page, with everything on one time axis.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of speaker and author as text. It is made from the public
copy, so that no name can be on it that was taken out.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridical.speech.report import wording
from veridical.speech.report.sections import (
    render_delivery,
    render_evaluation,
    render_history,
    render_tone,
)
from veridical.speech.report.tables import render_tables
from veridical.speech.report.timeline import Timeline
from veridical.speech.report.transcript import Transcript
from veridical.speech.results import PublicEvaluation
from veridical.validation.reports.markup import escape, isolated
from veridical.validation.reports.page import ReportParts, asset, page, report_style
from veridical.validation.reports.wording import count

DEFAULT_TITLE = "Speech evaluation"
# Warnings before the rest of them is folded away.
MOST_SHOWN = 10


def render_speech_html(
    public: PublicEvaluation, *, title: str | None = None, generated: str | None = None
) -> str:
    """The evaluation as a self-contained HTML page.

    `title` heads the page in place of the evaluation's own; `generated`, a time for example, is
    shown as it is. Without it the page holds no date: the same evaluation gives the same bytes.
    """
    name = title or public.title or DEFAULT_TITLE
    heading = f"<h1>{isolated(name)}</h1>"
    body = f"{_header(public, heading, generated)}<main>{_sections(public)}</main>{_HELP}"
    return page(name, body, style=_style(), script=_script())


def parts(public: PublicEvaluation) -> ReportParts:
    """The same apart from its page, and without its title."""
    body = f'{_header(public, "", None)}<div class="main">{_sections(public)}</div>{_HELP}'
    return ReportParts(body, _style(), _script())


def _style() -> str:
    return report_style(__package__, "speech.css")


def _script() -> str:
    return asset(__package__, "speech.js")


def _sections(public: PublicEvaluation) -> str:
    timeline = Timeline(public)
    return (
        '<section id="timeline" aria-labelledby="timeline-name">'
        f'<h2 class="vh" id="timeline-name">Time axis</h2>{timeline.render()}</section>'
        f"{_panes(public, timeline)}{render_delivery(public)}"
        f"{render_tables(public)}{render_tone(public)}{render_history(public)}"
    )


def _panes(public: PublicEvaluation, timeline: Timeline) -> str:
    """The evaluation, beside the transcript where that was published with it."""
    evaluation = render_evaluation(public, timeline.flagged, timeline.axis)
    words = Transcript(public, timeline.axis).render()
    return f'<div class="panes">{evaluation}{words}</div>' if words else evaluation


def _header(public: PublicEvaluation, heading: str, generated: str | None) -> str:
    speaker = f"Speaker: {isolated(public.speaker)} · " if public.speaker else ""
    stamp = f" · {isolated(generated)}" if generated else ""
    return (
        f'<header class="report-head"><div class="line">{heading}'
        '<button type="button" id="help-button" class="js-only" aria-label="keys and symbols">?'
        f'</button></div><p class="soft">{speaker}{isolated(wording.written_by(public))}{stamp}</p>'
        f'<p class="rate">{_items(public)} '
        f"{wording.first_try(public.history)}{_names(public)}</p>{_troubles(public)}</header>"
    )


def _items(public: PublicEvaluation) -> str:
    if not public.items:
        return "No item is left."
    return f'<a href="#evaluation">{wording.numbers(public)}</a>.'


def _names(public: PublicEvaluation) -> str:
    return f" {count(public.redactions, 'name')} replaced." if public.redactions else ""


def _troubles(public: PublicEvaluation) -> str:
    """What a reader must know before reading on."""
    troubles = [isolated(warning) for warning in public.warnings]
    if public.tone:
        sentences = count(len(public.tone), "sentence")
        troubles.insert(0, f'<a href="#tone">{sentences} against the rules of tone</a>')
    if not troubles and not public.history.best_effort:
        return ""
    name = f"<h2>{_ALERT} {count(len(troubles), 'warning')}</h2>"
    if public.history.best_effort:
        name = (
            f"<h2>{_ALERT} Best effort</h2><p>This is what was left: {wording.numbers(public)}, "
            f"where there should be {wording.wanted()}.</p>"
        )
    first, rest = _listed(troubles[:MOST_SHOWN]), _listed(troubles[MOST_SHOWN:])
    more = f"<details><summary>{len(troubles) - MOST_SHOWN:,} more</summary>{rest}</details>"
    return f'<section class="troubles" role="note">{name}{first}{more if rest else ""}</section>'


def _listed(rows: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{row}</li>' for row in rows)}</ul>" if rows else ""


_ALERT = '<i aria-hidden="true">!</i>'

_KEYS = (
    ("j", "next item"),
    ("k", "previous item"),
    ("t", "the item's flag on the time axis"),
    ("w", "its words in the transcript, where there is one"),
    ("?", "this help"),
    ("Esc", "close"),
)

_SYMBOLS = (
    ("flag", "a quoted moment: its number and type; it leads to its item"),
    ("grey steps", "pace, in words a minute"),
    ("bars", "pauses, as long as they last"),
    ("strokes", "fillers; higher where there are several"),
)

_HELP = (
    '<dialog id="help" aria-label="keys and symbols"><h2>Keys</h2><dl class="keys">'
    + "".join(f"<div><dt><kbd>{escape(k)}</kbd></dt><dd>{escape(v)}</dd></div>" for k, v in _KEYS)
    + '</dl><h2>On the time axis</h2><dl class="keys">'
    + "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in _SYMBOLS)
    + '</dl><button type="button" id="help-close">Close</button></dialog>'
)
