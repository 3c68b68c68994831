"""How is it meant? The same words assert, deny, ask, order, plan, doubt, or repeat.

Rules over the sentence that holds the words, of which those of the cue itself are left out: a cue
"unable to locate" is not denied by its own "unable". Each rule says no where it cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from veridical.scoring.offline import words as w
from veridical.scoring.offline.heard import Said


class Reading(Enum):
    """How some words are meant. The value goes on from "said at 3:10, but"."""

    ASSERTED = "as it is"
    ASKED = "as a question"
    NOT_DONE = "as an order, a plan or a condition"
    DENIED = "as not being so"
    DOUBTED = "as uncertain"
    READ_BACK = "as a read-back of another's words"


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around the words of a cue, in one string each; empty where there is nothing.

    `before` and `after` belong to the same clause. `earlier` and `later` are the sentence's other
    clauses, `rest` all that follows the words in the sentence.
    """

    before: str
    hit: str
    after: str
    earlier: tuple[str, ...]
    later: tuple[str, ...]

    @property
    def rest(self) -> str:
        """All that follows the words in the sentence."""
        return " ".join(part for part in (self.after, *self.later) if part)


def read(said: Said) -> Reading:
    """How words are meant, by what stands around them in one speaker's turn."""
    around = _around(said)
    if _is_withdrawn(around, said):
        return Reading.DENIED
    if _is_asked(around, said):
        return Reading.ASKED
    if _is_not_done(around):
        return Reading.NOT_DONE
    if _is_denied(around, said):
        return Reading.DENIED
    if _is_doubted(around):
        return Reading.DOUBTED
    return Reading.ASSERTED


# --- The clauses of a sentence -----------------------------------------------------------------

_STOP = re.compile(r"[,;:()\u2013\u2014]|(?<!\S)-+(?!\S)|\.\.|\u2026|[.?!]")


def _around(said: Said) -> Around:
    clauses = _clauses(said.words, said.gaps)
    first = next(i for i, clause in enumerate(clauses) if said.first in clause)
    last = next(i for i, clause in enumerate(clauses) if said.past - 1 in clause)
    before = " ".join(said.words[clauses[first].start : said.first])
    earlier = [" ".join(said.words[c.start : c.stop]) for c in clauses[:first]]
    begun, before = _restarted(before)
    return Around(
        before=before,
        hit=" ".join(said.words[said.first : said.past]),
        after=" ".join(said.words[said.past : clauses[last].stop]),
        earlier=(*earlier, *begun),
        later=tuple(" ".join(said.words[c.start : c.stop]) for c in clauses[last + 1 :]),
    )


def _clauses(said: Sequence[str], gaps: Sequence[str]) -> list[range]:
    """The clauses of a sentence, parted at commas and "but", unless what stands there goes on."""
    cuts = [
        i
        for i in range(1, len(said))
        if _STOP.search(gaps[i]) or (said[i] in w.SPLITTING and said[i - 1] not in w.BUT)
    ]
    pieces = [range(a, b) for a, b in zip([0, *cuts], [*cuts, len(said)], strict=True)]
    joined: list[range] = []
    goes_on = False
    for piece in pieces:
        is_aside = w.PARENTHETICAL.fullmatch(" ".join(said[piece.start : piece.stop])) is not None
        if joined and (goes_on or is_aside):
            joined[-1] = range(joined[-1].start, piece.stop)
        else:
            joined.append(piece)
        goes_on = is_aside or said[piece.stop - 1] in w.BREAKING_OFF
    return joined


def _restarted(before: str) -> tuple[list[str], str]:
    """What stands before a new statement in a clause without commas, and that from there on."""
    for found in reversed(list(w.RESTART.finditer(before))):
        left = before[: found.start()].strip()
        if not left:
            continue
        if left.split()[-1] in w.AUXILIARIES or _governs(left):
            break
        return [left], before[found.start() :]
    return [], before


def _governs(left: str) -> bool:
    """Whether what comes after some words is still a part of what they say."""
    return (
        w.GOVERNING.search(left) is not None
        or w.FUTURE.search(left) is not None
        or _opens_question(left)
    )


def _after_address(clause: str) -> str:
    """A clause without the names and the "okay, so" that it begins with."""
    found = w.ADDRESS.match(clause)
    return clause[found.end() :] if found else clause


# --- Asked -------------------------------------------------------------------------------------


def _is_asked(around: Around, said: Said) -> bool:
    if _opens_question(around.before) or _checks(around.before):
        return True
    if around.earlier and around.earlier[-1].endswith(("to confirm", "to verify", "to check")):
        return True
    if any(w.TAGS.fullmatch(clause) for clause in around.later[:1]):
        return True
    if w.CALLED_YOU.fullmatch(" ".join((*around.earlier[-1:], around.before))):
        return True
    if not said.is_question:
        return False
    asks_itself = _opens_question(around.hit)
    asks_later = any(_opens_question(clause) for clause in around.later) and not any(
        _opens_question(clause) for clause in around.earlier
    )
    return not (asks_itself or asks_later)


def _opens_question(text: str) -> bool:
    """Whether what is said begins, or holds, the beginning of a question."""
    plain = text
    for leading in ("and ", "so ", "okay ", "ok ", "copy ", "well "):
        plain = plain.removeprefix(leading)
    if w.ASKING_FIRST.match(plain) or w.INVERTED_FIRST.match(_after_address(plain)):
        return True
    if w.WONDERING.search(text) or w.ASKING_AFTER_NAME.match(_after_address(plain)):
        return True
    for found in w.INVERTED.finditer(text):
        before = text[: found.start()].split()[-1:]
        if not before or (before[0] not in w.SUBJECTS and before[0] != "to"):
            return True
    return False


def _checks(before: str) -> bool:
    """Whether somebody is asked to confirm it, or tries to."""
    for found in w.CHECKING.finditer(before):
        left = before[: found.start()].split()
        if not w.SUBJECTS.intersection(left[-2:]) and "im" not in left and "we're" not in left:
            return True
    return False


# --- Ordered, planned, on a condition ----------------------------------------------------------


def _is_not_done(around: Around) -> bool:
    before, after = around.before, around.after
    if w.CONDITION.search(before) or w.CONDITION_AFTER.search(after):
        return True
    if any(w.CONDITION_AHEAD.match(_after_address(clause)) for clause in around.earlier):
        return True
    if _depends(around) or any(map(w.CONDITION_NEXT.match, around.later[:1])):
        return True
    if w.FUTURE.search(w.DONE_AT_LAST.sub("", before)) or _is_to_do(around):
        return True
    if _is_ordered(before):
        return True
    if not _after_address(before) and any(map(_is_wanted, around.earlier[-1:])):
        return True
    if "please" in around.rest.split() and not _bids(around.hit):
        return True
    return w.LATER_AFTER.match(after) is not None or any(
        w.LATER_AFTER.fullmatch(clause) for clause in around.later[:1]
    )


def _bids(hit: str) -> bool:
    """Whether the words themselves are a question or an order, which may end in "please"."""
    return _opens_question(hit) or hit.split(maxsplit=1)[0] in w.BARE_VERBS


def _depends(around: Around) -> bool:
    """Whether it is named only to say what shall happen then: "with a RIT we would go in"."""
    picks = w.ANYBODY.search(around.before) or around.before.split()[:1] == ["with"]
    first = " ".join(around.after.split()[:_NEAR])
    return bool(picks) and (w.FUTURE.search(first) is not None or _is_ordered(around.after))


def _is_wanted(clause: str) -> bool:
    """Whether a clause makes a wish of the bare words that come after it: "next step, ..."."""
    return _is_ordered(clause) or w.FUTURE.search(clause) is not None


def _is_ordered(clause: str) -> bool:
    """Whether a clause bids somebody do something."""
    for found in w.ORDERING.finditer(clause):
        left = clause[: found.start()].split()
        if not left or left[-1] not in w.SUBJECTS:
            return True
    parts = re.split(r"(?<!\S)(?:and|then|so|now|please|or)(?!\S)", clause)
    return any(w.ORDERING_FIRST.match(_after_address(part.strip())) for part in parts)


def _is_to_do(around: Around) -> bool:
    """Whether it is what somebody is about, about "to do": not what they were "able to do"."""
    first = around.hit.split()[0]
    found = w.TO_DO.search(f"{around.before} {first}".strip())
    if found is None:
        return False
    return not w.MANAGED.search(around.before)


# --- Denied, doubted ---------------------------------------------------------------------------


def _is_denied(around: Around, said: Said) -> bool:
    if _denies(around.before) or _denies_after(around):
        return True
    if _lists_what_is_not(around):
        return True
    has_subject = any(word in w.SUBJECTS for word in around.before.split()) or bool(
        w.RESTART.match(around.before)
    )
    ahead = [*around.earlier] or [" ".join(said.previous)]
    alone = w.DENIED_ALONE.fullmatch(_after_address(ahead[-1]).strip()) is not None
    if alone and not has_subject:
        return True
    if w.LOST_AGAIN.search(around.rest) and w.HAD.search(around.before):
        return True
    if around.hit.endswith(" out") and w.OTHER_IDIOM.match(around.after):
        return True
    return any(w.GOVERNING.search(clause) and _denies(clause) for clause in around.earlier)


def _denies(clause: str) -> bool:
    return w.DENIED.search(w.NOT_DENYING.sub("", clause)) is not None


def _denies_after(around: Around) -> bool:
    """Whether it is denied by what follows: "water on the fire is not established"."""
    for number, word in enumerate(around.after.split()):
        if word in w.SUBJECTS or word in ("we're", "weve", "ive", "im", "and", "with"):
            break
        if number < _NEAR and w.DENIED_AFTER.fullmatch(word):
            return True
    return bool(around.later) and w.DENIED_NEXT.fullmatch(around.later[0]) is not None


_NEAR = 4
"""Words after a cue within which a "not" is its own."""


def _lists_what_is_not(around: Around) -> bool:
    """Whether it is one of several things that are not: "no smoke, flames or victims"."""
    listed = any(_denies(clause) for clause in around.earlier)
    goes_on = re.search(r"(?<!\S)n?or(?!\S)", f"{around.before} {around.rest}") is not None
    return listed and goes_on


def _is_withdrawn(around: Around, said: Said) -> bool:
    """Whether the speaker takes it back at once."""
    following = " ".join(said.following)
    if w.WITHDRAWN.match(following) or w.DENIED_ALONE.fullmatch(following):
        return True
    return any(w.WITHDRAWN.match(clause) for clause in around.later)


def _is_doubted(around: Around) -> bool:
    if w.DOUBTED.search(around.before) or w.DOUBTED.search(around.after):
        return True
    beside = (*around.earlier[-1:], *around.later[:1])
    return any(w.DOUBTED.fullmatch(_after_address(clause).strip()) for clause in beside)
