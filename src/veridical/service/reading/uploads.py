"""Files that are given: named harmlessly, of a kind that can be read, and each only once."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from contextlib import suppress
from pathlib import PurePosixPath

from veridical.errors import DocumentParsingError, ValidationError
from veridical.service.context import Service
from veridical.service.entry.access import Access
from veridical.service.errors import RefusedError
from veridical.sources import sniff
from veridical.sources.document import Format
from veridical.store.library import Upload, UploadState

MOST_NAME_CHARS = 255
_MOST_SUFFIX_CHARS = 16

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of what is not seen, or turns around what is: controls, marks of direction."""

_ODD = re.compile("[\x80-\x9f\udc80-\udcff]")

_VTT = "text/vtt"
_SUBRIP = "application/x-subrip"
_VTT_HEAD = "WEBVTT"

_STILL_GOOD = frozenset({UploadState.WAITING, UploadState.READING, UploadState.READY})


def keep_upload(
    service: Service, access: Access, filename: str, data: bytes
) -> tuple[Upload, bool]:
    """Keep a file as a document of its name, or as the next version of it, and have it read; and
    whether it is new: it is not where its very bytes are those of the document already.

    Raises ValidationError for an empty file and a name of nothing, RefusedError (413, 415) for one
    that is too large or cannot be read, ConflictError where a folder holds the document.
    """
    name = clean_filename(filename)
    if len(data) > service.settings.max_upload_bytes:
        most = service.settings.max_upload_bytes / 1024 / 1024
        raise RefusedError(413, "too_large", f"The file is larger than {most:g} MB. Split it.")
    media_type = media_type_of(data, name)
    shelf = access.shelf
    document_id = shelf.documents.document_id(name)
    service.folders.require_not_kept(shelf, document_id)
    shown = shelf.documents.get(document_id)
    latest = shown.latest if shown else None
    is_same = latest is not None and latest.sha256 == hashlib.sha256(data).hexdigest()
    if latest is not None and is_same and latest.state in _STILL_GOOD:
        return latest, latest.id == access.new_id
    upload, job = shelf.documents.add_upload(name, media_type, data, id=access.new_id)
    service.jobs.wake(job.id)
    return upload, True


def clean_filename(given: str) -> str:
    """A file name without folders, controls and marks of direction, of at most 255 characters.

    Raises ValidationError where nothing is left.
    """
    last = given.replace("\\", "/").rstrip("/ ").rpartition("/")[2]
    composed = unicodedata.normalize("NFC", _with_odd_bytes(last))
    spaced = ("" if unicodedata.category(char) in _HIDDEN else char for char in composed)
    name = " ".join("".join(spaced).split())
    if not name.strip(". "):
        raise ValidationError("The file has no usable name. Give it one, such as policy.pdf.")
    return _shortened(name)


def _with_odd_bytes(name: str) -> str:
    """A name with controls that no keyboard has, which was sent in another encoding than UTF-8 and
    so read as Latin-1, as UTF-8 with its odd bytes as `%96`: two names stay two.
    """
    if not _ODD.search(name):
        return name
    with suppress(UnicodeEncodeError):
        name = name.encode("latin-1").decode("utf-8", "surrogateescape")
    return _ODD.sub(lambda found: f"%{ord(found[0]) & 0xFF:02X}", name)


def media_type_of(data: bytes, name: str) -> str:
    """What a file is, by its content; its suffix decides only where that leaves it open.

    Raises ValidationError for an empty one, RefusedError (415) for what cannot be read.
    """
    if not data:
        raise ValidationError("The file is empty. Give one that holds text.")
    suffix = PurePosixPath(name).suffix
    try:
        binary = sniff.sniff_binary(data, name, suffix)
        if binary is not None:
            kind = sniff.image_kind(data)
            return f"image/{kind}" if kind else sniff.KINDS[binary].media_type
        text = sniff.decode(data, name, declared=sniff.declared_encoding(data))
    except DocumentParsingError as error:
        problem = str(error)
        if sniff.SUPPORTED not in problem:
            problem = f"{problem} {sniff.SUPPORTED} files are accepted."
        raise RefusedError(415, "unsupported_file", problem) from error
    if not text.strip():
        raise ValidationError("The file is empty. Give one that holds text.")
    found = sniff.sniff_text(text, suffix)
    if found is Format.TRANSCRIPT:
        return _VTT if text.lstrip().startswith(_VTT_HEAD) else _SUBRIP
    return sniff.KINDS[found].media_type


def _shortened(name: str) -> str:
    if len(name) <= MOST_NAME_CHARS:
        return name
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix) > _MOST_SUFFIX_CHARS:
        return name[:MOST_NAME_CHARS].rstrip()
    return stem[: MOST_NAME_CHARS - len(suffix) - 1].rstrip() + dot + suffix
