"""Quotes of other tools' tests and of a newspaper archive, held against Veridical.

Where it decides otherwise than its peers, docs/differences.md says so and why.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
from tests.contracts import newspapers, peer_contracts, shared_quotes
from tests.contracts.shared_quotes import ROOT, Row, rows

from veridical import Document, Fidelity, Format, Status, Validator, document_from_text
from veridical.validation.wire import selectors

if reason := shared_quotes.missing():
    pytest.skip(reason, allow_module_level=True)

PAGE = (ROOT / "docs" / "differences.md").read_text("utf-8").partition("## Other tools")[2]
ROWS = re.findall(r"^\| (`[^|]+`) \|", PAGE, re.MULTILINE)
LISTED = [case for row in ROWS for case in re.findall(r"`([a-z0-9-]+)`", row)]

PEERS = rows(shared_quotes.PEER_CASES)
SELECTORS = rows(shared_quotes.SELECTORS)
HTML_QUOTES = rows(shared_quotes.HTML_QUOTES)

SHARES = {"cer <= 0.05": 0.995, "cer <= 0.15": 0.99, "cer > 0.15": 0.96}
"""Share of the quotes of a band that must be found where they stand."""


def by_id(case: Row) -> str:
    return str(case["id"])


# --- other tools' cases ---------------------------------------------------------------------------


@pytest.mark.parametrize("case", PEERS, ids=by_id)
def test_a_case_holds_or_the_page_says_why_not(case: Row) -> None:
    assert peer_contracts.holds(case) is (case["id"] not in LISTED)


@pytest.mark.parametrize("case", SELECTORS, ids=by_id)
def test_a_selector_selects_as_often_as_expected(case: Row) -> None:
    agrees = len(peer_contracts.selected(case)) == case["expected_matches"]
    assert agrees is (case["id"] not in LISTED)


def test_the_page_lists_known_cases_once_each() -> None:
    assert set(LISTED) <= {case["id"] for case in (*PEERS, *SELECTORS)}
    assert len(LISTED) == len(set(LISTED))


# --- quotes in HTML pages -------------------------------------------------------------------------


@cache
def html(name: str) -> Document:
    return document_from_text(shared_quotes.page(name), name, Format.HTML)


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("case", HTML_QUOTES, ids=by_id)
def test_a_quote_is_found_in_its_html_page(case: Row) -> None:
    document = html(case["html_file"])
    result = Validator([document]).check(case["exact"])
    once = case["occurrences_in_text"] == 1
    assert result.status is (Status.VALIDATED if once else Status.AMBIGUOUS)
    assert result.fidelity in (Fidelity.VERBATIM, Fidelity.NORMALISED)
    assert result.match is not None
    assert words(result.match.shown) == words(case["exact"])
    quote, _ = selectors(document, result.match.span)
    assert words(quote["exact"]) == words(case["exact"])


# --- quotes in damaged text -----------------------------------------------------------------------


@cache
def outcome() -> newspapers.Outcome:
    found = newspapers.measure()
    print(f"\n{found.table()}")
    return found


@pytest.mark.no_cover
@pytest.mark.parametrize("band", SHARES)
def test_quotes_are_found_in_what_a_machine_read(band: str) -> None:
    found = outcome()
    missed = found.missed[band]
    assert found.bands[band].share >= SHARES[band], (
        f"{found.table()}\n{len(missed)} missed, such as {', '.join(missed[:10])}"
    )


@pytest.mark.no_cover
def test_no_newspaper_quote_is_left_out() -> None:
    assert outcome().refused == 0
    counted = sum(count.total for count in outcome().bands.values())
    assert counted == len(rows(shared_quotes.NEWSPAPER_QUOTES))
