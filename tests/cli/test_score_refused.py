"""What `veridical score run` refuses: one line, exit code 2, nothing asked and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke
from tests.cli.score_desk import FOUR, NO_JSON, asked, desk
from tests.models.faulty_server import Act, error
from tests.scoring.model_server import scoring_server

__all__ = ["desk"]

REFUSED: list[tuple[tuple[str, ...], str]] = [
    (("gone.vtt", "cues.yaml"), "gone.vtt: no such file"),
    ((".", "cues.yaml"), ".: a folder, not a file"),
    (("radio.vtt", "gone"), "cannot read gone: No such file"),
    (("radio.vtt", "gone"), "or name a shipped rubric: customer-call, fireground"),
    (("-", "-"), "standard input (-) can be read for one thing only"),
    (("radio.vtt", "four.json"), "has no cues, and without a model only cues are looked up"),
    (("radio.vtt", "cues.yaml", "--format", "xml"), "--format 'xml' is not one of table, json"),
    (("radio.vtt", "cues.yaml", "--tolerance", "nan"), "--tolerance must be a number of seconds"),
    (("radio.vtt", "cues.yaml", "--tolerance", "-1"), "--tolerance must be a number of seconds"),
    (("radio.vtt", "cues.yaml", "--database", "x.db"), "give it a --resume-id"),
    (("radio.vtt", "cues.yaml", "--resume-id", "../x"), "the resume id must be"),
    (("radio.vtt", "cues.yaml", "--supplemental", "x.md"), "--supplemental is for a model"),
    (("radio.vtt", "cues.yaml", "--context-tokens", "9"), "--context-tokens is for a model"),
    (("radio.vtt", "cues.yaml", "--base-url", "http://127.0.0.1:9/v1"), "no model is named"),
    (("radio.vtt", "cues.yaml", "--model", "tiny"), "no server to ask: give --base-url"),
    (("radio.vtt", "cues.yaml", "-o", "radio.vtt", "--format", "json"), "it is an input of this"),
    (("radio.vtt", "four.json", "-o", "four.json"), "it is an input of this"),
    (("radio.vtt", "cues.yaml", "-o", "a.md", "-o", "./a.md"), "it is named twice"),
    (("radio.vtt", "cues.yaml", "-o", "cues.yaml/a.json"), "cues.yaml is not a folder"),
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
        ("times.txt", "[00:01]\n[00:09]\n"),
        ("captions.vtt", "WEBVTT\n\n"),
        ("whisper.json", '{"segments": []}'),
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
        (error(404, {"message": "no such model"}), "(404)"),
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


def test_a_model_that_is_not_reachable_is_an_error() -> None:
    with scoring_server(FOUR) as running:
        pass
    done = asked(running.server)  # whose port is closed by now
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cannot be reached" in complaint(done.stderr)


def test_a_context_too_small_for_the_rubric_is_refused_before_anything_is_asked() -> None:
    with scoring_server(FOUR) as running:
        for options, told in (
            (("--context-tokens", "900"), "a context of 900 tokens is too small"),
            (("--tolerance", "inf"), "--tolerance must be a number of seconds"),
            (("--supplemental", "gone.md"), "supplement: cannot read gone.md"),
        ):
            done = asked(running.server, *options)
            assert done.exit_code == 2
            assert told in complaint(done.stderr)
        assert running.server.received == []
