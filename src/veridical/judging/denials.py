"""What a text denies, and which words deny each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from veridical.judging.alignment_words import Word, stem
from veridical.validation import lexicon


class Denial(NamedTuple):
    """A word that denies, by its place, with the content words that it denies, the nearest
    first.
    """

    at: int
    word: Word
    scope: tuple[Word, ...]


_SCOPE = 3
"""Content words after a denial that it is taken to deny."""

_LEAST_BASE = 4
"""Letters of a word that a prefix can deny."""

_PERMITTED = frozenset("allowed permitted possible provided covered included available".split())
"""Words whose denial is one of what they are said of: smoking is not allowed."""

_WHOLE = frozenset(
    "circumstances circumstance case event account means way condition conditions true correct "
    "right so".split()
)


def bar_unless(found: Sequence[Denial]) -> bool:
    """Whether something is denied but for one condition: not unless, which is only if."""
    return len(found) == 2 and found[1].word.key == "unless" and found[0].word.key != "unless"


def denies_all(scope: Sequence[Word]) -> bool:
    """Whether a denial is of all that its sentence says: under no circumstances, not true."""
    return bool(scope) and scope[0].key in _WHOLE


def left_over(
    claim: Sequence[Word],
    ours: Sequence[Denial],
    theirs: Sequence[Denial],
) -> Denial | None:
    """A denial of a word of the claim that the claim does not deny, where more is denied than in
    the claim: what the company does not run must not be used.
    """
    if len(theirs) <= len(ours):
        return None
    denied = {denial.scope[0].stem for denial in ours if denial.scope}
    left = {word.stem for word in claim} - denied
    return next((one for one in theirs if one.scope and one.scope[0].stem in left), None)


def same_lack(claim: Sequence[Word], said: Sequence[Word]) -> bool:
    """Whether both lack something after the same word: what it costs without."""
    ours, theirs = (
        {(b.stem, w.key) for b, w in pairwise(words) if w.key == "without"}
        for words in (claim, said)
    )
    return bool(ours & theirs)


def denials(words: Sequence[Word]) -> list[Denial]:
    """The words that deny, each with the content words that it denies."""
    found = []
    for at, word in enumerate(words):
        if word.key not in lexicon.NEGATIONS:
            continue
        after = _up_to_border(words[at + 1 :])
        if after[:1] and after[0].key == "only":
            continue
        if after[:1] and after[0].key == "longer":
            after = after[1:]
        scope = [other for other in after if other.content and other.key not in lexicon.NEGATIONS]
        before = [other for other in reversed(words[:at]) if other.content]
        if not scope:
            scope = before
        # "may not, even if both agree, be cancelled"
        reach = len(scope) if after[:1] and after[0].border else _SCOPE
        named = before[:1] if scope and scope[0].key in _PERMITTED else []
        found.append(Denial(at, word, (*scope[:reach], *named)))
    return found


def _up_to_border(words: Sequence[Word]) -> Sequence[Word]:
    end = next((i for i, word in enumerate(words) if word.border == ";"), len(words))
    return words[:end]


def stems_of(found: Sequence[Denial]) -> set[str]:
    """The stems of all words that are denied."""
    return {word.stem for denial in found for word in denial.scope}


def opposed_words(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """The places of words of the claim that the other side has not, each with the first place of
    its opposite there, which the claim has not.
    """
    ours, theirs = {word.stem for word in claim}, {word.stem for word in said}
    by_form = {
        form: at for at in range(len(said) - 1, -1, -1) for form in (said[at].stem, said[at].key)
    }
    for at, word in enumerate(claim):
        if word.stem in theirs or word.number is not None:
            continue
        forms = (*_OPPOSITES.get(word.stem, ()), *_denied_forms(word.key))
        other = next((by_form[form] for form in forms if form in by_form), None)
        if other is not None and said[other].stem not in ours:
            yield at, other


def opposites_within(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """The places of words of the claim that the other side has as well as their opposites, which
    the claim has not, each with the first place of its opposite there.
    """
    ours, theirs = {word.stem for word in claim}, {word.stem for word in said}
    for at, word in enumerate(claim):
        if word.stem not in theirs or word.number is not None:
            continue
        kinds = (*_OPPOSITES.get(word.stem, ()), *_COUNTERPARTS.get(word.stem, ()))
        forms = {*kinds, *_denied_forms(word.key)} - ours
        other = next((i for i, one in enumerate(said) if {one.stem, one.key} & forms), None)
        if other is not None and said[other].stem not in ours:
            yield at, other


def counterpart(claim: Sequence[Word], said: Sequence[Word]) -> tuple[str, str] | None:
    """A word of the claim that the other side has not, and its counterpart, which that has:
    downstream for upstream. None where there is none.
    """
    ours, theirs = {word.stem for word in claim}, {word.stem: word for word in said}
    for word in claim:
        for other in _COUNTERPARTS.get(word.stem, ()):
            if word.stem not in theirs and other in theirs and other not in ours:
                return word.text, theirs[other].text
    return None


@lru_cache(maxsize=1 << 14)
def _denied_forms(key: str) -> tuple[str, ...]:
    """A word with each prefix that denies it, and without the one that it has: paid, unpaid."""
    joined = [prefix + key for prefix in lexicon.NEGATIVE_PREFIXES if _denies(prefix, key)]
    parted = [
        base
        for prefix in lexicon.NEGATIVE_PREFIXES
        if (base := key.removeprefix(prefix)) != key and _denies(prefix, base)
    ]
    return (*joined, *parted)


_ALSO_ELSE = frozenset({"used", "like", "able"})
"""Words that mean something else besides: leave is used up, and carried over unused."""


def _denies(prefix: str, base: str) -> bool:
    return (
        len(base) >= _LEAST_BASE
        and base not in _ALSO_ELSE
        and not base.startswith(lexicon.NOT_DENIED.get(prefix, ()))
        and (prefix != "de" or base.startswith(lexicon.DENIED_BY_DE))
    )


def _opposite_stems(pairs: Iterable[frozenset[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for pair in pairs:
        one, other = sorted(pair)
        found.setdefault(stem(one), set()).add(stem(other))
        found.setdefault(stem(other), set()).add(stem(one))
    return {key: tuple(sorted(others)) for key, others in sorted(found.items())}


_OPPOSITES = _opposite_stems(lexicon.OPPOSITES)
_COUNTERPARTS = _opposite_stems(
    frozenset(pair.split("/"))
    for pair in """
    large/small big/small long/short old/new heavy/light full/empty hot/cold wet/dry left/right
    north/south east/west day/night inner/outer upper/lower front/back male/female men/women
    adults/children full/part summer/winter morning/evening upstream/downstream inside/outside
    indoor/outdoor arrival/departure top/bottom wife/husband son/daughter brother/sister
    synchronous/asynchronous synchronously/asynchronously symmetric/asymmetric typical/atypical
    mother/father arrears/advance upstairs/downstairs
    """.split()
)
"""Words that a sentence sets against each other, though one does not deny the other."""
