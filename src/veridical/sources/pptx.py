"""Presentations (PPTX): the words of each slide that is shown, then those of its speaker notes.

The title comes first, shapes in the order of the file, tables row by row. Left out are hidden
slides and shapes, what is struck through, and the numbers and dates at the foot of a slide.
"""

from __future__ import annotations

from collections.abc import Iterator

from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.package import Element, Kind, Package, unpacked
from veridical.sources.parts import TextBuilder

POWERPOINT = Kind("PowerPoint presentation", "PPTX", "PowerPoint", "ppt/presentation.xml")
_TITLES = frozenset({"title", "ctrTitle"})
_FOOT = frozenset({"dt", "ftr", "sldNum", "hdr"})
_LONGEST_TITLE = 100
_UNREAD = frozenset({"chart", "diagramData", "package", "oleObject", "comments"})


def read_pptx(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a presentation, with the titles of its slides for headings.

    Raises DocumentParsingError where the file is empty, no presentation, broken, encrypted or
    without text, where it exceeds `limits`, or where its XML is not safe to read.
    """
    builder = TextBuilder(name, Format.PPTX, limits)
    with unpacked(data, name, limits, POWERPOINT) as package:
        _read(package, builder)
    return builder.build(data)


def _read(package: Package, builder: TextBuilder) -> None:
    main = package.main_part()
    parts = {relation.id: relation.part for relation in package.relations(main)}
    for number, slide in enumerate(package.parse(main).below("p:sldIdLst"), 1):
        part = parts.get(slide.attributes.get("id", ""))
        if part is None:
            continue
        root = package.parse(part)
        if root.attributes.get("show") in ("0", "false"):
            builder.warn("Hidden slides were left out.")
            continue
        _slide(builder, root, f"slide {number}")
        for relation in package.relations(part):
            if relation.kind == "notesSlide":
                _slide(builder, package.parse(relation.part), f"slide {number}, notes", notes=True)
            elif relation.kind in _UNREAD:
                builder.warn("Text in charts, diagrams and comments was not read.")


def _slide(builder: TextBuilder, root: Element, place: str, *, notes: bool = False) -> None:
    """Add the words of a slide or its notes: the title as a heading, or the first line."""
    titles: list[str] = []
    lines: list[str] = []
    for kind, shape in _shapes(root):
        if kind in _FOOT or (notes and kind != "body"):
            continue
        (titles if kind in _TITLES else lines).extend(_lines(shape))
    if not titles and not lines:
        return
    if not titles and len(lines) > 1 and len(lines[0]) <= _LONGEST_TITLE and not notes:
        titles.append(lines.pop(0))
    builder.place(place)
    if titles:
        builder.heading(" ".join(titles), 1)
    builder.add("".join(f"{line}\n" for line in lines) + "\n")


def _shapes(element: Element) -> Iterator[tuple[str, Element]]:
    """The shapes that are shown, those of groups too, with the kind of their placeholder."""
    for child in element.children:
        said = [one for group in child.children if group.tag.startswith("p:nv")
                for one in group.children]  # fmt: skip
        if any(one.attributes.get("hidden") in ("1", "true") for one in said):
            continue
        if child.tag in ("p:sp", "p:graphicFrame", "p:cxnSp"):
            held = [holder for one in said for holder in one.all("p:ph")]
            yield (held[0].attributes.get("type", "body") if held else ""), child
            continue
        choices = child.all("mc:Choice") if child.tag == "mc:AlternateContent" else []
        yield from _shapes(choices[0] if choices else child)


def _lines(element: Element) -> Iterator[str]:
    """The paragraphs in an element, and its rows with a tab between the cells."""
    for child in element.children:
        if child.tag == "a:tr":
            row = "\t".join(" ".join(_lines(cell)) for cell in child.all("a:tc"))
            yield from [row] if row.strip() else []
        elif child.tag == "a:p":
            line = " ".join("".join(_words(child)).split())
            yield from [line] if line else []
        elif child.tag != "mc:Fallback":
            yield from _lines(child)


def _words(paragraph: Element) -> Iterator[str]:
    for child in paragraph.children:
        looks = child.all("a:rPr")
        if child.tag == "a:br":
            yield " "
        elif child.tag in ("a:r", "a:fld") and not any(
            look.attributes.get("strike", "noStrike") != "noStrike" for look in looks
        ):
            yield from (text for part in child.all("a:t") for text in part.texts)
