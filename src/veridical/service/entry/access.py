"""Who makes a request, in which workspace, and what they may do: the one place that decides it.

Endpoints take `Reader`, `Reviewer` or `Admin` as a parameter, and reach what is stored through its
shelf only. A test enumerates the routes and holds that each that is not on `OPEN_ROUTES` takes one.
Nobody whom we do not know comes as far as a route that is not on it (see `Authentication`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from veridical.service.entry.cookies import check_csrf
from veridical.service.errors import ForbiddenError, UnauthorizedError
from veridical.store.shelf import Shelf
from veridical.store.tokens import Role

OPEN_ROUTES = frozenset(
    {
        "/health",
        "/ready",
        "/login",
        "/openapi.json",
        "/static/{}",
        "/static/reports/{}",
        "/api/v1/downloads/{}",
    }
)
"""Paths that need no token, `{}` for any parameter. A download has a signature instead."""

_OPEN_PATHS = re.compile(
    "|".join(re.escape(route).replace(r"\{\}", ".+" if "static" in route else "[^/]+")
             for route in sorted(OPEN_ROUTES))
)  # fmt: skip


def template_of(path: str) -> str:
    """A path of a route with `{}` for its parameters, as `OPEN_ROUTES` has them."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def is_open(path: str) -> bool:
    """Whether a path needs no token."""
    return _OPEN_PATHS.fullmatch(path) is not None


@dataclass(frozen=True, slots=True)
class Access:
    """Someone in a workspace. `actor` is the name of the token ("local" with open access).

    `new_id` is the id that what this call makes is to have: the same one each time that the call is
    made. Without it, any. `session_nonce` is that of the log-in, where one was used, and
    `by_header` says that a token was sent in a header.
    """

    shelf: Shelf
    role: Role
    actor: str
    token_id: str | None = None
    new_id: str | None = None
    session_nonce: str | None = None
    by_header: bool = False

    @property
    def workspace(self) -> str:
        """The name of the workspace."""
        return self.shelf.workspace

    def may(self, role: Role) -> bool:
        """Whether they may do what a role may: what pages offer, and endpoints insist on."""
        return self.role.covers(role)


async def reader(request: Request) -> Access:
    """Someone who may look."""
    return await _allowed(request, Role.READER)


async def reviewer(request: Request) -> Access:
    """Someone who may add and decide."""
    return await _allowed(request, Role.REVIEWER)


async def admin(request: Request) -> Access:
    """Someone who may take away, and let others in."""
    return await _allowed(request, Role.ADMIN)


def access_of(request: Request) -> Access | None:
    """Whoever makes a request, where that is known: for error pages, which anyone may see."""
    return getattr(request.state, "access", None)


def caller_of(request: Request) -> str:
    """What all calls of somebody have in common: the token, or the address where there is none."""
    access = access_of(request)
    if access is not None and access.token_id is not None:
        return access.token_id
    return address_of(request)


def address_of(connection: HTTPConnection) -> str:
    """The address that a request came from; empty where the server does not know it."""
    return connection.client.host if connection.client is not None else ""


def require_role(access: Access, role: Role) -> None:
    """Raises ForbiddenError for whoever may not do what needs this role."""
    if not access.may(role):
        raise ForbiddenError(f"This needs the role {role}; the token has the role {access.role}.")


async def _allowed(request: Request, role: Role) -> Access:
    access = access_of(request)
    if access is None:
        raise UnauthorizedError("This needs a token.")
    require_role(access, role)
    await check_csrf(request)
    return access


Reader = Annotated[Access, Depends(reader)]
Reviewer = Annotated[Access, Depends(reviewer)]
Admin = Annotated[Access, Depends(admin)]
