"""Are values and things joined by the same small words: and or or, from or until, working days?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.judging.alignment import FIRM, Alignment
from veridical.judging.alignment_words import Word, same_quantity
from veridical.validation import lexicon

_EITHER = {"or": "and", "and": "or"}

_FROM = frozenset("from since starting beginning".split())
_UNTIL = frozenset("until till before by".split())
_AFTER = frozenset("after following".split())
_ENDS = {
    **dict.fromkeys(_FROM, "from"),
    **dict.fromkeys(_UNTIL, "until"),
    **dict.fromkeys(_AFTER, "after"),
}
_AGREE = frozenset({("from", "after"), ("after", "from")})

_WHICH = {
    **dict.fromkeys(("working", "business", "work"), "working"),
    "consecutive": "consecutive",
    "school": "school",
    "trading": "trading",
    "bank": "bank",
    "square": "square",
    "cubic": "cubic",
    "nautical": "nautical",
    "net": "net",
    "gross": "gross",
}
"""Words between a number and what it counts that say which of it is meant. Days without one are
calendar days."""

_MOST_BETWEEN = 2


def joined_otherwise(a: Alignment, standing: Sequence[int]) -> tuple[str, str] | None:
    """What the claim joins by one small word and the passage by another, as the claim and as the
    passage has it; None where they agree. `standing` are the columns that the claim stands on.
    """
    said = [a.passage[column] for column in standing]
    for read in (
        _ends, _which, _parts, _ranks, _changes, _each, _sides, _opposites, _switched,
        _was, _at_most_times, _included,
    ):  # fmt: skip
        for found in read(a.claim_all, said):
            return found
    return next(_either(a, standing), None)


def _ends(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """From 9 am, where it is until 9 am."""
    for at, word in enumerate(claim):
        if word.number is None:
            continue
        ours = _end_before(claim, at)
        theirs = {_end_before(said, i) for i, o in enumerate(said) if same_quantity(word, o)}
        if ours is None or not theirs or None in theirs or ours in theirs:
            continue
        if not any((ours, other) in _AGREE for other in theirs):
            yield f"{ours} {word.text}", f"{min(filter(None, theirs))} {word.text}"


def _end_before(words: Sequence[Word], at: int) -> str | None:
    """On which side of a value it holds, by the word in front; "from 8 to 6" has no side."""
    before = [word.key for word in words[max(0, at - _MOST_BETWEEN) : at]]
    for key in reversed(before):
        if key in _ENDS:
            return _ENDS[key]
        if key not in ("the", "of", "and"):
            return None
    return None


def _which(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Ten days, where it is ten working days."""
    for at, word in enumerate(claim):
        if word.number is None:
            continue
        ours = _which_behind(claim, at)
        theirs = [_which_behind(said, i) for i, o in enumerate(said) if same_quantity(word, o)]
        if theirs and ours not in theirs:
            yield _named(word, ours), _named(word, theirs[0])


def _which_behind(words: Sequence[Word], at: int) -> str:
    for word in words[at + 1 : at + 1 + _MOST_BETWEEN]:
        if word.border or not word.content:
            break  # "per calendar year"
        if word.key in _WHICH:
            return _WHICH[word.key]
    return ""


def _named(word: Word, which: str) -> str:
    return " ".join(filter(None, (word.text, which, word.unit or "")))


_OF_WHOLE = frozenset("of in out".split())
_PART = frozenset("some most few none many half several any each neither both".split())


def _parts(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Five, where it is two of the five."""
    for at, word in enumerate(claim):
        if word.number is None or _is_whole(claim, at):
            continue
        theirs = [i for i, other in enumerate(said) if same_quantity(word, other)]
        if theirs and all(_is_whole(said, i) for i in theirs):
            first = max(0, theirs[0] - _MOST_BETWEEN - 1)
            yield word.text, " ".join(one.text for one in said[first : theirs[0] + 1])


def _is_whole(words: Sequence[Word], at: int) -> bool:
    """Whether a number is what something is a part of: "two of the five", "one in five"."""
    before = list(words[max(0, at - _MOST_BETWEEN - 1) : at])
    while before and before[-1].key in ("the", "these", "those", "our", "their", "its"):
        before.pop()
    if len(before) < _MOST_BETWEEN or before[-1].key not in _OF_WHOLE:
        return False
    part = before[-2]
    return part.key in _PART or part.key == "one" or (part.number is not None and not part.unit)


def _ranks(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Three attempts, where it is the third."""
    for at, word in enumerate(claim):
        if word.number is None or not claim[at + 1 : at + 2]:
            continue
        theirs = [other for other in said if same_quantity(word, other)]
        rank = _is_rank(word)
        if theirs and all(_is_rank(other) != rank for other in theirs) and not _names(claim, at):
            yield word.text, theirs[0].text


def _is_rank(word: Word) -> bool:
    return word.key.endswith(".")


def _names(words: Sequence[Word], at: int) -> bool:
    """Whether a number is a name: section 3, phase 2, 3 May."""
    if at and words[at - 1].content and words[at - 1].number is None:
        return True
    return at + 1 < len(words) and words[at + 1].key in lexicon.DATE_WORDS


_CHANGES = frozenset(
    """
    rise rises rose risen raise raises raised increase increases increased grow grows grew grown
    climb climbed fall falls fell fallen drop drops dropped decrease decreases decreased reduce
    reduces reduced cut lower lowered shrink shrank decline declined go goes went
    """.split()
)


def _changes(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Rose by 50, where it rose to 50."""
    if not any(word.key in _CHANGES for word in (*claim, *said)):
        return
    for at, word in enumerate(claim):
        ours = _by_or_to(claim, at)
        theirs = {_by_or_to(said, i) for i, other in enumerate(said) if same_quantity(word, other)}
        if ours and theirs and "" not in theirs and ours not in theirs:
            yield f"{ours} {word.text}", f"{min(theirs)} {word.text}"


def _each(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """10 mg, where it is 10 mg per kilogram."""
    if any(word.key in _PER for word in claim):
        return
    for word in claim:
        if word.number is None:
            continue
        theirs = [_per_behind(said, i) for i, o in enumerate(said) if same_quantity(word, o)]
        if theirs and all(theirs):
            yield word.text, f"{word.text} {theirs[0]}"


_PER = frozenset("per each every apiece a an".split())


def _per_behind(words: Sequence[Word], at: int) -> str:
    for i in range(at + 1, min(at + 4, len(words) - 1)):
        if words[i].border:
            break
        if words[i].key == "per":
            return f"per {words[i + 1].text}"
    return ""


def _sides(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """30 days before, where it is within 30 days of it."""
    for at, word in enumerate(claim):
        if word.number is None:
            continue
        ours = _side_behind(claim, at)
        theirs = {_side_behind(said, i) for i, o in enumerate(said) if same_quantity(word, o)}
        if ours and theirs and ours not in theirs:
            yield f"{word.text} {ours}", f"{word.text} {min(theirs)}".strip()


def _side_behind(words: Sequence[Word], at: int) -> str:
    following = [word.key for word in words[at + 1 : at + 3] if not word.border]
    return next((_SIDES[key] for key in following if key in _SIDES), "")


_SIDES = {
    **dict.fromkeys(("before", "prior", "ahead", "earlier"), "before"),
    **dict.fromkeys(("after", "later", "following"), "after"),
}


def _opposites(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """The left side, where it is the right side: in front of the same word, or behind it."""
    ours, theirs = {word.key for word in claim}, {word.key for word in said}
    for one, other in _OPPOSITE:
        for mine, yours in ((one, other), (other, one)):
            changed = mine in ours - theirs and yours in theirs - ours
            if changed and _beside(claim, mine) & _beside(said, yours):
                yield mine, yours


_OPPOSITE = tuple(
    tuple(pair.split("/"))
    for pair in """
    left/right east/west eastern/western north/south northern/southern on/off inside/outside
    within/outside upper/lower front/rear front/back during/after during/before before/after
    """.split()
)


_PAIRED = ("on/off", "left/right", "inside/outside", "upper/lower", "front/rear")


def _switched(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Off by what is behind "on", where the passage has both."""
    for pair in _PAIRED:
        one, other = pair.split("/")
        for mine, yours in ((one, other), (other, one)):
            tail = _tail(claim, mine, yours)
            if tail and not any(word.key == yours for word in claim):
                own, theirs = _tail(said, mine, yours), _tail(said, yours, mine)
                if own and theirs and len(tail & theirs) > len(tail & own):
                    yield mine, yours


def _tail(words: Sequence[Word], key: str, until: str) -> set[str]:
    """The stems of the telling words behind the first `key`, up to the word `until`."""
    keys = [word.key for word in words]
    if key not in keys:
        return set()
    start = keys.index(key) + 1
    end = keys.index(until, start) if until in keys[start:] else len(words)
    return {word.stem for word in words[start:end] if word.content}


def _was(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Is 100, where it was 100 and is something else."""
    if not any(word.key in ("is", "are") for word in said):
        return
    for at, word in enumerate(claim):
        if word.number is None or _verb_before(claim, at) not in ("is", "are"):
            continue
        verbs = {
            _verb_before(said, i) for i, other in enumerate(said) if same_quantity(word, other)
        }
        if verbs and verbs <= {"was", "were"}:
            yield f"is {word.text}", f"{min(verbs)} {word.text}"


def _verb_before(words: Sequence[Word], at: int) -> str:
    """The form of "to be" that a value stands behind, in its part of the sentence."""
    for place in range(at, -1, -1):
        if words[place].key in ("is", "are", "was", "were"):
            return words[place].key
        if words[place].border == ";":
            break
    return ""


_TIMES = frozenset("twice double doubled thrice triple tripled half threefold twofold".split())


def _at_most_times(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Twice as fast, where it is up to twice as fast."""
    for word in claim:
        theirs = [i for i, other in enumerate(said) if other.key == word.key in _TIMES]
        if theirs and all(_is_up_to(said, i) for i in theirs) and not _has_up_to(claim):
            yield word.text, f"up to {word.text}"


def _is_up_to(words: Sequence[Word], at: int) -> bool:
    return [word.key for word in words[max(0, at - 2) : at]] in (["up", "to"], ["at", "most"])


def _has_up_to(words: Sequence[Word]) -> bool:
    return any(word.key in ("up", "most", "maximum", "can", "may", "could") for word in words)


_INCLUDES = frozenset("include includes included including contains comprises".split())
_ADDS = frozenset("add adds adding added plus additional additionally extra top".split())


def _included(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """A sum that includes another, where that one comes on top."""
    ours, theirs = {word.key for word in claim}, {word.key for word in said}
    numbers = sum(word.number is not None for word in claim)
    if numbers > 1 and ours & _INCLUDES and theirs & _ADDS and not (theirs & _INCLUDES):
        yield min(ours & _INCLUDES), min(theirs & _ADDS)


def _beside(words: Sequence[Word], key: str) -> set[tuple[int, str]]:
    """The telling words next to a word, each with the side on which it stands."""
    found = set()
    for at, word in enumerate(words):
        if word.key != key:
            continue
        before = next((w for w in reversed(words[:at]) if w.content), None)
        behind = next((w for w in words[at + 1 :] if w.content), None)
        found |= {(side, w.stem) for side, w in ((-1, before), (1, behind)) if w is not None}
    return found


def _by_or_to(words: Sequence[Word], at: int) -> str:
    before = words[at - 1].key if at and words[at].number is not None else ""
    return before if before in ("by", "to", "from") else ""


def _either(a: Alignment, standing: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Either, where it is both: between the same two things."""
    if any(word.key in lexicon.NEGATIONS for word in a.claim_all):
        return  # "no calls or messages" is no calls and no messages
    for at, word in enumerate(a.claim_all):
        other = _EITHER.get(word.key)
        if other is None:
            continue
        before, behind = a.rows_before(at), a.rows_behind(at)
        if before and behind and _between(a, standing, before[-1], behind[0]) == {other}:
            both = (a.claim[before[-1]].text, a.claim[behind[0]].text)
            yield f"{both[0]} {word.key} {both[1]}", f"{both[0]} {other} {both[1]}"


def _between(a: Alignment, standing: Sequence[int], left: int, right: int) -> set[str]:
    """The conjunctions that join two words of the claim in the passage, whichever comes first."""
    found: set[str] = set()
    ones = [c for c in standing if a.match[left, c] >= FIRM]
    others = [c for c in standing if a.match[right, c] >= FIRM]
    for one in ones:
        for other in others:
            low, high = sorted((one, other))
            if a.sentence_at[low] != a.sentence_at[high] or high - low > _FARTHEST:
                continue
            found |= {a.passage[c].key for c in range(low + 1, high)} & _EITHER.keys()
    return found


_FARTHEST = 6
"""Words from one to the other of two things that are joined."""
