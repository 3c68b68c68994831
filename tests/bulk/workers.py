"""Workers to which bad things happen at claims that say so, and programs that use them."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from tests.bulk.data import run_in_crew, settings

from veridical.bulk.shard import BulkClaim, DocumentChecker, ShardWorker
from veridical.bulk.tables import Task
from veridical.sources.document import Document


class Checker(DocumentChecker):
    """Does what the words of a claim say, or takes a while where they say nothing."""

    seconds = 0.0

    def check(self, claims: Sequence[BulkClaim]) -> list[tuple[Any, ...]]:
        for claim in claims:
            happen(claim.words)
            time.sleep(self.seconds)
        return super().check(claims)


class SlowChecker(Checker):
    seconds = 0.01


class HostileWorker(ShardWorker):
    """Bad things happen at its claims, and in documents whose text or name says so."""

    checker: ClassVar[type[Checker]] = Checker

    def _read(self, document_id: str, text: str | None) -> Document | None:
        happen(document_id)
        return super()._read(document_id, text)

    def _checker(self, document: Document) -> DocumentChecker:
        return self.checker(document, self.settings.task, self.settings.config)


HELD = "held"
"""The file beside the output that names a document which is not read as long as it is there."""


class SlowWorker(HostileWorker):
    checker = SlowChecker

    def _read(self, document_id: str, text: str | None) -> Document | None:
        held = self.layout.output.parent / HELD
        with suppress(FileNotFoundError):
            while held.read_text("utf-8") == document_id:
                time.sleep(0.02)
        return super()._read(document_id, text)


class MeasuredWorker(HostileWorker):
    """Leaves the most memory that it needed beside the output, in MB."""

    def work(self, *asked: Any) -> tuple[int, int]:
        done = super().work(*asked)
        (self.layout.output.parent / "most").write_text(str(most_memory()), "ascii")
        return done


def most_memory() -> int:
    """The most memory of this process so far, in MB. That of its parent is not in it, as it is in
    what `getrusage` tells."""
    told = Path("/proc/self/status").read_text("ascii")
    return int(next(line for line in told.splitlines() if "VmHWM" in line).split()[1]) // 1024


def happen(words: str) -> None:
    """What may go wrong in native code, or in our own."""
    if "KILL" in words:
        os.kill(os.getpid(), 9)
    if "HANG" in words:
        time.sleep(3_600)
    if "STUCK" in words:  # with the interpreter's lock held, as a native parser may
        ctypes.PyDLL(None).sleep(3_600)
    if "RAISE" in words:
        raise KeyError(words)
    if "EAT" in words:
        eaten = [bytes(16 << 20) for _ in range(512)]
        raise AssertionError(len(eaten))
    if "EXIT" in words:
        os._exit(7)


def main(claims: str, output: str, documents: str, given: str) -> None:
    """Run with slow workers, and say how far it is."""
    values = json.loads(given)
    resume = values.pop("resume", False)
    wanted = settings(Task(values.pop("task", "validate")), **values)
    run_in_crew(
        SlowWorker, claims, Path(output), documents, wanted, resume=resume,
        progress=lambda state: print(f"{state.done} of {state.rows}", flush=True),
    )  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
