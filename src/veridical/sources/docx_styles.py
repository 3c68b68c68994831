"""What the styles of a Word document say about headings, hidden text and superscripts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

MAX_LEVEL = 9
_MAX_CHAIN = 50
_HEADING_NAME = re.compile(r"heading ([1-9])")
_BODY_TEXT_LEVEL = 9


@dataclass(slots=True)
class Style:
    """One style as written. None: it says nothing of its own, `based_on` decides."""

    name: str = ""
    based_on: str = ""
    level: int | None = None
    hidden: bool | None = None
    superscript: bool | None = None


class Styles:
    """Looks properties up along the chain of styles that each is based on."""

    def __init__(self) -> None:
        self.by_id: dict[str, Style] = {}
        self.default_paragraph = ""

    def _chain(self, style_id: str) -> list[Style]:
        chain: list[Style] = []
        seen: set[str] = set()
        while style_id in self.by_id and style_id not in seen and len(chain) < _MAX_CHAIN:
            seen.add(style_id)
            chain.append(self.by_id[style_id])
            style_id = chain[-1].based_on
        return chain

    def level(self, style_id: str) -> int:
        """The heading level, 1 to 9, of paragraphs in this style; 0 for body text."""
        for style in self._chain(style_id or self.default_paragraph):
            if style.level is not None:
                return style.level
            named = named_level(style.name)
            if named:
                return named
        return 0

    def hidden(self, style_id: str) -> bool | None:
        """Whether the style hides its text; None where it does not say."""
        return next((s.hidden for s in self._chain(style_id) if s.hidden is not None), None)

    def superscript(self, style_id: str) -> bool:
        """Whether the style raises its text."""
        said = (s.superscript for s in self._chain(style_id) if s.superscript is not None)
        return next(said, False)


def named_level(name: str) -> int:
    """The level that a built-in style stands for. Word stores these names in English always."""
    folded = name.strip().lower()
    if folded == "title":
        return 1
    found = _HEADING_NAME.fullmatch(folded)
    return int(found[1]) if found else 0


def outline_level(value: str | None) -> int | None:
    """`w:outlineLvl`, which counts from 0 and says 9 for body text, as a heading level."""
    if value is None or not re.fullmatch(r"[0-9]", value):
        return None
    return 0 if int(value) == _BODY_TEXT_LEVEL else int(value) + 1


def is_on(attributes: Mapping[str, str]) -> bool:
    """The value of a switch such as `w:vanish`: on where it stands, unless it says otherwise."""
    return attributes.get("val", "true").lower() not in ("0", "false", "off", "none")


class StylesReader:
    """Reads `styles.xml`. Give it to `parse_xml`, then take `styles`."""

    def __init__(self) -> None:
        self.styles = Styles()
        self._path: list[str] = []
        self._style: Style | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take down what the element says of the style that it stands in."""
        if tag == "w:style":
            style_id = attributes.get("styleId", "")
            self._style = self.styles.by_id.setdefault(style_id, Style())
            if attributes.get("type") == "paragraph" and attributes.get("default") in ("1", "true"):
                self.styles.default_paragraph = style_id
        elif self._style is not None:
            self._take(self._style, tag, attributes)
        self._path.append(tag)

    def _take(self, style: Style, tag: str, attributes: Mapping[str, str]) -> None:
        value = attributes.get("val")
        parents = tuple(self._path[-2:])
        if self._path[-1] == "w:style" and tag == "w:name":
            style.name = value or ""
        elif self._path[-1] == "w:style" and tag == "w:basedOn":
            style.based_on = value or ""
        elif parents == ("w:style", "w:pPr") and tag == "w:outlineLvl":
            style.level = outline_level(value)
        elif parents == ("w:style", "w:rPr") and tag == "w:vanish":
            style.hidden = is_on(attributes)
        elif parents == ("w:style", "w:rPr") and tag == "w:vertAlign":
            style.superscript = value == "superscript"

    def end(self, tag: str) -> None:
        """Leave the element."""
        self._path.pop()
        if tag == "w:style":
            self._style = None

    def text(self, data: str) -> None:
        """Styles hold no text."""
