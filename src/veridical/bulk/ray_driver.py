"""The process that speaks to Ray: Ray's threads, signal handlers, logs and settings stay in it, and
it ends with whoever started it.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pyarrow as pa

from veridical import errors
from veridical.bulk.parting import Shard
from veridical.bulk.ray_actor import SHARDS, Job, ShardActor, why_unfit
from veridical.errors import ConfigurationError, MissingExtraError, ProcessingError, VeridicalError

STORE_BYTES = 128 * 1024 * 1024
"""Bound of the object store of a cluster on this machine. What goes through it are names of shards
and numbers, some kilobytes: claims and documents are read by whoever works on them."""

_MOST_RESTARTS = 20
"""Times that an actor is started again: its node may come and go."""

_MOST_RETRIES = 5
"""Times that a shard is tried again because its actor, or its node, is gone. No claim can end an
actor (only its worker process), so it is not the shard's fault; but a run shall end some time."""


_ANSWER_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done: shards, the largest first, by so many actors. `address` is of a cluster,
    None for one of this machine, whose files are in `folder`, which is gone afterwards.
    """

    job: Job
    shards: tuple[Shard, ...]
    address: str | None
    folder: Path


@dataclass(frozen=True, slots=True)
class Word:
    """What is told on the way: rows that are done and failed since the last word. The last word is
    `is_last`, or has the name of an error of `veridical.errors` and its words.
    """

    rows: int = 0
    failed: int = 0
    is_last: bool = False
    error: str = ""
    why: str = ""


def main(descriptor: int) -> None:
    """Take an order from a pipe, work, tell, and shut everything down."""
    link: Connection[Any, Any] = Connection(descriptor)
    order: Order = link.recv()
    is_over = threading.Event()
    threading.Thread(target=_end_with_caller, args=(link, is_over), daemon=True).start()
    last = Word(is_last=True)
    try:
        with closing(_worked(order)) as words:
            for word in words:
                link.send(word)
    except VeridicalError as error:
        last = Word(error=type(error).__name__, why=str(error))
    finally:
        is_over.set()
        shutil.rmtree(order.folder, ignore_errors=True)
    link.send(last)


def _end_with_caller(link: Connection[Any, Any], is_over: threading.Event) -> None:
    """Once the caller's end of the pipe is closed, interrupt what is going on, as Ctrl-C does."""
    try:
        link.recv()
    except (EOFError, OSError):
        if not is_over.is_set():
            os.kill(os.getpid(), signal.SIGINT)


def _worked(order: Order) -> Generator[Word]:
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise MissingExtraError("Ray", "ray") from error
    try:
        _join(ray, order)
        _require_fit(ray, order.job)
        yield from _streamed(ray, order)
    except ray.exceptions.RayError as error:
        raise ProcessingError(
            f"Ray could not finish the work ({_last_line(error)}). "
            "What is done is kept; go on with --resume."
        ) from error
    finally:
        ray.shutdown()


def _join(ray: Any, order: Order) -> None:
    """Join a cluster, or start one. Raises ConfigurationError where none can be reached."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if order.address is None:
        ray.init(
            address="local",
            num_cpus=order.job.settings.workers,
            object_store_memory=STORE_BYTES,
            include_dashboard=False,
            _temp_dir=str(order.folder),
            **quiet,
        )
        return
    try:
        _require_answer(order.address)
        ray.init(address=order.address, **quiet)
    # What is raised where a token is wrong does not say so: it is a ConnectionError too.
    except (ray.exceptions.AuthenticationError, OSError, RuntimeError, ValueError) as error:
        raise ConfigurationError(
            f"The Ray cluster at {order.address} cannot be joined ({_last_line(error)}). Use "
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
                f"({_last_line(error)}). Install 'veridical[ray]' on all nodes."
            )
        if why:
            raise ConfigurationError(why)


def _streamed(ray: Any, order: Order) -> Iterator[Word]:
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    rows = [{name: getattr(one, name) for name in SHARDS.names} for one in order.shards]
    shards = ray.data.from_arrow([pa.Table.from_pylist([row], schema=SHARDS) for row in rows])
    most = min(order.job.settings.workers, len(rows))
    least = max(1, min(most, int(ray.cluster_resources().get("CPU", 1))))
    worked = shards.map_batches(
        ShardActor,
        fn_constructor_args=(order.job,),
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
        if row["error"]:
            raise getattr(errors, row["error"])(row["why"])
        yield Word(row["rows"], row["failed"])


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1].rstrip(".")[:300] if lines else type(error).__name__
