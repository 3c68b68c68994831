"""The documents that a ledger rests on, as they were: what points into them is made of these only.

A highlight, a selector or a link that is made of another text points to other words than those that
were judged. So the text must have the SHA-256 that the ledger has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from veridical.errors import DocumentParsingError, ValidationError
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.deciding import supports
from veridical.ledger.entry import Evidence, EvidenceLedger, LedgerEntry
from veridical.ledger.export import wording
from veridical.ledger.export.wording import change, decided, verdict_in_words
from veridical.ledger.ids import content_id
from veridical.ledger.review import EntryReview, reviewed
from veridical.ledger.verify_find import Words, match_sources, reads_at
from veridical.sources.document import DEFAULT_LIMITS, Document, SourceLimits
from veridical.sources.loader import (
    STANDARD_INPUT,
    LoadFailure,
    SourceEntry,
    load_document_bytes,
    read_file,
    source_entries,
    with_unique_names,
    without_repeats,
)


@dataclass(frozen=True, slots=True)
class OriginalFile:
    """A document, the bytes of the file that it was read from, and that file's suffix (".md"),
    which may have told its format.
    """

    document: Document
    data: bytes
    suffix: str = ""


def read_originals(
    sources: Sequence[str], *, limits: SourceLimits = DEFAULT_LIMITS
) -> tuple[tuple[OriginalFile, ...], tuple[LoadFailure, ...]]:
    """The files that `sources` stand for, named as `load_documents` names them, and what failed.

    Raises NoDocumentsError as that does; ValidationError for standard input, which has no file.
    """
    entries: list[SourceEntry] = []
    for source in sources:
        if source == STANDARD_INPUT:
            raise ValidationError("the source files are needed here: name files or folders, not -")
        entries.extend(source_entries(source))
    files: list[OriginalFile] = []
    failures: list[LoadFailure] = []
    for entry in with_unique_names(without_repeats(entries)):
        try:
            data = read_file(entry.path, entry.name, limits)
            document = load_document_bytes(
                data, entry.name, suffix=entry.path.suffix, limits=limits
            )
        except DocumentParsingError as error:
            failures.append(LoadFailure(entry.name, str(error)))
        else:
            files.append(OriginalFile(document, data, entry.path.suffix))
    return tuple(files), tuple(failures)


def required(
    ledger: EvidenceLedger, documents: Iterable[Document], needed: Iterable[str]
) -> Mapping[str, Document]:
    """The documents of the sources with the ids `needed`, by these, as they were.

    Raises ValidationError that names the first that is missing or has another text now.
    """
    known = tuple(documents)
    matched = match_sources(ledger.sources, known)
    wanted = set(needed)
    for source in ledger.sources:
        if source.id not in wanted:
            continue
        document = matched.get(source.id)
        if document is None:
            raise ValidationError(
                f"{source.filename}: the ledger rests on this document, and it is not among those "
                "given. Give the documents that the ledger was built from."
            )
        if document.sha256 != source.sha256:
            raise ValidationError(
                f"{document.name}: it is not the document that the ledger was built from: its text "
                f"has the SHA-256 {document.sha256[:12]}…, the ledger's source "
                f"{source.filename} {source.sha256[:12]}…. Give the document as it was, or build "
                "the ledger anew."
            )
    return {source_id: found for source_id, found in matched.items() if source_id in wanted}


# The quoted places of a ledger, one by one, as formats that mark places need them.


_BEARING = {
    SupportLevel.FULL: "These words bear the claim out.",
    SupportLevel.PARTIAL: "These words bear the claim out in part.",
    SupportLevel.NONE: "These words were looked at and do not decide.",
}
_SAYS = {
    SupportLevel.FULL: Verdict.SUPPORTED,
    SupportLevel.PARTIAL: Verdict.WEAK,
    SupportLevel.NONE: Verdict.NOT_FOUND,
}
_AGAINST = "These words contradict the claim."


@dataclass(frozen=True, slots=True)
class Cited:
    """A piece of evidence with the entry that rests on it, that entry's number in the answer, from
    1, and the review that counts for it, if there is one.
    """

    id: str
    number: int
    entry: LedgerEntry
    piece: Evidence
    review: EntryReview | None = None

    @property
    def verdict(self) -> Verdict:
        """What stands: the reviewer's verdict where there is one, else the machine's."""
        if self.review is not None and self.review.verdict is not None:
            return self.review.verdict
        return self.entry.verdict

    @property
    def says(self) -> Verdict:
        """What these words say of the claim, whatever others do: the verdict that they alone would
        give it, or a reviewer's that overrules.
        """
        if self.verdict is not self.entry.verdict:
            return self.verdict
        return Verdict.CONTRADICTED if self.piece.contradicts else _SAYS[self.piece.support]

    @property
    def is_borne_out(self) -> bool:
        """Whether the claim is supported, and by these words."""
        return self.verdict is Verdict.SUPPORTED and supports(self.piece)

    @property
    def bearing(self) -> str:
        """What the words do for the claim, in one sentence."""
        return _AGAINST if self.piece.contradicts else _BEARING[self.piece.support]

    @property
    def headline(self) -> str:
        """The machine's verdict as sign, word and confidence."""
        score = self.entry.confidence_score
        told = f"confidence {wording.confidence(score)}, {wording.band(score)}"
        return f"{verdict_in_words(self.entry.verdict)} ({told})"

    def note(self) -> str:
        """All of it in words, in lines: verdict, claim, what the words do for it, the review."""
        lines = [
            self.headline,
            f"Claim {self.number}: {' '.join(self.entry.claim.words.split())}",
            self.bearing,
        ]
        if self.review is not None:
            said = f"Reviewed: {decided(self.review)} ({change(self.review)})"
            reason = " ".join(self.review.reason.split())
            lines.append(f"{said}: {reason}" if reason else said)
        return "\n".join(lines)


def cited(ledger: EvidenceLedger, reviews: Sequence[EntryReview] = ()) -> list[Cited]:
    """The evidence that decides, and what bears its claim out or contradicts it, in the order of
    the answer; those of an entry the deciding first. What bears it out in part beside that is not
    what it rests on.

    An id follows from the ledger, the entry and the place: made again, it is the same.
    """
    standing = reviewed(ledger, reviews).standing
    found: list[Cited] = []
    for row in wording.numbered(ledger):
        for piece in row.entry.evidence:
            if not (piece is wording.deciding(row.entry) or supports(piece) or piece.contradicts):
                continue
            span = piece.snippet_span
            place = (piece.source_id, str(span.start), str(span.end))
            made = content_id("annotation", ledger.id, row.entry.id, *place)
            found.append(Cited(made, row.number, row.entry, piece, standing.get(row.entry.id)))
    return found


def require_words(document: Document, row: Cited) -> None:
    """Raises ValidationError where the words of the evidence do not stand at their place: a ledger
    can say anything, and a mark would show other words than it quotes.
    """
    piece = row.piece
    span, words = piece.snippet_span, piece.source_text
    if span.end > len(document.text):
        reason = "lies outside of its text"
    elif len(words) != len(span) or not reads_at(
        document, Words(piece.snippet, words, span.start), span.start
    ):
        reason = "does not stand where the ledger says"
    else:
        return
    raise ValidationError(
        f"{document.name}: the evidence of claim {row.number} {reason}. Build the ledger anew; see "
        "what `veridical ledger verify` says of this one."
    )


def placed(
    ledger: EvidenceLedger, documents: Iterable[Document], reviews: Sequence[EntryReview]
) -> list[tuple[Cited, Document]]:
    """The same, each with the document in which its words stand.

    Raises ValidationError where one that is cited is missing or has another text now, and where
    other words stand in it than the ledger quotes.
    """
    rows = cited(ledger, reviews)
    known = required(ledger, documents, {row.piece.source_id for row in rows})
    for row in rows:
        require_words(known[row.piece.source_id], row)
    return [(row, known[row.piece.source_id]) for row in rows]
