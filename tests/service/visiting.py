"""The service without its background work, and clients of it that are different people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from veridical.service.app import create_app
from veridical.service.entry import identity
from veridical.service.settings import Auth, ServiceSettings
from veridical.store.store import Store
from veridical.store.workspaces import Role

HERE = "http://127.0.0.1:8000"
BROWSER = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}
"""What a browser adds to a request that one of our pages makes."""


@dataclass(frozen=True)
class Place:
    """A service, and the store that it works on."""

    app: FastAPI
    store: Store

    def token(self, role: Role = Role.ADMIN, workspace: str = "default", **more: Any) -> str:
        """The secret of a new token."""
        return self.store.tokens.create(workspace, f"a {role}", role, **more)[1]

    def client(self, token: str | None = None, **headers: str) -> TestClient:
        """Somebody who calls it, following no redirects."""
        sent = {**headers, **({"Authorization": f"Bearer {token}"} if token else {})}
        return TestClient(self.app, base_url=HERE, headers=sent, follow_redirects=False)

    def reviewer(self, workspace: str = "default") -> TestClient:
        """A program with the token of a reviewer."""
        return self.client(self.token(Role.REVIEWER, workspace))

    def browser(self) -> TestClient:
        """A browser on one of our pages, not logged in."""
        return self.client(**BROWSER)


@contextmanager
def a_place(
    folder: Path, *, auth: Auth = Auth.OPEN, database: str = "", **settings: Any
) -> Iterator[Place]:
    """A service over an empty database, one of SQLite without a URL."""
    url = database or f"sqlite:///{folder}/service.db"
    with Store.open(url) as store:
        given = ServiceSettings(database=url, auth=auth, **settings)
        yield Place(create_app(given, store=store), store)


class _TwoHoursOn(datetime):
    """A clock that is ahead: a test that waited for its own would be late on a slow machine."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime.now(tz) + timedelta(hours=2)


def two_hours_later(patch: pytest.MonkeyPatch) -> None:
    """Have tokens looked at as they are then."""
    patch.setattr(identity, "datetime", _TwoHoursOn)


def csrf_of(page: str) -> str:
    """The token in the forms of a page."""
    found = re.search(r'name="csrf_token" value="([0-9a-f]{64})"', page)
    assert found, page
    return found[1]


def log_in(browser: TestClient, token: str, next: str = "/") -> Any:
    """What is replied to somebody who fills in the form."""
    form = csrf_of(browser.get("/login").text)
    return browser.post("/login", data={"csrf_token": form, "token": token, "next": next})
