"""What routes ask for, so that a call can be refused before its body is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.params import File
from fastapi.routing import iter_route_contexts
from starlette.types import Scope

from veridical.service.entry.access import admin, reader, reviewer
from veridical.service.entry.csrf import SAFE_METHODS
from veridical.store.tokens import Role

_ROLES = {reader: Role.READER, reviewer: Role.REVIEWER, admin: Role.ADMIN}


@dataclass(frozen=True, slots=True)
class Needs:
    """The role that a route is for, and whether files may be sent to it."""

    role: Role = Role.READER
    takes_file: bool = False


class RouteNeeds:
    """The needs of the routes of an application that change something, as their own parameters
    tell them: `Reviewer` or `Admin`, and an `UploadFile`.
    """

    def __init__(self) -> None:
        self._known: tuple[tuple[re.Pattern[str], frozenset[str], Needs], ...] | None = None

    def of(self, scope: Scope) -> Needs:
        """Those of the route that a request will come to."""
        if scope["method"] in SAFE_METHODS:
            return Needs()
        if self._known is None:
            self._known = tuple(_known(scope["app"]))
        path, method = scope["path"], scope["method"]
        fitting = (one for form, how, one in self._known if method in how and form.match(path))
        return next(fitting, Needs())


def _known(app: FastAPI) -> Iterator[tuple[re.Pattern[str], frozenset[str], Needs]]:
    for context in iter_route_contexts(app.routes):
        methods = frozenset(context.methods or ()) - SAFE_METHODS
        if methods:
            yield context.path_regex, methods, _needs(context.dependant)


def _needs(dependant: Dependant) -> Needs:
    parts = list(_parts(dependant))
    roles = [_ROLES[part.call] for part in parts if part.call in _ROLES]
    fields = (field for part in parts for field in part.body_params)
    return Needs(
        role=max(roles, key=list(Role).index, default=Role.READER),
        takes_file=any(isinstance(field.field_info, File) for field in fields),
    )


def _parts(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for part in dependant.dependencies:
        yield from _parts(part)
