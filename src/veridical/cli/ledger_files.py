"""Where ledgers are found: in files and in databases."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli.files import STANDARD_INPUT
from veridical.errors import ConfigurationError, StoreError, ValidationError
from veridical.ledger.ids import DEFAULT_WORKSPACE
from veridical.ledger.seal import SealCheck, check_seal

if TYPE_CHECKING:
    from veridical.ledger.entry import EvidenceLedger
    from veridical.ledger.review import EntryReview
    from veridical.store.store import Store

DEFAULT_STORE = "veridical.db"
STORE_VARIABLE = "VERIDICAL_STORE"

_ID = re.compile(r"[0-9a-fA-F][0-9a-fA-F-]{3,35}")
_HEAD = re.compile(r"[0-9a-fA-F]{64}")
_SQLITE = re.compile(r"sqlite(?:\+pysqlite)?:///(?:file:)?([^?]+)")


def store_url(url: str | None) -> str | None:
    """The database that was named, by option or environment."""
    return url or os.environ.get(STORE_VARIABLE) or None


def require_no_store(store: str | None, workspace: str) -> None:
    """Raises ConfigurationError where a database is named for a ledger that is a file."""
    if store is not None or workspace != DEFAULT_WORKSPACE:
        raise ConfigurationError(
            "--store and --workspace go with the id of a ledger in a database: this one is a file, "
            "so leave them out"
        )


def store_files(url: str | None) -> list[str]:
    """The files of the SQLite database of that address: no output may take their places."""
    found = _SQLITE.match(url or "")
    file = found[1] if found else url
    if not file or "://" in file:
        return []
    return [file + suffix for suffix in ("", "-wal", "-shm", "-journal")]


def open_store(url: str | None) -> Store:
    """The database of that address, or the one that the environment or the folder has.

    Raises StoreError where nothing is there, or it cannot be used.
    """
    from veridical.store.store import Store

    named = store_url(url)
    if named is None and not Path(DEFAULT_STORE).exists():
        raise StoreError(
            f"no database is named and there is no {DEFAULT_STORE} here: give --store, or set "
            f"{STORE_VARIABLE}. `veridical ledger build --store FILE` makes one."
        )
    return Store.open(named or DEFAULT_STORE, create=False)


def reviews_of(store: Store, ledger: EvidenceLedger, workspace: str) -> tuple[EntryReview, ...]:
    """What reviewers decided about the verdicts of a ledger, oldest first."""
    return store.shelf(workspace).reviews.of_session(ledger.session_id)


def broken(check: SealCheck) -> str:
    """What is wrong with a seal, in one line."""
    first, more = check.problems[0].describe(), len(check.problems) - 1
    return f"{first}; and {more:,} more" if more else first


def require_intact(data: bytes, name: str) -> None:
    """Raises ValidationError for a ledger file whose seal is broken."""
    check = check_seal(data)
    if not check.intact:
        raise ValidationError(
            f"{name}: its seal is broken: {broken(check)}. See what `veridical ledger verify` says."
        )


def check_head(head: str | None) -> None:
    """Raises ConfigurationError for what cannot be the head of a seal."""
    if head is not None and not _HEAD.fullmatch(head.strip()):
        raise ConfigurationError(
            f"--head {head!r} is no head of a seal: it has 64 digits from 0-9 and a-f"
        )


def is_file(source: str) -> bool:
    """Whether a ledger is named by a file rather than by an id.

    Raises ValidationError for what is neither.
    """
    if source == STANDARD_INPUT or Path(source).exists():
        return True
    if _ID.fullmatch(source):
        return False
    raise ValidationError(
        f"{source}: there is no such file, and it is no id of a ledger. Check the path."
    )
