"""Words that come again: lines that begin alike, and what comes back at the end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.speech.offline import cues
from veridical.speech.offline.moments import Found, MomentKind, Talk

EARLY, LATE = 0.34, 0.82
"""What is heard only before the one share and again after the other has come back."""

LEAST_PHRASE, MOST_PHRASE = 2, 8
_OPENED = 3
"""Words behind the beginning of a line in which a speaker may correct himself."""
IN_A_ROW_TOKENS = 45
"""Lines that begin alike belong together where the next begins within so many words."""


def phrases(talk: Talk) -> list[tuple[int, list[int]]]:
    """The phrases that are said more than once: how many tokens, and where each starts.

    Only the longest of those that lie in one another, and only such as have a word of their own.
    """
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for sentence in talk.sentences:
        for size in range(LEAST_PHRASE, MOST_PHRASE + 1):
            for first in range(sentence.start, sentence.stop - size + 1):
                known = places[tuple(talk.keys[first : first + size])]
                if not known or known[-1] + size <= first:
                    known.append(first)
    again = [(keys, known) for keys, known in places.items() if len(known) > 1]
    again.sort(key=lambda entry: (-len(entry[0]) * len(entry[1]), entry[1][0]))
    chosen: list[tuple[int, list[int]]] = []
    taken: Counter[int] = Counter()
    for keys, known in again:
        inside = sum(taken[first] > 0 for first in known)
        if inside * 2 > len(known) or not any(map(cues.tells, keys)):
            continue
        if any(talk.stumbles(range(first, first + len(keys))) for first in known):
            continue
        size, starts = _whole(talk, len(keys), known)
        chosen.append((size, starts))
        taken.update(index for first in starts for index in range(first, first + size))
    return chosen


def _whole(talk: Talk, size: int, known: list[int]) -> tuple[int, list[int]]:
    """A phrase with what follows it everywhere in its sentence; without what only leads to it."""
    if len(known) == 2:
        ends = [talk.sentences_at(range(first, first + 1))[0].stop for first in known]
        while (
            size < talk.policy.max_tokens
            and all(first + size < end for first, end in zip(known, ends, strict=True))
            and len({talk.keys[first + size] for first in known}) == 1
        ):
            size += 1
    for lead in (2, 1):
        if size - lead >= LEAST_PHRASE and all(talk.is_border(first + lead) for first in known):
            return size - lead, [first + lead for first in known]
    return size, known


def repetitions(talk: Talk) -> Iterator[Found]:
    """Phrases that begin one line after another, or come back at the end."""
    for size, known in phrases(talk):
        starts = [first for first in known if _begins(talk, first, size)]
        rows = [first for a, b in pairwise(starts) if b - a <= IN_A_ROW_TOKENS for first in (a, b)]
        told = sum(map(cues.tells, talk.keys[known[0] : known[0] + size]))
        shares = [talk.share(range(first, first + size)) for first in known]
        apart = [share for share in shares if EARLY < share < LATE]
        if shares[0] <= EARLY and shares[-1] >= LATE and not apart and size + told > 4 and told > 1:
            if all(_bounded(talk, first, size) for first in (known[0], known[-1])):
                yield _return(talk, size, known, told)
        elif told and _goes_on(talk, size, rows) and _is_row(talk, size, rows):
            yield _row(talk, size, sorted(set(rows)), told)


def _goes_on(talk: Talk, size: int, starts: Sequence[int]) -> bool:
    """Whether the first and the last of some lines go on after what they begin with."""
    ends = [at + size for at in (starts[0], starts[-1])] if starts else []
    return bool(ends) and all(at < len(talk.keys) and not talk.is_border(at) for at in ends)


def _is_row(talk: Talk, size: int, starts: Sequence[int]) -> bool:
    """Whether three sentences begin here, or two of them one right after the other."""
    if len(set(starts)) > 2 or size < 3:
        return len(set(starts)) > 2
    begun = [talk.sentences_at(range(at, at + 1))[0] for at in starts]
    return any(a.stop == b.start for a, b in pairwise(begun))


def _begins(talk: Talk, first: int, size: int) -> bool:
    """Whether a sentence that is gone through with begins here, or one word before."""
    (sentence, *_) = talk.sentences_at(range(first, first + 1))
    joined = first == sentence.start + 1 and talk.keys[sentence.start] in ("and", "or", "but")
    opened = range(first, min(sentence.stop, first + size + _OPENED))
    opens = first == sentence.start or joined
    return opens and not talk.breaks_off(sentence) and not talk.stumbles(opened)


def _bounded(talk: Talk, first: int, size: int) -> bool:
    """Whether a clause begins or ends with a phrase."""
    past = first + size
    return talk.is_border(first) or past >= len(talk.keys) or talk.is_border(past)


def _rest(talk: Talk, at: int, most: int = 7) -> str:
    """The words from here to the end of the sentence, as far as there is room."""
    sentence = talk.sentences_at(range(at, at + 1))
    past = sentence[0].stop if sentence else at + 1
    return talk.words(range(at, past), most)


def _before(talk: Talk, at: int) -> str:
    """The end of what was said before the sentence of a token, up to six words; else nothing."""
    here = talk.sentences_at(range(at, at + 1))
    before = talk.sentences_at(range(here[0].start - 1, here[0].start)) if here else ()
    if not before or here[0].start == 0:
        return ""
    return talk.words(range(max(before[0].start, before[0].stop - 6), before[0].stop))


def _return(talk: Talk, size: int, known: Sequence[int], told: int) -> Found:
    said = talk.words(range(known[-1], known[-1] + size), 15)
    first, last = _before(talk, known[0]), _before(talk, known[-1])
    heard = f"First they followed “{first}”, at the end they followed “{last}”. "
    whole = range(known[-1], known[-1] + size)
    return Found(
        MomentKind.RETURN,
        whole if size >= talk.policy.min_tokens else talk.ending(whole),
        f"You came back to the words “{said}” as you closed.",
        (heard if min(len(first.split()), len(last.split())) > 2 and first != last else "")
        + "The same words mean more the second time, because all that you told in between is now "
        "in them.",
        min(0.97, 0.8 + 0.02 * size + 0.02 * told),
        f"the return of “{said}”",
        range(known[-1], known[-1] + size),
    )


def _row(talk: Talk, size: int, known: Sequence[int], told: int) -> Found:
    said = talk.words(range(known[0], known[0] + size), MOST_PHRASE)
    ends = [_rest(talk, first + size, 6) for first in (known[0], known[-1])]
    return Found(
        MomentKind.REPETITION,
        range(known[0], known[0] + size),
        f"You began one line after another with “{said}”.",
        f"The beginning stays and the ending grows, from “{ends[0]}” to “{ends[1]}”. The ear knows "
        "what is coming and waits for what is new.",
        min(0.95, 0.6 + 0.05 * told + 0.07 * (len(known) - 1)),
        f"the lines that begin with “{said}”",
        range(known[0], known[0] + size),
    )
