"""Words in angle brackets that name no element are words of a source, for quotes as well."""

from __future__ import annotations

import pytest

from veridical.sources.markdown import read_markdown
from veridical.validation.results import Fidelity
from veridical.validation.validator import Validator

SOURCE = "Employees may <not> work remotely. The list is a List<String> <b>here</b>.\n"


@pytest.mark.parametrize(
    ("quote", "exact"),
    [
        ("Employees may <not> work remotely.", True),
        ("Employees may not work remotely.", False),
        ("The list is a List<String> here.", True),
        ("Employees may work remotely.", False),
        ("The list is a List here.", False),
    ],
)
def test_what_stands_in_angle_brackets_is_quoted_too(quote: str, exact: bool) -> None:
    document = read_markdown(SOURCE, "s.md", size_bytes=len(SOURCE))
    result = Validator([document]).check(quote)
    assert (result.fidelity in (Fidelity.VERBATIM, Fidelity.NORMALISED)) is exact
