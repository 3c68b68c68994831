"""Hard signs that a passage says something else than a claim. Each forbids full support by itself.

Other than the checks on quotes (`veridical.validation`), these compare what is said, not how it is
written: two weeks are 14 days, and what is prohibited is not allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from veridical.judging.alignment_words import UNCOUNTED, Word, comparable, same_quantity
from veridical.judging.bounds import bound_of, unbound
from veridical.judging.denials import (
    bar_unless,
    denials,
    denies_all,
    left_over,
    opposed_words,
    same_lack,
    stems_of,
)
from veridical.validation import lexicon
from veridical.validation.differences import AlterationKind

_YEARS = range(1000, 2200)
_LEAST_NAME = 3


@dataclass(frozen=True, slots=True)
class Conflict:
    """The claim has `claimed` where the passage has `said`, which is empty where it has nothing."""

    kind: AlterationKind
    claimed: str
    said: str
    claim_word: Word | None = None
    said_word: Word | None = None

    @property
    def note(self) -> str:
        """The conflict as a plain sentence."""
        if self.kind is AlterationKind.WORDING:
            return f'The passage says "{self.said}", the other way round than the claim.'
        if self.claimed and self.said:
            return f'The passage says "{self.said}", the claim "{self.claimed}".'
        if self.said:
            return f'The passage says "{self.said}", which the claim does not.'
        return f'The passage does not say "{self.claimed}".'


def find_conflicts(
    claim: Sequence[Word],
    said: Sequence[Word],
    around: Sequence[Word],
    denying: Sequence[Word] | None = None,
) -> tuple[Conflict, ...]:
    """All hard signs between a claim and the words that would decide on it.

    `around` are words in which a name of the claim may stand as well: the rest of the passage, its
    heading, and what the claim's pronouns refer to. `denying` are those of `said` whose denials
    count, all if not given.
    """
    return (
        *_numbers(claim, said),
        *_dates(claim, said),
        *_names(claim, [*said, *around]),
        *_denials(unbound(claim), unbound(said if denying is None else denying)),
        *_modals(claim, said),
    )


def _numbers(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    ours = [word for word in claim if word.number is not None]
    theirs = [word for word in said if word.number is not None]
    free = [o for o in theirs if not any(same_quantity(word, o) for word in ours)]
    for at, word in enumerate(ours):
        same = [other for other in theirs if same_quantity(word, other)]
        if not same and _is_rank(word, said):
            continue
        # "Rule 27 gives 27 days" is not borne out by "Rule 7 gives 27 days".
        alike = [earlier for earlier in ours[:at] if same_quantity(word, earlier)]
        rivals = (_instead(one, free) for one in _unlike((word, *alike)))
        other = next((rival for rival in rivals if rival is not None), None)
        if not same or (len(alike) >= len(same) and other is not None):
            kind = AlterationKind.DATE if is_year(word) else AlterationKind.NUMBER
            if other is not None and word.number == other.number:
                kind = AlterationKind.UNIT
            yield Conflict(kind, shown(word), shown(other) if other else "", word, other)
            continue
        bounds, bound = {bound_of(said, other) for other in same}, bound_of(claim, word)
        if bound is not None and bound not in bounds:
            named = min(b or "" for b in bounds)
            kinds = [" ".join(filter(None, (b, shown(word)))) for b in (bound, named)]
            yield Conflict(AlterationKind.NUMBER, kinds[0], kinds[1])


def _unlike(words: Sequence[Word]) -> list[Word]:
    """Each of some numbers once: one that stands hundreds of times is looked at once."""
    return list({(word.number, word.unit, word.text): word for word in words}.values())


def _is_rank(word: Word, said: Sequence[Word]) -> bool:
    """Whether a rank begins a sentence of the passage, where it is not read as a number."""
    return word.unit in UNCOUNTED and any(
        other.number is None and other.key == word.text.casefold() for other in said
    )


def _instead(word: Word, free: Sequence[Word]) -> Word | None:
    """The number that stands where the claim's number should."""
    alike = [other for other in free if comparable(word, other)]
    alike = alike or [other for other in free if other.number == word.number]
    alike = alike or [o for o in free if o.unit == word.unit and is_year(o) == is_year(word)]
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
    free = [word for word in said if is_date(word) and word.key[:_LEAST_NAME] not in ours]
    for word in claim:
        if is_date(word) and word.key[:_LEAST_NAME] not in known:
            other = next((o for o in free if _same_sort(o, word)), None)
            free = [o for o in free if o is not other]
            yield Conflict(AlterationKind.DATE, word.text, other.text if other else "", word, other)


def is_date(word: Word) -> bool:
    """Whether a word is a month, a weekday or a season."""
    if word.key in lexicon.AMBIGUOUS_DATE_WORDS:
        return word.named
    return word.key in lexicon.DATE_WORDS


def _same_sort(one: Word, other: Word) -> bool:
    return one.key.endswith("day") == other.key.endswith("day")


def _names(claim: Sequence[Word], known: Sequence[Word]) -> Iterator[Conflict]:
    names = [w for w in claim if w.named and w.number is None and not is_date(w)]
    if not names:
        return
    stems = {word.stem for word in known}
    missing = [word for word in names if word.stem not in stems]
    initials = "".join(word.key[:1] for word in known if word.content) if missing else ""
    for word in missing:
        short = word.text.isupper() and len(word.text) >= _LEAST_NAME - 1
        if not (short and word.key in initials) and not _spelled_out(word, claim, known):
            yield Conflict(AlterationKind.NAME, word.text, "", word)


def _spelled_out(word: Word, claim: Sequence[Word], known: Sequence[Word]) -> bool:
    """Whether a name is one of several words that the passage has as their initials."""
    named = [other.key[:1] for other in claim if other.named]
    short = {other.key for other in known if other.text.isupper() and len(other.text) > 1}
    return len(named) > 1 and any(
        other in "".join(named) and word.key[:1] in other for other in short
    )


def _denials(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    """A denial that only one side has, and words that deny each other; two of them cancel out."""
    opposites = list(opposed_words(claim, said))
    ours, theirs = denials(claim), denials(said)
    if not ours and {"only", "if"} <= {word.key for word in claim} and bar_unless(theirs):
        theirs = []
    ours_of, theirs_of = stems_of(ours), stems_of(theirs)
    pairs = {word.stem for pair in opposites for word in pair}
    if ours and not theirs:
        if ours_of & pairs:  # not allowed, prohibited
            return
        yield Conflict(AlterationKind.NEGATION, ours[0][0].text, "", ours[0][0])
    elif theirs and not ours:
        if theirs_of & pairs:
            return
        claimed = {word.stem for word in claim}
        for denial, scope in theirs:
            if denies_all(scope) or any(word.stem in claimed for word in scope):
                yield Conflict(AlterationKind.NEGATION, "", denial.text, None, denial)
                break
    elif ours and not ours_of & theirs_of and not same_lack(claim, said):
        yield Conflict(AlterationKind.NEGATION, ours[0][0].text, theirs[0][0].text)
    elif ours and (more := left_over(claim, ours, theirs)) is not None:
        yield Conflict(AlterationKind.NEGATION, "", more.text, None, more)
    for word, other in opposites:
        yield Conflict(AlterationKind.NEGATION, word.text, other.text, word, other)


def _modals(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    ours, theirs = _modal_kinds(claim), _modal_kinds(said)
    alike = (ours.keys() | forbids(claim)) & (theirs.keys() | forbids(said))
    if ours and theirs and not alike:
        one, other = (kinds[min(kinds)] for kinds in (ours, theirs))
        yield Conflict(AlterationKind.NEGATION, one.text, other.text)


def _modal_kinds(words: Sequence[Word]) -> dict[str, Word]:
    return {
        lexicon.MODALS[word.key]: word
        for word in words
        if word.key in lexicon.MODALS and not is_date(word)
    }


def forbids(words: Sequence[Word]) -> set[str]:
    """The kind "may" where something must not be: it denies that it may."""
    pairs = pairwise(words)
    forbids = any(w.key in ("must", "shall") and n.key in ("not", "never") for w, n in pairs)
    return {"may"} if forbids or any(word.key == "mustnt" for word in words) else set()
