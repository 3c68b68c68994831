"""`veridical db` and `token`: the work itself is tested with the store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import Result
from tests.cli.harness import complaint, invoke
from tests.store.later import become_later
from tests.store.samples import sample_ledger

from veridical.store.schema import HEAD
from veridical.store.store import Store
from veridical.store.workspaces import Role

ID = sample_ledger().id


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("VERIDICAL_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_database_that_a_service_works_with_is_not_restored(desk: Path) -> None:
    with Store.open("kept.db") as store:
        store.save(sample_ledger())
    assert invoke("db", "backup", "copy.db", "--database", "kept.db").exit_code == 0
    (desk / "link.db").symlink_to("kept.db")
    with Store.open("link.db") as store, store.job_board.being_served():
        for named in ("kept.db", "link.db"):
            done = invoke("db", "restore", "copy.db", "--database", named, "--force")
            assert "A service works with the database" in refused(done)
    done = invoke("db", "restore", "copy.db", "--database", "kept.db", "--force")
    assert done.exit_code == 0


def refused(done: Result) -> str:
    assert done.exit_code == 2
    assert done.stdout == ""
    return complaint(done.stderr)


def test_an_upgrade_says_what_it_did(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open("old.db").close()
    become_later(monkeypatch)
    for named, said in (
        ("new.db", "is made, with tables of version 0006"),
        ("old.db", f"is upgraded from version {HEAD} to 0006"),
        ("old.db", "is up to date: its tables are of version 0006"),
    ):
        done = invoke("db", "upgrade", "--database", named)
        assert done.exit_code == 0
        assert done.stdout.startswith(f"The database {named} {said}")


def test_the_database_is_that_of_the_option_or_the_environment_or_the_usual_one(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert invoke("db", "upgrade").exit_code == 0
    monkeypatch.setenv("VERIDICAL_STORE", f"sqlite:///{desk}/named.db")
    assert invoke("db", "upgrade").exit_code == 0
    assert invoke("db", "upgrade", "--database", "given.db").exit_code == 0
    assert {path.name for path in desk.iterdir()} == {"veridical.db", "named.db", "given.db"}


@pytest.mark.parametrize(
    "command",
    [["show", ID], ["list"], ["export", ID, "-o", "x.json"], ["verify", ID, "--documents", "."]],
    ids=str,
)
def test_commands_that_read_leave_an_older_database_as_it_is(
    desk: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.open("old.db").close()
    become_later(monkeypatch)
    before = (desk / "old.db").read_bytes()
    said = refused(invoke("ledger", command[0], *command[1:], "--store", "old.db"))
    assert "older version" in said
    assert "veridical db upgrade --database" in said
    assert (desk / "old.db").read_bytes() == before


def test_a_check_counts_and_finds(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open("store.db") as store:
        store.save(sample_ledger(7))
    done = invoke("db", "check", "--database", "store.db")
    assert done.exit_code == 0
    assert "\n           7 claims\n" in done.stdout
    assert done.stdout.endswith("No problem was found.\n")
    with closing(sqlite3.connect("store.db")) as raw, raw:
        raw.execute("DELETE FROM sessions")
    done = invoke("db", "check", "--database", "store.db")
    assert done.exit_code == 1
    assert "A row of claims belongs to one of sessions that is not there." in done.stderr
    become_later(monkeypatch)
    done = invoke("db", "check", "--database", "store.db")
    assert done.exit_code == 1
    assert "veridical db upgrade" in done.stderr
    assert "There is no database none.db" in refused(invoke("db", "check", "--database", "none.db"))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("postgresql://ada:hush@db.example/claims", "postgresql://ada@db.example/claims"),
        ("postgresql://ada@/claims?host=/tmp/x", "'postgresql://ada@/claims?host=%2Ftmp%2Fx'"),
        (
            "postgresql://ada:hush@db:5433/claims?sslmode=require&sslpassword=hush&passfile=hush",
            "'postgresql://ada@db:5433/claims?sslmode=require'",
        ),
        (
            "postgresql://ada@/claims?host=a:1&host=b:2&password=hush",
            "'postgresql://ada@/claims?host=a%2Cb&port=1%2C2'",
        ),
        ("postgresql:///?service=x", "'postgresql://?service=x'"),
        (
            "postgresql://db/claims?options=-c%20a%3Db%2Bc",
            "'postgresql://db/claims?options=-c%20a%3Db%2Bc'",
        ),
    ],
)
def test_the_programs_are_told_the_same_database(given: str, told: str) -> None:
    """Without its query a URL names another database, which `--clean` would empty."""
    said = refused(invoke("db", "backup", "my copy", "--database", given))
    assert said.endswith(f"pg_dump --format=custom --file='my copy' {told}")
    said = refused(invoke("db", "restore", "my copy", "--database", given))
    assert "pg_restore --clean --if-exists --no-owner " in said
    plain = told.strip("'")
    assert f"--dbname={plain} my copy" in said.replace("'", "")
    assert "hush" not in said


# --- `veridical token`: a secret that can be piped, and is shown once -----------------------------


def create(*more: str, workspace: str = "claims", role: str = "reviewer") -> str:
    done = invoke("token", "create", "--workspace", workspace, "--role", role, *more)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.count("\n") == 1
    assert done.stdout.strip() not in done.stderr
    return done.stdout.strip()


def test_the_secret_stands_alone_and_is_good() -> None:
    secret = create("--name", "Ada Byron", "--expires", "30")
    with Store.open("veridical.db", create=False) as store:
        token = store.tokens.by_secret(secret)
        assert token is not None
        assert (token.name, token.role, token.workspace) == ("Ada Byron", Role.REVIEWER, "claims")
        assert token.expires_at is not None
        left = token.expires_at - datetime.now(UTC)
        assert timedelta(days=29, hours=23) < left <= timedelta(days=30)
    unnamed = create(role="admin")
    with Store.open("veridical.db", create=False) as store:
        token = store.tokens.by_secret(unnamed)
        assert token is not None
        assert (token.name, token.expires_at) == ("admin", None)


def test_tokens_are_listed_without_their_secrets_and_revoked() -> None:
    secrets = [create("--name", "Ada"), create("--name", "Bo", workspace="other")]
    done = invoke("token", "list")
    assert done.exit_code == 0
    lines = [line.split("  ") for line in done.stdout.splitlines()]
    assert [line[1:] for line in lines] == [
        ["until it is revoked", "reviewer", "claims", "Ada"],
        ["until it is revoked", "reviewer", "other", "Bo"],
    ]
    assert not any(secret in done.stdout for secret in secrets)
    assert len(invoke("token", "list", "--workspace", "other").stdout.splitlines()) == 1
    first = lines[0][0]
    done = invoke("token", "revoke", first)
    assert (done.exit_code, done.stdout) == (0, "")
    assert f"{first}  revoked  " in invoke("token", "list").stdout
    with Store.open("veridical.db", create=False) as store:
        token = store.tokens.by_secret(secrets[0])
        assert token is not None
        assert not token.is_good(datetime.now(UTC))


def test_what_cannot_be_done_is_told() -> None:
    assert invoke("token", "list").exit_code == 2
    done = invoke("token", "list")
    assert "There is no database veridical.db" in complaint(done.stderr)
    create()
    done = invoke("token", "revoke", "none")
    assert (done.exit_code, done.stderr) == (1, "There is no token none.\n")
    for wrong in (
        ["--workspace", "", "--role", "admin"],
        ["--workspace", "a", "--role", "admin", "--name", "x" * 101],
    ):
        done = invoke("token", "create", *wrong)
        assert done.exit_code == 2
        complaint(done.stderr)
        assert done.stdout == ""
    for wrong in (["--role", "owner"], ["--role", "admin", "--expires", "0"], []):
        assert invoke("token", "create", "--workspace", "a", *wrong).exit_code == 2
    assert invoke("token", "list", "--workspace", "empty").stderr == "There are no tokens.\n"
