"""A process that runs `veridical.sources.worker`: fed once, answering once, killed in time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from veridical.errors import ProcessingError

_BOOTSTRAP = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from veridical.sources.worker import main; main()"
)
_KEPT_ENVIRONMENT = (
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "LANG",
    "LC_ALL",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
)


class WorkerProcess:
    """One worker process. `stop` must be called, whatever happens."""

    def __init__(self, max_seconds: float) -> None:
        if not sys.executable:
            raise ProcessingError(
                "No Python interpreter is known to start the document reader with. Run Veridical "
                "from a normal Python installation, or convert PDF and DOCX files to plain text."
            )
        self.timed_out = False
        self.exit_code: int | None = None
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _BOOTSTRAP, json.dumps(_import_path())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={key: os.environ[key] for key in _KEPT_ENVIRONMENT if key in os.environ},
                start_new_session=True,
            )
        except OSError as error:
            raise ProcessingError(
                f"The document reader could not be started ({error.strerror or error}). Free some "
                "memory or processes and try again."
            ) from error
        self._input = cast("IO[bytes]", self._process.stdin)
        self._output = cast("IO[bytes]", self._process.stdout)
        self._timer = threading.Timer(max_seconds, self._time_out)
        self._timer.daemon = True
        self._timer.start()

    def ask(self, *parts: bytes, max_reply_bytes: int) -> bytes | None:
        """Send `parts`, return the whole reply; None where it is larger than allowed.

        The worker reads all of its input before it answers, so writing first cannot block for
        good; where it does not, the timer ends it.
        """
        with suppress(OSError):
            # A worker that died early closes the pipe. Its exit code tells more than this would.
            for part in parts:
                self._input.write(part)
            self._input.close()
        reply = self._output.read(max_reply_bytes + 1)
        return None if len(reply) > max_reply_bytes else reply

    def stop(self) -> None:
        """End the process and all that it started, and collect its exit code.

        One that ended by itself keeps its own exit code: killing does not change it any more.
        """
        self._timer.cancel()
        self._timer.join()
        self._kill()
        self.exit_code = self._process.wait()
        for pipe in (self._input, self._output):
            with suppress(OSError):
                pipe.close()

    def _time_out(self) -> None:
        self.timed_out = True
        self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()


def _import_path() -> list[str]:
    """Where the worker finds its modules: this process's own path, less the working directory.

    The working directory may be the folder of the untrusted documents.
    """
    package_root = str(Path(__file__).absolute().parents[2])
    inherited = [entry for entry in sys.path if Path(entry).is_absolute()]
    return inherited if package_root in inherited else [package_root, *inherited]
