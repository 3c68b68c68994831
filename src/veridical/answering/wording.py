"""How statements and refusals are put: in one line, without what reads as a marker or a quote."""

from __future__ import annotations

import re
from itertools import pairwise

from veridical.answering.answer import Refusal, RefusalReason
from veridical.answering.question.kinds import Wanted
from veridical.answering.quoting import is_plain
from veridical.retrieval.shown import collapse

_MOST_MISSING = 3
_MISSING_CHARS = 80
"""Bounds of what a refusal repeats of a question, which may hold anything."""

_BRACKETS = str.maketrans("[]【】［］", "()()()")
_QUOTE_LABEL = re.compile(r"\b(quote)\s*:", re.IGNORECASE)
_OPENING = "I cannot answer this from the policies: "
_REASONS = {
    RefusalReason.NOTHING_FOUND: "nothing in them says anything about it.",
    RefusalReason.NOT_ANSWERED: "the passages that come closest do not say it.",
    RefusalReason.MODEL_REFUSED: "the language model found no answer in their passages.",
    RefusalReason.UNSUPPORTED: "what the language model replied is not what they say.",
    RefusalReason.UNUSABLE_QUESTION: "the question has no words to look for.",
    RefusalReason.EMPTY_CORPUS: "there are none to look in.",
}
_NAMING = {
    RefusalReason.NOTHING_FOUND: "nothing in them says anything about {}.",
    RefusalReason.NOT_ANSWERED: "the passages that come closest say nothing about {}.",
    RefusalReason.MODEL_REFUSED: "the language model found nothing in their passages on {}.",
}
"""What is said where words of the question are missing."""

_LACKING = {
    Wanted.FREQUENCY: "they do not say how often",
    Wanted.RULING: "they have no rule that says yes or no",
    Wanted.CONTACT: "they give no address or number to contact",
    Wanted.PERSON: "they name no person or function",
}
"""What is said where a kind of thing is missing; of others, that they give no such thing."""

_KIND = re.compile(
    rf"({'|'.join(sorted((wanted.value for wanted in Wanted), key=len, reverse=True))})(?!\w)"
)
_PHRASE = re.compile(r"(?:an?|the|any|my|our|your) ", re.IGNORECASE)
_WORD = re.compile(r"\w[\w'\u2019-]*")


def as_statement(text: str) -> str:
    """A statement in one line, in which nothing reads as a marker or as a quote line.

    In an answer `[2]` stands for its second citation and `Quote:` opens a quote, so that a
    source's own square brackets are shown round, and its "Quote:" with a dash.
    """
    kept = "".join(c for c in text if c.isspace() or is_plain(c))
    return _QUOTE_LABEL.sub(r"\1 –", collapse(kept).translate(_BRACKETS))


def refusal_text(refusal: Refusal, question: str = "") -> str:
    """A refusal in plain words: that the question cannot be answered, and what is missing.

    Missing words that stand beside each other in the question are named as one.
    """
    missing = [as_statement(one)[:_MISSING_CHARS].strip() for one in refusal.missing]
    named = [one for one in dict.fromkeys(missing) if one]
    kind = next(filter(None, map(_KIND.match, named)), None)
    words = _joined([one for one in named if not _KIND.match(one)], question)
    about = _listed([_mentioned(one) for one in words[:_MOST_MISSING]])
    naming = _NAMING.get(refusal.reason)
    if kind and refusal.reason is RefusalReason.NOT_ANSWERED:
        return f"{_OPENING}{_lacking(kind)}{f' for {about}' if about else ''}."
    if not about or naming is None:
        return _OPENING + _REASONS[refusal.reason]
    return _OPENING + naming.format(about)


def _lacking(kind: re.Match[str]) -> str:
    """That a kind of thing is not told; what follows its name says of what."""
    own = _LACKING.get(Wanted(kind[1]))
    return (
        f"{own or 'they give no ' + _PHRASE.sub('', kind[1], count=1)}{kind.string[kind.end() :]}"
    )


def _mentioned(name: str) -> str:
    """A word of a question between quotation marks, as it may be no noun: not about “given”."""
    plain = _PHRASE.match(name) or name[0].isupper() or not name[0].isalnum()
    return name if plain else f"\u201c{name}\u201d"


def _joined(words: list[str], question: str) -> list[str]:
    """The words, those in a row that follow each other in the question as one."""
    follows = set(pairwise(word.casefold() for word in _WORD.findall(question)))
    found: list[str] = []
    last = ""
    for word in words:
        if found and (last.casefold(), word.casefold()) in follows:
            found[-1] = f"{found[-1]} {word}"
        else:
            found.append(word)
        last = word
    return found


def _listed(names: list[str]) -> str:
    """The names in a row, the last behind "or"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} or {names[-1]}"
