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
    content = {name: value for name, value in data.items() if name != "seal"}
    names = sorted(name for name in content if name not in _NOT_FIELDS)
    made: dict[str, Any] = {
        "algorithm": _ALGORITHM,
        "version": SEAL_VERSION,
        "sources": [
            {name: source[name] for name in ("document_id", "sha256")}
            for source in content["sources"]
        ],
        "fields": {name: _digest("field", name, content[name]) for name in names},
    }
    if "reviews" in content:
        made["reviews"] = _sealed_items(_REVIEWS, content["reviews"])
    entries = _sealed_items(_ENTRIES, content["entries"])
    # The header counts the entries, so that none can be cut off.
    made["header"] = head = _digest("header", "", {**made, "entries": len(entries)})
    for index, entry in enumerate(entries):
        head = _digest("link", entry["claim_id"], [head, index, entry["digest"]])
        entry["link"] = head
    return {**content, "seal": {**made, "entries": entries, "head": head}}


def _sealed_items(items: _Items, given: Sequence[Data]) -> list[dict[str, Any]]:
    """The digests of all entries, or of all reviews."""
    return [
        {items.id: item[items.id], "digest": _digest(items.kind, item[items.id], item)}
        for item in given
    ]


def check_seal(file_bytes: bytes, *, expected_head: str | None = None) -> SealCheck:
    """Whether a ledger file is as it was sealed. Never raises for what is in the file.

    `expected_head` is the head that was noted when the file was made.
    """
    try:
        data = parse_file(file_bytes)
        _require_seal(data)
    except ValidationError as error:
        return SealCheck(False, None, (Problem(_FILE, str(error)),))
    stated, made = data["seal"], seal(data)["seal"]
    problems = [*_changed_fields(stated["fields"], made["fields"])]
    for items in (_ENTRIES, _REVIEWS):
        problems += _changed_items(items, stated.get(items.part, ()), made.get(items.part, ()))
    if not problems:
        problems += _changed_seal(stated, made)
    problems[:0] = _writing(data, file_bytes)
    if expected_head is not None:
        problems += _head_problems(data, expected_head.strip().lower())
    return SealCheck(not problems, stated["head"], tuple(problems))


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


def _changed_fields(sealed: Mapping[str, str], present: Mapping[str, str]) -> Iterator[Problem]:
    """What became of the parts of the ledger that are no entries, by their digests."""
    for name in sorted(sealed.keys() | present.keys()):
        if name not in present:
            yield Problem(name, "it was removed")
        elif name not in sealed:
            yield Problem(name, "it was added")
        elif sealed[name] != present[name]:
            yield Problem(name, "it was changed")


def _changed_items(
    items: _Items, made: Sequence[Data], present: Sequence[Data]
) -> Iterator[Problem]:
    """What became of the entries, or of the reviews: `made` was sealed, and `present` is there."""
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
        if digest != item["digest"]:
            yield Problem(where, f"it was changed {which}")
    for name, (place, _) in sealed.items():
        if name not in seen:
            yield Problem(f"{items.part}[{place}]", f"it was removed ({items.noun} {name})")
    for (place, index), expected in zip(common, sorted(common), strict=True):
        if place != expected[0]:
            which = f"({items.noun} {present[index][items.id]})"
            message = f"it was moved {which}: it was sealed as {items.part}[{place}]"
            yield Problem(f"{items.part}[{index}]", message)


def _changed_seal(stated: Data, made: Data) -> Iterator[Problem]:
    """Where the seal itself is another than that of a ledger whose parts are as they were."""
    for name in ("sources", "header"):
        if stated[name] != made[name]:
            yield Problem(f"seal.{name}", "it does not follow from the sealed parts")
            return
    for index, (one, other) in enumerate(zip(stated["entries"], made["entries"], strict=False)):
        if one != other:
            yield Problem(f"seal.entries[{index}]", "the chain is broken here")
            return
    if stated != made:
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
