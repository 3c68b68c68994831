"""A scorecard as Markdown, to be handed on.

Text of transcript, rubric and model is never markup here: `literal` escapes it all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from veridical.ledger.export.markdown import literal
from veridical.scoring.report import wording
from veridical.scoring.report.outline import Entry, Outline, Part
from veridical.scoring.scorecard import CheckedEvidence, CriterionScore, Scorecard

DEFAULT_TITLE = "Scorecard"


def render_markdown(card: Scorecard, *, title: str | None = None) -> str:
    """The scorecard as a Markdown document. The same scorecard gives the same text."""
    outline = Outline(card)
    blocks = [
        f"# {literal(title or heading(card))}",
        f"**{wording.outcome(card.overall)}**",
        f"{wording.coverage(card.overall)} {wording.thresholds(card.scoring)}",
        _sections_table(outline),
        *_review(outline),
        *(block for part in outline.parts for block in _section(part, outline)),
        *_listed("Warnings", [warning.message for warning in card.warnings]),
        "## How it was made",
        "\n".join(f"- {line}" for line in _record(card)),
    ]
    return "\n\n".join(blocks) + "\n"


def heading(card: Scorecard) -> str:
    """What a scorecard is called: its rubric and its transcript."""
    return ": ".join(filter(None, (card.template.name, card.transcript.name))) or DEFAULT_TITLE


def _sections_table(outline: Outline) -> str:
    rows = [
        (
            f"{part.number}",
            literal(part.section.title),
            wording.share(part.section.score),
            wording.status(part.section.status),
            wording.weight(part.section).removeprefix("weight "),
        )
        for part in outline.parts
    ]
    return _table(("#", "Section", "Score", "Status", "Weight"), rows)


def _review(outline: Outline) -> Iterator[str]:
    items = outline.card.human_review.items
    yield "## For a person to look at"
    if not items:
        yield "Nothing was flagged."
        return
    yield "\n".join(
        f"- **{literal(outline.title(item))}**: {literal('; '.join(item.reasons))}"
        for item in items
    )


def _section(part: Part, outline: Outline) -> Iterator[str]:
    section = part.section
    yield f"## {part.number}. {literal(section.title)}"
    yield (
        f"{wording.share(section.score)}, {wording.status(section.status)}, "
        f"{wording.weight(section)}"
    )
    for fact in wording.facts_of_section(section):
        yield literal(fact)
    if part.entries:
        rows = [
            (
                entry.number,
                literal(entry.score.title),
                wording.verdict(entry.score.review.verdict),
                literal(wording.scored(entry.score)),
                literal(_time(entry.score)),
            )
            for entry in part.entries
        ]
        yield _table(("#", "Criterion", "Verdict", "Score", "Time"), rows)
    for entry in part.entries:
        yield from _criterion(entry, outline)


def _time(score: CriterionScore) -> str:
    if score.timing is not None:
        return wording.timing(score.timing)
    first = next((each for each in score.review.evidence if each.verified), None)
    return wording.at(first.start) if first else ""


def _criterion(entry: Entry, outline: Outline) -> Iterator[str]:
    facts = [*_facts(entry, outline), *map(_evidence, entry.score.review.evidence)]
    facts += [f"Event: {literal(wording.event(event))}" for event in entry.score.review.events]
    facts += [f"Warning: {literal(message)}" for message in wording.own_warnings(entry)]
    yield f"### {entry.number} {literal(entry.score.title)}"
    if facts:
        yield "\n".join(f"- {fact}" for fact in facts)


def _facts(entry: Entry, outline: Outline) -> Iterator[str]:
    score = entry.score
    parts = (wording.verdict(score.review.verdict), wording.scored(score))
    yield f"{', '.join(map(literal, parts))}"
    if overruled := wording.overruled(score):
        yield literal(overruled)
    if confidence := wording.confidence(score):
        yield f"{confidence.capitalize()}"
    if score.review.rationale.strip():
        yield literal(score.review.rationale)
    if score.timing is not None:
        yield f"Timing: {literal(wording.timing(score.timing))}"
        if score.timing.seconds is not None:
            yield f"From {literal(wording.timed_from(score.timing))}"
        for end, cited_for, evidence in wording.timed(score, outline):
            told = f'{literal(end)}: "{literal(wording.words(evidence))}" '
            told += f"({literal(wording.said(evidence))})"
            if cited_for.anchor != entry.anchor:
                told += f", cited for {cited_for.number} {literal(cited_for.score.title)}"
            yield told
        if score.timing.close_call:
            yield wording.CLOSE_CALL


def _evidence(evidence: CheckedEvidence) -> str:
    words, mark = literal(wording.words(evidence)), wording.evidence_mark(evidence)
    if not evidence.verified:
        why = wording.unverified(evidence)
        return f'"{words}" ({mark}{f": {literal(why)}" if why else ""})'
    parts = [f'"{words}" ({literal(wording.said(evidence))}; {mark})']
    if evidence.corrected and evidence.reason:
        parts.append(f"Corrected: {literal(evidence.reason)}.")
    if wording.cited_otherwise(evidence):
        parts.append(f'Cited as "{literal(evidence.quote)}".')
    return " ".join(parts)


def _record(card: Scorecard) -> Iterator[str]:
    template, transcript = card.template, card.transcript
    yield (
        f"Rubric: {literal(template.name)} ({literal(template.id)}), version "
        f"{literal(template.version)}, SHA-256 {literal(card.rubric_sha256)}"
    )
    yield (
        f"Transcript: {literal(transcript.name)}, SHA-256 {literal(transcript.sha256)}. "
        f"{wording.precision(transcript.precision)}".rstrip()
    )
    yield f"Scored by {literal(wording.scored_by(card.model_info))}"
    if used := wording.cost(card.sections):
        yield f"Cost: {used}"
    if card.created_at:
        yield f"Scored at {literal(card.created_at)}"


def _listed(name: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield f"## {name}"
        yield "\n".join(f"- {literal(text)}" for text in texts)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
