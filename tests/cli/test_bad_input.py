"""Input that cannot be used: one line on standard error, exit code 2, and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.harness import POLICY, QUOTE, TRUE, complaint, invoke, run, shell
from tests.sources.builders import encrypted_pdf

DOCUMENTS: list[tuple[str, Callable[[], bytes] | bytes | None, str]] = [
    ("gone.md", None, "gone.md: no such file. Check the path."),
    ("empty.md", b"", "the file is empty (0 bytes)"),
    ("secret.pdf", encrypted_pdf, "encrypted and needs a password. Remove the password first"),
    ("deep.html", b"<html><body>" + b"<div>" * 100_000, "nested more than 1000 deep"),
]


def unchanged(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize(("name", "content", "message"), DOCUMENTS, ids=[d[0] for d in DOCUMENTS])
def test_documents(
    folder: Path, name: str, content: Callable[[], bytes] | bytes | None, message: str
) -> None:
    if content is not None:
        Path(name).write_bytes(content() if callable(content) else content)
    before = unchanged(folder)
    done = invoke("validate", name, "--claims", "claims.json", "--output", "report.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in complaint(done.stderr)
    assert complaint(done.stderr).startswith(f"veridical: {name}: ")
    assert unchanged(folder) == before


def test_a_folder_of_which_nothing_can_be_read_names_each_reason(folder: Path) -> None:
    Path("docs").mkdir()
    Path("docs/a.pdf").write_bytes(b"%PDF-1.4 no")
    Path("docs/b.md").write_bytes(b"")
    for command in (["validate", "docs", "--claims", "claims.json"], ["quote", "words", "docs"]):
        done = invoke(*command)
        assert done.exit_code == 2
        message = complaint(done.stderr)
        assert "none of the documents can be read: a.pdf: " in message
        assert "b.md: the file is empty" in message


def test_a_document_over_the_limit(folder: Path) -> None:
    Path("config.json").write_text('{"performance_limits": {"max_document_size_mb": 0.001}}')
    Path("large.txt").write_text("word " * 400)
    done = invoke("validate", "large.txt", "--claims", "claims.json", "--config", "config.json")
    assert done.exit_code == 2
    assert "large.txt: larger than the limit of 0.00" in complaint(done.stderr)


def claims(*changes: dict[str, Any]) -> str:
    return json.dumps({"claims": [{**TRUE, **change} for change in changes]})


NUMBER = '{"claims": [\n  {"id": "EV1", "quote": "NaN 1e999", "confidence_threshold": %s}\n]}'

CLAIMS: dict[str, tuple[str | bytes, str]] = {
    "wrong JSON": ('{\n "claims": [\n  {"id": "EV1",}\n]}', "not valid JSON: line 3, column 16: "),
    "cut short": (claims({})[:-9], "not valid JSON: line 1, column "),
    "empty": ("", "claims: bad.json is empty; it must hold JSON"),
    "two values": ("{} {}", "line 1, column 4: Extra data"),
    "NaN": (NUMBER % "NaN", "line 2, column 63: NaN is not a JSON number"),
    "too large": (NUMBER % "1e999", "line 2, column 63: 1e999 is too large a number"),
    "too long": (NUMBER % ("9" * 5000), "99999999999999999999… is too large a number"),
    "deep": ("[" * 100_000 + "]" * 100_000, "is not usable: it is nested too deeply"),
    "deep inside": ('{"claims":' + "[" * 900 + "]" * 900 + "}", "nested too deeply"),
    "Latin-1": (claims({}).replace("staff", "größ").encode("latin-1"), "not UTF-8: byte 0xf6 at"),
    "UTF-16": (claims({}).encode("utf-16"), "not UTF-8: byte 0xff at offset 0. Save it as UTF-8."),
    "too many": (
        claims(*({"id": f"EV{number}"} for number in range(1001))),
        "1,001 claims, the limit is 1,000. Split the file, or raise performance_limits.max_claims",
    ),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_claims(folder: Path, name: str) -> None:
    content, message = CLAIMS[name]
    Path("bad.json").write_bytes(content.encode() if isinstance(content, str) else content)
    before = unchanged(folder)
    done = invoke("validate", "policy.md", "--claims", "bad.json", "--output", "report.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in complaint(done.stderr)
    assert unchanged(folder) == before


@pytest.mark.parametrize("place", ["gone.json", ".", "policy.md/x.json", "x" * 300])
def test_claims_that_cannot_be_read(folder: Path, place: str) -> None:
    done = invoke("validate", "policy.md", "--claims", place)
    assert done.exit_code == 2
    assert complaint(done.stderr).startswith(f"veridical: claims: cannot read {place}: ")


def test_claims_are_looked_at_before_the_documents(folder: Path) -> None:
    Path("bad.json").write_text("[]")
    done = invoke("validate", "gone.md", "--claims", "bad.json")
    assert "claims: [] has less than 1 item" in complaint(done.stderr)


CONFIGURATIONS: dict[str, tuple[str, str]] = {
    "wrong JSON": ("{,}", "configuration: bad.json is not valid JSON: line 1, column 2"),
    "no object": ("[]", "configuration: bad.json must hold an object of settings"),
    "key": ('{"fuzzy_matching": {"treshold": 1}}', 'fuzzy_matching: unknown: "treshold"'),
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_configurations(folder: Path, name: str) -> None:
    content, message = CONFIGURATIONS[name]
    Path("bad.json").write_text(content, encoding="utf-8")
    done = invoke("validate", "policy.md", "--claims", "claims.json", "--config", "bad.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in complaint(done.stderr)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "xml"], "--format 'xml' is not one of table, json, junit, sarif, html"),
        (["--fail-under", "1.5"], "--fail-under takes a rate from 0 to 1, got 1.5"),
        (["--fail-under", "-0.1"], "--fail-under takes a rate from 0 to 1"),
        (["--fail-under", "nan"], "--fail-under takes a rate from 0 to 1, got nan"),
    ],
)
def test_options(folder: Path, options: list[str], message: str) -> None:
    done = invoke("validate", "policy.md", "--claims", "claims.json", *options)
    assert done.exit_code == 2
    assert message in complaint(done.stderr)


def test_standard_input_can_be_used_once(folder: Path) -> None:
    done = invoke("validate", "-", "--claims", "-", stdin=POLICY.encode())
    assert done.exit_code == 2
    assert "standard input (-) can be read for one thing only" in complaint(done.stderr)
    assert invoke("validate", "-", "-", "--claims", "claims.json", stdin=POLICY.encode())


@pytest.mark.parametrize("command", [["-", "--claims", "claims.json"], ["policy.md", "--claims=-"]])
def test_closed_standard_input(folder: Path, command: list[str]) -> None:
    done = shell("validate", *command, tail="<&-")
    assert done.returncode == 2
    assert complaint(done.stderr)


def test_half_a_surrogate_pair_in_a_quote_is_not_an_error_of_the_run(folder: Path) -> None:
    Path("c.json").write_text(claims({"quote": f"{QUOTE} \ud800"}), encoding="utf-8")
    done = run("validate", "policy.md", "--claims", "c.json", "--format", "json")
    assert b"Traceback" not in done.stderr
    report = json.loads(done.stdout)
    assert [*report["validated_claims"], *report["failed_claims"]][0]["quote"].endswith("\ud800")


SOUND = b"RIFF$\x00\x00\x00WAVEfmt \x10\x00\x00\x00" + bytes(90)
IMAGE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(90)


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [("talk.wav", SOUND, "a recording of sound or film"), ("page.png", IMAGE, "an image")],
)
def test_a_recording_or_an_image_in_the_place_of_text_is_told_as_what_it_is(
    folder: Path, name: str, data: bytes, told: str
) -> None:
    Path(name).write_bytes(data)
    Path("call.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nHello there.\n", "utf-8")
    (rubric,) = complaint(invoke("score", "run", "call.vtt", name).stderr).splitlines()
    assert f"this is {told}, not a rubric" in rubric
    assert ("in the place of the transcript" in rubric) is (data is SOUND)
    answer = complaint(invoke("check", name, "--documents", "policy.md").stderr)
    assert f"this is {told}, not text" in answer
    assert ("veridical transcribe talk.wav" in answer) is (data is SOUND)
    claims = complaint(invoke("validate", "policy.md", "--claims", name).stderr)
    assert f"{told}, not JSON" in claims
    ledger = complaint(invoke("ledger", "verify", name, "--documents", "policy.md").stderr)
    assert f"{told}, not JSON" in ledger
