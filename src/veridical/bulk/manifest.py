"""The work of a run as it was cut, kept beside it, so that the run can go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from veridical.bulk.durable import all_to_disk, whole_file
from veridical.bulk.folder import FolderDocuments
from veridical.bulk.parting import Layout, Shard
from veridical.bulk.places import GivenFile
from veridical.bulk.settings import BulkSettings
from veridical.bulk.sources import TableDocuments
from veridical.errors import ConfigurationError
from veridical.version import __version__

# What a run is of: the data that it reads and all that decides on its results. Only the same run
# may go on where it was broken off.


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


_FILE = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The cut work of a run: `rows` of the input, of which no shard has those that are `refused`,
    into how many shards (`count`) claims and documents were parted, and how many `documents` stand
    ready for each by its name, where they came in a table.
    """

    identity: Identity
    rows: int
    refused: int
    count: int
    shards: tuple[Shard, ...]
    documents: Mapping[str, int]

    def write(self, layout: Layout) -> None:
        """Keep it: from then on the work counts as cut."""
        data = {
            "run": asdict(self.identity), "rows": self.rows, "refused": self.refused,
            "count": self.count, "shards": [[s.number, s.piece, s.rows] for s in self.shards],
            "documents": dict(self.documents),
        }  # fmt: skip
        all_to_disk()
        write_text(layout.folder / _FILE, json.dumps(data))


def kept_manifest(layout: Layout, identity: Identity) -> Manifest | None:
    """The manifest of a run that was broken off; None where its work was not all cut.

    Raises ConfigurationError where it is of other data or settings.
    """
    try:
        data = json.loads((layout.folder / _FILE).read_text("utf-8"))
        found = Manifest(
            Identity.read(data["run"]), data["rows"], data["refused"], data["count"],
            tuple(Shard(*one) for one in data["shards"]), data["documents"],
        )  # fmt: skip
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(
            f"{layout.folder / _FILE} is damaged. Begin anew, in another folder."
        ) from error
    found.identity.require_same(identity, layout.folder.parent)
    return found


def has_manifest(layout: Layout) -> bool:
    """Whether there is work that a run can go on with."""
    return (layout.folder / _FILE).exists()


def write_text(path: Path, text: str) -> None:
    """Write a file whole, or not at all."""
    with whole_file(path) as made:
        made.write_text(text, "utf-8")
