"""A scorecard that teaches: what was heard, what to train, the trend, and rulings of reviewers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from tests.cli.harness import invoke
from tests.scoring.cards import (
    MET,
    MISSED,
    NOT_OBSERVED,
    PARTIAL,
    boolean,
    card,
    proof,
    radio,
    reviewed,
    rubric,
    said,
    section,
    simple_card,
)

from veridical.errors import ConflictError, ValidationError
from veridical.scoring.report.html import render_html
from veridical.scoring.report.markdown import render_markdown
from veridical.scoring.report.outline import Outline
from veridical.scoring.report.pdf import render_pdf
from veridical.scoring.report.table import render_table
from veridical.scoring.report.training import lessons, narrative
from veridical.scoring.rubric import CriterionSource
from veridical.scoring.ruling import ruled, score_after, standing
from veridical.scoring.scorecard import CriterionVerdict, Scorecard
from veridical.scoring.trend import Direction, trend_of
from veridical.scoring.wire import scorecard_from_bytes, scorecard_to_bytes

SOURCE = CriterionSource("sop.pdf", "Crews must\nreport.", 3, "2 Radio")
PLACE = "sop.pdf, page 3, 2 Radio"


def taught() -> Scorecard:
    """The later criterion rests on the earlier words; the last was not seen."""
    criteria = [replace(boolean(name, required=True), source=SOURCE) for name in "abc"]
    first, second = proof(radio(), "assuming Elm Street command"), proof(radio(), "on scene")
    reviews = (
        said("a", MET, evidence=(first,)),
        said("b", MISSED, evidence=(second,)),
        said("c", NOT_OBSERVED),
    )
    return card(rubric(section("only", *criteria)), reviewed("only", *reviews))


def test_every_statement_of_a_section_cites_words_in_the_order_of_their_time() -> None:
    (part,) = Outline(taught()).parts
    told = narrative(part)
    assert [one.entry.score.review.criterion_id for one in told] == ["b", "a"]
    for one in told:
        span = one.evidence.span
        assert span is not None
        assert radio().text[span.start : span.end] == one.evidence.matched_text
    assert [(one.lead, one.meaning) for one in told] == [
        ("1:01, ENG25", "missed: B"),
        ("1:31, ENG25", "met: A"),
    ]


def test_what_was_not_kept_is_to_be_trained_in_the_words_of_the_procedure() -> None:
    made = taught()
    assert [entry.number for entry, _ in lessons(Outline(made).parts)] == ["1.2", "1.3"]
    markdown, html = render_markdown(made), render_html(made, radio())
    assert f'To train: "Crews must report." ({PLACE})' in markdown.replace("\n", " ")
    assert html.count("To train") == 2
    assert html.count("What was heard, in order") == 1
    assert sum("To train: “Crews must report.”" in line for line in render_table(made)) == 2


def test_a_rubric_without_sources_teaches_nothing_it_does_not_know() -> None:
    made = simple_card(MISSED)
    assert "To train" not in render_markdown(made)
    assert b"source" not in scorecard_to_bytes(made)


def test_a_card_with_sources_and_rulings_is_read_back_as_it_was() -> None:
    made = ruled(taught(), "b", MET, reason="It was.", reviewer="Ana", at="2026-01-03T10:00:00")
    assert scorecard_from_bytes(scorecard_to_bytes(made)) == made
    wire = json.loads(scorecard_to_bytes(made))
    wire["rulings"][0]["machineVerdict"] = "met"
    with pytest.raises(ValidationError, match=r"rulings\[0\]"):
        scorecard_from_bytes(json.dumps(wire).encode())


def rule(made: Scorecard, verdict: CriterionVerdict | None, reason: str = "So.") -> Scorecard:
    return ruled(made, "c0", verdict, reason=reason, reviewer="Ana", at="2026-01-03T10:00:00")


def test_a_ruling_stands_beside_the_machines_verdict_until_it_is_taken_back() -> None:
    made = simple_card(MISSED, MET)
    after = rule(made, PARTIAL)
    assert (after.overall, after.sections) == (made.overall, made.sections)
    assert score_after(made) is None
    assert score_after(after) == pytest.approx(0.75)
    assert score_after(rule(after, MET)) == pytest.approx(1.0)
    assert score_after(rule(after, NOT_OBSERVED)) == pytest.approx(1.0)
    markdown = render_markdown(after)
    assert "Overruled by Ana, 2026-01-03: ~ Partial. So." in markdown.replace("\\", "")
    assert "After review: 75 %, 1 verdict overruled." in markdown
    back = rule(after, None)
    assert not standing(back)
    assert "Ruling taken back by Ana" in render_html(back, radio())


@pytest.mark.parametrize(
    ("verdict", "reason"), [(MISSED, "So."), (MET, " "), (None, "So."), (MET, "x" * 2_001)]
)
def test_what_is_no_ruling_is_refused(verdict: CriterionVerdict | None, reason: str) -> None:
    with pytest.raises(ValidationError):
        rule(simple_card(MISSED), verdict, reason)


def test_nobody_rules_on_what_they_have_not_seen() -> None:
    made = rule(simple_card(MISSED), MET)
    with pytest.raises(ConflictError):
        ruled(made, "c0", PARTIAL, reason="So.", reviewer="Bo", at="2026", seen=0)


def test_the_trend_tells_what_improves_with_its_counts() -> None:
    cards = [
        simple_card(MISSED, MET, MET, NOT_OBSERVED),
        simple_card(MISSED, MET, MET, NOT_OBSERVED),
        simple_card(MET, MISSED, MET, MET),
        simple_card(MET, PARTIAL, MET, NOT_OBSERVED),
    ]
    found = {one.criterion_id: one for one in trend_of(cards).criteria}
    assert [(name, one.direction) for name, one in found.items()] == [
        ("c1", Direction.DECLINES),
        ("c2", Direction.SAME),
        ("c0", Direction.IMPROVES),
        ("c3", Direction.TOO_FEW),
    ]
    assert (found["c0"].earlier.met, found["c0"].later.met) == (0, 2)
    assert found["c0"].verdicts == (MISSED, MISSED, MET, MET)
    assert (found["c3"].earlier.scored, found["c3"].later.scored) == (0, 1)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2026-01-01", "2026-02-01"),
        ("2026-01-01T10:00:00+02:00", "2026-01-01T09:00:00+00:00"),  # across zones
    ],
)
def test_cards_are_ordered_by_their_time_where_all_have_one(earlier: str, later: str) -> None:
    old = replace(simple_card(MISSED), created_at=earlier)
    new = replace(simple_card(MET), created_at=later)
    assert trend_of([new, old]).criteria[0].direction is Direction.IMPROVES
    assert trend_of([simple_card(MET), old]).criteria[0].direction is Direction.DECLINES


def test_the_command_tells_the_trend_and_what_makes_it_doubtful(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, made in (("a", simple_card(MISSED)), ("b", simple_card(MET))):
        Path(f"{name}.json").write_bytes(scorecard_to_bytes(made))
    done = invoke("score", "trend", "a.json", "b.json")
    assert done.exit_code == 0
    assert "0 of 1, then 1 of 1" in done.stdout
    assert "2 scorecards: 0 % → 100 %" in done.stdout
    data = json.loads(invoke("score", "trend", ".", "--format", "json").stdout)
    assert [one["direction"] for one in data["criteria"]] == ["improves"]
    alone = invoke("score", "trend", "a.json")
    assert alone.exit_code == 2
    assert "give two or more" in alone.stderr


def words_of(pdf: bytes) -> str:
    file = pypdfium2.PdfDocument(pdf)
    return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in file)


def test_the_pdf_of_a_card_holds_what_the_page_does() -> None:
    made = ruled(taught(), "b", MET, reason="It was.", reviewer="Ana", at="2026-01-03T10:00:00")
    told = render_pdf(made, title="#set text(red) $x$ <b>")
    text = words_of(told.data)
    for words in ("#set text(red) $x$ <b>", "To train", "Crews must report.", PLACE, "1:31, ENG25"):
        assert words in text
    assert "Overruled by Ana, 2026-01-03" in text
    assert render_pdf(made, title="#set text(red) $x$ <b>").data == told.data


def test_the_commands_write_pdfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = Path(__file__).parents[2] / "examples"
    monkeypatch.chdir(tmp_path)
    talk, radio_log = examples / "speech" / "talk.json", examples / "scoring" / "fireground.vtt"
    assert invoke("speech", "evaluate", str(talk), "-o", "talk.pdf").exit_code == 0
    assert "Commendation" in words_of(Path("talk.pdf").read_bytes())
    procedure = str(examples / "scoring" / "fireground-procedure.md")
    drafted = invoke("score", "draft", procedure, "-o", "rubric.yaml")
    assert drafted.exit_code == 0
    assert "criteria in 7 sections" in drafted.stderr
    assert invoke("score", "lint", "rubric.yaml").exit_code == 0
    assert invoke("score", "run", str(radio_log), "rubric.yaml", "-o", "card.pdf").exit_code == 0
    assert "To train" in words_of(Path("card.pdf").read_bytes())


def test_a_procedure_without_a_duty_is_told_and_nothing_written(tmp_path: Path) -> None:
    notes, target = tmp_path / "notes.md", tmp_path / "rubric.yaml"
    notes.write_text("# Notes\n\nWe had a nice day.\n", "utf-8")
    done = invoke("score", "draft", str(notes), "-o", str(target))
    assert done.exit_code == 2
    assert "no sentence in" in done.stderr
    assert not target.exists()
