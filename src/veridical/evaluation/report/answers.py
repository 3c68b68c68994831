"""Questions with what came back: the answer as text, what is wrong with it, and its sources."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from veridical.evaluation.metrics import MAX_QUOTES, holds_fact
from veridical.evaluation.questions import RECORDS
from veridical.evaluation.quotes import QuoteLine, quote_problem, read_lines
from veridical.evaluation.report.wording import LOOKS, badge, known_outcome, milliseconds
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
from veridical.retrieval.shown import collapse
from veridical.sources.span import Span
from veridical.validation.reports.markup import isolated, visible
from veridical.validation.reports.wording import count
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


def render_marked(text: str, spans: Iterable[Span]) -> str:
    """A text as HTML with its spans highlighted; those that overlap are highlighted as one."""
    parts: list[str] = []
    at = 0
    for start, end in _merged(spans):
        parts += [visible(text[at:start]), "<mark>", visible(text[start:end]), "</mark>"]
        at = end
    return f"<bdi>{''.join(parts)}{visible(text[at:])}</bdi>"


def _merged(spans: Iterable[Span]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if merged and span.start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], span.end)
        else:
            merged.append((span.start, span.end))
    return merged


def anchor(number: int) -> str:
    """The id of question `number` of the run, from 1. Its own id may hold anything."""
    return f"q{number}"


def render_answers(results: Sequence[QuestionResult]) -> str:
    """All results: those that are not right in full and by outcome, then the others folded."""
    ranks = {outcome: rank for rank, outcome in enumerate(LOOKS)}
    ranked = sorted(enumerate(results, 1), key=lambda item: ranks[what_came_of(item[1])])
    failing = [item for item in ranked if what_came_of(item[1]) is not Outcome.RIGHT]
    passing = [item for item in ranked if what_came_of(item[1]) is Outcome.RIGHT]
    return (
        f'<section id="failing"><h2>Not right <small>{count(len(failing), "question")}</small></h2>'
        f"{''.join(_in_full(number, result) for number, result in failing) or _NONE_FAILED}"
        f'</section><section id="passing"><h2>Right <small>{count(len(passing), "question")}'
        f"</small></h2>"
        f"{''.join(_folded(number, result) for number, result in passing) or _NONE_PASSED}"
        "</section>"
    )


_NONE_FAILED = '<p class="soft">Every answer is grounded, quoted and as expected.</p>'
_NONE_PASSED = '<p class="soft">No answer is right.</p>'


def _in_full(number: int, result: QuestionResult) -> str:
    question = isolated(result.question.question)
    return (
        f'<article class="result" id="{anchor(number)}"><p class="line">'
        f"{badge(what_came_of(result))}{_about(result)}</p>"
        f"<h3>{question}</h3>{_body(result)}</article>"
    )


def _folded(number: int, result: QuestionResult) -> str:
    problems = result.scores.problems if result.scores else ()
    notes = f" <small>{count(len(problems), 'note')}</small>" if problems else ""
    return (
        f'<details class="result" id="{anchor(number)}"><summary>'
        f"{badge(what_came_of(result))} <span>{isolated(result.question.question)}</span>{notes}"
        f'</summary><p class="line">{_about(result)}</p>{_body(result)}</details>'
    )


def _about(result: QuestionResult) -> str:
    """Id, topic and times."""
    question = result.question
    facts = [isolated(question.id), *([isolated(question.topic)] if question.topic else [])]
    facts.append(f"client {milliseconds(result.client_ms)}")
    if result.server_ms is not None:
        facts.append(f"server {milliseconds(result.server_ms)}")
    return "".join(f'<span class="soft">{fact}</span>' for fact in facts)


def _body(result: QuestionResult) -> str:
    problems = result.scores.problems if result.scores else ()
    listed = "".join(f"<li>{isolated(problem)}</li>" for problem in problems)
    expected = f'<p class="soft">Expected: {isolated(known_outcome(result.question))}</p>'
    return (
        f'{f"""<ul class="problems">{listed}</ul>""" if listed else ""}{expected}'
        f"{_response(result.response)}{_nearest(result)}"
    )


def _response(response: ChatResponse | ChatError) -> str:
    if isinstance(response, ChatError):
        return f'<p class="problem">{isolated(response.reason)}</p>'
    sources = [collapse(citation.text) for citation in response.citations]
    lines = [line.quote for line in read_lines(response.answer) if line.quote is not None]
    quotes = [_Checked(q, quote_problem(q, sources)) for q in lines[:MAX_QUOTES]]
    answer = isolated(response.answer) if response.answer.strip() else "(empty)"
    return (
        f'<h4>Answer</h4><p class="answer">{answer}</p>'
        f"{_quotes(quotes)}{_sources(quotes, response.citations)}{_stray_snippets(response)}"
    )


@dataclass(frozen=True, slots=True)
class _Checked:
    """A quote, and why it does not count; empty if it stands in the source it names."""

    quote: QuoteLine
    problem: str


def _quotes(quotes: Sequence[_Checked]) -> str:
    rows = "".join(f"<li><q>{isolated(q.quote.text)}</q> {_found(q)}</li>" for q in quotes)
    return f'<h4>Quotes</h4><ul class="quotes">{rows}</ul>' if rows else ""


def _found(checked: _Checked) -> str:
    if checked.problem:
        sign = '<b class="badge fail"><i aria-hidden="true">✕</i> not found:</b>'
        return f"{sign} {isolated(checked.problem)}"
    where = f"stands in source {checked.quote.number}"
    return f'<b class="badge ok"><i aria-hidden="true">✓</i> {where}</b>'


def _sources(quotes: Sequence[_Checked], citations: Sequence[ChatCitation]) -> str:
    if not citations:
        return '<p class="soft">It cites nothing.</p>'
    rows = "".join(
        _source(f"<b>[{number}]</b> {_name(citation)}", citation, _standing(number, quotes))
        for number, citation in enumerate(citations, start=1)
    )
    return f'<h4>Sources</h4><ol class="sources">{rows}</ol>'


def _standing(number: int, quotes: Sequence[_Checked]) -> list[str]:
    """The quotes that stand in source `number`."""
    return [q.quote.text for q in quotes if q.quote.number == number and not q.problem]


def _source(name: str, citation: ChatCitation, marked: Sequence[str]) -> str:
    """An item of a list: the name, HTML already, and the passage with the `marked` words of it."""
    places = Places(citation.text)
    spans = [span for words in marked if (span := places.find(words)) is not None]
    shown = render_marked(citation.text, spans)
    return f"<li><p>{name}</p><blockquote>{shown}</blockquote></li>"


def _name(citation: ChatCitation) -> str:
    # Sections are told from the top, which is often the title.
    title = "" if citation.section.startswith(citation.title) else citation.title
    parts = filter(None, (title, citation.section, citation.doc_id))
    return " · ".join(isolated(part) for part in parts)


def _nearest(result: QuestionResult) -> str:
    """Below a refusal what comes nearest, the passage that would have answered first."""
    passages = nearest_passages(result)
    if not passages:
        return ""
    wanted = result.question.sources
    lacking = bool(wanted) and all(passage.citation.doc_id not in wanted for passage in passages)
    note = (
        f'<p class="soft">None of them is of {isolated(", ".join(wanted))}.</p>' if lacking else ""
    )
    rows = "".join(
        _source(
            f"{_WOULD_ANSWER if passage.answers else ''}{_name(passage.citation)}",
            passage.citation,
            [passage.citation.snippet],
        )
        for passage in passages
    )
    return f'<h4>What comes nearest</h4>{note}<ol class="sources">{rows}</ol>'


_WOULD_ANSWER = "<b>The passage that would have answered:</b> "


def _stray_snippets(response: ChatResponse) -> str:
    """Snippets without a citation, which a refusal must not have."""
    if response.citations or not response.snippets:
        return ""
    rows = "".join(
        f"<li><blockquote>{isolated(text)}</blockquote></li>" for text in response.snippets
    )
    return f'<h4>Snippets</h4><ol class="sources">{rows}</ol>'
