"""`veridical score run`, as a user runs it: with cues, and with a model on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.cli.harness import complaint, invoke
from tests.cli.score_desk import (
    ASSUMED,
    FOUR,
    NO_JSON,
    asked,
    captions,
    desk,
    write_model_rubric,
)
from tests.cli.test_terminal import on_a_terminal
from tests.models.faulty_server import Act, FaultyServer, error
from tests.scoring.model_server import scoring_server
from tests.scoring.samples import sections
from tests.service.serving import until
from tests.sources.builders import docx, paragraph, simple_pdf

__all__ = ["desk"]


def card_of(result: Result) -> dict[str, Any]:
    card: dict[str, Any] = json.loads(result.stdout)
    return card


def prompts(server: FaultyServer) -> list[str]:
    return [body["messages"][-1]["content"] for body in server.bodies]


# --- what comes out, and with which exit code -----------------------------------------------------


def test_a_model_scores_each_section_and_the_table_tells_what_that_cost() -> None:
    with scoring_server(FOUR) as running:
        done = asked(running.server)
        assert running.asked == {f"section-{n}": 1 for n in range(4)}
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Scored by tiny\nCost: 4 calls, 28 prompt tokens, 12 reply tokens\n" in done.stdout
    assert done.stdout.count("   Cost: 1 call, 7 prompt tokens, 3 reply tokens\n") == 4


def test_one_incomplete_section_is_exit_code_1_and_the_others_stand() -> None:
    with scoring_server(FOUR, plan={"section-2": [NO_JSON]}) as running:
        done = asked(running.server, "--format", "json", "-o", "card.json", "-o", "card.txt")
    card = json.loads(Path("card.json").read_text("utf-8"))
    assert done.exit_code == 1
    assert [section["status"] for section in card["sections"]] == [
        "pass",
        "pass",
        "incomplete",
        "pass",
    ]
    assert card["overall"]["status"] == "incomplete"
    assert "   Incomplete: no usable reply: the reply is not JSON" in Path("card.txt").read_text()


# --- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "most"), [((), 4), (("--concurrency", "2"), 2)])
def test_so_many_sections_are_asked_for_at_once(options: tuple[str, ...], most: int) -> None:
    write_model_rubric(Path("eight.json"), 8, concurrency=4)

    def together(_: str) -> float:
        """The first are answered when they are as many, and the others a moment after they come."""
        until(lambda: running.most_in_flight, lambda seen: seen >= most)
        return 0.1

    with scoring_server(sections(8), seconds=together) as running:
        assert asked(running.server, *options, rubric="eight.json").exit_code == 0
        assert running.most_in_flight == most


def test_a_supplement_is_shown_to_the_model() -> None:
    Path("policy.txt").write_text("Command is announced on tac 5.", encoding="utf-8")
    with scoring_server(FOUR) as running:
        assert asked(running.server, "--supplemental", "policy.txt").exit_code == 0
        assert all("Command is announced on tac 5." in said for said in prompts(running.server))
        assert asked(running.server).exit_code == 0
        assert not any("on tac 5" in said for said in prompts(running.server)[4:])


@pytest.mark.parametrize("kind", ["docx", "pdf"])
def test_a_supplement_is_whatever_documents_are(kind: str) -> None:
    rule = "Command is announced on tac 5."
    data = docx(paragraph(rule)) if kind == "docx" else simple_pdf([rule])
    Path(f"policy.{kind}").write_bytes(data)
    with scoring_server(FOUR) as running:
        assert asked(running.server, "--supplemental", f"policy.{kind}").exit_code == 0
        assert all(rule in said for said in prompts(running.server))


def test_a_section_that_hangs_ends_and_the_others_stand() -> None:
    hangs = {"section-1": 600.0}
    with scoring_server(FOUR, seconds=lambda name: hangs.get(name, 0.0)) as running:
        done = asked(running.server, "--timeout", "6", "--format", "json")
        assert running.in_flight == 1
    card = card_of(done)
    assert done.exit_code == 1
    assert [s["status"] for s in card["sections"]] == ["pass", "incomplete", "pass", "pass"]
    assert card["sections"][1]["failure"] == "no answer came within 6 s"


@pytest.mark.parametrize(("options", "corrected"), [((), False), (("--tolerance", "2.5"), True)])
def test_how_far_a_quote_may_lie_from_its_second(options: tuple[str, ...], corrected: bool) -> None:
    Path("assumed.vtt").write_text(captions(ASSUMED, later=10), encoding="utf-8")
    with scoring_server(FOUR) as running:
        card = card_of(asked(running.server, "--format", "json", *options))
    first = card["sections"][0]["criteria"][0]["evidence"][0]
    assert (first["verified"], first["start"], first["corrected"]) == (True, 16.0, corrected)


def test_a_run_with_an_id_goes_on_where_it_was() -> None:
    kept = ("--resume-id", "monday", "--format", "json")
    with scoring_server(FOUR, plan={"section-2": [NO_JSON]}) as running:
        assert asked(running.server, *kept).exit_code == 1
        whole = asked(running.server, *kept)
        assert running.asked == {"section-0": 1, "section-1": 1, "section-2": 2, "section-3": 1}
        again = asked(running.server, *kept)
        assert sum(running.asked.values()) == 5
    assert (whole.exit_code, again.exit_code) == (0, 0)
    assert whole.stdout_bytes == again.stdout_bytes
    assert Path(".veridical/scoring/monday.jsonl").is_file()


# --- what is printed and written ------------------------------------------------------------------


def test_a_terminal_sees_what_each_section_is_doing() -> None:
    with scoring_server(FOUR, plan={"section-3": [NO_JSON]}, seconds=lambda _: 0.25) as running:
        code, shown = on_a_terminal(
            "score", "run", "assumed.vtt", "four.json", "--model", "tiny",
            "--base-url", running.server.url, "--concurrency", "2",
        )  # fmt: skip
    assert code == 1
    live, _, card = shown.partition("Sample 1: assumed.vtt")
    for n in range(4):
        assert f"Section {n}" in live
    for state in ("queued", "… ", "running", "✓ ", "done"):
        assert state in live
    assert "Incomplete" in card


# --- what is refused: one line, exit code 2, nothing asked and nothing written --------------------


REFUSED: list[tuple[tuple[str, ...], str]] = [
    (("gone.vtt", "cues.yaml"), "gone.vtt: no such file"),
    (("radio.vtt", "gone"), "or name a shipped rubric: customer-call, fireground"),
    (("-", "-"), "standard input (-) can be read for one thing only"),
    (("radio.vtt", "four.json"), "has no cues, and without a model only cues are looked up"),
    (("radio.vtt", "cues.yaml", "--format", "xml"), "--format 'xml' is not one of table, json"),
    (("radio.vtt", "cues.yaml", "--tolerance", "nan"), "--tolerance must be a number of seconds"),
    (("radio.vtt", "cues.yaml", "--resume-id", "../x"), "the resume id must be"),
    (("radio.vtt", "cues.yaml", "--supplemental", "x.md"), "--supplemental is for a model"),
    (("radio.vtt", "cues.yaml", "--context-tokens", "9"), "--context-tokens is for a model"),
    (("radio.vtt", "cues.yaml", "--base-url", "http://127.0.0.1:9/v1"), "no model is named"),
    (("radio.vtt", "cues.yaml", "--model", "tiny"), "no server to ask: give --base-url"),
    (("radio.vtt", "cues.yaml", "-o", "radio.vtt", "--format", "json"), "it is an input of this"),
    (("radio.vtt", "cues.yaml", "-o", "a.md", "-o", "./a.md"), "it is named twice"),
    (("radio.vtt", "cues.yaml", "-o", "out.json"), "cannot write out.json: it is a folder"),
]


@pytest.mark.parametrize(("arguments", "told"), REFUSED, ids=[" ".join(r[0]) for r in REFUSED])
def test_what_cannot_be_done_is_refused(desk: Path, arguments: tuple[str, ...], told: str) -> None:
    Path("out.json").mkdir()
    before = {path: path.read_bytes() for path in desk.rglob("*") if path.is_file()}
    done = invoke("score", "run", *arguments, stdin=b"")
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in complaint(done.stderr)
    assert {path: path.read_bytes() for path in desk.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nothing.txt", ""),
        ("blank.txt", " \n\t\n"),
        ("captions.vtt", "WEBVTT\n\n"),
    ],
)
def test_a_transcript_without_words_is_refused(name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")
    done = invoke("score", "run", name, "cues.yaml", "-o", "card.json")
    assert (done.exit_code, done.stdout) == (2, "")
    line = complaint(done.stderr)
    assert name in line
    assert "is empty" in line
    assert not Path("card.json").exists()


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (error(401), "refuses the key (401)"),
        (error(503), "cannot answer now (503"),
    ],
)
def test_a_model_that_scores_nothing_is_an_error(act: Act, told: str) -> None:
    with scoring_server(FOUR, plan={f"section-{n}": [act] for n in range(4)}) as running:
        done = asked(running.server, "-o", "card.json")
    assert (done.exit_code, done.stdout) == (2, "")
    line = complaint(done.stderr)
    assert "the model scored no section" in line
    assert told in line
    assert not Path("card.json").exists()


def test_a_model_without_a_usable_reply_leaves_all_sections_incomplete() -> None:
    with scoring_server(FOUR, plan={f"section-{n}": [NO_JSON] for n in range(4)}) as running:
        done = asked(running.server, "-o", "card.json")
    assert done.exit_code == 1
    assert "Nothing could be scored" in done.stdout
    assert "no usable reply: the reply is not JSON" in done.stdout
    assert Path("card.json").exists()


def test_a_context_too_small_for_the_rubric_is_refused_before_anything_is_asked() -> None:
    with scoring_server(FOUR) as running:
        for options, told in (
            (("--context-tokens", "900"), "a context of 900 tokens is too small"),
            (("--tolerance", "inf"), "--tolerance must be a number of seconds"),
            (("--supplemental", "gone.md"), "supplement: gone.md"),
        ):
            done = asked(running.server, *options)
            assert done.exit_code == 2
            assert told in complaint(done.stderr)
        assert running.server.received == []
