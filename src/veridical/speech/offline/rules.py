"""What the rules praise: figures of speech and of structure, each told with the very words.

They go by how a talk is built: words that come again, clauses that begin alike, a denial and its
other half, who speaks, when and where it was, and where silence stands. Rules about English words
trust only sentences whose end is marked: where a recogniser writes no full stops, nobody can tell
what belongs together. What a rule finds may not work on a listener, so the texts say what it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.speech.offline import cues
from veridical.speech.offline.moments import (
    Found,
    MomentKind,
    Talk,
    keys_of,
    place,
    sentences,
    tail,
)
from veridical.speech.offline.repetition import repetitions

CALL_FROM, CLOSE_FROM = 0.8, 0.9
"""A call to action comes after the first share of the talk, and is clear after the second."""
MOST_ORDERS = 2
"""Whoever gave more orders before that shows how something is done."""
LEAST_TOLD = 2
"""Words with a meaning of their own that a line has at least, if a silence is to be for it."""
OFTEN_SAID = 3
MOST_OFTEN = 6
"""What a talk is about is in so many words at most, each said so often at least."""


# --- One thing against another, three of a kind -----------------------------------------------


def contrasts(talk: Talk) -> Iterator[Found]:
    """Not this but that: two sentences or clauses near each other that begin alike, but for a
    denial in one.
    """
    said = [sentence for sentence in sentences(talk) if not talk.asks(sentence)]
    pieces = [piece for sentence in said for piece in _pieces(talk, sentence)]
    for at, piece in enumerate(pieces):
        for other in pieces[at + 1 : at + 4]:
            if other.start < piece.stop or other.start - piece.stop > 12:
                continue
            same = cues.answers(keys_of(talk, piece), keys_of(talk, other))
            if same:
                yield from _contrast(talk, piece, other, same)


def _pieces(talk: Talk, sentence: range) -> list[range]:
    """A sentence and its clauses, each once."""
    return list(dict.fromkeys([sentence, *talk.clauses(sentence)]))


def _contrast(talk: Talk, denial: range, other: range, same: int) -> Iterator[Found]:
    whole = range(denial.start, other.stop)
    if _is_repair(talk, [denial, other]):
        return
    halves = [talk.words(half, 10) for half in (denial, other)]
    yield Found(
        MomentKind.CONTRAST,
        whole if len(whole) <= talk.policy.max_tokens else talk.ending(other),
        f"You set “{halves[0]}” against “{halves[1]}”.",
        "The two halves are built alike, so the ear hears the one place where they part. "
        f"“{tail(talk, other)}” is what stays, and people can repeat it.",
        0.84 + 0.02 * min(same, 4),
        f"the line that ends in “{tail(talk, other)}”",
    )


def _is_repair(talk: Talk, pieces: Sequence[range]) -> bool:
    """Whether somebody corrects himself: a piece or what stands before it is given up, or there are
    stumbles in or between the pieces.
    """
    whole = range(pieces[0].start, pieces[-1].stop)
    before = [range(at - 1, at) for at in [whole.start] if at > 0]
    return talk.stumbles(whole) > 0 or any(map(talk.breaks_off, [*before, *pieces]))


def triads(talk: Talk) -> Iterator[Found]:
    """Three short clauses in a row that begin with the same word."""
    pieces = [clause for sentence in sentences(talk) for clause in talk.clauses(sentence)]
    at = 0
    while at + 3 <= len(pieces):
        three = pieces[at : at + 3]
        joined = all(a.stop == b.start for a, b in pairwise(three))
        alike = cues.is_triad([keys_of(talk, piece) for piece in three])
        if joined and alike and not _is_repair(talk, three):
            said = [talk.words(piece) for piece in three]
            whole = range(three[0].start, three[2].stop)
            yield Found(
                MomentKind.TRIAD,
                whole,
                f"You put three in a row, and the last is “{said[2]}”.",
                f"“{said[0]}” sets the pattern and the next confirms it, so the ear waits for the "
                "third; that is where the weight falls.",
                0.74,
                f"the three that end in “{said[2]}”",
                whole,
            )
            at += 3
        else:
            at += 1


def short_lines(talk: Talk) -> Iterator[Found]:
    """A very short sentence after a long one."""
    for long, short in pairwise(sentences(talk)):
        own = sum(map(cues.tells, keys_of(talk, short)))
        clear = not _is_repair(talk, [*talk.clauses(long), short])
        fits = len(long) >= 18 and 2 <= len(short) <= 5 and long.stop == short.start
        if fits and own and clear and not talk.asks(short) and "if" not in keys_of(talk, short):
            yield Found(
                MomentKind.SHORT_LINE,
                talk.ending(short),
                f"After a long sentence you said only: “{talk.words(short)}”.",
                f"The ear has followed you all the way to “{tail(talk, long)}”, and then few "
                "words stand alone. That is where people look up.",
                0.56 + 0.03 * own,
                f"the short line “{talk.words(short)}”",
                short,
            )


# --- Who, when and where: scenes, and who speaks in them --------------------------------------


def scenes(talk: Talk) -> Iterator[Found]:
    """Sentences that say when something happened, and where or to whom."""
    for sentence in sentences(talk):
        if talk.asks(sentence) or not cues.tells_of_the_past(keys_of(talk, sentence)):
            continue
        when, where = _when(talk, sentence), _where(talk, sentence)
        if when is None:
            continue
        named = any(map(talk.is_person, sentence)) or cues.acts(keys_of(talk, sentence))
        parts = [part for part in (when, where, _who(talk, sentence)) if part]
        if len(parts) + named >= 2:
            yield _scene(talk, sentence, parts)


def _scene(talk: Talk, sentence: range, shown: Sequence[range]) -> Found:
    parts = [talk.words(part) for part in shown]
    told = _listed([f"“{part}”" for part in dict.fromkeys(parts)])
    opens = talk.share(sentence) < 0.12
    way = "You began with something" if opens else "You told of something"
    return Found(
        MomentKind.STORY,
        sentence,
        f"{way} that happened: {told}.",
        "So people see it for themselves before they are told what it means. What you say of it "
        "later has a place to stand.",
        0.58 + 0.08 * len(parts) + (0.14 if opens else 0.0),
        f"the moment of “{parts[0]}”",
        range(min(part.start for part in shown), max(part.stop for part in shown)),
    )


def _when(talk: Talk, sentence: range) -> range | None:
    return _in(sentence, cues.when(keys_of(talk, sentence)))


def _who(talk: Talk, sentence: range) -> range | None:
    return _in(sentence, cues.who(keys_of(talk, sentence)))


def _where(talk: Talk, sentence: range) -> range | None:
    """The place in a sentence, from its preposition on: "in Coventry", "behind the market"."""
    for index in sentence[:-1]:
        past = index + 1
        while past < sentence.stop and talk.is_place_word(past):
            past += 1
        if talk.keys[index] in cues.AT and past > index + 1:
            return range(index, past)
    return None


def _in(sentence: range, place: tuple[int, int] | None) -> range | None:
    return range(sentence.start + place[0], sentence.start + place[1]) if place else None


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def voices(talk: Talk) -> Iterator[Found]:
    """Somebody in the talk speaks, in words of his or her own."""
    found: list[tuple[range, range]] = []
    for sentence in sentences(talk):
        clauses = talk.clauses(sentence)
        spoken = [(said, range(said.stop, sentence.stop)) for said in clauses[:-1]]
        spoken += [(said, range(sentence.start, said.start)) for said in clauses[1:][-1:]]
        for said, whole in spoken:
            speaks = cues.lets_speak(keys_of(talk, said), keys_of(talk, whole))
            if speaks and not talk.stumbles(whole[: talk.policy.max_tokens]):
                fits = sentence.stop - said.start <= talk.policy.max_tokens
                first = min(whole.start, said.start if fits else max(said.start, said.stop - 3))
                found.append((range(first, sentence.stop), whole))
                break
    for passage, words in sorted(found, key=lambda entry: abs(len(entry[1]) - 9)):
        others = [talk.words(other, 7) for _, other in found if other != words]
        more = f" So does “{others[-1]}”." if others else ""
        yield Found(
            MomentKind.SPEECH,
            passage,
            f"You let somebody speak: “{talk.words(words, 12)}”.",
            "You could have told us about it; instead we hear the voice, and are in the room."
            + more,
            min(0.78, 0.62 + 0.04 * len(found)),
            f"the voice that says “{talk.words(words, 7)}”",
        )


def first_line(talk: Talk) -> range | None:
    """The first sentence that greets nobody and presents nobody."""
    for sentence in sentences(talk):
        if len(sentence) > 4 and not cues.greets(keys_of(talk, sentence)):
            return sentence
    return None


# --- What it asks, where it stops, how it is ordered ------------------------------------------


def questions(talk: Talk) -> Iterator[Found]:
    """Questions to think about; those to the technician are left out."""
    said = sentences(talk)
    for number, sentence in enumerate(said):
        if len(sentence) < talk.policy.min_tokens or not talk.asks(sentence):
            continue
        if not cues.asks_along(keys_of(talk, sentence)):
            continue
        if number and cues.reports(keys_of(talk, said[number - 1])):
            continue  # somebody in the talk asks it
        after = said[number + 1] if number + 1 < len(said) else None
        if sentence.stop in talk.silences:
            why = "You left a silence behind it, so they had time to find an answer of their own."
        elif after is not None and not talk.asks(after):
            why = (
                "A question makes people look for an answer of their own before you go on with "
                f"“{talk.words(after)}”."
            )
        else:
            why = "A question makes people look for an answer of their own, and you leave it open."
        yield Found(
            MomentKind.QUESTION,
            sentence,
            f"You asked a question {place(talk, sentence)}: “{talk.words(sentence, 11)}”.",
            why,
            0.6 + (0.08 if sentence.stop in talk.silences else 0),
            f"the question “{talk.words(sentence, 8)}”",
            sentence,
        )


def calls_to_action(talk: Talk) -> Iterator[Found]:
    """Sentences near the end that ask the listeners to act.

    One said for fun or while showing how a thing is done is none. So it must name a time, speak of
    what the talk spoke of, or be among the last words; and the talk has not given orders all along.
    """
    asked = [(sentence, _request(talk, sentence)) for sentence in sentences(talk)]
    orders = [act for sentence, act in asked if act and talk.share(sentence) < CALL_FROM]
    is_shown = len(orders) > MOST_ORDERS
    often = Counter(talk.keys[i] for i in talk.telling)
    for sentence, request in asked:
        if request is None or talk.share(sentence) < CALL_FROM:
            continue
        act = talk.words(request, 8)
        soon = cues.soon(keys_of(talk, sentence))
        here = Counter(keys_of(talk, sentence))
        about = any(often[key] > here[key] for key in keys_of(talk, request))
        signs = bool(soon) + about + (talk.share(sentence) > CLOSE_FROM) + ("please" in here)
        if not signs or (is_shown and not soon):
            continue
        time = talk.words(range(sentence.start + soon[0], sentence.start + soon[1])) if soon else ""
        why = (
            f"You named the act and its time, “{time}”, so nobody has to work out what you mean, "
            "or when."
            if time
            else "It is one act that a person can see himself or herself do, not a wish, so the "
            "talk can go on after you have sat down."
        )
        yield Found(
            MomentKind.CALL_TO_ACTION,
            sentence,
            f"Near the end you asked for something to be done: “{act}”.",
            why,
            0.64 + 0.08 * signs + (0.1 if soon else 0.0),
            f"the request, “{act}”",
            range(request.start, request.start + 2),
        )


def _request(talk: Talk, sentence: range) -> range | None:
    """From the verb of a request to the end of its clause."""
    if talk.asks(sentence):
        return None
    clauses = talk.clauses(sentence)
    at = cues.request_in([keys_of(talk, clause) for clause in clauses])
    if at is None:
        return None
    return range(clauses[at[0]].start + at[1], clauses[at[0]].stop)


def signposts(talk: Talk) -> Iterator[Found]:
    """Points that are counted: "the first is", "the second reason"."""
    marks = [s for s in sentences(talk) if cues.counts_off(keys_of(talk, s)) is not None]
    ranks = [cues.counts_off(keys_of(talk, s)) for s in marks]
    starts = [at for at, rank in enumerate(ranks) if rank == 0]
    for at in starts:
        row = [marks[at]]
        for number, mark in enumerate(marks[at + 1 :], at + 1):
            if ranks[number] == len(row):
                row.append(mark)
        if len(row) < 2 or talk.share(row[-1]) - talk.share(row[0]) < 0.05:
            continue
        told = _listed([f"“{talk.words(mark, 6)}”" for mark in row[:3]])
        yield Found(
            MomentKind.SIGNPOSTS,
            row[1],
            "You counted your points as you came to them.",
            f"{told}: at any moment people know where they are, and how far it still is, so they "
            "can give all their attention to the point itself.",
            0.66 + 0.03 * len(row),
            "the order in which you took your points",
        )
        return


def silences(talk: Talk) -> Iterator[Found]:
    """A long silence behind a whole sentence: meant, not searched for a word."""
    for index, lasts in sorted(talk.silences.items(), key=lambda entry: (-entry[1], entry[0])):
        before = next(iter(talk.sentences_at(range(index - 1, index))), None)
        after = next(iter(talk.sentences_at(range(index, index + 1))), None)
        if before is None or after is None or before.stop != index or not talk.english:
            continue
        near = range(max(0, index - 3), min(len(talk.keys), index + 3))
        calm = not any(i in talk.fillers for i in near) and lasts <= 8
        if not calm or not talk.ends_sentence(before) or cues.greets(keys_of(talk, before)):
            continue
        if sum(map(cues.tells, keys_of(talk, before))) < LEAST_TOLD:
            continue
        yield Found(
            MomentKind.SILENCE,
            talk.ending(before),
            f"You said “{tail(talk, before, 8)}”, and then you said nothing for a while.",
            "A silence there gives people time to see what they heard. Your next words, "
            f"“{talk.words(after, 7)}”, came after a rest.",
            0.52 + min(0.1, 0.03 * lasts) + (0.05 if len(before) <= 14 else 0),
            f"the silence after “{tail(talk, before, 5)}”",
        )


def short_words(talk: Talk) -> Iterator[Found]:
    """A short sentence that has two of the words that are said most."""
    often = Counter(talk.keys[i] for i in talk.telling if cues.is_plain_thing(talk.keys[i]))
    said = [key for key, times in often.most_common(MOST_OFTEN) if times >= OFTEN_SAID]
    for sentence in sentences(talk):
        there = [i for i in sentence if talk.keys[i] in said]
        words = {talk.keys[i]: talk.words(range(i, i + 1)) for i in there}
        fits = talk.policy.min_tokens <= len(sentence) <= talk.policy.max_tokens
        is_apart = any(later - index > 1 for index, later in pairwise(there))  # not "seed list"
        if len(words) < LEAST_TOLD or not is_apart or not fits or talk.asks(sentence):
            continue
        if _is_repair(talk, [sentence]):
            continue
        yield Found(
            MomentKind.SHORT_WORDS,
            sentence,
            f"You put {_listed([f'“{word}”' for word in words.values()])} into one short sentence, "
            f"“{talk.words(sentence, len(sentence))}”.",
            "They are among the words that you say most. Where a few words hold them together, "
            "people can say afterwards what the talk was about.",
            0.5 + 0.02 * len(words) - 0.001 * len(sentence),
            f"“{talk.words(sentence, 8)}”",
            sentence,
        )


PRAISE = (
    repetitions, contrasts, triads, short_lines, scenes, voices, questions,
    calls_to_action, signposts, silences, short_words,
)  # fmt: skip
