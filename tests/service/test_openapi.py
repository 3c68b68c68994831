"""The service against its own description: replies are as it says, whatever is sent, never 5xx."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.python.asgi import shutdown_lifespans
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.service.seeding import seed
from tests.service.visiting import a_place
from tests.store.shelves import ledger_in

from veridical.service.settings import Auth

_TOO_LONG = 414


def refused_where_wrong(context: Any, response: Any, case: Any) -> bool | None:
    """The check of schemathesis, which does not know of addresses that are too long."""
    return (
        None
        if response.status_code == _TOO_LONG
        else negative_data_rejection(context, response, case)
    )


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    refused_where_wrong,
]
EXAMPLES = 2
"""Of each kind of call to each operation."""

_QUICKLY = settings(
    max_examples=EXAMPLES, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


@dataclass(frozen=True)
class Described:
    """The operations of a service that holds documents and a ledger, ids of what is there, and
    headers that let one in."""

    operations: list[Any]
    real: dict[str, str]
    headers: dict[str, str]

    def of(self, operation: Any) -> dict[str, str] | None:
        """The path of a call that finds something; None where there is no such path."""
        names = {parameter.name for parameter in operation.path_parameters}
        if not names or not names <= self.real.keys() or operation.method == "delete":
            return None
        return {name: self.real[name] for name in names}


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Described]:
    # Beforehand: while Hypothesis changes how deep Python may go, a thread that compiles may fail.
    import_module("veridical.judging.reader_judge")
    with a_place(
        tmp_path_factory.mktemp("place"),
        auth=Auth.TOKEN,
        rate_per_minute=0,
        allowed_hosts=("testserver", "localhost"),
    ) as place:
        seeded = seed(place.store, sources=("leave-policy.md", "expense-handbook.pdf"))
        ledger = ledger_in(seeded.shelf, seeded.session_id)
        real = {
            "session_id": seeded.session_id,
            "entry_id": ledger.entries[0].id,
            "document_id": next(iter(seeded.documents.values())),
            "anchor": ledger.entries[0].evidence[0].anchor,
            "job_id": seeded.shelf.jobs.page(limit=1).items[0].id,
        }
        schema = schemathesis.openapi.from_asgi("/openapi.json", place.app)
        operations = [found.ok() for found in schema.get_all_operations()]
        try:
            yield Described(operations, real, {"Authorization": f"Bearer {place.token()}"})
        finally:  # its calls begin the application's life, with the jobs' thread, and never end it
            shutdown_lifespans()


def complaints(described: Described, operation: Any, mode: GenerationMode) -> list[str]:
    """What is wrong with the replies to calls of an operation that are made up."""
    path, headers = described.of(operation), described.headers

    @_QUICKLY
    @given(case=operation.as_strategy(mode, path_parameters=path, headers=headers))
    def check(case: Any) -> None:
        case.validate_response(case.call(timeout=60), checks=CHECKS)

    try:
        check()
    except FailureGroup as group:
        return [f"{operation.label}: {failure}" for failure in group.exceptions]
    except Unsatisfiable:  # a call without parameters cannot be made wrongly
        pass
    return []


@pytest.mark.no_cover
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_replies_are_as_they_are_described(described: Described, mode: GenerationMode) -> None:
    problems = [
        problem
        for operation in described.operations
        for problem in complaints(described, operation, mode)
    ]
    assert not problems, "\n\n".join(problems)
