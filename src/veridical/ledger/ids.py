"""Ids that follow from the content: the same work done twice gets the same ids."""

from __future__ import annotations

import re
from uuid import NAMESPACE_URL, UUID, uuid5

from veridical.errors import ValidationError

DEFAULT_WORKSPACE = "default"

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_MOST_SHOWN = 60

_OURS = uuid5(NAMESPACE_URL, "urn:veridical:ledger")


def content_id(kind: str, *parts: str) -> str:
    """The UUID (version 5) of a thing of this kind that is made of these parts."""
    name = "\x1f".join((kind, *(f"{len(part)}:{part}" for part in parts)))
    # A file name that is not UTF-8 reaches us with halves of surrogate pairs, which UUIDs refuse.
    return str(uuid5(_OURS, name.encode("utf-8", "backslashreplace").decode()))


def as_uuid(text: str, what: str) -> str:
    """A UUID in the one spelling that ledgers have: 36 characters, small letters, hyphens.

    `what` names it in the message. Raises ValidationError for anything else than 32 hex digits in
    the five groups of a UUID, in either case.
    """
    if not _UUID.fullmatch(text):
        raise ValidationError(f"{what} must be a UUID, got {text[:_MOST_SHOWN]!r}")
    return str(UUID(text))


def document_id(name: str, workspace: str = DEFAULT_WORKSPACE) -> str:
    """The id of a document, by its name within a workspace: all its versions share it."""
    return content_id("document", workspace, name)


def chunk_id(document: str, document_sha256: str, ordinal: int) -> str:
    """The id of a chunk: the one at this place, from 0, in this version of a document."""
    return content_id("chunk", document, document_sha256, str(ordinal))
