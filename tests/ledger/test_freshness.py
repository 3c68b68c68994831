"""Dates that documents state, newer versions, and what is called outdated."""

from __future__ import annotations

from datetime import date

import pytest

from veridical.ledger.freshness import dates_in, described, stale_sources, stated_date
from veridical.sources.loader import document_from_text

TODAY = date(2026, 6, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Leave\n\nEffective 1 March 2024.", "2024-03-01"),
        ("Effective March 5, 2024.", "2024-03-05"),
        ("Effective 2024-03.", "2024-03-31"),
        ("Effective February 2024.", "2024-02-29"),
        ("Effective 5 Augu\u017ft 2024.", None),  # with a long s it is no month that we know
        ("Effective 31 February 2024.", None),
        ("Effective 2024-13-01.", None),
        ("Effective 2024.5 litres.", None),
        ("Effective 12024.", None),
        ("# Leave\n\n**Last updated:** 2025-01-07", "2025-01-07"),
        ("# Leave\n\nIssued on 3 May 2019. Revised on 4 June 2023.", "2023-06-04"),
        ("| Version date | March 2022 |", "2022-03-31"),
        ("Founded in 1998, the company …", None),
        ("Staff may carry leave over until 31 March 2024.", None),
        ("Updated when needed.", None),
        ("x " * 4000 + "Last updated: 2020-01-01", None),
    ],
)
def test_what_a_document_says_of_its_own_date(text: str, expected: str | None) -> None:
    found = stated_date(document_from_text(text, "a.md"))
    assert (found.isoformat() if found else None) == expected
    # Day and month that cannot be told apart leave the year.
    assert [found for _, found in dates_in("3/4/2024")] == [date(2024, 12, 31)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Status: superseded\n\nText.", "it says of itself “superseded”"),
        ("> **Withdrawn** on 3 May 2024\n\nText.", "it says of itself “Withdrawn”"),
        ("Review date: 1 May 2025\n\nText.", "2025-05-01"),
        ("Valid until 31 December 2025.\n\nText.", "2025-12-31"),
        ("Last updated: 2023-06-01\n\nText.", "it is dated 2023-06-01"),
        ("Last updated: 2023-06-02\n\nText.", None),
        ("The old rule is superseded by this one.", None),
        ("Archived files are kept for seven years.", None),
        ("Birth date: 1980-05-01\n\nText.", None),
        ("Superseded by HR-015\n\nText.", "it says of itself “Superseded”"),
        ("Date: 1980-05-01\n\nText.", "it is dated 1980-05-01"),
    ],
)
def test_what_is_outdated(text: str, reason: str | None) -> None:
    documents = [document_from_text(text, "a.md")]
    sources = described(documents, "default")
    found = stale_sources(documents, sources, TODAY)
    if reason is None:
        assert found == {}
    else:
        assert reason in found[sources[0].id].reason


@pytest.mark.parametrize(
    ("names", "superseded"),
    [
        (["HR_Policy_2023.pdf", "HR_Policy_2024.pdf"], {"HR_Policy_2023.pdf"}),
        (["leave-v1.md", "leave-v2.md", "leave-v10.md"], {"leave-v1.md", "leave-v2.md"}),
        (["a/minutes-2023-01.md", "a/minutes-2023-11.md"], set()),
        (["a/leave-2023.md", "b/leave-2024.md"], set()),
        (["leave.md", "leave-2024.md"], set()),
        (["leave-2024.md", "pay-2025.md"], set()),
        (["chapter1.md", "chapter2.md"], set()),
    ],
)
def test_versions_of_one_document(names: list[str], superseded: set[str]) -> None:
    documents = [document_from_text("Text.", name) for name in names]
    sources = described(documents, "default")
    assert {s.filename for s in sources if s.superseded_by} == superseded
    stale = stale_sources(documents, sources, TODAY)
    assert {s.filename for s in sources if s.id in stale} == superseded


@pytest.mark.parametrize(
    ("older", "newer", "replaced"),
    [
        ("Effective 1 May 2025.", "Effective 1 May 2026.", True),
        ("Effective 1 May 2026.", "Effective 1 May 2025.", False),
        ("Effective 1 May 2025.", "Effective 1 July 2026.", False),
        ("Effective 1 May 2025.", "Text.", False),
        ("Effective 1 May 2025.", "Withdrawn\n\nEffective 1 May 2026.", False),
    ],
)
def test_what_bears_a_replacement_out(older: str, newer: str, *, replaced: bool) -> None:
    documents = [document_from_text(older, "leave-v1.md"), document_from_text(newer, "leave-v2.md")]
    sources = described(documents, "default")
    assert stale_sources(documents, sources, TODAY)[sources[0].id].replaced is replaced
