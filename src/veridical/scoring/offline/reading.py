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
from veridical.scoring.offline.heard import PAUSE_SECONDS, Heard, Place, Said, keys_of

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
    if w.PUT_RIGHT.match(sentence):
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


# Is it said, or only said back? On the radio what was heard is repeated: "Command copies, Engine 7
# on scene". It proves that it was heard; an order that is read back has not been carried out, and a
# report counts once.


MOST_TURNS = 4
MOST_SECONDS = 60.0
"""So far back an acknowledgement may repeat."""

ECHO_SECONDS = 20.0
"""So far back words are repeated without one, by the speaker who is next."""

ECHO_SHARE = 0.6
"""Of a sentence's words, names left out, that were just said for it to be an echo."""

_MOST_WORDS = 400
"""Words of an earlier turn that are looked at, counted from its end."""


class ReadBacks:
    """Tells the words of one transcript that were said before by another speaker."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard

    def reading(self, place: Place, reading: Reading) -> Reading:
        """The reading of a place, which is a read-back if it repeats what another has said."""
        if reading is Reading.ASSERTED and self._is_read_back(place):
            return Reading.READ_BACK
        return reading

    def _is_read_back(self, place: Place) -> bool:
        sentence = self._heard.sentences[self._heard.sentence_of(place.first)]
        before = " ".join(self._heard.words[sentence.start : place.first])
        noted = _last_end(w.TAKING_NOTE, before)
        if noted is not None and w.ADDRESS.fullmatch(before[noted:].strip()):
            return True  # What somebody says to have heard: "copies, Engine 7 on scene".
        source = self._repeated(place)
        if source is None:
            return False
        before = self._before(place)
        acknowledged = _last_end(w.ACKNOWLEDGING, before)
        if acknowledged is None and read(self._heard.said(source)) is Reading.NOT_DONE:
            acknowledged = _last_end(w.AGREEING, before)
        sentence = self._heard.sentences[self._heard.sentence_of(place.past - 1)]
        after = " ".join(self._heard.words[place.past : sentence.stop])
        if acknowledged is None and not w.ACKNOWLEDGING.search(after):
            return self._is_echo(place, source, before)
        speaks_of_own = w.FIRST_PERSON.search(before[acknowledged or 0 :]) is not None
        return not speaks_of_own or read(self._heard.said(source)) is Reading.ASSERTED

    def _before(self, place: Place) -> str:
        """The sentence up to the words; the one before it too where it is only "Copy."."""
        heard = self._heard
        number = heard.sentence_of(place.first)
        first = heard.sentences[number].start
        said = " ".join(heard.words[first : place.first])
        if number == 0 or heard.turn_of(first - 1) != heard.turn_of(first):
            return said
        previous = heard.sentences[number - 1]
        ahead = " ".join(heard.words[previous.start : previous.stop])
        is_apart = heard.silence_before(heard.sentences[number]) >= PAUSE_SECONDS
        return said if is_apart or not w.ADDRESS.fullmatch(ahead) else f"{ahead} {said}"

    def _repeated(self, place: Place) -> Place | None:
        """Where somebody else has just said the same words, the last time."""
        heard, turn = self._heard, self._heard.turn_of(place.first)
        wanted = keys_of(heard, range(place.first, place.past))
        speaker = heard.speaker(turn)
        nearest = place.first
        for earlier in range(turn, max(-1, turn - MOST_TURNS - 1), -1):
            known = speaker is not None and heard.speaker(earlier) is not None
            if (earlier == turn and speaker is not None) or (
                known and heard.speaker(earlier) == speaker
            ):
                continue
            words = heard.turn_words[earlier]
            found = self._find(wanted, words, min(words.stop, nearest))
            if found is not None and self._seconds_between(found, place) <= MOST_SECONDS:
                return found
        return None

    def _find(self, wanted: list[str], words: range, past: int) -> Place | None:
        """The last place in a turn, up to word `past`, of the wanted words."""
        first = max(words.start, past - _MOST_WORDS)
        keys: list[str] = []
        owners: list[int] = []
        for word in range(first, past):
            found = keys_of(self._heard, range(word, word + 1))
            keys += found
            owners += [word] * len(found)
        size = len(wanted)
        for at in range(len(keys) - size, -1, -1):
            if size and keys[at : at + size] == wanted:
                return Place(owners[at], owners[at + size - 1] + 1)
        return None

    def _is_echo(self, place: Place, source: Place, before: str) -> bool:
        heard = self._heard
        turn, earlier = heard.turn_of(place.first), heard.turn_of(source.first)
        sentence = heard.sentences[heard.sentence_of(place.first)]
        if w.CALL.match(f"{before} ") or self._seconds_between(source, place) > ECHO_SECONDS:
            return False
        answers_at_once = turn == earlier or sentence.start == heard.turn_words[turn].start
        if turn - earlier > 1 or not answers_at_once:
            return False
        meant = read(self._heard.said(source))
        if meant is Reading.ASKED or (
            meant is not Reading.ASSERTED and w.FIRST_PERSON.search(before)
        ):
            return False
        words = heard.turn_words[earlier]
        told = set(keys_of(heard, range(words.start, min(words.stop, sentence.start))))
        own = [
            key
            for word in sentence
            if not w.ADDRESS.fullmatch(heard.words[word])
            for key in keys_of(heard, range(word, word + 1))
        ]
        return sum(key in told for key in own) >= ECHO_SHARE * len(own)

    def _seconds_between(self, one: Place, other: Place) -> float:
        """From the one to the other; 0 where a time is not known."""
        began, begins = self._heard.start(one), self._heard.start(other)
        return 0.0 if began is None or begins is None else begins - began


def _last_end(pattern: re.Pattern[str], text: str) -> int | None:
    """Where the last of what a pattern finds ends."""
    return max((found.end() for found in pattern.finditer(text)), default=None)
