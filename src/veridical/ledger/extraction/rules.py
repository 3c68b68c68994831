"""The claims of an answer by rules, without a model: what kind each is, and what hangs on it.

Type, the first that holds: `definition` (it says what a term means), `policy` (it binds, permits or
says who decides), `numeric` (it gives an amount, a date or a rate), `fact`.

Importance: `critical` for obligations, prohibitions and entitlements, money, deadlines, law,
medicine and safety, and for what answers the question in its own words; else `minor` for examples
and asides; else `material`.

A citation is required of every claim but minor ones and conclusions ("In short, ..."), which repeat
what was said before; of those too, if they give an amount.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from veridical.ledger.entry import AnswerClaim, ClaimType, Importance, Marker
from veridical.ledger.extraction.extractor import MAX_CLAIMS, Extraction, Skipped, SkipReason
from veridical.ledger.extraction.page import AnswerPage, BlockKind, read_page
from veridical.ledger.extraction.reader import ClaimReader, Draft
from veridical.ledger.extraction.remarks import (
    is_mere_citation,
    prose_in_code,
    unchecked,
    with_openings,
)
from veridical.ledger.extraction.sentences import shown_text, struck_out
from veridical.ledger.extraction.words import (
    AMOUNT,
    ASIDE,
    CONCLUSION,
    COUNT,
    DEADLINE,
    DEFINITION,
    GRAVE,
    MONEY,
    OBLIGATION,
    PERMISSION,
    words_of,
)
from veridical.ledger.ids import content_id
from veridical.ledger.markers import Markers, markers_of
from veridical.reports.words import count
from veridical.sources.document import Span
from veridical.text.lexicon import english
from veridical.text.normalize import EDITORIAL_LETTER

_ASKED_SHARE = 0.6
"""The share of the question's words that a claim must have to answer it directly."""

_STEM_CHARS = 5
_FEWEST_ASKED = 2
_STOP_WORDS = (
    english("articles", "be", "being", "have", "do", "modals", "subjects", "determiners")
    | english("questions", "prepositions", "conjunctions")
    | frozenset(
        "about any as get gets if long many me much often per please some tell there us "
        "whether".split()
    )
) - {"am", "being", "his", "her", "whom", "whose"}


def claim_type(statement: str) -> ClaimType:
    """The type of a claim, by the rule above."""
    if DEFINITION().match(statement):
        return ClaimType.DEFINITION
    if OBLIGATION().search(statement) or PERMISSION().search(statement):
        return ClaimType.POLICY
    return ClaimType.NUMERIC if _counts(statement) else ClaimType.FACT


def importance(statement: str, asked: frozenset[str]) -> Importance:
    """How much hangs on a claim; `asked` are the `stems` of the question."""
    for pattern in (OBLIGATION, MONEY, DEADLINE, GRAVE):
        if pattern().search(statement):
            return Importance.CRITICAL
    if len(asked) >= _FEWEST_ASKED and answers(statement, asked):
        return Importance.CRITICAL
    bare = statement.strip().rstrip(".")
    in_parentheses = bare.startswith("(") and bare.endswith(")") and bare.count("(") == 1
    is_aside = in_parentheses or ASIDE().match(statement) is not None
    return Importance.MINOR if is_aside else Importance.MATERIAL


def answers(statement: str, asked: frozenset[str]) -> bool:
    """Whether a claim has most of the words of the question."""
    return len(asked & stems(statement)) >= _ASKED_SHARE * len(asked)


def requires_citation(statement: str, weight: Importance) -> bool:
    """Whether a claim should point to a source, by the rule above."""
    if _counts(statement):
        return True
    return weight is not Importance.MINOR and CONCLUSION().match(statement) is None


def _counts(statement: str) -> bool:
    return AMOUNT().search(statement) is not None or COUNT().search(statement) is not None


def stems(text: str) -> frozenset[str]:
    """The beginnings of the words that carry the meaning of a text."""
    return frozenset(word[:_STEM_CHARS] for word in words_of(text) if word not in _STOP_WORDS)


# Drafts become claims: ids, types, markers; and an account of what was not taken for one.


NO_CLAIMS = "the answer makes no claim that could be checked"
EMPTY = "the answer is empty: there is nothing to check"
_MOST_PROBLEMS = 5
_MOST_ALONE = 400


def finished(
    page: AnswerPage, markers: Markers, reader: ClaimReader, session_id: str, query: str
) -> Extraction:
    """The claims of an answer that has been read, with all that was skipped."""
    owned = _owned(page, reader.drafts, markers)
    asked = stems(query)
    claims = tuple(
        _claim(page.text, draft, session_id, asked, tuple(owned[index]))
        for index, draft in enumerate(reader.drafts)
    )
    last_claim = claims[-1].span.start if claims else -1
    skipped = with_openings(reader.skipped, reader.openings, last_claim)
    if reader.stopped_at is not None:
        start = reader.stopped_at
        skipped = [skip for skip in skipped if skip.span.end <= start]
        skipped.append(Skipped(Span(start, len(page.text)), SkipReason.OVER_LIMIT))
    told = tuple(account(page, claims, skipped, markers.cuts))
    warnings = _warnings(page, claims, markers, reader.stopped_at)
    return Extraction(claims, (*page.warnings, *warnings, *unchecked(page.text, told)), told)


def claim_id(session_id: str, span: Span) -> str:
    """The id of the claim that stands at `span` of a session's answer."""
    return content_id("claim", session_id, str(span.start), str(span.end))


def _claim(
    answer: str, draft: Draft, session_id: str, asked: frozenset[str], markers: tuple[Marker, ...]
) -> AnswerClaim:
    kind = claim_type(draft.statement)
    weight = importance(draft.statement, asked)
    if draft.kind is BlockKind.MEANING:
        kind = ClaimType.DEFINITION
    if draft.kind is BlockKind.NOTE and weight is not Importance.CRITICAL:
        weight = Importance.MINOR
    return AnswerClaim(
        id=claim_id(session_id, draft.span),
        span=draft.span,
        text=answer[draft.span.start : draft.span.end],
        statement=EDITORIAL_LETTER.sub(r"\1", draft.statement),
        type=kind,
        importance=weight,
        requires_citation=requires_citation(draft.statement, weight),
        context=draft.context,
        markers=markers,
    )


def _owned(
    page: AnswerPage, drafts: list[Draft], markers: Markers
) -> defaultdict[int, list[Marker]]:
    """The markers of each claim, by its index.

    A marker belongs to the claim that it stands in or behind, within its block, and to the other
    clause of that sentence if that has none; at the start of a block to the claim that follows; in
    a block of its own to the claim before.
    """
    owned: defaultdict[int, list[Marker]] = defaultdict(list)
    starts = [draft.span.start for draft in drafts]
    blocks = [block.start for block in page.blocks]
    for marker in markers.found:
        block = bisect_right(blocks, marker.span.start) - 1
        index = bisect_right(starts, marker.span.start) - 1
        behind = index >= 0 and drafts[index].block == block
        ahead = index + 1 < len(drafts) and drafts[index + 1].block == block
        if not behind and ahead:
            index += 1
        elif not behind and not _is_alone(page, block, markers.places):
            continue
        if index >= 0:
            owned[index].append(marker)
    for index in range(len(drafts) - 2, -1, -1):
        is_clause = drafts[index].sentence == drafts[index + 1].sentence
        if is_clause and not owned[index]:
            end = drafts[index + 1].span.end
            owned[index] = [marker for marker in owned[index + 1] if marker.span.start >= end]
    return owned


def _is_alone(page: AnswerPage, block: int, places: Sequence[Span]) -> bool:
    """Whether a block is nothing but a few markers."""
    if block < 0:
        return False
    start, end = page.blocks[block].start, page.blocks[block].end
    if end - start > _MOST_ALONE:
        return False
    return is_mere_citation(shown_text(page.document, start, end, places).text)


def account(
    page: AnswerPage,
    claims: tuple[AnswerClaim, ...],
    skipped: list[Skipped],
    cuts: Sequence[Span],
) -> list[Skipped]:
    """All that is in no claim, in order: what was skipped, the markers (`cuts`) between it and the
    claims, and the words that a reader does not see, or sees struck out.
    """
    taken: list[tuple[Span, bool, SkipReason | None]]
    taken = [(claim.span, False, None) for claim in claims]
    taken += [(skip.span, False, skip.reason) for skip in skipped]
    taken += [(span, True, SkipReason.CITATION) for span in cuts]
    taken.append((Span(len(page.text), len(page.text)), False, None))
    told: list[Skipped] = []
    edge = 0
    for span, _, reason in sorted(taken, key=lambda one: (one[0].start, one[1], -one[0].end)):
        if reason and span.start < edge:
            continue  # it begins in a claim, or is told already
        gap = page.text[edge : max(edge, span.start)]
        if any(character.isalnum() for character in gap):
            start = edge + len(gap) - len(gap.lstrip())
            told.extend(_told_apart(page, start, edge + len(gap.rstrip())))
        if reason:
            told.append(Skipped(span, reason))
        edge = max(edge, span.end)
    return told


def _told_apart(page: AnswerPage, start: int, end: int) -> Iterator[Skipped]:
    """A stretch that is in no claim, as what is struck out in it and what is not shown."""
    for struck in (*struck_out(page.document, start, end), Span(end, end)):
        if any(character.isalnum() for character in page.text[start : struck.start]):
            yield Skipped(Span(start, struck.start), SkipReason.NOT_SHOWN)
        if len(struck):
            yield Skipped(struck, SkipReason.STRUCK)
        start = struck.end


def _warnings(
    page: AnswerPage, claims: tuple[AnswerClaim, ...], markers: Markers, stopped_at: int | None
) -> list[str]:
    answer = page.text
    found: list[str] = []
    if not answer.strip():
        found.append(EMPTY)
    elif not claims:
        found.append(NO_CLAIMS)
    if stopped_at is not None:
        left = len(answer) - stopped_at
        found.append(
            f"the answer makes more than {MAX_CLAIMS:,} claims; the last {left:,} characters, from "
            f"{stopped_at:,} on, were not checked"
        )
    hidden = prose_in_code(page)
    if hidden:
        were = "holds sentences was" if hidden == 1 else "hold sentences were"
        found.append(f"{count(hidden, 'code block')} that {were} not checked")
    found.extend(
        f"citation marker at {problem.span.start:,}: {problem.message}"
        for problem in markers.problems[:_MOST_PROBLEMS]
    )
    more = len(markers.problems) - _MOST_PROBLEMS
    if more > 0:
        found.append(f"{more:,} more citation markers cannot be read")
    return found


class RuleExtractor:
    """Finds claims by rules. Linear in the length of the answer.

    A claim is a sentence, a list item, a row of a table, or one of two independent clauses of a
    sentence; `clauses` says when a sentence is cut, `remarks` what is no claim, and `outline` what
    goes into the context.
    """

    @property
    def name(self) -> str:
        """How ledgers name it."""
        return "rules-1"

    def extract(self, answer: str, session_id: str, query: str = "") -> Extraction:
        """The claims of an answer, each a verbatim part of it.

        `session_id` goes into their ids; `query` is the question that was asked, if known. No
        answer is an error: one without claims gives none and a warning.
        """
        page = read_page(answer)
        markers = markers_of(page)
        reader = ClaimReader(page, markers, MAX_CLAIMS)
        reader.read()
        return finished(page, markers, reader, session_id, query)
