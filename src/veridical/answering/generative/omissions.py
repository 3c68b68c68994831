"""What a statement may leave out of a sentence of its source without making another rule of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from veridical.answering.generative.terms import Kind, Terms
from veridical.answering.generative.wording import STRICT

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
    return not any(
        term.key in ("UNLESS", "ONLY") or (term.key == "IF" and _may_reach_back(source, start, at))
        for at, term in enumerate(source[start:end], start)
    )


def _may_reach_back(source: Terms, start: int, at: int) -> bool:
    """Whether a condition in what "and" joins may be one of what stands before it too."""
    return source[at - 1].key == "," or source[start - 1].key != ","


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
