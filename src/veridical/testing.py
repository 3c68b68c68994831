"""Assertions for tests of what a language model wrote: is it in the sources?

For any test runner; nothing of pytest is imported.

>>> from veridical import document_from_text
>>> from veridical.testing import assert_grounded, assert_quotes
>>> policy = document_from_text("Staff get 25 days of leave a year.", "policy")
>>> assert_grounded("Staff get 25 days of leave a year.", policy).summary.total_claims
1
>>> len(assert_quotes(["25 days of leave"], policy))
1
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from veridical.errors import ConfigurationError, NoDocumentsError, ValidationError
from veridical.ledger.checking import (
    AnswerCheck,
    AnswerChecker,
    Problem,
    ProblemKind,
    marked_differences,
)
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.grounding import documents_of
from veridical.reports.words import count, first_words, listing
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document
from veridical.validation import wording
from veridical.validation.results import ClaimResult, Status
from veridical.validation.validator import Validator

__unittest = True  # the frames of this module are left out of what unittest prints

MOST_TOLD = 20
"""Problems that a failure tells in full."""

_MOST_KEPT = 1_000
_MOST_PATH_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Checked:
    """What an assertion checked, for reports: see `taken_checks`.

    `text` is the answer, or the quotes with a line for each. `problems` are blocks of lines.
    """

    what: str
    text: str
    total: int
    borne_out: int
    problems: tuple[str, ...]
    passed: bool


class Sources:
    """Documents to check against, read and indexed once, on first use.

    `given` is a folder or a file (a path), a `Document`, or several of these. Text in memory
    becomes a document by `veridical.document_from_text`. Not for several threads at once.
    """

    def __init__(self, given: SourcesLike) -> None:
        self._given = given

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The documents.

        Ledgers that Veridical wrote are left out of files and folders: they prove nothing.
        Raises DocumentParsingError where one cannot be read, NoDocumentsError where there is none,
        and ConfigurationError for what is no source.
        """
        given = [self._given] if _is_one(self._given) else list(_several(self._given))
        if not given:
            raise NoDocumentsError("no source is given; name a file or a folder")
        return tuple(documents_of([e if isinstance(e, Document) else _path(e) for e in given]))

    @cached_property
    def checker(self) -> AnswerChecker:
        """What checks answers against the documents."""
        return AnswerChecker(Corpus(self.documents))

    @cached_property
    def validator(self) -> Validator:
        """What looks for quotes in the documents."""
        return Validator(self.documents)


Source: TypeAlias = "str | os.PathLike[str] | Document"
SourcesLike: TypeAlias = "Sources | Source | Iterable[Source]"


def assert_grounded(
    answer: str,
    sources: SourcesLike,
    *,
    query: str = "",
    allow_partial: bool = False,
    allow_no_claims: bool = False,
) -> EvidenceLedger:
    """Fail unless each claim of an answer is borne out by the sources, and return its ledger.

    `sources` are a folder or file, documents, or a `Sources`, which is indexed once for all
    assertions. `query` is the question that was asked. A claim that a source contradicts, that
    stands nowhere, or in part only (unless `allow_partial`) fails the test; so do words that could
    not be checked, such as sentences in code, and an answer that claims nothing (unless
    `allow_no_claims`).

    Raises AssertionError with each such claim beside the nearest words of the sources, and
    VeridicalError where answer or sources cannot be used.
    """
    __tracebackhide__ = True
    if not isinstance(answer, str):
        raise ValidationError(f"the answer is a {type(answer).__name__}; give its text")
    checker = _sources(sources).checker
    check = checker.check(answer, query=query)
    allowed = {ProblemKind.PARTIAL} if allow_partial else set()
    problems = check.of_kinds(frozenset(ProblemKind) - allowed)
    told = [_told(number, problem, answer) for number, problem in enumerate(problems, 1)]
    if not check.claims and not allow_no_claims and not problems:
        told = ["The answer makes no claim that could be checked: nothing was verified"]
    _keep(Checked("answer", answer, check.claims, check.supported, tuple(told), not told))
    if told:
        headline = _headline(check, problems, checker) if problems else ""
        raise AssertionError(_failure(headline, told))
    return check.ledger


def assert_quotes(
    quotes: str | Iterable[str], source: SourcesLike, *, allow_ambiguous: bool = False
) -> tuple[ClaimResult, ...]:
    """Fail unless each quote stands in the source word for word, and return where.

    Differences of case, white space, punctuation and markup are forgiven; a changed word, number,
    name or date is not. A quote that stands in several places fails unless `allow_ambiguous`. No
    quote at all fails: nothing was verified.

    Raises AssertionError with each quote beside what the source says, and VeridicalError where a
    quote or the source cannot be used.
    """
    __tracebackhide__ = True
    listed = [quotes] if isinstance(quotes, str) else list(quotes)
    validator = _sources(source).validator
    results = tuple(validator.check(quote) for quote in listed)
    accepted = {Status.VALIDATED, Status.AMBIGUOUS} if allow_ambiguous else {Status.VALIDATED}
    failed = [result for result in results if result.status not in accepted]
    told = [_told_quote(number, result) for number, result in enumerate(failed, 1)]
    if not listed:
        told = ["No quote was given: nothing was verified"]
    text = "\n".join(listed)
    _keep(Checked("quotes", text, len(listed), len(listed) - len(failed), tuple(told), not told))
    if told:
        of = f"{len(failed):,} of {count(len(listed), 'quote')} not found as written"
        where = _documents(validator.documents)
        raise AssertionError(_failure(f"{of} in {where}" if failed else "", told))
    return results


def taken_checks() -> list[Checked]:
    """What the assertions of this process checked since this was last called, for reports.

    The last 1,000 are kept.
    """
    taken = list(_checks)
    _checks.clear()
    return taken


_checks: deque[Checked] = deque(maxlen=_MOST_KEPT)


def _keep(checked: Checked) -> None:
    _checks.append(checked)


def _sources(given: SourcesLike) -> Sources:
    return given if isinstance(given, Sources) else Sources(given)


def _is_one(given: object) -> bool:
    return isinstance(given, str | os.PathLike | Document)


def _several(given: object) -> Iterable[Source]:
    if isinstance(given, Sources):
        return given.documents
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        raise ConfigurationError(
            f"sources are a {type(given).__name__}; give a folder, a file, documents or Sources"
        )
    return given


def _path(source: object) -> Path:
    """A path that leads somewhere. Raises ConfigurationError for what looks like a text."""
    if not isinstance(source, str | os.PathLike):
        raise ConfigurationError(f"a {type(source).__name__} is no source; give a path or document")
    path = os.fspath(source)
    try:
        is_there = len(path) < _MOST_PATH_CHARS and Path(path).exists()
    except (OSError, ValueError):
        is_there = False
    if not is_there:
        shown = first_words(str(path))
        raise ConfigurationError(
            f"sources: there is no file or folder {shown!r}. For a text in memory give "
            "veridical.document_from_text(text, name)."
        )
    return Path(path)


def _headline(check: AnswerCheck, problems: tuple[Problem, ...], checker: AnswerChecker) -> str:
    kinds = [problem.kind for problem in problems]
    counts = [f"{kinds.count(kind)} {kind.told}" for kind in ProblemKind if kind in kinds]
    claims = count(check.claims, "claim")
    found = f": {listing(counts)}" if counts else ""
    return (
        f"{check.supported:,} of {claims} supported by "
        f"{_documents(checker.corpus.documents)}{found}"
    )


def _documents(documents: tuple[Document, ...]) -> str:
    return documents[0].name if len(documents) == 1 else f"{len(documents):,} documents"


def _failure(headline: str, told: list[str]) -> str:
    more = [f"... and {len(told) - MOST_TOLD:,} more"] if told[MOST_TOLD:] else []
    return "\n".join(filter(None, [headline, *told[:MOST_TOLD], *more]))


def _told(number: int, problem: Problem, answer: str) -> str:
    line = answer.count("\n", 0, problem.span.start) + 1
    lines = [f"{number}. {problem.kind.told}: {problem.reason}"]
    if problem.nearest is None:
        return "\n".join([*lines, f"   answer, line {line}:", f"     {problem.text}"])
    claim, source = marked_differences(problem.text, problem.nearest.text)
    near = "nearest, " if problem.kind is ProblemKind.NOT_FOUND else ""
    return "\n".join(
        [
            *lines,
            f"   answer, line {line}:",
            f"     {claim}",
            f"   {near}{problem.nearest.place}:",
            f"     {source}",
        ]
    )


def _told_quote(number: int, result: ClaimResult) -> str:
    lines = [f"{number}. {wording.STATUS_WORDS[result.status].lower()}: {wording.reason(result)}"]
    places = (wording.primary_place(result), *(attempt.match for attempt in result.attempts))
    place = next((place for place in places if place is not None), None)
    if place is None:
        return "\n".join([*lines, "   quote:", f"     {' '.join(result.claim.quote.split())}"])
    quote, source = marked_differences(result.claim.quote, place.shown)
    found = [f"   {wording.place_phrase(place)}:", f"     {source}"]
    return "\n".join([*lines, "   quote:", f"     {quote}", *found])
