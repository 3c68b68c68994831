"""The veto: exact values in which a claim differs from the words that decide on it.

A reader of meaning may take one value for another. So numbers, units, dates, names and denials are
compared by themselves, and what differs keeps a claim from full support, whatever a judge says.
Other than the checks on quotes (`veridical.validation`), this compares what is said, not how it is
written: two weeks are 14 days, and what is prohibited is not allowed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from veridical.judging.judge import Case
from veridical.judging.words import UNCOUNTED, Word, comparable, read_words, same_quantity, stem
from veridical.text.reading import NEGATING_SIGNS
from veridical.validation import lexicon
from veridical.validation.differences import AlterationKind

# On which side of a number is meant: 40 % or more, no less than 40 %, at least 40 %.


_BOUNDS_BEFORE = {
    **dict.fromkeys(("at least", "minimum of", "no less than", "no fewer than", "not less than",
                     "not fewer than", "minimum"), "at least"),
    **dict.fromkeys(("at most", "up to", "maximum of", "no more than", "not more than", "maximum",
                     "not exceed", "cannot exceed", "at the most"), "at most"),
    **dict.fromkeys(("more than", "over", "above", "exceeds", "exceeding", "exceed"), "more than"),
    "plus or minus": "plus or minus",
    **dict.fromkeys(("less than", "fewer than", "under", "below"), "less than"),
}  # fmt: skip
_BOUNDS_AFTER = {
    **dict.fromkeys(("or more", "or longer", "or older", "or over", "or above", "at least"),
                    "at least"),
    **dict.fromkeys(("or less", "or fewer", "or below", "or under", "at most", "at the most"),
                    "at most"),
}  # fmt: skip

_NO_BOUND = tuple(f"{word} over" for word in ("carry", "carried", "carries", "carrying", "rolled"))
_MOST_BEFORE = 3
"""Words of the longest of these before a number."""

_MOST_UNIT = 3
"""Words that may name what is counted, between a number and "or more"."""

_MEASURES = frozenset("size total amount length maximum limit number sum weight height age".split())
_POINTING = frozenset("these those".split())


def bound_of(words: Sequence[Word], at: int) -> str | None:
    """At least, at most, more than or less than, for the number at a place; empty if the number
    itself is meant, and None if it only points to one that was named before: these five days.
    """
    if at and words[at - 1].key in _POINTING:
        return None
    found = _phrase(words, at)
    return found[0] if found is not None else ""


def unbound_places(words: Sequence[Word]) -> list[int]:
    """The places of all words but those that bound a number, which deny and oppose nothing: no
    more than.
    """
    dropped: set[int] = set()
    for at, word in enumerate(words):
        if word.number is not None and (found := _phrase(words, at)) is not None:
            dropped.update(range(found[1], found[2]))
    return [at for at in range(len(words)) if at not in dropped]


def _phrase(words: Sequence[Word], at: int) -> tuple[str, int, int] | None:
    """The bound of the number at a place, and where its words begin and end."""
    end = at
    if at >= 3 and [words[at - 3].key, words[at - 1].key] in (["a", "of"], ["the", "of"]):
        end = at - 3 if words[at - 2].key in _MEASURES else at  # up to a size of 25 megabytes
    before = [word.key for word in words[max(0, end - _MOST_BEFORE) : end]]
    if " ".join(before).endswith(_NO_BOUND):
        return None
    for start in range(len(before)):  # the longest first: "no less than" before "less than"
        bound = _BOUNDS_BEFORE.get(" ".join(before[start:]))
        if bound is not None:
            return bound, end - len(before) + start, end
    for start in range(at + 1, min(at + 2 + _MOST_UNIT, len(words))):
        if words[start].border or words[start].number is not None:
            return None
        for length in (2, 3):
            bound = _BOUNDS_AFTER.get(" ".join(word.key for word in words[start : start + length]))
            following = words[start + length : start + length + 1]
            if bound is not None and not (following and following[0].number is not None):
                return bound, start, start + length
    return None


# What a text denies, and which words deny each other.


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
        forms = (*sorted(_OPPOSITES.get(word.stem, ())), *_denied_forms(word.key))
        other = next((by_form[form] for form in forms if form in by_form), None)
        if other is not None and said[other].stem not in ours:
            yield at, other


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


_OPPOSITES = lexicon.by_word(map(stem, pair) for pair in lexicon.OPPOSITES)

_YEARS = range(1000, 2200)
_LEAST_NAME = 3


@dataclass(frozen=True, slots=True)
class Conflict:
    """The claim has `claimed` where the passage has `said`, which is empty where it has nothing.

    `claim_at` is the place of the claim's word that disagrees, from 0; None where it has none.
    """

    kind: AlterationKind
    claimed: str
    said: str
    claim_at: int | None = None

    @property
    def note(self) -> str:
        """The conflict as a plain sentence."""
        if self.claimed and self.claimed.casefold() == self.said.casefold():
            return f'The passage says "{self.said}" of something else than the claim.'
        if self.claimed and self.said:
            return f'The passage says "{self.said}", the claim "{self.claimed}".'
        if self.said:
            return f'The passage says "{self.said}", which the claim does not.'
        return f'The passage does not say "{self.claimed}".'


def vetoes(case: Case, deciding: tuple[int, int], shown: Sequence[str] = ()) -> list[Conflict]:
    """In which exact values a claim differs from the sentences of a case that decide on it.

    A number or date of the claim may also stand in `shown`, the other words that were read for it;
    a name there, in the rest of the passage, or in its heading. Denials, and what bounds a number,
    count from the deciding sentences alone. What the claim's pronouns refer to counts for nothing:
    those are words of the answer.
    """
    low, high = deciding
    claim, said = read_words(case.claim), _words(case.sentences[low:high])
    read = _words(shown)
    found = (
        *_numbers(claim, said),
        *_dates(claim, said),
        *_names(claim, [*read, *_words((*case.sentences, case.heading))]),
        *_denials(_unbound(claim), _unbound(said).words),
        *_modals(claim, said),
        *denying_signs(case.claim, " ".join(case.sentences[low:high])),
    )
    return [one for one in found if not _stands_in(one, claim, read)]


def _words(texts: Sequence[str]) -> list[Word]:
    return [word for text in texts for word in read_words(text)]


def _stands_in(conflict: Conflict, claim: Sequence[Word], read: Sequence[Word]) -> bool:
    """Whether the claim's number or date stands elsewhere in what was read."""
    if conflict.claim_at is None or conflict.kind in (AlterationKind.NEGATION, AlterationKind.NAME):
        return False
    word = claim[conflict.claim_at]
    if word.number is not None:
        return any(same_quantity(word, other) for other in read)
    return any(word.stem == other.stem for other in read)


def describe(conflicts: Sequence[Conflict]) -> str:
    """Conflicts as plain sentences, each once, for a reader of the notes."""
    return " ".join(dict.fromkeys(conflict.note for conflict in conflicts))


def _numbers(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    ours, theirs = _values(claim), _values(said)
    free = {
        place: other
        for place, other in theirs.items()
        if not any(same_quantity(word, other) for word in ours.values())
    }
    earlier: list[Word] = []
    for at, word in ours.items():
        same = [place for place, other in theirs.items() if same_quantity(word, other)]
        # "Rule 27 gives 27 days" is not borne out by "Rule 7 gives 27 days".
        alike = [one for one in earlier if same_quantity(word, one)]
        earlier.append(word)
        if not same and _is_rank(word, said):
            continue
        rivals = (_instead(one, free) for one in _unlike((word, *alike)))
        place = next((rival for rival in rivals if rival is not None), None)
        if not same or (len(alike) >= len(same) and place is not None):
            other = None if place is None else free[place]
            kind = AlterationKind.DATE if is_year(word) else AlterationKind.NUMBER
            if other is not None and word.number == other.number:
                kind = AlterationKind.UNIT
            yield Conflict(kind, shown(word), shown(other) if other else "", at)
            continue
        bounds, bound = {bound_of(said, place) for place in same}, bound_of(claim, at)
        if bound is not None and bound not in bounds:
            named = min(b or "" for b in bounds)
            kinds = [" ".join(filter(None, (b, shown(word)))) for b in (bound, named)]
            yield Conflict(AlterationKind.NUMBER, kinds[0], kinds[1])


def _values(words: Sequence[Word]) -> dict[int, Word]:
    """The numbers by their places, in order."""
    return {place: word for place, word in enumerate(words) if word.number is not None}


def _unlike(words: Sequence[Word]) -> list[Word]:
    """Each of some numbers once: one that stands hundreds of times is looked at once."""
    return list({(word.number, word.unit, word.text): word for word in words}.values())


def _is_rank(word: Word, said: Sequence[Word]) -> bool:
    """Whether a rank begins a sentence of the passage, where it is not read as a number."""
    return word.unit in UNCOUNTED and any(
        other.number is None and other.key == word.text.casefold() for other in said
    )


def _instead(word: Word, free: Mapping[int, Word]) -> int | None:
    """The place of the number that stands where the claim's number should, among those of
    `free`.
    """
    alike = [place for place, other in free.items() if comparable(word, other)]
    alike = alike or [place for place, other in free.items() if other.number == word.number]
    alike = alike or [
        place
        for place, other in free.items()
        if other.unit == word.unit and is_year(other) == is_year(word)
    ]
    return alike[0] if alike else None


def is_year(word: Word) -> bool:
    """Whether a number without a unit is in the range of years."""
    number = word.number
    return (
        number is not None
        and word.unit is None
        and number.denominator == 1
        and int(number) in _YEARS
        and len(word.text) == len(str(number))
    )


def shown(word: Word) -> str:
    """A number as it is written, with its unit."""
    if word.unit is None or word.unit in UNCOUNTED:
        return word.text
    if word.unit in _SIGNS:
        return f"{_SIGNS[word.unit]}{word.text}"
    if word.unit == "percent":
        return f"{word.text} percent"
    plural = "" if word.number == Fraction(1) or len(word.unit) < _LEAST_NAME else "s"
    return f"{word.text} {word.unit}{plural}"


_SIGNS = {"dollar": "$", "euro": "€", "pound": "£", "yen": "¥"}


def _dates(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    known = {word.key[:_LEAST_NAME] for word in said if is_date(word)}
    ours = {word.key[:_LEAST_NAME] for word in claim if is_date(word)}
    free = [
        place
        for place, word in enumerate(said)
        if is_date(word) and word.key[:_LEAST_NAME] not in ours
    ]
    for at, word in enumerate(claim):
        if is_date(word) and word.key[:_LEAST_NAME] not in known:
            other = next((place for place in free if _same_sort(said[place], word)), None)
            free = [place for place in free if place != other]
            shown_there = "" if other is None else said[other].text
            yield Conflict(AlterationKind.DATE, word.text, shown_there, at)


def is_date(word: Word) -> bool:
    """Whether a word is a month, a weekday or a season."""
    if word.key in lexicon.AMBIGUOUS_DATE_WORDS:
        return word.named
    return word.key in lexicon.DATE_WORDS


def _same_sort(one: Word, other: Word) -> bool:
    return one.key.endswith("day") == other.key.endswith("day")


def _names(claim: Sequence[Word], known: Sequence[Word]) -> Iterator[Conflict]:
    names = [
        at
        for at, word in enumerate(claim)
        if word.named and word.number is None and not is_date(word)
    ]
    if not names:
        return
    stems = {word.stem for word in known}
    missing = [at for at in names if claim[at].stem not in stems]
    initials = "".join(word.key[:1] for word in known if word.content) if missing else ""
    for at in missing:
        word = claim[at]
        short = word.text.isupper() and len(word.text) >= _LEAST_NAME - 1
        if not (short and word.key in initials):
            yield Conflict(AlterationKind.NAME, word.text, "", at)


class _Kept(NamedTuple):
    """Some words of a text, and the place of each in it."""

    words: list[Word]
    places: list[int]


def _unbound(words: Sequence[Word]) -> _Kept:
    """A text but for the words that bound a number."""
    kept = unbound_places(words)
    return _Kept([words[place] for place in kept], kept)


def _denials(mine: _Kept, said: Sequence[Word]) -> Iterator[Conflict]:
    """A denial that only one side has, and words that deny each other; two of them cancel out."""
    claim = mine.words
    opposites = list(opposed_words(claim, said))
    ours, theirs = denials(claim), denials(said)
    ours_of, theirs_of = stems_of(ours), stems_of(theirs)
    pairs = {word.stem for at, other in opposites for word in (claim[at], said[other])}
    if ours and not theirs:
        if ours_of & pairs:  # not allowed, prohibited
            return
        yield Conflict(AlterationKind.NEGATION, ours[0].word.text, "", mine.places[ours[0].at])
    elif theirs and not ours:
        if theirs_of & pairs:
            return
        claimed = {word.stem for word in claim}
        for _, denial, scope in theirs:
            if any(word.stem in claimed for word in scope):
                yield Conflict(AlterationKind.NEGATION, "", denial.text)
                break
    elif ours_of != theirs_of and not ours_of & theirs_of:
        yield Conflict(AlterationKind.NEGATION, ours[0].word.text, theirs[0].word.text)
    for at, other in opposites:
        texts = (claim[at].text, said[other].text)
        yield Conflict(AlterationKind.NEGATION, *texts, mine.places[at])


def _modals(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    ours, theirs = _modal_kinds(claim), _modal_kinds(said)
    alike = (ours.keys() | _forbids(claim)) & (theirs.keys() | _forbids(said))
    if ours and theirs and not alike:
        one, other = (kinds[min(kinds)] for kinds in (ours, theirs))
        yield Conflict(AlterationKind.NEGATION, one.text, other.text)


def _modal_kinds(words: Sequence[Word]) -> dict[str, Word]:
    return {
        lexicon.MODALS[word.key]: word
        for word in words
        if word.key in lexicon.MODALS and not is_date(word)
    }


def _forbids(words: Sequence[Word]) -> set[str]:
    """The kind "may" where something must not be: it denies that it may."""
    pairs = pairwise(words)
    forbids = any(w.key in ("must", "shall") and n.key in ("not", "never") for w, n in pairs)
    return {"may"} if forbids or any(word.key == "mustnt" for word in words) else set()


def denying_signs(claim: str, said: str) -> Iterator[Conflict]:
    """Crosses, strokes through letters, writing that is turned round, tags that only one side has:
    none of them is a word, the reader sees none, and any may take back what is said.
    """
    ours, theirs = (set(_DENYING.findall(text)) for text in (claim, said))
    for sign in sorted(ours ^ theirs):
        told = sign if unicodedata.category(sign).startswith("S") else f"U+{ord(sign):04X}"
        yield Conflict(AlterationKind.NEGATION, *((told, "") if sign in ours else ("", told)))
    for tag in sorted({*_TAG.findall(claim)} - {*_TAG.findall(said)}):
        yield Conflict(AlterationKind.NEGATION, tag, "")


_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,99}>")
_DENYING = re.compile(f"[{NEGATING_SIGNS}\u0334-\u0338\u20d2-\u20de\u20e0-\u20eb\u202d\u202e]")
