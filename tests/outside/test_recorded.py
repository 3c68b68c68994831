"""How near to a record what another processor makes must be."""

from __future__ import annotations

from tests.outside.recorded import MOST_LINES, is_near

RECORD = "".join(f"line {n}\n" for n in range(2_000))


def changed(lines: int) -> str:
    return "".join(f"line {n} changed\n" if n < lines else f"line {n}\n" for n in range(2_000))


def test_a_few_lines_may_differ_on_another_processor_and_no_more() -> None:
    assert is_near(RECORD, RECORD)
    assert is_near(RECORD, changed(MOST_LINES))
    assert not is_near(RECORD, changed(MOST_LINES + 1))
    assert not is_near(RECORD, RECORD + "one more\n" * (MOST_LINES + 1))
    assert not is_near(RECORD, RECORD[: len(RECORD) // 2])
