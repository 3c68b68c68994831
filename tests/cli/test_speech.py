"""`veridical speech`: check, evaluate, script and speak, as a user runs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.cli.harness import complaint, invoke, run
from tests.models.faulty_server import FaultyServer, answer, completion, serve, silence

from veridical.speech.schemas import load_schema

EXAMPLES = Path(__file__).parents[2] / "examples" / "speech"
TALK = EXAMPLES / "talk.json"
CAPTIONS = EXAMPLES / "talk.vtt"
HANDED_IN = EXAMPLES / "evaluation.json"
NAMED = "And on the stairs I met my brother Tom."


def entry(quote: str, seconds: float, kind: str = "commendation") -> dict[str, Any]:
    return {
        "type": kind,
        "summary": "You brought your brother Tom in.",
        "evidence_quote": quote,
        "evidence_timestamp": seconds,
        "explanation": "Next time, try to tell us what Tom said.",
    }


def write(path: Path, data: Any) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def whole(path: Path, items: list[dict[str, Any]]) -> Path:
    return write(path, {"opening": "Thank you.", "items": items, "closing": "Go on, Tom."})


# --- check ----------------------------------------------------------------------------------------


def test_check_passes_a_part_and_warns_of_its_shape(tmp_path: Path) -> None:
    part = write(tmp_path / "part.json", {"items": [entry(NAMED, 45.0)]})
    result = invoke("speech", "check", TALK, part)
    assert result.exit_code == 0
    assert "1 of 1 item pass" in result.stdout
    assert "1 commendation where there must be 2 to 3" in result.stderr
    assert "0 recommendations where there must be 1 to 2" in result.stderr


def test_an_evaluation_without_items_does_not_pass_and_gives_no_script(tmp_path: Path) -> None:
    empty = whole(tmp_path / "e.json", [])
    assert invoke("speech", "check", TALK, empty).exit_code == 1
    script = invoke("speech", "script", TALK, empty)
    assert script.exit_code == 1
    assert "the evaluation has no items" in script.stderr


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 1),
        (["--tolerance", "62"], 0),
        (["--tolerance", "62", "--max-words", "10"], 1),
        (["--tolerance", "62", "--min-words", "12"], 1),
    ],
)
def test_all_limits_can_be_set(tmp_path: Path, options: list[str], code: int) -> None:
    part = whole(
        tmp_path / "e.json", [entry("We opened it, we cleaned it, and we closed it again", 112)]
    )
    assert invoke("speech", "check", TALK, part, *options).exit_code == code


def test_the_words_must_be_the_speakers(tmp_path: Path) -> None:
    part = whole(tmp_path / "e.json", [entry("what is the best thing you ever lost", 10)])
    assert invoke("speech", "check", CAPTIONS, part).exit_code == 0
    assert invoke("speech", "check", CAPTIONS, part, "--label", "Chair").exit_code == 0
    result = invoke("speech", "check", CAPTIONS, part, "--label", "Daniel")
    assert result.exit_code == 1
    assert "said by Chair" in result.stdout


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("{", "not valid JSON: line 1"),
        ('{"items": [{"type": "praise"}]}', "items[0]"),
        ('{"items": [{"type": "commendation", "evidence_quote": "a b"}]}', "evidence_timestamp"),
        ('{"evaluation": {"items": []}, "evidence": []}', "does not fit its schema"),
    ],
)
def test_an_evaluation_that_cannot_be_read_is_an_error(
    tmp_path: Path, data: str, told: str
) -> None:
    path = tmp_path / "e.json"
    path.write_text(data)
    result = invoke("speech", "check", TALK, path)
    assert result.exit_code == 2
    assert told in complaint(result.stderr)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check", TALK, "no.json"], "cannot read no.json"),
        (["check", TALK, HANDED_IN, "--label", "Ann"], "is labelled 'Ann'"),
        (["check", TALK, HANDED_IN, "--min-words", "0"], "min_tokens"),
        (["check", TALK, HANDED_IN, "--tolerance", "nan"], "tolerance_seconds"),
        (["evaluate", TALK, "-o", TALK], "it is an input"),
        (["evaluate", TALK, "--phrase", ""], "phrase"),
        (["evaluate", TALK, "--model", "m"], "VERIDICAL_BASE_URL"),
        (["evaluate", TALK, "--seconds", "1e308"], "time limit"),
        (["evaluate", TALK, "--with-names", "a.html"], "known are .json"),
        (["evaluate", CAPTIONS, "--speaker", "Henrik Larsen"], "fits none of the speakers"),
        (["check", TALK, HANDED_IN, "-o", "x.txt", "-o", "x.json"], "different suffixes"),
        (["speak", HANDED_IN, "-o", "x.wav"], "JSON without a script"),
        (["speak", EXAMPLES / "talk.txt", "-o", "x.wav", "--engine", "parrot"], "parrot"),
    ],
)
def test_what_cannot_be_run_says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[Any], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke("speech", *arguments)
    assert result.exit_code == 2
    assert told in complaint(result.stderr)
    assert list(tmp_path.iterdir()) == []


def test_seconds_can_be_counted_from_the_start_of_the_speech(tmp_path: Path) -> None:
    part = write(tmp_path / "part.json", {"items": [entry(NAMED, 5.0)]})
    assert invoke("speech", "check", TALK, part).exit_code == 1
    done = invoke("speech", "check", TALK, part, "--speech-start", "37")
    assert done.exit_code == 0
    assert "counted from the start of the speech, 37 s into the recording" in done.stderr
    script = invoke("speech", "script", TALK, part, "--speech-start", "37")
    assert script.exit_code == 0
    wrong = invoke("speech", "evaluate", TALK, "--speech-start", "soon")
    assert wrong.exit_code == 2
    assert "--speech-start: 'soon' is neither" in complaint(wrong.stderr)


def test_of_a_part_of_a_recording_only_the_quotes_in_it_hold(tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text(WITH_CHAIR)
    items = [
        entry("Good evening, everybody. Please welcome Daniel", 1),
        entry("you want a clock that does not", 24),
    ]
    part = write(tmp_path / "part.json", {"items": items})
    assert invoke("speech", "check", talk, part).exit_code == 0
    done = invoke("speech", "check", talk, part, "--from", "0:12", "--to", "41", "--format", "json")
    assert done.exit_code == 1
    chairs, own = json.loads(done.stdout)["items"]
    assert (chairs["passed"], own["passed"]) == (False, True)
    assert [c["check"] for c in chairs["checks"] if c["outcome"] == "failed"] == ["speaker"]
    wrong = invoke("speech", "check", talk, part, "--from", "noon")
    assert "--from: 'noon' is no time" in complaint(wrong.stderr)


# --- evaluate -------------------------------------------------------------------------------------


WITH_CHAIR = """[00:01] Good evening, everybody. Please welcome Daniel Okafor.
[00:12] Thank you. Two winters ago I bought a clock that had stopped at noon.
[00:18] It was not broken, it was waiting for somebody to open it.
[00:24] My mother asked me, why do you want a clock that does not go?
[00:30] I opened it, I cleaned it, and I closed it again.
[00:36] So this week, take one old thing from the shelf and look inside. Thank you.
[00:42] Thank you, Daniel, and now to the raffle.
"""


def test_of_an_undivided_recording_the_likely_speech_is_taken_and_said(tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text(WITH_CHAIR)
    found = invoke("speech", "evaluate", talk)
    assert found.exit_code == 0, found.output
    assert "the speech is taken to run from 0:12 to 0:41" in found.stderr
    assert "raffle" not in found.stdout
    given = invoke("speech", "evaluate", talk, "--from", "12", "--to", "0:41")
    assert given.stdout == found.stdout
    assert "is taken to run" not in given.stderr
    whole_of_it = invoke("speech", "evaluate", talk, "--from", "0")
    assert measured_words(whole_of_it.stdout) > measured_words(found.stdout)
    late = invoke("speech", "evaluate", talk, "--from", "2:00")
    assert late.exit_code == 2
    assert "nothing is known to be said from 2:00" in complaint(late.stderr)
    wrong = invoke("speech", "evaluate", talk, "--to", "noon")
    assert "--to: 'noon' is no time" in complaint(wrong.stderr)


def measured_words(told: str) -> int:
    found = re.search(r"(\d+) words", told)
    assert found
    return int(found[1])


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal of its own")
@pytest.mark.parametrize(("answer", "code"), [(b"y\n", 0), (b"n\n", 2)])
def test_at_a_terminal_the_likely_speech_is_shown_and_asked_about(
    tmp_path: Path, answer: bytes, code: int
) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text(WITH_CHAIR)
    ours, theirs = os.openpty()
    os.write(ours, answer)
    done = subprocess.run(
        [sys.executable, "-m", "veridical", "speech", "evaluate", str(talk)],
        stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, timeout=120, check=False,
    )  # fmt: skip
    os.close(theirs)
    shown = os.read(ours, 65_536).decode()
    os.close(ours)
    assert done.returncode == code
    assert "The speech seems to run from 0:12 to 0:41" in shown
    assert "Two winters ago" in shown
    assert ("say where the speech is: --from, --to" in shown) is (code == 2)


def test_a_talk_that_cannot_be_quoted_in_time_comes_out_short(tmp_path: Path) -> None:
    (tmp_path / "talk.txt").write_text("We met at the mill and walked down to the river together.")
    result = invoke("speech", "evaluate", tmp_path / "talk.txt")
    assert result.exit_code == 1
    assert "veridical: warning: " in result.stderr
    assert "Traceback" not in result.output


def test_names_are_left_out_of_everything_but_the_private_file(tmp_path: Path) -> None:
    raw = tmp_path / "raw.json"
    public = tmp_path / "public.json"
    talk = tmp_path / "talk-of-tom.json"
    shutil.copy(TALK, talk)
    told = invoke("speech", "evaluate", talk, "-o", public, "--with-names", raw, "--verbose")
    assert told.exit_code == 0
    for text in (told.output, public.read_text("utf-8")):
        assert "tom" not in text.lower().replace("automa", "").replace("custom", "")
        assert "maria" not in text.lower()
    jsonschema.validate(json.loads(raw.read_text("utf-8")), load_schema("structured_evaluation"))


# --- from evaluate back to check and script -------------------------------------------------------


@pytest.fixture
def model_server() -> Iterator[FaultyServer]:
    """An OpenAI-compatible server on loopback that hands in items which name people."""
    items = [entry(NAMED, 44.0), entry("We opened it, we cleaned it, and we closed it again", 50)]
    told = {
        "opening": "Thank you, Tom and Maria.",
        "items": [
            *items,
            entry("So this week, before you throw anything away", 195, "recommendation"),
        ],
        "closing": "Give Maria my regards.",
    }
    with serve(answer(completion(json.dumps(told)))) as server:
        yield server


def test_a_published_evaluation_of_a_model_is_proven_by_its_receipts(
    tmp_path: Path, model_server: FaultyServer
) -> None:
    public = tmp_path / "public.json"
    options = ("--model", "m", "--base-url", model_server.url, "-o", public, "--verbose")
    done = run("speech", "evaluate", TALK, *options)
    assert done.returncode == 0, done.stderr
    assert len(model_server.received) == 1
    shown = done.stdout.decode() + done.stderr.decode() + public.read_text("utf-8")
    for name in ("Tom", "Maria"):
        assert name not in shown
    data = json.loads(public.read_text("utf-8"))
    assert data["evaluation"]["items"][0]["evidence_quote"].endswith("my brother a fellow member.")
    assert data["evidence"][0]["redacted"]

    checked = invoke("speech", "check", TALK, public)
    assert checked.exit_code == 0, checked.output
    assert "the receipt proves the words" in " ".join(checked.stdout.replace("│", " ").split())

    script = invoke("speech", "script", TALK, public)
    assert script.exit_code == 0
    assert "my brother a fellow member" in script.stdout
    assert "Tom" not in script.output


def test_a_model_that_hangs_is_waited_for_and_then_fixed_rules_write() -> None:
    with serve(silence) as server:
        options = ("--model", "m", "--base-url", server.url, "--timeout", "0.5")
        done = invoke("speech", "evaluate", TALK, *options)
    assert done.exit_code == 0, done.output
    assert "Evaluated by fixed rules, no model." in done.stdout
    assert "warning: m gave no usable evaluation within 0.5 s in all: fixed rules" in done.stderr


def test_the_reason_why_nothing_came_out_is_the_true_one() -> None:
    with serve(answer(completion("I cannot do that."))) as server:
        options = ("--model", "m", "--base-url", server.url)
        done = invoke("speech", "evaluate", TALK, *options)
    assert done.exit_code == 1
    assert "No evaluation came out: best effort after 2 generations" in done.stdout
    assert "the reply is not JSON: line 1, column 1" in done.stdout


@pytest.mark.parametrize(
    "tamper",
    [
        lambda data: data["evaluation"]["items"][0].update(
            evidence_quote="And on the stairs I hit my brother a fellow member."
        ),
        lambda data: data["evidence"][0]["receipt"].update(digest="0" * 64),
        lambda data: data["evidence"][0]["receipt"].update(seconds=90.0),
        lambda data: data["evidence"][0]["receipt"].update(tokens=8),
        lambda data: data["evidence"].reverse(),
        lambda data: data["redaction"].update(phrase="I"),
        lambda data: data["evaluation"]["items"][0].update(
            evidence_quote="And a fellow member the stairs I met my brother a fellow member."
        ),
    ],
)
def test_a_tampered_publication_is_not_proven(
    tmp_path: Path, model_server: FaultyServer, tamper: Any
) -> None:
    public = tmp_path / "public.json"
    invoke("speech", "evaluate", TALK, "--model", "m", "--base-url", model_server.url, "-o", public)
    data = json.loads(public.read_text("utf-8"))
    tamper(data)
    assert invoke("speech", "check", TALK, write(public, data)).exit_code == 1


def test_script_keeps_the_speakers_name_and_no_other(tmp_path: Path) -> None:
    told = whole(tmp_path / "e.json", [entry(NAMED, 44.0)])
    named = invoke(
        "speech", "script", TALK, told, "--speaker", "Tom Baker", "-o", tmp_path / "s.txt"
    )
    assert named.exit_code == 0
    assert "my brother Tom" in (tmp_path / "s.txt").read_text("utf-8")
    other = invoke("speech", "script", TALK, told, "--phrase", "a friend")
    assert "my brother a friend" in other.stdout


LOWER = """[00:00] ANN: mark told me to go home that night and i went
[00:06] ANN: thank you, mark, for that warm and kind introduction of me
[00:12] ANN: my friend mark helped me to carry the old boat home that day
[00:18] ANN: what would you do if mark came to your door at three
"""


def test_what_breaks_a_rule_of_tone_is_not_spoken(tmp_path: Path) -> None:
    scored = {**entry(NAMED, 45.0), "explanation": "We saw the stairs. I give you an 8 out of 10."}
    data = {"opening": "Thank you. Your score is 8.", "items": [scored], "closing": ""}
    result = invoke("speech", "script", TALK, write(tmp_path / "e.json", data))
    assert result.exit_code == 0
    assert "We saw the stairs." in result.stdout
    assert "score" not in result.output.replace("tone: score", "")
    assert "out of 10" not in result.output
    assert "left out for its tone: score in items[0].explanation" in result.stderr
    assert "left out for its tone: score in opening" in result.stderr


def test_a_listed_name_is_in_no_part_of_the_script_either(tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text(LOWER)
    items = [
        entry("thank you, mark, for that warm and kind introduction", 6),
        entry("my friend mark helped me to carry the old boat", 12),
        entry("what would you do if mark came to your door", 18, "recommendation"),
    ]
    plain = {"summary": "You told us.", "explanation": "Next time, try a pause."}
    told = whole(tmp_path / "e.json", [{**item, **plain} for item in items])
    script = invoke("speech", "script", talk, told, "--speaker", "Ann", "--name", "Mark")
    assert script.exit_code == 0, script.output
    assert "mark" not in script.stdout.lower()
    public = tmp_path / "public.json"
    invoke("speech", "evaluate", talk, "--speaker", "Ann", "--name", "Mark", "-o", public)
    assert "mark" not in public.read_text("utf-8").lower()


# --- speak ----------------------------------------------------------------------------------------


@pytest.mark.skipif(
    shutil.which("espeak-ng") is None and not os.environ.get("CI"),
    reason="espeak-ng is missing: run scripts/ensure_espeak.sh",
)
def test_speak_writes_a_sound_file(tmp_path: Path) -> None:
    script = tmp_path / "s.txt"
    script.write_text("Thank you for your talk.")
    sound = tmp_path / "s.wav"
    assert invoke("speech", "speak", script, "-o", sound).exit_code == 0
    assert sound.read_bytes().startswith(b"RIFF")
    wrong = invoke("speech", "speak", script, "-o", tmp_path / "s.mp3")
    assert wrong.exit_code == 2
    assert "s.wav" in complaint(wrong.stderr)
    assert not (tmp_path / "s.mp3").exists()
