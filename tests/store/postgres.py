"""A real PostgreSQL server for tests: the one of VERIDICAL_TEST_POSTGRES_URL, or one of our own."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import make_url

URL_VARIABLE = "VERIDICAL_TEST_POSTGRES_URL"
INSTALL = "On Debian and Ubuntu: sudo apt-get install postgresql; on macOS: brew install postgresql"
START_SECONDS = 60
STOP_SECONDS = 30

SERVER_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "listen_addresses": "",
    "max_connections": "40",
}


class ServerMissing(Exception):
    """There is no server, nor what it takes to start one."""


@contextmanager
def postgres_server() -> Iterator[str]:
    """The URL of a server whose user may create databases; stopped at the end if it is ours.

    Raises ServerMissing.
    """
    given = os.environ.get(URL_VARIABLE)
    if given:
        yield given
        return
    binaries = server_binaries()
    # Short and of everyone: the path of a socket has 107 bytes at most, and the server's user,
    # who is not root, must reach it.
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    try:
        as_user = _as_server_user(folder)
        _run(
            [*as_user, str(binaries / "initdb"), "-D", str(folder / "data"), "-U", "veridical",
             "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"]
        )  # fmt: skip
        settings = {**SERVER_SETTINGS, "unix_socket_directories": str(folder)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [*as_user, str(binaries / "postgres"), "-D", str(folder / "data"), *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=_environment(), cwd=folder,
            )  # fmt: skip
        try:
            url = f"postgresql://veridical@/postgres?host={folder}"
            _wait_until_ready(server, url, folder / "log")
            yield url
        finally:
            server.send_signal(signal.SIGINT)  # end sessions, then stop
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait(STOP_SECONDS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def new_database(server: str, name: str, template: str = "template0") -> Iterator[str]:
    """The URL of a database of this name, made from a template and dropped at the end."""
    admin = _driver_url(server)
    made, source = sql.Identifier(name), sql.Identifier(template)
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} ENCODING 'UTF8'").format(made, source)
        )
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        with psycopg.connect(admin, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(made))


def _driver_url(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def server_binaries() -> Path:
    """The newest installed server. Debian keeps its programs out of PATH."""
    places = list(Path("/usr/lib/postgresql").glob("*/bin"))
    places.sort(key=lambda place: float(place.parent.name), reverse=True)
    in_path = shutil.which("initdb")
    if in_path:
        places.append(Path(in_path).resolve().parent)
    for place in places:
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    raise ServerMissing(f"there is no PostgreSQL server, and {URL_VARIABLE} is not set. {INSTALL}")


def _as_server_user(folder: Path) -> list[str]:
    """What to put before a command so that it is not run as root, which the server refuses.

    Where the system can, the server also ends when this process is killed.
    """
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        raise ServerMissing(f"as root, setpriv is needed to start a server. Or set {URL_VARIABLE}.")
    user = next(_users("postgres", "nobody"))
    os.chown(folder, user.pw_uid, user.pw_gid)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups",
            "--pdeathsig=INT"]  # fmt: skip


def _users(*names: str) -> Iterator[pwd.struct_passwd]:
    for name in names:
        try:
            yield pwd.getpwnam(name)
        except KeyError:
            continue


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=START_SECONDS,
                          env=_environment(), cwd="/", check=False)  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{command} failed:\n{done.stdout}{done.stderr}")


def _wait_until_ready(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(_driver_url(url), connect_timeout=5).close()
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                text = log.read_text(errors="replace")
                raise RuntimeError(f"the server did not start:\n{text}") from None
            time.sleep(0.02)
        else:
            return


if __name__ == "__main__":
    # `python tests/store/postgres.py COMMAND ...` runs a command with the variable set.
    with postgres_server() as server_url:
        environment = {**os.environ, URL_VARIABLE: server_url}
        sys.exit(subprocess.run(sys.argv[1:], env=environment, check=False).returncode)
