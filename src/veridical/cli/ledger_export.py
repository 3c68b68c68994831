"""`veridical ledger export`: a ledger in a form to hand on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli.choices import suffix_choice
from veridical.cli.errors import with_exit_code
from veridical.cli.files import check_outputs, read_bytes, write_whole
from veridical.cli.ledger_build import BY_SUFFIX, export_bytes
from veridical.cli.ledger_files import (
    DEFAULT_STORE,
    is_file,
    open_store,
    require_intact,
    require_no_store,
    reviews_of,
    store_files,
    store_url,
)
from veridical.cli.options import store_option, verbose_option, workspace_option
from veridical.cli.terminal import err, out_data, warn
from veridical.errors import ConfigurationError, OutputError, StoreError
from veridical.ledger.canonical import MAX_FILE_BYTES
from veridical.ledger.export.forms import CitationForm, ExportForm
from veridical.ledger.wire import LedgerFile, ledger_file_from_bytes

if TYPE_CHECKING:
    from veridical.ledger.export.originals import OriginalFile
    from veridical.sources.document import Document
    from veridical.store.ledgers import StoredLedger


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
_HOLDS: dict[str, tuple[_Form, ...]] = {
    **{suffix: (form,) for suffix, form in _SUFFIXES.items()},
    ".json": (ExportForm.JSON, *CitationForm),
    ".pdf": (ExportForm.PDF, _PlaceForm.ANNOTATED_PDF),
}
"""What may be in a file of a suffix that promises something: programs go by it."""

_HAVE_ADDRESSES = (CitationForm.WEB_ANNOTATIONS, CitationForm.TEXT_FRAGMENTS)
_NEED_DOCUMENTS = (*_HAVE_ADDRESSES, _PlaceForm.ANNOTATED_PDF)

_HOST = re.compile(r"https?://[^/\\\s]")
_UNQUOTED = re.compile(r"[\s\x00-\x1f\x7f<>\"\\]")
"""What ends an address, or breaks it, where it stands in a page or a message."""


@click.command()
@click.argument("source", metavar="LEDGER")
@click.option(
    "--format",
    "form",
    metavar="FORM",
    help="markdown, json, pdf or html; pack, annotated-pdf, web-annotations, text-fragments or "
    "anthropic. By default what the file's suffix says.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where to write it; standard output without. A folder for several annotated PDFs.",
)
@click.option(
    "--documents",
    multiple=True,
    metavar="DIR",
    help="The sources as they were. Forms that mark places in them need them; for others it is "
    "checked that the quoted words stand in them.",
)
@click.option(
    "--base-url", metavar="URL", help="Where the sources stand on the web, for links to them."
)
@click.option(
    "--with-sources", is_flag=True, help="Put the files of --documents into the pack as well."
)
@store_option
@workspace_option
@verbose_option
@with_exit_code
def export(
    source: str,
    form: str | None,
    output: str | None,
    documents: Sequence[str],
    base_url: str | None,
    with_sources: bool,
    store: str | None,
    workspace: str,
) -> None:
    """Export a ledger as a report, as an evidence pack, or what it cites for other programs.

    Markdown, JSON (with the seal), PDF and HTML hold the whole ledger. A pack is a zip of it with
    its report and tables. The other forms mark the quoted places.

    LEDGER is a ledger file (JSON), or the id of a ledger or session in the database. A file whose
    seal is broken is not exported.
    """
    target = Path(output) if output else None
    kind = _form(form, target)
    _check_options(kind, documents, base_url, with_sources=with_sources)
    inputs = [source, *documents, *store_files(store_url(store) or DEFAULT_STORE)]
    into_folder = kind is _PlaceForm.ANNOTATED_PDF and target is not None and _is_folder(target)
    check_outputs([target] if target is not None and not into_folder else [], inputs)
    wanted = _Export(kind, target, documents, base_url, inputs, with_sources=with_sources)
    if is_file(source):
        require_no_store(store, workspace)
        data = read_bytes(source, MAX_FILE_BYTES)
        file = ledger_file_from_bytes(data)
        require_intact(data, source)
        for path, content in wanted.made(file, data):
            _write(content, path)
        return
    with open_store(store) as opened:
        record = opened.load_record(source, workspace)
        _require_saved(record)
        reviews = reviews_of(opened, record.ledger, workspace)
        for path, content in wanted.made(LedgerFile(record.ledger, reviews, record.revision)):
            _write(content, path)
            if path is not None:
                opened.record_export(
                    record.ledger.id,
                    workspace,
                    format=kind.value,
                    sha256=hashlib.sha256(content).hexdigest(),
                    path=path,
                    revision=record.revision,
                )


@dataclass(frozen=True, slots=True)
class _Export:
    """What is to be made, where, and of what beside the ledger."""

    form: _Form
    output: Path | None
    documents: Sequence[str]
    base_url: str | None
    inputs: Sequence[str]
    with_sources: bool

    def made(self, file: LedgerFile, data: bytes | None = None) -> list[tuple[Path | None, bytes]]:
        """All files of an export with where they go, before the first is written. `data` are the
        bytes of the file that the ledger comes from, exactly.

        Raises ValidationError where the documents given are not those that the ledger was built of.
        """
        if self.documents and self.form is not _PlaceForm.ANNOTATED_PDF:
            from veridical.ledger.export.originals import placed

            placed(file.ledger, self._read(), file.reviews)
        if self.form is _PlaceForm.ANNOTATED_PDF:
            return list(self._annotated(file))
        if self.form is _PlaceForm.PACK:
            return [(self.output, self._pack(file, data))]
        if isinstance(self.form, CitationForm):
            return [(self.output, self._citations(file, self.form))]
        if self.form is ExportForm.JSON and data is not None:
            return [(self.output, data)]
        return [(self.output, export_bytes(file.ledger, self.form, file.reviews, file.revision))]

    def _citations(self, file: LedgerFile, form: CitationForm) -> bytes:
        from veridical.ledger.export.forms import export_citations

        return export_citations(
            file.ledger, form, self._read(), reviews=file.reviews, base_url=self.base_url
        )

    def _read(self) -> Sequence[Document]:
        from veridical.cli.run import load
        from veridical.validation.config import ValidationConfig

        return load(self.documents, ValidationConfig()).documents if self.documents else ()

    def _pack(self, file: LedgerFile, data: bytes | None) -> bytes:
        from veridical.ledger.export.pack import pack_of_file
        from veridical.ledger.wire import ledger_to_bytes

        files = self._originals() if self.with_sources else None
        if data is None:
            data = ledger_to_bytes(file.ledger, reviews=file.reviews, revision=file.revision)
        return pack_of_file(data, files=files)

    def _annotated(self, file: LedgerFile) -> Iterator[tuple[Path, bytes]]:
        """A copy of each PDF that the ledger rests on: one only, unless they go into a folder.
        What is not highlighted is said on standard error.

        Raises OutputError where there are several for one file, or a copy would replace an input.
        """
        from veridical.ledger.export.annotated_pdf import annotate_pdf, cited_pdfs

        output = self.output
        if output is None:
            raise OutputError(
                "an annotated PDF is no text for a terminal: name a file with --output"
            )
        files = cited_pdfs(file.ledger, self._originals())
        paths = [output]
        if _is_folder(output):
            paths = [output / name for name in _names([one.document.name for one in files])]
            check_outputs(paths, self.inputs)
        elif len(files) > 1:
            raise OutputError(
                f"the ledger rests on {len(files)} PDFs: name a folder with --output, not {output}"
            )
        for path, one in zip(paths, files, strict=True):
            copy = annotate_pdf(file.ledger, one, reviews=file.reviews)
            warn(*copy.warnings)
            yield path, copy.data

    def _originals(self) -> tuple[OriginalFile, ...]:
        """The files of the sources; which of them cannot be read is said on standard error."""
        from veridical.ledger.export.originals import read_originals

        files, failures = read_originals(self.documents)
        warn(*(failure.message for failure in failures))
        return files


def _is_folder(output: Path) -> bool:
    """Whether annotated PDFs go into a folder of this name: one that is there, or has no suffix."""
    return output.is_dir() or not output.suffix


def _names(documents: Sequence[str]) -> list[str]:
    """File names for copies of documents, no two alike on any system."""
    from veridical.ledger.verify_find import file_name

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


def _write(data: bytes, output: Path | None) -> None:
    if output is None:
        out_data(data)
        return
    write_whole(output, data)
    err(f"Written: {output}")


def _require_saved(record: StoredLedger) -> None:
    """Raises StoreError where the rows of a ledger were changed: a new seal would hide it.

    Whoever can write the database can also change the head of the seal that tells.
    """
    if not record.is_as_saved:
        raise StoreError(
            f"The ledger {record.ledger.id} in the database is not what was saved: rows of it were "
            "changed, so it is not sealed anew. Restore the database from a copy, or build and "
            "save the ledger again."
        )


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
    if form in (ExportForm.PDF, _PlaceForm.PACK) and output is None:
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
    if form is _PlaceForm.ANNOTATED_PDF and _is_folder(output):
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
