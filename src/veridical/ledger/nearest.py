"""The words of a source beside those of a claim: where they stand, and which of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from veridical.ledger.entry import Evidence, LedgerEntry
from veridical.sources.document import Document, Format
from veridical.sources.span import Span
from veridical.text.tokens import Token, tokenize

_LINED = (Format.MARKDOWN, Format.HTML, Format.PLAIN_TEXT, Format.TRANSCRIPT)
_MOST_CHARS = 2_000
"""Longer texts are not compared word by word."""

_LEAST_SHARED = 0.5
"""Share of the claim's words that must stand in the source for a word diff to tell anything."""


@dataclass(frozen=True, slots=True)
class NearestWords:
    """The passage that a verdict rests on, or that comes nearest where nothing bears on the claim.

    `text` is what a reader sees of it on one line, `span` its place in the text of the document.
    `line` counts from 1, None where lines are not those of a file; `page` counts from 1, None where
    there are no pages; `section` may be empty.
    """

    text: str
    document: Document
    span: Span
    line: int | None = None
    page: int | None = None
    section: str = ""

    @property
    def place(self) -> str:
        """`policy.md:48`, `handbook.pdf, page 3` or `standard.docx, section “2.1 Classes”`."""
        name = self.document.name
        if self.page is not None:
            return f"{name}, page {self.page}"
        if self.line is not None:
            return f"{name}:{self.line}"
        return f"{name}, section “{self.section}”" if self.section else name


def nearest_words(entry: LedgerEntry, sources: dict[str, Document]) -> NearestWords | None:
    """The passage to show beside a claim; `sources` are the documents by the ids of the sources."""
    evidence = next(iter((*entry.evidence, *entry.near)), None)
    document = sources.get(evidence.source_id) if evidence else None
    if evidence is None or document is None:
        return None
    is_lined = document.format in _LINED
    return NearestWords(
        text=" ".join(evidence.snippet.split()),
        document=document,
        span=evidence.snippet_span,
        line=document.line_number(evidence.snippet_span.start) if is_lined else None,
        page=evidence.page_number,
        section=_section(evidence),
    )


def _section(evidence: Evidence) -> str:
    return " ".join(evidence.heading_path[-1].split()) if evidence.heading_path else ""


def marked_differences(claim: str, source: str) -> tuple[str, str]:
    """Both texts on one line, the words that only one of them has marked as git does it:
    `[-28-]` in the claim, `{+27+}` in the source.

    What the source says before the first and after the last shared word is left unmarked. Texts
    that share little are not marked at all: there every word differs.
    """
    claim, source = " ".join(claim.split()), " ".join(source.split())
    if len(claim) > _MOST_CHARS or len(source) > _MOST_CHARS:
        return claim, source
    left, right = tokenize(claim), tokenize(source)
    blocks = Levenshtein.opcodes([t.key for t in left], [t.key for t in right])
    shared = [block for block in blocks if block.tag == "equal"]
    if sum(b.src_end - b.src_start for b in shared) < _LEAST_SHARED * max(1, len(left)):
        return claim, source
    differing = [block for block in blocks if block.tag != "equal"]
    first, last = shared[0].dest_start, shared[-1].dest_end
    return (
        _marked(claim, left, [(b.src_start, b.src_end) for b in differing], "[-", "-]"),
        _marked(
            source,
            right,
            [
                (b.dest_start, b.dest_end)
                for b in differing
                if b.tag == "replace" or first <= b.dest_start < last
            ],
            "{+",
            "+}",
        ),
    )


def _marked(
    text: str, tokens: Sequence[Token], runs: Sequence[tuple[int, int]], opening: str, closing: str
) -> str:
    parts, at = [], 0
    for start, end in runs:
        if start == end:
            continue
        left, right = tokens[start].start, tokens[end - 1].end
        parts += [text[at:left], opening, text[left:right], closing]
        at = right
    return "".join([*parts, text[at:]])
