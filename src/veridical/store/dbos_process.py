"""DBOS in this process: one use of it at a time, silent, and never reading a pickle.

Imports DBOS, so only those who launch it import this.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import dbos._dbos
import dbos._serialization

from veridical.errors import ProcessingError
from veridical.store.engine import Database

_LOCK = threading.Lock()


@contextmanager
def dbos_to_ourselves(logger: logging.Logger, *, wait_seconds: float = -1) -> Iterator[None]:
    """Inside the block nobody else here uses DBOS. `logger` is that of whoever does now.

    DBOS is one to a process, so threads wait here for each other, at most `wait_seconds` (-1: as
    long as it takes). Raises ProcessingError where this process uses DBOS for something else.
    """
    if not _LOCK.acquire(timeout=wait_seconds):
        raise _busy()
    try:
        if dbos._dbos._dbos_global_instance is not None:
            raise _busy()
        with ExitStack() as stack:
            stack.enter_context(_quiet(logger))
            stack.enter_context(_no_pickles())
            yield
    finally:
        _LOCK.release()


def dbos_url(database: Database) -> str:
    """The URL of a database as DBOS takes it, with its password."""
    return database.engine.url.render_as_string(hide_password=False)


def dbos_log_level() -> str:
    """What DBOS is to be configured with, so that it leaves its logger as it is."""
    return logging.getLevelName(logging.getLogger("dbos").level)


def _busy() -> ProcessingError:
    return ProcessingError(
        "this process runs DBOS already, and there can be one only. Do one thing after the other, "
        "or each in a process of its own"
    )


@contextmanager
def _quiet(ours: logging.Logger) -> Iterator[None]:
    """DBOS says nothing, or with our own logging at DEBUG what it does, where we log ourselves."""
    logger = logging.getLogger("dbos")
    before = logger.level, logger.propagate, logger.handlers[:]
    # With a handler of ours in place DBOS does not add one that writes to the terminal.
    logger.handlers[:] = [logging.NullHandler()]
    logger.propagate = ours.isEnabledFor(logging.DEBUG)
    logger.setLevel(logging.INFO if logger.propagate else logging.CRITICAL)
    try:
        yield
    finally:
        logger.propagate, logger.handlers[:] = before[1:]
        logger.setLevel(before[0])


@contextmanager
def _no_pickles() -> Iterator[None]:
    """Keep DBOS from reading pickles, which could run any code.

    It writes JSON as it is told, but still reads whatever a row of the database says it is.
    """

    def refuse(_: Any) -> Any:
        raise ValueError("a pickle, where only JSON is stored")

    default: Any = dbos._serialization.DBOSDefaultSerializer
    default.deserialize = refuse
    try:
        yield
    finally:
        del default.deserialize
