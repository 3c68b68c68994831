"""Words looked for in a column, in any case."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Boolean, ColumnElement, String, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from veridical.errors import ValidationError
from veridical.store.columns import storable

MOST_QUERY_CHARS = 1_000


class _Holds(FunctionElement[bool]):
    """Whether a text holds another, both in lower case."""

    inherit_cache = True
    type = Boolean()


@compiles(_Holds)
def _holds(element: Any, compiler: Any, **options: Any) -> str:
    # Letters beyond ASCII are those that the locale of the database knows.
    text, part = (compiler.process(one, **options) for one in element.clauses)
    return f"(strpos(lower({text}), lower({part})) > 0)"


@compiles(_Holds, "sqlite")
def _holds_on_sqlite(element: Any, compiler: Any, **options: Any) -> str:
    # SQLite's own `lower` knows the letters of ASCII only; the engine makes this one.
    text, part = (compiler.process(one, **options) for one in element.clauses)
    return f"(instr(veridical_lower({text}), veridical_lower({part})) > 0)"


def holds(column: ColumnElement[Any], words: str) -> ColumnElement[bool]:
    """Whether `words` is part of a text. Raises ValidationError above `MOST_QUERY_CHARS`."""
    if len(words) > MOST_QUERY_CHARS:
        raise ValidationError(f"A search has at most {MOST_QUERY_CHARS:,} characters.")
    return _Holds(column, literal(storable(words), String()))
