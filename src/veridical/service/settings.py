"""Settings of the service and their defaults, light to import: the help of a command names them;
and which names and addresses can only mean this machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from ipaddress import ip_address
from typing import TYPE_CHECKING

from veridical.ledger.ids import DEFAULT_WORKSPACE

if TYPE_CHECKING:
    from veridical.models.protocol import LanguageModel


API_PREFIX = "/api/v1"

REFRESH_SECONDS = 5.0
"""How often the documents of folders are looked at for changes."""

DEFAULT_DATABASE = "sqlite:///veridical.db"

MAX_BODY_BYTES = 1024 * 1024
"""Of a call that sends no file."""

BUSY_SECONDS = 5.0
"""How long a call waits for another writer of the database before it is told to come again."""

MAX_UPLOAD_BYTES = 100 * 1024 * 1024
DOWNLOAD_SECONDS = 15 * 60.0
"""How long the address of an export is good."""


class Auth(StrEnum):
    """Who may come in."""

    OPEN = "open"
    """Whoever reaches it may do everything: for the loopback address only."""

    TOKEN = "token"  # noqa: S105
    """Those who have a token, each in its workspace."""


@dataclass(frozen=True)
class ServiceSettings:
    """How a service runs. `documents` are folders and files that are kept indexed in `workspace`
    (which is also the one that open access begins in). `rate_per_minute` is the most calls of one
    token, 0 for no limit; it does not apply to open access. `model` writes answers, and scores and
    judges where that is asked for; without it the embedded means do.
    """

    database: str = DEFAULT_DATABASE
    workspace: str = DEFAULT_WORKSPACE
    documents: tuple[str, ...] = ()
    refresh_seconds: float = REFRESH_SECONDS
    auth: Auth = Auth.OPEN
    rate_per_minute: int = 600
    max_body_bytes: int = MAX_BODY_BYTES
    max_upload_bytes: int = MAX_UPLOAD_BYTES
    body_seconds: float = 60.0
    download_seconds: float = DOWNLOAD_SECONDS
    busy_seconds: float = BUSY_SECONDS
    allowed_hosts: tuple[str, ...] = ()
    """Host names that requests may be for; with open access the loopback names only, if empty."""
    secure_cookies: bool = False
    workers: int = 2
    """Jobs that are worked on at a time, in this process."""
    transcriber: str | None = None
    """Server that hears recordings which come without a transcript; faster-whisper if None."""
    keep_speech_seconds: int | None = 600
    """How long after its report the recording of a speech is kept; None: as long as the record."""
    keep_scoring_seconds: int | None = None
    """The same of a recording that is scored."""
    model: LanguageModel | None = field(default=None, compare=False)


def is_loopback(name: str) -> bool:
    """Whether a host name or address can only mean this machine."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
