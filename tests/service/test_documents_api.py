"""Documents of a workspace over HTTP: given, listed, read again, taken away."""

from __future__ import annotations

from email.message import Message
from functools import partial

import pytest
from fastapi.testclient import TestClient
from tests.service.seeding import EXAMPLES
from tests.service.visiting import Place
from tests.service.working import API, refused, upload, work_off

from veridical.service.reading.uploads import clean_filename
from veridical.store.documents import delete_versions

LEAVE = "# Leave\n\nFull-time employees get 25 days of leave a year.\n"
ON_BOTH = True
PLACE = {"max_upload_bytes": 200_000}


def test_a_document_is_uploaded_read_and_found_again(place: Place, client: TestClient) -> None:
    pdf = (EXAMPLES / "sources" / "expense-handbook.pdf").read_bytes()
    shown = upload(place, client, "handbook.pdf", pdf)
    address = f"{API}/documents/{shown['id']}"
    assert shown["filename"] == "handbook.pdf"
    assert shown["ready"]["version"] == 1
    assert shown["ready"]["format"] == "pdf"
    assert shown["latest_upload"]["state"] == "ready"
    assert shown["latest_upload"]["media_type"] == "application/pdf"
    assert client.get(address).json() == shown
    assert client.get(f"{API}/documents").json() == {"items": [shown], "next": None}
    text = client.get(f"{address}/text").json()
    assert text["chars"] == shown["ready"]["chars"] == len(text["text"])
    assert [page["number"] for page in text["pages"]] == list(range(1, len(text["pages"]) + 1))
    file = client.get(f"{address}/file")
    assert file.content == pdf
    assert file.headers["content-type"] == "application/pdf"
    assert file.headers["content-disposition"].startswith("attachment")


def test_the_same_bytes_again_are_the_version_that_is_there(
    place: Place, client: TestClient
) -> None:
    first = upload(place, client, "leave.md", LEAVE)["latest_upload"]
    again = client.post(f"{API}/documents", files={"file": ("leave.md", LEAVE)})
    assert again.status_code == 200
    assert again.json() == first
    under = client.post(f"{API}/documents", files={"file": ("other.md", LEAVE)})
    assert under.status_code == 202


def test_a_file_of_the_same_name_is_the_next_version(place: Place, client: TestClient) -> None:
    first = upload(place, client, "leave.md", LEAVE)
    address = f"{API}/documents/{first['id']}"
    reply = client.post(
        f"{address}/versions", files={"file": ("whatever.txt", LEAVE.replace("25", "30"))}
    )
    assert reply.status_code == 202
    assert reply.json()["filename"] == "leave.md"
    work_off(place)
    versions = client.get(f"{address}/versions").json()["items"]
    assert [(one["version"], one["status"]) for one in versions] == [
        (2, "ready"),
        (1, "superseded"),
    ]
    assert "30 days" in client.get(f"{address}/text").json()["text"]
    assert "25 days" in client.get(f"{address}/text", params={"version": 1}).json()["text"]
    assert client.get(f"{address}/file", params={"version": 1}).text == LEAVE


@pytest.mark.parametrize(
    ("name", "content", "status", "code", "said"),
    [
        ("empty.md", b"", 422, "invalid_request", "empty"),
        ("blank.txt", b" \n\t\n", 422, "invalid_request", "empty"),
        ("picture.gif", b"GIF89a" + b"x" * 90, 415, "unsupported_file", "image"),
        ("picture.md", b"GIF89a" + b"x" * 90, 415, "unsupported_file", "image"),
        ("run.exe", b"MZ\x90\x00\x03\x00\x00\x00", 415, "unsupported_file", "not a text file"),
        ("archive.zip", b"PK\x03\x04" + b"x" * 90, 415, "unsupported_file", "zip archive"),
        ("false.pdf", b"This is no PDF.", 415, "unsupported_file", "not PDF"),
        ("latin.txt", b"na\xefve text", 415, "unsupported_file", "UTF-8"),
        ("/", b"text", 422, "invalid_request", "name"),
        ("..", b"text", 422, "invalid_request", "name"),
        ("large.txt", b"a" * 200_001, 413, "too_large", "larger than"),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused(
    client: TestClient, name: str, content: bytes, status: int, code: str, said: str
) -> None:
    reply = client.post(f"{API}/documents", files={"file": (name, content)})
    assert said in refused(reply, status, code)
    assert client.get(f"{API}/documents").json()["items"] == []


def test_what_was_sent_the_wrong_way_is_told_with_the_right_one(client: TestClient) -> None:
    plain = {"Content-Type": "application/x-www-form-urlencoded"}
    for path, sent, told in (
        ("documents", b"file=x", "must be the file of a form (multipart/form-data)"),
        ("sessions", b'{"query": "x"}', "sent with the header Content-Type: application/json"),
    ):
        reply = client.post(f"{API}/{path}", content=sent, headers=plain)
        assert told in refused(reply, 422, "invalid_request")
    assert "/openapi.json lists" in refused(client.get("/api/v1/nothing"), 404, "not_found")
    page = client.get("/nothing", headers={"Accept": "text/html"})
    assert "There is no page at this address." in page.text


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\Policy 2024.docx", "Policy 2024.docx"),
        ("folder/policy.md/", "policy.md"),
        ("evil\u202efdp.exe.md", "evilfdp.exe.md"),
        ("a\x00b\r\nc.txt", "abc.txt"),
        ("  spaced \t name .md ", "spaced name .md"),
        ("<img src=x onerror=alert(1)>.md", "<img src=x onerror=alert(1)>.md"),
        ("e\u0301t\u00e9.md", "\u00e9t\u00e9.md"),
        ("\ud800half.md", "half.md"),
        ("caf\xe9 \x96 menu.md", "caf%E9 %96 menu.md"),  # sent as Windows writes it
        ("caf\xc3\xa9\x96.md", "caf\xe9%96.md"),
        ("n" * 400 + ".md", "n" * 252 + ".md"),
        ("n" * 400, "n" * 255),
    ],
)
def test_a_name_is_made_harmless(given: str, name: str) -> None:
    assert clean_filename(given) == name


def test_hostile_names_come_back_as_they_are_said_and_no_header_breaks(
    place: Place, client: TestClient
) -> None:
    name = "\"; filename=x.exe <b>'é'.md"
    reply = client.post(
        f"{API}/documents", files={"file": ("x.md", LEAVE)}, data={"filename": name}
    )
    assert reply.json()["filename"] == name
    work_off(place)
    file = client.get(f"{API}/documents/{reply.json()['document_id']}/file")
    parsed = Message()
    parsed["content-disposition"] = file.headers["content-disposition"]
    assert parsed.get_content_disposition() == "attachment"
    assert parsed.get_filename() != "x.exe"


@pytest.mark.parametrize("words_first", [False, True])
def test_a_document_that_is_deleted_is_gone(
    place: Place, client: TestClient, words_first: bool
) -> None:
    """Its file too, where the words of the document were taken away alone."""
    document_id = upload(place, client, "leave.md", LEAVE)["id"]
    address = f"{API}/documents/{document_id}"
    if words_first:
        database = place.store._database
        assert database.write(partial(delete_versions, series=document_id), document_id)
    assert client.delete(address).status_code == 204
    for rest in ("", "/versions", "/text", "/file"):
        refused(client.get(f"{address}{rest}"), 404, "not_found")
    refused(client.delete(address), 404, "not_found")
    assert client.get(f"{API}/documents").json()["items"] == []
