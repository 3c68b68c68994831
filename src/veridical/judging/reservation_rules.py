"""The rules by which sentences deny, narrow or qualify a claim that they seem to say, as tables.

Each rule is a finder and the note for a reader; what each finds is documented with the finder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from veridical.judging.alignment import Alignment
from veridical.judging.anchors import tied_otherwise
from veridical.judging.cells import unnamed_cell
from veridical.judging.clause_subjects import done_by_another, said_around, told_in_short
from veridical.judging.denials import counterpart
from veridical.judging.denied_events import denied_event
from veridical.judging.directions import turned_labels, turned_way
from veridical.judging.each_of import compared_with, said_of_days, said_of_each, said_of_large
from veridical.judging.firmness import firmer, unsaid_degree
from veridical.judging.heads import of_another, of_namesake
from veridical.judging.hearsay import hearsay
from veridical.judging.joining import added, joined
from veridical.judging.joints import joined_otherwise
from veridical.judging.judge import Case
from veridical.judging.lead_ins import denied_above, governed_above, unsaid_of_items
from veridical.judging.limiting_titles import denied_by_title, only_for
from veridical.judging.mixed_clauses import mixed_clauses
from veridical.judging.naming import either_of_two, names_apart
from veridical.judging.narrowing import narrowed
from veridical.judging.parallels import crossed
from veridical.judging.quotations import quoted
from veridical.judging.stated_cells import exchanged
from veridical.judging.tenses import another_time
from veridical.judging.time_words import placed_otherwise, unbounded


@dataclass(frozen=True, slots=True)
class Reading:
    """What the rules read: a case, its words side by side, and what of the passage counts.

    `low` to `high`, half-open, are the sentences that decide, `stands` the columns in them that
    the claim stands on; `known` are the stems of heading and context.
    """

    case: Case
    a: Alignment
    low: int
    high: int
    stands: Sequence[int]
    known: set[str]


class Rule(NamedTuple):
    """A finder, and the note that its words are put into, {0} and {1}.

    The finder returns the words, or those of the claim and of the passage; None where the rule does
    not apply.
    """

    find: Callable[[Reading], str | tuple[str, str] | None]
    note: str


def notes(rules: Sequence[Rule], reading: Reading) -> Iterator[str]:
    """The notes of those rules that apply, in their order."""
    for rule in rules:
        found = rule.find(reading)
        if found is not None:
            words = (found,) if isinstance(found, str) else found
            yield rule.note.format(*words)


def _says_nothing(r: Reading) -> str | None:
    tells = any(word.content and word.number is None for word in r.a.claim_all)
    return None if tells else ""


SAID_OF_OTHERS = (
    Rule(
        lambda r: denied_event(r.a, r.stands),
        'The passage denies it ("{0}").',
    ),
    Rule(
        lambda r: joined(r.a, r.low, r.high, r.known) or added(r.a, r.low, r.high),
        'The passage says "{0}" of something else.',
    ),
    Rule(
        lambda r: exchanged(r.case, r.low, r.high),
        'The table has it the other way round ("{0}").',
    ),
    Rule(
        lambda r: unnamed_cell(r.case, r.low, r.high),
        'The table has that under "{0}", which the claim does not name.',
    ),
    Rule(
        lambda r: denied_by_title(r.case, r.low, r.high),
        'The table has that under "{0}".',
    ),
    Rule(
        lambda r: denied_above(r.case, r.low, r.high),
        'The list stands under "{0}".',
    ),
    Rule(
        lambda r: counterpart(r.a.claim_all, [r.a.passage[c] for c in r.stands]),
        'The passage says "{1}", the claim "{0}".',
    ),
    Rule(
        lambda r: unsaid_of_items(r.case, r.low, r.high),
        'The passage does not say "{0}" of it.',
    ),
)
"""What the sentences deny in other words, or say of something else."""

LEFT_OUT = (
    Rule(
        _says_nothing,
        "The claim has no word that tells anything.",
    ),
    Rule(
        lambda r: governed_above(r.case, r.low, r.high),
        'The list stands under "{0}".',
    ),
    Rule(
        lambda r: only_for(r.case, r.low, r.high),
        'The passage stands under "{0}", which the claim does not name.',
    ),
    Rule(
        lambda r: narrowed(r.a, r.stands, r.known),
        'The passage adds "{0}", which the claim leaves out.',
    ),
    Rule(
        lambda r: placed_otherwise(r.a, r.stands),
        'The passage says "{1}", the claim "{0}".',
    ),
    Rule(
        lambda r: unbounded(r.a, r.stands),
        'The passage says "{0}".',
    ),
    Rule(
        lambda r: quoted(r.case, r.low, r.high),
        'The passage quotes somebody ("{0}").',
    ),
    Rule(
        lambda r: mixed_clauses(r.a, r.stands),
        'The passage says it of something else ("{0}").',
    ),
    Rule(
        lambda r: hearsay(r.a, r.stands),
        'The passage tells what others say ("{0}").',
    ),
    Rule(
        lambda r: unsaid_degree(r.a, r.known),
        'The passage does not say "{0}".',
    ),
    Rule(
        lambda r: firmer(r.a, r.stands),
        'The passage says it less firmly ("{0}").',
    ),
    Rule(
        lambda r: of_another(r.a, r.stands) or of_namesake(r.a, r.stands),
        'The passage says it of "{0}".',
    ),
    Rule(
        lambda r: (
            done_by_another(r.a, r.stands)
            or said_around(r.a, r.stands)
            or told_in_short(r.a, r.stands)
        ),
        'The passage says it of "{0}".',
    ),
    Rule(
        lambda r: turned_way(r.a, r.stands),
        'The passage has the way to "{0}", the claim from there.',
    ),
    Rule(
        lambda r: (
            said_of_each(r.a, r.stands)
            or compared_with(r.a, r.stands)
            or said_of_days(r.a, r.stands)
        ),
        'The passage says "{0}".',
    ),
    Rule(
        lambda r: said_of_large(r.a, r.stands),
        'The passage says it of "{0}".',
    ),
    Rule(
        lambda r: names_apart(r.a, r.stands),
        'The passage has no "{0}".',
    ),
    Rule(
        lambda r: either_of_two(r.a, r.stands),
        'The passage does not say who "{0}" is.',
    ),
    Rule(
        lambda r: turned_labels(r.a, r.stands),
        'The passage says it of "{0}".',
    ),
    Rule(
        lambda r: crossed(r.a, r.stands),
        'The passage says "{0}" of something else.',
    ),
    Rule(
        lambda r: another_time(r.a, r.stands),
        'The passage speaks of another time ("{0}").',
    ),
    Rule(
        lambda r: tied_otherwise(r.a, r.stands),
        'The passage does not tie it to "{0}".',
    ),
    Rule(
        lambda r: joined_otherwise(r.a, r.stands),
        'The passage says "{1}", the claim "{0}".',
    ),
)
"""What the sentences say and the claim leaves out, by which they say less."""
