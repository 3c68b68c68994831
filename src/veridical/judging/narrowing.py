"""Does a sentence say it only of some, or only in some case, where the claim says it of all?

"Staff in Berlin get 30 days" is no word that "Staff get 30 days" is true, and "may use the network
after they have signed" no leave to use it. What a claim leaves out is looked for as stretches of
the sentence that hold none of its words, by the word that such a stretch begins with and by where
it stands. There is no parser here: between two marks, in rules (not in reports of what was), what a
stretch may narrow counts as narrowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.judging.alignment import FIRM, Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.bounds import unbound_places
from veridical.judging.clauses import AUXILIARIES, PREPOSITIONS
from veridical.judging.features_conflicts import is_year
from veridical.judging.features_reservations import LIGHT
from veridical.judging.restrictions import Gap, restricts
from veridical.judging.tenses import is_past
from veridical.validation import lexicon

_RELATIVES = frozenset("who whose whom that which where when while".split())
_CASES = frozenset(
    """
    after once when whenever where wherever while during whilst upon pending assuming supposing
    barring contingent conditional conditionally dependent absent
    """.split()
)
"""What begins the case in which a rule holds, whatever it rules."""

_PERMITS = frozenset(
    """
    may can might could allowed allow allows permitted permit permits entitled eligible available
    open free welcome accepted valid optional authorised authorized reimbursed refundable refunded
    able cover covers covered insured
    """.split()
)
"""Words that allow no more than they say: what is allowed in one case is not in another."""

_CONCEDES = frozenset("while whilst".split())
"""In front of a sentence these set one thing beside another, unless a place or a participle
follows: while on duty.
"""

_LIMITS = frozenset("from until till".split())
MONTHS = lexicon.DATE_WORDS & frozenset(
    "january february march april may june july august september october november december".split()
)
_CLOCK = frozenset("am pm noon midnight".split())
"""After 6 pm is no condition, only a time."""

_EACH = frozenset("a an per every each in".split())
_MEANS = frozenset("by via through using because so online therefore thus and or but".split())
"""What begins the way in which it is done, its reason, or another thing that is said as well."""

_GOES_ON = frozenset("and or but because so".split())

_TOOLS = frozenset(
    """
    portal system app application website site intranet form calendar tool platform page email mail
    writing person advance phone telephone list register book handbook policy document section
    addition general particular example instance fact short summary turn principle practice total
    contrast words case end effect question full time own request behalf regard
    respect way sense context manner long
    """.split()
)
"""What narrows nothing: where something is booked or written, and how a text goes on."""

_NO_PARTICIPLES = frozenset("during nothing something anything everything need feed speed".split())
_LEAST_PARTICIPLE = 4


def narrowed(a: Alignment, standing: Sequence[int], known: set[str]) -> str | None:
    """The words by which the passage says it of fewer, or in fewer cases, than the claim; None
    where there are none.

    `standing` are the columns of the passage that the claim stands on; `known` are the stems of
    heading and context, which a claim need not say again.
    """
    permits = [c for c in standing if _permits(a.passage[c]) and a.is_held[c]]
    past = is_past(a.claim_all)
    for gap in _gaps(a, standing, known):
        if (
            _narrows_subject(a, gap, standing)
            or restricts(a, gap, past=past)
            or (not past and _is_case(a, gap))
            or (not past and _limits_permission(a, gap, permits))
        ):
            return _shown(a, gap)
    return None


def _permits(word: Word) -> bool:
    return word.key in _PERMITS and not (word.named and word.key == "may")


def _shown(a: Alignment, gap: Gap) -> str:
    """A stretch without the small words at its end, which begin what follows."""
    last = max((c for c in gap.columns if a.passage[c].content), default=gap.columns[-1])
    return " ".join(a.passage[c].text for c in gap.columns if c <= last)


def _gaps(a: Alignment, standing: Sequence[int], known: set[str]) -> Iterator[Gap]:
    """The stretches without a word of the claim: from behind one that holds one up to the next, or
    to a mark.
    """
    before: int | None = None
    columns: list[int] = []
    for at, column in enumerate(standing):
        fresh = at > 0 and (
            standing[at - 1] + 1 != column or a.sentence_at[column] != a.sentence_at[column - 1]
        )
        held = a.is_held[column] and a.passage[column].content
        if columns and (fresh or held or a.passage[column].border):
            if _says_something(a, columns, known):
                behind = column if held and not fresh else None
                yield Gap(tuple(columns), before, behind)
            columns = []
        if fresh:
            before = None
        if held:
            before = column
        else:
            columns.append(column)
    if columns and _says_something(a, columns, known):
        yield Gap(tuple(columns), before, None)


def _says_something(a: Alignment, columns: Sequence[int], known: set[str]) -> bool:
    """Whether a stretch has a word that may narrow; "at most" is part of its number."""
    following = range(columns[-1] + 1, min(columns[-1] + 2, len(a.passage)))
    counted = unbound_places([a.passage[c] for c in (*columns, *following)])
    words = [a.passage[columns[place]] for place in counted if place < len(columns)]
    return any(
        (word.content or word.named)
        and word.key not in LIGHT
        and word.key not in _TOOLS
        and word.key not in PREPOSITIONS
        and word.key not in lexicon.NEGATIONS
        and word.stem not in known
        for word in words
    )


def _narrows_subject(a: Alignment, gap: Gap, standing: Sequence[int]) -> bool:
    """Whether it stands between a thing and its verb, which the claim has side by side."""
    first = gap.columns[0]
    if gap.before is None or gap.before + 1 != first or gap.behind is None:
        return False
    if a.passage[first].border or not _begins_attribute(a, first):
        return False
    if any(a.passage[c].key in _GOES_ON for c in gap.columns):
        return False
    row = int(a.match[:, gap.before].argmax())
    if any(_stands_alone(a, c) for c in standing if c != gap.before and a.related[row, c]):
        return False
    place = a.place_of[row] + 1
    if place >= len(a.claim_all) or a.claim_all[place].border:
        return False
    if not _may_be_verb(a.claim_all[place]):
        return False
    # "The director signed a contract" narrows no director: "signed" is no attribute there.
    return a.passage[first].key in PREPOSITIONS | _RELATIVES or _returns_to(a, gap, place)


def _returns_to(a: Alignment, gap: Gap, verb: int) -> bool:
    """Whether the verb at a place of the claim stands in a stretch, or right behind it."""
    columns = (*gap.columns, gap.behind)
    key, row = a.claim_all[verb].key, a.row_of[verb]
    return any(
        a.passage[c].key == key or (row is not None and a.match[row, c] >= FIRM)
        for c in columns
        if c is not None
    )


def _stands_alone(a: Alignment, column: int) -> bool:
    """Whether no attribute follows a word but one that the claim has as well."""
    last = column + 1 == len(a.passage) or a.sentence_at[column + 1] != a.sentence_at[column]
    return last or a.is_held[column + 1] or not _begins_attribute(a, column + 1)


def _begins_attribute(a: Alignment, column: int) -> bool:
    """Whether a word is one by which a noun before it is narrowed: in, who, left, heavier than."""
    word = a.passage[column]
    following = a.passage[column + 1].key if column + 1 < len(a.passage) else ""
    if word.key in PREPOSITIONS | _RELATIVES or following == "than" or word.key == "up":
        return True
    ending = word.key.endswith(("ed", "ing", "left", "held", "made", "given", "sent", "bought"))
    return ending and len(word.key) >= _LEAST_PARTICIPLE and word.key not in _NO_PARTICIPLES


def _may_be_verb(word: Word) -> bool:
    if word.key in AUXILIARIES or word.key in lexicon.NEGATIONS:
        return True
    return word.content and word.number is None and word.key not in PREPOSITIONS | _MEANS | _CASES


def _is_case(a: Alignment, gap: Gap) -> bool:
    """Whether it says when a rule holds: behind it, or in front of it and parted by a mark."""
    opening = _opening(a, gap)
    if opening is None:
        return False
    words = [a.passage[c] for c in gap.columns]
    if opening.key in _LIMITS:
        return any(word.key in MONTHS or is_year(word) for word in words)
    if opening.key == "once" and any(word.key in _EACH for word in words[1:2]):
        return False  # how often is no case, but limits what is allowed
    if opening.key in _CONCEDES and _is_fronted(a, gap):
        return any(word.key in PREPOSITIONS or word.key.endswith("ing") for word in words[1:2])
    if opening.key in {*_CASES, "as", "so"}:
        return not any(word.key in _CLOCK or ":" in word.text for word in words)
    return _is_fronted(a, gap) and opening.key in PREPOSITIONS


def _is_fronted(a: Alignment, gap: Gap) -> bool:
    """Whether it opens its sentence, and more follows."""
    first, last = gap.columns[0], gap.columns[-1]
    opens = first == 0 or a.sentence_at[first - 1] != a.sentence_at[first]
    return opens and last + 1 < len(a.passage) and a.sentence_at[last + 1] == a.sentence_at[first]


def _limits_permission(a: Alignment, gap: Gap, permits: Sequence[int]) -> bool:
    """Whether it stands behind a word that allows, in the same sentence, or opens the sentence."""
    first = gap.columns[0]
    opening = _opening(a, gap)
    if opening is None or _is_purpose(a, gap, opening):
        return False
    if opening.key in _MEANS and not _names_who(a, gap):
        return False
    same = [c for c in permits if a.sentence_at[c] == a.sentence_at[first]]
    if not same or (a.passage[first].border and gap.before is not None):
        return False  # an aside
    return first > min(same) or gap.before is None


def _names_who(a: Alignment, gap: Gap) -> bool:
    """Whether it says who may do it: "by an administrator", but not "by a form"."""
    keys = [a.passage[column].key for column in gap.columns]
    if "by" not in keys[:2]:
        return False
    behind = keys[keys.index("by") + 1 :]
    return len(behind) > 1 and behind[0] in ("a", "an", "the") and _TOOLS.isdisjoint(behind)


def _is_purpose(a: Alignment, gap: Gap, opening: Word) -> bool:
    """Whether it says what for, or goes on about a thing: "to glide on snow", "in which ..."."""
    if any(a.passage[c].key == "which" for c in gap.columns[:2]):
        return True
    before = a.passage[gap.before].key if gap.before is not None else ""
    return opening.key == "to" and before not in ("open", "available", "accessible")


def _opening(a: Alignment, gap: Gap) -> Word | None:
    """The word that a stretch begins with: a preposition or a word that begins a clause."""
    for column in gap.columns:
        word = a.passage[column]
        if word.key == "addition":
            return None  # "in addition to ..."
        if word.key == "long" and column and a.passage[column - 1].key in ("as", "so"):
            return a.passage[column - 1]
        if word.key in PREPOSITIONS | _RELATIVES | _CASES | _MEANS:
            return word
        if word.content:
            return None
    return None
