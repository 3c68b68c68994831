"""The metrics of the answering specification, clause by clause, and whether an answer is right.

`grounded_ok` and `citation_ok` follow the specification to the letter. Beside them stand what it
does not ask: whether the expected facts are in the answer and, by `judged`, whether what is cited
bears out what is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from veridical.evaluation.quotes import (
    AnswerLine,
    Marker,
    find_markers,
    quote_problem,
    read_lines,
    without_markers,
)
from veridical.evaluation.run import ChatCitation, ChatResponse, EvalQuestion, Scores
from veridical.judging.evaluation import sentences_of
from veridical.judging.judge import Case, Judge, JudgeFailure, Judgement, SupportLevel
from veridical.reports.words import count
from veridical.retrieval.shown import collapse
from veridical.text.reading import sentence_spans
from veridical.validation.schema_errors import shorten

# Citation precision and recall: does a judge find that what is cited bears out what is said?


MAX_CASES = 300
"""Pairs of a sentence and a source that are judged of one answer; others are not borne out."""

_BULLET = re.compile(r"\s*(?:[-*+\u2022\u2013]|[0-9]{1,3}[.)]|#{1,6})\s+")
_WORD = re.compile(r"[^\W_]")
_WRAPPED_FROM = 50
"""Characters from which a line goes on in the next: rows of tables are mostly shorter."""

_MOST_TOLD = 50


@dataclass(frozen=True, slots=True)
class Claimed:
    """Sentences, and the numbers that the markers behind them name."""

    sentences: tuple[str, ...]
    numbers: tuple[int, ...]


def _judged(
    scores: Scores, read: _Answer, citations: Sequence[ChatCitation], judge: Judge
) -> Scores:
    """The scores with the counts of one answer. Quote lines are left out: whether they stand is
    looked up. Each that does not counts as a marker that is not borne out and as a statement that
    is not cited: what is not true is not better for quotation marks.

    A sentence that could not be judged leaves both counts, and is told among the problems.
    """
    claims = claims_of(read.lines)
    pairs = [
        (sentence, number)
        for claim in claims
        for sentence in claim.sentences
        for number in claim.numbers
        if 1 <= number <= len(citations)
    ]
    wanted = list(dict.fromkeys(pairs))[:MAX_CASES]
    passages = {number: _case_parts(citations[number - 1]) for number in {n for _, n in wanted}}
    cases = [Case(sentence, *passages[number]) for sentence, number in wanted]
    found = dict(zip(wanted, judge.judge(cases) if cases else [], strict=True))
    return _count(scores, claims, found, read.invented)


def claims_of(lines: Sequence[AnswerLine]) -> list[Claimed]:
    """What is judged of an answer."""
    return [claim for line in lines if line.quote is None for claim in _claims(line.text)]


def _claims(line: str) -> Iterator[Claimed]:
    """What a line says, cut behind its markers. An introduction ("It says:") without a figure says
    nothing, and markers at the start of a line stand for what follows.
    """
    bullet = _BULLET.match(line)
    at = bullet.end() if bullet else 0
    sentences: tuple[str, ...] = ()
    numbers: dict[int, None] = {}
    for marker in (*find_markers(line), Marker(len(line), len(line), ())):
        words = line[at : marker.start]
        if _WORD.search(words):
            if sentences:
                yield Claimed(sentences, tuple(numbers))
                numbers = {}
            sentences = () if _introduces(words, marker.numbers) else tuple(_sentences(words))
        numbers.update(dict.fromkeys(marker.numbers))
        at = marker.end
    if sentences or numbers:
        yield Claimed(sentences, tuple(numbers))


def _introduces(words: str, named: tuple[int, ...]) -> bool:
    return not named and words.rstrip().endswith(":") and not any(map(str.isdigit, words))


def _sentences(text: str) -> Iterator[str]:
    for start, end in sentence_spans(text):
        # What is left of the sentence before, after its marker: a full stop.
        sentence = collapse(text[start:end]).lstrip(".,;:!? ")
        if _WORD.search(sentence):
            yield sentence


def _case_parts(citation: ChatCitation) -> tuple[tuple[str, ...], str, str]:
    lines: list[str] = []
    for line in citation.text.splitlines():
        if lines and len(lines[-1]) >= _WRAPPED_FROM and line.strip() and not _BULLET.match(line):
            lines[-1] = f"{lines[-1]} {line}"
        else:
            lines.append(line)
    sentences = tuple(map(collapse, sentences_of(lines)))
    return sentences, "", citation.section or citation.title


def _count(
    scores: Scores,
    claims: Sequence[Claimed],
    found: dict[tuple[str, int], Judgement | JudgeFailure],
    invented: int,
) -> Scores:
    markers = statements = invented
    borne_out = cited = 0
    problems: list[str] = []
    for claim in claims:
        for number in claim.numbers:
            verdicts = [found.get((sentence, number)) for sentence in claim.sentences]
            if _is_unknown(verdicts):
                continue
            markers += 1
            borne_out += any(map(_bears_out, verdicts))
        for sentence in claim.sentences:
            verdicts = [found.get((sentence, number)) for number in claim.numbers]
            if _is_unknown(verdicts):
                problems.append(f"{shorten(sentence)} could not be judged")
                continue
            statements += 1
            if any(map(_bears_out, verdicts)):
                cited += 1
            else:
                cited_by = ", ".join(map(str, claim.numbers))
                lack = f"not borne out by source {cited_by}" if cited_by else "not cited"
                problems.append(f"{shorten(sentence)} is {lack}")
    if len(problems) > _MOST_TOLD:
        problems[_MOST_TOLD:] = [f"and {len(problems) - _MOST_TOLD} more statements like these"]
    return replace(
        scores,
        markers=markers,
        borne_out=borne_out,
        statements=statements,
        cited=cited,
        problems=(*scores.problems, *problems),
    )


def _bears_out(verdict: Judgement | JudgeFailure | None) -> bool:
    return isinstance(verdict, Judgement) and (
        verdict.support is SupportLevel.FULL and not verdict.contradicts
    )


def _is_unknown(verdicts: Sequence[Judgement | JudgeFailure | None]) -> bool:
    """Whether a failure keeps the outcome open."""
    failed = any(isinstance(verdict, JudgeFailure) for verdict in verdicts)
    return failed and not any(map(_bears_out, verdicts))


REFUSAL_WORDS = ("cannot", "can't")
"""What a refusal says, in any case; a typographic apostrophe is one too."""

MAX_QUOTES = 200
"""Quote lines of an answer that are looked up."""

_MOST_NAMED = 5
"""Wrong markers that are told one by one."""

_APOSTROPHES = str.maketrans("\u2019\u02bc", "''")


def score_response(
    question: EvalQuestion, response: ChatResponse, judge: Judge | None = None
) -> Scores:
    """How good a response is. Without a judge the counts of markers and statements stay 0.

    Answerable, `grounded_ok`: there are citations, the answer has bracket-style markers, and every
    one of them names a returned citation; `citation_ok`: it also has at least one quote line whose
    words stand in the source it names. Unanswerable, both: no citations, no snippets, and the
    words of a refusal. `problems` also tells what is amiss without costing a score, such as a
    second quote that is not found. Source: the answering specification, "Evaluation method".
    """
    read = _read(response)
    against_refusal = list(_not_a_refusal(response))
    refused = not against_refusal
    if not question.answerable:
        scores = Scores(refused, refused, refused, refused, tuple(against_refusal))
    else:
        scores = _score_answer(question, response, read, refused=refused)
    if judge is None or refused:
        return scores
    return _judged(scores, read, response.citations, judge)


def most_counted(response: ChatResponse) -> tuple[int, int]:
    """The markers and the statements that a judge counts of a response, if it judges them all."""
    if not any(_not_a_refusal(response)):
        return 0, 0
    read = _read(response)
    claims = claims_of(read.lines)
    markers = sum(len(claim.numbers) for claim in claims)
    statements = sum(len(claim.sentences) for claim in claims)
    return markers + read.invented, statements + read.invented


@dataclass(frozen=True, slots=True)
class _Answer:
    """The lines of an answer; of the quote lines those `standing` in their source, and what is
    wrong with others.
    """

    lines: tuple[AnswerLine, ...]
    standing: frozenset[AnswerLine]
    not_found: tuple[str, ...]

    @property
    def invented(self) -> int:
        """How many quote lines do not stand in their source."""
        return sum(line.quote is not None and line not in self.standing for line in self.lines)

    @property
    def numbers(self) -> list[int]:
        """The numbers that its markers name. Brackets inside quoted words belong to the source
        where the quote stands in it; inside invented words they are markers as any.
        """
        markers = chain.from_iterable(
            [line.marker_behind] if line in self.standing else line.markers for line in self.lines
        )
        return [number for marker in markers if marker is not None for number in marker.numbers]


def _read(response: ChatResponse) -> _Answer:
    lines = read_lines(response.answer)
    sources = [collapse(citation.text) for citation in response.citations]
    quotes = [line for line in lines if line.quote is not None]
    looked_up = {
        line: quote_problem(line.quote, sources) for line in quotes[:MAX_QUOTES] if line.quote
    }
    standing = frozenset(line for line, problem in looked_up.items() if not problem)
    return _Answer(lines, standing, tuple(filter(None, looked_up.values())))


def _score_answer(
    question: EvalQuestion, response: ChatResponse, read: _Answer, *, refused: bool
) -> Scores:
    ungrounded = list(_ungrounded(response, read.numbers))
    missing = list(_missing_facts(question, read))
    problems = [*ungrounded, *read.not_found]
    if all(line.quote is None for line in read.lines):
        problems.append("it has no quote line")
    if any(line.is_malformed_quote for line in read.lines):
        problems.append('a line that starts with Quote: is not of the form Quote: "…" [n]')
    if refused:
        problems.append("it refuses a question that the documents answer")
    grounded = not ungrounded
    return Scores(
        grounded_ok=grounded,
        citation_ok=grounded and bool(read.standing),
        refused=refused,
        correct=not refused and not missing,
        problems=(*problems, *missing),
    )


def _not_a_refusal(response: ChatResponse) -> Iterator[str]:
    """What keeps a response from being a refusal."""
    if response.citations:
        yield f"it returns {count(len(response.citations), 'citation')} where there is no answer"
    if response.snippets:
        yield f"it returns {count(len(response.snippets), 'snippet')} where there is no answer"
    if not is_refusal_wording(response.answer):
        yield 'it does not say "cannot" or "can\'t"'


def is_refusal_wording(answer: str) -> bool:
    """Whether an answer contains "cannot" or "can't", in any case."""
    plain = answer.translate(_APOSTROPHES).casefold()
    return any(word in plain for word in REFUSAL_WORDS)


def _ungrounded(response: ChatResponse, numbers: Sequence[int]) -> Iterator[str]:
    """What keeps an answer whose markers name these numbers from being grounded."""
    most = len(response.citations)
    if not most:
        yield "it returns no citations"
    if not numbers:
        yield "the answer has no bracket-style citations"
    wrong = sorted({n for n in numbers if not 1 <= n <= most})
    for number in wrong[:_MOST_NAMED]:
        yield f"marker [{number}] names no returned citation; citations returned: {most}"
    if len(wrong) > _MOST_NAMED:
        yield f"so do {len(wrong) - _MOST_NAMED} more markers"


def _missing_facts(question: EvalQuestion, read: _Answer) -> Iterator[str]:
    """The facts that an answer lacks. What only an invented quote says, it does not say."""
    said = [line for line in read.lines if line.quote is None or line in read.standing]
    answer = "\n".join(map(_words, said))
    for wordings in question.expected:
        if not holds_fact(answer, wordings):
            yield f"the answer lacks {' or '.join(map(repr, wordings))}"


def holds_fact(text: str, wordings: Sequence[str]) -> bool:
    """Whether one of the wordings of a fact stands in a text, as whole words in any case."""
    plain = collapse(text).casefold()
    return any(_fact(wording).search(plain) for wording in wordings)


def _words(line: AnswerLine) -> str:
    """What a line says: a marker's number is no fact."""
    return line.quote.text if line.quote is not None else without_markers(line.text)


@lru_cache(maxsize=1024)
def _fact(wording: str) -> re.Pattern[str]:
    """A fact as whole tokens: "5 days" is not in "15 days", "1.5 days" or "2/5 days"."""
    text = collapse(wording).casefold()
    before = r"(?<!\w)(?<!\d[.,:/])" if text[:1].isalnum() else ""
    after = r"(?!\w)(?![.,:/]\d)" if text[-1:].isalnum() else ""
    return re.compile(before + re.escape(text) + after)
