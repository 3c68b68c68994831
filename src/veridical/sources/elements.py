"""What HTML elements do to the text around them, and which of them are open.

A browser never refuses a page: it closes what was left open by fixed rules. Only as much of the
rules as decides *where a hidden element ends* is here (WHATWG HTML, sections 13.1.2 and 13.2.6).
"""

from __future__ import annotations

from collections import defaultdict


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


VOID = _names(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr"
)
"""Elements without content or end tag."""

UNSEEN = _names(
    "head script style template noscript noembed noframes iframe datalist audio video canvas "
    "annotation annotation-xml metadata desc"
)
"""Elements whose words are never shown (`audio` and the like hold a text for old browsers)."""

RAW_TEXT = _names("script style noscript noembed noframes iframe xmp plaintext textarea title")
"""Elements in which `<` starts no tag, up to their own end tag."""

ESCAPABLE = _names("textarea title")
"""Those of `RAW_TEXT` in which character references count."""

HEAD_CONTENT = _names("base basefont bgsound link meta title style script noscript template head")

_CLOSES_PARAGRAPH = _names(
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext "
    "pre search section summary table ul xmp"
)
_LINE_BREAKS = _CLOSES_PARAGRAPH | _names(
    "body br caption head html legend optgroup option tbody tfoot thead title tr"
)
_SPACES = _names(
    "audio button canvas embed iframe img input object select svg td textarea th video"
)
SHOWN = dict.fromkeys(_SPACES, " ") | dict.fromkeys(_LINE_BREAKS, "\n") | {"q": '"'}
"""What a tag puts between the words around it; nothing if it is not listed."""

_SPECIAL, _STRICT, _SCOPE, _TABLE_PART, _PARAGRAPH_END = 1, 2, 4, 8, 16
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


def _flags(name: str) -> int:
    return (
        _SPECIAL * (name in _SPECIAL_NAMES)
        | _STRICT * (name in _SPECIAL_NAMES and name not in {"address", "div", "p"})
        | _SCOPE * (name in _SCOPE_NAMES)
        | _TABLE_PART * (name in _TABLE_PARTS)
        | _PARAGRAPH_END * (name in _CLOSES_PARAGRAPH or name in {"heading", "term"})
    )


# Elements that close each other are one kind: <td> and <th>, <dt> and <dd>, all headings.
_KIND = (
    dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading")
    | dict.fromkeys(("td", "th"), "cell")
    | dict.fromkeys(("dt", "dd"), "term")
    | dict.fromkeys(("thead", "tbody", "tfoot"), "row-group")
    | dict.fromkeys(("rt", "rp"), "ruby-text")
)
_FLAGS = {
    name: flags for name in _SPECIAL_NAMES | _SCOPE_NAMES | _TABLE_PARTS if (flags := _flags(name))
}


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
        if _FLAGS.get(kind, 0) & _PARAGRAPH_END:
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
        flags = _FLAGS.get(kind, 0)
        if flags & _SPECIAL:
            self._special.append(height)
            if flags & _STRICT:
                self._strict.append(height)
            if flags & _SCOPE:
                self._scopes.append(height)
        if hidden and self.hidden < 0:
            self.hidden = height

    def close(self, name: str) -> None:
        """Close the element that an end tag of `name` closes, and what is open inside it."""
        kind = _KIND.get(name, name)
        if not self._places.get(kind) or kind in {"html", "body"}:
            return
        flags = _FLAGS.get(kind, 0)
        if flags & _TABLE_PART:
            # A table's own place is its boundary, so it may be closed itself.
            self._cut_at(kind, self._table() - (kind == "table"))
        elif flags & _SPECIAL:
            self._cut_at(kind, self._scopes[-1] - (kind in _SCOPE_NAMES))
        else:
            self._cut_at(kind, self._special[-1])

    def cut(self, height: int) -> None:
        """Close every element at `height` or above."""
        while len(self.names) > height:
            kind = self.names.pop()
            self._places[kind].pop()
            flags = _FLAGS.get(kind, 0)
            if flags & _SPECIAL:
                self._special.pop()
                if flags & _STRICT:
                    self._strict.pop()
                if flags & _SCOPE:
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
