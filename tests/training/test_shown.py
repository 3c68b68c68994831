"""What the reader is shown of written claims: the lines that decide must be among it."""

from __future__ import annotations

from pathlib import Path

from training.measure import windows_hold
from training.shown import read_written

from veridical.reader.model import default_reader

DATA = Path(__file__).resolve().parents[2] / "training" / "data" / "written"


def test_what_decides_is_read_nearly_always() -> None:
    held = windows_hold(read_written(DATA / "t.jsonl"), default_reader())
    assert held["claims"] > 600
    assert held["first_two"] >= 0.97


def test_claims_about_a_passage_share_it(tmp_path: Path) -> None:
    rows = (
        '{"evidence": "The gate opens at 8.", "claim": "It opens at 8.", "label": "supported", '
        '"kind": "near"}\n'
        '{"evidence": "The gate opens at 8.", "claim": "It opens at 9.", "label": "refuted", '
        '"kind": "number"}\n'
    )
    path = tmp_path / "one.jsonl"
    path.write_text(rows, encoding="utf-8")
    one, other = read_written(path)
    assert one.doc == other.doc
    assert {one.text, other.text} == {"The gate opens at 8."}
    assert [one.label, other.label] == ["supported", "refuted"]
