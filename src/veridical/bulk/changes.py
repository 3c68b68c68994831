"""Whether documents of a folder are still what was read of them: what each shard saw is kept with
its work, and looked at again before a run is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pyarrow as pa

from veridical.bulk import spill
from veridical.bulk.durable import part_path
from veridical.bulk.folder import FolderDocuments, Stamp
from veridical.bulk.parting import Layout, Shard
from veridical.bulk.tables import as_table
from veridical.errors import ProcessingError

Seen = tuple[str, int, int]
"""A document's id, and its `folder.Stamp` from before it was read."""

_SEEN: Final = pa.schema(
    [("document_id", pa.string()), ("size", pa.int64()), ("changed", pa.int64())]
)
_MOST_TOLD = 3


def seen_folder(layout: Layout) -> Path:
    """Where it is kept what shards saw."""
    return layout.folder / "seen"


def keep(layout: Layout, shard: Shard, seen: Iterable[Seen]) -> None:
    """Keep what a shard saw of the documents, whole or not at all."""
    spill.write(_seen_of(layout, shard), as_table(sorted(seen), _SEEN))


def require_unchanged(
    documents: FolderDocuments, layout: Layout, shards: Iterable[Shard], output: Path
) -> None:
    """Look at each document again. The parts that rest on one that has changed are removed, so that
    their shards are left to do.

    Raises ProcessingError where there are any.
    """
    changed: dict[str, None] = {}
    for shard in shards:
        found = [name for name, stamp in _seen(layout, shard) if documents.stamp(name) != stamp]
        if found:
            part_path(output, shard.name).unlink(missing_ok=True)
            changed |= dict.fromkeys(found)
    if changed:
        told = ", ".join(list(changed)[:_MOST_TOLD])
        more = f" and {len(changed) - _MOST_TOLD:,} more" if len(changed) > _MOST_TOLD else ""
        raise ProcessingError(
            f"{documents.folder}: documents have changed since they were read ({told}{more}). The "
            "results that rest on them were removed. Put the documents back as they were and go on "
            "with --resume, or begin anew, in another folder."
        )


def _seen(layout: Layout, shard: Shard) -> Iterable[tuple[str, Stamp]]:
    for batch in spill.batches(_seen_of(layout, shard)):
        for name, size, changed in zip(*batch.to_pydict().values(), strict=True):
            yield name, (size, changed)


def _seen_of(layout: Layout, shard: Shard) -> Path:
    return seen_folder(layout) / f"{shard.name}.arrow"
