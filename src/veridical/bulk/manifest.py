"""The work of a run as it was cut, kept beside it, so that the run can go on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from veridical.bulk.durable import all_to_disk, whole_file
from veridical.bulk.identity import Identity
from veridical.bulk.parting import Layout, Shard
from veridical.errors import ConfigurationError

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
