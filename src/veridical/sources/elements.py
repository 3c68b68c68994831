"""What HTML elements and their styles do to the text around them, and which of them are open.

A browser never refuses a page: it closes what was left open by fixed rules. Only as much of the
rules as decides *where a hidden element ends* is here (WHATWG HTML, sections 13.1.2 and 13.2.6),
and character references (`&amp;`, `&#8212;`, `&copy`) are resolved as browsers do.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from html.entities import html5
from pathlib import Path

from veridical.sources.patterns import lazy, word_lists

REFERENCE = r"&(?:#(?:[0-9]++|[xX][0-9a-fA-F]++);?|[a-zA-Z][a-zA-Z0-9]{1,31}+;?)"
"""Pattern of whatever may be a character reference; `resolve` decides."""

_REFERENCE = lazy(REFERENCE)
_LONGEST_BARE = max(len(name) for name in html5 if not name.endswith(";"))
_MAX_DIGITS = 7
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@lru_cache(maxsize=4096)
def resolve(token: str) -> tuple[int, str] | None:
    """What a reference stands for: how many code points of `token` it takes, and what is shown.

    The old names also count without their semicolon, and before other letters ("&copy2024" is
    "©2024"). Returns None where `token` is no reference and stands for itself.
    """
    if token[1] == "#":
        digits = token.rstrip(";").lstrip("&#xX").lstrip("0")
        return len(token), _REPLACEMENT if len(digits) > _MAX_DIGITS else html.unescape(token)
    name = token[1:]
    if name in html5:
        return len(token), html5[name]
    for length in range(min(len(name), _LONGEST_BARE), 1, -1):
        if name[:length] in html5:
            return length + 1, html5[name[:length]]
    return None


def unescape(text: str) -> str:
    """`text` with its character references resolved, in linear time whatever the text."""

    def replacement(found: re.Match[str]) -> str:
        resolved = resolve(found[0])
        return found[0] if resolved is None else resolved[1] + found[0][resolved[0] :]

    return _REFERENCE().sub(replacement, text) if "&" in text else text


_WS = r" \t\n\r\f"
_ATTRIBUTE = re.compile(
    rf"[{_WS}/]*+(?:([^{_WS}/>][^{_WS}/>=]*+)"
    rf"(?:[{_WS}]*+=[{_WS}]*+(?:\"([^\"]*+)\"?|'([^']*+)'?|([^{_WS}>]*+)))?)?"
)
_CSS_COMMENT = lazy(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_HIDDEN = {
    "display": {"none"},
    "visibility": {"hidden", "collapse"},
    "content-visibility": {"hidden"},
}
_DECORATIONS = {"text-decoration", "text-decoration-line", "-webkit-text-decoration"}
_READ = frozenset({*_HIDDEN, *_DECORATIONS, "opacity", "font-size"})
_NOTHING = re.compile(r"[+-]?(?:0+\.?0*|\.0+)(?:%|[a-z]+)?")
_OWN_SIZE = re.compile(
    r"[+]?[\d.]+(?:px|pt|pc|cm|mm|q|in|rem|vw|vh)|(?:x{1,3}-)?(?:small|large)|medium"
)


@dataclass(frozen=True, slots=True)
class Style:
    """What an inline style does. `size` is 0 for letters without height, 1 for a size that does
    not depend on that of the words around, None for all else.
    """

    hides: bool = False
    strikes: bool = False
    size: int | None = None


_PLAIN = Style()


def read_attributes(text: str, at: int, limit: int) -> tuple[int, bool, str, bool]:
    """Read the attributes of a tag from `at` on, at most to `limit`.

    Returns where they end, whether one of them is `hidden`, the inline style as written, and
    whether the tag ends itself ("/>").
    """
    is_hidden, style = False, ""
    for found in _ATTRIBUTE.finditer(text, at, limit):
        at = found.end()
        name = found[1]
        if name and name[0] in "hHsS":
            lowered = name.lower()
            if lowered == "hidden":
                is_hidden = True
            elif lowered == "style" and not style:
                style = found[2] or found[3] or found[4] or " "
        if at >= limit or text[at] == ">":
            break
    return at, is_hidden, style, text[at - 1] == "/"


def read_style(style: str) -> Style:
    """What an inline style does: of two declarations, the later or the important one counts."""
    if not style:
        return _PLAIN
    settings: dict[str, tuple[bool, str]] = {}
    for declaration in _CSS_COMMENT().sub(" ", unescape(style)).lower().split(";"):
        name, _, value = declaration.partition(":")
        value, _, important = value.partition("!")
        name = name.strip()
        name = "text-decoration" if name in _DECORATIONS else name
        if name in _READ and (important or not settings.get(name, (False, ""))[0]):
            settings[name] = (bool(important), value.strip())
    values = {name: value for name, (_, value) in settings.items()}
    hides = any(value in _HIDDEN.get(name, ()) for name, value in values.items())
    size = values.get("font-size", "")
    return Style(
        hides=hides or _NOTHING.fullmatch(values.get("opacity", "")) is not None,
        strikes="line-through" in values.get("text-decoration", "").split(),
        size=0 if _NOTHING.fullmatch(size) else 1 if _OWN_SIZE.fullmatch(size) else None,
    )


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LISTS = {
    name: frozenset(words)
    for name, words in word_lists(Path(__file__).with_name("elements.txt")).items()
}
VOID = _LISTS["void"]
"""Elements without content or end tag."""

UNSEEN = _LISTS["unseen"]
"""Elements whose words are never shown (`audio` and the like hold a text for old browsers)."""

RAW_TEXT = _LISTS["raw text"]
"""Elements in which `<` starts no tag, up to their own end tag."""

ESCAPABLE = _LISTS["escapable"]
"""Those of `RAW_TEXT` in which character references count."""

HEAD_CONTENT = _LISTS["in head"]
_CLOSES_PARAGRAPH = _LISTS["closes paragraph"]
_LINE_BREAKS = _CLOSES_PARAGRAPH | _LISTS["breaks line"]
SHOWN = dict.fromkeys(_LISTS["space"], " ") | dict.fromkeys(_LINE_BREAKS, "\n") | {"q": '"'}
"""What a tag puts between the words around it; nothing if it is not listed."""

STANDARD_NAMES = (VOID | RAW_TEXT | frozenset(SHOWN) - {"svg"}) | _LISTS["other standard"]
"""The elements of the HTML standard, those with it that it calls obsolete."""

FOREIGN_NAMES = _LISTS["foreign"]
"""Elements of SVG and MathML, which are tags inside `svg` and `math` only."""

_SPECIAL_NAMES = (
    _CLOSES_PARAGRAPH
    | (VOID - _names("basefont"))
    | (RAW_TEXT - _names("plaintext"))
    | _names(
        "applet body button caption colgroup frameset head heading html marquee object row-group "
        "select cell template term tr"
    )
)
_SCOPE_NAMES = _names("applet button caption cell html marquee object table template")
_TABLE_PARTS = _names("caption cell row-group table tr")


_STRICT_NAMES = _SPECIAL_NAMES - {"address", "div", "p"}
_PARAGRAPH_ENDS = _CLOSES_PARAGRAPH | {"heading", "term"}

# Elements that close each other are one kind: <td> and <th>, <dt> and <dd>, all headings.
_KIND = (
    dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading")
    | dict.fromkeys(("td", "th"), "cell")
    | dict.fromkeys(("dt", "dd"), "term")
    | dict.fromkeys(("thead", "tbody", "tfoot"), "row-group")
    | dict.fromkeys(("rt", "rp"), "ruby-text")
)


class ElementStack:
    """The open elements, and which of them is hidden. Every operation is amortised O(1)."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.hidden = -1
        """Height at which the outermost hidden element stands; -1 where nothing is hidden."""
        self._places: dict[str, list[int]] = defaultdict(list)
        self._special = [-1]
        self._strict = [-1]
        self._scopes = [-1]

    def is_open(self, name: str) -> bool:
        """Whether an element of this name, or one that is closed like it, is open."""
        return bool(self._places.get(_KIND.get(name, name)))

    def make_room(self, name: str) -> None:
        """Close what the start tag of `name` closes.

        A block closes a paragraph, an item the item before it, the body the head.
        """
        if not self.names:
            return
        if self.names[-1] == "head" and name not in HEAD_CONTENT:
            self.cut(len(self.names) - 1)
        kind = _KIND.get(name, name)
        if kind in _PARAGRAPH_ENDS:
            self._cut_at("p", self._scopes[-1])
        if kind in {"li", "term"}:
            self._cut_at(kind, self._strict[-1] - 1)
        elif kind in _TABLE_PARTS:
            if kind != "table":
                self._cut_at(kind, self._table())
        elif kind == "a":
            self._cut_at("a", self._special[-1])
        elif kind in {"option", "optgroup", "heading", "ruby-text"} and self.names:
            top = self.names[-1]
            if top == kind or (kind == "optgroup" and top == "option"):
                self.cut(len(self.names) - 1)
        if kind == "optgroup":
            self._cut_at("optgroup", len(self.names) - 2)

    def push(self, name: str, *, hidden: bool) -> None:
        """Open an element inside those that are open."""
        kind = _KIND.get(name, name)
        height = len(self.names)
        self.names.append(kind)
        self._places[kind].append(height)
        if kind in _SPECIAL_NAMES:
            self._special.append(height)
            if kind in _STRICT_NAMES:
                self._strict.append(height)
            if kind in _SCOPE_NAMES:
                self._scopes.append(height)
        if hidden and self.hidden < 0:
            self.hidden = height

    def close(self, name: str) -> None:
        """Close the element that an end tag of `name` closes, and what is open inside it."""
        kind = _KIND.get(name, name)
        if not self._places.get(kind) or kind in {"html", "body"}:
            return
        if kind in _TABLE_PARTS:
            # A table's own place is its boundary, so it may be closed itself.
            self._cut_at(kind, self._table() - (kind == "table"))
        elif kind in _SPECIAL_NAMES:
            self._cut_at(kind, self._scopes[-1] - (kind in _SCOPE_NAMES))
        else:
            self._cut_at(kind, self._special[-1])

    def cut(self, height: int) -> None:
        """Close every element at `height` or above."""
        while len(self.names) > height:
            kind = self.names.pop()
            self._places[kind].pop()
            if kind in _SPECIAL_NAMES:
                self._special.pop()
                if kind in _STRICT_NAMES:
                    self._strict.pop()
                if kind in _SCOPE_NAMES:
                    self._scopes.pop()
        if self.hidden >= height:
            self.hidden = -1

    def _cut_at(self, kind: str, boundary: int) -> None:
        """Close the innermost `kind` if it stands above `boundary`."""
        places = self._places.get(kind)
        if places and places[-1] > boundary:
            self.cut(places[-1])

    def _table(self) -> int:
        tables, templates = self._places.get("table"), self._places.get("template")
        return max(tables[-1] if tables else -1, templates[-1] if templates else -1)
