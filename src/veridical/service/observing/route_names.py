"""The template of the route that a request went to: what may be logged and counted, unlike its
path, which names things.
"""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.types import Scope

NO_ROUTE = "(none)"


class RouteNames:
    """Templates by route, with the prefix under which the route was included."""

    def __init__(self) -> None:
        self._names: dict[int, str] | None = None

    def of(self, scope: Scope) -> str:
        """The template of a request that was routed, such as `/api/v1/jobs/{job_id}`."""
        if self._names is None:
            self._names = _names(scope["app"])
        if scope["path"].startswith("/static/"):
            return "/static/{path}"
        known = (self._names.get(id(scope.get(key))) for key in ("route", "endpoint"))
        return next((name for name in known if name is not None), NO_ROUTE)


def _names(app: FastAPI) -> dict[int, str]:
    """By the route, and for those of Starlette, which it does not tell, by the endpoint."""
    names: dict[int, str] = {}
    for context in iter_route_contexts(app.routes):
        for known in (context.original_route, context.endpoint):
            if known is not None and context.path_format is not None:
                names[id(known)] = context.path_format
    return names
