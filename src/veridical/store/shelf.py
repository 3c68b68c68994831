"""What one workspace holds, and nothing of another: what the service works with.

Every query of the service goes through a `Shelf`, which is bound to its workspace here and nowhere
else. What is not on a shelf does not exist for whoever holds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from veridical.store.engine import Database
from veridical.store.export_files import ExportFiles
from veridical.store.inquiries import Inquiries
from veridical.store.jobs import Jobs
from veridical.store.ledgers_of import Ledgers
from veridical.store.library import Library
from veridical.store.records import Records
from veridical.store.reviews import Reviews
from veridical.store.workspaces import workspace_id

if TYPE_CHECKING:
    from veridical.ledger.citations import CitationResolution

# Citation anchors of one workspace.


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


@dataclass(frozen=True, slots=True)
class Shelf:
    """The parts of one workspace. Made by `Store.shelf`."""

    workspace: str
    workspace_id: str
    documents: Library
    anchors: Anchors
    inquiries: Inquiries
    ledgers: Ledgers
    reviews: Reviews
    records: Records
    exports: ExportFiles
    jobs: Jobs


def shelf_of(database: Database, workspace: str) -> Shelf:
    """The shelf of a workspace, which need not be there yet. StoreError for an unusable name."""
    key = workspace_id(workspace)
    return Shelf(
        workspace=workspace,
        workspace_id=key,
        documents=Library(database, workspace, key),
        anchors=Anchors(database, workspace),
        inquiries=Inquiries(database, workspace, key),
        ledgers=Ledgers(database, workspace, key),
        reviews=Reviews(database, key),
        records=Records(database, workspace, key),
        exports=ExportFiles(database, key),
        jobs=Jobs(database, key),
    )
