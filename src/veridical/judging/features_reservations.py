"""Why a passage may say less than a claim although nothing in it disagrees.

Reservations keep a claim from full support at the strict point only: a reader should look.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from veridical.judging.alignment import FIRM, Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.clauses import AUXILIARIES, PREPOSITIONS, shares_condition, turns_condition
from veridical.judging.features_manner import DOUBTS, HEDGES
from veridical.judging.pairing import mixed, strays, unplaced
from veridical.judging.rates import is_rate
from veridical.judging.tenses import is_finite_past
from veridical.validation import lexicon

CONDITIONS = frozenset(
    """
    if unless except excluding until provided providing subject only otherwise depending pending
    without
    """.split()
)
"""Words that bind what a sentence says to something else."""

UNCERTAIN = HEDGES | DOUBTS | lexicon.RESTRICTIONS
"""Words by which a sentence does not say what it seems to say."""

LIGHT = frozenset(
    """
    get gets got getting receive receives received receiving entitled entitle entitles eligible
    given give gives granted grant grants provided provide provides offered offer offers available
    take takes taken includes include apply applies use used make makes made
    per each every any all our your company companys employer currently regular
    year annually yearly
    """.split()
)
"""Words that a paraphrase may add, drop or exchange without saying anything else."""

_UNSURE = HEDGES - lexicon.MODALS.keys() - {"reported", "thought", "whether"}
"""Hedges that are nothing else besides: accidents are reported."""

NOT_IN_FORCE = frozenset(
    """
    proposed proposes proposal propose draft drafted theory theoretically paper abolished abolish
    repealed withdrawn superseded cancelled former formerly previously once planned rumour rumoured
    rumor rumored alleged allegedly supposedly longer rejected refused denied withdraw withdraws
    withdrew revoke revokes revoked rescind rescinds rescinded annul annulled overturned overruled
    retracted scrapped
    """.split()
)
"""Words that say of a rule that it is none, or none any more."""

_TAKES_BACK = DOUBTS | NOT_IN_FORCE
_NEVER_QUALIFY = (
    lexicon.NEGATIONS
    | PREPOSITIONS
    | frozenset(
        "all every each while because when where even also whereas although though since "
        "whoever everyone everybody anyone anybody somebody someone".split()
    )
)
_DISTANT = ("within the meaning",)
"""Words after the claim's last that refer to a definition."""

_ALL = frozenset("all every always only solely exclusively entirely completely".split())
_ASKS = frozenset("if whether before without unless than more".split())
"""Beside these, "any" says no more than "a"."""

_EACH = frozenset("each any whoever everyone everybody anyone".split())
"""Other words for every."""


def find_reservations(
    alignment: Alignment, standing: Sequence[int], sentences: Sequence[str], known: set[str]
) -> Iterator[str]:
    """Plain sentences, one for each reservation. `standing` are the columns of the passage that the
    claim stands on, `sentences` those that decide; `known` are stems of heading and context.
    """
    a = alignment
    inside = np.array(standing, np.int64)
    said = [a.passage[i] for i in inside]
    ours = {word.key for word in a.claim_all}
    bound = condition(a, standing)
    if bound is not None:
        yield f'The passage attaches a condition ("{bound.text}").'
    unsure = [word for word in said if word.key in _UNSURE]
    if unsure and not ours & HEDGES:  # so none of them is the claim's
        yield f'The passage does not commit itself ("{unsure[0].text}").'
    stems = {word.stem for word in a.claim_all}
    doubted = [
        word
        for at, word in enumerate(said)
        if word.key in _TAKES_BACK and word.stem not in stems
        if not _is_time(said, at) and not _is_of_things(said, at)
    ]
    if not ours & lexicon.NEGATIONS:
        doubted += [word for word in said if word.key in _REFUSES and word.stem not in stems]
    if doubted:
        yield f'The passage may take it back ("{doubted[0].text}").'
    sweeping = _sweeping(a, said)
    if sweeping is not None:
        yield f'The passage does not say "{sweeping}".'
    if any(sentence.rstrip().endswith("?") for sentence in sentences):
        yield "The passage asks; it does not say."
    other = mixed(a, standing)
    if other is not None:
        yield f'The passage says "{other}" of something else.'
    stray = strays(a, standing)
    if stray is not None:
        yield f'The passage says "{stray}" of something else.'
    open_to = unplaced(a, standing, known)
    if open_to is not None:
        yield f'The passage gives several values, and does not say which is that of "{open_to}".'
    narrower = _narrower(a, inside, known)
    if narrower is not None:
        yield f'The passage speaks of "{narrower}", which is narrower than the claim.'


def _is_time(said: Sequence[Word], at: int) -> bool:
    """Whether "once" says when or how often: only behind "was" and the like is it long ago."""
    return said[at].key == "once" and not (at and said[at - 1].key in _WAS)


_WAS = frozenset("was were had is are".split())


def _is_of_things(said: Sequence[Word], at: int) -> bool:
    """Whether "absence" or "lack" is of people and things: that of evidence is a doubt."""
    if said[at].key not in ("absence", "lack"):
        return False
    return _EVIDENCE.isdisjoint(word.key for word in said[at + 1 : at + 4])


_EVIDENCE = frozenset(
    """
    evidence proof data effect effects link association correlation difference benefit benefits
    support consensus certainty clarity significance confirmation
    """.split()
)


def _sweeping(a: Alignment, said: Sequence[Word]) -> str | None:
    """A word by which the claim speaks of all, and the passage in no way does."""
    claim = a.claim_all
    ours = {word.key for at, word in enumerate(claim) if not is_rate(claim, at)}
    theirs = {word.key for word in said}
    sweeping = sorted(ours & _ALL)
    if "any" in ours and not ours & (_ASKS | lexicon.NEGATIONS) and not theirs & (_ALL | _EACH):
        return "any"
    if not sweeping or theirs & _ALL:
        return None
    if sweeping == ["only"] and "unless" in theirs and _is_only_if(ours, theirs):
        return None
    if sweeping == ["every"] and (theirs & _EACH or _is_said_of_all(a.claim_all, said)):
        return None
    return sweeping[0]


def _is_said_of_all(claim: Sequence[Word], said: Sequence[Word]) -> bool:
    """Whether the passage begins with the plural of what the claim says of every one, and goes on
    with words of the claim.
    """
    plurals = {f"{noun.key}s" for word, noun in pairwise(claim) if word.key == "every"}
    stems = {word.stem for word in claim}
    return any(
        one.key in plurals
        and (at == 0 or one.border == ";")
        and (after.stem in stems or after.key in LIGHT | AUXILIARIES - lexicon.MODALS.keys())
        for at, (one, after) in enumerate(pairwise(said))
    )


def condition(a: Alignment, standing: Sequence[int]) -> Word | None:
    """The word by which the clauses bind what they say to something that the claim has not."""
    ours = {word.key for word in a.claim_all}
    theirs = {a.passage[column].key for column in standing}
    binding = CONDITIONS - ours
    if not theirs & binding and "if" not in theirs:
        return None
    for at, column in enumerate(standing):
        word = a.passage[column]
        before = a.passage[column - 1].key if column and not word.border else ""
        if word.key == "if" and before in _NO_CONDITION:
            continue
        if word.key == "if" and word.key in ours and turns_condition(a, standing, at):
            return word
        if word.key not in binding:
            continue
        if word.key == "only" and (before in _MODES or _is_of_first(a, column)):
            continue
        if word.key == "until" and _is_clock(a.passage[column + 1 : column + 3]):
            continue
        if word.key == "otherwise" and before and before not in CONDITIONS | {"as", "where"}:
            continue  # "does not decide otherwise"
        if word.key == "otherwise" and word.border:
            continue  # ", otherwise it counts as approved"
        if word.key == "unless" and _is_only_if(ours, theirs):
            continue
        if word.key in _SHAREABLE and shares_condition(a, standing, at):
            continue
        return word
    return None


_REFUSES = frozenset("excluded exempt prohibited forbidden refused denied rejected".split())
_NO_CONDITION = frozenset({"as", "even"})


def _is_of_first(a: Alignment, column: int) -> bool:
    """Whether a word stands in the first of two things that are said, and the claim says only the
    second: "is valid on that day only and is not refunded".
    """
    sentence = a.sentence_at[column]
    behind = [c for c in range(column + 1, len(a.passage)) if a.sentence_at[c] == sentence]
    joins = (c for c in behind[:-1] if a.passage[c].key == "and")
    join = next((c for c in joins if a.passage[c + 1].key in AUXILIARIES), None)
    if join is None:
        return False
    front = [c for c in range(column) if a.sentence_at[c] == sentence]
    verb = next((at for at, c in enumerate(front) if a.passage[c].key in AUXILIARIES), None)
    said = front[verb:] if verb is not None else front
    return not any(a.passage[c].content and a.is_held[c] for c in said) and any(
        a.passage[c].content and a.is_held[c] for c in range(join, behind[-1] + 1)
    )


def _is_clock(words: Sequence[Word]) -> bool:
    """Whether a time of day begins here: 9 pm, 18:00, noon."""
    keys = [word.key for word in words]
    if keys[:1] and keys[0] in ("noon", "midnight"):
        return True
    number = bool(words) and words[0].number is not None
    return number and (words[0].unit == "o'clock" or keys[1:2] in (["am"], ["pm"]))


_MODES = frozenset("read write append view".split())
"""In front of "only" these tell of a thing, not of a condition: a read-only copy."""

_SHAREABLE = frozenset({"if", "provided", "providing"})
"""Conditions that a claim may put in other words. Not unless, which is the other way round."""


def _is_only_if(ours: set[str], theirs: set[str]) -> bool:
    """Whether a claim says "only if" where the passage says "not unless"."""
    denied = theirs & lexicon.NEGATIONS - {"unless"}
    return {"only", "if"} <= ours and not ours & lexicon.NEGATIONS and bool(denied)


def _narrower(a: Alignment, inside: NDArray[np.int64], known: set[str]) -> str | None:
    """A qualifier that the passage puts right before the claim's first word or right after its
    last, and the claim lacks: part-time staff, where the claim speaks of staff.
    """
    rows = [row for row, word in enumerate(a.claim) if word.content]
    if not rows or not len(inside):
        return None
    for row, step in ((rows[0], -1), (rows[-1], 1)):
        column = int(inside[int(np.argmax(a.match[row, inside]))])
        beside = column + step
        if a.match[row, column] < FIRM or not 0 <= beside < len(a.passage):
            continue
        word = a.passage[beside]
        if a.sentence_of[beside] != a.sentence_of[column] or not word.content:
            continue
        if a.passage[max(column, beside)].border or word.stem in known:
            continue
        if " ".join(one.key for one in a.passage[beside : beside + 3]) in _DISTANT:
            continue
        if step < 0 and (word.key in _SAID or _is_title(a, beside)):
            continue
        if a.match[:, beside].max() < FIRM and word.key not in LIGHT and _may_qualify(word):
            pair = (a.passage[min(column, beside)], a.passage[max(column, beside)])
            return " ".join(one.text for one in pair)
    return None


def _is_title(a: Alignment, column: int) -> bool:
    """Whether a word in front of a name says what somebody is: the merchant Otto Lind."""
    word = a.passage[column]
    if not a.passage[column + 1].named or word.named or word.key in _NO_TITLES:
        return False
    return not column or not is_finite_past(word, a.passage[column - 1])


_SAID = frozenset("said says told added asked warned".split())
_NO_TITLES = frozenset(
    "former ex late acting future young old elder younger alleged supposed mock fake deputy vice "
    "early modern ancient northern southern eastern western".split()
)
"""Words in front of a name that make another of what it names."""


def _may_qualify(word: Word) -> bool:
    units = {word.key, word.key.removesuffix("s")} & lexicon.UNITS
    return word.key not in _NEVER_QUALIFY and not units
