"""Citation markers and source lists."""

from __future__ import annotations

import pytest

from veridical.ledger.entry import MarkerKind
from veridical.ledger.extraction.page import read_page
from veridical.ledger.markers import MAX_MARKERS, MAX_RANGE, markers_of, source_list

NUMBERED: list[tuple[str, list[str]]] = [
    ("", []),
    ("Call `a[1]` first.", []),
    ("```\nx = a[1]\n```", []),
    ("Read [1](https://example.org/leave).", []),
    ("![1](plan.png)", []),
    ("The range [0, 1] is closed.", []),
    ("In [2019] UKSC 12 it was held.", []),
    ("Escaped \\[1].", []),
    ("<!-- [1] -->", []),
    ("Text.\n\nSources:\n[1] leave-policy.md", []),
    ("Leave is 25 days [\uff11].", ["1"]),
    ("Leave is 25 days \uff3b\uff11\uff0c\uff13\uff3d.", ["1", "3"]),
    ("Leave is 25 days\u30101\u2020source\u3011.", ["1"]),
    ("Leave is 25 days\u30101\u2020L3-L5\u3011\u30102\u2020source\u3011.", ["1", "2"]),
    ("Leave is 25 days\u30104:0\u2020source\u3011.", ["4:0"]),
    ("Leave is 25 days.<sup>1</sup>", ["1"]),
    ('Leave is 25 days<sup><a href="#fn1">3</a></sup>.', ["3"]),
    ("Leave is 25 days.\u00b9\u00b2", ["12"]),
]


@pytest.mark.parametrize(("answer", "values"), NUMBERED)
def test_numbers_are_found_however_they_are_set(answer: str, values: list[str]) -> None:
    markers = markers_of(read_page(answer))
    assert [(marker.kind, marker.value) for marker in markers.found] == [
        (MarkerKind.NUMBER, value) for value in values
    ]
    assert markers.problems == ()


NAMED = [
    ("Leave is 25 days (p.md).", "(p.md)", ["p.md"]),
    ("Leave is 25 days [p.md].", "[p.md]", ["p.md"]),
    ("Leave is 25 days ([p.md](p.md)).", "([p.md](p.md))", ["p.md"]),
    ("Leave is paid ([a.md](x), [b.md](y)).", "([a.md](x), [b.md](y))", ["a.md", "b.md"]),
    ("Leave is paid ([source](hr/p.md)).", "([source](hr/p.md))", ["hr/p.md"]),
    ("Leave is paid ([1](p.md)).", "([1](p.md))", ["p.md"]),
    ("Leave is 25 days (p.md, Section A).", "(p.md, Section A)", ["p.md"]),
    ("Leave is paid (p.md, Section Annual leave).", None, ["p.md"]),
    ("Leave is paid (HR Handbook 2024.pdf, pp. 3-4).", None, ["HR Handbook 2024.pdf"]),
    ("Leave is paid (p.md \u00a7 3, 5; q.docx p. 4).", None, ["p.md", "q.docx"]),
    ("Leave is 25 days (Source: p.md).", "(Source: p.md)", ["p.md"]),
    ("Leave (see p.md) is paid.", "(see p.md)", ["p.md"]),
    ("Leave is paid\uff08p.md\uff09\u3002", "\uff08p.md\uff09", ["p.md"]),
    ("Leave is paid. Source: p.md", "Source: p.md", ["p.md"]),
    ("According to [p.md], leave is paid.", "[p.md]", ["p.md"]),
    ("Leave is paid\u30104:0\u2020file.pdf\u3011.", "\u30104:0\u2020file.pdf\u3011", ["file.pdf"]),
    ("| Type | Days |\n|---|---|\n| Annual | 25 (p.md) |", "(p.md)", ["p.md"]),
]


@pytest.mark.parametrize(("answer", "part", "values"), NAMED)
def test_files_that_are_named_as_sources_are_markers(
    answer: str, part: str | None, values: list[str]
) -> None:
    markers = markers_of(read_page(answer)).found
    assert [(marker.kind, marker.value) for marker in markers] == [
        (MarkerKind.NAME, value) for value in values
    ]
    if part is not None:
        span = markers[0].span
        assert answer[span.start : span.end] == part


@pytest.mark.parametrize(
    "answer",
    [
        "Leave is paid (only for staff).",
        "Leave is paid (not for interns, see p.md).",
        "Leave is paid (p.md, except for interns).",
        "Leave is paid (p.md, 25 days).",
        "Leave is paid (p.md, section 2: interns get 10 days).",
        "Leave is paid (p.md, 2024).",
        "Leave is paid (not p.md).",
        "Leave is paid ([only for staff](p.md)).",
        "Save the form (p.md) first.",
        "Staff must send [form.pdf].",
        "Read [p.md](p.md).",
        "Call `f(p.md)`.",
        "~~Leave is paid (p.md) [1].~~",
        "It is 10<sup>2</sup> or 10\u00b2 or 5 km\u00b2.",
        "The area is 25 metres<sup>2</sup>.",
        "\u3010Note\u3011 Leave is paid.",
    ],
)
def test_what_says_more_than_a_source_is_no_marker(answer: str) -> None:
    assert markers_of(read_page(answer)).found == ()


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        ("X [cite:a1b2].", "[cite:a1b2]"),
        ("X [cite:zzzzzzzz].", "[cite:zzzzzzzz]"),
        ("X [cite].", "[cite]"),
        (f"X [cite:{'a' * 65}].", f"[cite:{'a' * 65}]"),
        ("X [cite:a1b2c3d4", "[cite:a1b2c3d4"),
        ("X [5-2].", "[5-2]"),
        (f"X [1-{MAX_RANGE + 1}].", f"[1-{MAX_RANGE + 1}]"),
    ],
)
def test_malformed_markers_are_problems(answer: str, part: str) -> None:
    markers = markers_of(read_page(answer))
    assert markers.found == ()
    (problem,) = markers.problems
    assert answer[problem.span.start : problem.span.end] == part
    assert problem.message


def test_the_number_of_markers_is_bounded() -> None:
    markers = markers_of(read_page("[1-50]" * (MAX_MARKERS // 50 + 5)))
    assert len(markers.found) == MAX_MARKERS
    assert "100,000" in markers.problems[0].message


@pytest.mark.parametrize(
    ("closing", "entries"),
    [
        ("Sources:\n[1] leave.md, section 2", {"1": "leave.md, section 2"}),
        ("## References\n\n1. HR.pdf\n2. Handbook", {"1": "HR.pdf", "2": "Handbook"}),
        ("**Sources:**\n\n- [1] [Leave policy](leave-policy.md)", {"1": "Leave policy"}),
        ("[1] leave-policy.md\n[2] hr.pdf, p. 4", {"1": "leave-policy.md", "2": "hr.pdf, p. 4"}),
        ("Sources: [1] leave.md [2] hr.pdf", {"1": "leave.md", "2": "hr.pdf"}),
        ("Source: leave-policy.md", {}),
        ("References\n- leave-policy.md\n- hr.pdf", {}),
    ],
)
def test_a_source_list_is_read(closing: str, entries: dict[str, str]) -> None:
    answer = f"Annual leave is 25 days [1].\n\n{closing}\n"
    found = source_list(answer)
    assert found.span is not None
    assert answer[found.span.start : found.span.end] == closing
    assert found.entries == entries


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Sources:\n\nStaff get 40 days of leave each year.",
        "## References\n1. Staff must submit two references.",
        "[1] Staff get 25 days of leave.",
        "[1] 25 days of leave",
        "Sources of income must be declared.",
        "References: staff must give two of them.",
    ],
)
def test_what_states_something_is_no_source_list(answer: str) -> None:
    found = source_list(answer)
    assert found.span is None
    assert found.entries == {}
