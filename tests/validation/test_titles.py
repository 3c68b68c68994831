"""References to sections, read as a person would."""

from __future__ import annotations

import pytest

from veridical import Format, document_from_text
from veridical.matching.titles import TitleIndex

DOCUMENT = document_from_text(
    "# 1 Leave\n\na\n\n## 1.1 Overtime\n\nb\n\n# Appendix A\n\nc\n\n# Travel & Rest\n\nd\n",
    "handbook",
    Format.MARKDOWN,
)


@pytest.mark.parametrize(
    ("reference", "titles"),
    [
        ("1.1", ["1.1 Overtime"]),
        ("Section 1.1", ["1.1 Overtime"]),
        ("overtime", ["1.1 Overtime"]),
        ("Overtimes", ["1.1 Overtime"]),
        ("Appendix A", ["Appendix A"]),
        ("appendix a", ["Appendix A"]),
        ("Travel and Rest", ["Travel & Rest"]),
        ("the travel & rest chapter", ["Travel & Rest"]),
        ("Section 1.2", []),
        ("Section 11", []),
        ("Rest", []),
    ],
)
def test_a_section_is_found(reference: str, titles: list[str]) -> None:
    found = TitleIndex(DOCUMENT).find(reference, 5)
    shown = [DOCUMENT.shown(passage.span) for passage in found if passage.similarity >= 0.85]
    assert shown == titles


def test_the_right_number_with_another_title_is_less_certain() -> None:
    (passage,) = TitleIndex(DOCUMENT).find("1.1 Holidays", 5)
    assert 0 < passage.similarity < 0.85
    assert list(TitleIndex(DOCUMENT).sections_named("1.1 Holidays")) == []
