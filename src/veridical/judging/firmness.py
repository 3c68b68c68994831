"""Does a claim say more firmly, or more of it, than the passage: must for should, does for may?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.judging.alignment import FAINT, Alignment
from veridical.judging.alignment_words import Word
from veridical.validation import lexicon

_BINDS = frozenset("must shall required mandatory obliged obligatory compulsory".split())
_ADVISES = frozenset(
    """
    recommend recommends recommended recommendation advise advises advised advisable encourage
    encourages encouraged urge urges urged suggest suggests suggested prefer preferred preferably
    ideally invited welcome voluntary optional wise sensible
    """.split()
)
"""Words by which a text advises and does not bind."""

_MIGHT = frozenset("may might can could would should ought".split())
_AS_OPEN = (
    lexicon.MODALS.keys()
    | _ADVISES
    | frozenset(
        """
        cannot cant allowed allow allows permitted permit permits entitled eligible able ability
        possible possibly perhaps maybe potential potentially likely unlikely probably option
        options optional free right rights choose choice chance up maximum most ought
        """.split()
    )
)
"""Words by which a claim leaves as open what the passage does."""

_CAUSES = frozenset(
    """
    because cause causes caused causing due thanks owing consequently therefore thus hence result
    results resulted resulting lead leads led make makes made
    """.split()
)
_CLAIMS_CAUSE = frozenset("because cause causes caused causing due owing thanks".split())
_MAY_BE_CAUSE = _CAUSES | frozenset("since as so for reason reasons why by from through to".split())
_BARELY = frozenset("as so for by from through to since make makes made".split())

_SUPPOSES = frozenset("imagine suppose assume pretend picture".split())
_PERSONS = frozenset("i we you he she it they there the a an this these".split())

_EXCEPTS = frozenset(
    {
        "apart from",
        "aside from",
        "other than",
        "save for",
        "exception of",
        "exceptions of",
        "not counting",
        "not including",
    }
)
_ALL = frozenset(
    """
    all every each everyone everybody everything anyone anybody anything nobody nothing none noone
    any free
    """.split()
)
_SAYS_EXCEPT = frozenset(
    "except excepting excluding exception exceptions apart aside other not no cannot none nor never"
    " unlimited unless".split()
)
"""By these a claim may say of what is excepted that it is."""

_BUT = frozenset("but bar barring save excepting minus".split())


def firmer(a: Alignment, standing: Sequence[int]) -> str | None:
    """The words by which the passage says less than the claim; None where there are none.

    `standing` are the columns of the passage that the claim stands on.
    """
    said = [a.passage[column] for column in standing]
    return next(_weaker(a, standing, said), None)


def _weaker(a: Alignment, standing: Sequence[int], said: Sequence[Word]) -> Iterator[str]:
    ours, theirs = {word.key for word in a.claim_all}, {word.key for word in said}
    if ours & _BINDS and not theirs & _BINDS:
        yield from (word.text for word in said if word.key in _ADVISES - ours)
    if not ours & _AS_OPEN and not ours & lexicon.NEGATIONS:
        yield from _left_open(a, standing)
    if ours & _CLAIMS_CAUSE and not theirs & (_MAY_BE_CAUSE - _BARELY):
        yield from _beside(a, said)
    yield from _permitted(said, ours)
    yield from _given(a, said, ours)
    yield from _part_of_which(a, standing)
    yield from _not_needed(said, ours)
    yield from _asked(a, standing, ours)
    yield from _supposed(said, ours)
    yield from _excepted(a, standing)
    yield from _only_some_not(a, standing, ours)
    yield from _yet_not(a, standing, ours)


def _left_open(a: Alignment, standing: Sequence[int]) -> Iterator[str]:
    """May, where the claim says that it is so: in front of a word of the claim."""
    for at, column in enumerate(standing):
        word = a.passage[column]
        if word.key not in _MIGHT or word.named:
            continue
        behind = [c for c in standing[at + 1 : at + 4] if a.passage[c].content]
        if behind and a.is_held[behind[0]] and not _is_said_plainly(a, standing, behind[0]):
            yield word.text


def _is_said_plainly(a: Alignment, standing: Sequence[int], column: int) -> bool:
    """Whether the word stands elsewhere without "may" in front of it."""
    stem = a.passage[column].stem
    return any(
        a.passage[c].stem == stem and a.passage[before].key not in _MIGHT
        for before, c in pairwise(standing)
        if c != column
    )


def _beside(a: Alignment, said: Sequence[Word]) -> Iterator[str]:
    """Where the claim makes a cause of what the passage only tells beside something."""
    word = next(w for w in a.claim_all if w.key in _CLAIMS_CAUSE)
    if not any(one.stem == word.stem for one in said) and "so" not in {w.key for w in said}:
        yield f"no {word.text}"


def _permitted(said: Sequence[Word], ours: set[str]) -> Iterator[str]:
    """Entitled, where the claim says obliged."""
    if ours & _BINDS and not {word.key for word in said} & (_BINDS | {"will"}):
        yield from (word.text for word in said if word.key in _PERMITS - ours)


_PERMITS = frozenset("entitled allowed permitted eligible free right may can".split())


def _given(a: Alignment, said: Sequence[Word], ours: set[str]) -> Iterator[str]:
    """Offered, where the claim says must."""
    has_to = any(o.key in ("has", "have") and n.key == "to" for o, n in pairwise(a.claim_all))
    bound = any(
        word.key in _BINDS or (word.key == "will" and following.key not in _GIVES)
        for word, following in zip(said, (*said[1:], *said[-1:]), strict=True)
    )
    if (ours & _BINDS or has_to) and not bound:
        yield from (word.text for word in said if word.key in _GIVES - ours)


_GIVES = frozenset("offer offers offered receive receives received voluntary".split())


def _part_of_which(a: Alignment, standing: Sequence[int]) -> Iterator[str]:
    """Of which half, where the claim speaks of the whole."""
    for at, (one, other) in enumerate(pairwise(standing)):
        if a.passage[one].key != "of" or a.passage[other].key not in ("which", "whom", "them"):
            continue
        for column in (*standing[max(0, at - 1) : at], *standing[at + 2 : at + 4]):
            word = a.passage[column]
            if word.key in _FRACTIONS and not a.is_held[column]:
                yield f"of {a.passage[other].text} {word.text}"


_FRACTIONS = frozenset(
    "half third quarter most some part many few one two three several much little".split()
)


def _not_needed(said: Sequence[Word], ours: set[str]) -> Iterator[str]:
    """Need not, where the claim says must not."""
    if not ours & {"must", "may", "can", "cannot", "mustnt", "cant", "forbidden", "prohibited"}:
        return
    for word, following in pairwise(said):
        need_not = word.key == "need" and following.key == "not"
        if word.key == "neednt" or need_not or (word.key == "not" and following.key in _NEEDED):
            yield f"{word.text} {following.text}"


_LEAST_ASKED = 2
_NEEDED = frozenset("need required necessary obliged have".split())


def _asked(a: Alignment, standing: Sequence[int], ours: set[str]) -> Iterator[str]:
    """Whether it is so, and little of it: where the claim says that it is."""
    for at, column in enumerate(standing):
        word, behind = a.passage[column], standing[at + 1 : at + 4]
        held = any(a.passage[c].content and a.is_held[c] for c in behind)
        if word.key == "whether" and not ours & {"whether", "if"}:
            rest = [c for c in standing[at + 1 :] if a.sentence_at[c] == a.sentence_at[column]]
            if sum(a.passage[c].content and a.is_held[c] for c in rest) >= _LEAST_ASKED:
                yield word.text
        before = a.passage[standing[at - 1]].key if at else ""
        if word.key == "little" and "little" not in ours and before != "a" and held:
            yield word.text


def _supposed(said: Sequence[Word], ours: set[str]) -> Iterator[str]:
    """Imagine that ...; Had they paid, ..."""
    if said and said[0].key in _SUPPOSES - ours and len(said) > 1 and said[1].key == "that":
        yield f"{said[0].text} that"


def _only_some_not(a: Alignment, standing: Sequence[int], ours: set[str]) -> Iterator[str]:
    """; only the night guard does not: an exception behind a mark, in a clause of its own."""
    if ours & _SAYS_EXCEPT or "only" in ours:
        return
    sentences = {a.sentence_at[column] for column in standing}
    for column, word in enumerate(a.passage):
        if word.key != "only" or not word.border or a.sentence_at[column] not in sentences:
            continue
        behind = range(column + 1, min(column + _LONGEST_EXCEPTION, len(a.passage)))
        clause = [c for c in behind if a.sentence_at[c] == a.sentence_at[column]]
        if any(a.passage[c].key in lexicon.NEGATIONS for c in clause):
            yield word.text


def _yet_not(a: Alignment, standing: Sequence[int], ours: set[str]) -> Iterator[str]:
    """; it is not open on Mondays, or ", which does not apply to interns": behind "open daily" that
    takes a part of it back.
    """
    if ours & lexicon.NEGATIONS:
        return
    sentences = {a.sentence_at[column] for column in standing}
    for column, word in enumerate(a.passage):
        aside = bool(word.border) and word.key == "which"
        begins = aside or (word.border == ";" and word.key in _IT)
        if not begins or a.sentence_at[column] not in sentences:
            continue
        behind = range(column + 1, min(column + _LONGEST_EXCEPTION, len(a.passage)))
        clause = [c for c in behind if a.sentence_at[c] == a.sentence_at[column]]
        denial = next((c for c in clause if a.passage[c].key in lexicon.NEGATIONS), None)
        if denial is None:
            continue
        again = any(a.passage[c].content and a.is_held[c] for c in clause)
        if any(a.passage[c].key in _HOLDS for c in clause) if aside else again:
            yield f"{word.text} … {a.passage[denial].text}"


_HOLDS = frozenset(
    "apply applies applied hold holds cover covers include includes true case valid so".split()
)
_IT = frozenset("it they he she this these".split())
_LONGEST_EXCEPTION = 10
"""Words of a clause among which its "not" stands."""


def _excepted(a: Alignment, standing: Sequence[int]) -> Iterator[str]:
    """All but, apart from: in front of what the claim has not."""
    own = {word.key for word in a.claim_all}
    denies = not own.isdisjoint(lexicon.NEGATIONS)
    # "Dogs other than guide dogs are not admitted" lets no one say that guide dogs are not.
    alike = denies == any(a.passage[c].key in lexicon.NEGATIONS for c in standing)
    excepts = bool(own & (_BUT | _SAYS_EXCEPT - lexicon.NEGATIONS)) or (denies and not alike)
    for at, (one, other) in enumerate(pairwise(standing)):
        word, following = a.passage[one], a.passage[other]
        two = f"{word.key} {following.key}" in _EXCEPTS
        but = word.key in _BUT and not word.border and _is_of_all(a, standing[:at])
        behind = [c for c in standing[at + 1 + two : at + 5] if a.passage[c].content]
        if (two or but) and behind and not (a.is_held[behind[0]] and excepts):
            yield f"{word.text} {following.text}"


def _is_of_all(a: Alignment, before: Sequence[int]) -> bool:
    """Whether one of the two words before speaks of all: everyone but, all staff bar."""
    return any(a.passage[c].key in _ALL for c in before[-2:])


_DEGREES = frozenset(
    """
    common commonly rare rarely frequent frequently main major serious severe mild permanent
    permanently immediate immediately automatic automatically guaranteed unlimited exclusive
    """.split()
)
"""Words that say how much of it or how often, which a passage must say as well."""


def unsaid_degree(a: Alignment, known: set[str]) -> str | None:
    """A word of the claim that says how much or how often, where the passage does not; None where
    there is none. `known` are the stems of heading and context.
    """
    return next(
        (
            word.text
            for row, word in enumerate(a.claim)
            if word.key in _DEGREES and a.held[row] < FAINT and word.stem not in known
        ),
        None,
    )
