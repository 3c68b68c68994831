"""`veridical token`: a secret that can be piped, and is shown once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke

from veridical.store.store import Store
from veridical.store.workspaces import Role


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("VERIDICAL_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
