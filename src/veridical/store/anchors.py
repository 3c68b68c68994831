"""Citation anchors of one workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.store.engine import Database

if TYPE_CHECKING:
    from veridical.ledger.citations import CitationResolution


class Anchors:
    """The anchors of one workspace, by which answers cite its documents."""

    def __init__(self, database: Database, workspace: str) -> None:
        self._database = database
        self._workspace = workspace

    def resolve(self, prefix: str) -> CitationResolution:
        """The chunk that an anchor points to, of the ready documents. Raises ValidationError for
        what is no anchor.
        """
        from veridical.store.citations import resolve_citation  # loads what chunks are made of

        return resolve_citation(self._database, prefix, self._workspace)
