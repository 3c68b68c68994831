"""What leads and what may stand beside it: special cases, restrictions, second questions."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from veridical.answering.disagreement import cases_of
from veridical.answering.evidence.wanted import names_wanted
from veridical.answering.question.asked import AskedQuestion, Wanted, read_question
from veridical.retrieval.terms import terms

_MOST_QUESTIONS = 4

_ASKS = (
    r"(?:(?:by|from|for|to|with|at|until|on|after|in)\s+)?"
    r"(?:how|what|when|who|whom|where|which|why)"
)
_MODAL = r"(?:do|does|did|can|could|may|must|should|will|would|is|are|am|has|have)"
_ASKED_OF = r"(?:i|we|you|they|he|she|it|there|the|a|an|my|our|your|employees|staff|this|that)"
_OPENS = rf"{_ASKS}|{_MODAL}\s+{_ASKED_OF}"
_BETWEEN = re.compile(
    rf"(?:[?.;,]\s*(?:and|or|but)?|\s(?:and|or|but))\s+(?:also\s+|then\s+)?(?={_OPENS}\b)",
    re.IGNORECASE,
)
_IS_QUESTION = re.compile(rf"(?:{_ASKS}|{_MODAL})\b", re.IGNORECASE)

_LEAST_TOLD = 0.5
"""Share of a question's own terms from which a text answers it."""

_RESTRICTS = re.compile(
    r"\b(?:not|no|cannot|can't|never|nobody|none|unless|except|exceptions?|only|excluded|excludes|"
    r"exempt|without|however)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:not|no|cannot|can't|never|nobody|none|excluded|exempt)\b|n['\u2019]t\b", re.IGNORECASE
)
_NO_DENIAL = re.compile(
    r"\b(?:no|not) (?:more|less|fewer|later|longer|earlier|only)\b|\bno matter\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class OneOfSeveral:
    """One of several questions that were asked at once; `own` are the terms of no other of them."""

    asked: AskedQuestion
    own: frozenset[str]

    def is_told(self, text: str) -> bool:
        """Whether a text has half of its own terms, or more, and names what it asks for."""
        held = self.own.intersection(terms(text))
        return len(held) >= _LEAST_TOLD * len(self.own) and names_wanted(self.asked, text)


def questions_in(asked: AskedQuestion) -> tuple[OneOfSeveral, ...]:
    """The questions that one holds, if they are several: "is it paid, and for how long?"."""
    parts = [part.strip(" ,.;?") for part in _BETWEEN.split(asked.text)]
    found = [part for part in parts if _IS_QUESTION.match(part)][:_MOST_QUESTIONS]
    if len(found) < 2:
        return ()
    read = [read_question(f"{part}?") for part in found]
    counts = Counter(term for one in read for term in one.terms)
    return tuple(
        OneOfSeveral(one, frozenset(term for term in one.terms if counts[term] == 1))
        for one in read
    )


def restricts(text: str) -> bool:
    """Whether a sentence takes something back, or limits it to a case."""
    return _RESTRICTS.search(_NO_DENIAL.sub("", text)) is not None


def is_special(asked: AskedQuestion, text: str) -> bool:
    """Whether a sentence is for a case that the question does not name, or denies something."""
    foreign = cases_of(text) - cases_of(asked.text)
    return bool(foreign) or _DENIES.search(_NO_DENIAL.sub("", text)) is not None


def names_moment(asked: AskedQuestion, text: str) -> bool:
    """Whether a sentence tells a day, a time of day or a length of time."""
    return any(names_wanted(replace(asked, wanted=wanted), text) for wanted in _MOMENTS)


_MOMENTS = (Wanted.DURATION, Wanted.DATE, Wanted.CLOCK)
