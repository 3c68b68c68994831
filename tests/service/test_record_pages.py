"""The pages of records: forms that work without a script, states, files, and hostile words."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.service.seeding import EXAMPLES
from tests.service.visiting import BROWSER, Place
from tests.service.working import in_new_workspace, work_off
from tests.validation.report_page import parse

from veridical.evaluation.results import run_from_bytes
from veridical.scoring.wire import scorecard_from_bytes

HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">\u202e "\'>'
LEAVE = "# Leave\n\nFull-time employees get 25 days of leave a year.\n"
QUOTE = "Full-time employees get 25 days of leave a year."
VTT = f"WEBVTT\n\n00:00.000 --> 00:06.000\n<v Ana>Good evening everyone, and welcome to {HOSTILE}\n"
PAIR = VTT.split("<v")[0] + "<v Ana>Hello\n\n00:07.000 --> 00:09.000\n<v Bob>Good evening\n"
RADIO = (EXAMPLES / "scoring" / "fireground.vtt").read_bytes()
TALK = (EXAMPLES / "speech" / "talk.vtt").read_bytes()
QUESTION = json.dumps({"id": "q1", "question": HOSTILE, "answerable": False})


@pytest.fixture
def client(place: Place) -> TestClient:
    client = in_new_workspace(place)
    client.headers["Accept"] = BROWSER["Accept"]
    return client


def sent(place: Place, client: TestClient, address: str, files: Any = None, **form: Any) -> str:
    """The address of the page of what a form asked for, once that is done."""
    reply = client.post(address, data=form, files=files or {"none": ("", b"")})
    assert reply.status_code == 303, reply.text
    work_off(place)
    return str(reply.headers["location"])


def safe(page: str) -> str:
    """A page in which nothing that was sent acts; returns its text."""
    tree = parse(page)
    assert "<script>alert" not in page
    assert not [node for node in tree.all("img") if "onerror" in node.attributes]
    assert "\u202e" not in page
    return tree.text


ASKED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("/validations", {"quotes": f"{QUOTE}\n{HOSTILE}", "text": LEAVE + HOSTILE, "title": HOSTILE},
     {}),
    ("/validations", {"text": LEAVE}, {"quotes_file": ("quotes.txt", QUOTE.encode())}),
    ("/speech", {"transcript": VTT * 1, "title": HOSTILE, "names": HOSTILE}, {}),
    ("/speech", {"speaker": "Daniel"}, {"transcript_file": (f"{HOSTILE}.vtt", TALK)}),
    ("/speech", {"transcript": VTT, "evaluation": json.dumps({"items": [
        {"type": "commendation", "evidence_quote": f"welcome to {HOSTILE}", "evidence_timestamp": 1}
    ]})}, {}),
    ("/scorecards", {"transcript": VTT, "rubric": "customer-call", "title": HOSTILE}, {}),
    ("/scorecards", {"rubric": "fireground"}, {"transcript_file": ("radio.vtt", RADIO)}),
]  # fmt: skip


@pytest.mark.parametrize(("address", "form", "files"), ASKED)
def test_what_a_form_asks_for_is_shown_as_text(
    place: Place, client: TestClient, address: str, form: dict[str, Any], files: dict[str, Any]
) -> None:
    page = client.get(sent(place, client, address, files, **form))
    assert page.status_code == 200
    safe(page.text)
    assert "style=" not in page.text
    listed = client.get("/library")
    safe(listed.text)
    assert page.request.url.path in listed.text


def test_an_evaluation_run_is_shown_and_run_again(place: Place, client: TestClient) -> None:
    client.post("/api/v1/documents", files={"file": ("leave.md", LEAVE)})
    work_off(place)
    address = sent(place, client, "/evaluations", questions=QUESTION, fail_under="refused=100")
    assert "kept" in safe(client.get(address).text)
    again = sent(place, client, f"{address}/again")
    assert "Over 2 runs" in safe(client.get("/evaluations").text)
    lines = client.get(f"{again}/file").content
    assert len(run_from_bytes(lines).results) == 1


BROKEN: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("/validations", {"quotes": "", "text": LEAVE}, {}, "paste them"),
    ("/validations", {"quotes": "{]", "text": LEAVE}, {}, "JSON"),
    ("/validations", {"quotes": "[" * 100_000, "text": LEAVE}, {}, "JSON"),
    ("/validations", {"quotes": f"{QUOTE}\n\n  too short", "text": LEAVE}, {},
     'line 3: "too short" has 9 characters'),
    ("/validations", {"quotes": '[{"id": "x", "quote": 5}]', "text": LEAVE}, {},
     "quote 1, \u201cid\u201d: \"x\" must be EV and a number"),
    ("/validations", {"text": LEAVE}, {"quotes_file": ("q.txt", b"\xff\xfe\x00")}, "UTF-8"),
    ("/speech", {}, {"transcript_file": ("t.vtt", b"%PDF-1.7 nothing")}, "transcript"),
    ("/speech", {"transcript": VTT, "evaluation": "{"}, {}, "not JSON"),
    ("/scorecards", {"transcript": VTT, "rubric": "nothing"}, {}, "fireground"),
    ("/speech", {"transcript": VTT}, {"transcript_file": ("t.vtt", TALK)}, "but not both"),
    ("/speech", {"transcript": PAIR, "speaker": "Zoe"}, {}, "Ana, Bob. Give the label"),
    ("/speech", {"transcript": PAIR, "from_time": "noon"}, {}, "'noon' is no time"),
    ("/speech", {"transcript": PAIR, "to_time": "0:00.1"}, {}, "Nothing is known to be said"),
    ("/scorecards", {"transcript": VTT, "rubric_text": "template:\n  id: [\n"}, {},
     "Rubric, line 3: not valid YAML"),
    ("/evaluations", {"questions": "{}"}, {}, "Questions: line 1: \u201cid\u201d is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("address", "form", "files", "told"), BROKEN)
def test_what_cannot_be_used_comes_back_with_what_is_wrong(
    client: TestClient, address: str, form: dict[str, Any], files: dict[str, Any], told: str
) -> None:
    reply = client.post(address, data=form, files=files or {"none": ("", b"")})
    assert reply.status_code == 422
    tree = parse(reply.text)
    (problem,) = [node for node in tree.all("p") if node.attributes.get("role") == "alert"]
    assert told in problem.text
    assert not re.search(r"schema|--\w|\w\[\d+\]|\(top\)|veridical|:\d+:", problem.text)
    for name, value in form.items():
        if len(value) < 1_000 and name not in ("rubric", "evaluation"):
            assert value.strip() in tree.text or value in str(reply.text)


def test_a_stretch_in_which_nothing_is_said_is_not_begun(place: Place, client: TestClient) -> None:
    address = sent(place, client, "/speech", transcript=PAIR)
    for form in ({"from_time": "9:00", "to_time": ""}, {"from_time": "noon", "to_time": ""}):
        reply = client.post(f"{address}/again", data=form)
        assert reply.status_code == 422
        assert "nothing is known to be said" in reply.text or "is no time" in reply.text


def test_files_of_a_scorecard_are_what_the_command_line_writes(
    place: Place, client: TestClient
) -> None:
    files = {"transcript_file": ("radio.vtt", RADIO)}
    address = sent(place, client, "/scorecards", files, rubric="fireground", title="On Tac 3")
    card = scorecard_from_bytes(client.get(f"{address}/file?form=json").content)
    assert card.transcript.name == "radio.vtt"
    html = client.get(f"{address}/file?form=html")
    assert html.headers["content-disposition"].startswith("attachment")
    assert "On-Tac-3.html" in html.headers["content-disposition"]
    assert "<style>" in html.text
    assert client.get(f"{address}/file?form=markdown").text.startswith("# On Tac 3")
    assert client.get(f"{address}/file?form=exe").status_code == 404


def test_the_quotes_lead_into_the_document(place: Place, client: TestClient) -> None:
    shown = client.post("/api/v1/documents", files={"file": ("leave.md", LEAVE)}).json()
    work_off(place)
    page = client.get(sent(place, client, "/validations", quotes=QUOTE)).text
    start = LEAVE.index(QUOTE)
    where = f"version=1&amp;start={start}&amp;end={start + len(QUOTE)}"
    link = f"/documents/{shown['document_id']}?{where}"
    assert link in page


CHECKED = "# Leave\n\n~~Up to 10 days may be carried over.~~\n\n# Pay\n\nIt is paid on Fridays."


def checked_quote(place: Place, client: TestClient, **claim: str) -> Any:
    """The row of a quote that was checked against `CHECKED`."""
    client.post("/api/v1/documents", files={"file": ("leave.md", CHECKED)})
    work_off(place)
    whole = {"id": "EV001", "task_id": "P1.T001", "evidence_type": "direct_quote", **claim}
    address = sent(place, client, "/validations", quotes=json.dumps([whole]))
    return parse(client.get(address).text).by_id("EV001")


def test_a_quote_that_is_struck_out_is_said_to_be_and_is_not_called_sure(
    place: Place, client: TestClient
) -> None:
    row = checked_quote(place, client, quote="Up to 10 days may be carried over.")
    assert "struck out in the source" in row.text
    assert "it has taken them back" in row.text
    assert re.search(r"confidence \d+%", row.text)
    assert "high" not in row.text
    assert not row.all("svg", "meter")
    assert not row.all("p", "diff")


def test_a_record_that_waits_or_failed_says_so(place: Place, client: TestClient) -> None:
    reply = client.post("/evaluations", data={"questions": QUESTION}, files={"none": ("", b"")})
    address = reply.headers["location"]
    assert parse(client.get(address).text).text.count("Waiting for its turn") == 1
    work_off(place)
    failed = parse(client.get(address).text).text
    assert "could not be done" in failed
    assert "Try again" in failed
    assert client.get(f"{address}/file").status_code == 404


@pytest.mark.parametrize(
    "name", ["speech.css", "speech.js", "score.css", "score.js", "evaluation.css"]
)
def test_styles_and_scripts_of_reports_are_files_with_a_tag(place: Place, name: str) -> None:
    client = place.client()
    reply = client.get(f"/static/reports/{name}")
    assert reply.status_code == 200
    kind = "text/css" if name.endswith("css") else "text/javascript"
    assert reply.headers["content-type"].startswith(kind)
    again = client.get(f"/static/reports/{name}", headers={"If-None-Match": reply.headers["etag"]})
    assert again.status_code == 304
    assert not again.content
    assert client.get("/static/reports/nothing.css").status_code == 404


@pytest.mark.parametrize("field", ["title", "speaker", "names", "rubric", "fail_under"])
def test_what_is_far_too_long_for_its_field_is_refused(client: TestClient, field: str) -> None:
    evaluation = json.dumps({"evaluation": []})
    form = {"transcript": VTT, "evaluation": evaluation, field: "," * 20_001}
    reply = client.post("/speech", data=form, files={"none": ("", b"")})
    assert reply.status_code == 422
    assert field in reply.text
