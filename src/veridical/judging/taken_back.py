"""Do the words around a sentence take back what it says?

"It is not true that:", "This rule was abolished in 2020." and the heading "Rejected proposals"
leave a sentence as it stands, and make of a rule no rule. So they are read beside what decides: the
sentences that lead in to it, the one that follows it, and the titles above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veridical.judging.judge import Case
from veridical.judging.lead_ins import LEADS_IN, item_lead
from veridical.judging.predicated import is_predicated

_ENDED = (
    "abolished|repealed|revoked|rescinded|withdrawn|superseded|cancel(?:l?ed)|discontinued|scrapped"
    "|rejected|obsolete|outdated|annulled|void|voided|lapsed|overturned|reversed|retracted"
    "|struck (?:out|down|from)|dropped|suspended"
)
_UNTRUE = (
    "untrue|false|falsehoods?|incorrect|wrong|wrongly|mistaken|mistakes?|errors?|myths?"
    "|misconceptions?|misunderstandings?|rumou?rs?|hoax(?:es)?|fake|invented|fictitious"
)
_USED_TO = "".join(f"(?<!{be} )" for be in "be been being is are was were not only".split())
"""Words before "used to" by which it says what a thing is for, not what was so."""

_NO_LONGER = (
    f"{_USED_TO}used to|"
    "no longer|not any ?more|until recently|formerly|previously|not yet"
    "|(?:not|never) (?:\\w+ )?(?:true|correct|so|the case|right|valid|accurate|in force|in effect"
    "|adopted|approved|accepted|agreed|introduced|implemented|passed|binding|apply|hold|happen"
    "|said|meant|mean|promise[ds]?|decided)"
    "|(?:isn't|wasn't|aren't|weren't|doesn't|don't|didn't) (?:\\w+ )?(?:true|correct|so|the case"
    "|right|valid|accurate|in force|in effect|adopted|approved|apply|hold|mean)"
)
_TAKES_BACK = re.compile(rf"\b(?:{_ENDED}|{_UNTRUE}|{_NO_LONGER})\b", re.IGNORECASE)

_DENIED = re.compile(rf"\b(?:{_NO_LONGER})\b", re.IGNORECASE)

_DENIES = re.compile(
    r"\b(?:not(?! limited to)|never|neither|cannot|nobody|none|no one)\b|n['\u2019]t\b",
    re.IGNORECASE,
)

_POINTS_BACK = re.compile(
    r"^[\W_]*(?:however,? |but |all (?:of )?|both (?:of )?|since \d{4},? )?"
    r"(?:this|that|these|those|it|they|the (?:above|foregoing|former|latter)|such|which|both"
    r"|neither)\b",
    re.IGNORECASE,
)
_MOST_SHORT = 4
"""Words of a sentence that only says whether the one before is true: "Not true any more." """

_TITLES = re.compile(
    r"\b(?:abolished|repealed|revoked|rescinded|withdrawn|superseded|scrapped|rejected|obsolete"
    r"|outdated|annulled|discontinued|retracted|untrue|myths?|misconceptions?|misunderstandings?"
    r"|rumou?rs?|falsehoods|former(?:ly)?|no longer|not (?:adopted|approved|in force|valid|true)"
    r"|draft|proposed (?:changes?|rules?|text|amendments?|policy)|bad examples?|counter-?examples?"
    r"|(?:old|previous) (?:rules?|versions?|policy|policies))\b",
    re.IGNORECASE,
)
"""Narrower than the words of sentences: what is written under "Errors in your pay" or "Archives"
holds."""

_WORD = re.compile(r"[^\W_]+")


def taken_back(case: Case, low: int, high: int) -> str | None:
    """The words around the sentences `low` to `high` of a case, half-open, by which those are taken
    back; None where none are. What the claim says itself takes nothing back.
    """
    for text, found in _around(case, low, high):
        if not _says_itself(case.claim, found, text):
            return _shown(text)
    return None


def heads_what_is_none(case: Case) -> str | None:
    """The word of the titles above a passage by which it is no rule, or none any more."""
    said = f"{case.claim} {case.context}"
    return next(
        (found[0] for found in _TITLES.finditer(case.heading) if not _has(said, found[0])), None
    )


def turned_round(case: Case, low: int, high: int) -> str | None:
    """The words by which the sentences `low` to `high` deny what a list item of the answer says
    under its lead-in, or say what that denies; None where both do the same.

    "The following are reimbursed:" says something of an item that has no verb of its own; so does
    the lead-in of a list in the passage.
    """
    lead = item_lead(case)
    if lead is None:
        return None
    before = [text for text in case.sentences[:low] if LEADS_IN.search(text)][-1:]
    said = [*before, *case.sentences[low:high]]
    denying = [text for text in said if _DENIES.search(text)]
    if bool(denying) == bool(_DENIES.search(f"{lead} {case.claim}")):
        return None
    return _shown(denying[0] if denying else said[-1])


def _around(case: Case, low: int, high: int) -> Iterator[tuple[str, str]]:
    """Each sentence that may take the others back, with the words by which it does."""
    # Either may be among what decides, for the words that it shares with the claim.
    before, after = case.sentences[: max(low, high - 1)], case.sentences[low + 1 : high + 1]
    for at, text in enumerate(before):
        if not LEADS_IN.search(text):
            continue
        found = _TAKES_BACK.search(text)
        if found is None and at == low - 1 and not _denies(case):
            found = _DENIES.search(text)
        if found:
            yield text, found[0]
    for text in case.sentences[low:high]:
        head, colon, _ = text.rpartition(":")
        if colon and (found := _TAKES_BACK.search(head)):
            yield text, found[0]
    for text in after:
        found = _TAKES_BACK.search(text)
        if found and (_POINTS_BACK.search(text) or _is_short(text)):
            yield text, found[0]
    for text in case.context.splitlines():
        if not LEADS_IN.search(text) and (text[-1:] in ".!?" or not _is_short(text)):
            continue  # neither leads in nor is a title of the answer
        if found := _TAKES_BACK.search(text):
            yield text, found[0]


def _denies(case: Case) -> bool:
    return _DENIES.search(f"{case.claim} {case.context}") is not None


def _is_short(text: str) -> bool:
    return len(_WORD.findall(text)) <= _MOST_SHORT


def _says_itself(claim: str, words: str, text: str) -> bool:
    """Whether a claim says by itself what some words of `text` say of it: "was abolished".

    "False alarms must be reported" has the word of "This is false.", and does not say that. Where
    both only name a thing ("Mistakes are put right so:"), nothing is taken back.
    """
    if _DENIED.fullmatch(words) or _DENIES.fullmatch(words):
        last = _last_word(words)
        return any(_last_word(found[0]) == last for found in _DENIED.finditer(claim))
    if not _has(claim, words):
        return False
    stem = _stem(words)
    return is_predicated(claim, stem) or not (is_predicated(text, stem) or _is_verdict(text, stem))


def _is_verdict(text: str, stem: str) -> bool:
    """Whether a text is no more than a word on what is said before it: "False.", "Wrong again"."""
    begins = _WORD.match(text.lstrip(_MARKS))
    is_bare = _is_short(text) and not LEADS_IN.search(text)
    return is_bare and begins is not None and begins[0].casefold().startswith(stem)


def _has(claim: str, words: str) -> bool:
    """Whether a claim has the last of some words, but for its ending."""
    stem = _stem(words)
    return any(word.casefold().startswith(stem) for word in _WORD.findall(claim))


def _stem(words: str) -> str:
    return _last_word(words).removesuffix("s")[:_STEM]


def _last_word(words: str) -> str:
    last: str = _WORD.findall(words)[-1]
    return last.casefold()


def _shown(text: str) -> str:
    words: Sequence[str] = text.split()
    return " ".join(words[:_MOST_SHOWN]) + (" \u2026" if len(words) > _MOST_SHOWN else "")


_MARKS = " \t\n*_\"'(\u2018\u201c"

_STEM = 6
"""Letters by which rejected is reject and rejection."""

_MOST_SHOWN = 12
