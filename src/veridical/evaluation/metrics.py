"""The metrics of the answering specification, clause by clause, and whether an answer is right.

`grounded_ok` and `citation_ok` follow the specification to the letter. Beside them stand what it
does not ask: whether the expected facts are in the answer and, by `judged`, whether what is cited
bears out what is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import chain

from veridical.evaluation.judged import claims_of, judge_citations
from veridical.evaluation.markers import without_markers
from veridical.evaluation.quotes import AnswerLine, collapse, quote_problem, read_lines
from veridical.evaluation.run import ChatResponse, EvalQuestion, Scores
from veridical.judging.judge import Judge
from veridical.validation.reports.wording import count

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
    counts = judge_citations(read.lines, response.citations, judge, invented=read.invented)
    problems = (*scores.problems, *counts.problems)
    return replace(scores, **{**asdict(counts), "problems": problems})


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
