"""What the rules advise: one thing to try next time, told with the very words it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from veridical.sources.transcript import Precision
from veridical.speech.metrics import words_per_minute
from veridical.speech.offline import cues, rules
from veridical.speech.offline.moments import (
    Found,
    MomentKind,
    Talk,
    keys_of,
    place,
    sentences,
    tail,
)
from veridical.validation.lexicon import CARDINALS

LEAST_FILLERS = 4
FILLERS_PER_WORD = 1 / 70
"""Fewer in a whole talk are nobody's habit."""
LONG_SENTENCE_TOKENS = 40
LONGEST_USUAL_SENTENCE = 30
"""Where sentences are longer on average, it is the transcript that lacks full stops."""
RUSH_TOKENS = 20
RUSH_TIMES_USUAL = 1.35
RUSH_WORDS_PER_MINUTE = 175.0
"""A rush is so much faster than the rest of the talk, and fast by itself."""
LONG_ENOUGH_SECONDS = 90.0
"""A shorter talk needs no long silence."""
HURRIED_SECONDS = 0.8
MOST_FIGURES = 3

_CLAUSE_OPENERS = frozenset("and but because then so when which".split())
_THIRDS = ("in your opening", "in the middle", "towards the end")


def fillers(talk: Talk) -> Iterator[Found]:
    """The sentences with most fillers, and where in a talk and in a sentence fillers stand."""
    own = sum(map(len, talk.ranges))
    if len(talk.fillers) < max(LEAST_FILLERS, FILLERS_PER_WORD * own):
        return
    names = Counter(name for name, _ in talk.fillers.values())
    most = [name for name, times in names.most_common(2) if times * 5 >= len(talk.fillers)]
    said = " and ".join(f"“{name}”" for name in most or [names.most_common(1)[0][0]])
    why = _where_fillers_stand(talk)
    for passage in _thick_with_fillers(talk):
        yield Found(
            MomentKind.FILLERS,
            passage,
            f"Try a silent breath in place of {said}, {_thickest_third(talk)}.",
            why,
            min(0.95, 0.7 + 3 * len(talk.fillers) / own),
            f"breathe where {said} stood",
        )


def _thick_with_fillers(talk: Talk) -> list[range]:
    """The sentences by how many fillers a quote of them holds, each from its thickest place."""
    reach = talk.policy.max_tokens
    thick: list[tuple[int, range]] = []
    for sentence in talk.sentences:
        inside = [i for i in sentence if i in talk.fillers]
        if not inside:
            continue
        starts = [clause.start for clause in talk.clauses(sentence)]
        best = max(starts, key=lambda low: (sum(low <= i < low + reach for i in inside), -low))
        count = sum(best <= i < best + reach for i in inside)
        thick.append((count, range(best, sentence.stop)))
    thick.sort(key=lambda entry: (-entry[0], entry[1].start))
    return [passage for _, passage in thick]


def _thickest_third(talk: Talk) -> str:
    thirds = Counter(min(2, int(3 * talk.share(range(i, i + 1)))) for i in talk.fillers)
    third, many = max(thirds.items(), key=lambda entry: (entry[1], -entry[0]))
    return (
        f"most of all {_THIRDS[third]}"
        if many * 2 >= len(talk.fillers)
        else "all through your talk"
    )


def _where_fillers_stand(talk: Talk) -> str:
    starts = {sentence.start for sentence in talk.sentences}
    ends = {past: first for first, (_, past) in talk.fillers.items()}

    def opens(first: int) -> bool:
        while first in ends:
            first = ends[first]
        return first in starts

    inside = [first for first in talk.fillers if not opens(first)]
    if len(inside) * 2 < len(talk.fillers):
        return (
            "They come mostly where a new sentence begins. Close your mouth at the full stop, "
            "breathe, and begin when the sentence is ready; nobody minds the wait but you."
        )
    telling = set(talk.telling)
    sought = [talk.fillers[first][1] for first in inside if talk.fillers[first][1] in telling]
    shown = list(dict.fromkeys(talk.words(range(i, i + 1)) for i in sought))[:3]
    if not shown:
        return (
            "They come in the middle of a thought, while the next words are on their way. Read "
            "this line aloud and pause wherever you search."
        )
    words = " or ".join(f"“{word}”" for word in shown)
    return (
        f"They come while you look for the next word, as before {words}. Say these lines aloud a "
        "few times at home, so that the words are there; where one is not, a silence sounds like "
        "thought."
    )


def rushes(talk: Talk) -> Iterator[Found]:
    """The fastest stretch, if it is far faster than the talk as a whole."""
    if talk.transcript.precision is Precision.NONE:
        return
    seconds = talk.token_seconds
    paces: list[tuple[float, range]] = []
    for turn in talk.ranges:
        for first in range(turn.start, turn.stop - RUSH_TOKENS):
            last = first + RUSH_TOKENS
            if first in seconds and last in seconds:
                taken = seconds[last] - seconds[first]
                paces.append((words_per_minute(RUSH_TOKENS, taken), range(first, last)))
    if not paces:
        return
    usual = sorted(pace for pace, _ in paces)[len(paces) // 2]
    fastest, passage = max(paces, key=lambda entry: (entry[0], -entry[1].start))
    if fastest < max(RUSH_WORDS_PER_MINUTE, RUSH_TIMES_USUAL * usual):
        return
    passage = _from_clause(talk, passage)
    where = talk.words(passage, 7)
    yield Found(
        MomentKind.RUSH,
        passage,
        f"Try to slow down where you say “{where}”, {place(talk, passage)}.",
        "You were quicker here than anywhere else, so the words arrive together and none of them "
        "stays. Choose the one that matters, and breathe before it.",
        0.74,
        f"give more room to “{where}”",
    )


def _from_clause(talk: Talk, passage: range) -> range:
    """The passage from the nearest place around its start where a clause may begin, to where one
    ends.
    """
    turn = next(turn for turn in talk.ranges if passage.start in turn)
    near = range(max(turn.start, passage.start - 4), min(passage.start + 8, passage.stop))
    begins = [i for i in near if talk.is_border(i) or talk.keys[i] in _CLAUSE_OPENERS]
    first = min(begins, key=lambda i: (abs(i - passage.start), i), default=passage.start)
    past = (i for i in range(passage.stop, turn.stop) if talk.is_border(i))
    return range(first, next(past, turn.stop))


def missing_silences(talk: Talk) -> Iterator[Found]:
    """A line that has earned a silence and has none."""
    long_enough = talk.metrics.duration_seconds >= LONG_ENOUGH_SECONDS
    if talk.transcript.precision is not Precision.WORD or not long_enough:
        return
    none = not talk.silences
    why = (
        "The talk runs from line to line without a rest, so this one passes like all others"
        if none
        else "You know how to wait, as you did elsewhere, and this line has earned it too"
    )
    for number, line in enumerate(_strong_lines(talk, plain=none)):
        gap = talk.gap_seconds(line.stop)
        if gap is None or gap >= HURRIED_SECONDS or talk.stumbles(line):
            continue
        after = next(iter(talk.sentences_at(range(line.stop, line.stop + 1))), None)
        then = f" with “{talk.words(after, 6)}”" if after else ""
        yield Found(
            MomentKind.NO_SILENCE,
            talk.ending(line),
            f"Try a silence after “{tail(talk, line, 8)}”.",
            f"{why}. Say it, close your mouth, look at somebody, and only then go on{then}.",
            (0.72 if none else 0.5) - 0.001 * number,
            f"leave a silence after “{tail(talk, line)}”",
        )


def _strong_lines(talk: Talk, *, plain: bool) -> Iterator[range]:
    """The lines that praise would rest on, the strongest first; then plain ones from the last."""
    kinds = (rules.contrasts, rules.calls_to_action, rules.triads)
    found = sorted(chain.from_iterable(rule(talk) for rule in kinds), key=lambda f: -f.weight)
    lines = [line for each in found for line in talk.sentences_at(each.passage)[-1:]]
    yield from (line for line in lines if talk.share(line) > 0.15)
    if not plain:
        return
    yield from (s for s in _plain_lines(talk) if 6 <= len(s) <= 22)


def _plain_lines(talk: Talk) -> Iterator[range]:
    """The sentences that neither ask nor greet, from the last."""
    for sentence in reversed(sentences(talk)):
        if not talk.asks(sentence) and not cues.greets(keys_of(talk, sentence)):
            yield sentence


def hurried_questions(talk: Talk) -> Iterator[Found]:
    """A question to the listeners, and no time for them to answer it."""
    if talk.transcript.precision is not Precision.WORD:
        return
    for each in rules.questions(talk):
        index = each.passage.stop
        gap = talk.gap_seconds(index)
        after = next(iter(talk.sentences_at(range(index, index + 1))), None)
        if gap is not None and gap < HURRIED_SECONDS and after is not None:
            yield Found(
                MomentKind.HURRIED_QUESTION,
                each.passage,
                f"Try waiting after “{tail(talk, each.passage, 9)}”.",
                f"“{talk.words(after, 7)}” comes before anybody can look for an answer. Ask, count "
                "to three in silence, and watch their faces; then go on.",
                0.64,
                "leave time behind your question",
            )


def crowded_figures(talk: Talk) -> Iterator[Found]:
    """A sentence with many figures."""
    for sentence in sentences(talk):
        groups = list(_figures(talk, sentence))
        if len(groups) >= MOST_FIGURES:
            shown = [talk.words(group) for group in groups[:3]]
            yield Found(
                MomentKind.FIGURES,
                sentence,
                f"Consider keeping one of the figures “{shown[0]}”, “{shown[1]}” and “{shown[2]}”.",
                "In one sentence they push each other out. Choose the one that people should "
                "repeat tomorrow, hold it against something they know, and put the rest on paper.",
                0.66,
                "give one figure at a time",
            )


def _figures(talk: Talk, sentence: range) -> Iterator[range]:
    """The figures of a sentence, each whole: "two hundred and ten" is one."""
    counts = [talk.keys[i] in CARDINALS or cues.is_number(talk.keys[i]) for i in sentence]
    at = 0
    while at < len(sentence):
        past = at
        while past < len(sentence) and counts[past]:
            joined = talk.keys[sentence[past] + 1 : sentence[past] + 2] == ["and"]
            past += 2 if joined and counts[past + 2 : past + 3] == [True] else 1
        if any(cues.is_number(talk.keys[i]) for i in sentence[at:past]):
            yield sentence[at:past]
        at = max(past, at + 1)


def long_sentences(talk: Talk) -> Iterator[Found]:
    """The longest sentence, if it is long and the transcript has full stops at all."""
    ended = [sentence for sentence in talk.sentences if talk.ends_sentence(sentence)]
    if len(ended) < 3 or sum(map(len, ended)) > LONGEST_USUAL_SENTENCE * len(ended):
        return
    if not talk.english and " " not in talk.transcript.text:
        return
    longest = max(ended, key=lambda sentence: (len(sentence), -sentence.start))
    if len(longest) < LONG_SENTENCE_TOKENS:
        return
    middle = longest.start + len(longest) // 2
    cut = min((c.start for c in talk.clauses(longest)[1:]), key=lambda at: abs(at - middle),
              default=middle)  # fmt: skip
    yield Found(
        MomentKind.LONG_SENTENCE,
        longest,
        f"Try a full stop after “{talk.words(range(max(longest.start, cut - 6), cut))}”.",
        "Listeners cannot go back and read, and this sentence asks them to hold all of it. Stop "
        f"there, breathe, and begin again with “{talk.words(range(cut, longest.stop), 6)}”.",
        0.63,
        "put one thought into a sentence",
    )


def plain_closes(talk: Talk) -> Iterator[Found]:
    """The last line, where nothing else is to be said."""
    for number, sentence in enumerate(_plain_lines(talk)):
        if len(sentence) >= talk.policy.min_tokens:
            yield Found(
                MomentKind.OTHER_WORDS,
                sentence,
                f"Try a silence before “{talk.words(sentence, 15)}”, and say it more slowly.",
                "People notice that you are about to finish, and listen once more. Give them that "
                "moment, and the line has the room to itself.",
                max(0.0, 0.3 - 0.001 * number),
                "be quiet for a moment before you finish",
            )


ADVICE = (
    fillers, rushes, missing_silences, hurried_questions, crowded_figures, long_sentences,
    plain_closes,
)  # fmt: skip
