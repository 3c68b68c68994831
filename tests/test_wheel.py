"""What an index of packages shows of the wheel: its metadata are valid, its description renders."""

from __future__ import annotations

from pathlib import Path

from build import ProjectBuilder
from markdown_it import MarkdownIt
from packaging.metadata import Metadata

ROOT = Path(__file__).parents[1]
MOST_CHARS = 512
"""Of the summary, on one line: more is refused."""


def test_the_metadata_of_the_wheel_are_valid_and_its_description_renders(tmp_path: Path) -> None:
    folder = ProjectBuilder(ROOT).metadata_path(tmp_path)
    # It raises for what is not valid.
    made = Metadata.from_email(Path(folder, "METADATA").read_bytes(), validate=True)
    assert made.license_expression == "Apache-2.0"
    assert made.summary
    assert len(made.summary.splitlines()) == 1
    assert len(made.summary) <= MOST_CHARS
    assert made.description_content_type == "text/markdown"
    readme = (ROOT / "README.md").read_text("utf-8")
    assert made.description is not None
    assert made.description.strip() == readme.strip()
    tokens = MarkdownIt("commonmark").enable("table").parse(made.description)
    inside = [child for token in tokens for child in token.children or ()]
    kinds = [token.type for token in (*tokens, *inside)]
    assert not {"html_block", "html_inline"} & set(kinds)  # shown as text, or thrown away
    assert kinds.count("table_open") == made.description.count("\n|---")
    assert 2 * kinds.count("fence") == sum(
        line.startswith("```") for line in made.description.splitlines()
    )
    assert next(token.content for token in tokens if token.type == "inline") == "Veridical"
