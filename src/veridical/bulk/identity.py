"""What a run is of: the data that it reads and all that decides on its results. Only the same run
may go on where it was broken off.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from veridical.bulk.folder import FolderDocuments
from veridical.bulk.places import GivenFile
from veridical.bulk.settings import BulkSettings
from veridical.bulk.sources import TableDocuments
from veridical.errors import ConfigurationError
from veridical.version import __version__

_CHANGED = {
    "settings": "columns, settings, configuration or version have changed",
    "claims": "the input has changed",
    "documents": "the documents have changed since",
}


@dataclass(frozen=True, slots=True)
class Identity:
    """Hashes: of the settings, of the input, and of the documents as they are now."""

    settings: str
    claims: str
    documents: str

    @classmethod
    def of(
        cls,
        claims: Sequence[GivenFile],
        documents: FolderDocuments | TableDocuments,
        settings: BulkSettings,
    ) -> Identity:
        """That of a run. Reads a little of each file, and walks a folder of documents.

        Raises ValidationError or ProcessingError where they cannot be read.
        """
        if isinstance(documents, FolderDocuments):
            seen: Any = [str(documents.folder), documents.digest()]
        else:
            seen = _stamps(documents.files)
        return cls(_hash([__version__, settings.deciding()]), _hash(_stamps(claims)), _hash(seen))

    @classmethod
    def read(cls, data: Any) -> Identity:
        """From what `dataclasses.asdict` gave; what it lacks is like nothing else."""
        known = data if isinstance(data, dict) else {}
        return cls(*(str(known.get(field.name, "")) for field in fields(cls)))

    def require_same(self, other: Identity, output: Path) -> None:
        """Raises ConfigurationError where this run, in `output`, is not the same as another."""
        changed = [
            words for name, words in _CHANGED.items() if getattr(self, name) != getattr(other, name)
        ]
        if changed:
            raise ConfigurationError(
                f"The run in {output} was of other data or settings: {'; '.join(changed)}. "
                "Begin anew, in another folder."
            )


def _stamps(files: Iterable[GivenFile]) -> list[list[Any]]:
    return [[file.path, file.size_bytes, file.stamp, file.ends()] for file in files]


def _hash(told: Any) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
