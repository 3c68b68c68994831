"""What stands around the items of the fixed rules: how a talk is built, and what to keep of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from veridical.speech.evaluation import (
    LEAST_ITEMS,
    EvaluationItem,
    ItemType,
    StructuredEvaluation,
)
from veridical.speech.offline import cues, rules
from veridical.speech.offline.moments import Found, MomentKind, Talk, keys_of, place, sentences

BY_RULES = (
    "These notes were made by fixed rules that go by your words and their times, so take what "
    "helps you and leave the rest."
)
SHORT = "There were few words in a row to quote from, so these notes are short."
THANKS = "Thank you for speaking to us."
NOTHING_TO_QUOTE = (
    (
        "Thank you for speaking. These notes were made by fixed rules, and there were too few "
        "words in a row for the rules to quote from."
    ),
    f"Please come back with a longer talk. {THANKS}",
)

_QUICKER = 1.12
"""So much more than in another third is heard as another pace."""
_THIRDS = ("first", "second", "last")


def worded(
    talk: Talk, chosen: Sequence[tuple[ItemType, Found]], praise: Sequence[Found]
) -> StructuredEvaluation:
    """The evaluation: commendations first, each kind in the order of the speech.

    `praise` is all that there was to commend, by which the opening tells how the talk is built.
    """
    if not chosen:
        opening, closing = NOTHING_TO_QUOTE
        return StructuredEvaluation(opening, (), closing)
    order = list(ItemType)
    ordered = sorted(chosen, key=lambda entry: (order.index(entry[0]), entry[1].passage.start))
    items = tuple(
        EvaluationItem(
            kind,
            found.summary,
            talk.quote(found.passage),
            talk.seconds(found.passage),
            found.explanation,
        )
        for kind, found in ordered
    )
    praised = [found for kind, found in ordered if kind is ItemType.COMMENDATION]
    enough = len(praised) >= LEAST_ITEMS[ItemType.COMMENDATION] and len(praised) < len(ordered)
    told = f"{_structure(talk, praise)}{_delivery(talk)}" if enough else f"{SHORT} "
    return StructuredEvaluation(
        f"Thank you for your talk. {told}{BY_RULES}", items, _closing(ordered)
    )


def plain(talk: Talk, kind: ItemType, passage: range, others: int) -> Found:
    """What there is to say, beside some others, of words in which the rules find nothing."""
    said = talk.words(passage, 4 + others)
    if kind is ItemType.COMMENDATION:
        told = (
            f"You brought in “{said}” {place(talk, passage)}.",
            (
                "These are words that you chose yourself; ask a listener afterwards what they "
                "remember of them."
            ),
        )
        short = f"“{said}”"
    else:
        told = (
            f"Try saying “{said}” once more, slowly, with a silence behind it.",
            "Listen for the word that matters most to you, and let that one be heard.",
        )
        short = f"say “{said}” more slowly"
    return Found(MomentKind.OTHER_WORDS, passage, *told, weight=0.0, short=short)


def _structure(talk: Talk, praise: Sequence[Found]) -> str:
    """How the talk opens, what carries it, and how it ends."""
    if not talk.english:
        return ""
    parts = (_opens(talk, praise), _carried(talk, praise), _ends(talk, praise))
    told = [part for part in parts if part]
    if not told:
        return ""
    text = ", ".join(told[:-1]) + f" and {told[-1]}" if len(told) > 1 else told[0]
    return f"It {text}. "


def _opens(talk: Talk, praise: Sequence[Found]) -> str:
    first = rules.first_line(talk)
    if first is None:
        return ""
    early = {f.kind for f in praise if talk.share(f.passage) < 0.12}
    if MomentKind.STORY in early:
        return "opens with something that happened"
    if MomentKind.QUESTION in early or talk.asks(first):
        return "opens with a question"
    return "" if talk.stumbles(first) else f"opens with “{talk.words(first, 8)}”"


def _carried(talk: Talk, praise: Sequence[Found]) -> str:
    kinds = Counter(found.kind for found in praise)
    if kinds[MomentKind.SIGNPOSTS]:
        return "takes its points one by one"
    things = [i for i in talk.telling if cues.is_plain_thing(talk.keys[i])]
    often = Counter(talk.keys[i] for i in things).most_common(3)
    words = [
        talk.words(range(i, i + 1))
        for key, times in often
        if times > 2
        for i in next([i] for i in things if talk.keys[i] == key)
    ]
    if len(words) < 2:
        return ""
    return f"comes back most to “{'”, “'.join(words[:-1])}” and “{words[-1]}”"


def _ends(talk: Talk, praise: Sequence[Found]) -> str:
    said = sentences(talk)
    last = [
        s for s in said if len(s) > 3 and not (talk.stumbles(s) or cues.greets(keys_of(talk, s)))
    ]
    close = last[-2:][0].start if last else 0
    late = {found.kind for found in praise if found.passage.stop > close}
    if MomentKind.RETURN in late:
        return "comes back at the end to words of its beginning"
    if MomentKind.CALL_TO_ACTION in late:
        return "ends with something to do"
    if MomentKind.QUESTION in late:
        return "ends with a question"
    return f"ends on “{talk.words(last[-1], 9)}”" if last else ""


def _delivery(talk: Talk) -> str:
    """In which third it was quickest and where it rested, if that can be heard."""
    thirds = talk.metrics.thirds
    told = []
    paces = [third.words_per_minute for third in thirds]
    if paces and min(paces) > 0 and max(paces) >= _QUICKER * min(paces):
        fast, slow = (_THIRDS[paces.index(pick(paces))] for pick in (max, min))
        told.append(f"you spoke fastest in the {fast} third and slowest in the {slow}")
    rests = [third.pauses for third in thirds]
    if sum(rests) > 2 and min(rests) == 0:
        told.append(f"the {_THIRDS[rests.index(0)]} third has no long pause")
    if not told:
        return ""
    text = "; ".join(told)
    return f"{text[0].upper()}{text[1:]}. "


def _closing(ordered: Sequence[tuple[ItemType, Found]]) -> str:
    best: dict[ItemType, Found] = {}
    for kind, found in ordered:
        if kind not in best or found.weight > best[kind].weight:
            best[kind] = found
    keep = best.get(ItemType.COMMENDATION)
    change = best.get(ItemType.RECOMMENDATION)
    told = []
    if keep:
        told.append(f"If you keep one thing, keep {keep.short}.")
    if change:
        told.append(f"If you change one, {change.short}.")
    return " ".join((*told, THANKS))
