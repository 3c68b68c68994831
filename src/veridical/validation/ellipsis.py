"""Quotes with an ellipsis: their parts must stand in order in one passage."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from veridical.matching.locate import Place
from veridical.matching.match import Match, MatchType
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.text.tokens import prepare, tokenize
from veridical.validation.config import ValidationConfig
from veridical.validation.differences import Alteration, AlterationKind, Comparison, Rule
from veridical.validation.lexicon import NEGATIONS, RESTRICTIONS
from veridical.validation.quotes import Quote
from veridical.validation.results import Candidate
from veridical.validation.settle import settle

MAX_GAP = 1_000
"""Characters that an ellipsis may leave out."""


def chains(places: Sequence[Sequence[Place]]) -> Iterator[tuple[Place, ...]]:
    """Places of the parts in order, each the first one after the place before and near it."""
    if not all(places):
        return
    ordered = [sorted(part, key=lambda place: place.span) for part in places]
    for first in ordered[0]:
        chain = [first]
        for part in ordered[1:]:
            end = chain[-1].span.end
            at = bisect_left(part, end, key=lambda place: place.span.start)
            if at == len(part) or part[at].span.start - end > MAX_GAP:
                break
            chain.append(part[at])
        else:
            yield tuple(chain)


def settle_parts(
    document: Document,
    chosen: Sequence[Place],
    quote: Quote,
    config: ValidationConfig,
) -> Candidate:
    """The candidate of a quote with ellipses whose parts stand at the places `chosen`, in order."""
    settled: list[Candidate] = []
    for part, place in zip(quote.parts, chosen, strict=True):
        claim = Quote(replace(quote.claim, quote=part))
        settled.append(settle(document, place, claim, config))
    rules = {rule for c in settled if c.comparison for rule in c.comparison.rules}
    alterations = [a for c in settled if c.comparison for a in c.comparison.alterations]
    for left, right in pairwise(settled):
        gap = document.shown(
            Span(left.match.span.end, max(left.match.span.end, right.match.span.start))
        )
        alterations.extend(_left_out(left.match.shown, gap))
        if _joins_sentences(left.match.shown, gap) or left.match.section != right.match.section:
            alterations.append(Alteration(AlterationKind.WORDING, "\u2026", " ".join(gap.split())))
    kept = tuple(rule for rule in Rule if rule in rules | {Rule.ELLIPSIS})
    diff = tuple(d for c in settled if c.comparison for d in c.comparison.diff)
    comparison = Comparison(kept if not alterations else (), tuple(alterations), diff)
    span = Span(settled[0].match.span.start, settled[-1].match.span.end)
    weights = [len(part) for part in quote.parts]
    similarity = sum(w * c.match.similarity for w, c in zip(weights, settled, strict=True)) / sum(
        weights
    )
    distance = sum(c.match.edit_distance or 0 for c in settled)
    exact = not alterations and all(c.match.match_type is MatchType.EXACT for c in settled)
    kind = MatchType.EXACT if exact else MatchType.FUZZY
    score = round(similarity, 6)
    return Candidate(Match(document, span, kind, score, score, distance), comparison)


_SENTENCE_END = re.compile(r"[.!?]\s|\n[ \t\r]*\n")


def _joins_sentences(before: str, gap: str) -> bool:
    """Whether the gap ends a sentence and then leaves out the beginning of another."""
    ends = before.rstrip().endswith((".", "!", "?")) or _SENTENCE_END.search(gap) is not None
    return ends and bool(
        _SENTENCE_END.split(f"{before} {gap}")[-1].strip(" \t\r\n\"'\u201c\u2018([")
    )


def _left_out(before: str, gap: str) -> list[Alteration]:
    """The alteration of leaving out a negation from a sentence of which the quote keeps a part.

    Whole sentences may be left out; the rest of the first one and the beginning of the last may
    not deny what is kept of them.
    """
    sentences = _SENTENCE_END.split(gap)
    torn = [sentences[-1]] if len(sentences) == 1 else [sentences[0], sentences[-1]]
    if len(sentences) > 1 and before.endswith((".", "!", "?")):
        torn = torn[1:]
    return [
        Alteration(AlterationKind.NEGATION, "\u2026", " ".join(part.split()))
        for part in torn
        if any(token.key in NEGATIONS | RESTRICTIONS for token in tokenize(prepare(part)))
    ]
