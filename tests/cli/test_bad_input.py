"""Input that cannot be used: one line on standard error, exit code 2, and nothing is written."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.harness import POLICY, QUOTE, TRUE, complaint, invoke, run, shell
from tests.sources.builders import encrypted_pdf, simple_pdf


def zip_bomb() -> bytes:
    path = Path("bomb.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("word/document.xml", "w") as part:
            part.write(b"<a>")
            for _ in range(300):
                part.write(b"a" * 1024 * 1024)
    data = path.read_bytes()
    path.unlink()
    return data


DOCUMENTS: list[tuple[str, Callable[[], bytes] | bytes | None, str]] = [
    ("gone.md", None, "gone.md: no such file. Check the path."),
    ("empty.md", b"", "the file is empty (0 bytes)"),
    ("blank.txt", b" \n\t\n", "the document is empty"),
    ("noise.md", bytes(range(256)) * 8, "not a text file"),
    ("picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(50), "this is an image"),
    ("latin.txt", "größer".encode("latin-1"), "byte 0xF6 at offset 2 (line 1) is not valid UTF-8"),
    ("broken.pdf", b"%PDF-1.4 and no more", "damaged or cut short"),
    ("secret.pdf", encrypted_pdf, "encrypted and needs a password. Remove the password first"),
    ("none.pdf", simple_pdf, "this PDF has no pages"),
    ("scan.pdf", lambda: simple_pdf([]), "no text: it looks like a scan"),
    ("text.docx", POLICY.encode(), "its content is not DOCX"),
    ("bomb.docx", zip_bomb, "ZIP bomb"),
    ("deep.html", b"<html><body>" + b"<div>" * 100_000, "nested more than 1000 deep"),
    ("deep.htm", b"<i>" * 100_000 + b"x" + b"</i>" * 100_000, "nested more than 1000 deep"),
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


def test_a_folder_without_documents(folder: Path) -> None:
    Path("docs/.hidden").mkdir(parents=True)
    Path("docs/table.csv").write_text("a,b")
    done = invoke("validate", "docs", "--claims", "claims.json")
    assert done.exit_code == 2
    assert "docs: the folder holds no document. Looked for files ending in .md" in complaint(
        done.stderr
    )


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


@pytest.mark.parametrize("standard_input", [b"", b"\0\1\2"])
def test_a_bad_document_on_standard_input_stops_the_run(
    folder: Path, standard_input: bytes
) -> None:
    done = invoke("validate", "-", "policy.md", "--claims", "claims.json", stdin=standard_input)
    assert done.exit_code == 2
    assert "tandard input is empty" in done.stderr or "stdin: not a text file" in done.stderr


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
    "infinity": (NUMBER % "-Infinity", "line 2, column 63: -Infinity is not a JSON number"),
    "too large": (NUMBER % "1e999", "line 2, column 63: 1e999 is too large a number"),
    "too long": (NUMBER % ("9" * 5000), "99999999999999999999… is too large a number"),
    "deep": ("[" * 100_000 + "]" * 100_000, "is not usable: it is nested too deeply"),
    "deep inside": ('{"claims":' + "[" * 900 + "]" * 900 + "}", "nested too deeply"),
    "Latin-1": (claims({}).replace("staff", "größ").encode("latin-1"), "not UTF-8: byte 0xf6 at"),
    "UTF-16": (claims({}).encode("utf-16"), "not UTF-8: byte 0xff at offset 0. Save it as UTF-8."),
    "no object": ('"claims"', '(top): "claims" is not of type "object"'),
    "no claims": ("{}", '"claims" is a required property'),
    "empty list": ('{"claims": []}', "claims: [] has less than 1 item"),
    "not a claim": ('{"claims": [7]}', 'claims[0]: 7 is not of type "object"'),
    "no fields": ('{"claims": [{"id": "EV1"}]}', 'claims[0]: "quote" is a required property'),
    "id": (claims({}, {"id": "X1"}), 'claims[1].id: "X1" does not match "^EV\\d+$"'),
    "task": (claims({"task_id": "T1"}), 'claims[0].task_id: "T1" does not match'),
    "threshold": (claims({"confidence_threshold": 1.5}), "1.5 is greater than the maximum of 1"),
    "long": (claims({"quote": "x" * 2001}), "x… has 2,001 characters; it must have at most 2000"),
    "twice": (claims({}, {}), "claim ids must be unique; used more than once: EV1"),
    "too many": (
        claims(*({"id": f"EV{number}"} for number in range(1001))),
        "1,001 claims, the limit is 1,000. Split the file, or raise performance_limits.max_claims",
    ),
    "metadata": ('{"claims": 1, "source_metadata": {"format": "pdf"}}', '"pdf" is not one of'),
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
    "NaN": ('{"fuzzy_matching": {"similarity_threshold": NaN}}', "NaN is not a JSON number"),
    "no object": ("[]", "configuration: bad.json must hold an object of settings"),
    "null inside": ('{"validation_config": null}', "expected an object of settings"),
    "group": ('{"fuzy_matching": {}}', 'unknown: "fuzy_matching". The groups of settings are'),
    "key": ('{"fuzzy_matching": {"treshold": 1}}', 'fuzzy_matching: unknown: "treshold"'),
    "type": ('{"fuzzy_matching": {"enabled": "yes"}}', 'fuzzy_matching.enabled: "yes" is not of'),
    "overlap": (
        '{"semantic_matching": {"chunk_size": 100}}',
        "overlap_size (100) must be less than semantic_matching.chunk_size (100)",
    ),
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
