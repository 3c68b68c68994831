"""The seal of a ledger file: a change to any byte of the ledger is found and named.

What is hashed: each top-level part of the ledger (answer, summary, sources, the two times, ...);
each review; the header, made of those hashes, the hashes of the sources and the number of entries;
each entry; and a chain of links through the entries that begins at the header. The last link is the
head of the seal. Besides, a sealed file must be written in the one way of `canonical`, so that
white space, escapes, key order and the spelling of numbers are covered too.

A file with reviews has a head of its own. That of the ledger alone does not change with them.

One part is no part of the ledger, and not covered: `newer_versions`, a note of what became of its
sources after it was made. Nothing that is checked rests on it.

Without a key the seal shows that a file was *changed*, not who wrote it: whoever changes it on
purpose can make a new seal. Against that, keep the head elsewhere (`expected_head`), or seal with a
key (HMAC-SHA256): only who has the key can then make or check a seal.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.errors import ConfigurationError, ValidationError
from veridical.ledger.canonical import canonical_bytes, compact_bytes, parse_file
from veridical.ledger.wire_read import require_ledger

SEAL_VERSION = 1
LEAST_KEY_BYTES = 16

_PLAIN, _KEYED = "sha256", "hmac-sha256"
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

    `head` is the head that the file carries, None where it has no readable seal. `keyed` says that
    the seal was made with a key.
    """

    intact: bool
    head: str | None
    keyed: bool
    problems: tuple[Problem, ...]


def seal(data: Data, *, key: bytes | None = None) -> dict[str, Any]:
    """The ledger, as `ledger_to_json` gives it, with a new seal under `seal`.

    With `key`, of at least 16 bytes, only who has it can make a seal that `check_seal` takes.
    Raises ConfigurationError for a shorter key and ValidationError for data that no file can hold.
    """
    digests = _Digests(key)
    content = _content(data)
    fields = {name: digests.of("field", name, value) for name, value in _fields(content)}
    made: dict[str, Any] = {
        "algorithm": digests.algorithm,
        "version": SEAL_VERSION,
        "sources": _sources(content),
        "fields": fields,
    }
    if "reviews" in content:
        made["reviews"] = [
            {_REVIEWS.id: item[_REVIEWS.id], "digest": digests.of_item(_REVIEWS, item)}
            for item in content["reviews"]
        ]
    made["header"] = head = digests.header(made, len(content["entries"]))
    made["entries"] = []
    for index, entry in enumerate(content["entries"]):
        digest = digests.of_item(_ENTRIES, entry)
        head = digests.link(head, index, entry["claim_id"], digest)
        made["entries"].append({"claim_id": entry["claim_id"], "digest": digest, "link": head})
    made["head"] = head
    return {**content, "seal": made}


def check_seal(
    file_bytes: bytes, *, key: bytes | None = None, expected_head: str | None = None
) -> SealCheck:
    """Whether a ledger file is as it was sealed. Never raises for what is in the file.

    `key` is needed for a seal made with one, and a seal made without is then refused.
    `expected_head` is the head that was noted when the file was made.
    Raises ConfigurationError for a key that is too short.
    """
    digests = _Digests(key)
    try:
        data = parse_file(file_bytes)
        _require_seal(data)
    except ValidationError as error:
        return SealCheck(False, None, False, (Problem(_FILE, str(error)),))
    made = data["seal"]
    problems = [*_writing(data, file_bytes), *_key_problems(made, key)]
    if not any(problem.where == "seal.algorithm" for problem in problems):
        problems += _changed_fields(data, digests)
        for items in (_ENTRIES, _REVIEWS):
            problems += _changed_items(items, data, digests)
        problems += _broken_chain(data, digests)
    if expected_head is not None:
        problems += _head_problems(data, expected_head.strip().lower(), key)
    return SealCheck(not problems, made["head"], made["algorithm"] == _KEYED, tuple(problems))


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


class _Digests:
    """The hashes of a seal, all of one algorithm, no two kinds of content ever hashed alike."""

    def __init__(self, key: bytes | None) -> None:
        if key is not None and len(key) < LEAST_KEY_BYTES:
            raise ConfigurationError(
                f"the key of a seal needs at least {LEAST_KEY_BYTES} bytes, got {len(key)}"
            )
        self._key = key
        self.algorithm = _PLAIN if key is None else _KEYED

    def of(self, kind: str, name: str, value: object) -> str:
        """The digest of a named part."""
        said = _DOMAIN + compact_bytes([kind, name, value])
        if self._key is None:
            return hashlib.sha256(said).hexdigest()
        return hmac.new(self._key, said, hashlib.sha256).hexdigest()

    def of_item(self, items: _Items, item: Data) -> str:
        """The digest of an entry or a review."""
        return self.of(items.kind, item[items.id], item)

    def header(self, made: Data, entries: int) -> str:
        """The digest of all that is not an entry. It counts them, so that none can be cut off."""
        parts = ("algorithm", "version", "sources", "fields", "reviews")
        covered = {name: made[name] for name in parts if name in made}
        return self.of("header", "", {**covered, "entries": entries})

    def link(self, before: str, index: int, claim_id: str, digest: str) -> str:
        """The link of an entry to all before it."""
        return self.of("link", claim_id, [before, index, digest])


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))


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


def _key_problems(made: Data, key: bytes | None) -> Iterator[Problem]:
    if made["algorithm"] == _KEYED and key is None:
        yield Problem("seal.algorithm", "it was sealed with a key; without it nothing is proven")
    if made["algorithm"] == _PLAIN and key is not None:
        yield Problem("seal.algorithm", "it was sealed without a key: anyone could have made it")


def _changed_fields(data: Data, digests: _Digests) -> Iterator[Problem]:
    sealed: Mapping[str, str] = data["seal"]["fields"]
    present = dict(_fields(data))
    for name in sorted(sealed.keys() | present.keys()):
        if name not in present:
            yield Problem(name, "it was removed")
        elif name not in sealed:
            yield Problem(name, "it was added")
        elif not _same(sealed[name], digests.of("field", name, present[name])):
            yield Problem(name, "it was changed")
    if data["seal"]["sources"] != _sources(data):
        yield Problem("seal.sources", "they are not the sources of the ledger")


def _changed_items(items: _Items, data: Data, digests: _Digests) -> Iterator[Problem]:
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
        if not _same(digest, digests.of_item(items, item)):
            yield Problem(where, f"it was changed {which}")
    for name, (place, _) in sealed.items():
        if name not in seen:
            yield Problem(f"{items.part}[{place}]", f"it was removed ({items.noun} {name})")
    for (place, index), expected in zip(common, sorted(common), strict=True):
        if place != expected[0]:
            which = f"({items.noun} {present[index][items.id]})"
            message = f"it was moved {which}: it was sealed as {items.part}[{place}]"
            yield Problem(f"{items.part}[{index}]", message)


def _broken_chain(data: Data, digests: _Digests) -> Iterator[Problem]:
    """The seal itself: its header and the first link that does not follow from what it holds."""
    made, links = data["seal"], _links(data)
    before = made["header"]
    if not _same(before, digests.header(made, len(links))):
        yield Problem("seal.header", "it does not follow from the sealed parts")
    if len(links) != len(data["entries"]):
        yield Problem("seal.entries", f"{len(links):,} are sealed, {len(data['entries']):,} stand")
    for index, item in enumerate(links):
        link = digests.link(before, index, item["claim_id"], item["digest"])
        if not _same(item["link"], link):
            yield Problem(f"seal.entries[{index}]", "the chain is broken here")
            return
        before = item["link"]
    if not _same(made["head"], before):
        yield Problem("seal.head", "it is not the last link of the chain")


def _head_problems(data: Data, expected: str, key: bytes | None) -> Iterator[Problem]:
    if _same(data["seal"]["head"], expected):
        return
    noted = "it is not the expected head: this is another seal than was noted"
    if "reviews" in data and _same(seal(without_reviews(data), key=key)["seal"]["head"], expected):
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
