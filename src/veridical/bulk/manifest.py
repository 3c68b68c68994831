"""What a run is of, kept beside its work: only the same run may go on where it was broken off."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veridical.bulk.durable import all_to_disk, whole_file
from veridical.bulk.parting import Layout, Shard
from veridical.bulk.places import GivenFile
from veridical.bulk.settings import BulkSettings
from veridical.bulk.sources import FolderDocuments, TableDocuments
from veridical.errors import ConfigurationError
from veridical.version import __version__

_FILE = "manifest.json"
_FORM = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """The cut work of a run: `key` says of which data and settings, `rows` how many there were,
    `refused` how many of them no shard has, `count` into how many shards documents were parted.
    """

    key: str
    rows: int
    refused: int
    count: int
    shards: tuple[Shard, ...]

    def write(self, layout: Layout) -> None:
        """Keep it: from then on the work counts as cut."""
        data = {
            "form": _FORM, "key": self.key, "rows": self.rows, "refused": self.refused,
            "count": self.count, "shards": [[s.number, s.piece, s.rows] for s in self.shards],
        }  # fmt: skip
        all_to_disk()
        write_text(layout.folder / _FILE, json.dumps(data))


def kept_manifest(layout: Layout, key: str) -> Manifest | None:
    """The manifest of a run that was broken off; None where its work was not all cut.

    Raises ConfigurationError where it is of other data or settings.
    """
    try:
        data = json.loads((layout.folder / _FILE).read_text("utf-8"))
        found = Manifest(
            data["key"], data["rows"], data["refused"], data["count"],
            tuple(Shard(*one) for one in data["shards"]),
        )  # fmt: skip
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(
            f"{layout.folder / _FILE} is damaged. Begin anew, in another folder."
        ) from error
    require_same(found.key if data.get("form") == _FORM else "", key, layout.folder.parent)
    return found


def require_same(found: str, key: str, output: Path) -> None:
    """Raises ConfigurationError where a run has not the key of the one in `output`."""
    if found != key:
        raise ConfigurationError(
            f"The run in {output} was of other data or settings: input, documents, columns, "
            "configuration or version have changed. Begin anew, in another folder."
        )


def key_of(
    claims: Sequence[GivenFile], documents: FolderDocuments | TableDocuments,
    settings: BulkSettings,
) -> str:  # fmt: skip
    """The key of a run: it changes with its input, its documents (a folder by its name) and all
    that decides on the result.
    """
    told: list[Any] = [__version__, settings.deciding(), _stamps(claims)]
    if isinstance(documents, FolderDocuments):
        told.append(str(documents.folder.resolve()))
    else:
        told.append(_stamps(documents.files))
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def write_text(path: Path, text: str) -> None:
    """Write a file whole, or not at all."""
    with whole_file(path) as made:
        made.write_text(text, "utf-8")


def _stamps(files: Iterable[GivenFile]) -> list[list[Any]]:
    return [[file.path, file.size_bytes, file.stamp] for file in files]
