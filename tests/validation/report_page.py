"""Reports made by hand, and pages read strictly: what the tests of the HTML report share."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from veridical.sources.document import Document, Format, Span
from veridical.sources.masks import MaskBuilder
from veridical.validation.claims import Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.results import (
    ClaimResult,
    FailureReason,
    Fidelity,
    Match,
    MatchType,
    Status,
    ValidationReport,
)

HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><style>*{display:none}</style>",
    "</title></svg><svg onload=alert(1)>",
    "<!-- -->]]><![CDATA[",
    "' onmouseover='alert(1)",
    "&lt;b&gt; &amp;amp; &#x27;",
    "javascript:alert(1)",
    "\x00\x01\x1b[31m\x7f\x85",
    "\ud800 lone \udfff",
    "\u202eevil\u2066",
    "two\nlines\r\nand\ttabs",
]
"""What must stay text, wherever on a page it stands."""

VOID = {"meta", "input", "br", "link", "img", "base"}


@dataclass
class Node:
    """An element of a parsed page."""

    tag: str
    attributes: dict[str, str]
    parent: Node | None = None
    parts: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def all(self, tag: str | None = None, name: str | None = None) -> list[Node]:
        found = []
        for part in self.parts:
            if isinstance(part, Node):
                if (tag in (None, part.tag)) and (name is None or name in part.classes):
                    found.append(part)
                found += part.all(tag, name)
        return found

    def by_id(self, name: str) -> Node:
        (found,) = (node for node in self.all() if node.attributes.get("id") == name)
        return found


class Tree(HTMLParser):
    """Parses a page strictly: every element that is opened must be closed, in order."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.here = Node("", {})
        self.feed(page)
        self.close()
        assert self.here is self.root, f"<{self.here.tag}> is never closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.parts.append(node)
        if tag not in VOID:
            self.here = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.here.parts.append(Node(tag, {n: v or "" for n, v in attrs}, self.here))

    def handle_endtag(self, tag: str) -> None:
        assert self.here.tag == tag, f"</{tag}> closes <{self.here.tag}>"
        assert self.here.parent is not None
        self.here = self.here.parent

    def handle_data(self, data: str) -> None:
        self.here.parts.append(data)


def parse(page: str) -> Node:
    return Tree(page).root


def check_links(page: Node) -> None:
    """Ids are unique, and every link and label leads to one of them."""
    ids = [node.attributes["id"] for node in page.all() if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    for link in page.all("a"):
        assert link.attributes["href"].removeprefix("#") in ids
    for node in page.all():
        assert node.attributes.get("aria-labelledby", ids[0]) in ids


def check_policy(page: Node) -> None:
    """A page asks nothing of any network, and allows its own code and style only."""
    (policy,) = (
        node.attributes["content"] for node in page.all("meta") if "http-equiv" in node.attributes
    )
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        content = "".join(node.text for node in page.all(tag))
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
        assert "innerHTML" not in content
        assert not re.search(r"https?:|url\(|@import", content)
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    attributes = {name for node in page.all() for name in node.attributes}
    assert not {name for name in attributes if name.startswith("on") or name in {"style", "src"}}
    assert not {node.tag for node in page.all()} & {"img", "link", "base", "iframe", "use", "image"}


def match(document: Document, start: int, end: int, kind: MatchType = MatchType.EXACT) -> Match:
    return Match(document, Span(start, end), kind, 0.97, 0.97)


def held(name: str, where: Match, status: Status = Status.VALIDATED, **more: object) -> ClaimResult:
    return ClaimResult(
        Claim(name, where.text[:2000] or "nothing"),
        status,
        0.97,
        match=where,
        fidelity=Fidelity.VERBATIM,
        **more,  # type: ignore[arg-type]
    )


def lost(name: str, quote: str = "words that stand nowhere", **more: object) -> ClaimResult:
    return ClaimResult(
        Claim(name, quote),
        Status.FAILED,
        0.0,
        reason=FailureReason.NOT_FOUND,
        fidelity=Fidelity.FABRICATED,
        **more,  # type: ignore[arg-type]
    )


def report(
    *results: ClaimResult, documents: tuple[Document, ...] = (), **more: object
) -> ValidationReport:
    return ValidationReport(results, documents, ValidationConfig(), **more)  # type: ignore[arg-type]


def squeezed(text: str) -> str:
    return " ".join(text.split())


def highlighted(page: Node, number: int) -> str:
    """The text of a place's highlight, over all the marks that it is split into."""
    return "".join(
        mark.text for mark in page.all("mark") if str(number) in mark.attributes["data-m"].split()
    )


TEXT = "Leave is 27 days. It may be carried over.\nIn writing only.\n\nThe end of the policy."


def masked(text: str, masks: list[tuple[int, int, str]]) -> Document:
    builder = MaskBuilder()
    for start, end, shown in masks:
        builder.add(start, end, shown)
    return Document("a.html", text, Format.HTML, masks=builder.build())


def without_space(text: str) -> str:
    return "".join(text.replace("\0", "\ufffd").split())
