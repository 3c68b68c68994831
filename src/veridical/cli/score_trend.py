"""`veridical score trend`: what improves over several scorecards, and what does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from veridical.cli.choices import TEXT_OR_JSON, Form, parse_choice
from veridical.cli.errors import with_exit_code
from veridical.cli.files import check_inputs, json_bytes, read_scorecards
from veridical.cli.options import format_option
from veridical.cli.terminal import clean, out, out_data, warn
from veridical.cli.text_table import Look, text_table
from veridical.errors import ConfigurationError
from veridical.reports.words import count
from veridical.scoring.report.wording import DIRECTIONS, VERDICTS, half, share

if TYPE_CHECKING:
    from veridical.scoring.trend import Trend


@click.command()
@click.argument("cards", metavar="CARDS...", nargs=-1, required=True)
@format_option("text", "json")
@with_exit_code
def trend(cards: tuple[str, ...], form: str) -> None:
    """Tell what improves over several scorecards, and what does not, criterion by criterion.

    CARDS are files, or folders of them. They are ordered by the time at which they were scored,
    else as given; the later half of those that scored a criterion is held against the earlier one.

    Exit code 0: told. 2: they could not be read, or are too few.
    """
    from veridical.scoring.trend import trend_of

    wanted = parse_choice(TEXT_OR_JSON, form)
    check_inputs([*cards])
    read = read_scorecards(cards)
    if len(read) < 2:
        raise ConfigurationError("one scorecard shows no trend: give two or more")
    found = trend_of(read)
    if wanted is Form.JSON:
        out_data(json_bytes(_as_data(found)))
    else:
        out("\n".join(_lines(found)).rstrip("\n"))
    warn(*found.warnings)


def _as_data(found: Trend) -> dict[str, Any]:
    """The trend for programs, in the names of scorecards."""
    return {
        "cards": [
            {
                "transcript": card.transcript.name,
                "createdAt": card.created_at,
                "score": card.overall.score,
            }
            for card in found.cards
        ],
        "criteria": [
            {
                "sectionId": one.section_id,
                "criterionId": one.criterion_id,
                "title": one.title,
                "direction": one.direction.value,
                "verdicts": [verdict and verdict.value for verdict in one.verdicts],
                "earlier": asdict(one.earlier),
                "later": asdict(one.later),
            }
            for one in found.criteria
        ],
        "warnings": list(found.warnings),
    }


def _lines(found: Trend) -> Iterator[str]:
    rows = (
        (
            DIRECTIONS[one.direction],
            "".join("·" if each is None else VERDICTS[each].sign for each in one.verdicts),
            f"{half(one.earlier)}, then {half(one.later)}",
            clean(f"{one.section_id} / {one.title}"),
        )
        for one in found.criteria
    )
    scores = " → ".join(share(card.overall.score) for card in found.cards)
    counts = ", ".join(f"{found.count(way):,} {word.lower()}" for way, word in DIRECTIONS.items())
    told = (f"{count(len(found.cards), 'scorecard')}: {scores}", f"Criteria: {counts}.")
    yield text_table(
        ("Trend", "Verdicts", "Met", "Criterion"), rows, told, Look.of_standard_output()
    )
