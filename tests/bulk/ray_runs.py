"""Runs on Ray in processes of their own (`python -m tests.bulk.ray_runs`), without a network where
the system lets us take it away.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.bulk.data import Given, settings

from veridical.bulk import State, Task, run
from veridical.bulk.ray_engine import run_on_ray

ROOT = Path(__file__).parents[2]
MARK = "VERIDICAL_TEST_RUN"
"""What all processes of a run have in their environment, Ray's too."""


class OnRay(Given):
    """Some work for two actors."""

    def __init__(self, folder: Path, task: Task) -> None:
        super().__init__(folder, 32, 400, task)
        self.settings = settings(task, shard_rows=8, workers=2)

    def require_same(self, local: Path) -> None:
        """Every row once, as a plain loop has them, in the same bytes as a local run."""
        self.require_whole()
        for path in sorted(local.iterdir()):
            assert (self.output / path.name).read_bytes() == path.read_bytes(), path.name

    def go_on_locally(self) -> None:
        run(*self.where, self.settings, resume=True)


@contextmanager
def started(given: OnRay, *, look: bool = False, resume: bool = False) -> Iterator[Any]:
    """A run on Ray in a process of its own; whatever of it still runs at the end is killed."""
    command = [
        *_network_of_its_own(), sys.executable, "-m", "tests.bulk.ray_runs", str(given.folder),
        given.task.value, str(int(look)), str(int(resume)),
    ]  # fmt: skip
    errors = given.folder / "errors.txt"
    with errors.open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment(given.folder), stdout=subprocess.PIPE, stderr=log,
            text=True, start_new_session=True,
        )  # fmt: skip
    try:
        yield process
    except BaseException:
        print(errors.read_text("utf-8", "replace"))  # shown where the test fails
        raise
    finally:
        for pid in family(given.folder):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.communicate()


def _network_of_its_own() -> list[str]:
    command = ["unshare", "--user", "--map-root-user", "--net"]
    with suppress(FileNotFoundError):
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    return []


def environment(folder: Path) -> dict[str, str]:
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    return {**os.environ, "PYTHONPATH": path, MARK: str(folder), "OMP_NUM_THREADS": "1"}


def family(folder: Path) -> dict[int, str]:
    """The processes of a run that still run, with their command lines."""
    mark, found = f"{MARK}={folder}".encode(), {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # it has ended, or is none of ours
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found[int(entry.name)] = _line(entry)
    return found


def _line(entry: Path) -> str:
    return (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()


def require_nobody_left(given: OnRay) -> None:
    wait_until(lambda: not family(given.folder))


def wait_until(is_so: Callable[[], bool], seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def wait_for(process: Any, wanted: Callable[[dict[str, Any]], bool]) -> None:
    for line in process.stdout:
        if wanted(json.loads(line)):
            return
    raise AssertionError("the run has ended")


# --- what follows runs in the process that is started ---------------------------------------------


def _main(folder: Path, task: Task, look: bool, resume: bool) -> None:
    _bring_loopback_up()
    before, has_looked = dict(os.environ), False

    def progress(state: State) -> None:
        nonlocal has_looked
        print(json.dumps({"done": state.done if has_worked(state) else 0}), flush=True)
        if look and has_worked(state) and not has_looked:
            has_looked = True
            print(json.dumps({"seen": _seen()}), flush=True)

    first: list[int] = []

    def has_worked(state: State) -> bool:
        """Whether more is done than was at first."""
        if state.rows:
            first.append(state.done)
        return bool(first) and state.done > first[0]

    run_on_ray(
        str(folder / "claims.parquet"), folder / "out", str(folder / "documents.parquet"),
        settings(task, shard_rows=8, workers=2), resume=resume, progress=progress,
    )  # fmt: skip
    kept = {"environment is as before": dict(os.environ) == before}
    print(json.dumps(kept | {"Ray is imported": "ray" in sys.modules}), flush=True)


def _bring_loopback_up() -> None:
    get_flags, set_flags, up = 0x8913, 0x8914, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one, suppress(PermissionError):
        asked = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(one, get_flags, asked))[1]
        fcntl.ioctl(one, set_flags, struct.pack("16sh14x", b"lo", flags | up))


def _seen() -> dict[str, Any]:
    """What one sees of the cluster while it is held, and an actor that is killed then."""
    mine = family(Path(os.environ[MARK]))
    driver = next(pid for pid, line in mine.items() if "ray_engine" in line)
    server = next(pid for pid, line in mine.items() if "gcs_server" in line)
    os.kill(driver, signal.SIGSTOP)  # else the work is over before the questions are
    try:
        spoken = _variables(server)
        raylet = next(line for line in mine.values() if "--gcs-address=" in line)
        address = raylet.partition("--gcs-address=")[2].split()[0]
        killed = next((pid for pid, line in mine.items() if line.startswith("ray::Map")), None)
        if killed:
            os.kill(killed, signal.SIGKILL)
        return {
            "without token": _asked(address, {"RAY_AUTH_MODE": "disabled"}),
            "with token": _asked(address, {k: v for k, v in spoken.items() if "_AUTH_" in k}),
            "usage statistics": spoken["RAY_USAGE_STATS_ENABLED"],
            "listening elsewhere": _open_to_others(set(mine)),
            "killed": killed,
            "token in": spoken["RAY_AUTH_TOKEN_PATH"],
        }
    finally:
        os.kill(driver, signal.SIGCONT)


def _variables(pid: int) -> dict[str, str]:
    told = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    return {name: value for name, _, value in (one.partition("=") for one in told)}


def _asked(address: str, access: dict[str, str]) -> str:
    """What a client of the cluster gets to hear."""
    program = """
import sys
from ray._raylet import GcsClient
try:
    assert GcsClient(address=sys.argv[1]).get_all_node_info(timeout=30)
    print("let in")
except Exception as error:
    print(type(error).__name__)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, address], env=os.environ | access,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def _open_to_others(pids: set[int]) -> list[str]:
    """Addresses but loopback that some processes listen on, as the system writes them."""
    loopback = ("0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F")
    ours = set()
    for pid in pids:
        for link in Path(f"/proc/{pid}/fd").glob("*"):
            with suppress(OSError):
                ours.add(str(link.readlink()).removeprefix("socket:[").removesuffix("]"))
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/self/net/{name}").read_text("ascii").splitlines()[1:]
    ]
    listening = [row[1].partition(":")[0] for row in rows if row[3] == "0A" and row[9] in ours]
    assert listening
    return [address for address in listening if address not in loopback]


if __name__ == "__main__":
    _main(Path(sys.argv[1]), Task(sys.argv[2]), sys.argv[3] == "1", sys.argv[4] == "1")
