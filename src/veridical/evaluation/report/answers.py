"""Questions with what came back: the answer as text, what is wrong with it, and its sources."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from veridical.evaluation.metrics import MAX_QUOTES, holds_fact
from veridical.evaluation.questions import RECORDS
from veridical.evaluation.quotes import QuoteLine, quote_problem, read_lines
from veridical.evaluation.run import (
    ChatCitation,
    ChatError,
    ChatResponse,
    EvalQuestion,
    Outcome,
    QuestionResult,
    what_came_of,
)
from veridical.evaluation.schemas import load_schema
from veridical.reports.marks import MarkedText
from veridical.retrieval.shown import collapse
from veridical.sources.document import Span
from veridical.validation.schema_errors import first_errors

# The passages that come nearest to a question that was refused, as its server names them.


MOST_PASSAGES = 10
"""Passages of a refusal that are read; others are left out."""


@dataclass(frozen=True, slots=True)
class NearPassage:
    """A passage; `answers` if it is of a source of the answer and holds an expected fact."""

    citation: ChatCitation
    answers: bool


def nearest_passages(result: QuestionResult) -> tuple[NearPassage, ...]:
    """What a refusal names as `nearest`: passages that answer first, then those of other places in
    the sources of the answer; of equals the nearer.

    Empty for an answer, and where the reply names none. An entry that is not shaped as a citation
    is left out: nothing else of a reply is worth less for it.
    """
    question, response = result.question, result.response
    if not isinstance(response, ChatResponse) or not (result.scores and result.scores.refused):
        return ()
    named = response.extra.get("nearest")
    citations = [
        RECORDS.read(ChatCitation, entry)
        for entry in (named[:MOST_PASSAGES] if isinstance(named, list) else ())
        if not first_errors(load_schema("chat_response")["properties"]["citations"]["items"], entry)
    ]
    passages = [NearPassage(each, _answers(question, each)) for each in citations]
    sources = question.sources
    passages.sort(key=lambda each: (not each.answers, each.citation.doc_id not in sources))
    return tuple(passages)


def _answers(question: EvalQuestion, citation: ChatCitation) -> bool:
    return citation.doc_id in question.sources and any(
        holds_fact(citation.text, wordings) for wordings in question.expected
    )


# Where the words of quotes stand in the text of a source, however its lines are broken.


_WORD = re.compile(r"\S+")


class Places:
    """The words of a text, and where they stand in it: indexed once for many quotes."""

    def __init__(self, text: str) -> None:
        words = list(_WORD.finditer(text))
        self._joined = " ".join(word[0] for word in words)
        self._offsets = [word.start() for word in words]
        self._starts = [0, *accumulate(len(word[0]) + 1 for word in words)]

    def find(self, quote: str) -> Span | None:
        """The first place of `quote` where only white space may differ; None if there is none.

        Offsets are code points of the text. Linear in both: a pattern of words is not, and what a
        server replies is hostile.
        """
        wanted = collapse(quote)
        at = self._joined.find(wanted) if wanted else -1
        if at < 0:
            return None
        return Span(self._original(at), self._original(at + len(wanted) - 1) + 1)

    def _original(self, position: int) -> int:
        word = bisect_right(self._starts, position) - 1
        return self._offsets[word] + position - self._starts[word]


def marked(text: str, words: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """A text in stretches, and whether each is of these words where they stand in it. Those that
    overlap are one stretch.
    """
    places = Places(text)
    spans = sorted(span for each in words if (span := places.find(each)) is not None)
    runs = MarkedText(text, spans).runs(0, len(text))
    for is_marked, group in groupby(runs, lambda run: bool(run.inside)):
        yield is_marked, "".join(run.text for run in group)


@dataclass(frozen=True, slots=True)
class Checked:
    """A quote, and why it does not count; empty if it stands in the source it names."""

    quote: QuoteLine
    problem: str


@dataclass(frozen=True, slots=True)
class ShownResult:
    """What came back to question `number` of the run, from 1."""

    number: int
    result: QuestionResult

    @property
    def outcome(self) -> Outcome:
        """What came of it."""
        return what_came_of(self.result)

    @property
    def problems(self) -> Sequence[str]:
        """What is wrong with it."""
        return self.result.scores.problems if self.result.scores else ()

    @property
    def failure(self) -> str | None:
        """Why there is no response; None where there is one."""
        response = self.result.response
        return response.reason if isinstance(response, ChatError) else None

    def quotes(self) -> list[Checked]:
        """The quotes of a response, checked."""
        if isinstance(self.result.response, ChatError):
            return []
        sources = [collapse(citation.text) for citation in self.result.response.citations]
        lines = [each.quote for each in read_lines(self.result.response.answer) if each.quote]
        return [Checked(quote, quote_problem(quote, sources)) for quote in lines[:MAX_QUOTES]]

    @property
    def nearest(self) -> tuple[NearPassage, ...]:
        """Below a refusal what comes nearest, the passage that would have answered first."""
        return nearest_passages(self.result)

    @property
    def lacking(self) -> str:
        """The sources of the answer, where no passage that comes nearest is of one of them."""
        wanted = self.result.question.sources
        is_near = any(each.citation.doc_id in wanted for each in self.nearest)
        return "" if is_near else ", ".join(wanted)


def standing(number: int, quotes: Sequence[Checked]) -> list[str]:
    """The quotes that stand in source `number`."""
    return [each.quote.text for each in quotes if each.quote.number == number and not each.problem]


def name_of(citation: ChatCitation) -> list[str]:
    """What a source is called. Sections are told from the top, which is often the title."""
    title = "" if citation.section.startswith(citation.title) else citation.title
    return [part for part in (title, citation.section, citation.doc_id) if part]
