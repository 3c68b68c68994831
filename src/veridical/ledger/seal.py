"""The seal of a ledger file: a change to any byte of the ledger is found and named.

What is hashed: each top-level part of the ledger (answer, summary, sources, the two times, ...);
each review; the header, made of those hashes, the hashes of the sources and the number of entries;
each entry; and a chain of links through the entries that begins at the header. The last link is the
head of the seal. Besides, a sealed file must be written in the one way of `canonical`, so that
white space, escapes, key order and the spelling of numbers are covered too.

A file with reviews has a head of its own. That of the ledger alone does not change with them.

One part is no part of the ledger, and not covered: `newer_versions`, a note of what became of its
sources after it was made. Nothing that is checked rests on it.

The seal shows that a file was *changed*, not who wrote it: whoever changes it on purpose can make
a new seal. Against that, keep the head elsewhere (`expected_head`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes, compact_bytes, parse_file
from veridical.ledger.schemas import require_ledger

SEAL_VERSION = 1

_ALGORITHM = "sha256"
_DOMAIN = b"veridical ledger seal, version 1\n"
_FILE = "(file)"

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong with a ledger: where (a path such as `entries[2]`), and what."""

    where: str
    message: str

    def describe(self) -> str:
        """One line for a reader."""
        return f"{self.where}: {self.message}"


@dataclass(frozen=True, slots=True)
class SealCheck:
    """Whether a file is, byte for byte, what was sealed; if not, what was changed.

    `head` is the head that the file carries, None where it has no readable seal.
    """

    intact: bool
    head: str | None
    problems: tuple[Problem, ...]


def seal(data: Data) -> dict[str, Any]:
    """The ledger, as `ledger_to_json` gives it, with a new seal under `seal`.

    Raises ValidationError for data that no file can hold.
    """
    content = _content(data)
    fields = {name: _digest("field", name, value) for name, value in _fields(content)}
    made: dict[str, Any] = {
        "algorithm": _ALGORITHM,
        "version": SEAL_VERSION,
        "sources": _sources(content),
        "fields": fields,
    }
    if "reviews" in content:
        made["reviews"] = [
            {_REVIEWS.id: item[_REVIEWS.id], "digest": _item_digest(_REVIEWS, item)}
            for item in content["reviews"]
        ]
    made["header"] = head = _header_digest(made, len(content["entries"]))
    made["entries"] = []
    for index, entry in enumerate(content["entries"]):
        digest = _item_digest(_ENTRIES, entry)
        head = _link_digest(head, index, entry["claim_id"], digest)
        made["entries"].append({"claim_id": entry["claim_id"], "digest": digest, "link": head})
    made["head"] = head
    return {**content, "seal": made}


def check_seal(file_bytes: bytes, *, expected_head: str | None = None) -> SealCheck:
    """Whether a ledger file is as it was sealed. Never raises for what is in the file.

    `expected_head` is the head that was noted when the file was made.
    """
    try:
        data = parse_file(file_bytes)
        _require_seal(data)
    except ValidationError as error:
        return SealCheck(False, None, (Problem(_FILE, str(error)),))
    problems = [*_writing(data, file_bytes), *_changed_fields(data)]
    for items in (_ENTRIES, _REVIEWS):
        problems += _changed_items(items, data)
    problems += _broken_chain(data)
    if expected_head is not None:
        problems += _head_problems(data, expected_head.strip().lower())
    return SealCheck(not problems, data["seal"]["head"], tuple(problems))


@dataclass(frozen=True, slots=True)
class _Items:
    """A part of a ledger whose items are sealed one by one: its key, what one is called in hashes
    and in messages, and which of its keys tells them apart.
    """

    part: str
    kind: str
    noun: str
    id: str


_ENTRIES = _Items("entries", "entry", "claim", "claim_id")
_REVIEWS = _Items("reviews", "review", "review", "review_id")
_NOT_FIELDS = (_ENTRIES.part, _REVIEWS.part, "newer_versions", "seal")


def _digest(kind: str, name: str, value: object) -> str:
    """The digest of a named part. No two kinds of content are ever hashed alike."""
    return hashlib.sha256(_DOMAIN + compact_bytes([kind, name, value])).hexdigest()


def _item_digest(items: _Items, item: Data) -> str:
    """The digest of an entry or a review."""
    return _digest(items.kind, item[items.id], item)


def _header_digest(made: Data, entries: int) -> str:
    """The digest of all that is not an entry. It counts them, so that none can be cut off."""
    parts = ("algorithm", "version", "sources", "fields", "reviews")
    covered = {name: made[name] for name in parts if name in made}
    return _digest("header", "", {**covered, "entries": entries})


def _link_digest(before: str, index: int, claim_id: str, digest: str) -> str:
    """The link of an entry to all before it."""
    return _digest("link", claim_id, [before, index, digest])


def _content(data: Data) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != "seal"}


def _fields(data: Data) -> Iterator[tuple[str, Any]]:
    return ((name, data[name]) for name in sorted(data) if name not in _NOT_FIELDS)


def _sources(data: Data) -> list[dict[str, str]]:
    return [{name: s[name] for name in ("document_id", "sha256")} for s in data["sources"]]


def _require_seal(data: Data) -> None:
    """Raises ValidationError where there is no seal, or nothing that a seal could be of."""
    if "seal" not in data:
        raise ValidationError("the ledger carries no seal")
    require_ledger(data)


def _writing(data: Data, file_bytes: bytes) -> Iterator[Problem]:
    expected = canonical_bytes(data)
    if expected == file_bytes:
        return
    lines = zip(expected.split(b"\n"), file_bytes.split(b"\n"), strict=False)
    at = next((n for n, (one, other) in enumerate(lines, 1) if one != other), None)
    where = f"from line {at:,} on, " if at is not None else "at its end, "
    yield Problem(
        _FILE,
        f"{where}it is not written as a ledger file is: white space, the order of keys, escapes or "
        "the spelling of a number were changed",
    )


def _changed_fields(data: Data) -> Iterator[Problem]:
    sealed: Mapping[str, str] = data["seal"]["fields"]
    present = dict(_fields(data))
    for name in sorted(sealed.keys() | present.keys()):
        if name not in present:
            yield Problem(name, "it was removed")
        elif name not in sealed:
            yield Problem(name, "it was added")
        elif sealed[name] != _digest("field", name, present[name]):
            yield Problem(name, "it was changed")
    if data["seal"]["sources"] != _sources(data):
        yield Problem("seal.sources", "they are not the sources of the ledger")


def _changed_items(items: _Items, data: Data) -> Iterator[Problem]:
    present: Sequence[Data] = data.get(items.part, ())
    made: Sequence[Data] = data["seal"].get(items.part, ())
    sealed = {item[items.id]: (place, item["digest"]) for place, item in enumerate(made)}
    seen: set[str] = set()
    common: list[tuple[int, int]] = []
    for index, item in enumerate(present):
        name = item[items.id]
        where, which = f"{items.part}[{index}]", f"({items.noun} {name})"
        if name not in sealed or name in seen:
            yield Problem(where, f"it was added {which}")
            continue
        seen.add(name)
        place, digest = sealed[name]
        common.append((place, index))
        if digest != _item_digest(items, item):
            yield Problem(where, f"it was changed {which}")
    for name, (place, _) in sealed.items():
        if name not in seen:
            yield Problem(f"{items.part}[{place}]", f"it was removed ({items.noun} {name})")
    for (place, index), expected in zip(common, sorted(common), strict=True):
        if place != expected[0]:
            which = f"({items.noun} {present[index][items.id]})"
            message = f"it was moved {which}: it was sealed as {items.part}[{place}]"
            yield Problem(f"{items.part}[{index}]", message)


def _broken_chain(data: Data) -> Iterator[Problem]:
    """The seal itself: its header and the first link that does not follow from what it holds."""
    made, links = data["seal"], _links(data)
    before = made["header"]
    if before != _header_digest(made, len(links)):
        yield Problem("seal.header", "it does not follow from the sealed parts")
    if len(links) != len(data["entries"]):
        yield Problem("seal.entries", f"{len(links):,} are sealed, {len(data['entries']):,} stand")
    for index, item in enumerate(links):
        link = _link_digest(before, index, item["claim_id"], item["digest"])
        if item["link"] != link:
            yield Problem(f"seal.entries[{index}]", "the chain is broken here")
            return
        before = item["link"]
    if made["head"] != before:
        yield Problem("seal.head", "it is not the last link of the chain")


def _head_problems(data: Data, expected: str) -> Iterator[Problem]:
    if data["seal"]["head"] == expected:
        return
    noted = "it is not the expected head: this is another seal than was noted"
    if "reviews" in data and seal(without_reviews(data))["seal"]["head"] == expected:
        noted = (
            "the expected head is that of this ledger without its reviews: that ledger is what was "
            "noted, and nothing shows that the reviews are"
        )
    yield Problem("seal.head", noted)


def without_reviews(data: Data) -> dict[str, Any]:
    """The ledger alone, without what reviewers decided about it."""
    return {name: value for name, value in data.items() if name not in ("reviews", "revision")}


def _links(data: Data) -> Sequence[Data]:
    links: Sequence[Data] = data["seal"]["entries"]
    return links
