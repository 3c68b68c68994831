"""Items of a list, and what the line that leads in to them says of each.

"The following are reimbursed:" says something of every item below it. An item without a verb of its
own is borne out only where the source says that as well: "Keep receipts for taxis" does not say
that they are reimbursed. A line that only introduces ("Here is what the handbook says:") says
nothing of its items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from veridical.judging.alignment_words import Word, read_words, stem
from veridical.judging.clauses import PREPOSITIONS
from veridical.judging.joining import BEGINNING
from veridical.judging.judge import Case
from veridical.judging.pairing import POINTING
from veridical.validation.lexicon import MODALS, NEGATIONS

LEADS_IN = re.compile(
    r"(?::|\b(?:if|who|whom|that|when|you|they|are|is|to)\s*[-\u2013\u2014]?)[\"'\u201d\u2019)*_]*\s*$"
)
"""A sentence that ends so says something of what follows it."""

_SAYS = re.compile(
    r"\b(?:is|are|was|were|be|am|has|have|had|does?|did|can|cannot|may|might|must|shall|should|will"
    r"|would|could|gets?|receives?|needs?|counts?|applies|apply|pays?)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_MOST_OF_AN_ITEM = 12
"""Words of an item that says nothing without its lead-in."""

_MOST_OF_A_LABEL = 3
"""Words of a line that leads in to a part of a list, and goes on with what the one above it says:
"Travel:" below "We reimburse:"."""


def item_lead(case: Case) -> str | None:
    """The line of the answer that says of the claim, an item of a list, what it is; None where the
    claim speaks for itself.
    """
    lead = next((t for t in reversed(case.context.splitlines()) if LEADS_IN.search(t)), None)
    is_item = len(_WORD.findall(case.claim)) <= _MOST_OF_AN_ITEM
    verb = _SAYS.search(case.claim)
    # "have severe liver disease" goes on with "Do not take it if you:".
    return lead if is_item and (verb is None or not verb.start()) else None


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


_KINDS = (
    _stems(
        "reimburse reimbursable reimbursement repay repaid refund refundable pay paid payable "
        "compensate compensation cover claim claimable bear borne fund subsidise subsidize"
    ),
    _stems("cover include comprise consist contain part belong"),
    _stems("allow permit permission may can could welcome authorise authorize able free possible"),
    _stems("approve approval authorise authorize sign agree agreement consent permission"),
    _stems("report notify notification tell told inform"),
    _stems(
        "submit provide send sent hand attach present show shown upload enclose deliver supply "
        "give given file"
    ),
    _stems("bring brought carry take taken show shown present"),
    _stems("wear worn"),
    _stems("keep kept store retain retention save archive hold held"),
    _stems("delete erase remove destroy wipe shredded"),
    _stems("insure insurance cover protect"),
)
"""Kinds of what a lead-in says, each with the words by which a source says it too."""

_DENYING_KINDS = (
    _stems("forbid forbidden prohibit ban banned bar barred disallow unacceptable"),
    _stems("exclude exempt exclusion exemption ineligible omit except"),
)
_DENYING = frozenset().union(*_DENYING_KINDS) | {stem(word) for word in NEGATIONS}
"""What is excluded is not covered: a source may say so by any denial."""

_LISTS = frozenset("include includes including comprise comprises contain contains".split())
"""What leads in to parts or examples of a thing. "Included" says something of them."""

_HELPING = frozenset("is are was were be been being".split()) | MODALS.keys()
_BETWEEN = NEGATIONS | frozenset("also only always then usually all be been get to".split())
_INTRODUCES = _stems(
    """
    follow list say state mention describe explain note summarise summarize show find found know
    known see detail outline specify set give given name define regard concern relate ask answer
    apply use based include need require expect entitle eligible offer receive get have do make
    consider aware remember look understand
    """
)
"""What a line says that only leads in, or says it of all and any."""


def unsaid_of_items(case: Case, low: int, high: int) -> str | None:
    """The word by which the lead-in of a list item says something of it that the sentences `low` to
    `high`, half-open, do not say; None where they do, and where it only introduces.
    """
    lead = item_lead(case)
    if lead is None:
        return None
    mine = frozenset(word.stem for word in read_words(case.claim))
    texts = (*_speaking(case, low, high), *_holding(case))
    said = {word.stem for text in texts for word in read_words(text)} - mine
    for word, ways in _predicates(read_words(lead)):
        if said.isdisjoint(ways):
            return word.text
    return _added(read_words(lead), said)


def _added(lead: Sequence[Word], said: AbstractSet[str]) -> str | None:
    """A word by which a lead-in narrows or turns a thing of the source: unpaid leave."""
    for word, noun in pairwise(lead):
        if word.key in _NARROWS and word.stem not in said:
            return word.text
        if not (word.content and noun.content) or noun.border or word.number is not None:
            continue
        if noun.key in PREPOSITIONS or any(word.stem in kind for kind in _KINDS):
            continue
        if noun.stem in said and word.stem not in said | _INTRODUCES and noun.key not in _HELPING:
            return word.text
    return None


_NARROWS = frozenset("only solely exclusively refused denied lose loses lost never".split())


def _holding(case: Case) -> Iterator[str]:
    """Other sentences that have all telling words of the item, and deny nothing: which of those the
    claim rests on was decided without its lead-in.
    """
    telling = {word.stem for word in read_words(case.claim) if word.content}
    for text in case.sentences:
        words = read_words(text)
        if telling <= {w.stem for w in words} and NEGATIONS.isdisjoint(w.key for w in words):
            yield text


def _predicates(lead: Sequence[Word]) -> Iterator[tuple[Word, frozenset[str]]]:
    """What a lead-in says of its items, each with the stems by which that may be said."""
    found = False
    for word in lead:
        if word.key in MODALS or word.key in _LISTS:
            continue
        kinds = [kind for kind in _KINDS if word.stem in kind]
        if any(word.stem in kind for kind in _DENYING_KINDS):
            kinds.append(_DENYING)
        if kinds:
            found = True
            yield word, frozenset().union(*kinds)
    if not found:
        yield from ((word, frozenset({word.stem})) for word in _helped(lead))


def _helped(lead: Sequence[Word]) -> Iterator[Word]:
    """The verb behind a helping verb: "are taxed", "must register"."""
    for at, word in enumerate(lead):
        if word.key not in _HELPING:
            continue
        verb = next((w for w in lead[at + 1 :] if w.key not in _BETWEEN | _HELPING), None)
        is_verb = verb is not None and (word.key in MODALS or verb.key.endswith(("ed", "en")))
        if verb is not None and is_verb and verb.content and verb.stem not in _INTRODUCES:
            yield verb
        return


def _speaking(case: Case, low: int, high: int) -> Iterator[str]:
    """What says something of the sentences `low` to `high`: they themselves, the titles above them,
    what leads in to them, and the sentence before where they point back to it.
    """
    yield case.heading
    yield from case.sentences[low:high]
    leading = [text for text in case.sentences[:low] if LEADS_IN.search(text)]
    for text in reversed(leading):
        yield text
        if len(_WORD.findall(text)) > _MOST_OF_A_LABEL:
            break
    if low and not POINTING.isdisjoint(w.key for w in read_words(case.sentences[low])[:BEGINNING]):
        yield case.sentences[low - 1]


def denied_above(case: Case, low: int, high: int) -> str | None:
    """The word by which the line that leads in to the sentences `low` to `high`, items of a list,
    denies what the claim says of one: "We do not reimburse:". None where the claim denies too.
    """
    claim = read_words(case.claim)
    if not _DENYING.isdisjoint(word.stem for word in claim):
        return None
    items = case.sentences[low:high]
    lead = next((text for text in reversed(case.sentences[:low]) if _ends_open(text)), None)
    if lead is None or not all(_ITEM.match(text) for text in items):
        return None
    words = read_words(lead)
    denial = next((word for word in words if word.stem in _DENYING), None)
    telling = {word.stem for word in words if word.content} - _DENYING
    ours = {word.stem for word in claim if word.content}
    said = {word.stem for text in items for word in read_words(text)}
    return denial.text if denial is not None and telling & ours - said else None


def governed_above(case: Case, low: int, high: int) -> str | None:
    """The line that leads in to the sentences `low` to `high`, items of a list, and makes them a
    part of what it says: "It is not allowed that:". None where the claim has a telling word of it.
    """
    if not all(_ITEM.match(text) for text in case.sentences[low:high]):
        return None
    lead = next((text for text in reversed(case.sentences[:low]) if _ends_open(text)), None)
    if lead is None or not _GOVERNS.search(lead):
        return None
    ours = {word.stem for word in read_words(case.claim)}
    telling = {word.stem for word in read_words(lead) if word.content}
    return None if telling & ours else lead.strip()


_GOVERNS = re.compile(
    r"\b(?:that|(?<!limited )to|if|when|where|whether|unless|who)\W*:\s*$", re.IGNORECASE
)

_ITEM = re.compile(r"\s*(?:[-*+\u2022]|\(?(?:\d{1,3}|[a-z])[.)])\s")


def _ends_open(text: str) -> bool:
    return text.rstrip().endswith(":")
