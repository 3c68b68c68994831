"""A scorecard for a reader at a terminal, as plain lines."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.reports.texts import one_line
from veridical.reports.words import count, first_words
from veridical.scoring.report import wording
from veridical.scoring.report.outline import Entry, Outline, Part
from veridical.scoring.report.training import to_train
from veridical.scoring.scorecard import Scorecard

MOST_QUOTE_CHARS = 160
_INDENT = "      "


def render_table(card: Scorecard) -> list[str]:
    """The scorecard as lines without line feeds, safe to print.

    Control and direction characters of transcript, rubric and model are made visible.
    """
    outline = Outline(card)
    lines = [*_head(card), *wording.told_first(outline), ""]
    for part in outline.parts:
        lines += [*_section(part), ""]
    lines += _listed("Warnings", list(_warnings(outline)))
    review = [
        f"{outline.title(item)}: {'; '.join(item.reasons)}" for item in card.human_review.items
    ]
    lines += _listed("To be looked at by a person", review)
    return [_printable(line) for line in lines[:-1]]


def _printable(line: str) -> str:
    """A line that can only be printed; its indentation is ours and stays."""
    text = line.lstrip(" ")
    return " " * (len(line) - len(text)) + one_line(text)


def _head(card: Scorecard) -> Iterator[str]:
    template = card.template
    yield f"{template.name} {template.version}: {card.transcript.name}"
    yield f"Overall: {wording.outcome(card.overall)}. {wording.coverage(card.overall)}"
    yield f"Scored by {wording.scored_by(card.model_info)}"
    if cost := wording.cost(card.sections):
        yield f"Cost: {cost}"


def _section(part: Part) -> Iterator[str]:
    section = part.section
    yield (
        f"{part.number}. {section.title}: {wording.share(section.score)}, "
        f"{wording.status(section.status)} ({wording.weight(section)})"
    )
    for fact in wording.facts_of_section(section):
        yield f"   {fact}"
    for entry in part.entries:
        yield from _criterion(entry)


def _criterion(entry: Entry) -> Iterator[str]:
    score = entry.score
    verdict = wording.verdict(score.review.verdict)
    yield f"   {verdict}: {entry.number} {score.title} ({wording.scored(score)})"
    if overruled := wording.overruled(score):
        yield f"{_INDENT}{overruled}"
    if score.timing is not None:
        yield f"{_INDENT}{wording.timing(score.timing)}"
    evidence = sorted(score.review.evidence, key=lambda each: not each.verified)
    for first in evidence[:1]:
        quote = first_words(wording.words(first), MOST_QUOTE_CHARS)
        where = wording.said(first) if first.verified else "not verified"
        more = f", and {len(evidence) - 1:,} more" if len(evidence) > 1 else ""
        yield f"{_INDENT}“{quote}” ({where}){more}"
        if wording.cited_otherwise(first):
            yield f"{_INDENT}Cited as “{first_words(first.quote, MOST_QUOTE_CHARS)}”"
    if (source := to_train(score)) is not None:
        quote = first_words(source.quote, MOST_QUOTE_CHARS)
        yield f"{_INDENT}To train: “{quote}” ({source.place})"


def _warnings(outline: Outline) -> Iterator[str]:
    """Each warning with the number of what it is about, in the scorecard's order."""
    for part in outline.parts:
        yield from (f"{part.number}: {warning.message}" for warning in part.warnings)
        for entry in part.entries:
            yield from (f"{entry.number}: {warning.message}" for warning in entry.warnings)
    yield from (warning.message for warning in outline.warnings)


def _listed(name: str, texts: list[str]) -> list[str]:
    if not texts:
        return []
    return [f"{name} ({count(len(texts), 'item')}):", *(f"  ! {text}" for text in texts), ""]
