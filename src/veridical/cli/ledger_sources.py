"""What may bear an answer out: the documents given, less the answer and our own output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from veridical.cli.files import is_document_of
from veridical.cli.terminal import warn
from veridical.errors import NoDocumentsError
from veridical.ledger.own_work import is_own_work
from veridical.retrieval.shown import collapse
from veridical.sources.document import Document
from veridical.sources.loader import Loaded, passed_over

_MOST_NAMED = 5
"""Files that are named in one message."""


def evidence_only(loaded: Loaded, *answers: str) -> Loaded:
    """The documents without those that prove nothing of the answers, each of which is told.

    An answer bears itself out, and so does a ledger of it, which quotes it.
    Raises NoDocumentsError where nothing is left.
    """
    kept, checked = [], frozenset(map(collapse, answers))
    for document in loaded.documents:
        reason = _reason_against(document, checked)
        if reason:
            warn(f"{document.name} is left out: {reason}")
        else:
            kept.append(document)
    if not kept:
        raise NoDocumentsError(
            "no document is left: the answer itself and ledgers are no evidence. Give the sources "
            "with --documents."
        )
    return replace(loaded, documents=tuple(kept))


def warn_of_passed_over(sources: Sequence[str]) -> None:
    """Name the files of folders that are not read: the answer may stand in one."""
    for source in sources:
        names = passed_over(source)
        if names:
            more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
            warn(
                f"passed over in {source}: {', '.join(names[:_MOST_NAMED])}{more}. No document by "
                "the name, or a link to no file in the folder: name a file itself to have it read."
            )


def warn_of_outputs_among(outputs: Sequence[Path], folders: Sequence[str]) -> None:
    """Say which outputs would be taken for documents by the next run."""
    for path in outputs:
        for folder in folders:
            if is_document_of(path, folder):
                warn(
                    f"{path} is written into {folder}, where the documents are; better keep "
                    "ledgers elsewhere"
                )


def _reason_against(document: Document, answers: frozenset[str]) -> str:
    if collapse(document.text) in answers:
        return "it is the answer that is checked"
    return "it is a ledger that veridical wrote" if is_own_work(document) else ""
