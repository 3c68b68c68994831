"""Evidence packs: always the same bytes, sound Data Packages, and read with care."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.ledgers import (
    FULL,
    document,
    documents,
    entry,
    ledger_of,
    piece,
    sample_ledger,
    sentence_at,
)
from tests.ledger.reviewing import Desk

from veridical import Verdict, document_from_text
from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes
from veridical.ledger.export import pack as pack_module
from veridical.ledger.export.originals import OriginalFile
from veridical.ledger.export.pack import (
    evidence_pack,
    is_pack,
    pack_of_file,
    read_pack,
    read_zip,
    write_zip,
)
from veridical.ledger.verification import LedgerVerification
from veridical.ledger.verify import verify_ledger
from veridical.ledger.wire import ledger_from_bytes, ledger_to_bytes

NAMES = ["README.txt", "datapackage.json", "ledger.json", "report.html", "sources.csv", "spans.csv"]
INSIDE = ["sources/00001-leave.md", "sources/00002-travel.md"]


def files() -> list[OriginalFile]:
    return [OriginalFile(one, one.text.encode(), ".md") for one in documents()]


@cache
def plain() -> bytes:
    return evidence_pack(sample_ledger())


@cache
def full() -> bytes:
    return evidence_pack(sample_ledger(), files=files())


def descriptor(data: bytes) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(read_zip(data)["datapackage.json"])
    return made


def rows(data: bytes, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(read_zip(data)[name].decode(), newline="")))


def verified(data: bytes) -> LedgerVerification:
    """The ledger of a pack, checked against the sources in it."""
    opened = read_pack(data)
    return verify_ledger(opened.ledger_file, opened.sources().documents)


# --- what is in it --------------------------------------------------------------------------------


def test_the_ledger_of_a_pack_holds_against_its_sources() -> None:
    assert verified(full()).ok
    assert not verified(plain()).ok  # nothing was checked against any source


def test_the_same_ledger_gives_the_same_bytes() -> None:
    assert evidence_pack(sample_ledger()) == plain()
    assert evidence_pack(sample_ledger(), files=files()[::-1]) == full()
    assert pack_of_file(ledger_to_bytes(sample_ledger())) == plain()


def test_the_files_are_as_the_readme_lists_them() -> None:
    assert sorted(read_zip(plain())) == sorted(NAMES)
    assert sorted(read_zip(full())) == sorted(NAMES + INSIDE)
    told = read_zip(full())["README.txt"].decode()
    for name in NAMES[1:]:
        assert re.search(rf"^  {re.escape(name)} ", told, re.MULTILINE)
    assert read_zip(full())[INSIDE[0]] == documents()[0].text.encode()
    assert ledger_from_bytes(read_zip(full())["ledger.json"]) == sample_ledger()
    assert not read_pack(plain()).source_files
    assert sorted(read_pack(full()).source_files) == INSIDE
    assert is_pack(full())
    assert not is_pack(ledger_to_bytes(sample_ledger()))


def test_every_quote_of_the_table_stands_where_it_says() -> None:
    texts = {one.name: one.text for one in documents()}
    spans = rows(full(), "spans.csv")
    assert [row["verdict"] for row in spans] == ["supported", "weak", "contradicted", "not_found"]
    for row in spans[:3]:
        assert texts[row["source"]][int(row["start"]) : int(row["end"])] == row["quote"]
    assert spans[3]["claim"] == "The office closes at noon."
    assert spans[3]["source"] == spans[3]["quote"] == ""
    for row in rows(full(), "sources.csv"):
        assert hashlib.sha256(texts[row["name"]].encode()).hexdigest() == row["text_sha256"]
        assert read_zip(full())[row["path"]].decode() == texts[row["name"]]


def test_a_spreadsheet_runs_nothing() -> None:
    text = "=HYPERLINK(0) is a formula of the source."
    source = document(text, "rules.txt")
    claim = "@SUM(1) is paid."
    made = ledger_of(
        claim, [entry(claim, 0, FULL, [piece(source, sentence_at(source, "="))])], [source]
    )
    (row,) = rows(evidence_pack(made), "spans.csv")
    assert row["claim"] == f"'{claim}"
    assert row["quote"] == f"'{text}"
    assert verify_ledger(read_pack(evidence_pack(made)).ledger_file, [source]).ok


def test_reviews_are_in_the_table_and_in_the_ledger() -> None:
    desk = Desk(sample_ledger())
    desk.overrule(1, Verdict.WEAK, "Only some staff.")
    made = evidence_pack(desk.ledger, files=files(), reviews=desk.reviews)
    assert rows(made, "spans.csv")[0]["reviewed"] == "weak"
    assert verified(made).ok


# --- the descriptor is a Data Package -------------------------------------------------------------


def test_the_descriptor_keeps_the_rules() -> None:
    """Source: Data Package 1 (specs.frictionlessdata.io) and 2 (datapackage.org)."""
    made = descriptor(full())
    assert re.fullmatch(r"[a-z0-9._-]+", made["name"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", made["created"])
    names = [resource["name"] for resource in made["resources"]]
    assert len({*names}) == len(names) > 0
    for resource in made["resources"]:
        path = resource["path"]
        assert "data" not in resource
        assert re.fullmatch(r"[a-z0-9._/-]+", resource["name"])
        assert not path.startswith(("/", "."))
        assert not {"..", "\\"} & {path, *path.split("/")}
        assert re.fullmatch(r"sha256:[0-9a-f]{64}", resource["hash"])
        assert ("schema" in resource) is path.endswith(".csv")
        fields = resource.get("schema", {"fields": []})["fields"]
        assert len({field["name"] for field in fields}) == len(fields)
        assert {field["type"] for field in fields} <= {"string", "integer", "number", "date"}


# --- a pack that comes back -----------------------------------------------------------------------


def changed(change: Callable[[dict[str, bytes]], object]) -> bytes:
    members = read_zip(full())
    change(members)
    return write_zip(members)


def edit(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], object]:
    def change(members: dict[str, bytes]) -> None:
        assert old in members[name]
        members[name] = members[name].replace(old, new)

    return change


def test_a_changed_ledger_or_source_is_found() -> None:
    found = verified(changed(edit("ledger.json", b"25 days", b"26 days")))
    assert not found.seal.intact
    found = verified(changed(edit(INSIDE[1], b"Taxis are not repaid.", b"Taxis are repaid.")))
    assert found.seal.intact
    assert found.stale == 1
    with pytest.raises(ValidationError, match="has no ledger"):
        read_pack(changed(lambda members: members.pop("ledger.json")))


def test_a_source_that_is_gone_or_stands_under_another_number_is_missing() -> None:
    gone = changed(lambda members: members.pop(INSIDE[0]))
    assert not verified(gone).ok
    assert [one.name for one in read_pack(gone).sources().documents] == ["travel.md"]
    for name in ("sources/00003-leave.md", "sources/00000-leave.md", "sources/leave.md"):
        members = read_zip(full())
        members[name] = members.pop(INSIDE[0])
        assert not verified(write_zip(members)).ok
    twice = changed(lambda members: members.update({"sources/00001-a.md": members[INSIDE[0]]}))
    with pytest.raises(ValidationError, match="two documents are named"):
        verified(twice)


def test_a_source_that_cannot_be_read_is_told() -> None:
    opened = read_pack(changed(lambda members: members.update({INSIDE[0]: b"%PDF-1.7 nothing"})))
    (failure,) = opened.sources().failures
    assert failure.name == "leave.md"
    assert failure.message.startswith(f"{INSIDE[0]} in the pack: ")


# --- its sources ----------------------------------------------------------------------------------


def test_sources_must_be_those_of_the_ledger() -> None:
    with pytest.raises(ValidationError, match="not among those given"):
        evidence_pack(sample_ledger(), files=files()[:1])
    changed = document_from_text(documents()[0].text + "More.", "leave.md")
    other = [OriginalFile(changed, changed.text.encode(), ".md"), files()[1]]
    with pytest.raises(ValidationError, match="not the document that the ledger was built from"):
        evidence_pack(sample_ledger(), files=other)


def test_a_ledger_without_a_seal_makes_no_pack() -> None:
    data = json.loads(ledger_to_bytes(sample_ledger()))
    del data["seal"]
    with pytest.raises(ValidationError, match="no seal"):
        pack_of_file(canonical_bytes(data))


# --- hostile zips ---------------------------------------------------------------------------------


def zipped(*members: tuple[str, bytes], **fields: Any) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, 0o100644 << 16
            for key, value in fields.items():
                setattr(info, key, value)
            archive.writestr(info, data)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "cannot be read as a zip"),
        (b"PK\x03\x04 and nothing", "cannot be read as a zip"),
        (zipped(("a", b"0" * 10**6), compress_type=zipfile.ZIP_DEFLATED), "is compressed"),
        (zipped(("../a", b"x")), "lead out"),
        (zipped(("/etc/a", b"x")), "lead out"),
        (zipped(("a\\b", b"x")), "lead out"),
        (zipped(("C:a", b"x")), "lead out"),
        (zipped(("a/b/c", b"x")), "lead out"),
        (zipped(("a" * 300, b"x")), "lead out"),
        (zipped(("é", b"x")), "lead out"),
        (zipped((".hidden", b"x")), "lead out"),
        (zipped(("a", b"x"), ("A", b"y")), "twice"),
        (zipped(("link", b"/etc/passwd"), external_attr=0o120777 << 16), "no plain file"),
        (zipped(("folder", b""), external_attr=0o040755 << 16), "no plain file"),
    ],
)
def test_a_zip_that_is_none_of_ours_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        read_zip(data)


def test_an_encrypted_member_is_refused() -> None:
    data = bytearray(zipped(("a", b"x")))
    data[6] |= 1
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    with pytest.raises(ValidationError, match="is encrypted"):
        read_zip(bytes(data))


def test_members_that_lie_on_each_other_are_refused() -> None:
    data = zipped(("a", b"x" * 1000))
    at = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    one = data[at:end]
    entries = b"".join(one[:46] + bytes([97 + n]) + one[47:] for n in range(20))
    tail = bytearray(data[end:])
    tail[8:12] = (20).to_bytes(2, "little") * 2
    tail[12:16] = len(entries).to_bytes(4, "little")
    with pytest.raises(ValidationError, match=r"overlap|cannot be read"):
        read_zip(data[:at] + entries + bytes(tail))


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValidationError, match="cannot be the name"):
        write_zip({"../a": b""})
    monkeypatch.setattr(pack_module, "MOST_MEMBERS", 2)
    with pytest.raises(ValidationError, match="the limit is 2"):
        write_zip({"a": b"", "b": b"", "c": b""})
    with pytest.raises(ValidationError, match="the limit is 2"):
        read_zip(plain())
    monkeypatch.setattr(pack_module, "MAX_PACK_BYTES", 10)
    with pytest.raises(ValidationError, match="leave the sources out"):
        write_zip({"a": b"0" * 11})
    with pytest.raises(ValidationError, match="larger than"):
        read_zip(b"0" * 11)


@given(st.binary(max_size=200) | st.binary(max_size=60).map(lambda more: b"PK\x03\x04" + more))
def test_any_bytes_are_a_pack_or_refused(data: bytes) -> None:
    with pytest.raises(ValidationError):
        read_pack(data)
