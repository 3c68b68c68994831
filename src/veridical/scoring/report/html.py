"""The scorecard as one HTML page: what came out, on which words and seconds it rests.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of transcript, rubric and model as text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from veridical.scoring.report import wording
from veridical.scoring.report.outline import (
    Entry,
    Line,
    Outline,
    Part,
    QuotePlace,
    Quotes,
    lines_of,
)
from veridical.scoring.report.timeline import Timeline
from veridical.scoring.report.wording import (
    VERDICT_MEANINGS,
    VERDICTS,
    status_badge,
    verdict_badge,
)
from veridical.scoring.scorecard import (
    CheckedEvent,
    CheckedEvidence,
    Scorecard,
    TimingResult,
)
from veridical.sources.transcript import Transcript
from veridical.validation.reports.markup import escape, isolated, label, visible
from veridical.validation.reports.page import ReportParts, asset, page, report_style
from veridical.validation.reports.time_axis import Axis, known
from veridical.validation.reports.wording import count, first_words

# The sections of the page: each criterion with its verdict, why, and the words it rests on.


_NOTHING = '<p class="nothing">The rubric has no sections.</p>'


def _list(tag: str, kind: str, rows: Iterable[str]) -> str:
    """A list of a class; nothing where there are no rows."""
    inner = "".join(f"<li>{row}</li>" for row in rows)
    return f'<{tag} class="{kind}">{inner}</{tag}>' if inner else ""


def _warned(messages: Iterable[str]) -> str:
    """Warnings where they belong."""
    return _list("ul", "warned", map(isolated, messages))


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
        f'<span class="soft">{wording.weight(section)}</span></p>{facts}'
        f"{_warned(w.message for w in part.warnings)}{criteria}</section>"
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
        _list("ul", "evidence", ("".join(_quote(each, quotes)) for each in review.evidence)),
        _events(review.events, review.evidence, quotes),
        _warned(wording.own_warnings(entry)),
    )
    return (
        f'<li class="criterion {VERDICTS[review.verdict].tone}" id="{entry.anchor}" tabindex="-1">'
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
        _rests_on(*each, entry, quotes) for each in wording.timed(entry.score, outline)
    )
    return f'<p class="timed">{told}</p>{rests_on}{close}'


def _rests_on(
    end: str, cited_for: Entry, evidence: CheckedEvidence, own: Entry, quotes: Quotes
) -> str:
    """The words that a clock was started or stopped by, with links to them and who cites them."""
    words = isolated(first_words(wording.words(evidence)))
    anchor = quotes.anchor(evidence)
    if anchor is not None:
        words = f'<a href="#{anchor}">{words}</a>'
    elsewhere = ""
    if cited_for.anchor != own.anchor:
        title = isolated(cited_for.score.title)
        elsewhere = f', cited for <a href="#{cited_for.anchor}">{cited_for.number} {title}</a>'
    return f'<p class="cite">{end}: “{words}” {isolated(wording.said(evidence))}{elsewhere}</p>'


def _quote(evidence: CheckedEvidence, quotes: Quotes) -> Iterator[str]:
    mark = f'<span class="check">{wording.evidence_mark(evidence)}</span>'
    if not evidence.verified:
        told = wording.unverified(evidence)
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
        rows.append(f'<i aria-hidden="true">{sign}</i> {shown}')
    return _list("ul", "observed", rows)


# The transcript of the page: every word of it, the quoted ones marked, each line with what rests
# on it.


MOST_PLACES_PER_RUN = 24
"""Places that one run of words names, where hundreds lie over each other."""

MOST_LINKS = 12
"""Criteria that one line leads back to; the others are found from their own side."""

_TITLE_CHARS = 40


def render_transcript(
    transcript: Transcript,
    lines: Sequence[Line],
    quotes: Quotes,
    axis: Axis | None,
    linked: frozenset[int],
) -> str:
    """The whole transcript. `linked` are the numbers of the lines that something leads to."""
    shown = _Lines(transcript.text, quotes.places, axis)
    rows = "".join(shown.render(lines, linked))
    body = f'<ol class="lines">{rows}</ol>' if rows else '<p class="nothing">It is empty.</p>'
    facts = f"{count(len(lines), 'line')}, {count(len(quotes.places), 'quoted place')}"
    return (
        '<section id="transcript" aria-labelledby="transcript-name" tabindex="0">'
        f'<h2 id="transcript-name">Transcript <small>{facts}</small></h2>{body}</section>'
    )


class _Cut(NamedTuple):
    """What changes at an offset: the anchors of the places that begin, and the mark from here."""

    at: int
    anchors: str
    mark: str


class _Lines:
    """Lines in order; what is open at the end of one goes on in the next."""

    def __init__(self, text: str, places: Sequence[QuotePlace], axis: Axis | None) -> None:
        self._text = text
        self._places = places
        self._axis = axis
        self._cuts = list(_cuts(places, axis))
        self._next_cut = self._next_place = 0
        self._mark = ""
        self._open: list[QuotePlace] = []

    def render(self, lines: Iterable[Line], linked: frozenset[int]) -> Iterator[str]:
        """Each line with its second, its speaker where that changes, and its criteria."""
        before: str | None = ""
        for line in lines:
            who = ""
            if line.speaker != before:
                who = f'<p class="who">{isolated(line.speaker or "speaker not known")}</p>'
            before = line.speaker
            time = "" if known(line.start) is None else wording.at(line.start)
            name = (
                f' id="{line.anchor}"{_at(self._axis, line.start)}' if line.number in linked else ""
            )
            yield (
                f'<li class="line"{name}><p class="time">{time}</p><div>{who}'
                f'<p class="words"><bdi>{self._words(line)}</bdi></p>{self._rests(line)}</div></li>'
            )

    def _words(self, line: Line) -> str:
        parts = [self._mark]
        at = line.span.start
        while self._next_cut < len(self._cuts) and self._cuts[self._next_cut].at < line.span.end:
            cut = self._cuts[self._next_cut]
            parts += (visible(self._text[at : cut.at]), "</mark>" if self._mark else "")
            parts += (cut.anchors, cut.mark)
            at, self._mark = cut.at, cut.mark
            self._next_cut += 1
        parts += (visible(self._text[at : line.span.end]), "</mark>" if self._mark else "")
        return "".join(parts)

    def _rests(self, line: Line) -> str:
        """The criteria that rest on words of a line, as links."""
        self._open = [place for place in self._open if place.span.end > line.span.start]
        while self._next_place < len(self._places):
            place = self._places[self._next_place]
            if place.span.start >= line.span.end:
                break
            self._open.append(place)
            self._next_place += 1
        self._open = self._open[-MOST_PLACES_PER_RUN:]
        entries = {use.entry.anchor: use.entry for place in self._open for use in place.uses}
        if not entries:
            return ""
        links = [
            f'<a href="#{entry.anchor}" title="{label(first_words(entry.score.title, 200))}">'
            f"{verdict_badge(entry.score.review.verdict, sign_only=True)} {entry.number} "
            f"{isolated(first_words(entry.score.title, _TITLE_CHARS))}</a>"
            for entry in islice(entries.values(), MOST_LINKS)
        ]
        if len(entries) > MOST_LINKS:
            links.append(f"<span>and {len(entries) - MOST_LINKS:,} more</span>")
        return f'<p class="rests"><span class="vh">Rests on it: </span>{"".join(links)}</p>'


def _cuts(places: Sequence[QuotePlace], axis: Axis | None) -> Iterator[_Cut]:
    """Where marks begin and end, so that they never overlap and never nest."""
    starting: defaultdict[int, list[QuotePlace]] = defaultdict(list)
    ending: defaultdict[int, list[QuotePlace]] = defaultdict(list)
    for place in places:
        starting[place.span.start].append(place)
        ending[place.span.end].append(place)
    active: dict[str, None] = {}
    for at in sorted({*starting, *ending}):
        for place in ending.get(at, ()):
            del active[place.anchor]
        anchors = [
            f'<span class="place" id="{place.anchor}" tabindex="-1"{_at(axis, place.start)}>'
            for place in starting.get(at, ())
        ]
        active |= dict.fromkeys(place.anchor for place in starting.get(at, ()))
        names = " ".join(islice(active, MOST_PLACES_PER_RUN))
        # One inside the other, so that the mark stands right after the outermost.
        nested = "".join(anchors) + "</span>" * len(anchors)
        yield _Cut(at, nested, f'<mark data-q="{names}">' if names else "")


def _at(axis: Axis | None, seconds: float | None) -> str:
    """Where the script moves the marker of the axis to, and what it writes there."""
    if axis is None or known(seconds) is None or seconds is None:
        return ""
    return f' data-at="{axis.across(seconds)}" data-time="{wording.at(seconds)}"'


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
    style, script = report_style(__package__, "score.css"), asset(__package__, "score.js")
    return page(name, body, style=style, script=script)


def parts(card: Scorecard, transcript: Transcript) -> ReportParts:
    """The same apart from its page, and without its title."""
    main = f'<div class="main">{_sections(card, transcript)}</div>'
    style, script = report_style(__package__, "score.css"), asset(__package__, "score.js")
    return ReportParts(f"{_header(card, '', None)}{main}{_HELP}", style, script)


def _sections(card: Scorecard, transcript: Transcript) -> str:
    outline, lines = Outline(card), lines_of(transcript)
    quotes = Quotes(outline, transcript)
    timeline = Timeline(outline, lines, quotes)
    rows = "".join(_section(part, outline, quotes) for part in outline.parts)
    sections = f'<div id="sections">{rows or _NOTHING}</div>'
    words = render_transcript(transcript, lines, quotes, timeline.axis, timeline.linked)
    another = (
        '<p class="another" role="note"><b>! The transcript on this page is not the one that was '
        "scored.</b> Quotes that do not stand in it are not linked.</p>"
    )
    if card.transcript.sha256 == transcript.sha256:
        another = ""
    return (
        f'{another}<div class="lead">{_result(outline)}{_review(outline)}</div>'
        '<section id="timeline" aria-labelledby="timeline-name">'
        f'<h2 class="vh" id="timeline-name">Time axis</h2></section>{timeline.render()}'
        f'<div class="panes">{sections}{words}</div>'
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
    incomplete = _list(
        "ul",
        "warned",
        (
            f'<a href="#{part.anchor}">{part.number}. {isolated(part.section.title)}</a>: '
            f"{isolated(part.section.failure)}"
            for part in outline.parts
            if part.section.failure
        ),
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
        f"{incomplete}{table if rows else ''}</section>"
    )


def _review(outline: Outline) -> str:
    """What a person should look at first, and what is warned of the whole."""
    items = []
    for item in outline.card.human_review.items:
        found, name = outline.find(item), isolated(outline.title(item))
        link = f'<a href="#{found.anchor}">{name}</a>' if found else name
        items.append(f"{link}: {isolated('; '.join(item.reasons))}")
    number = f" <small>{count(len(items), 'place')}</small>" if items else ""
    body = _listed(items[:MOST_SHOWN]) if items else "<p>Nothing was flagged.</p>"
    if len(items) > MOST_SHOWN:
        more = f"<summary>{len(items) - MOST_SHOWN:,} more</summary>"
        body += f"<details>{more}{_listed(items[MOST_SHOWN:])}</details>"
    return (
        '<section id="review" aria-labelledby="review-name"><h2 id="review-name">'
        f"Look at this first{number}</h2>"
        f"{body}{_warned(w.message for w in outline.warnings[:MOST_SHOWN])}</section>"
    )


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
    if used := wording.cost(card.sections):
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
