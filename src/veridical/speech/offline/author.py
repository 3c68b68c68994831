"""The evaluator that needs no model: fixed rules pick moments and say what is in them.

It meets the same contract as a model does, and says in its opening that it goes by rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from veridical.sources.transcript import Transcript
from veridical.speech.drafting import Assignment
from veridical.speech.evaluation import (
    LEAST_ITEMS,
    EvaluationItem,
    ItemType,
    Misfit,
    Rejected,
    StructuredEvaluation,
    Written,
)
from veridical.speech.offline import frame
from veridical.speech.offline.advice import ADVICE
from veridical.speech.offline.moments import Found, Talk
from veridical.speech.offline.rules import PRAISE
from veridical.validation.timed import DEFAULT_TIMED_POLICY, TimedQuotePolicy

Rule = Callable[[Talk], Iterator[Found]]

_RULES: dict[ItemType, tuple[Rule, ...]] = {
    ItemType.COMMENDATION: PRAISE,
    ItemType.RECOMMENDATION: ADVICE,
}
WANTED = {ItemType.COMMENDATION: 3, ItemType.RECOMMENDATION: 1}
"""Three things that worked and one to try: more advice than one is followed by nobody."""

_BRIEF_TOKENS = 8
"""Where a talk is too short for enough long quotes, they are cut to this."""

_SAME_THIRD = 0.06
"""What a find is worth less where praise already rests on that third of the talk."""


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
    """An evaluation with three commendations, or two, and one recommendation, picked by rule.

    `label` is that of the speaker whose words may be quoted, None for all; words of the quotes in
    `avoid` are not quoted. Every quote lies in one turn, has a length within `policy`, and shares
    no word with another. Fewer items come out only where there are too few words in a row: less
    than three quotes of the least length side by side. The opening says so then.
    """
    talk = Talk(transcript, label, policy)
    barred = {
        index for quote in sorted(avoid) for place in talk.places_of(quote) for index in place
    }
    found = {kind: [f for rule in rules for f in rule(talk)] for kind, rules in _RULES.items()}
    attempts: list[_Selection] = []
    for longest in (policy.max_tokens, min(policy.max_tokens, _BRIEF_TOKENS), None):
        selection = _Selection(talk, found, set(barred))
        if longest is not None:
            selection.follow_rules(longest)
        selection.fill_up()
        attempts.append(selection)
        if selection.is_enough:
            break
    best = max(attempts, key=lambda attempt: (attempt.is_enough, len(attempt.chosen)))
    return frame.worded(talk, best.chosen, found[ItemType.COMMENDATION])


@dataclass(slots=True)
class _Selection:
    """The moments that were chosen so far. `taken` are the tokens that no other may quote."""

    talk: Talk
    found: dict[ItemType, list[Found]]
    taken: set[int]
    chosen: list[tuple[ItemType, Found]] = field(default_factory=list)
    quoted: set[tuple[str, ...]] = field(default_factory=set)

    @property
    def is_enough(self) -> bool:
        return all(self.missing(kind) <= 0 for kind in ItemType)

    def missing(self, kind: ItemType, limits: dict[ItemType, int] = LEAST_ITEMS) -> int:
        return limits[kind] - sum(chosen is kind for chosen, _ in self.chosen)

    def follow_rules(self, longest: int) -> None:
        """What weighs most, one of a kind and from all over the talk where that can be had."""
        for kind in ItemType:
            found = sorted(self.found[kind], key=lambda f: (-f.weight, f.passage.start))
            for once in (True, False):
                self._choose_from(kind, found, longest, once=once)

    def _choose_from(
        self, kind: ItemType, found: Sequence[Found], longest: int, *, once: bool
    ) -> None:
        """The best of what was found, with `once` no two of a kind of moment."""
        left = list(found)
        while left and self.missing(kind, WANTED) > 0:
            best = max(left, key=lambda found: self._worth(kind, found))
            left.remove(best)
            kinds = {chosen.kind for chosen_kind, chosen in self.chosen if chosen_kind is kind}
            if not once or best.kind not in kinds:
                self._take(kind, best, longest)

    def _worth(self, kind: ItemType, found: Found) -> float:
        third = _third(self.talk, found.passage)
        same = sum(k is kind and _third(self.talk, f.passage) == third for k, f in self.chosen)
        return found.weight - _SAME_THIRD * same

    def fill_up(self) -> None:
        """Any words in a row: those of a calm sentence from its beginning and without stumbles
        first, and said only once if possible.
        """
        for calm, distinct, clean, begun in product((True, False), repeat=4):
            for kind in ItemType:
                if self.missing(kind) > 0:
                    self._pack(kind, calm=calm, clean=clean, distinct=distinct, begun=begun)

    def _take(self, kind: ItemType, found: Found, longest: int) -> None:
        quote = self.talk.cut(found.passage, longest)
        if quote is not None and not _holds(quote, found.core) and found.core is not None:
            quote = self.talk.cut(self.talk.ending(found.core), longest)
        if quote is not None and kind is ItemType.COMMENDATION:
            quote = self._without_stumbles(quote)
        if quote is not None and _holds(quote, found.core):
            self._choose(kind, replace(found, passage=quote))

    def _without_stumbles(self, quote: range) -> range | None:
        """The part of a quote before its first stumble, if it is long enough."""
        while self.talk.stumbles(quote):
            quote = quote[:-1]
        return quote if len(quote) >= self.talk.policy.min_tokens else None

    def _choose(self, kind: ItemType, found: Found, *, distinct: bool = True) -> bool:
        passage = found.passage
        keys = self.talk.quoted_keys(passage)
        told = {chosen.summary for _, chosen in self.chosen}
        if (distinct and keys in self.quoted) or found.summary in told:
            return False
        if not self.taken.isdisjoint(passage):
            return False
        self.chosen.append((kind, found))
        self.quoted.add(keys)
        self.taken.update(passage)
        return True

    def _pack(
        self, kind: ItemType, *, calm: bool, clean: bool, distinct: bool, begun: bool
    ) -> None:
        begins = {sentence.start for sentence in self.talk.sentences}
        for window in self.talk.pack(frozenset(self.taken)):
            if begun and window.start not in begins:
                continue
            for passage in (window, *self.talk.longer(window)):
                if (clean and self.talk.stumbles(passage)) or (calm and not self._is_calm(passage)):
                    break
                found = frame.plain(self.talk, kind, passage, len(self.chosen))
                if self.talk.is_quotable(passage) and self._choose(kind, found, distinct=distinct):
                    break
            if self.missing(kind) <= 0:
                return

    def _is_calm(self, passage: range) -> bool:
        """Whether it is no part of a question."""
        return not any(map(self.talk.asks, self.talk.sentences_at(passage)))


def _third(talk: Talk, passage: range) -> int:
    return int(3 * talk.share(passage))


def _holds(quote: range, core: range | None) -> bool:
    return core is None or (quote.start <= core.start and core.stop <= quote.stop)
