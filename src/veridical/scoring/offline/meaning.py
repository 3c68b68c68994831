"""How are words meant? The same words assert, deny, ask, order, plan, doubt, or repeat.

A rule is a pattern and a place beside the words in which it is looked for; those of the words
themselves are left out: a cue "unable to locate" is not denied by its own "unable". In doubt a rule
says no: a cue that is passed over is looked for by a person, a false "met" is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from veridical.scoring.offline import words as w
from veridical.scoring.offline.heard import (
    BREAKING_OFF,
    EMPTY_WORDS,
    PAUSE_SECONDS,
    PREPOSITIONS,
    Heard,
    Place,
    keys_of,
)
from veridical.sources.document import Span


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


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around some words, in one string each; empty where there is nothing.

    `lead` and `tail` are of the same clause, `earlier` and `later` the sentence's other clauses.
    `previous` is the sentence before, `following` are the two after it, of the same turn;
    `next_turn` are the first two of the speaker's next turn, if that comes soon.
    """

    lead: str
    hit: str
    tail: str
    earlier: tuple[str, ...]
    later: tuple[str, ...]
    is_question: bool
    previous: str
    following: tuple[str, ...]
    next_turn: tuple[str, ...]

    @property
    def rest(self) -> str:
        """All that follows the words in the sentence."""
        return " ".join(filter(None, (self.tail, *self.later)))

    @property
    def is_bare(self) -> bool:
        """Whether nothing but names stands before the words, and they are no whole statement."""
        return not after_address(self.lead) and not is_statement(self.hit)


def around(heard: Heard, place: Place) -> Around:
    """What stands around some words in their sentence (in several, where they run over its end)."""
    begin, end = heard.sentence_of(place.first), heard.sentence_of(place.past - 1)
    number = heard.turn_of(place.first)
    turn = heard.turn_words[number]
    said = range(heard.sentences[begin].start, heard.sentences[end].stop)
    clauses = _clauses(heard, said, place)
    first = next(n for n, clause in enumerate(clauses) if place.first in clause)
    last = next(n for n, clause in enumerate(clauses) if place.past - 1 in clause)
    lead = heard.written(range(clauses[first].start, place.first))
    begun, lead = _restarted(lead)
    return Around(
        lead=lead,
        hit=heard.written(range(place.first, place.past)),
        tail=heard.written(range(place.past, clauses[last].stop)),
        earlier=(*map(heard.written, clauses[:first]), *begun),
        later=tuple(map(heard.written, clauses[last + 1 :])),
        is_question="?" in heard.gap_after(said.stop - 1),
        previous=heard.written_sentences(begin - 1, 1, turn)[0],
        following=heard.written_sentences(end + 1, 2, turn),
        next_turn=_next_turn(heard, number),
    )


def _clauses(heard: Heard, said: range, place: Place) -> list[range]:
    """The clauses of a sentence, parted at commas and "but", unless what stands there goes on.

    The words of the place themselves are never broken off.
    """
    words = heard.words
    cuts = [
        at
        for at in said[1:]
        if w.STOP.search(heard.gap(at))
        or (words[at] in w.SPLITTING and words[at - 1] not in w.UNSPLIT)
    ]
    joined: list[range] = []
    open_pieces = 0
    for start, stop in zip([said.start, *cuts], [*cuts, said.stop], strict=True):
        text = heard.written(range(start, stop))
        is_aside = w.PARENTHETICAL.fullmatch(text) is not None
        is_aside &= not (stop == said.stop and text == "now")
        if joined and (open_pieces or is_aside):
            joined[-1] = range(joined[-1].start, stop)
        else:
            joined.append(range(start, stop))
        # A comma after "we are not" begins an aside, and what it belongs to comes after that.
        breaks_off = words[stop - 1] in BREAKING_OFF and stop != place.past
        follows = open_pieces == 2 and not is_aside and w.ASIDE.match(text) is not None
        open_pieces = 2 if breaks_off else 1 if is_aside or follows else 0
    return joined


def _restarted(lead: str) -> tuple[list[str], str]:
    """What stands before a new statement in a clause without commas, and that from there on."""
    for found in reversed(list(w.RESTART.finditer(lead))):
        left = lead[: found.start()].strip()
        if not left:
            continue
        # What comes after these is still a part of what they say.
        if left.split()[-1] in w.AUXILIARIES or asks(left) or _plans(left):
            break
        if w.GOVERNING.search(left):
            break
        return [left], lead[found.start() :]
    return [], lead


def _next_turn(heard: Heard, turn: int) -> tuple[str, ...]:
    """How a speaker begins to speak again, empty where that is much later."""
    speaker, ended = heard.speaker(turn), heard.turns[turn].parts[-1].end
    for number in range(turn + 1, min(turn + 1 + NEXT_TURNS, len(heard.turns))):
        words, begins = heard.turn_words[number], heard.turns[number].parts[0].start
        if ended is not None and begins is not None and begins - ended > NEXT_SECONDS:
            break
        if speaker is not None and heard.speaker(number) == speaker and words:
            return heard.written_sentences(heard.sentence_of(words.start), 2, words)
    return ()


NEXT_TURNS = 4
NEXT_SECONDS = 60.0
"""So soon a speaker takes back what was said, if at all."""


def after_address(clause: str) -> str:
    """A clause without the names and the "okay, so" that it begins with."""
    found = w.ADDRESS.match(clause)
    return clause[found.end() :].strip() if found else clause


def is_statement(hit: str) -> bool:
    """Whether the words of a cue are a whole statement: "gas is off", not "water on the fire"."""
    return any(word in w.AUXILIARIES | w.DENYING_VERBS for word in hit.split()[1:-1])


def asks(clause: str) -> bool:
    """Whether what is said begins, or holds, the beginning of a question."""
    return any(pattern.search(clause) for pattern in w.QUESTION)


def _denies(clause: str) -> bool:
    return w.DENIED.search(w.HARMLESS.sub("", clause)) is not None


def _plans(clause: str) -> bool:
    return w.FUTURE.search(w.HARMLESS.sub("", clause)) is not None


def _orders(clause: str) -> bool:
    return any(pattern.search(clause) for pattern in w.ORDER)


# --- The rules ---------------------------------------------------------------------------------


def read(said: Around) -> Reading:
    """How words are meant, by what stands around them in one speaker's turn."""
    return next((reading for reading, is_so in _RULES if is_so(said)), Reading.ASSERTED)


def _is_taken_back_at_once(said: Around) -> bool:
    return any(map(w.WITHDRAWN.match, said.later)) or any(map(w.NO_ALONE.match, said.following[:1]))


def _is_asked(said: Around) -> bool:
    ahead = " ".join((*said.earlier[-1:], said.lead))
    if any(
        (
            asks(said.lead),
            w.CHECKING.search(said.lead),
            any(clause.endswith(w.TO_CHECK) for clause in said.earlier[-1:]),
            said.lead.startswith(("that ", "whether ")) and any(map(asks, said.earlier)),
            any(map(w.TAG.fullmatch, (said.tail, *said.later[:1]))),
            said.tail == "yet" and not _denies(said.hit),
            # Who tells others what they have asks them, or repeats it.
            w.CALLED_YOU.fullmatch(ahead),
        )
    ):
        return True
    asks_later = any(map(asks, said.later)) and not any(map(asks, said.earlier))
    return said.is_question and not (asks(said.hit) or asks_later)


def _is_denied(said: Around) -> bool:
    ahead = said.earlier[-1:] or (said.previous,)
    has_subject = bool(w.SUBJECTS.intersection(said.lead.split())) or w.RESTART.match(said.lead)
    lists = re.search(r"(?<!\S)n?or(?!\S)", f"{said.lead} {said.rest}")
    return any(
        (
            _denies(said.lead),
            w.DENIED_AFTER.match(said.tail),
            any(map(w.DENIED_NEXT.match, said.later[:2])),
            # One of several things that are not: "no smoke, flames or victims".
            lists and any(map(_denies, said.earlier)),
            not has_subject and any(map(w.NO_ALONE.match, ahead)),
            # What was, and may be no more.
            re.search(r"(?<!\S)had(?!\S)", said.lead) and w.LOST_AGAIN.search(said.rest),
            any(map(w.EXCEPTED.match, (said.tail, *said.later))),
            # "The fire is out of control" does not say that it is out.
            said.hit.endswith(" out") and w.OTHER_IDIOM.match(said.tail),
            any(w.GOVERNING.search(clause) and _denies(clause) for clause in said.earlier),
        )
    )


def _is_not_done(said: Around) -> bool:
    first, *_ = said.hit.split()
    wishes = said.earlier[-1:]
    near_tail = " ".join(said.tail.split()[:4])
    picks = w.PICKED.search(said.lead) or said.lead.split()[:1] == ["with"]
    return any(
        (
            w.CONDITION.search(said.lead),
            w.CONDITION_AFTER.search(said.tail),
            any(map(w.CONDITION_FIRST.match, said.earlier)),
            any(map(w.CONDITION_NEXT.match, said.later[:1])),
            picks and (w.FUTURE.search(near_tail) or _orders(said.tail)),
            _plans(said.lead),
            w.TO_DO.search(f"{said.lead} {first}".strip()),
            _orders(said.lead),
            w.IS_GIVEN.match(said.lead),
            # A wish makes one of the bare words that come after it: "next step, ...".
            not after_address(said.lead) and any(_orders(c) or _plans(c) for c in wishes),
            said.is_bare and any(map(w.GIVEN_FIRST.match, wishes)),
            said.is_bare and any(re.fullmatch(w.AT_ONCE, clause) for clause in said.later[-1:]),
            # A question or an order may end in "please".
            "please" in said.rest.split() and not (asks(said.hit) or first in w.BARE_VERBS),
            first.endswith("ing") and w.LATER_ANYWHERE.search(said.tail),
            w.LATER_FIRST.match(said.tail),
            any(map(w.LATER_ALONE.fullmatch, said.later[:1])),
        )
    )


def _may_be_taken_back(said: Around) -> bool:
    """In the two sentences after it, or in the speaker's next turn.

    It may be something else that is taken back there, or somebody else who is spoken to.
    """
    return any(map(w.WITHDRAWN.match, said.following)) or any(
        _is_corrected_by(sentence, said.hit) for sentence in said.next_turn
    )


def _is_corrected_by(sentence: str, hit: str) -> bool:
    if w.WITHDRAWN_LATER.match(sentence):
        return True
    # An address or a channel may be named again for something else.
    content = {word for word in hit.split() if word not in EMPTY_WORDS and not word.isdigit()}
    shared = len(content.intersection(sentence.split()))
    if w.PUT_RIGHT.match(sentence):
        return shared > 0
    denies = w.CORRECTED.search(sentence) is not None and not _denies(hit)
    return denies and shared > 0 and shared >= w.MOST_OF * len(content)


def _is_doubted(said: Around) -> bool:
    beside = (*said.earlier[-1:], *said.later[:1])
    return any(
        (
            w.DOUBTED.search(said.lead),
            w.DOUBTED.search(said.tail),
            any(map(w.REPORTED.search, said.earlier[-1:])),
            any(map(w.PRETENDED.search, (*said.earlier, said.previous))),
            any(map(w.DOUBT_ALONE.match, beside)),
        )
    )


_RULES = (
    (Reading.DENIED, _is_taken_back_at_once),
    (Reading.ASKED, _is_asked),
    (Reading.DENIED, _is_denied),
    (Reading.NOT_DONE, _is_not_done),
    (Reading.TAKEN_BACK, _may_be_taken_back),
    (Reading.DOUBTED, _is_doubted),
)


# --- Is it said plainly? -----------------------------------------------------------------------


class Plainness(Enum):
    """How far the words around a cue leave it what it is."""

    PLAIN = "nothing stands around it that could change it"
    ODD = "what stands around it is not known to leave it what it is"
    UNCLEAR = "it is a statement in another one, or goes on to be another one"


def plainness(said: Around) -> Plainness:
    """How plainly a cue is said, by its own clause."""
    return max(_lead(said), _tail(said), key=list(Plainness).index)


def _lead(said: Around) -> Plainness:
    # Of "we made the second floor and have" the last part, which says the same of the speaker.
    ahead, _, last = f"{said.lead} ".rpartition(" and ")
    is_closed = is_statement(said.hit)
    own = last if is_closed or w.FIRST_PERSON.search(ahead) else said.lead
    unknown = [
        word
        for word in after_address(own).split()
        if word not in w.KNOWN_BEFORE and not re.fullmatch(w.NUMBER, word)
    ]
    if not unknown:
        return Plainness.PLAIN
    if is_closed:
        return Plainness.UNCLEAR
    is_part = said.hit.split()[0] in PREPOSITIONS or said.lead.endswith((" i", " we"))
    return Plainness.ODD if len(unknown) <= w.MOST_UNKNOWN or is_part else Plainness.UNCLEAR


def _tail(said: Around) -> Plainness:
    last, is_closed = said.hit.split()[-1], is_statement(said.hit)
    goes_on = not is_closed and last.endswith("ing")
    if not said.tail or goes_on or last in w.TAKES_MORE - w.PARTICLES:
        return Plainness.PLAIN
    known = w.AFTER_PARTICLE if is_closed and last in w.PARTICLES else w.GOES_ON
    if known.match(said.tail) or w.RESTART.match(said.tail):
        return Plainness.PLAIN
    return Plainness.UNCLEAR if is_closed else Plainness.ODD


# --- Said, or only said back? ------------------------------------------------------------------

# On the radio what was heard is repeated: "Command copies, Engine 7 on scene". It proves that it
# was heard; an order that is read back has not been carried out, and a report counts once.

MOST_TURNS = 4
MOST_SECONDS = 60.0
"""So far back an acknowledgement may repeat."""

ECHO_SECONDS = 20.0
"""So far back words are repeated without one, by the speaker who is next."""

ECHO_SHARE = 0.6
"""Of a sentence's words, names left out, that were just said for it to be an echo."""

_MOST_WORDS = 400
"""Words of an earlier turn that are looked at, counted from its end."""


class Meanings:
    """Tells how words of one transcript are meant. Made once, and then only read."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard

    def reading(self, span: Span) -> Reading:
        """How the words of a span of the text are meant in their sentence and its surroundings.

        Words that are not all of one turn, or none, are `ASSERTED`: nothing is known against them.
        """
        words = self._heard.words_within(span)
        place = self._heard.place(words.start, words.stop) if words else None
        if place is None:
            return Reading.ASSERTED
        return self.of(place, around(self._heard, place))

    def of(self, place: Place, said: Around) -> Reading:
        """How the words of a place are meant, by what stands around them and was said before."""
        reading = read(said)
        is_read_back = reading is Reading.ASSERTED and self._is_read_back(place)
        return Reading.READ_BACK if is_read_back else reading

    def _is_read_back(self, place: Place) -> bool:
        heard = self._heard
        own = heard.sentences[heard.sentence_of(place.first)]
        noted = heard.written(range(own.start, place.first))
        ends = _last_end(w.TAKING_NOTE, noted)
        if ends is not None and w.ADDRESS.fullmatch(noted[ends:].strip()):
            return True  # What somebody says to have heard: "copies, Engine 7 on scene".
        source = self._repeated(place)
        if source is None:
            return False
        meant, before = read(around(heard, source)), self._before(place)
        acknowledged = _last_end(w.ACKNOWLEDGING, before)
        if acknowledged is None and meant is Reading.NOT_DONE:
            acknowledged = _last_end(w.AGREEING, before)
        last = heard.sentences[heard.sentence_of(place.past - 1)]
        after = heard.written(range(place.past, last.stop))
        if acknowledged is None and not w.ACKNOWLEDGING.search(after):
            return self._is_echo(place, source, before, meant)
        speaks_of_own = w.FIRST_PERSON.search(before[acknowledged or 0 :]) is not None
        return not speaks_of_own or meant is Reading.ASSERTED

    def _before(self, place: Place) -> str:
        """The sentence up to the words; the one before it too where it is only "Copy."."""
        heard = self._heard
        number = heard.sentence_of(place.first)
        own = heard.sentences[number]
        said = heard.written(range(own.start, place.first))
        if number == 0 or heard.turn_of(own.start - 1) != heard.turn_of(own.start):
            return said
        ahead = heard.written(heard.sentences[number - 1])
        is_apart = heard.silence_before(own) >= PAUSE_SECONDS
        return said if is_apart or not w.ADDRESS.fullmatch(ahead) else f"{ahead} {said}"

    def _repeated(self, place: Place) -> Place | None:
        """Where somebody else has just said the same words, the last time."""
        heard, turn = self._heard, self._heard.turn_of(place.first)
        speaker = heard.speaker(turn)
        for earlier in range(turn, max(-1, turn - MOST_TURNS - 1), -1):
            # In a turn of nobody known there may be several speakers.
            if speaker is not None and (earlier == turn or heard.speaker(earlier) == speaker):
                continue
            words = heard.turn_words[earlier]
            found = self._last_place(place, range(words.start, min(words.stop, place.first)))
            if found is not None and self._seconds_between(found, place) <= MOST_SECONDS:
                return found
        return None

    def _last_place(self, place: Place, words: range) -> Place | None:
        """The last place in a turn of the words of a place."""
        wanted = keys_of(self._heard, range(place.first, place.past))
        keyed = [
            (key, word)
            for word in words[-_MOST_WORDS:]
            for key in keys_of(self._heard, range(word, word + 1))
        ]
        keys, size = [key for key, _ in keyed], len(wanted)
        for at in range(len(keys) - size, -1, -1):
            if size and keys[at : at + size] == wanted:
                return Place(keyed[at][1], keyed[at + size - 1][1] + 1)
        return None

    def _is_echo(self, place: Place, source: Place, before: str, meant: Reading) -> bool:
        """Whether a speaker only repeats what the one before said, with no word of having heard."""
        heard = self._heard
        turn, earlier = heard.turn_of(place.first), heard.turn_of(source.first)
        sentence = heard.sentences[heard.sentence_of(place.first)]
        at_once = turn == earlier or sentence.start == heard.turn_words[turn].start
        if (
            w.CALL.match(f"{before} ")
            or self._seconds_between(source, place) > ECHO_SECONDS
            or turn - earlier > 1
            or not at_once
            or meant is Reading.ASKED
            or (meant is not Reading.ASSERTED and w.FIRST_PERSON.search(before))
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
