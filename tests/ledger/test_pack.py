"""Evidence packs: always the same bytes, sound Data Packages, and no change goes unseen."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
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

from veridical import Decision, EntryReview, Verdict, document_from_text
from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes
from veridical.ledger.export import pack, pack_zip
from veridical.ledger.export.originals import OriginalFile
from veridical.ledger.export.pack import evidence_pack, members_of, pack_of_file, read_sealed
from veridical.ledger.export.pack_zip import read_zip, write_zip
from veridical.ledger.verify_pack import (
    NotedHead,
    ReportProof,
    Signature,
    has_sources,
    is_pack,
    verify_pack,
)
from veridical.ledger.wire import ledger_from_bytes, ledger_to_bytes

KEY = b"a key of the auditors"
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


# --- what is in it --------------------------------------------------------------------------------


def test_a_pack_holds_and_says_so() -> None:
    found = verify_pack(full())
    assert found.ok
    assert found.report is ReportProof.RENDERED
    assert found.sources == 2
    assert found.to_lines()[-1] == "The pack holds."
    assert found.to_dict()["pack"]["problems"] == []
    assert found.head == hashlib.sha256(read_zip(full())["datapackage.json"]).hexdigest()


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
    assert not has_sources(plain())
    assert has_sources(full())
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
    assert verify_pack(evidence_pack(made), [source]).ok


def test_reviews_are_in_the_table_and_in_the_ledger() -> None:
    ledger = sample_ledger()
    row = ledger.entries[0]
    review = EntryReview(
        "0d3b1b5e-3c5e-4ad2-9f0e-0f5f1c7e1a10", ledger.session_id, ledger.id, 1, row.id,
        row.claim.id, Decision.OVERRULE, row.verdict, Verdict.WEAK, "Only some staff.", "Ana",
        "2026-01-04T08:00:00Z",
    )  # fmt: skip
    made = evidence_pack(ledger, files=files(), reviews=[review])
    assert rows(made, "spans.csv")[0]["reviewed"] == "weak"
    assert verify_pack(made).ok
    assert verify_pack(made).head != verify_pack(full()).head


# --- the descriptor is a Data Package -------------------------------------------------------------

# Source: Data Package 1 (specs.frictionlessdata.io) and 2 (datapackage.org): what they require.
RULES: Mapping[str, Callable[[dict[str, Any]], bool]] = {
    "resources are a list that is not empty": lambda d: (
        isinstance(d["resources"], list) and len(d["resources"]) > 0
    ),
    "the name is in small letters, digits and . _ -": lambda d: (
        re.fullmatch(r"[a-z0-9._-]+", d["name"]) is not None
    ),
    "it was created at a time of RFC 3339": lambda d: (
        re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", d["created"]) is not None
    ),
    "names of resources are unique": lambda d: (
        len({r["name"] for r in d["resources"]}) == len(d["resources"])
    ),
    "a resource has a name and one of path and data": lambda d: all(
        r["name"] and ("path" in r) != ("data" in r) for r in d["resources"]
    ),
    "names of resources are plain": lambda d: all(
        re.fullmatch(r"[a-z0-9._/-]+", r["name"]) for r in d["resources"]
    ),
    "paths are relative, with slashes, and lead nowhere else": lambda d: all(
        not r["path"].startswith(("/", ".")) and ".." not in r["path"] and "\\" not in r["path"]
        for r in d["resources"]
    ),
    "hashes name their algorithm": lambda d: all(
        re.fullmatch(r"sha256:[0-9a-f]{64}", r["hash"]) for r in d["resources"]
    ),
    "a table has a schema with fields": lambda d: all(
        ("schema" in r) == r["path"].endswith(".csv") and (r.get("schema", {"fields": 1})["fields"])
        for r in d["resources"]
    ),
    "fields have unique names and known types": lambda d: all(
        len({f["name"] for f in r["schema"]["fields"]}) == len(r["schema"]["fields"])
        and {f["type"] for f in r["schema"]["fields"]} <= {"string", "integer", "number", "date"}
        for r in d["resources"]
        if "schema" in r
    ),
}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_the_descriptor_keeps_the_rules(rule: str) -> None:
    assert RULES[rule](descriptor(full()))


def test_the_descriptor_agrees_with_the_files() -> None:
    members = read_zip(full())
    listed = {each["path"]: each for each in descriptor(full())["resources"]}
    assert listed.keys() | {"datapackage.json"} == members.keys()
    for path, each in listed.items():
        assert each["bytes"] == len(members[path])
        assert each["hash"] == f"sha256:{hashlib.sha256(members[path]).hexdigest()}"
    for name in ("spans.csv", "sources.csv"):
        header = members[name].decode().split("\r\n")[0].split(",")
        assert [field["name"] for field in listed[name]["schema"]["fields"]] == header
    ids = {row["document_id"] for row in rows(full(), "sources.csv")}
    assert {row["document_id"] for row in rows(full(), "spans.csv")} <= ids | {""}


# --- no change goes unseen ------------------------------------------------------------------------


def found_out(data: bytes) -> bool:
    """Whether a changed pack is refused or does not hold."""
    try:
        return not verify_pack(data).ok
    except ValidationError:
        return True


@settings(max_examples=40)
@given(st.data())
def test_a_changed_byte_in_any_member_is_found(data: st.DataObject) -> None:
    members = read_zip(full())
    name = data.draw(st.sampled_from(sorted(members)))
    at = data.draw(st.integers(0, len(members[name]) - 1))
    change = data.draw(st.integers(1, 255))
    changed = bytearray(members[name])
    changed[at] ^= change
    assert found_out(write_zip({**members, name: bytes(changed)}))


@settings(max_examples=40)
@given(st.data())
def test_a_changed_byte_anywhere_in_the_file_is_found(data: st.DataObject) -> None:
    packed = bytearray(plain())
    tail = data.draw(st.booleans())  # the directory at the end is small: look there more often
    at = data.draw(st.integers(max(0, len(packed) - 700) if tail else 0, len(packed) - 1))
    packed[at] ^= data.draw(st.integers(1, 255))
    assert found_out(bytes(packed))


@pytest.mark.parametrize("more", [b"x", b"\0" * 30])
def test_bytes_around_the_members_are_found(more: bytes) -> None:
    assert found_out(full() + more)
    assert found_out(more + full())
    assert found_out(full()[:-1])


def forged(change: Callable[[dict[str, bytes]], object], data: bytes | None = None) -> list[str]:
    """Where a pack is said to be wrong after a change that a forger made the descriptor fit."""
    members = read_zip(data or full())
    change(members)
    told = json.loads(members["datapackage.json"])
    listed = {each["path"]: each for each in told["resources"]}
    for path, content in members.items():
        if path != "datapackage.json":
            each = listed.setdefault(path, {"name": path.lower(), "path": path})
            each["bytes"] = len(content)
            each["hash"] = f"sha256:{hashlib.sha256(content).hexdigest()}"
    told["resources"] = [listed[path] for path in sorted(listed) if path in members]
    members["datapackage.json"] = canonical_bytes(told)
    found = verify_pack(write_zip(members), documents())
    assert not found.ok
    assert found.to_lines()[-1] == "The pack does not hold."
    return [problem.where for problem in found.problems]


def edit(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], object]:
    def change(members: dict[str, bytes]) -> None:
        assert old in members[name]
        members[name] = members[name].replace(old, new)

    return change


def test_a_forged_table_is_found_though_its_hash_fits() -> None:
    wheres = forged(edit("spans.csv", b"contradicted", b"supported"))
    assert "spans.csv" in wheres
    wheres = forged(edit("sources.csv", b"travel.md,", b"tracel.md,"))
    assert "sources.csv" in wheres


def test_a_forged_report_is_found_though_its_hash_fits() -> None:
    assert "report.html" in forged(edit("report.html", b"Contradicted", b"Supported"))


def test_a_report_of_another_version_proves_nothing() -> None:
    def change(members: dict[str, bytes]) -> None:
        edit("report.html", b"Contradicted", b"Supported")(members)
        edit("datapackage.json", b'"version": "', b'"version": "9')(members)

    assert forged(change) == []  # nothing contradicts it, and yet it does not hold


def test_a_swapped_source_is_found_though_its_hash_fits() -> None:
    wheres = forged(edit(INSIDE[1], b"Taxis are not repaid.", b"Taxis are repaid."))
    assert wheres == [INSIDE[1]]


def test_sources_under_other_names_are_found() -> None:
    def rename(members: dict[str, bytes]) -> None:
        members["sources/00002-leave.md"] = members.pop(INSIDE[0])

    assert "sources/00002-leave.md" in forged(rename)
    assert "more.txt" in forged(lambda members: members.update({"more.txt": b"more"}))
    twice = forged(lambda members: members.update({"sources/00001-leave.txt": members[INSIDE[0]]}))
    assert twice


def test_a_source_that_cannot_be_read_is_told() -> None:
    def spoil(members: dict[str, bytes]) -> None:
        members[INSIDE[0]] = b"%PDF-1.7 nothing"

    assert INSIDE[0] in forged(spoil)


def test_a_missing_file_is_told() -> None:
    members = read_zip(full())
    del members["spans.csv"]
    assert "spans.csv: it is missing" in [
        p.describe() for p in verify_pack(write_zip(members)).problems
    ]
    del members["report.html"]
    with pytest.raises(ValidationError, match="has no report"):
        verify_pack(write_zip(members))


def test_a_forged_ledger_is_found_by_its_seal() -> None:
    members = read_zip(full())
    changed = members["ledger.json"].replace(
        b'"verdict": "contradicted"', b'"verdict": "supported"'
    )
    made = members_of(
        read_sealed(changed), {path: members[path] for path in INSIDE}
    )  # the rest of the pack fits it
    found = verify_pack(write_zip(made))
    assert found.problems == ()
    assert not found.ok
    assert not found.ledger.seal.intact


def test_a_ledger_sealed_anew_has_another_head() -> None:
    noted = verify_pack(full()).head
    assert verify_pack(full(), expected_head=noted).ok
    assert verify_pack(full(), expected_head=noted.upper()).ok
    other = evidence_pack(replace(sample_ledger(), title="Other"), files=files())
    assert verify_pack(other).ok
    assert not verify_pack(other, expected_head=noted).ok
    seal_head = verify_pack(full()).ledger.seal.head
    assert verify_pack(full(), expected_head=seal_head).ok
    assert not verify_pack(other, expected_head=seal_head).ok


# --- keys and versions ----------------------------------------------------------------------------


def of_version(version: str, key: bytes | None = None) -> bytes:
    """A pack that another version made, with a report that this one would not make."""
    sealed = read_sealed(ledger_to_bytes(sample_ledger(), key=key))
    inside = {path: file.data for path, file in zip(INSIDE, files(), strict=True)}
    made = members_of(sealed, inside, key=key, version=version, report=b"<p>Other</p>")
    return write_zip(made)


def test_the_report_of_another_version_is_proven_by_head_or_key() -> None:
    old = of_version("0.0.9")
    found = verify_pack(old)
    assert (found.ok, found.report, found.problems) == (False, ReportProof.UNPROVEN, ())
    assert found.ledger.ok
    noted = verify_pack(old, expected_head=found.head)
    assert (noted.ok, noted.report) == (True, ReportProof.NOTED)
    signed = verify_pack(of_version("0.0.9", KEY), key=KEY)
    assert (signed.ok, signed.report) == (True, ReportProof.SIGNED)


def test_only_who_has_the_key_can_make_a_signed_pack() -> None:
    signed = evidence_pack(sample_ledger(), files=files(), key=KEY)
    assert verify_pack(signed, key=KEY).ok
    assert not verify_pack(signed, key=KEY + b"!").ok
    assert not verify_pack(full(), key=KEY).ok
    spoiled = read_zip(of_version("0.0.9", KEY))
    spoiled["report.html"] += b"!"
    assert not verify_pack(write_zip(spoiled), key=KEY).ok


def test_what_came_of_a_signature_is_told() -> None:
    signed = evidence_pack(sample_ledger(), files=files(), key=KEY)
    for data, key, expected, words in (
        (full(), None, Signature.NONE, None),
        (signed, None, Signature.NOT_CHECKED, "not checked: the pack was signed, give --key-file"),
        (signed, KEY, Signature.CHECKED, "checked with the key"),
        (signed, KEY + b"!", Signature.FAILED, "not that of the key"),
        (full(), KEY, Signature.FAILED, "not that of the key"),
        (with_signature(full(), {"digest": "0" * 64}), KEY, Signature.FAILED, "not that of the"),
    ):
        found = verify_pack(data, key=key)
        assert found.signature is expected
        assert found.to_dict()["pack"]["signature"] == expected.value
        told = [line for line in found.to_lines() if line.startswith("Signature: ")]
        assert len(told) == (words is not None)
        assert all(line.startswith(f"Signature: {words}") for line in told)


def test_which_head_was_noted_is_told() -> None:
    pack, seal = verify_pack(full()).head, verify_pack(full()).ledger.seal.head
    spoiled = read_zip(full())
    edit("ledger.json", b"25 days", b"26 days")(spoiled)
    for data, head, expected, words in (
        (full(), None, NotedHead.NOT_GIVEN, None),
        (full(), pack, NotedHead.PACK, "it is that of the pack, and covers every file in it"),
        (full(), seal, NotedHead.LEDGER, "it is that of the ledger's seal, and covers the ledger"),
        (full(), "0" * 64, NotedHead.NEITHER, "it is neither that of the pack"),
        (write_zip(spoiled), seal, NotedHead.NEITHER, "it is neither that of the pack"),
    ):
        found = verify_pack(data, expected_head=head)
        assert found.noted is expected
        assert found.to_dict()["pack"]["noted"] == expected.value
        told = [line for line in found.to_lines() if line.startswith("Noted head: ")]
        assert len(told) == (words is not None)
        assert all(line.startswith(f"Noted head: {words}") for line in told)


def test_the_same_text_in_another_form_is_another_source() -> None:
    renamed = [OriginalFile(one.document, one.data, ".txt") for one in files()]
    found = verify_pack(evidence_pack(sample_ledger(), files=renamed))
    assert not found.ok
    assert (
        "it is read as plain_text, the ledger was built from markdown" in found.problems[0].message
    )


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"pack": 2, "version": "1"}, "another form"),
        ({"pack": True, "version": "1"}, "another form"),
        ({"pack": 1, "version": "a\nb"}, "which version"),
        ({"pack": 1, "version": 3}, "which version"),
        ("nonsense", "not that of an evidence pack"),
    ],
)
def test_a_descriptor_of_another_kind_is_refused(told: object, message: str) -> None:
    members = read_zip(plain())
    members["datapackage.json"] = canonical_bytes({"veridical": told})
    with pytest.raises(ValidationError, match=message):
        verify_pack(write_zip(members))


@pytest.mark.parametrize(
    "text", [b"[" * 100_000, b'{"a": NaN}', b"\xff", b'{"veridical": {"pack": 1, "pack": 1}}', b""]
)
def test_a_descriptor_that_is_no_json_is_refused(text: bytes) -> None:
    members = {**read_zip(plain()), "datapackage.json": text}
    with pytest.raises(ValidationError, match="datapackage"):
        verify_pack(write_zip(members))


def with_signature(pack: bytes, signature: object) -> bytes:
    """A pack that carries this for a signature, and is else as it was made."""
    members = read_zip(pack)
    told = json.loads(members["datapackage.json"])
    told["veridical"]["signature"] = signature
    members["datapackage.json"] = canonical_bytes(told)
    return write_zip(members)


@pytest.mark.parametrize(
    "signature",
    [
        {"algorithm": ["x"] * 9, "digest": None},
        {"algorithm": "hmac-sha256", "digest": "anything at all"},
        {"algorithm": "none", "digest": "0" * 64},
        {"algorithm": "hmac-sha256", "digest": "0" * 64, "signed_by": "the auditor"},
        "approved by the auditor",
        [],
        False,
        None,
    ],
)
@pytest.mark.parametrize("key", [KEY, None])
def test_what_is_no_signature_is_a_difference(signature: object, key: bytes | None) -> None:
    found = verify_pack(with_signature(full(), signature), key=key)
    assert not found.ok
    assert "datapackage.json" in [problem.where for problem in found.problems]
    assert found.signature is not Signature.CHECKED


# --- documents beside the pack --------------------------------------------------------------------


def test_against_the_documents_as_they_are_now() -> None:
    leave, travel = documents()
    assert verify_pack(plain(), [leave, travel]).ok
    assert not verify_pack(plain()).ok  # nothing was checked against any source
    newer = document_from_text(travel.text.replace("not repaid", "repaid"), "travel.md")
    found = verify_pack(full(), [leave, newer])
    assert found.problems == ()
    assert not found.ok
    assert found.ledger.stale == 1


def test_sources_must_be_those_of_the_ledger() -> None:
    with pytest.raises(ValidationError, match="not among those given"):
        evidence_pack(sample_ledger(), files=files()[:1])
    changed = document_from_text(documents()[0].text + "More.", "leave.md")
    other = [OriginalFile(changed, changed.text.encode(), ".md"), files()[1]]
    with pytest.raises(ValidationError, match="not the document that the ledger was built from"):
        evidence_pack(sample_ledger(), files=other)


def test_odd_names_of_sources_are_plain_in_the_pack() -> None:
    name = "../../étc/..\\pass wd\n.md"
    source = document(documents()[0].text, name)
    span = sentence_at(source, "Staff get *25 days*")
    claim = "Staff get 25 days of paid leave."
    made = ledger_of(claim, [entry(claim, 0, FULL, [piece(source, span)])], [source])
    data = evidence_pack(made, files=[OriginalFile(source, source.text.encode(), ".md")])
    assert "sources/00001-pass_wd_.md" in read_zip(data)
    assert verify_pack(data).ok


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
    monkeypatch.setattr(pack_zip, "MOST_MEMBERS", 2)
    with pytest.raises(ValidationError, match="the limit is 2"):
        write_zip({"a": b"", "b": b"", "c": b""})
    with pytest.raises(ValidationError, match="the limit is 2"):
        read_zip(plain())
    monkeypatch.setattr(pack_zip, "MAX_PACK_BYTES", 10)
    with pytest.raises(ValidationError, match="leave the sources out"):
        write_zip({"a": b"0" * 11})
    with pytest.raises(ValidationError, match="larger than"):
        read_zip(b"0" * 11)


@settings(max_examples=60)
@given(st.binary(max_size=200) | st.binary(max_size=60).map(lambda more: b"PK\x03\x04" + more))
def test_any_bytes_are_a_pack_or_refused(data: bytes) -> None:
    with pytest.raises(ValidationError):
        verify_pack(data)


def test_the_form_of_packs_is_what_it_was() -> None:
    """Other versions make a pack anew to check it: what follows here is for ever pack form 1."""
    sealed = read_sealed(ledger_to_bytes(sample_ledger()))
    made = members_of(sealed, {}, version="0.1.0", report=b"")
    told = json.loads(made["datapackage.json"])
    for each in told["resources"]:
        del each["hash"], each["bytes"]
    written = [made[name] for name in ("README.txt", "sources.csv", "spans.csv")]
    digest = hashlib.sha256(b"".join([*written, canonical_bytes({**told, "veridical": {}})]))
    assert pack.PACK_FORMAT == 1
    assert digest.hexdigest()[:16] == "672183bd5585f825"
