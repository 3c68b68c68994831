"""The container of an evidence pack: one zip that can be written in one way only.

Nothing in it is compressed, its times are fixed, its members are sorted. So a pack has the same
bytes on every machine, and nothing in it can grow when it is unpacked.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Mapping

from veridical.errors import ValidationError

MAX_PACK_BYTES = 512 * 1024 * 1024
MOST_MEMBERS = 10_000
MOST_NAME_CHARS = 200

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)?")
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_FILE_MODE = 0o100644 << 16
_ENCRYPTED = 0x1


def write_zip(members: Mapping[str, bytes]) -> bytes:
    """The zip of some files: the same files, the same bytes.

    Raises ValidationError where they are too many or too large, or a name is none that is allowed.
    """
    if len(members) > MOST_MEMBERS:
        raise ValidationError(f"{len(members):,} files in a pack, the limit is {MOST_MEMBERS:,}")
    if sum(map(len, members.values())) > MAX_PACK_BYTES:
        raise ValidationError(
            f"the pack has more than {MAX_PACK_BYTES // 1024**2} MB; leave the sources out of it"
        )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED, allowZip64=False) as archive:
        for name in sorted(members):
            _require_plain(name)
            info = zipfile.ZipInfo(name, _EARLIEST)
            info.create_system, info.external_attr = _UNIX, _FILE_MODE
            archive.writestr(info, members[name])
    return out.getvalue()


def read_zip(data: bytes, name: str = "the pack") -> dict[str, bytes]:
    """The members of a pack by their names. `name` is what messages call it.

    Raises ValidationError where it is no zip, or not one that we write: a member that is
    compressed, encrypted, a link, twice there, named to lead elsewhere, or that lies on another.
    """
    if len(data) > MAX_PACK_BYTES:
        raise ValidationError(f"{name}: larger than {MAX_PACK_BYTES // 1024**2} MB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            _require_sane(infos, len(data), name)
            return {info.filename: archive.read(info) for info in infos}
    except (
        zipfile.BadZipFile, struct.error, NotImplementedError, RuntimeError, ValueError,
        LookupError, OSError, EOFError, OverflowError,
    ) as problem:  # fmt: skip
        raise ValidationError(
            f"{name}: it cannot be read as a zip ({problem}). Get the file once more."
        ) from None


def _require_sane(infos: list[zipfile.ZipInfo], size: int, name: str) -> None:
    if len(infos) > MOST_MEMBERS:
        raise ValidationError(f"{name}: {len(infos):,} members, the limit is {MOST_MEMBERS:,}")
    seen: set[str] = set()
    total = 0
    for info in infos:
        shown = ascii(info.filename[:MOST_NAME_CHARS])
        total += info.file_size
        if info.filename.casefold() in seen:
            raise ValidationError(f"{name}: the member {shown} is in it twice")
        seen.add(info.filename.casefold())
        reason = _not_ours(info)
        if reason:
            raise ValidationError(f"{name}: the member {shown} {reason}; no pack has that")
    if total > size:
        raise ValidationError(f"{name}: its members are larger than it, so they overlap")


def _not_ours(info: zipfile.ZipInfo) -> str:
    """What makes a member none that we write; empty where nothing does."""
    if info.flag_bits & _ENCRYPTED:
        return "is encrypted"
    if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
        return "is compressed"
    if info.external_attr != _FILE_MODE:
        return "is no plain file"
    if not _is_plain(info.filename) or info.orig_filename != info.filename:
        return "has a name that may lead out of the folder that it is unpacked to"
    return ""


def _is_plain(name: str) -> bool:
    return len(name) <= MOST_NAME_CHARS and _NAME.fullmatch(name) is not None


def _require_plain(name: str) -> None:
    if not _is_plain(name):
        raise ValidationError(f"{name!r} cannot be the name of a file in a pack")
