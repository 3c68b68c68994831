"""The embedded judge: the reader's calibrated probabilities, and above them a veto on values.

What stands in the sources word for word never reaches the reader. All else is read: the lines of a
claim's passages that are nearest to it as one window, and where that decides nothing a second one
of what is left. The reader knows English; of a text in another language a claim is supported only
where it stands there word for word, and the notes say so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from textwrap import shorten

from veridical.judging.bearing import DIRECT, INFERRED, shared_words, similarity_at
from veridical.judging.calibration import sigmoid
from veridical.judging.derived import (
    Derivation,
    Figure,
    Worked,
    amounts,
    derivations,
    figure_of,
    settled,
)
from veridical.judging.judge import (
    ELSEWHERE,
    UNRELATED,
    Case,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
)
from veridical.judging.lines import Lines, lines_of
from veridical.judging.veto import Conflict, denying_signs, describe, shown, vetoes
from veridical.judging.words import is_english, read_words, same_quantity
from veridical.matching.embeddings import Embedder, default_embedder
from veridical.reader.model import Card, Reader, default_reader
from veridical.reader.windows import Encode, Window, WindowMaker, is_title, relinked
from veridical.text.normalize import LINE_END_HYPHEN
from veridical.text.tokens import TokenKind, prepare, tokenize
from veridical.validation.values import same_values

VERBATIM_PROBABILITY = 0.99
"""Probability of a claim that stands in a passage word for word."""

NEAR = 0.6
"""Share of the claim's content words in the deciding sentences from which the veto is asked.

Where the words are others, the reader tells values and denials apart better than the veto does: of
the claims of writer `t` that it supports at the strict point there, 186 are true and 22 false, and
the veto would keep 87 and 16 of them from it by their denials, 42 and 1 by their numbers and units,
6 and 1 by their dates and names. Near the source's words an altered sentence is never taken for
what it altered.
"""

_BARRED_MOST = 0.5
"""Most probability that a claim keeps that was not read as a whole, or whose value another one
stands in place of: on the claims of writers `t` and `f` as many of those were true as not.
"""

_SURELY = 0.9
"""Probability from which a passage beside the one that decides refutes without another value."""

_ROW_REFUTES = 0.8
"""Probability from which a row of a table refutes without another value, read among other lines
and by itself. Of the claims on tables of writers `tb`, `tc` and `ta` that the reader called
contradicted at the card's threshold 154 were true and 256 refuted; at this one 10 and 46.
"""

_AS_NEAR = 0.8
"""Share of the deciding passage's nearness from which another passage is read by itself."""

_MARKED = 2
"""Lines that the reader takes most to decide, in which what a value is computed from must stand."""

_SHARED = 0.5
"""What the share of a claim's words in a line counts beside the reader's mark of it."""

_FAR, _EXCERPT = 8, 120
"""Sentences between operands that are not shown as one passage, and letters of one that is told."""

_DIGITS = 4
_NOTHING = "There are no words to compare."
_SAID = "The passage says it in other words."
_VERBATIM = "The passage says it word for word."
_OPPOSITE = "The passage says otherwise."
_TOO_LITTLE = "The passage is about the same, but does not clearly say it."
_FOREIGN = "The text does not read as English: only words that stand there unchanged can count."
_CUT = "The claim is too long to be read as a whole."


@dataclass(frozen=True, slots=True)
class Read:
    """A window and what the reader says of it: its logits, and calibrated support and refutation.

    `lines` are indexes of the lines that it shows, `telling` is how much each of them decides.
    `row`: a row of a table decides, and was read by itself.
    """

    window: Window
    lines: tuple[int, ...]
    telling: tuple[float, ...]
    logits: tuple[float, ...]
    support: float
    against: float
    row: bool = False


class ReaderJudge:
    """Judges by the shipped reader: see the module. Usable from several threads."""

    def __init__(
        self,
        point: OperatingPoint = OperatingPoint.STRICT,
        reader: Reader | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self._point = OperatingPoint(point)
        self._reader = reader or default_reader()
        self._full_from: float = getattr(self._reader.card, self._point.value)
        self._maker = WindowMaker(self._reader.encode, embedder or default_embedder())

    @property
    def name(self) -> str:
        """`reader:` and the version of its weights."""
        return f"reader:{self._reader.card.version}"

    @property
    def point(self) -> OperatingPoint:
        """The operating point that it decides at."""
        return self._point

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        """One judgement a case, each by itself."""
        return [one for group in self.judge_together([[case] for case in cases]) for one in group]

    def judge_together(
        self, groups: Sequence[Sequence[Case]]
    ) -> list[list[Judgement | JudgeFailure]]:
        """One judgement a case; the cases of a group have one claim, whose words may stand in
        several of their passages.
        """
        tasks = self._tasks(groups)
        judged = [self._judged(task) for task in tasks]
        # One window decides for one passage. What others say that are as near is told of each by
        # itself: they may be cited, may say the same, or the opposite.
        asked = [(n, c) for n, task in enumerate(tasks) for c in self._as_near(task, judged[n])]
        alone = self._tasks([[tasks[n].cases[c]] for n, c in asked])
        for (n, c), task in zip(asked, alone, strict=True):
            (judged[n][c],) = self._judged(task, beside=True)
        return judged

    def _as_near(self, task: _Task, judged: Sequence[Judgement | JudgeFailure]) -> list[int]:
        """The other cases of a task that are about as near to its claim as the one that decides."""
        decides = {n for n, one in enumerate(judged) if isinstance(one, Judgement) and _bears(one)}
        if len(task.cases) < 2 or not decides:
            return []
        near = self._maker.nearness(task.claim, task.lines.lines, task.context)
        nearest = [0.0] * len(task.cases)
        for (case, _), value in zip(task.lines.places, near.tolist(), strict=True):
            nearest[case] = max(nearest[case], value)
        least = _AS_NEAR * max(nearest[n] for n in decides)
        return [n for n, value in enumerate(nearest) if value >= least and n not in decides]

    def decide(self, groups: Sequence[Sequence[Case]]) -> list[tuple[int, Judgement] | None]:
        """Of each group the case that decides, and what is said of it; None where nothing can be
        read. The other cases are not read by themselves.
        """
        return [self._decision(task) for task in self._tasks(groups)]

    def reads(self, groups: Sequence[Sequence[Case]]) -> list[Read | None]:
        """What decides on each group before thresholds and veto: None where nothing was read.
        Calibration is fitted on it.
        """
        return [task.decisive for task in self._tasks(groups)]

    def _tasks(self, groups: Sequence[Sequence[Case]]) -> list[_Task]:
        tasks = [_Task(cases, lines_of(cases), self._reader.encode) for cases in groups]
        self._look(tasks, first=True)
        self._look(tasks, first=False)
        self._read_rows(tasks)
        self._work_out(tasks)
        return tasks

    def _read_rows(self, tasks: Sequence[_Task]) -> None:
        """Read a row that decides by itself, as the reader mixes its values with those of others:
        what is then said of support counts, and of refutation the lower of both.
        """
        asked: list[tuple[_Task, Read, int, Window]] = []
        for task in tasks:
            read, lines = task.decisive, task.lines.lines
            if read is None or len(read.lines) < 2 or not self._decided(task):
                continue
            row = _marked(task, read)[0]
            if row in task.rows:
                window = self._maker.window(task.claim, relinked(lines, [row]), task.context)
                asked.append((task, read, row, window))
        alone = self._read([(window, (row,)) for _, _, row, window in asked])
        for (task, read, _, _), by_itself in zip(asked, alone, strict=True):
            against = min(read.against, by_itself.against)
            task.reads[task.reads.index(read)] = replace(by_itself, against=against, row=True)

    def _work_out(self, tasks: Sequence[_Task]) -> None:
        """Compute the values of claims that stand nowhere, and read those claims without them."""
        asked: list[tuple[_Task, Figure, Window, list[Derivation]]] = []
        for task in tasks:
            lines = [task.lines.lines[i] for one in task.reads for i in one.lines]
            said = [w for line in lines for t in (line.text, line.heading) for w in amounts(t)]
            figure = task.figure = figure_of(task.claim, said) if lines else None
            if figure is None:
                continue
            window = self._maker.window(figure.masked, task.lines.lines, task.context)
            found = derivations(figure, task.cases, task.lines, window.lines)
            if found:
                asked.append((task, figure, window, found))
        reads = self._read([(window, window.lines) for _, _, window, _ in asked])
        for (task, figure, _, found), read in zip(asked, reads, strict=True):
            marked = _marked(task, read)[:_MARKED]
            says = read.support >= self._reader.card.strict
            leans = max(one.support for one in task.reads) >= self._reader.card.balanced
            said = [word for line in task.lines.lines for word in amounts(line.text)]
            task.worked = settled(figure, found, marked, said, reads=says, leans=leans)
            if task.worked is not None and task.worked.met:
                task.reads = [read]

    def _look(self, tasks: Sequence[_Task], *, first: bool) -> None:
        """Read one window of each task that is not decided yet."""
        asked: list[tuple[_Task, Window, tuple[int, ...]]] = []
        for task in tasks:
            if task.settled is not None or not task.readable or (not first and self._decided(task)):
                continue
            seen = {i for read in task.reads for i in read.lines}
            left = [i for i in range(len(task.lines.lines)) if i not in seen]
            if left:
                rest = relinked(task.lines.lines, left)
                window = self._maker.window(task.claim, rest, task.context)
                asked.append((task, window, tuple(left[i] for i in window.lines)))
        reads = self._read([(window, lines) for _, window, lines in asked])
        for (task, _, _), read in zip(asked, reads, strict=True):
            task.reads.append(read)

    def _read(self, asked: Sequence[tuple[Window, tuple[int, ...]]]) -> list[Read]:
        """What the reader says of windows, of which lines each is."""
        if not asked:
            return []
        found = self._reader.read([(window.claim, window.evidence) for window, _ in asked])
        reads = []
        for (window, lines), logits, pieces in zip(
            asked, found.verdict.tolist(), found.deciding, strict=True
        ):
            telling = tuple(window.by_line(pieces).tolist())
            sure = probabilities(logits, self._reader.card)
            reads.append(Read(window, lines, telling, tuple(logits), *sure))
        return reads

    def _decided(self, task: _Task) -> bool:
        card = self._reader.card
        return any(
            read.support >= card.balanced or read.against >= card.contradicts for read in task.reads
        )

    def _judged(self, task: _Task, *, beside: bool = False) -> list[Judgement | JudgeFailure]:
        """`beside`: the task is one passage beside the one that decides on its claim."""
        judged: list[Judgement | JudgeFailure] = [
            _none(_NOTHING if not task.lines.lines else ELSEWHERE) for _ in task.cases
        ]
        decision = self._decision(task, beside=beside)
        if decision is None:
            reason = _FOREIGN if task.says and not task.english else _NOTHING
            return [_none(reason) for _ in task.cases]
        case, judged[case] = decision
        for other, deciding in task.computed_from.items():
            judged[other] = replace(decision[1], deciding=deciding)
        return judged

    def _decision(self, task: _Task, *, beside: bool = False) -> tuple[int, Judgement] | None:
        if task.settled is not None:
            case, sentence = task.settled
            return case, _verbatim(sentence)
        read = task.decisive
        if read is None:
            return None
        case, deciding = self._deciding(task, read)
        return case, self._judgement(task, read, case, deciding, beside=beside)

    def _deciding(self, task: _Task, read: Read) -> tuple[int, tuple[int, int]]:
        """The case and the range of its sentences that decide most, as the reader marks them."""
        if task.computed_from:
            return next(iter(task.computed_from.items()))
        case, sentence = task.lines.places[_marked(task, read)[0]]
        return case, (sentence, sentence + 1)

    def _judgement(
        self, task: _Task, read: Read, number: int, deciding: tuple[int, int], *, beside: bool
    ) -> Judgement:
        conflicts = self._conflicts(task, read, number, deciding)
        worked = task.worked
        if worked is not None and worked.met and task.figure is not None:
            conflicts = [one for one in conflicts if one.claim_at != task.figure.at]
        unmet = worked is not None and not worked.met
        replaced = unmet or any(conflict.claimed and conflict.said for conflict in conflicts)
        support, against = read.support, read.against
        # A claim that was cut is another claim: nothing is decided on it.
        cut = read.window.is_cut
        if replaced or cut:
            support = min(support, _BARRED_MOST)
        said = " ".join(task.cases[number].sentences[slice(*deciding)])
        contradicts = (
            not cut
            and not (beside and _is_of_another(task.claim, said))
            and self._refutes(read, conflicts, beside=beside)
            and self._refutes_alone(task, conflicts, beside=beside)
        )
        if unmet and worked is not None and worked.by is not None and not beside:
            contradicts, against = not cut, max(against, self._reader.card.contradicts)
        if contradicts:
            support = min(support, 1 - against)
        barred = cut or bool(conflicts) or unmet
        level = SupportLevel.NONE if contradicts else self._level(support, barred=barred)
        told = _note(level, conflicts, contradicts=contradicts, cut=cut)
        return Judgement(
            support=level,
            similarity=round(similarity_at(support, self._full_from, level), _DIGITS),
            probability=round(support, _DIGITS),
            contradiction=round(against, _DIGITS),
            contradicts=contradicts,
            directness=round(support, _DIGITS) if level is SupportLevel.FULL else INFERRED,
            deciding=deciding,
            barred=barred,
            notes=" ".join((told, *task.computed())),
        )

    def _refutes(self, read: Read, conflicts: Sequence[Conflict], *, beside: bool) -> bool:
        """Whether a passage says otherwise.

        Another value refutes where the reader leans that way too: of 16 claims that it rather took
        for supported, 10 were (writers `t` and `f`), as sums and the facts of two sentences are.
        A passage beside the one that decides refutes by one value: without, it may tell of another
        case, so the reader must be surer, and with two of another thing (part 3 costs 3 euros, part
        4 costs 4).
        """
        values = sum(bool(one.said) for one in conflicts)
        if beside and values != 1:
            return not values and read.against >= _SURELY
        replaced = any(one.claimed and one.said for one in conflicts)
        leans = replaced and read.against >= read.support
        least = _ROW_REFUTES if read.row else self._reader.card.contradicts
        return leans or read.against >= least

    def _refutes_alone(self, task: _Task, conflicts: Sequence[Conflict], *, beside: bool) -> bool:
        """Whether a passage says otherwise than the claim without its context, which may be what is
        wrong: the sentence before it in the answer.
        """
        if not task.context:
            return True
        (alone,) = self._tasks([[replace(case, context="") for case in task.cases]])
        read = alone.decisive
        return read is not None and self._refutes(read, conflicts, beside=beside)

    def _conflicts(
        self, task: _Task, read: Read, number: int, deciding: tuple[int, int]
    ) -> list[Conflict]:
        """The veto, where the deciding sentences have nearly the claim's own words: see `NEAR`.
        Signs that deny count always.
        """
        case = task.cases[number]
        # As the reader was shown them: a row with the titles of its columns.
        said = [
            line.text
            for line, (n, sentence) in zip(task.lines.lines, task.lines.places, strict=True)
            if n == number and deciding[0] <= sentence < deciding[1]
        ]
        if shared_words(case.claim, " ".join(said)) < NEAR:
            return list(denying_signs(case.claim, " ".join(case.sentences[slice(*deciding)])))
        lines = [task.lines.lines[i] for i in read.lines]
        return vetoes(case, deciding, [text for one in lines for text in (one.text, one.heading)])

    def _level(self, support: float, *, barred: bool) -> SupportLevel:
        if support >= self._full_from and not barred:
            return SupportLevel.FULL
        return SupportLevel.PARTIAL if support >= self._reader.card.partial else SupportLevel.NONE


class _Task:
    """A claim with its passages, and what was read of it so far."""

    def __init__(self, cases: Sequence[Case], lines: Lines, encode: Encode) -> None:
        self.cases, self.lines = cases, lines
        self.reads: list[Read] = []
        claim = self.claim = cases[0].claim if cases else ""
        self.context = " ".join(cases[0].context.split()) if cases else ""
        tables = [{row for table in case.tables for row in table.rows} for case in cases]
        self.rows = {i for i, (n, at) in enumerate(lines.places) if at in tables[n]}
        words = [word for line in lines.lines for word in read_words(line.text)]
        asked = read_words(claim)
        self.settled = _verbatim_place(claim, cases, lines)
        # One word, or grammar alone ("it is", "and so on"), says nothing that could be borne out.
        self.says = len(asked) > 1 and any(word.content for word in asked)
        known = {word.key for word in words}
        self.english = is_english(asked, encode, known) and is_english(words, encode)
        self.readable = self.english and self.says and bool(words)
        self.figure: Figure | None = None
        self.worked: Worked | None = None

    @property
    def computed_from(self) -> dict[int, tuple[int, int]]:
        """By case the sentences from the first to the last operand of the claim's value; the first
        alone where they are far from each other.
        """
        ranges: dict[int, tuple[int, int]] = {}
        by = None if self.worked is None else self.worked.by
        for operand in () if by is None else by.operands:
            case, at = self.lines.places[operand.line]
            low, high = ranges.get(case, (at, at + 1))
            low, far = min(low, at), max(high, at + 1)
            ranges[case] = (low, far if far - low <= _FAR else high)
        return ranges

    def computed(self) -> Iterator[str]:
        """How the claim's value was worked out, or what was tried, with each operand's line."""
        if self.worked is None or self.figure is None:
            return
        found = self.worked.by
        if found is None:
            yield f'Nothing that was read adds up to "{shown(self.figure.word)}".'
            return
        if not self.worked.met:
            yield f'The claim says "{shown(self.figure.word)}".'
        at = dict.fromkeys(one.line for one in found.operands)
        quoted = "; ".join(f'"{shorten(self.lines.lines[i].text, _EXCERPT)}"' for i in at)
        yield f"Computed: {found.told}, from {quoted}."

    @property
    def decisive(self) -> Read | None:
        """The window that says most, yes or no; None where nothing was read."""
        return max(self.reads, key=lambda r: (max(r.support, r.against), r.support), default=None)


def _marked(task: _Task, read: Read) -> list[int]:
    """The lines of a window, those first that the reader takes to decide and that share the claim's
    words, titles last. Of the claims of writers `fa` and `fb` the first is one that decides for 405
    of 444; by the reader's marks alone for 398, by the words alone for 320.
    """
    lines = task.lines.lines
    shared = {i: _SHARED * shared_words(task.claim, lines[i].text) for i in read.lines}
    told = zip(read.telling, read.lines, strict=True)
    return [i for _, _, i in sorted((is_title(lines[i]), -mark - shared[i], i) for mark, i in told)]


def _is_of_another(claim: str, said: str) -> bool:
    """Whether a sentence is the claim but for two numbers or more: "Room 19 seats 29" tells nothing
    of room 9, which seats 19, though 19 stands in both.
    """
    ours, theirs = read_words(claim), read_words(said)
    if [w.number is None and w.key for w in ours] != [w.number is None and w.key for w in theirs]:
        return False
    numbers = [pair for pair in zip(ours, theirs, strict=True) if pair[0].number is not None]
    return sum(not same_quantity(*pair) for pair in numbers) > 1


def probabilities(logits: Sequence[float], card: Card) -> tuple[float, float]:
    """Calibrated probabilities that a claim is supported, and that it is refuted."""
    neither, yes, no = logits
    support = yes - _log_sum(neither, no)
    against = no - _log_sum(neither, yes)
    return (
        sigmoid(card.slope * support + card.intercept),
        sigmoid(card.against_slope * against + card.against_intercept),
    )


def _log_sum(one: float, other: float) -> float:
    high = max(one, other)
    return high + math.log(math.exp(one - high) + math.exp(other - high))


def _verbatim_place(claim: str, cases: Sequence[Case], lines: Lines) -> tuple[int, int] | None:
    """The case and sentence that is the claim word for word, but for case, punctuation and the mark
    of an item; a row where the claim names its columns as the reader is shown them. A row alone,
    and an item or row below a lead-in, say more or less than their words.
    """
    plain = _plain(claim)
    ours = _told(plain)
    if not ours:
        return None
    rows = [_told_rows(case) for case in cases]
    for line, (case, sentence) in zip(lines.lines, lines.places, strict=True):
        if line.lead_in < 0:
            said = _plain(rows[case].get(sentence, cases[case].sentences[sentence]))
            if _told(said) == ours and same_values(plain, said):
                return case, sentence
    return None


def _told_rows(case: Case) -> dict[int, str]:
    """The rows of a case in words; empty where its columns have no titles, and for the rows of a
    table below a lead-in ("You may not bring:").
    """
    told: dict[int, str] = {}
    for table in case.tables:
        first = table.rows[0] if table.head is None else table.head
        introduced = first > 0 and case.sentences[first - 1].rstrip("*_ \n").endswith(":")
        told |= {row: "" if introduced else table.in_words(row) or "" for row in table.rows}
    return told


def _plain(text: str) -> str:
    """A sentence without the mark or number of its item or clause, and words broken over lines."""
    return _MARK.sub("", LINE_END_HYPHEN.sub("", text), count=1)


# No dash before a number: it may be a minus.
_MARK = re.compile(
    r"\A\s*(?:[-*+\u2022\u2013\u25aa\u25cf\u25e6\u00b7]\s+(?![\d$\u20ac\u00a3\u00a5.,]))?"
    r"(?:\d{1,3}(?:\.\d{1,3})*[.)]\s+)?"
)
_ASKS = re.compile(r"[?:\uff1f\uff1a]\W*\Z")
"""A question or a lead-in, whatever quotation marks and brackets are closed behind it."""


@lru_cache(maxsize=1 << 14)
def _told(text: str) -> str:
    """What is compared word for word; empty for what says nothing."""
    if _ASKS.search(text):
        return ""
    tokens = tokenize(prepare(text))
    said = any(token.kind is not TokenKind.SIGN for token in tokens)
    return " ".join(token.key for token in tokens) if said else ""


def _none(reason: str) -> Judgement:
    return Judgement(SupportLevel.NONE, 0.0, 0.0, 0.0, False, INFERRED, None, reason)


def _verbatim(sentence: int) -> Judgement:
    return Judgement(
        support=SupportLevel.FULL,
        similarity=1.0,
        probability=VERBATIM_PROBABILITY,
        contradiction=round(1 - VERBATIM_PROBABILITY, _DIGITS),
        contradicts=False,
        directness=DIRECT,
        deciding=(sentence, sentence + 1),
        notes=_VERBATIM,
    )


def _note(
    level: SupportLevel, conflicts: Sequence[Conflict], *, contradicts: bool, cut: bool
) -> str:
    if contradicts:
        return f"{_OPPOSITE} {describe(conflicts)}".strip()
    if level is SupportLevel.FULL:
        return _SAID
    # What is not called contradicted is not told as a contradiction: the claim's side alone.
    lacks = describe([replace(one, said="") for one in conflicts if one.claimed])
    told = lacks or (_TOO_LITTLE if level is SupportLevel.PARTIAL else UNRELATED)
    return f"{told} {_CUT}" if cut else told


def _bears(judgement: Judgement) -> bool:
    return judgement.contradicts or judgement.support is not SupportLevel.NONE
