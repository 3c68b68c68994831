"""The scorecard as a PDF."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.ledger.export.forms import Export
from veridical.ledger.export.pdf import blocks_to_pdf
from veridical.scoring.report import wording
from veridical.scoring.report.markdown import heading
from veridical.scoring.report.outline import Entry, Outline, Part
from veridical.scoring.report.training import lessons, narrative
from veridical.scoring.scorecard import Scorecard

Block = tuple[str, str]
"""A kind of `blocks_to_pdf`, and the text."""


def render_pdf(card: Scorecard, *, title: str | None = None) -> Export:
    """The scorecard as a PDF, and warnings. The same card and fonts give the same bytes.

    Raises MissingExtraError where typst is not installed; ProcessingError where it cannot be made.
    """
    return blocks_to_pdf(title or heading(card), list(_blocks(card)), card.created_at or "")


def _blocks(card: Scorecard) -> Iterator[Block]:
    outline = Outline(card)
    yield wording.STATUSES[card.overall.status].tone, wording.outcome(card.overall)
    if told := wording.after_review(card):
        yield "text", told
    yield "text", f"{wording.coverage(card.overall)} {wording.thresholds(card.scoring)}"
    yield from (("text", told) for told in wording.told_first(outline))
    if card.human_review.items:
        yield "part", "For a person to look at"
        for item in card.human_review.items:
            yield "text", f"{outline.title(item)}: {'; '.join(item.reasons)}"
    training = list(lessons(outline.parts))
    if training:
        yield "part", "To train"
        for entry, source in training:
            yield "point", f"{entry.number} {entry.score.title}"
            yield "quote", source.quote
            yield "soft", source.place
    for part in outline.parts:
        yield from _section(card, part)
    yield "part", "How it was made"
    template, transcript = card.template, card.transcript
    yield "soft", f"Rubric: {template.name} ({template.id}), version {template.version}"
    yield "soft", f"SHA-256 of the rubric: {card.rubric_sha256}"
    yield "soft", f"Transcript: {transcript.name}, SHA-256 {transcript.sha256}"
    yield "soft", f"Scored by {wording.scored_by(card.model_info)}"
    yield from (("soft", f"Warning: {warning.message}") for warning in card.warnings)


def _section(card: Scorecard, part: Part) -> Iterator[Block]:
    section = part.section
    yield "part", f"{part.number}. {section.title}"
    told = f"{wording.share(section.score)}, {wording.status(section.status)}"
    yield wording.STATUSES[section.status].tone, f"{told}, {wording.weight(section)}"
    yield from (("soft", fact) for fact in wording.facts_of_section(section))
    for each in narrative(part):
        yield "text", f"{each.lead}: “{wording.words(each.evidence)}”; {each.meaning}"
    for entry in part.entries:
        yield from _criterion(card, entry)


def _criterion(card: Scorecard, entry: Entry) -> Iterator[Block]:
    score, review = entry.score, entry.score.review
    yield "point", f"{entry.number} {score.title}"
    told = f"{wording.verdict(review.verdict)}, {wording.scored(score)}"
    yield wording.VERDICTS[review.verdict].tone, told
    yield from (("text", told) for told in wording.rulings(card, review))
    if review.rationale.strip():
        yield "text", review.rationale.strip()
    if score.timing is not None:
        yield "text", wording.timing(score.timing)
    for evidence in review.evidence:
        yield "quote", wording.words(evidence)
        if evidence.verified:
            yield "soft", f"{wording.said(evidence)}; {wording.evidence_mark(evidence)}"
        else:
            yield "soft", f"{wording.evidence_mark(evidence)}: {wording.unverified(evidence)}"
    yield from (("soft", f"Warning: {told}") for told in wording.own_warnings(entry))
