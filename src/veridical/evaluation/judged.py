"""Citation precision and recall: does a judge find that what is cited bears out what is said?

Each sentence of the answer is judged against the text of each source that its markers name.
Markers stand for the sentences before them, back to the marker before or the line's start, as
readers take them. A marker is borne out if a source that it names bears out a sentence that it
stands for; one that cites nothing never is. A sentence counts as cited if any source of its
markers bears it out. Precision is `borne_out / markers`, recall `cited / statements`.
Source: Gao et al., Enabling Large Language Models to Generate Text with Citations, EMNLP 2023,
section 4.3, with one source judged at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.evaluation.markers import Marker, find_markers
from veridical.evaluation.quotes import AnswerLine, collapse
from veridical.evaluation.run import ChatCitation
from veridical.judging.evaluation import sentences_of
from veridical.judging.judge import Case, Judge, JudgeFailure, Judgement, SupportLevel
from veridical.text.reading import sentence_spans
from veridical.validation.schema_errors import shorten

MAX_CASES = 300
"""Pairs of a sentence and a source that are judged of one answer; others are not borne out."""

_BULLET = re.compile(r"\s*(?:[-*+\u2022\u2013]|[0-9]{1,3}[.)]|#{1,6})\s+")
_WORD = re.compile(r"[^\W_]")
_WRAPPED_FROM = 50
"""Characters from which a line goes on in the next: rows of tables are mostly shorter."""

_MOST_TOLD = 50


@dataclass(frozen=True, slots=True)
class JudgedCitations:
    """Counts over one answer, as in `Scores`, and what is not borne out, a clause each."""

    markers: int = 0
    borne_out: int = 0
    statements: int = 0
    cited: int = 0
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claimed:
    """Sentences, and the numbers that the markers behind them name."""

    sentences: tuple[str, ...]
    numbers: tuple[int, ...]


def judge_citations(
    lines: Sequence[AnswerLine], citations: Sequence[ChatCitation], judge: Judge, *, invented: int
) -> JudgedCitations:
    """The counts of one answer. Quote lines are left out: whether they stand is looked up. Of those
    that do not, `invented`, each counts as a marker that is not borne out and as a statement that
    is not cited: what is not true is not better for quotation marks.

    A sentence that could not be judged leaves both counts, and is told among the problems.
    """
    claims = claims_of(lines)
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
    counts = _count(claims, found)
    return replace(
        counts, markers=counts.markers + invented, statements=counts.statements + invented
    )


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
    claims: Sequence[Claimed], found: dict[tuple[str, int], Judgement | JudgeFailure]
) -> JudgedCitations:
    markers = borne_out = statements = cited = 0
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
                problems.append(f"{shorten(sentence)} is {_lack(claim)}")
    if len(problems) > _MOST_TOLD:
        problems[_MOST_TOLD:] = [f"and {len(problems) - _MOST_TOLD} more statements like these"]
    return JudgedCitations(markers, borne_out, statements, cited, tuple(problems))


def _bears_out(verdict: Judgement | JudgeFailure | None) -> bool:
    return isinstance(verdict, Judgement) and (
        verdict.support is SupportLevel.FULL and not verdict.contradicts
    )


def _is_unknown(verdicts: Sequence[Judgement | JudgeFailure | None]) -> bool:
    """Whether a failure keeps the outcome open."""
    failed = any(isinstance(verdict, JudgeFailure) for verdict in verdicts)
    return failed and not any(map(_bears_out, verdicts))


def _lack(claim: Claimed) -> str:
    if not claim.numbers:
        return "not cited"
    cited = ", ".join(map(str, claim.numbers))
    return f"not borne out by source {cited}"
