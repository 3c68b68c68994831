"""Does a statement keep to a sentence of its source, word for word as far as it matters?

A judge of meanings forgives a word. Rules do not: "to the police" for "to the Security Desk", "per
trip" for "per day", "during" for "after", or a condition left out make another rule. So a statement
must be made of the sentence's own words, in their relations, and must have all that limits them.
It may leave out what stands beside its own part of the sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from veridical.answering.generative.omissions import LIMITERS, VERBS, head_end, left_out_of
from veridical.answering.generative.terms import Kind, Term, Terms, clauses_of
from veridical.answering.generative.wording import STRICT

_COUNTED = ("UNLESS", "SHOULD", "MIGHT", "OUGHT", "COULD", "NOT")
_PARTING = frozenset({"AND", "BUT", "OR", ","})
_AS_SUBJECT = frozenset({"by"})
_LONGEST_HEAD = 3
"""Words at the head of a sentence that may be of its subject, where no sign shows its end."""

_UNIT_WITHIN = 3
"""Words behind a number among which is what it counts."""


def keeps_to(statement: str, sentence: str, near: frozenset[str] = frozenset()) -> bool:
    """Whether a statement keeps to a sentence.

    `near` are the words that may be taken from around the sentence: titles above it, and the
    sentence before it where it begins with a pronoun.
    """
    said, parts = clauses_of(statement), clauses_of(sentence)
    return bool(said) and all(_stands_in(clause, parts, near, said) for clause in said)


def _stands_in(
    clause: Terms, parts: Sequence[Terms], near: frozenset[str], said: Sequence[Terms]
) -> bool:
    """Whether a clause keeps to a part of a sentence, and leaves out none that limits it."""
    kept = next((at for at, part in enumerate(parts) if _keeps(clause, part, near)), None)
    return kept is not None and not any(
        _limits(part) for part in parts[kept + 1 :] if part not in said
    )


def _limits(part: Terms) -> bool:
    """Whether a part behind a semicolon begins as what limits the part before it."""
    return part[0].key in LIMITERS or part[0].key in ("NOT", "otherwise", "however")


def _keeps(said: Terms, source: Terms, near: frozenset[str]) -> bool:
    ours = _words(said)
    words = {term.key for term in ours}
    if not words or not words <= {term.key for term in source} | near:
        return False
    left_out = left_out_of(said, source)
    if left_out is None:
        return False
    kept = tuple(term for at, term in enumerate(source) if at not in left_out)
    return (
        words <= {term.key for term in kept} | near
        and _same_signs(said, kept)
        and _same_numbers(said, kept)
        and _same_denials(said, kept)
        and _same_relations(ours, _words(kept))
        and _same_subject(said, kept)
    )


def _words(terms: Sequence[Term]) -> list[Term]:
    return [term for term in terms if term.kind is Kind.CONTENT]


def _same_signs(said: Terms, kept: Terms) -> bool:
    ours, theirs = Counter(t.key for t in said), Counter(t.key for t in kept)
    periods = {key for key in ours if key.startswith("PER=")}
    if ours["annual"]:  # annual leave is leave per year
        periods |= {"PER=year"} & theirs.keys()
    return (
        all(ours[key] == theirs[key] for key in _COUNTED)
        and periods == {key for key in theirs if key.startswith("PER=")}
        and ours["OR"] == theirs["OR"]
        and ours["IF"] <= theirs["IF"] + theirs["ONLY"]
        and ours["ONLY"] <= theirs["ONLY"]
        and (ours["MAY"] == theirs["MAY"] or ours["ONLY"] < theirs["ONLY"])
        and (ours["MUST"] == theirs["MUST"] or not theirs["MAY"])
        and (said[0].key != "ONLY" or kept[0].key == "ONLY" or _fronts(said))
    )


def _fronts(said: Terms) -> bool:
    """Whether "only" at the head of a sentence is for a condition: only if, only with."""
    is_unless = bool(said[0].relation)
    return is_unless or (len(said) > 1 and (said[1].key == "IF" or bool(said[1].relation)))


def _same_numbers(said: Terms, kept: Terms) -> bool:
    """Whether each number counts the same, from or up to the same side."""
    free = [at for at, term in enumerate(kept) if term.kind is Kind.NUMBER]
    for at, term in enumerate(said):
        if term.kind is not Kind.NUMBER:
            continue
        match = next((i for i in free if _same_number(said, at, kept, i)), None)
        if match is None:
            return False
        free.remove(match)
    return True


def _same_number(said: Terms, at: int, kept: Terms, other: int) -> bool:
    one, two = said[at], kept[other]
    if (one.key, one.bound) != (two.key, two.bound) or not _agree(one.relation, two.relation):
        return False
    behind = [t.key for t in kept[other + 1 :] if t.kind is Kind.CONTENT][:_UNIT_WITHIN]
    counted = next((t.key for t in said[at + 1 : at + 2] if t.kind is Kind.CONTENT), None)
    if counted is not None and behind and counted not in behind:
        return False
    return _said_of_the_same(_part_of(said, at), kept, other)


def _said_of_the_same(ours: set[str], kept: Terms, other: int) -> bool:
    """Whether no other number of the source is nearer to what a statement says with its own."""
    theirs = _part_of(kept, other)
    periods, of_source = ({k for k in part if k.startswith("PER=")} for part in (ours, theirs))
    if periods and of_source and periods != of_source:
        return False
    shared = len(ours & theirs)
    numbers = (at for at, term in enumerate(kept) if term.kind is Kind.NUMBER)
    return all(len(ours & _part_of(kept, at)) <= shared for at in numbers)


def _part_of(terms: Terms, at: int) -> set[str]:
    """The words and periods that stand with a number between "and", "or" and commas."""
    parted = [i for i, t in enumerate(terms) if t.key in _PARTING]
    start = max((i for i in parted if i < at), default=-1) + 1
    end = min((i for i in parted if i > at), default=len(terms))
    return {t.key for t in terms[start:end] if t.kind is Kind.CONTENT or t.key.startswith("PER=")}


def _agree(one: str, other: str) -> bool:
    """Whether two prepositions, or none, may stand for each other."""
    return one == other or not (one in STRICT or other in STRICT)


def _same_denials(said: Terms, kept: Terms) -> bool:
    """Whether each denial stands by a word that it stands by in the source."""
    theirs = [_beside(kept, at) for at, term in enumerate(kept) if term.key == "NOT"]
    ours = [_beside(said, at) for at, term in enumerate(said) if term.key == "NOT"]
    return all(any(one & other for other in theirs) for one in ours)


def _beside(terms: Terms, at: int) -> set[str]:
    before = [t.key for t in terms[:at] if t.kind is Kind.CONTENT][-1:]
    after = [t.key for t in terms[at + 1 :] if t.kind is Kind.CONTENT][:1]
    return {*before, *after}


def _same_relations(ours: Sequence[Term], theirs: Sequence[Term]) -> bool:
    """Whether words stand in the same relations; of a passive, one more or one less has "by"."""
    relations: dict[str, set[str]] = {}
    for term in theirs:
        relations.setdefault(term.key, set()).add(term.relation)
    gained = lost = 0
    for term in ours:
        said = relations.get(term.key)
        if said is None or term.relation in said:
            continue
        if term.relation in _AS_SUBJECT and "" in said:
            gained += 1
        elif not term.relation and said <= {"by", "from", "of"}:
            lost += "of" not in said
        elif not any(_agree(term.relation, one) for one in said):
            return False
    return not (gained and lost)


def _fronted(terms: Terms) -> int:
    """Where a sentence begins behind a condition or a circumstance before its first comma."""
    opens = terms[0].key in LIMITERS or terms[0].relation or terms[0].possessive
    return next((at for at, term in enumerate(terms) if opens and term.key == ","), 0)


def _same_subject(said: Terms, kept: Terms) -> bool:
    """Whether the first word that has no preposition is of the source's subject.

    Others may come first where a passive becomes active, or the other way round, and in an order.
    """
    said = said[_fronted(said) :]
    first = next((t for t in said if t.kind is Kind.CONTENT and not t.relation), None)
    if first is None:
        return True
    words = [(at, t) for at, t in enumerate(kept) if t.kind is Kind.CONTENT]
    place = next((n for n, (_, t) in enumerate(words) if t.key == first.key), None)
    if place is None:
        return True
    at, term = words[place]
    if term.relation == "by" or _heads(kept, words, place):
        return True
    if any(t.relation in ("by", "for") for t in _words(said) if t.key == words[0][1].key):
        return True
    if term.relation == "from" and any(t.key == "MUST" for t in said):
        return True
    is_order = said[0] is first or said[0].key == "NOT"
    return is_order and at > 0 and kept[at - 1].key in VERBS


def _heads(kept: Terms, words: Sequence[tuple[int, Term]], place: int) -> bool:
    """Whether a word of a sentence is of its subject: before a sign, or near its beginning."""
    end = head_end(kept)
    if 0 < end < len(kept) and kept[end].key in VERBS:
        return words[place][0] < end
    return place < _LONGEST_HEAD
