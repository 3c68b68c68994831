"""Validations, speech evaluations, scorecards and evaluation runs over HTTP: what the library says
of the same input is what the service must say of it."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft7Validator
from tests.service.seeding import EXAMPLES
from tests.service.visiting import Place
from tests.service.working import API, refused, upload, work_off

from veridical import load_document, load_rubric, load_transcript
from veridical.evaluation.schemas import load_schema as evaluation_schema
from veridical.scoring.schemas import load_schema as scoring_schema
from veridical.scoring.scorer import RubricScorer
from veridical.scoring.wire import scorecard_to_wire
from veridical.service.records.inputs import MAX_QUESTIONS
from veridical.speech.checking import check_evaluation, read_evaluation
from veridical.speech.generator import EvaluationGenerator
from veridical.speech.schemas import load_schema as speech_schema
from veridical.speech.wire import to_wire as speech_to_wire
from veridical.validation.claims import parse_claims
from veridical.validation.schemas import load_schema as validation_schema
from veridical.validation.validator import Validator

NOBODY = "00000000-0000-4000-8000-000000000000"
TALK = EXAMPLES / "speech" / "talk.vtt"
RADIO = EXAMPLES / "scoring" / "fireground.vtt"
CLAIMS = json.loads((EXAMPLES / "claims.json").read_text("utf-8"))
QUESTIONS = [
    {"id": "q1", "question": "How many days of leave do I get?", "answerable": True,
     "expected": [["25 days"]], "topic": "leave"},
    {"id": "q2", "question": "What does the canteen cost?", "answerable": False},
]  # fmt: skip
LEAVE = "# Leave\n\nFull-time employees get 25 days of leave a year.\n"
CLAIM = {
    "id": "EV001", "task_id": "P1.T001", "evidence_type": "direct_quote",
    "quote": "Full-time employees get 25 days of leave a year.",
}  # fmt: skip
PLACE = {"max_body_bytes": 400_000}


def made(place: Place, client: TestClient, kind: str, **asked: Any) -> dict[str, Any]:
    """A record of something that was asked for and is done."""
    reply = client.post(f"{API}/{kind}", json=asked)
    assert reply.status_code == 202, reply.text
    waiting = reply.json()
    assert waiting["state"] == "waiting"
    assert waiting["result"] is None
    assert reply.headers["location"] == f"{API}/{kind}/{waiting['id']}"
    work_off(place)
    record = client.get(reply.headers["location"]).json()
    assert record["state"] == "ready", record["message"]
    listed = client.get(f"{API}/{kind}").json()["items"][0]
    assert listed == {name: value for name, value in record.items() if name != "result"}
    return dict(record)


def test_a_validation_says_what_the_library_says(place: Place, client: TestClient) -> None:
    names = (
        "leave-policy.md",
        "remote-work.html",
        "expense-handbook.pdf",
        "security-standard.docx",
    )
    for name in names:
        upload(place, client, name, (EXAMPLES / "sources" / name).read_bytes())
    record = made(place, client, "validations", claims=CLAIMS)
    documents = [load_document(EXAMPLES / "sources" / name, name=name) for name in sorted(names)]
    expected = Validator(documents).validate(parse_claims(CLAIMS, max_claims=1_000)).to_dict()
    for report in (record["result"], expected):
        assert report.pop("generated")["contentHash"]
    assert record["result"] == expected
    assert record["summary"] == expected["validation_summary"]


def test_a_validation_looks_at_documents_as_they_were_when_it_was_asked_for(
    place: Place, client: TestClient
) -> None:
    upload(place, client, "leave.md", LEAVE)
    asked = client.post(f"{API}/validations", json={"claims": [CLAIM]})
    upload(place, client, "leave.md", LEAVE.replace("25", "30"))
    work_off(place)
    record = client.get(asked.headers["location"]).json()
    assert record["summary"]["validated_claims"] == 1


def test_a_validation_may_bring_its_own_text(place: Place, client: TestClient) -> None:
    record = made(
        place, client, "validations", claims=[CLAIM], texts=[{"name": "own.md", "text": LEAVE}],
        strict=True, title="Mine", config={"exact_matching": {"case_sensitive": True}},
    )  # fmt: skip
    assert record["title"] == "Mine"
    assert record["summary"]["validation_rate"] == 1
    assert not list(
        Draft7Validator(validation_schema("evidence_validation")).iter_errors(record["result"])
    )


def test_a_speech_evaluation_says_what_the_library_says(place: Place, client: TestClient) -> None:
    given = {"text": TALK.read_text("utf-8"), "name": "talk.vtt"}
    record = made(place, client, "speech-evaluations", transcript=given, speaker="Daniel")
    transcript = load_transcript(TALK, name="talk.vtt")
    generator = EvaluationGenerator()
    found = generator.generate(transcript, speaker="Daniel", label="Daniel")
    expected = speech_to_wire(
        generator.publish(found, with_transcript=True), generator.render_script(found)
    )
    assert record["result"] == json.loads(json.dumps(expected))
    assert not list(
        Draft7Validator(speech_schema("speech_evaluation")).iter_errors(record["result"])
    )
    assert record["summary"]["items"] == len(expected["evaluation"]["items"])


CHAIRED = """[00:01] Good evening, everybody. Please welcome Daniel Okafor.
[00:12] Thank you. Two winters ago I bought a clock that had stopped at noon.
[00:18] It was not broken, it was waiting for somebody to open it.
[00:24] My mother asked me, why do you want a clock that does not go?
[00:30] I opened it, I cleaned it, and I closed it again.
[00:36] So this week, take one old thing from the shelf and look inside. Thank you.
[00:42] Thank you, Daniel, and now to the raffle.
"""


def test_a_speech_is_found_in_its_recording_or_given_by_its_seconds(
    place: Place, client: TestClient
) -> None:
    def words(**asked: Any) -> tuple[int, Any, str]:
        record = made(place, client, "speech-evaluations", transcript={"text": CHAIRED}, **asked)
        result = record["result"]
        told = " ".join(result["warnings"])
        return result["metrics"]["words"], record["summary"]["found_seconds"], told

    found, stretch, told = words()
    assert stretch == [12, 41.95]
    assert "the speech is taken to run from 0:12 to 0:41" in told
    given, stretch, told = words(from_seconds=12, to_seconds=41)
    assert (given, stretch) == (found, None)
    assert "taken to run" not in told
    assert words(from_seconds=0)[0] > found


def test_an_evaluation_that_is_given_is_checked(place: Place, client: TestClient) -> None:
    given = json.loads((EXAMPLES / "speech" / "evaluation.json").read_text("utf-8"))
    file = EXAMPLES / "speech" / "talk.json"
    transcript = {"text": file.read_text("utf-8"), "name": "talk.json"}
    record = made(place, client, "speech-evaluations", transcript=transcript, evaluation=given)
    report = check_evaluation(read_evaluation(given), load_transcript(file, name="talk.json"))
    assert record["result"] == json.loads(json.dumps(report.to_mapping()))
    assert record["summary"]["passed"] == report.passed


def test_a_scorecard_says_what_the_library_says(place: Place, client: TestClient) -> None:
    given = {"text": RADIO.read_text("utf-8"), "name": "fireground.vtt"}
    record = made(place, client, "scorecards", transcript=given, rubric="fireground")
    at = datetime.fromisoformat(record["created_at"]).isoformat(timespec="seconds")
    card = RubricScorer(created_at=at).score(
        load_transcript(RADIO, name="fireground.vtt"), load_rubric("fireground")
    )
    assert record["result"] == json.loads(json.dumps(scorecard_to_wire(card)))
    assert not list(Draft7Validator(scoring_schema("scorecard")).iter_errors(record["result"]))
    assert record["summary"]["status"] == card.overall.status.value


def test_an_evaluation_asks_the_documents_of_the_workspace(
    place: Place, client: TestClient
) -> None:
    upload(place, client, "leave.md", LEAVE)
    lines = "\n".join(json.dumps(question) for question in QUESTIONS)
    for questions in (QUESTIONS, lines):
        record = made(
            place, client, "evaluations", questions=questions, fail_under="correct=100,p50=60000"
        )
        head, results = record["result"]["run"], record["result"]["results"]
        assert not list(Draft7Validator(evaluation_schema("evaluation_run")).iter_errors(head))
        for result in results:
            schema = evaluation_schema("evaluation_result")
            assert not list(Draft7Validator(schema).iter_errors(result))
        assert [result["scores"]["correct"] for result in results] == [True, True]
        assert [bound["holds"] for bound in record["summary"]["bounds"]] == [True, True]
        assert record["summary"]["correct"]["count"] == 2


# --- what cannot be used -------------------------------------------------------------------------

LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)
)
SAID = {"text": "WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ana>Good evening, and welcome.\n"}
DEEP = json.loads("[" * 200 + "]" * 200)

OWN = {"texts": [{"name": "a", "text": LEAVE}]}
MANY = [{**QUESTIONS[1], "id": f"q{n}"} for n in range(MAX_QUESTIONS + 1)]
PYTHON = "!!python/object/apply:os.system\n- ls"

UNUSABLE: list[tuple[str, dict[str, Any], str]] = [
    ("validations", {"claims": []}, "claims"),
    ("validations", {"claims": [{**CLAIM, "quote": "short"}], **OWN}, "quote"),
    ("validations", {"claims": [CLAIM, CLAIM], **OWN}, "EV001"),
    ("validations", {"claims": {"claims": DEEP}}, "claims"),
    ("validations", {"claims": [CLAIM], "texts": [{"name": "a", "text": " "}]}, "empty"),
    ("validations", {"claims": [CLAIM], "texts": [{"name": "a", "text": LEAVE}] * 2}, "rename"),
    ("speech-evaluations", {"transcript": {}}, "transcript"),
    ("speech-evaluations", {"transcript": {"text": "a", "document_id": NOBODY}}, "transcript"),
    ("speech-evaluations", {"transcript": {"text": "<html><body>No</body></html>"}}, "transcript"),
    ("speech-evaluations", {"transcript": {"text": '{"no": "recogniser"}'}}, "JSON"),
    ("speech-evaluations", {"transcript": SAID, "evaluation": {"items": 3}}, "evaluation"),
    ("speech-evaluations", {"transcript": SAID, "seconds": -1}, "seconds"),
    ("speech-evaluations", {"transcript": SAID, "from_seconds": 900}, "nothing is known"),
    ("scorecards", {"transcript": SAID, "rubric": "no-such-rubric"}, "fireground"),
    ("scorecards", {"transcript": SAID, "rubric": "/etc/passwd"}, "fireground"),
    ("scorecards", {"transcript": SAID, "rubric": "a: [1\nb: }"}, "rubric"),
    ("scorecards", {"transcript": SAID, "rubric": LAUGHS}, "rubric"),
    ("scorecards", {"transcript": SAID, "rubric": PYTHON}, "rubric"),
    ("scorecards", {"transcript": SAID, "rubric": "fireground", "tolerance_seconds": -1}, "toler"),
    ("evaluations", {"questions": ""}, "no questions"),
    ("evaluations", {"questions": "not json"}, "line 1"),
    ("evaluations", {"questions": [QUESTIONS[0], QUESTIONS[0]]}, "line 2"),
    ("evaluations", {"questions": MANY}, "limit"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "asked", "told"), UNUSABLE)
def test_what_cannot_be_used_is_refused_at_once(
    client: TestClient, kind: str, asked: dict[str, Any], told: str
) -> None:
    message = refused(client.post(f"{API}/{kind}", json=asked), 422, "invalid_request")
    assert told in message
    assert client.get(f"{API}/{kind}").json()["items"] == []


def test_a_document_that_is_not_there_is_not_found(client: TestClient) -> None:
    for kind, asked in (
        ("validations", {"claims": [CLAIM], "documents": [NOBODY]}),
        ("speech-evaluations", {"transcript": {"document_id": NOBODY}}),
    ):
        refused(client.post(f"{API}/{kind}", json=asked), 404, "not_found")


def test_half_a_surrogate_pair_does_no_harm(place: Place, client: TestClient) -> None:
    body = json.dumps(
        {"claims": [CLAIM], "texts": [{"name": "a.md", "text": LEAVE + "\ud800"}]}
    ).encode()
    reply = client.post(
        f"{API}/validations", content=body, headers={"Content-Type": "application/json"}
    )
    assert reply.status_code in (202, 422)
    work_off(place)
    if reply.status_code == 202:
        assert client.get(reply.headers["location"]).json()["state"] == "ready"
