"""Does a statement keep to a sentence of its source, word for word as far as it matters?

A judge of meanings forgives a word. Rules do not: "to the police" for "to the Security Desk", "per
trip" for "per day", "during" for "after", or a condition left out make another rule. So a statement
must be made of the sentence's own words, in their relations, and must have all that limits them.
It may leave out what stands beside its own part of the sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from veridical.answering.generative.terms import STRICT, Kind, Term, Terms, clauses_of, keys_of

# Does a statement keep to a row of a table: to its first cell, and to the titles of the others?


_OF_COURSE = keys_of(("employees get earn have accrue entitled take is for of years",))
"""Words that a row leaves out, since they go without saying."""


def keeps_to_row(statement: str, row: str, near: frozenset[str]) -> bool:
    """Whether a statement says nothing but what a row does, of the same thing.

    `row` is in words: "Years: 2 to 4; Days a month: 1.67". The statement must have all that its
    first cell says. Each of its numbers must stand in a cell, and have a word of the title of that
    column beside it and its period. `near` are the words of the titles above the table.
    """
    said = [term for clause in clauses_of(statement) for term in clause]
    cells = [_cell(part) for part in row.split("; ") if part]
    if not said or len(cells) < 2:
        return False
    words = {term.key for term in said if term.kind is Kind.CONTENT}
    titles = [keys_of((title,)) for title, _ in cells]
    known = near.union(*titles, *(_keys(terms) for _, terms in cells), _OF_COURSE)
    first = {(t.key, t.bound) for t in cells[0][1] if t.kind is not Kind.SIGN}
    if not words <= known or not first <= {(term.key, term.bound) for term in said}:
        return False
    if any(t.key in ("NOT", "ONLY", "UNLESS") for t in said):
        return False
    return _numbers_in_place(said, cells, titles)


def _cell(part: str) -> tuple[str, list[Term]]:
    title, _, cell = part.rpartition(": ")
    return title, [term for clause in clauses_of(cell) for term in clause]


def _keys(terms: list[Term]) -> frozenset[str]:
    return frozenset(term.key for term in terms)


def _numbers_in_place(
    said: list[Term], cells: list[tuple[str, list[Term]]], titles: list[frozenset[str]]
) -> bool:
    """Whether each number stands in the first cell, or in one whose title is said as well."""
    words = {term.key for term in said if term.kind is Kind.CONTENT}
    periods = {term.key.partition("=")[2] for term in said if term.key.startswith("PER=")}
    named: frozenset[str] = frozenset()
    for term in said:
        if term.kind is not Kind.NUMBER:
            continue
        places = [
            at
            for at, (_, cell) in enumerate(cells)
            if any((t.key, t.bound) == (term.key, term.bound) for t in cell)
            and (at == 0 or words & titles[at])
        ]
        if not places:
            return False
        named = named.union(*(titles[at] for at in places))
        named = named.union(*(_periods(cells[at][1]) for at in places))
    return periods <= named


def _periods(cell: list[Term]) -> frozenset[str]:
    return frozenset(term.key.partition("=")[2] for term in cell if term.key.startswith("PER="))


# What a statement may leave out of a sentence of its source without making another rule of it.


LIMITERS = frozenset({"IF", "UNLESS", "ONLY"})
"""Signs of what limits a rule."""

VERBS = frozenset({"MAY", "MUST", "NOT", "SHOULD", "ONLY"})
"""Signs of where the subject of a sentence has ended."""

_OBLIGED_BY = frozenset({"to", "by", "within", "before", "at"})
"""What may follow what must be done, and be left out: to whom, by when."""


def left_out_of(said: Terms, source: Terms) -> set[int] | None:
    """The places of the source that a statement leaves out; None where one of them limits it."""
    keys = Counter(term.key for term in said if term.kind is Kind.NUMBER)
    words = {term.key for term in said if term.kind is Kind.CONTENT}
    missing: list[int] = []
    for at, term in enumerate(source):
        if term.kind is Kind.NUMBER:
            if keys[term.key] == 0:
                missing.append(at)
            keys[term.key] -= 1
        elif term.kind is Kind.CONTENT and term.key not in words:
            missing.append(at)
    found: set[int] = set()
    if not missing:
        return found
    for region in _regions(source):
        if not found.issuperset(missing) and any(at in missing for at in region):
            found.update(region)
    return found if found.issuperset(missing) else None


def _regions(source: Terms) -> Iterator[range]:
    """The parts of a sentence that say something more, and limit nothing of the rest."""
    starts = [at for at, term in enumerate(source) if term.key == "AND"]
    limited = next((at for at, t in enumerate(source) if t.key in LIMITERS), len(source))
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(source)
        end = next((at for at in range(start, end) if source[at].key == "BUT"), end)
        if _is_open(source, start, end, limited):
            yield range(start, end)
    head = head_end(source)
    if starts and head < starts[0] < limited:
        yield range(head, starts[0] + 1)
    yield from _adjuncts(source, min(limited, starts[0]) if starts else limited)


def _is_open(source: Terms, start: int, end: int, limited: int) -> bool:
    """Whether what "and" joins is no part of a condition, and limits nothing before it."""
    if not 0 < start < end - 1:
        return False
    before, follows = source[start - 1], source[start + 1]
    if follows.bound or follows.relation in STRICT or follows.relation == "with":
        return False
    if before.relation == "between" or (start > limited and follows.key not in VERBS):
        return False
    return not any(term.key in LIMITERS for term in source[start:end])


def _adjuncts(source: Terms, end: int) -> Iterator[range]:
    """To whom and by when something must be done: without these it must still be done."""
    musts = [at for at, term in enumerate(source[:end]) if term.key == "MUST"]
    if not musts:
        return
    starts = [
        at
        for at in range(musts[0] + 2, end)
        if source[at].relation in _OBLIGED_BY and source[at].relation != source[at - 1].relation
    ]
    for number, start in enumerate(starts):
        stop = starts[number + 1] if number + 1 < len(starts) else end
        if all(t.relation in ("", "of", source[start].relation) for t in source[start:stop]):
            yield range(start, stop)


def head_end(terms: Terms) -> int:
    """Where the subject of a sentence ends, as far as a sign shows it."""
    for at, term in enumerate(terms):
        if term.key in ("AND", "BUT") and at:
            break
        if term.key in VERBS:
            return at
    return 1


_COUNTED = ("UNLESS", "SHOULD", "MIGHT", "OUGHT", "COULD", "NOT")
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
    )


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
    return counted is None or not behind or counted in behind


def _agree(one: str, other: str) -> bool:
    """Whether two prepositions, or none, may stand for each other."""
    return one == other or not (one in STRICT or other in STRICT)


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
