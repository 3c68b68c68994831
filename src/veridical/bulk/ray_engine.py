"""Bulk work on Ray: the same shards, the same parts and the same results as on one machine.

Parts stand under their last name only once they are whole, so where a part is its shard is done,
whoever worked on it: a run that one engine began the other can finish. Ray Data's own
`CheckpointConfig` would be a second, slower account of the same.

A process of its own speaks to Ray, in which its threads, signal handlers, logs and settings stay,
and which ends with whoever started it. On the nodes actors work on shards, each with one worker
process of its own, so that a claim that ends its process costs the same as on one machine: itself.
"""

from __future__ import annotations

import os
import pickle
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pyarrow as pa

from veridical.bulk.cutting import Progress, Shard
from veridical.bulk.local import Prepared, run
from veridical.bulk.places import StrPath
from veridical.bulk.pool import SAFE_PATH, Outcome, Told, WorkerPool
from veridical.bulk.settings import BulkSettings
from veridical.bulk.shard import ShardWorker
from veridical.bulk.summary import BulkSummary
from veridical.errors import ConfigurationError, ProcessingError, VeridicalError, require_package
from veridical.version import __version__

SHARDS = pa.schema([("number", pa.int64()), ("piece", pa.int64()), ("rows", pa.int64())])
"""What goes to an actor: a shard a row."""

_OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Job:
    """What every node is told. All paths are absolute. `sign` is what it must read in the folder of
    the work, as proof that it sees the same storage.
    """

    worker: ShardWorker
    sign: str
    version: str = __version__

    @property
    def sign_file(self) -> Path:
        """Where all nodes should see the sign."""
        return self.worker.layout.folder / "sign"


Order = tuple[Job, Sequence[Shard], str | None, Path]
"""What is to be done: the job, its shards, the largest first, and the address of a cluster, None
for one of this machine, whose files are in the folder, which is gone afterwards."""

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else it warns of a change that is none of ours
}
_ALONE = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""By this a cluster of Ray's listens on loopback only: it then is of one machine, on any system."""

_AUTH_MODE, _TOKEN, _TOKEN_PATH = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"

_START = "import sys; from veridical.bulk.ray_engine import main; main(int(sys.argv[1]))"
"""With `-m` its classes would be those of `__main__`, which cannot be sent here."""

_LOG = "driver.log"
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
    require_package("ray", "Ray", "ray")
    if address is not None and "://" in address:
        raise ConfigurationError(
            f"{address}: Ray Client is not supported. Start this on a machine of the cluster, with "
            "the address 'auto' or HOST:PORT."
        )

    def work(prepared: Prepared, told: Told) -> None:
        if prepared.left:
            _work(prepared, address, told)

    return run(claims, output, documents, settings, resume=resume, progress=progress, work=work)


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
    with theirs, (folder / _LOG).open("wb") as log:
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
        log = (folder / _LOG).read_text("utf-8", "replace") if (folder / _LOG).exists() else ""
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


# In the process that speaks to Ray, and on the nodes.


def why_unfit(job: Job) -> str:
    """Why this node cannot take part, "" where it can."""
    node = f"The node {socket.gethostname()}"
    if job.version != __version__:
        return (
            f"{node} has Veridical {__version__}, and this machine {job.version}. "
            "Install the same everywhere."
        )
    try:
        seen = job.sign_file.read_text("ascii")
    except (OSError, ValueError):
        seen = ""
    shared = "Put output and documents in a folder that all nodes share, under the same path."
    if seen != job.sign:
        return f"{node} does not see the output's {job.worker.layout.folder}. {shared}"
    documents = job.worker.folder
    if documents is not None and not documents.folder.is_dir():
        return f"{node} does not see the documents in {documents.folder}. {shared}"
    return ""


class ShardActor:
    """Works on shards for as long as Ray keeps it; what is costly to make stays in its worker."""

    def __init__(self, job: Job) -> None:
        # A process that is spawned imports what was the main module first: Ray's, which costs two
        # seconds and 100 MB, and is of no use to a worker.
        vars(sys.modules["__main__"]).pop("__file__", None)
        self._unfit = why_unfit(job)
        settings = replace(job.worker.settings, workers=1)
        self._pool = WorkerPool(replace(job.worker, settings=settings))

    def __call__(self, shards: pa.Table) -> pa.Table:
        """Work on shards (`SHARDS`), and say what came of each: an `Outcome`, pickled."""
        outcomes = [pickle.dumps(self._work(Shard(**one))) for one in shards.to_pylist()]
        return pa.table({_OUTCOME: outcomes})

    def _work(self, shard: Shard) -> Outcome:
        done: list[tuple[int, int]] = []
        try:
            if self._unfit:
                raise ConfigurationError(self._unfit)
            self._pool.work_on([shard], lambda *told: done.append(told))
        except VeridicalError as error:
            return error
        return done[0]


STORE_BYTES = 128 * 1024 * 1024
"""Bound of the object store of a cluster on this machine. What goes through it are names of shards
and numbers, some kilobytes: claims and documents are read by whoever works on them."""

_MOST_RESTARTS = 20
"""Times that an actor is started again: its node may come and go."""

_MOST_RETRIES = 5
"""Times that a shard is tried again because its actor, or its node, is gone. No claim can end an
actor (only its worker process), so it is not the shard's fault; but a run shall end some time."""


_ANSWER_SECONDS = 10.0


def main(descriptor: int) -> None:
    """Take an `Order` from a pipe, work, and shut everything down. Sends what came of each shard as
    a worker does (`pool.Outcome`), and last the error that ended the work, or None.
    """
    link: Connection[Any, Any] = Connection(descriptor)
    order: Order = link.recv()
    is_over = threading.Event()
    threading.Thread(target=_end_with_caller, args=(link, is_over), daemon=True).start()
    problem = None
    try:
        with closing(_worked(*order)) as worked:
            for told in worked:
                link.send(told)
    except VeridicalError as error:
        problem = error
    finally:
        is_over.set()
        shutil.rmtree(order[-1], ignore_errors=True)
    link.send(problem)


def _end_with_caller(link: Connection[Any, Any], is_over: threading.Event) -> None:
    """Once the caller's end of the pipe is closed, interrupt what is going on, as Ctrl-C does."""
    try:
        link.recv()
    except (EOFError, OSError):
        if not is_over.is_set():
            os.kill(os.getpid(), signal.SIGINT)


def _worked(
    job: Job, shards: Sequence[Shard], address: str | None, folder: Path
) -> Generator[tuple[int, int]]:
    import ray
    import ray.data

    try:
        _join(ray, job, address, folder)
        _require_fit(ray, job)
        yield from _streamed(ray, job, shards)
    except ray.exceptions.RayError as error:
        raise ProcessingError(
            f"Ray could not finish the work ({_told(error)}). "
            "What is done is kept; go on with --resume."
        ) from error
    finally:
        ray.shutdown()


def _join(ray: Any, job: Job, address: str | None, folder: Path) -> None:
    """Join a cluster, or start one. Raises ConfigurationError where none can be reached."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if address is None:
        ray.init(
            address="local",
            num_cpus=job.worker.settings.workers,
            object_store_memory=STORE_BYTES,
            include_dashboard=False,
            _temp_dir=str(folder),
            **quiet,
        )
        return
    try:
        _require_answer(address)
        ray.init(address=address, **quiet)
    # What is raised where a token is wrong does not say so: it is a ConnectionError too.
    except (ray.exceptions.AuthenticationError, OSError, RuntimeError, ValueError) as error:
        raise ConfigurationError(
            f"The Ray cluster at {address} cannot be joined ({_told(error)}). Use "
            "'auto' on a machine of it, or HOST:PORT of its head; its token is read from "
            "RAY_AUTH_TOKEN, or from the file that RAY_AUTH_TOKEN_PATH names."
        ) from error


def _require_answer(address: str) -> None:
    """Raise OSError or ValueError where nobody listens: Ray would try again for minutes."""
    host, colon, port = address.rpartition(":")
    if colon:
        socket.create_connection((host, int(port)), timeout=_ANSWER_SECONDS).close()


def _require_fit(ray: Any, job: Job) -> None:
    """Ask each node whether it can take part. Raises ConfigurationError where one cannot."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    ask = ray.remote(why_unfit)
    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    answers = [
        ask.options(
            num_cpus=0,
            max_retries=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False),
        ).remote(job)
        for node in nodes
    ]
    for node, answer in zip(nodes, answers, strict=True):
        try:
            why = ray.get(answer)
        except ray.exceptions.RayTaskError as error:
            why = (
                f"The node {node['NodeManagerHostname']} cannot run Veridical "
                f"({_told(error)}). Install 'veridical[ray]' on all nodes."
            )
        if why:
            raise ConfigurationError(why)


def _streamed(ray: Any, job: Job, shards: Sequence[Shard]) -> Iterator[tuple[int, int]]:
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    given = ray.data.from_arrow(
        [pa.Table.from_pylist([asdict(shard)], schema=SHARDS) for shard in shards]
    )
    most = min(job.worker.settings.workers, len(shards))
    least = max(1, min(most, int(ray.cluster_resources().get("CPU", 1))))
    worked = given.map_batches(
        ShardActor,
        fn_constructor_args=(job,),
        batch_size=1,
        batch_format="pyarrow",
        # With one in flight an actor waited for Ray to hand it the next, a sixth of its time. The
        # last shards are the smallest, so that a second one waits little in vain at the end.
        compute=ray.data.ActorPoolStrategy(
            min_size=least, max_size=most, max_tasks_in_flight_per_actor=2
        ),
        num_cpus=1,
        max_restarts=_MOST_RESTARTS,
        max_task_retries=_MOST_RETRIES,
    )
    for row in worked.iter_rows():
        outcome: Outcome = pickle.loads(row[_OUTCOME])  # noqa: S301  # of an actor of ours
        if isinstance(outcome, VeridicalError):
            raise outcome
        yield outcome


def _told(error: BaseException) -> str:
    return last_line(str(error)).rstrip(".") or type(error).__name__


def last_line(text: str) -> str:
    """The last line of a text that is not blank, cut where it is long; "" where there is none."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""
