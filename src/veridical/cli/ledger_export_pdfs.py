"""Annotated copies of the PDFs that a ledger rests on: which, and where they go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli.files import check_outputs
from veridical.cli.terminal import clean, err
from veridical.errors import OutputError

if TYPE_CHECKING:
    from veridical.ledger.entry import EvidenceLedger
    from veridical.ledger.export.originals import OriginalFile
    from veridical.ledger.review import EntryReview


def annotated_pdfs(
    ledger: EvidenceLedger,
    originals: Sequence[OriginalFile],
    reviews: Sequence[EntryReview],
    output: Path | None,
    inputs: Sequence[str | None],
) -> Iterator[tuple[Path, bytes]]:
    """A copy of each PDF that the ledger rests on: to `output`, a file where there is one only.
    What is not highlighted is said on standard error.

    Raises OutputError where there are several for one file, or a copy would replace an input.
    """
    from veridical.ledger.export.annotated_pdf import annotate_pdf, cited_pdfs

    if output is None:
        raise OutputError("an annotated PDF is no text for a terminal: name a file with --output")
    files = cited_pdfs(ledger, originals)
    if goes_into_folder(output):
        paths = [output / name for name in _names([file.document.name for file in files])]
        check_outputs(paths, inputs)
    elif len(files) > 1:
        raise OutputError(
            f"the ledger rests on {len(files)} PDFs: name a folder with --output, not {output}"
        )
    else:
        paths = [output]
    for path, file in zip(paths, files, strict=True):
        copy = annotate_pdf(ledger, file, reviews=reviews)
        for warning in copy.warnings:
            err(f"veridical: warning: {clean(warning)}")
        yield path, copy.data


def goes_into_folder(output: Path) -> bool:
    """Whether annotated PDFs go into a folder of this name: one that is there, or has no suffix."""
    return output.is_dir() or not output.suffix


def _names(documents: Sequence[str]) -> list[str]:
    """File names for copies of documents, no two alike on any system."""
    from veridical.ledger.verify_sources import file_name

    taken: set[str] = set()
    names: list[str] = []
    for document in documents:
        stem = Path(file_name(document)).stem.lstrip(".") or "source"
        name, number = f"{stem}.pdf", 2
        while name.casefold() in taken:
            name, number = f"{stem}-{number}.pdf", number + 1
        taken.add(name.casefold())
        names.append(name)
    return names
