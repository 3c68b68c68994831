"""Presentations (PPTX): the words of each slide that is shown, then those of its speaker notes.

The title comes first, shapes in the order of the file, tables row by row. Left out are hidden
slides and shapes, what is struck through, and the numbers and dates at the foot of a slide.
"""

from __future__ import annotations

from collections.abc import Iterator

from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.package import Element, Kind, unpacked
from veridical.sources.parts import TextBuilder

POWERPOINT = Kind("PowerPoint presentation", "PPTX", "PowerPoint", "ppt/presentation.xml")
_TITLES = frozenset({"title", "ctrTitle"})
_FOOT = frozenset({"dt", "ftr", "sldNum"})
_UNREAD = frozenset({"chart", "diagramData", "package", "oleObject", "comments"})
_LONGEST_TITLE = 100


def read_pptx(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a presentation, with the titles of its slides for headings."""
    builder = TextBuilder(name, Format.PPTX, limits)
    with unpacked(data, name, limits, POWERPOINT) as package:
        main = package.main_part()
        parts = {relation.id: relation.part for relation in package.relations(main)}
        for number, slide in enumerate(package.parse(main).below("p:sldIdLst"), 1):
            part = parts.get(slide.attributes.get("id", ""), "")
            root = package.parse(part) if part else Element("", {"show": "0"})
            if root.attributes.get("show") in ("0", "false"):
                builder.warn("Hidden slides were left out.")
                continue
            _slide(builder, root, f"slide {number}")
            for relation in package.relations(part):
                if relation.kind == "notesSlide":
                    notes = package.parse(relation.part)
                    _slide(builder, notes, f"slide {number}, notes", only="body")
                elif relation.kind in _UNREAD:
                    builder.warn("Text in charts, diagrams and comments was not read.")
    return builder.build(data)


def _slide(builder: TextBuilder, root: Element, place: str, only: str = "") -> None:
    """Add the words of a slide, its title or first line as a heading, or of its notes."""
    titles: list[str] = []
    lines: list[str] = []
    for kind, shape in _shapes(root):
        if kind not in _FOOT and only in ("", kind):
            (titles if kind in _TITLES else lines).extend(_lines(shape))
    builder.place(place)
    if not titles and len(lines) > 1 and len(lines[0]) <= _LONGEST_TITLE and not only:
        titles.append(lines.pop(0))
    if titles:
        builder.heading(" ".join(titles), 1)
    if titles or lines:
        builder.add("".join(f"{line}\n" for line in lines) + "\n")


def _shapes(element: Element) -> Iterator[tuple[str, Element]]:
    """The shapes that are shown, those of groups too, with the kind of their placeholder."""
    for child in element.children:
        said = [one for group in child.children for one in group.children
                if group.tag.startswith("p:nv")]  # fmt: skip
        if any(one.attributes.get("hidden") in ("1", "true") for one in said):
            continue
        if child.tag in ("p:sp", "p:graphicFrame", "p:cxnSp"):
            held = [holder for one in said for holder in one.all("p:ph")]
            yield (held[0].attributes.get("type", "body") if held else ""), child
        else:
            choices = child.all("mc:Choice") if child.tag == "mc:AlternateContent" else []
            yield from _shapes(choices[0] if choices else child)


def _lines(element: Element) -> Iterator[str]:
    """The paragraphs in an element, and its rows with a tab between the cells."""
    for child in element.children:
        line = ""
        if child.tag == "a:tr":
            cells = (_lines(cell) if _seen(cell) else () for cell in child.all("a:tc"))
            line = "\t".join(map(" ".join, cells))
        elif child.tag == "a:p":
            line = " ".join("".join(map(_words, child.children)).split())
        elif child.tag != "mc:Fallback":
            yield from _lines(child)
        if line.strip():
            yield line


def _seen(cell: Element) -> bool:
    """Whether a cell is not below one that is merged over it."""
    return not {cell.attributes.get("hMerge"), cell.attributes.get("vMerge")} & {"1", "true"}


def _words(run: Element) -> str:
    struck = (look.attributes.get("strike", "noStrike") != "noStrike" for look in run.all("a:rPr"))
    if run.tag == "a:br" or any(struck):
        return " "
    return "".join(text for part in run.all("a:t") for text in part.texts)
