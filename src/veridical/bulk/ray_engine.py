"""Bulk work on Ray: the same shards, the same parts and the same results as on one machine.

Parts stand under their last name only once they are whole, so where a part is its shard is done,
whoever worked on it: a run that one engine began the other can finish. Ray Data's own
`CheckpointConfig` would be a second, slower account of the same.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from veridical.bulk.cutting import Progress
from veridical.bulk.local import Prepared, run
from veridical.bulk.places import StrPath
from veridical.bulk.pool import SAFE_PATH, Outcome, Told
from veridical.bulk.ray_driver import Job, Order, last_line
from veridical.bulk.settings import BulkSettings
from veridical.bulk.summary import BulkSummary
from veridical.errors import ConfigurationError, ProcessingError, VeridicalError, require_package

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else it warns of a change that is none of ours
}
_ALONE = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""By this a cluster of Ray's listens on loopback only: it then is of one machine, on any system."""

_AUTH_MODE, _TOKEN, _TOKEN_PATH = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"

_START = "import sys; from veridical.bulk.ray_driver import main; main(int(sys.argv[1]))"
"""With `-m` its classes would be those of `__main__`, which cannot be sent here."""

_END_SECONDS = 30.0
"""Time for Ray to shut down, before it is killed."""


def run_on_ray(
    claims: StrPath,
    output: StrPath,
    documents: StrPath,
    settings: BulkSettings,
    *,
    address: str | None = None,
    resume: bool = False,
    retry_failed: bool = False,
    progress: Progress | None = None,
) -> BulkSummary:
    """As `local.run`, with `settings.workers` actors of a Ray cluster, each with one core.

    `address` is what `ray.init` takes ("auto", "10.0.0.1:6379"), of a machine of the cluster that
    this process runs on; without it a cluster is started on this machine, for this run alone. The
    nodes must see `output` and a folder of `documents` under the same path. A token is needed to
    join (`RAY_AUTH_TOKEN`, `RAY_AUTH_TOKEN_PATH`), and made for a cluster of our own.

    Raises what `local.run` raises; also MissingExtraError without Ray, ConfigurationError where
    the cluster cannot be reached or a node cannot take part, and ProcessingError where Ray fails.
    """
    _require_ray()
    if address is not None and "://" in address:
        raise ConfigurationError(
            f"{address}: Ray Client is not supported. Start this on a machine of the cluster, with "
            "the address 'auto' or HOST:PORT."
        )

    def work(prepared: Prepared, told: Told) -> None:
        if prepared.left:
            _work(prepared, address, told)

    return run(
        claims, output, documents, settings,
        resume=resume, retry_failed=retry_failed, progress=progress, work=work,
    )  # fmt: skip


def _require_ray() -> None:
    require_package("ray", "Ray", "ray")


def _work(prepared: Prepared, address: str | None, told: Told) -> None:
    worker = prepared.worker()
    if worker.folder is not None:  # as any node can read it, wherever it stands
        worker = replace(worker, folder=worker.folder.elsewhere())
    job = Job(worker, secrets.token_hex(16))
    job.sign_file.write_text(job.sign, "ascii")
    # Sockets stand in the folder, whose whole names may have 107 bytes: TMPDIR may be too long.
    temporary = tempfile.TemporaryDirectory(prefix="vray-", dir="/tmp", ignore_cleanup_errors=True)
    with temporary as name, _driver(Path(name), address) as link:
        order: Order = (job, prepared.left, address, Path(name))
        link.send(order)
        while (heard := _heard(link, Path(name))) is not None:
            told(*heard)


@contextmanager
def _driver(folder: Path, address: str | None) -> Iterator[Connection[Any, Any]]:
    """The process that speaks to Ray; it shuts Ray down once our end of the pipe is closed."""
    ours, theirs = Pipe()
    with theirs, _log(folder).open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", _START, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env=_environment(folder, address),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for us: what follows from it we tell
        )
    try:
        yield ours
    finally:
        ours.close()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _heard(link: Connection[Any, Any], folder: Path) -> tuple[int, int] | None:
    try:
        heard: Outcome | None = link.recv()
    except (EOFError, OSError):
        log = _log(folder).read_text("utf-8", "replace") if _log(folder).exists() else ""
        raise ProcessingError(
            f"The process that speaks to Ray has ended ({last_line(log) or 'it said nothing'}). "
            "What is done is kept; go on with --resume."
        ) from None
    if isinstance(heard, VeridicalError):
        raise heard
    return heard


def _environment(folder: Path, address: str | None) -> dict[str, str]:
    """What Ray reads of its settings: token authentication is on unless the user's own cluster is
    said to be without it.
    """
    environment = os.environ | _QUIET | SAFE_PATH
    if address is not None:
        return environment | {_AUTH_MODE: environment.get(_AUTH_MODE, "token")}
    path = folder / "token"
    path.touch(0o600)
    path.write_text(secrets.token_hex(32), "ascii")
    for name in (_TOKEN, "RAY_ADDRESS"):
        environment.pop(name, None)
    return environment | _ALONE | {_AUTH_MODE: "token", _TOKEN_PATH: str(path)}


def _log(folder: Path) -> Path:
    return folder / "driver.log"
