"""Sentences of two independent clauses, cut in two where that cannot change what is said.

A claim without its condition would be judged wrongly, so a sentence is cut only if it has none of
`LIMITS`, nothing stands before the subject of its first clause that might hold for both, each
clause has a subject and a finite verb of its own, and no comma makes a list of it. English only;
everything else stays whole.
"""

from __future__ import annotations

import re

from veridical.ledger.extraction.words import (
    AUXILIARIES,
    FINITE_VERBS,
    LEADING,
    LIMITS,
    words_of,
)

_JOINTS = re.compile(r",\s+and\s+|;\s+")
_GROUPED = re.compile(r"[()\[\]\"\u201c\u201d\u201e\u00ab\u00bb:?\u2013\u2014]")
_MOST_SUBJECT_WORDS = 8
_LEAST_WORDS = 3
_MOST_CHARS = 600


def clauses(sentence: str) -> list[tuple[int, int]]:
    """The claims of a sentence as ranges of it: two independent clauses, or the whole."""
    whole = [(0, len(sentence))]
    if len(sentence) > _MOST_CHARS or not sentence.isascii():
        return whole
    joints = list(_JOINTS.finditer(sentence))
    if len(joints) != 1 or _GROUPED.search(sentence) or LIMITS().search(sentence):
        return whole
    joint = joints[0]
    left, right = sentence[: joint.start()], sentence[joint.end() :]
    if "," in left or "," in right or not (_stands(left) and _stands(right)):
        return whole
    return [(0, joint.start()), (joint.end(), len(sentence))]


def _stands(clause: str) -> bool:
    """Whether a clause begins with its subject and has a finite verb after it."""
    words = words_of(clause)
    if len(words) < _LEAST_WORDS or words[0] in LEADING or words[0] in FINITE_VERBS:
        return False
    if words[-1] in AUXILIARIES or words[-1] == "not" or words[0].endswith(("ing", "ly", "ed")):
        return False
    return not FINITE_VERBS.isdisjoint(words[1 : _MOST_SUBJECT_WORDS + 1])
