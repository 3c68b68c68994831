"""An evidence pack checked: is every file in it what follows from the ledger and its sources?

The pack is made anew from the ledger and the sources that are in it, and must be the same, byte for
byte, container and all. So nothing that is wrong with the pack can hide behind a hash that was
corrected too. Only the report depends on the version that rendered it. One of another version is
proven where the head of the pack was noted, or the pack was signed with a key; else it is not, and
the pack does not hold, since a report that says anything might be in it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any

from veridical.errors import DocumentParsingError, ValidationError
from veridical.ledger.canonical import parse_file
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export.pack import (
    DESCRIPTOR,
    FOLDER,
    LEDGER,
    PACK_FORMAT,
    REPORT,
    SIGNATURE_ALGORITHM,
    index_of,
    members_of,
    read_sealed,
    source_path,
)
from veridical.ledger.export.pack_zip import read_zip, write_zip
from veridical.ledger.seal import Problem
from veridical.ledger.verification import LedgerVerification
from veridical.ledger.verify import verify_ledger
from veridical.sources.document import Document
from veridical.sources.limits import DEFAULT_LIMITS, SourceLimits
from veridical.sources.loader import load_document_bytes
from veridical.version import __version__

_MOST_DESCRIPTOR_BYTES = 16 * 1024 * 1024
_CONTAINER = "(zip)"
_SOURCE = re.compile(rf"{FOLDER}[0-9]{{5}}-[A-Za-z0-9_-]*(?:\.[A-Za-z0-9]{{1,10}})?")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_VERSION = re.compile(r"[0-9A-Za-z.+!-]{1,40}")

_SAME = "it is not what follows from the ledger: it was changed, or belongs to another ledger"


class ReportProof(StrEnum):
    """What shows that the report is that of the ledger, best first.

    RENDERED: this version renders it letter for letter. NOTED: the head of the pack is the one that
    was noted. SIGNED: the key that was given signed the pack. UNPROVEN: nothing does.
    """

    RENDERED = "rendered"
    NOTED = "noted"
    SIGNED = "signed"
    UNPROVEN = "unproven"


class Signature(StrEnum):
    """What came of the signature of a pack, which only the key that made it can check.

    NONE: it has none, and no key was given. CHECKED: the key that was given made it. NOT_CHECKED:
    no key was given. FAILED: the key that was given did not make it, or there is none to check.
    """

    NONE = "none"
    CHECKED = "checked"
    NOT_CHECKED = "not_checked"
    FAILED = "failed"


class NotedHead(StrEnum):
    """Which head of a pack the one that was noted is.

    PACK: that of the pack, which covers every file in it. LEDGER: that of the ledger's seal.
    NEITHER: no head of it, or that of a broken seal. NOT_GIVEN: none was given.
    """

    PACK = "pack"
    LEDGER = "ledger"
    NEITHER = "neither"
    NOT_GIVEN = "not_given"


@dataclass(frozen=True, slots=True)
class PackVerification:
    """What came of a pack. `head` is the SHA-256 of its descriptor, which covers every file in it,
    `noted` which head the noted one is; `version` the one that made it, `sources` how many of the
    ledger's sources are in it. `ledger` is what came of the ledger, checked against the documents
    given, else those in the pack.
    """

    head: str
    noted: NotedHead
    signature: Signature
    version: str
    sources: int
    report: ReportProof
    problems: tuple[Problem, ...]
    ledger: LedgerVerification

    @property
    def ok(self) -> bool:
        """Whether the pack is as it was made, its report proven, and its ledger holds."""
        proven = self.report is not ReportProof.UNPROVEN
        return proven and not self.problems and self.ledger.ok

    def to_dict(self) -> dict[str, Any]:
        """The outcome as plain data; `ledger` in the form of the schema `ledger_verification`."""
        return {
            "ok": self.ok,
            "pack": {
                "head": self.head,
                "noted": self.noted.value,
                "signature": self.signature.value,
                "version": self.version,
                "sources": self.sources,
                "report": self.report.value,
                "problems": [
                    {"where": problem.where, "message": problem.message}
                    for problem in self.problems
                ],
            },
            "ledger": self.ledger.to_dict(),
        }

    def to_lines(self) -> list[str]:
        """The outcome as lines of text for a reader, the pack first, then its ledger."""
        lines = [f"Pack head {self.head}, made by Veridical {self.version}"]
        if self.noted is not NotedHead.NOT_GIVEN:
            lines.append(_NOTED_TOLD[self.noted])
        if self.signature is not Signature.NONE:
            lines.append(_SIGNATURE_TOLD[self.signature])
        lines.append(f"Sources in the pack: {self.sources:,}. {_REPORT_TOLD[self.report]}")
        lines += [f"Problem in the pack: {problem.describe()}" for problem in self.problems]
        lines += self.ledger.to_lines()
        lines.append("The pack holds." if self.ok else "The pack does not hold.")
        return lines


_NOTED_TOLD = {
    NotedHead.PACK: "Noted head: it is that of the pack, and covers every file in it",
    NotedHead.LEDGER: "Noted head: it is that of the ledger's seal, and covers the ledger alone",
    NotedHead.NEITHER: "Noted head: it is neither that of the pack nor that of an intact seal",
}
_SIGNATURE_TOLD = {
    Signature.CHECKED: "Signature: checked with the key",
    Signature.NOT_CHECKED: "Signature: not checked: the pack was signed, give --key-file to know "
    "whether it is by whoever has the key",
    Signature.FAILED: "Signature: not that of the key",
}
_REPORT_TOLD = {
    ReportProof.RENDERED: "Report: what this ledger renders to",
    ReportProof.NOTED: "Report: as the noted head has it",
    ReportProof.SIGNED: "Report: as signed with the key",
    ReportProof.UNPROVEN: "Report: made by another version and not proven; export the pack anew "
    "from its ledger, or give the pack's head or key",
}


def verify_pack(
    data: bytes,
    documents: Iterable[Document] | None = None,
    *,
    key: bytes | None = None,
    expected_head: str | None = None,
    limits: SourceLimits = DEFAULT_LIMITS,
) -> PackVerification:
    """Check an evidence pack: container, files, descriptor, and its ledger as `verify_ledger` does.

    The ledger is checked against `documents`, or without them against the sources in the pack.
    `key` is that of the seal. `expected_head` is the head that was noted: that of the pack, which
    covers all of it, or that of the ledger's seal.

    Raises ValidationError where it is no pack at all, or one of a newer form; ConfigurationError
    for a key that is too short.
    """
    members = _members(data, DESCRIPTOR, LEDGER, REPORT)
    sealed = read_sealed(members[LEDGER])
    version, signature = _made_by(members[DESCRIPTOR])
    head = hashlib.sha256(members[DESCRIPTOR]).hexdigest()
    noted = expected_head is not None and expected_head.strip().lower() == head
    inside, problems = _sources_in(members, sealed.file.ledger, limits)
    expected = members_of(
        sealed,
        {path: members[path] for path in inside},
        key=key,
        version=version,
        report=None if version == __version__ else members[REPORT],
        signature=signature if _is_signature(signature) else None,
    )
    told = _signature(signature, _made_by(expected[DESCRIPTOR])[1], key)
    problems += _differences(members, expected)
    if not problems and write_zip(members) != data:
        problems.append(
            Problem(_CONTAINER, "it is not written as a pack is: packed anew, or something added")
        )
    known = [document for document in inside.values() if document is not None]
    ledger = verify_ledger(
        sealed.data,
        known if documents is None else documents,
        key=key,
        expected_head=None if noted else expected_head,
    )
    return PackVerification(
        head=head,
        noted=NotedHead.PACK if noted else _noted(expected_head, ledger),
        signature=told,
        version=version,
        sources=len(inside),
        report=_proof(version, noted=noted, signed=told is Signature.CHECKED and not problems),
        problems=tuple(problems),
        ledger=ledger,
    )


def _is_signature(carried: object) -> bool:
    """Whether it is written as a signature is: without its key, that is all that can be seen, and
    anything else could be hidden there.
    """
    if not isinstance(carried, dict) or carried.keys() != {"algorithm", "digest"}:
        return False
    digest = carried["digest"]
    known = carried["algorithm"] == SIGNATURE_ALGORITHM
    return known and isinstance(digest, str) and _DIGEST.fullmatch(digest) is not None


def _signature(carried: object, expected: object, key: bytes | None) -> Signature:
    if key is not None:
        return Signature.CHECKED if carried == expected else Signature.FAILED
    return Signature.NONE if carried is None else Signature.NOT_CHECKED


def _noted(expected_head: str | None, ledger: LedgerVerification) -> NotedHead:
    """Which head was noted, where it is not that of the pack. A broken seal vouches for nothing."""
    if expected_head is None:
        return NotedHead.NOT_GIVEN
    # With a head to expect, a seal of another head is not intact.
    return NotedHead.LEDGER if ledger.seal.intact else NotedHead.NEITHER


def is_pack(data: bytes) -> bool:
    """Whether the bytes of a file begin as those of a pack do, and not as those of a ledger."""
    return data.startswith(b"PK\x03\x04")


def ledger_file_of(data: bytes) -> bytes:
    """The ledger's file in a pack, unchecked. Raises ValidationError where there is none."""
    return _members(data, LEDGER)[LEDGER]


def _members(data: bytes, *needed: str) -> dict[str, bytes]:
    members = read_zip(data)
    missing = next((name for name in needed if name not in members), None)
    if missing is not None:
        raise ValidationError(f"the pack has no {missing}: it is no evidence pack, or not whole")
    return members


def has_sources(data: bytes) -> bool:
    """Whether a pack has files of sources. Raises ValidationError where it cannot be read."""
    return any(name.startswith(FOLDER) for name in read_zip(data))


def _made_by(descriptor: bytes) -> tuple[str, object]:
    """The version that a pack says it was made by, and the signature that it carries."""
    made = parse_file(descriptor, what=DESCRIPTOR, most_bytes=_MOST_DESCRIPTOR_BYTES)
    ours = made.get("veridical")
    if not isinstance(ours, dict):
        raise ValidationError(f"{DESCRIPTOR}: it is not that of an evidence pack")
    if ours.get("pack") != PACK_FORMAT or isinstance(ours.get("pack"), bool):
        raise ValidationError(
            f"{DESCRIPTOR}: the pack is of another form than {PACK_FORMAT}, which this version "
            "reads. Install the version of Veridical that made it."
        )
    version = ours.get("version")
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        raise ValidationError(f"{DESCRIPTOR}: it does not say which version made the pack")
    return version, ours.get("signature")


def _sources_in(
    members: Mapping[str, bytes], ledger: EvidenceLedger, limits: SourceLimits
) -> tuple[dict[str, Document | None], list[Problem]]:
    """The sources in a pack by their paths, None for one that cannot be read; what is wrong."""
    found: dict[str, Document | None] = {}
    problems: list[Problem] = []
    seen: set[int] = set()
    for path in sorted(members):
        if not _SOURCE.fullmatch(path):
            continue
        index, suffix = index_of(path), PurePosixPath(path).suffix
        if not 0 <= index < len(ledger.sources):
            continue
        source = ledger.sources[index]
        if path != source_path(index + 1, source, suffix) or index in seen:
            continue
        seen.add(index)
        found[path] = None
        try:
            document = load_document_bytes(
                members[path], source.filename, suffix=suffix, limits=limits
            )
        except DocumentParsingError as problem:
            problems.append(Problem(path, f"it cannot be read: {problem}"))
            continue
        found[path] = document
        if document.sha256 != source.sha256:
            problems.append(Problem(path, "its text is not the one that the ledger was built from"))
        elif document.format.value != source.format:
            read = f"it is read as {document.format.value}, the ledger was built from"
            problems.append(Problem(path, f"{read} {source.format} of the same text"))
    return found, problems


def _differences(members: Mapping[str, bytes], expected: Mapping[str, bytes]) -> Iterator[Problem]:
    """Which files are not as they must be, each named."""
    for name in sorted(members.keys() | expected.keys()):
        if name not in expected:
            yield Problem(name, "it does not belong to the pack: it was added or renamed")
        elif name not in members:
            yield Problem(name, "it is missing")
        elif members[name] != expected[name]:
            yield Problem(name, _SAME)


def _proof(version: str, *, noted: bool, signed: bool) -> ReportProof:
    if version == __version__:
        return ReportProof.RENDERED
    if noted:
        return ReportProof.NOTED
    return ReportProof.SIGNED if signed else ReportProof.UNPROVEN
