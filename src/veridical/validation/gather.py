"""From claims to candidates: which searches are run for which claims, over all documents."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from veridical.matching.align import Needle
from veridical.matching.embeddings import Embedder
from veridical.matching.locate import Place, locate, locate_damaged, locate_near
from veridical.matching.passages import DocumentIndex, Passage
from veridical.matching.seeds import SearchPolicy
from veridical.sources.document import Document, Span
from veridical.text.folded import FoldedText
from veridical.text.normalize import fold
from veridical.text.tokens import prepare, tokenize
from veridical.validation.claims import EvidenceType
from veridical.validation.config import ValidationConfig
from veridical.validation.differences import Alteration, AlterationKind, Comparison, Rule
from veridical.validation.direct import ALTERED_FROM, names_source
from veridical.validation.free import (
    is_read,
    passage_candidates,
    settled,
    title_candidates,
)
from veridical.validation.lexicon import NEGATIONS, RESTRICTIONS
from veridical.validation.results import Candidate, Match, MatchType, Sense, SenseReader
from veridical.validation.settle import MARKUP, Quote, is_seen, settle

# Quotes with an ellipsis: their parts must stand in order in one passage.


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


def torn(text: FoldedText, quote: Quote, policy: SearchPolicy) -> Iterator[tuple[Place, ...]]:
    """Where the parts of a quote with ellipses stand, in order: one as it is, others damaged."""
    needles = [Needle(fold(part)) for part in quote.parts]
    if any(locate_near(text, needles, policy=policy)):
        yield from islice(chains(locate(text, needles, policy=policy)), MOST_SETTLED)


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
    alterations += quote.struck
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


MAX_PLACES = 100
"""Places of one quote in one document that are looked at."""

MOST_SETTLED = 20
"""Places of one quote in one document that are compared as written, where not all need be."""

_MOST_PASSAGES = 4
_MOST_MENTIONS = 8
_MOST_CHUNKS = 5

_READ_TOGETHER = 16
"""Claims that are read between two looks at the time: half a second's worth."""

_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Cs", "Zl", "Zp", "Zs"})

_QUOTING = frozenset({EvidenceType.DIRECT_QUOTE, EvidenceType.PARAPHRASE})

Found = dict[Quote, list[Candidate]]
Said = dict[Quote, Sense | None]


class Gatherer:
    """Finds the candidates of a batch of claims. `check` may raise to stop at a deadline."""

    def __init__(
        self,
        indexes: Sequence[DocumentIndex],
        config: ValidationConfig,
        embedder: Callable[[], Embedder],
        reader: Callable[[], SenseReader],
        check: Callable[[], None],
    ) -> None:
        self._indexes = indexes
        self._names = {index.document.name for index in indexes}
        self._reader = reader
        self._config = config
        self._embedder = embedder
        self._check = check
        fuzzy = config.fuzzy_matching
        self._policy = SearchPolicy(
            max_edit_distance=fuzzy.max_edit_distance,
            min_similarity=max(0.5, min(1.0, fuzzy.similarity_threshold)),
            max_places=MAX_PLACES,
        )

    def gather(self, quotes: Sequence[Quote]) -> tuple[Found, Said]:
        """All candidates of each claim, from all documents, in no particular order; and of the
        claims in other words that were read what came of it, None where it told nothing.
        """
        found: Found = defaultdict(list)
        self._near(quotes, found)
        self._verbatim_markup([q for q in quotes if not _clean(found[q])], found)
        self._elliptic([q for q in quotes if q.parts and not _clean(found[q])], found)
        if self._config.fuzzy_matching.enabled:
            left = [q for q in quotes if q.claim.evidence_type in _QUOTING]
            self._damaged([q for q in left if not found[q]], found)
            self._torn([q for q in left if q.parts], found)
        self._titles(quotes, found)
        self._passages(quotes, found)
        near = self._semantic(quotes, found)
        return found, self._sense(near, found)

    def _near(self, quotes: Sequence[Quote], found: Found) -> None:
        """Exact places of all claims, and inexact ones of those that claim the words."""
        for quoting, policy in (
            (True, self._policy),
            (False, replace(self._policy, max_edit_distance=0)),
        ):
            owners = [
                (quote, needle)
                for quote in quotes
                if (quote.claim.evidence_type in _QUOTING) is quoting
                for needle in quote.needles
            ]
            for index in self._indexes if owners else ():
                places = locate_near(
                    index.folded, [n for _, n in owners], policy=policy, check=self._check
                )
                self._settle(index, owners, places, found)

    def _damaged(self, quotes: Sequence[Quote], found: Found) -> None:
        owners = [(quote, quote.needles[-1]) for quote in quotes if quote.needles]
        for index in self._indexes:
            places = locate_damaged(
                index.folded, [n for _, n in owners], policy=self._policy, check=self._check
            )
            self._settle(index, owners, places, found)

    def _settle(
        self,
        index: DocumentIndex,
        owners: Sequence[tuple[Quote, Needle]],
        places: Sequence[Sequence[Place]],
        found: Found,
    ) -> None:
        for (quote, _), where in zip(owners, places, strict=True):
            exact = bool(where) and where[0].edit_distance == 0
            direct = quote.claim.evidence_type is EvidenceType.DIRECT_QUOTE
            most = MAX_PLACES if exact and direct else MOST_SETTLED
            found[quote] += [
                settle(index.document, place, quote, self._config) for place in where[:most]
            ]

    def _verbatim_markup(self, quotes: Sequence[Quote], found: Found) -> None:
        """Quotes of raw markup, and quotes without a letter, which folding cannot find."""
        for quote in quotes:
            if not _is_visible(quote.text) or (quote.needles and not MARKUP.search(quote.text)):
                continue
            for index in self._indexes:
                text = index.document.text
                start = text.find(quote.text)
                places = 0
                while start >= 0 and places < MAX_PLACES:
                    span = Span(start, start + len(quote.text))
                    if is_seen(index.document, span):
                        place = Place(0, span, 1.0)
                        found[quote].append(settle(index.document, place, quote, self._config))
                        places += 1
                    start = text.find(quote.text, start + 1)

    def _elliptic(self, quotes: Sequence[Quote], found: Found) -> None:
        owners = [(q, Needle(part)) for q in quotes for part in map(fold, q.parts)]
        if not owners:
            return
        for index in self._indexes:
            places = locate_near(
                index.folded, [n for _, n in owners], policy=self._policy, check=self._check
            )
            at = 0
            for quote in quotes:
                parts = places[at : at + len(quote.parts)]
                at += len(quote.parts)
                for chain in list(chains(parts))[:MOST_SETTLED]:
                    found[quote].append(settle_parts(index.document, chain, quote, self._config))

    def _torn(self, quotes: Sequence[Quote], found: Found) -> None:
        """Quotes with ellipses that as a whole are like nothing."""
        for quote in quotes:
            if any(one.match.similarity >= ALTERED_FROM for one in found[quote]):
                continue
            for index in self._indexes:
                self._check()
                chosen = torn(index.folded, quote, self._policy)
                found[quote] += [
                    settle_parts(index.document, chain, quote, self._config) for chain in chosen
                ]

    def _titles(self, quotes: Sequence[Quote], found: Found) -> None:
        for quote in quotes:
            if quote.claim.evidence_type is not EvidenceType.SECTION_REFERENCE:
                continue
            titles = [
                candidate
                for index in self._indexes
                for candidate in title_candidates(index.titles.find(quote.text, _MOST_PASSAGES))
            ]
            if any(settled(candidate, quote.claim) for candidate in titles):
                found[quote] = titles
            else:
                found[quote].extend(titles)

    def _passages(self, quotes: Sequence[Quote], found: Found) -> None:
        if not self._config.fuzzy_matching.enabled:
            return
        for quote in quotes:
            claim = quote.claim
            known = found[quote]
            if claim.evidence_type is EvidenceType.DIRECT_QUOTE:
                continue
            concept = claim.evidence_type is EvidenceType.CONCEPT_REFERENCE
            if not concept and any(settled(candidate, claim) for candidate in known):
                continue
            self._check()
            for index in self._indexes:
                if concept:
                    mentions = index.passages.mentions(quote.text, _MOST_MENTIONS)
                    known.extend(passage_candidates(claim, mentions, MatchType.FUZZY))
                if not any(settled(candidate, claim) for candidate in known):
                    best = index.passages.best(quote.text, _MOST_PASSAGES)
                    known.extend(passage_candidates(claim, best, MatchType.FUZZY))

    def _semantic(self, quotes: Sequence[Quote], found: Found) -> dict[Quote, list[Passage]]:
        """Add the passages on the subject of each claim; those nearest to each that is read."""
        settings = self._config.semantic_matching
        read = {q: list[Passage]() for q in quotes if is_read(q.claim, found[q])}
        open_quotes = [
            quote
            for quote in quotes
            if quote.claim.evidence_type is not EvidenceType.DIRECT_QUOTE
            and quote.needles
            and (quote in read or not any(settled(c, quote.claim) for c in found[quote]))
        ]
        if not open_quotes or not settings.enabled:
            return {}
        self._check()
        embedder = self._embedder()
        texts = [quote.text for quote in open_quotes]
        for index in self._indexes:
            self._check()
            chunks = index.semantic(embedder, settings.chunk_size, settings.overlap_size)
            near = chunks.best(texts, _MOST_CHUNKS, 0.0 if read else settings.similarity_threshold)
            for quote, passages in zip(open_quotes, near, strict=True):
                if quote in read and names_source(quote.claim, index.document, self._names):
                    read[quote] += passages
                if not any(settled(c, quote.claim) for c in found[quote]):
                    like = [p for p in passages if p.similarity >= settings.similarity_threshold]
                    found[quote].extend(passage_candidates(quote.claim, like, MatchType.SEMANTIC))
        return read

    def _sense(self, near: Mapping[Quote, Sequence[Passage]], found: Found) -> Said:
        """What is read for each claim of the places that share its words or its subject."""
        if not near:
            return {}
        asked = []
        for quote, passages in near.items():
            placed = [
                Passage(c.match.document, c.match.span, c.match.similarity)
                for c in found[quote]
                if names_source(quote.claim, c.match.document, self._names)
            ]
            ranked = sorted((*placed, *passages), key=lambda passage: -passage.similarity)
            asked.append((quote.text, ranked))
        reader = self._reader()
        said: Said = {}
        quotes = list(near)
        for start in range(0, len(quotes), _READ_TOGETHER):
            self._check()
            part = slice(start, start + _READ_TOGETHER)
            said |= zip(quotes[part], reader.read(asked[part]), strict=True)
        return said


def _is_visible(text: str) -> bool:
    """Whether any character of it is seen; a mark of direction, say, is not."""
    return any(unicodedata.category(character) not in _UNSEEN for character in text)


def _clean(candidates: Sequence[Candidate]) -> bool:
    return any(c.comparison is not None and not c.comparison.alterations for c in candidates)
