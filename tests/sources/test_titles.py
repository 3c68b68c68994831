"""What a document is called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.sources.document import Document, Format, front_matter_end, front_matter_title
from veridical.sources.loader import document_from_text


@pytest.mark.parametrize(
    ("setting", "title"),
    [
        ("title: New York City", "New York City"),
        ("layout: page\ntitle:   Leave  and more  ", "Leave and more"),
        ('title: "Leave: who, when"', "Leave: who, when"),
        ("title: 'What''s new'", "What's new"),
        ('"title": Leave', "Leave"),
    ],
)
def test_front_matter_gives_the_title(setting: str, title: str) -> None:
    text = f"---\n{setting}\n---\n\n# A heading\n\nText.\n"
    assert document_from_text(text, "a.md", Format.MARKDOWN).title == title


@pytest.mark.parametrize(
    "start",
    [
        "---\ntitle:\n---\n",
        "---\ntitle: |\n  Leave\n---\n",
        "---\ntitle: Leave\n\n",
        "title: Leave\n\n",
        "",
    ],
)
def test_without_one_the_heading_is_the_title(start: str) -> None:
    text = f"{start}# A heading\n\nText.\n\n## A part\n\nMore.\n"
    assert document_from_text(text, "a.md", Format.MARKDOWN).title == "A heading"


@pytest.mark.parametrize(
    ("text", "name", "title"),
    [
        ("REMOTE WORK POLICY\n\n1. Purpose\n\nText.\n", "a.txt", "REMOTE WORK POLICY"),
        ("1. Purpose\n\nText.\n\n2. Scope\n\nMore.\n", "leave.txt", "Leave"),
        ("Text.\n\n## A part\n\nText.\n\n## Next\n\nText.", "pto-policy.md", "Pto policy"),
        ("Text.\n\n# The whole\n\nText.", "a.md", "The whole"),
        ("<nav>Home</nav><h1>Travel <i>Policy</i></h1><h2>1</h2>", "a.html", "Travel Policy"),
        ("Text.", "policies/18F/new_york--city.v2.md", "New york city.v2"),
        ("Text.", "https://example.org/leave/", "Leave"),
        ("Text.", ".md", ".md"),
    ],
)
def test_headings_and_file_names(text: str, name: str, title: str) -> None:
    suffixes = {".html": Format.HTML, ".md": Format.MARKDOWN}
    chosen = suffixes.get(name[name.rfind(".") :], Format.PLAIN_TEXT)
    assert document_from_text(text, name, chosen).title == title


@given(st.text("-+=: \n\r\"'\\#|title", max_size=60), st.text(max_size=20))
def test_any_text_has_a_title_on_one_line(text: str, name: str) -> None:
    title = Document(name, text).title
    assert title == title.strip()
    assert "\n" not in front_matter_title(text)
    assert 0 <= front_matter_end(text) <= len(text)
    assert bool(title) or not name.strip()
