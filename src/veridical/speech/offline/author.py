"""The evaluator that needs no model: fixed rules pick moments, and fixed texts speak about them.

It meets the same contract as a model does, and says in its opening that it goes by rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, product

from veridical.sources.transcript import Transcript
from veridical.speech.drafting import Assignment
from veridical.speech.evaluation import (
    LEAST_ITEMS,
    MOST_ITEMS,
    EvaluationItem,
    ItemType,
    Misfit,
    Rejected,
    StructuredEvaluation,
    Written,
)
from veridical.speech.offline import cues, rules, words
from veridical.speech.offline.moments import Found, MomentKind, Talk
from veridical.validation.timed import DEFAULT_TIMED_POLICY, TimedQuotePolicy

Rule = Callable[[Talk], Iterator[Found]]

_RULES: dict[ItemType, tuple[Rule, ...]] = {
    ItemType.COMMENDATION: (
        rules.story_openings,
        rules.calls_to_action,
        rules.contrasts,
        rules.triads,
        rules.questions,
    ),
    ItemType.RECOMMENDATION: (
        rules.repeated_fillers,
        rules.rushes,
        rules.long_sentences,
    ),
}
"""The rules of each kind of item, those first whose finds say most about a speech."""

_BRIEF_TOKENS = 8
"""Where a talk is too short for enough long quotes, they are cut to this."""

_BEGINNING, _END = 1 / 3, 2 / 3

_CALM_TOKENS = 8
"""A passage that stands out by its place alone had better be a whole thought."""


class OfflineAuthor:
    """Writes evaluations by fixed rules, the same for the same speech."""

    name = "veridical-rules"
    rule_based = True

    def __init__(self, policy: TimedQuotePolicy) -> None:
        self.policy = policy

    def write(
        self,
        assignment: Assignment,
        *,
        problems: Sequence[str] = (),  # noqa: ARG002 - rules cannot be told what to mend
    ) -> Written:
        """The evaluation of a speech; see `evaluate_by_rules`."""
        told = evaluate_by_rules(assignment.transcript, label=assignment.label, policy=self.policy)
        return Written(told.opening, told.items, told.closing)

    def rewrite(
        self,
        assignment: Assignment,
        item: EvaluationItem | Misfit,
        problems: Sequence[str],  # noqa: ARG002 - as in `write`
    ) -> EvaluationItem:
        """An item of the same type with a quote that `write` did not use.

        Raises Rejected where there is none.
        """
        written = (item, *self.write(assignment).items)
        used = {item.evidence_quote for item in written if isinstance(item, EvaluationItem)}
        other = evaluate_by_rules(
            assignment.transcript,
            label=assignment.label,
            avoid=frozenset(used),
            policy=self.policy,
        )
        for candidate in other.items:
            if candidate.type is item.type:
                return candidate
        raise Rejected(f"the rules find no other {item.type}")

    def reword(self, *_: object) -> tuple[str, str]:
        """Raises Rejected: the rules have one opening and one closing."""
        raise Rejected("the rules have no other opening or closing")


def evaluate_by_rules(
    transcript: Transcript,
    *,
    label: str | None = None,
    avoid: frozenset[str] = frozenset(),
    policy: TimedQuotePolicy = DEFAULT_TIMED_POLICY,
) -> StructuredEvaluation:
    """An evaluation with 2-3 commendations and 1-2 recommendations, picked by rule.

    `label` is that of the speaker whose words may be quoted, None for all; words of the quotes in
    `avoid` are not quoted. Every quote lies in one turn, has a length within `policy`, and shares
    no word with another. Fewer items come out only where there are too few words in a row: less
    than three quotes of the least length side by side. The opening says so then.
    """
    talk = Talk(transcript, label, policy)
    barred = {
        index for quote in sorted(avoid) for place in talk.places_of(quote) for index in place
    }
    attempts: list[_Selection] = []
    for longest in (policy.max_tokens, min(policy.max_tokens, _BRIEF_TOKENS), None):
        selection = _Selection(talk, set(barred))
        if longest is not None:
            selection.follow_rules(longest)
        selection.fill_up()
        attempts.append(selection)
        if selection.is_enough:
            break
    best = max(attempts, key=lambda attempt: (attempt.is_enough, len(attempt.chosen)))
    return _worded(talk, best.chosen)


@dataclass(slots=True)
class _Selection:
    """The moments that were chosen so far. `taken` are the tokens that no other may quote."""

    talk: Talk
    taken: set[int]
    chosen: list[tuple[ItemType, Found]] = field(default_factory=list)
    quoted: set[tuple[str, ...]] = field(default_factory=set)

    @property
    def kinds(self) -> set[tuple[ItemType, MomentKind]]:
        return {(kind, found.kind) for kind, found in self.chosen}

    @property
    def is_enough(self) -> bool:
        return all(self.missing(kind) <= 0 for kind in ItemType)

    def missing(self, kind: ItemType, limits: dict[ItemType, int] = LEAST_ITEMS) -> int:
        return limits[kind] - sum(chosen is kind for chosen, _ in self.chosen)

    def follow_rules(self, longest: int) -> None:
        """What the rules find; what stands out by its place only where they find too little."""
        self._take_from(self._by_rules, longest, LEAST_ITEMS)
        self._take_from(self._calm, longest, LEAST_ITEMS)
        self._take_from(self._by_place, longest, LEAST_ITEMS, once=False)
        self._take_from(self._by_rules, longest, MOST_ITEMS)

    def fill_up(self) -> None:
        """Any words in a row: those without stumbles first, and said only once if possible."""
        for distinct, clean in product((True, False), repeat=2):
            for kind in ItemType:
                if self.missing(kind) > 0:
                    self._pack(kind, clean=clean, distinct=distinct)

    def _take_from(
        self,
        source: Callable[[ItemType], Iterator[Found]],
        longest: int,
        limits: dict[ItemType, int],
        *,
        once: bool = True,
    ) -> None:
        """Take what a source gives, while it is missing; with `once` one of a kind of moment."""
        for kind in ItemType:
            for found in source(kind):
                if self.missing(kind, limits) <= 0:
                    break
                if not once or (kind, found.kind) not in self.kinds:
                    self._take(kind, found, longest)

    def _by_rules(self, kind: ItemType) -> Iterator[Found]:
        return chain.from_iterable(rule(self.talk) for rule in _RULES[kind])

    def _calm(self, kind: ItemType) -> Iterator[Found]:
        """Whole thoughts: housekeeping and questions say little about a talk."""
        for found in self._by_place(kind):
            if len(found.passage) >= _CALM_TOKENS and found.kind is not MomentKind.OTHER_WORDS:
                yield found

    def _by_place(self, kind: ItemType) -> Iterator[Found]:
        """Sentences near the beginning, the end and the middle; advice starts from the middle."""
        order = [MomentKind.OPENING_WORDS, MomentKind.CLOSING_WORDS, MomentKind.MIDDLE_PASSAGE]
        if kind is ItemType.RECOMMENDATION:
            order.reverse()
        least = self.talk.policy.min_tokens
        sentences = [passage for passage in self.talk.sentences if len(passage) >= least]
        for place in order:
            there = [passage for passage in sentences if _place(self.talk, passage) is place]
            if place is MomentKind.CLOSING_WORDS:
                there.reverse()
            yield from (Found(_kind_by_place(self.talk, passage), passage) for passage in there)

    def _take(self, kind: ItemType, found: Found, longest: int) -> None:
        quote = self.talk.cut(found.passage, longest)
        if quote is not None and kind is ItemType.COMMENDATION:
            quote = self._without_stumbles(quote)
        if quote is not None and _holds(quote, found.core):
            self._choose(kind, Found(found.kind, quote))

    def _without_stumbles(self, quote: range) -> range | None:
        """The part of a quote before its first stumble, if it is long enough."""
        while self.talk.stumbles(quote):
            quote = quote[:-1]
        return quote if len(quote) >= self.talk.policy.min_tokens else None

    def _choose(self, kind: ItemType, found: Found, *, distinct: bool = True) -> bool:
        passage = found.passage
        keys = self.talk.quoted_keys(passage)
        if (distinct and keys in self.quoted) or not self.taken.isdisjoint(passage):
            return False
        self.chosen.append((kind, found))
        self.quoted.add(keys)
        self.taken.update(passage)
        return True

    def _pack(self, kind: ItemType, *, clean: bool, distinct: bool) -> None:
        for window in self.talk.pack(frozenset(self.taken)):
            for passage in (window, *self.talk.longer(window)):
                if clean and self.talk.stumbles(passage):
                    break
                found = Found(_kind_by_place(self.talk, passage), passage)
                if self.talk.is_quotable(passage) and self._choose(kind, found, distinct=distinct):
                    break
            if self.missing(kind) <= 0:
                return


def _place(talk: Talk, passage: range) -> MomentKind:
    share = talk.share(passage)
    if share < _BEGINNING:
        return MomentKind.OPENING_WORDS
    return MomentKind.MIDDLE_PASSAGE if share < _END else MomentKind.CLOSING_WORDS


def _kind_by_place(talk: Talk, passage: range) -> MomentKind:
    """The place of a passage, where there is something to say of words in that place."""
    return _place(talk, passage) if _tells(talk, passage) else MomentKind.OTHER_WORDS


def _tells(talk: Talk, passage: range) -> bool:
    """Whether a passage tells something, and is no part of a question or of housekeeping."""
    return not any(
        talk.asks(sentence) or cues.is_housekeeping(talk.keys[sentence.start : sentence.stop])
        for sentence in talk.sentences_at(passage)
    )


def _holds(quote: range, core: range | None) -> bool:
    return core is None or (quote.start <= core.start and core.stop <= quote.stop)


def _worded(talk: Talk, chosen: list[tuple[ItemType, Found]]) -> StructuredEvaluation:
    """The texts: commendations first, each kind in the order of the speech."""
    if not chosen:
        opening, closing = words.NOTHING_TO_QUOTE
        return StructuredEvaluation(opening, (), closing)
    order = list(ItemType)
    chosen = sorted(chosen, key=lambda entry: (order.index(entry[0]), entry[1].passage.start))
    said: set[str] = set()
    items = []
    for kind, found in chosen:
        summary, explanation = _text(talk, kind, found, said)
        said.add(summary)
        quote, seconds = talk.quote(found.passage), talk.seconds(found.passage)
        items.append(EvaluationItem(kind, summary, quote, seconds, explanation))
    advised = [found.kind for kind, found in chosen if kind is ItemType.RECOMMENDATION]
    wish = words.WISHES.get(advised[0], words.PLAIN_WISH) if advised else words.PLAIN_WISH
    return StructuredEvaluation(
        words.OPENING.format(lead=_lead(chosen)), tuple(items), words.CLOSING.format(wish=wish)
    )


def _lead(chosen: list[tuple[ItemType, Found]]) -> str:
    """The line that leads to the first item, or says why there are so few."""
    praised = [found.kind for kind, found in chosen if kind is ItemType.COMMENDATION]
    if len(praised) < LEAST_ITEMS[ItemType.COMMENDATION] or len(praised) == len(chosen):
        return words.SHORT_LEAD
    return words.LEADS.get(praised[0], words.PLAIN_LEAD)


def _text(talk: Talk, kind: ItemType, found: Found, said: set[str]) -> words.Text:
    """The text for a moment: by its place in the talk, and not twice the same."""
    texts = words.TEXTS[kind][found.kind]
    at = int(talk.share(found.passage) * len(texts)) % len(texts)
    turned = (*texts[at:], *texts[:at])
    return next((text for text in turned if text[0] not in said), turned[0])
