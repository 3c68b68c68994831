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

# The clause that holds some words, and what stands around it in the sentence.


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


_STOP = re.compile(r"[,;:()\u2013\u2014]|(?<!\S)-+(?!\S)|\.\.|\u2026|[.?!]")


def around_of(said: Said) -> Around:
    """What stands around some words in their sentence."""
    clauses = _clauses(said.words, said.gaps, said.past)
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


def _clauses(said: Sequence[str], gaps: Sequence[str], hit: int) -> list[range]:
    """The clauses of a sentence, parted at commas and "but", unless what stands there goes on.

    The words of a cue, which end before word `hit`, are never broken off.
    """
    cuts = [
        i
        for i in range(1, len(said))
        if _STOP.search(gaps[i]) or (said[i] in w.SPLITTING and said[i - 1] not in w.BUT)
    ]
    pieces = [range(a, b) for a, b in zip([0, *cuts], [*cuts, len(said)], strict=True)]
    joined: list[range] = []
    open_pieces = 0
    for piece in pieces:
        text = " ".join(said[piece.start : piece.stop])
        is_last = piece.stop == len(said)
        is_aside = w.PARENTHETICAL.fullmatch(text) is not None and not (is_last and text == "now")
        if joined and (open_pieces or is_aside):
            joined[-1] = range(joined[-1].start, piece.stop)
        else:
            joined.append(piece)
        # A comma after "we are not" begins an aside, and what it belongs to comes after that.
        breaks_off = said[piece.stop - 1] in w.BREAKING_OFF and piece.stop != hit
        follows = open_pieces == 2 and not is_aside and w.ASIDE.match(text) is not None
        open_pieces = 2 if breaks_off else 1 if is_aside or follows else 0
    return joined


def _restarted(before: str) -> tuple[list[str], str]:
    """What stands before a new statement in a clause without commas, and that from there on."""
    for found in reversed(list(w.RESTART.finditer(before))):
        left = before[: found.start()].strip()
        if not left:
            continue
        governs = any(pattern.search(left) for pattern in (w.GOVERNING, w.FUTURE))
        # What comes after those is still a part of what they say.
        if left.split()[-1] in w.AUXILIARIES or governs or opens_question(left):
            break
        return [left], before[found.start() :]
    return [], before


def after_address(clause: str) -> str:
    """A clause without the names and the "okay, so" that it begins with."""
    found = w.ADDRESS.match(clause)
    return clause[found.end() :] if found else clause


def opens_question(text: str) -> bool:
    """Whether what is said begins, or holds, the beginning of a question."""
    plain = text
    for leading in ("and ", "so ", "okay ", "ok ", "copy ", "well "):
        plain = plain.removeprefix(leading)
    if w.ASKING_FIRST.match(plain) or w.INVERTED_FIRST.match(after_address(plain)):
        return True
    if w.WONDERING.search(text) or w.ASKING_AFTER_NAME.match(after_address(plain)):
        return True
    for found in w.INVERTED.finditer(text):
        before = text[: found.start()].split()[-1:]
        if not before or (before[0] not in w.SUBJECTS and before[0] != "to"):
            return True
    return False


def is_statement(hit: str) -> bool:
    """Whether the words of a cue are a whole statement: "gas is off", not "water on the fire"."""
    words = hit.split()
    return any(word in w.AUXILIARIES or word in w.PERFECT for word in words[1:-1])


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
    # The speaker takes it back at once: in the sentence, or with a "no" behind it.
    next_one = [" ".join(sentence) for sentence in said.following[:1]]
    if any(map(w.WITHDRAWN.match, around.later)) or any(map(w.DENIED_ALONE.fullmatch, next_one)):
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
    if w.CONDITION.search(before) or w.CONDITION_AFTER.search(after):
        return True
    if any(w.CONDITION_AHEAD.match(after_address(clause)) for clause in around.earlier):
        return True
    if _depends(around) or any(map(w.CONDITION_NEXT.match, around.later[:1])):
        return True
    if w.FUTURE.search(w.DONE_AT_LAST.sub("", before)):
        return True
    # What somebody is about, about "to do": not what they were "able to do".
    to_do = w.TO_DO.search(f"{before} {around.hit.split()[0]}".strip())
    if to_do and not w.MANAGED.search(before):
        return True
    if _is_ordered(before) or w.GIVEN.fullmatch(after_address(before).strip()):
        return True
    is_bare = not after_address(before).strip() and not is_statement(around.hit)
    # A wish makes one of the bare words that come after it: "next step, ...".
    if not after_address(before) and any(
        _is_ordered(clause) or w.FUTURE.search(clause) for clause in around.earlier[-1:]
    ):
        return True
    if is_bare and (
        any(map(w.AT_ONCE.fullmatch, around.later[-1:]))
        or any(w.GIVEN.match(after_address(clause)) for clause in around.earlier[-1:])
    ):
        return True
    # A question or an order may end in "please".
    bids = opens_question(around.hit) or around.hit.split(maxsplit=1)[0] in w.BARE_VERBS
    if "please" in around.rest.split() and not bids:
        return True
    if around.hit.split()[0].endswith("ing") and w.LATER_AFTER.search(after):
        return True  # "taking command from Engine 5 after the walk-around"
    return bool(w.WOULD_AFTER.match(after) or w.LATER_AFTER.match(after)) or any(
        w.LATER_AFTER.fullmatch(clause) for clause in around.later[:1]
    )


def _depends(around: Around) -> bool:
    """Whether it is named only to say what shall happen then: "with a RIT we would go in"."""
    picks = w.ANYBODY.search(around.before) or around.before.split()[:1] == ["with"]
    first = " ".join(around.after.split()[:_NEAR])
    return bool(picks) and (w.FUTURE.search(first) is not None or _is_ordered(around.after))


def _is_ordered(clause: str) -> bool:
    """Whether a clause bids somebody do something."""
    for found in w.ORDERING.finditer(clause):
        left = clause[: found.start()].split()
        if not left or left[-1] not in w.SUBJECTS:
            return True
    parts = re.split(r"(?<!\S)(?:and|then|so|now|please|or)(?!\S)", clause)
    return any(w.ORDERING_FIRST.match(after_address(part.strip())) for part in parts)


# --- Denied, doubted ---------------------------------------------------------------------------


def _is_denied(around: Around, said: Said) -> bool:
    if _denies(around.before) or _denies_after(around):
        return True
    # One of several things that are not: "no smoke, flames or victims".
    goes_on = re.search(r"(?<!\S)n?or(?!\S)", f"{around.before} {around.rest}") is not None
    if goes_on and any(map(_denies, around.earlier)):
        return True
    has_subject = any(word in w.SUBJECTS for word in around.before.split()) or bool(
        w.RESTART.match(around.before)
    )
    ahead = [*around.earlier] or [" ".join(said.previous)]
    alone = w.DENIED_ALONE.fullmatch(after_address(ahead[-1]).strip()) is not None
    if alone and not has_subject:
        return True
    if w.LOST_AGAIN.search(around.rest) and w.HAD.search(around.before):
        return True
    after = around.after
    if any(map(w.EXCEPTED.match, (after, *around.later[:2]))):
        return True
    if around.hit.endswith(" out") and w.OTHER_IDIOM.match(after):
        return True
    if any(map(w.OUT_OF_QUESTION.match, (after, *around.later))):
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
    return any(w.DENIED_NEXT.fullmatch(clause) for clause in around.later[:2])


_NEAR = 4
"""Words after a cue within which a "not" is its own."""


def _is_taken_back(around: Around, said: Said) -> bool:
    """Whether the speaker may take it back, in the two sentences after it or in the next turn.

    It may be something else that is taken back there, or somebody else who is spoken to.
    """
    if any(w.WITHDRAWN.match(" ".join(sentence)) for sentence in said.following):
        return True
    later = [" ".join(sentence) for sentence in said.later]
    return any(_is_corrected_by(sentence, around.hit) for sentence in later)


def _is_corrected_by(sentence: str, hit: str) -> bool:
    """Whether what the speaker says in the next turn takes the words of a cue back."""
    if w.WITHDRAWN_LATER.match(sentence):
        return True
    # An address or a channel may be named again for something else.
    content = {word for word in hit.split() if word not in w.EMPTY_WORDS and not word.isdigit()}
    shared = len(content.intersection(sentence.split()))
    if w.CORRECTING.match(sentence):
        return shared > 0
    denies = w.CORRECTED.search(sentence) is not None and not _denies(hit)
    return denies and shared > 0 and shared >= _MOST_OF * len(content)


_MOST_OF = 2 / 3


def _is_doubted(around: Around, said: Said) -> bool:
    if w.DOUBTED.search(around.before) or w.DOUBTED.search(around.after):
        return True
    if any(map(w.REPORTED_AHEAD.fullmatch, around.earlier[-1:])):
        return True
    if any(map(w.PRETENDED.search, (*around.earlier, " ".join(said.previous)))):
        return True
    beside = (*around.earlier[-1:], *around.later[:1])
    return any(w.DOUBTED.fullmatch(after_address(clause).strip()) for clause in beside)
