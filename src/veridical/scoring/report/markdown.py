"""A scorecard as Markdown, to be handed on."""

from __future__ import annotations

from veridical.reports import markdown
from veridical.scoring.report import training, wording
from veridical.scoring.report.outline import Outline
from veridical.scoring.scorecard import Scorecard

DEFAULT_TITLE = "Scorecard"


def render_markdown(card: Scorecard, *, title: str | None = None) -> str:
    """The scorecard as a Markdown document. The same scorecard gives the same text."""
    return markdown.render_markdown(
        "score",
        title=title or heading(card),
        card=card,
        outline=Outline(card),
        precision=wording.precision(card.transcript.precision),
        wording=wording,
        training=training,
    )


def heading(card: Scorecard) -> str:
    """What a scorecard is called: its rubric and its transcript."""
    return ": ".join(filter(None, (card.template.name, card.transcript.name))) or DEFAULT_TITLE
