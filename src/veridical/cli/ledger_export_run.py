"""A ledger in a form to hand on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli.choices import suffix_choice
from veridical.cli.files import check_outputs, write_whole
from veridical.cli.ledger_build import BY_SUFFIX, export_bytes
from veridical.cli.ledger_files import (
    DEFAULT_STORE,
    is_file,
    open_store,
    read_ledger_bytes,
    require_intact,
    reviews_of,
    store_files,
    store_url,
)
from veridical.cli.terminal import err, out_data, warn
from veridical.errors import ConfigurationError, OutputError, StoreError
from veridical.ledger.export.forms import CitationForm, ExportForm

if TYPE_CHECKING:
    from veridical.ledger.entry import EvidenceLedger
    from veridical.ledger.export.originals import OriginalFile
    from veridical.ledger.review import EntryReview
    from veridical.store.ledgers import StoredLedger
    from veridical.store.store import Store

# Annotated copies of the PDFs that a ledger rests on: which, and where they go.


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
        warn(*copy.warnings)
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


class _PlaceForm(StrEnum):
    PACK = "pack"
    ANNOTATED_PDF = "annotated-pdf"


_Form = ExportForm | CitationForm | _PlaceForm
_BY_NAME: dict[str, _Form] = {
    form.value: form for kind in (ExportForm, CitationForm, _PlaceForm) for form in kind
}
_SUFFIXES: dict[str, _Form] = {
    **BY_SUFFIX,
    ".zip": _PlaceForm.PACK,
    ".jsonld": CitationForm.WEB_ANNOTATIONS,
}
_NEED_DOCUMENTS = (
    CitationForm.WEB_ANNOTATIONS,
    CitationForm.TEXT_FRAGMENTS,
    _PlaceForm.ANNOTATED_PDF,
)
_HAVE_ADDRESSES = (
    CitationForm.WEB_ANNOTATIONS,
    CitationForm.TEXT_FRAGMENTS,
)
_BINARY = (ExportForm.PDF, _PlaceForm.PACK)
_HOLDS: dict[str, tuple[_Form, ...]] = {
    **{suffix: (form,) for suffix, form in _SUFFIXES.items()},
    ".json": (ExportForm.JSON, *CitationForm),
    ".pdf": (ExportForm.PDF, _PlaceForm.ANNOTATED_PDF),
}
"""What may be in a file of a suffix that promises something: programs go by it."""


_HOST = re.compile(r"https?://[^/\\\s]")
_UNQUOTED = re.compile(r"[\s\x00-\x1f\x7f<>\"\\]")
"""What ends an address, or breaks it, where it stands in a page or a message."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be made, and of what beside the ledger."""

    form: _Form
    documents: Sequence[str]
    base_url: str | None
    with_sources: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """The ledger that is exported, with what reviewers said of it. `file` are the bytes of the file
    that it comes from, exactly.
    """

    ledger: EvidenceLedger
    reviews: Sequence[EntryReview] = ()
    revision: int = 1
    file: bytes | None = field(default=None, repr=False)


def run(
    source: str,
    *,
    form: str | None,
    output: str | None,
    documents: Sequence[str],
    base_url: str | None,
    with_sources: bool,
    store: str | None,
    workspace: str,
) -> None:
    """Export a ledger to a file or to standard output; of one from a database it keeps a note."""
    target = Path(output) if output else None
    kind = _form(form, target)
    _check_options(kind, documents, base_url, with_sources=with_sources)
    into_folder = (
        kind is _PlaceForm.ANNOTATED_PDF and target is not None and goes_into_folder(target)
    )
    outputs = [] if target is None or into_folder else [target]
    database = store_files(store_url(store) or DEFAULT_STORE)
    inputs = [source, *documents, *database]
    check_outputs(outputs, inputs)
    wanted = _Wanted(kind, documents, base_url, with_sources)
    if is_file(source):
        for path, data in _made(_from_file(source), wanted, target, inputs):
            _write(data, path)
        return
    with open_store(store) as opened:
        record = _as_saved(opened, source, workspace)
        reviews = reviews_of(opened, record.ledger, workspace)
        found = _Found(record.ledger, reviews, record.revision)
        for path, data in _made(found, wanted, target, inputs):
            _write(data, path)
            if path is not None:
                opened.record_export(
                    record.ledger.id,
                    workspace,
                    format=kind.value,
                    sha256=hashlib.sha256(data).hexdigest(),
                    path=path,
                    revision=record.revision,
                )


def _made(
    found: _Found, wanted: _Wanted, output: Path | None, inputs: Sequence[str | None]
) -> list[tuple[Path | None, bytes]]:
    """All files of an export with where they go, before the first is written."""
    form = wanted.form
    if isinstance(form, ExportForm):
        if form is ExportForm.JSON and found.file is not None:
            return [(output, found.file)]
        reviews, revision = found.reviews, found.revision
        return [(output, export_bytes(found.ledger, form, reviews, revision))]
    if isinstance(form, CitationForm):
        return [(output, _citations(found, form, wanted))]
    if form is _PlaceForm.PACK:
        return [(output, _pack(found, wanted))]
    files = _originals(wanted.documents)
    return list(annotated_pdfs(found.ledger, files, found.reviews, output, inputs))


def _citations(found: _Found, form: CitationForm, wanted: _Wanted) -> bytes:
    from veridical.cli.run import load
    from veridical.ledger.export.forms import export_citations
    from veridical.validation.config import ValidationConfig

    loaded = load(wanted.documents, ValidationConfig()) if form in _NEED_DOCUMENTS else None
    return export_citations(
        found.ledger,
        form,
        loaded.documents if loaded is not None else (),
        reviews=found.reviews,
        base_url=wanted.base_url,
    )


def _originals(documents: Sequence[str]) -> tuple[OriginalFile, ...]:
    """The files of the sources; which of them cannot be read is said on standard error."""
    from veridical.ledger.export.originals import read_originals

    files, failures = read_originals(documents)
    warn(*(failure.message for failure in failures))
    return files


def _pack(found: _Found, wanted: _Wanted) -> bytes:
    from veridical.ledger.export.pack import evidence_pack, pack_of_file

    files = _originals(wanted.documents) if wanted.with_sources else None
    if found.file is not None:
        return pack_of_file(found.file, files=files)
    return evidence_pack(
        found.ledger,
        files=files,
        reviews=found.reviews,
        revision=found.revision,
    )


def _write(data: bytes, output: Path | None) -> None:
    if output is None:
        out_data(data)
        return
    write_whole(output, data)
    err(f"Written: {output}")


def _as_saved(opened: Store, id: str, workspace: str) -> StoredLedger:
    """The ledger of an id. Raises StoreError where its rows were changed: a new seal would hide it.

    Whoever can write the database can also change the head of the seal that tells.
    """
    record = opened.load_record(id, workspace)
    if not record.is_as_saved:
        raise StoreError(
            f"The ledger {record.ledger.id} in the database is not what was saved: rows of it were "
            "changed, so it is not sealed anew. Restore the database from a copy, or build and "
            "save the ledger again."
        )
    return record


def _from_file(path: str) -> _Found:
    """What is in a ledger file: only one whose seal is intact; its bytes stay as they are."""
    from veridical.ledger.wire import ledger_file_from_bytes

    file_bytes = read_ledger_bytes(path)
    file = ledger_file_from_bytes(file_bytes)
    require_intact(file_bytes, path)
    return _Found(file.ledger, file.reviews, file.revision, file_bytes)


def _form(name: str | None, output: Path | None) -> _Form:
    form: _Form
    if name is not None:
        if name.lower() not in _BY_NAME:
            raise ConfigurationError(f"--format {name!r} is not one of {', '.join(_BY_NAME)}")
        form = _BY_NAME[name.lower()]
    elif output is not None:
        form = suffix_choice(_SUFFIXES, output)
    else:
        form = ExportForm.MARKDOWN
    if form in _BINARY and output is None:
        what = "a pack" if form is _PlaceForm.PACK else "a PDF"
        raise OutputError(f"{what} is no text for a terminal: name a file with --output")
    if output is not None:
        _check_suffix(form, output)
    return form


def _check_suffix(form: _Form, output: Path) -> None:
    """Raises OutputError where the suffix of a file promises what will not be in it."""
    suffix = output.suffix.lower()
    held = _HOLDS.get(suffix)
    if held is None or form in held:
        return
    if form is _PlaceForm.ANNOTATED_PDF and goes_into_folder(output):
        return
    wanted = next(suffix for suffix, forms in _HOLDS.items() if form in forms)
    raise OutputError(
        f"{output} would hold --format {form.value}, no {suffix[1:]}: end its name with {wanted}"
    )


def _check_options(
    form: _Form, documents: Sequence[str], base_url: str | None, *, with_sources: bool
) -> None:
    """Raises ConfigurationError where options do not go with a form, before any work is done."""
    if with_sources and form is not _PlaceForm.PACK:
        raise ConfigurationError("--with-sources goes with --format pack only")
    if form in _NEED_DOCUMENTS and not documents:
        raise ConfigurationError(
            f"--format {form.value} marks places in the sources: give them with --documents"
        )
    if with_sources and not documents:
        raise ConfigurationError("--with-sources: give the sources with --documents")
    if documents and not with_sources and form not in _NEED_DOCUMENTS:
        more = " without --with-sources" if form is _PlaceForm.PACK else ""
        raise ConfigurationError(f"--documents: --format {form.value}{more} reads no sources")
    if base_url is not None and form not in _HAVE_ADDRESSES:
        raise ConfigurationError(f"--base-url goes with {', '.join(_HAVE_ADDRESSES)} only")
    if base_url is not None:
        _check_base_url(base_url)


def _check_base_url(base_url: str) -> None:
    """Raises ConfigurationError for what gives no links when names of files are put behind it."""
    if not base_url.startswith(("https://", "http://")):
        raise ConfigurationError(f"--base-url {base_url!r} does not begin with https:// or http://")
    if any(sign in base_url for sign in "?#"):
        raise ConfigurationError(
            f"--base-url {base_url!r} has a query or a fragment: names of files are put behind it, "
            "so give the folder's address alone"
        )
    if not _HOST.match(base_url) or _UNQUOTED.search(base_url):
        raise ConfigurationError(
            f"--base-url {base_url!r} is no address: give one like https://example.org/docs, with "
            "%20 for a space"
        )
