"""What runs on Ray: the process that speaks to it, in which its threads, signal handlers, logs and
settings stay, and which ends with whoever started it; and on the nodes actors that work on shards,
each with one worker process of its own, so that a claim that ends its process costs the same as on
one machine: itself.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pyarrow as pa

from veridical.bulk.cutting import Shard
from veridical.bulk.pool import Outcome, WorkerPool
from veridical.bulk.shard import ShardWorker
from veridical.errors import ConfigurationError, ProcessingError, VeridicalError
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

Order = tuple[Job, Sequence[Shard], str | None, Path]
"""What is to be done: the job, its shards, the largest first, and the address of a cluster, None
for one of this machine, whose files are in the folder, which is gone afterwards."""


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
