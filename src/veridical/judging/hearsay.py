"""Does a passage tell what somebody says, thinks or hopes, where the claim says that it is so?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.judging.alignment import Alignment

_OPINES = frozenset(
    """
    claim claims claimed argue argues argued allege alleges alleged believe believes believed think
    thinks thought suspect suspects suspected speculate speculates speculated assume assumes assumed
    guess guesses pretend pretends pretended complain complains complained fear fears feared hope
    hopes hoped
    """.split()
)
"""Verbs by which a text tells another's view, with "that" or without."""

_OPINES_THAT = frozenset(
    """
    feel feels felt insist insists insisted assert asserts asserted maintain maintains maintained
    contend contends contended expect expects expected predict predicts predicted suppose supposes
    wish wishes dream dreams imagine imagines deny denies denied dispute disputes disputed doubt
    doubts doubted
    """.split()
)
"""Verbs that have other meanings unless "that" follows."""

_SAYS = frozenset(
    "say says said tell tells told report reports reported suggest suggests suggested warn warns "
    "warned write writes wrote note notes noted".split()
)
_TELLS = _OPINES | _OPINES_THAT | _SAYS
_DOUBTFUL = frozenset(
    """
    critics opponents some many people others rumour rumours rumor rumors gossip detractors sceptics
    skeptics rivals competitors commentators neighbours neighbors outsiders legend myth tradition
    seller sellers vendor vendors supplier suppliers manufacturer manufacturers advertiser defendant
    plaintiff claimant applicant suspect accused driver owner landlord tenant spokesman spokeswoman
    spokesperson lobbyists brochure advertisement
    """.split()
)
"""Those whose word is told because it is only theirs."""

_LEAST_CLAIMED = 2
"""Content words of the claim behind the verb from which that is what is told."""


def hearsay(a: Alignment, standing: Sequence[int]) -> str | None:
    """Who says it, with the verb; None where the passage says it itself, or the claim tells whose
    word it is.

    `standing` are the columns of the passage that the claim stands on.
    """
    stems = {word.stem for word in a.claim_all}
    for sentence in sorted({a.sentence_at[column] for column in standing}):
        columns = np.flatnonzero(a.sentence_of == sentence).tolist()
        for at, column in enumerate(columns):
            word = a.passage[column]
            if word.key not in _TELLS or word.stem in stems:
                continue
            if _tells_a_view(a, columns, at) and _is_claimed_behind(a, columns[at + 1 :]):
                return _shown(a, columns[: at + 1])
            if _follows(a, columns, at):
                return _shown(a, columns[at - 1 : at + 1])
        if _according(a, columns) and not {"accord"} & stems:
            return _shown(a, columns[:4])
    return None


def _tells_a_view(a: Alignment, columns: Sequence[int], at: int) -> bool:
    """Whether the word is a verb of saying with a subject of its own, which is not the claim's."""
    word = a.passage[columns[at]]
    behind = a.passage[columns[at + 1]].key if at + 1 < len(columns) else ""
    subject = [c for c in columns[:at] if a.passage[c].content or a.passage[c].key in _PERSONS]
    if not subject or any(a.is_held[c] for c in subject if a.passage[c].content):
        return False
    passive = at > 0 and a.passage[columns[at - 1]].key in _BE
    if word.key in _OPINES and not passive:
        return behind != "to"
    if word.key in _OPINES | _OPINES_THAT:
        return behind == "that"
    return word.key in _SAYS and any(a.passage[c].key in _DOUBTFUL for c in subject)


_BE = frozenset("is are was were be been being".split())
_PERSONS = frozenset("he she they we i it you".split())


def _follows(a: Alignment, columns: Sequence[int], at: int) -> bool:
    """Whether it comes last: "The plant pollutes the river, critics claim"."""
    if at < _LEAST_CLAIMED + 1 or at + 1 != len(columns):
        return False
    start = max((i for i in range(at) if a.passage[columns[i]].border), default=0)
    if not start or not _is_claimed_behind(a, columns[:start]):
        return False
    word, subject = a.passage[columns[at]], {a.passage[c].key for c in columns[start:at]}
    return word.key in _OPINES or (word.key in _SAYS and not subject.isdisjoint(_DOUBTFUL))


def _according(a: Alignment, columns: Sequence[int]) -> bool:
    keys = [a.passage[column].key for column in columns[:5]]
    return keys[:2] == ["according", "to"] and not _DOUBTFUL.isdisjoint(keys)


def _is_claimed_behind(a: Alignment, columns: Sequence[int]) -> bool:
    held = [c for c in columns if a.passage[c].content and a.is_held[c]]
    return len(held) >= _LEAST_CLAIMED


def _shown(a: Alignment, columns: Sequence[int]) -> str:
    return " ".join(a.passage[column].text for column in columns[-4:])
