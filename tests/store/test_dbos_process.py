"""DBOS in a process of ours: it reads no pickle, and its logger is left as it was."""

from __future__ import annotations

import base64
import builtins
import logging
import pickle
from typing import Any

import pytest
from dbos._serialization import DBOSDefaultSerializer

from veridical.store.dbos_process import dbos_to_ourselves


class Exploit:
    def __reduce__(self) -> tuple[Any, ...]:
        return exec, ("import builtins; builtins.unpickled = True",)


def test_a_pickle_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    pickled = base64.b64encode(pickle.dumps(Exploit())).decode()
    monkeypatch.delattr(builtins, "unpickled", raising=False)
    with dbos_to_ourselves(logging.getLogger("veridical")):
        with pytest.raises(ValueError, match="a pickle"):
            DBOSDefaultSerializer.deserialize(pickled)
        assert not hasattr(builtins, "unpickled")
    assert DBOSDefaultSerializer.deserialize(DBOSDefaultSerializer.serialize([1])) == [1]


def test_its_logger_is_loud_only_where_ours_is() -> None:
    logger, ours = logging.getLogger("dbos"), logging.getLogger("veridical.test")
    before = logger.level, logger.propagate, logger.handlers[:]
    for level, loud in ((logging.WARNING, False), (logging.DEBUG, True)):
        ours.setLevel(level)
        with dbos_to_ourselves(ours):
            assert logger.propagate == loud
            assert logger.isEnabledFor(logging.INFO) == loud
        assert (logger.level, logger.propagate, logger.handlers) == before
