"""ONNX networks and their tokenizers, as every one of ours is run."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.errors import ConfigurationError

_RUNNING = threading.Condition()
_count = 0
_ends = False


def run(session: Any, outputs: Sequence[str], feed: Mapping[str, Any]) -> list[Any]:
    """What a session gives for its inputs. When the process ends, none is left running.

    A daemon thread that comes back from native code after Python has ended brings the process down
    with SIGABRT: so the end waits for those that run, and holds back what they would begin. Other
    threads go on: they may be what the end itself is waiting for.
    """
    global _count  # noqa: PLW0603
    with _RUNNING:
        if threading.current_thread().daemon:
            _RUNNING.wait_for(lambda: not _ends)
        _count += 1
    try:
        return list(session.run(list(outputs), dict(feed)))
    finally:
        with _RUNNING:
            _count -= 1
            _RUNNING.notify_all()


@atexit.register
def _end() -> None:
    global _ends  # noqa: PLW0603
    with _RUNNING:
        _ends = True
        _RUNNING.wait_for(lambda: not _count, timeout=_MOST_SECONDS)


_MOST_SECONDS = 5.0

INSTALL_AGAIN = (
    "Install it again: pip install --force-reinstall onnxruntime; where the memory of a process is "
    "limited, raise the limit."
)


def onnx_session(model: str | bytes, threads: int) -> Any:
    """A model, by its path or its bytes, ready to be run. Raises ConfigurationError where ONNX
    Runtime cannot be loaded, MemoryError for want of memory, and its errors where the model cannot.

    Nothing is told to anybody of it: from 1.29 on ONNX Runtime would send what models are loaded to
    its makers, and keep an identifier of the machine in the user's cache.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read once, when the library is loaded
    try:
        import onnxruntime

        onnxruntime.disable_telemetry_events()  # for a process that had loaded it before
    except MemoryError:
        raise
    except Exception as problem:  # a library that is half there fails in many ways
        raise ConfigurationError(
            f"ONNX Runtime, which runs Veridical's networks, cannot be loaded ({problem}). "
            f"{INSTALL_AGAIN}"
        ) from problem
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Freed memory goes back: a ledger of one long answer must not hold it for ever.
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


_MOST_CORES = 8


def cores() -> int:
    """How many networks this process may run at a time: `OMP_NUM_THREADS`, where that is set, as
    in workers that have a processor each; else the processors that it may use, at most 8.
    """
    told = os.environ.get("OMP_NUM_THREADS", "")
    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    have = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return int(told) if told.isdecimal() and int(told) else min(have, _MOST_CORES)


def safe(text: str) -> str:
    """A text as tokenizers take it: without halves of surrogate pairs, which JSON may hold."""
    return text.encode("utf-8", "replace").decode()
