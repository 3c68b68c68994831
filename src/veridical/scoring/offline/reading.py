"""How is it meant? The same words assert, deny, ask, order, plan, doubt, or repeat.

Rules over the sentence that holds the words, of which those of the cue itself are left out: a cue
"unable to locate" is not denied by its own "unable". Each rule says no where it cannot tell.
"""

from __future__ import annotations

import re
from enum import Enum

from veridical.scoring.offline import moods as m
from veridical.scoring.offline import words as w
from veridical.scoring.offline.clauses import (
    Around,
    after_address,
    around_of,
    is_statement,
    opens_question,
)
from veridical.scoring.offline.heard import Said
from veridical.scoring.offline.vocabulary import EMPTY_WORDS


class Reading(Enum):
    """How some words are meant. The value goes on from "said at 3:10, but"."""

    ASSERTED = "as it is"
    ASKED = "as a question"
    NOT_DONE = "as an order, a plan or a condition"
    DENIED = "as not being so"
    TAKEN_BACK = "as something that is perhaps taken back afterwards"
    DOUBTED = "as uncertain"
    READ_BACK = "as a read-back of another's words"
    UNCLEAR = "in a sentence that may make something else of it"


def read(said: Said) -> Reading:
    """How words are meant, by what stands around them in one speaker's turn."""
    around = around_of(said)
    if _is_withdrawn(around, said):
        return Reading.DENIED
    if _is_asked(around, said):
        return Reading.ASKED
    if _is_denied(around, said):
        return Reading.DENIED
    if _is_not_done(around):
        return Reading.NOT_DONE
    if _is_taken_back(around, said):
        return Reading.TAKEN_BACK
    if _is_doubted(around, said):
        return Reading.DOUBTED
    return Reading.ASSERTED


# --- Asked -------------------------------------------------------------------------------------


def _is_asked(around: Around, said: Said) -> bool:
    if opens_question(around.before) or _checks(around.before):
        return True
    if around.earlier and around.earlier[-1].endswith(("to confirm", "to verify", "to check")):
        return True
    if around.before.startswith(("that ", "whether ")) and any(
        opens_question(clause) for clause in around.earlier
    ):
        return True
    if any(w.TAGS.fullmatch(clause) for clause in (around.after, *around.later[:1])):
        return True
    if around.after == "yet" and not _denies(around.hit):
        return True
    if w.CALLED_YOU.fullmatch(" ".join((*around.earlier[-1:], around.before))):
        return True
    if not said.is_question:
        return False
    asks_itself = opens_question(around.hit)
    asks_later = any(opens_question(clause) for clause in around.later) and not any(
        opens_question(clause) for clause in around.earlier
    )
    return not (asks_itself or asks_later)


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
    if m.CONDITION.search(before) or m.CONDITION_AFTER.search(after):
        return True
    if any(m.CONDITION_AHEAD.match(after_address(clause)) for clause in around.earlier):
        return True
    if _depends(around) or any(map(m.CONDITION_NEXT.match, around.later[:1])):
        return True
    if m.FUTURE.search(m.DONE_AT_LAST.sub("", before)) or _is_to_do(around):
        return True
    if _is_ordered(before) or m.GIVEN.fullmatch(after_address(before).strip()):
        return True
    is_bare = not after_address(before).strip() and not is_statement(around.hit)
    if not after_address(before) and any(map(_is_wanted, around.earlier[-1:])):
        return True
    if is_bare and any(m.AT_ONCE.fullmatch(clause) for clause in around.later[-1:]):
        return True
    if is_bare and any(m.GIVEN.match(after_address(clause)) for clause in around.earlier[-1:]):
        return True
    if m.WOULD_AFTER.match(after):
        return True
    if "please" in around.rest.split() and not _bids(around.hit):
        return True
    if around.hit.split()[0].endswith("ing") and m.LATER_AFTER.search(after):
        return True  # "taking command from Engine 5 after the walk-around"
    return m.LATER_AFTER.match(after) is not None or any(
        m.LATER_AFTER.fullmatch(clause) for clause in around.later[:1]
    )


def _bids(hit: str) -> bool:
    """Whether the words themselves are a question or an order, which may end in "please"."""
    return opens_question(hit) or hit.split(maxsplit=1)[0] in m.BARE_VERBS


def _depends(around: Around) -> bool:
    """Whether it is named only to say what shall happen then: "with a RIT we would go in"."""
    picks = m.ANYBODY.search(around.before) or around.before.split()[:1] == ["with"]
    first = " ".join(around.after.split()[:_NEAR])
    return bool(picks) and (m.FUTURE.search(first) is not None or _is_ordered(around.after))


def _is_wanted(clause: str) -> bool:
    """Whether a clause makes a wish of the bare words that come after it: "next step, ..."."""
    return _is_ordered(clause) or m.FUTURE.search(clause) is not None


def _is_ordered(clause: str) -> bool:
    """Whether a clause bids somebody do something."""
    for found in m.ORDERING.finditer(clause):
        left = clause[: found.start()].split()
        if not left or left[-1] not in w.SUBJECTS:
            return True
    parts = re.split(r"(?<!\S)(?:and|then|so|now|please|or)(?!\S)", clause)
    return any(m.ORDERING_FIRST.match(after_address(part.strip())) for part in parts)


def _is_to_do(around: Around) -> bool:
    """Whether it is what somebody is about, about "to do": not what they were "able to do"."""
    first = around.hit.split()[0]
    found = m.TO_DO.search(f"{around.before} {first}".strip())
    if found is None:
        return False
    return not m.MANAGED.search(around.before)


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
    alone = m.DENIED_ALONE.fullmatch(after_address(ahead[-1]).strip()) is not None
    if alone and not has_subject:
        return True
    if m.LOST_AGAIN.search(around.rest) and m.HAD.search(around.before):
        return True
    after = around.after
    if any(map(m.EXCEPTED.match, (after, *around.later[:2]))):
        return True
    if around.hit.endswith(" out") and m.OTHER_IDIOM.match(after):
        return True
    if any(map(m.OUT_OF_QUESTION.match, (after, *around.later))):
        return True
    return any(w.GOVERNING.search(clause) and _denies(clause) for clause in around.earlier)


def _denies(clause: str) -> bool:
    return m.DENIED.search(m.NOT_DENYING.sub("", clause)) is not None


def _denies_after(around: Around) -> bool:
    """Whether it is denied by what follows: "water on the fire is not established"."""
    for number, word in enumerate(around.after.split()):
        if word in w.SUBJECTS or word in ("we're", "weve", "ive", "im", "and", "with"):
            break
        if number < _NEAR and m.DENIED_AFTER.fullmatch(word):
            return True
    return any(m.DENIED_NEXT.fullmatch(clause) for clause in around.later[:2])


_NEAR = 4
"""Words after a cue within which a "not" is its own."""


def _lists_what_is_not(around: Around) -> bool:
    """Whether it is one of several things that are not: "no smoke, flames or victims"."""
    listed = any(_denies(clause) for clause in around.earlier)
    goes_on = re.search(r"(?<!\S)n?or(?!\S)", f"{around.before} {around.rest}") is not None
    return listed and goes_on


def _is_withdrawn(around: Around, said: Said) -> bool:
    """Whether the speaker takes it back at once: in the sentence, or with a "no" behind it."""
    if any(map(m.WITHDRAWN.match, around.later)):
        return True
    return any(m.DENIED_ALONE.fullmatch(" ".join(sentence)) for sentence in said.following[:1])


def _is_taken_back(around: Around, said: Said) -> bool:
    """Whether the speaker may take it back, in the two sentences after it or in the next turn.

    It may be something else that is taken back there, or somebody else who is spoken to.
    """
    if any(m.WITHDRAWN.match(" ".join(sentence)) for sentence in said.following):
        return True
    later = [" ".join(sentence) for sentence in said.later]
    return any(_is_corrected_by(sentence, around.hit) for sentence in later)


def _is_corrected_by(sentence: str, hit: str) -> bool:
    """Whether what the speaker says in the next turn takes the words of a cue back."""
    if m.WITHDRAWN_LATER.match(sentence):
        return True
    # An address or a channel may be named again for something else.
    content = {word for word in hit.split() if word not in EMPTY_WORDS and not word.isdigit()}
    shared = len(content.intersection(sentence.split()))
    if m.CORRECTING.match(sentence):
        return shared > 0
    denies = m.CORRECTED.search(sentence) is not None and not _denies(hit)
    return denies and shared > 0 and shared >= _MOST_OF * len(content)


_MOST_OF = 2 / 3


def _is_doubted(around: Around, said: Said) -> bool:
    if m.DOUBTED.search(around.before) or m.DOUBTED.search(around.after):
        return True
    if any(map(m.REPORTED_AHEAD.fullmatch, around.earlier[-1:])):
        return True
    if any(map(m.PRETENDED.search, (*around.earlier, " ".join(said.previous)))):
        return True
    beside = (*around.earlier[-1:], *around.later[:1])
    return any(m.DOUBTED.fullmatch(after_address(clause).strip()) for clause in beside)
