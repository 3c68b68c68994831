"""The seal: no byte of a ledger file can be changed unseen."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.ledger.ledgers import sample_ledger

from veridical.ledger.canonical import canonical_bytes
from veridical.ledger.seal import check_seal, seal
from veridical.ledger.wire import ledger_to_bytes

FILE = ledger_to_bytes(sample_ledger())
SAMPLE = sample_ledger()
SMALL = ledger_to_bytes(
    replace(SAMPLE, entries=SAMPLE.entries[:1], sources=SAMPLE.sources[:1], risk_flags=())
)

Change = Callable[[dict[str, Any]], object]


def changed(change: Change, file: bytes = FILE) -> bytes:
    """The file after a change of its data, written as ledger files are, its seal left as it was."""
    data = copy.deepcopy(json.loads(file))
    change(data)
    return canonical_bytes(data)


def places(file: bytes, **options: Any) -> list[str]:
    check = check_seal(file, **options)
    assert check.intact is not bool(check.problems)
    return [problem.where for problem in check.problems]


@pytest.mark.no_cover
def test_any_changed_byte_is_found():
    assert check_seal(SMALL).intact
    for at in range(len(SMALL)):
        flipped = SMALL[:at] + bytes([SMALL[at] ^ 1]) + SMALL[at + 1 :]
        assert not check_seal(flipped).intact, at


@pytest.mark.parametrize("at", [0, len(FILE) // 3, len(FILE) - 1, len(FILE)])
@pytest.mark.parametrize("more", [b" ", b"\n", b"0", b"\x00"])
def test_any_added_byte_is_found(at, more):
    assert not check_seal(FILE[:at] + more + FILE[at:]).intact


def test_any_dropped_end_is_found():
    for at in range(0, len(FILE), 499):
        assert not check_seal(FILE[:at]).intact
    assert not check_seal(FILE[:-1]).intact


def respelled(old: bytes, new: bytes) -> bytes:
    assert old in FILE
    return FILE.replace(old, new, 1)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(FILE.replace(b"  ", b"\t"), id="white space"),
        pytest.param(FILE.replace(b"\n", b"\r\n"), id="line ends"),
        pytest.param(json.dumps(json.loads(FILE)).encode(), id="one line"),
        pytest.param(
            json.dumps(dict(reversed(json.loads(FILE).items())), indent=2).encode() + b"\n",
            id="key order",
        ),
        pytest.param(respelled(b"Staff", b"\\u0053taff"), id="escape"),
        pytest.param(respelled(b": 1.0", b": 1"), id="1.0 and 1"),
        pytest.param(respelled(b": 1.0", b": 1.00"), id="1.0 and 1.00"),
        pytest.param(respelled(b": 0.95", b": 95e-2"), id="exponent"),
        pytest.param(respelled(b'"near": []', b'"near": [], "near": []'), id="twice"),
        pytest.param(b"\xef\xbb\xbf" + FILE, id="byte-order mark"),
    ],
)
def test_the_same_data_spelled_otherwise_is_found(file):
    assert not check_seal(file).intact


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda d: d.update(answer=d["answer"] + "!"), ["answer"]),
        (lambda d: d.update(generated_at="2026-01-04T14:30:00Z"), ["generated_at"]),
        (lambda d: d.update(updated_at="2026-01-04T14:30:00Z"), ["updated_at"]),
        (lambda d: d["summary"].update(evidence_coverage=1.0), ["summary"]),
        (lambda d: d["sources"][0].update(chars=1), ["sources"]),
        (lambda d: d["sources"][0].update(sha256="0" * 64), ["sources"]),
        (lambda d: d["entries"][1].update(verdict="supported"), ["entries[1]"]),
        (lambda d: d["entries"][2].update(notes=""), ["entries[2]"]),
        (lambda d: d["entries"].pop(1), ["entries[1]"]),
        (lambda d: d["entries"].pop(), ["entries[3]"]),
        (lambda d: d["entries"].reverse(), [f"entries[{i}]" for i in range(4)]),
        (lambda d: d["entries"].insert(1, d["entries"][0]), ["entries[1]"]),
        (lambda d: d["seal"].update(header="0" * 64), ["seal.header"]),
        (lambda d: d["seal"].update(head="0" * 64), ["seal.head"]),
        (lambda d: d["seal"]["sources"].pop(), ["seal.sources"]),
        (lambda d: d["seal"]["entries"][1].update(link="0" * 64), ["seal.entries[1]"]),
        (lambda d: d["seal"]["fields"].pop("query"), ["query"]),
        (lambda d: d.pop("seal"), ["(file)"]),
    ],
)
def test_a_change_is_named(change, expected):
    assert places(changed(change)) == expected


def cut_off(data: dict[str, Any]) -> None:
    """The last entry goes, and all that the seal says of it."""
    data["entries"].pop()
    data["seal"]["entries"].pop()
    data["seal"]["head"] = data["seal"]["entries"][-1]["link"]


def test_an_entry_cut_off_together_with_its_seal_is_found():
    assert places(changed(cut_off)) == ["seal.header"]


def test_a_new_seal_is_told_by_the_head_that_was_noted():
    head = check_seal(FILE).head
    data = json.loads(FILE)
    data["entries"][1]["verdict"] = "supported"
    forged = canonical_bytes(seal(data))
    assert check_seal(forged).intact
    assert places(forged, expected_head=head) == ["seal.head"]
    assert check_seal(FILE, expected_head=f" {head.upper()}\n").intact


def test_a_seal_of_another_algorithm_is_refused():
    file = changed(lambda d: d["seal"].update(algorithm="hmac-sha256"))
    assert places(file) == ["(file)"]


@pytest.mark.parametrize("file", [b"", b"{}", b"null", b"\xff", b"[" * 99_999, b'{"seal": 1}'])
def test_nothing_in_a_file_makes_the_check_fail(file):
    assert places(file) == ["(file)"]


@pytest.mark.parametrize("half", [b"\\ud800", b"\\uDFFF", b"\\udc00\\ud800"])
@pytest.mark.parametrize("options", [{}, {"expected_head": "\ud800"}])
def test_half_of_a_surrogate_pair_in_a_file_does_not_make_the_check_fail(half, options):
    file = respelled(b"Leave and travel", half)
    assert places(file, **options) == ["(file)"]


def test_a_whole_surrogate_pair_is_another_spelling():
    assert places(respelled(b"Leave and travel", b"\\ud83d\\ude00")) == ["(file)", "title"]
