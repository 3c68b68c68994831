"""What the attributes of an HTML tag do to the words inside: hide, strike or shrink them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from veridical.sources.entities import unescape
from veridical.sources.patterns import lazy

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
