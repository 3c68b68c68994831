"""Pages without text, and images given as documents, read by text recognition (OCR).

Runs in the worker process only, with the models that the package RapidOCR ships: nothing is
fetched. Lines are put in order by where they stand, columns one after the other.
"""

from __future__ import annotations

import cmath
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from veridical.errors import DocumentParsingError
from veridical.sources.document import (
    DEFAULT_LIMITS,
    Document,
    Format,
    PagesWithoutText,
    SourceLimits,
)
from veridical.sources.pdf_boxes import Box, ShownPage, TracedPage, Unplaced
from veridical.sources.pdf_text import PageText
from veridical.sources.sniff import image_kind

UNSURE_BELOW = 0.7
"""A word is unsure if the recogniser gives one of its letters a lower probability."""

INSTALL_OCR = "To have it read, install text recognition (OCR): pip install 'veridical[ocr]'."

_LONGEST_SIDE = 2000
"""Pixels of a page as it is recognised: A4 at 170 dpi."""

_LEAST_SURE_LINE = 0.5
"""What is less sure on average is no line of text but a pattern in a picture."""

_WORD = re.compile(r"\S+")
_BATCH = 6
_TALL = 1.5
_LONG_LINE = 5
_LEAST_COLUMN_LINES = 3
_LEAST_COLUMN_WIDTH = 8
_GUTTER = 1.0
_SAME_ROW = 0.5
_PARAGRAPH_GAP = 0.6
"""The last six in heights of a line."""

Found = tuple[TracedPage, list[tuple[int, int, int]]]
"""A page with the place of each character, and its unsure words: line, start and end."""


def is_installed() -> bool:
    """Whether there is a recogniser."""
    return find_spec("rapidocr") is not None


def can_recognise(limits: SourceLimits) -> bool:
    """Whether there is one that may be used."""
    return limits.max_ocr_pages > 0 and is_installed()


def recognise_pages(
    data: bytes, name: str, *, pages: Sequence[int], limits: SourceLimits = DEFAULT_LIMITS
) -> dict[str, Any]:
    """The text of pages of a PDF or an image, from 1, and their unsure words."""
    return {
        str(page): {"text": traced.text, "unsure": unsure}
        for page in pages
        for traced, unsure in [_recognised(data, name, page, limits)]
    }


def page_text(found: Mapping[str, Any]) -> PageText:
    """A page of what `recognise_pages` gave, or the reason why it `failed`."""
    unsure = tuple((line, start, end) for line, start, end in found.get("unsure", ()))
    failed = found.get("failed", "")
    return PageText(found.get("text", ""), recognised=True, unsure=unsure, unrecognised=failed)


def read_image(
    data: bytes,
    name: str,
    *,
    limits: SourceLimits = DEFAULT_LIMITS,
    recognised: Mapping[str, Any] | None = None,
) -> Document:
    """The words in an image; an image in several parts (TIFF) has as many pages.

    Raises PagesWithoutText where `recognised` is not given; DocumentParsingError where there are
    no words or no recogniser, or the image is broken.
    """
    from veridical.sources.pdf import document_of_pages

    if not can_recognise(limits):
        raise _error(name, f"this is an image. {INSTALL_OCR} Or give its text")
    with _opened(data, name) as image:
        pages = range(1, min(getattr(image, "n_frames", 1), limits.max_pages) + 1)
    if recognised is None:
        raise PagesWithoutText(pages)
    readings = [page_text(recognised.get(str(page), {})) for page in pages]
    return document_of_pages(readings, name, Format.IMAGE, len(data))


def _recognised(data: bytes, name: str, page: int, limits: SourceLimits) -> Found:
    if image_kind(data):
        return _traced(_frame(data, name, page, limits), 1.0, 0)
    import pypdfium2

    with closing(pypdfium2.PdfDocument(data)) as pdf, closing(pdf[page - 1]) as found:
        return trace_scanned(found)


def trace_scanned(page: Any) -> Found:
    """A `pypdfium2.PdfPage` without text, recognised."""
    scale = _LONGEST_SIDE / max(*page.get_size(), 1.0)
    drawn = page.render(scale=scale, draw_annots=False).to_pil()
    return _traced(drawn, scale, page.get_rotation())


@contextmanager
def _opened(data: bytes, name: str) -> Iterator[Any]:
    """The image, not decoded yet. Raises DocumentParsingError where it is found to be broken."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # `SourceLimits.max_ocr_pixels` is looked at before decoding
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "TIFF", "WEBP")) as image:
            yield image
    except (DocumentParsingError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - Pillow has no one error for what is broken
        reason = "this image is damaged or cut short. Open it in a viewer and save it again"
        raise _error(name, reason) from None


def _error(name: str, reason: str) -> DocumentParsingError:
    return DocumentParsingError(f"{name}: {reason}.", Format.IMAGE.value)


def _frame(data: bytes, name: str, page: int, limits: SourceLimits) -> Any:
    """One picture of an image, turned as the camera told that it was held."""
    from PIL import ImageOps

    with _opened(data, name) as image:
        image.seek(page - 1)
        width, height = image.size
        if width * height > limits.max_ocr_pixels:
            most = f"the limit of {limits.max_ocr_pixels:,}"
            raise _error(
                name, f"an image of {width:,} x {height:,} pixels is over {most}. Shrink it"
            )
        return ImageOps.exif_transpose(_on_white(image))


def _on_white(image: Any) -> Any:
    """The decoded image, on white where it can be seen through."""
    from PIL import Image

    image.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
    image.load()
    if image.mode.startswith("I;16"):
        return image.point(lambda value: value / 256).convert("L")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        colours = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", image.size, "white"), colours)
    return image


def _traced(image: Any, scale: float, rotation: int) -> Found:
    """What a `PIL.Image` says, in reading order; places are in its pixels divided by `scale`."""
    import numpy as np

    width, height = (round(side / scale, 2) for side in image.size)
    if max(image.size) > _LONGEST_SIDE:
        shrunk = _LONGEST_SIDE / max(image.size)
        size = [max(1, round(side * shrunk)) for side in image.size]
        image, scale = image.resize(size, reducing_gap=3.0), scale * shrunk
    pixels = np.asarray(image.convert("RGB"))[:, :, ::-1]
    lines, turns = _rapidocr().read(pixels)
    across, up = image.size[::-1] if turns % 2 else image.size
    shown = ShownPage((0, 0, across / scale, up / scale), 90 * turns)
    chars: list[tuple[str, Any]] = []
    unsure: list[tuple[int, int, int]] = []
    for number, row in enumerate(rows_of(lines)):
        chars += [("\n", Unplaced.NOTHING)] * bool(number)
        start, sure = len(chars), []
        for at, line in enumerate(row):
            chars += [(" ", Unplaced.NOTHING)] * bool(at)
            sure += [1.0] * bool(at) + line.sure
            for char, (left, top, right, bottom) in zip(line.text, line.boxes, strict=True):
                edges = left, up - bottom, right, up - top
                box = shown.box(*(edge / scale for edge in edges))
                chars.append((char, Unplaced.NOTHING if char.isspace() else box))
        text = "".join(char for char, _ in chars[start:])
        unsure.extend((number, *word) for word in _unsure(text, sure))
    text = "".join(char for char, _ in chars)
    return TracedPage(text, width, height, rotation, tuple(place for _, place in chars)), unsure


def _unsure(text: str, sure: Sequence[float]) -> Iterator[tuple[int, int]]:
    """The words with an unsure letter; marks count in numbers, elsewhere they say little."""
    for word in _WORD.finditer(text):
        is_number = any(map(str.isdigit, word[0]))
        letters = zip(word[0], sure[word.start() : word.end()], strict=True)
        if any(value < UNSURE_BELOW for char, value in letters if is_number or char.isalnum()):
            yield word.span()


class ScannedLine(NamedTuple):
    """A line as it was recognised: how sure each character is and where it stands, and the corners
    of the line: upper left, upper right, lower right, lower left.
    """

    text: str
    sure: list[float]
    boxes: list[Box]
    corners: tuple[tuple[float, float], ...]


class _RapidOcr:
    """The three models of RapidOCR: where lines are, whether they stand on their head, and what
    they say. They are called one by one: the package's own call gives each word the sureness of
    another, and may fetch a font.
    """

    def __init__(self) -> None:
        import rapidocr
        from rapidocr.ch_ppocr_cls import TextClassifier
        from rapidocr.ch_ppocr_det import TextDetector
        from rapidocr.ch_ppocr_rec import TextRecognizer
        from rapidocr.utils.parse_parameters import ParseParams

        folder = Path(rapidocr.__file__).parent
        config = ParseParams.load(folder / "config.yaml")
        engine = config.EngineConfig.onnxruntime
        engine.intra_op_num_threads = engine.inter_op_num_threads = 1
        for part, model in (
            (config.Det, "PP-OCRv6_det_small"),
            (config.Rec, "PP-OCRv6_rec_small"),
            (config.Cls, "ch_ppocr_mobile_v2.0_cls_mobile"),
        ):
            part.model_path = str(folder / "models" / f"{model}.onnx")  # so that none is fetched
            part.engine_cfg = engine
        self._detector: Any = TextDetector(config.Det)
        self._reader: Any = TextRecognizer(config.Rec)
        self._turner: Any = TextClassifier(config.Cls)

    def read(self, pixels: Any) -> tuple[list[ScannedLine], int]:
        """The lines of a picture once it is upright, in no order, and by how many quarters it was
        turned for that, against the clock.
        """
        import numpy as np

        quads, turns = self._find(pixels), 0
        if 2 * sum(map(_is_tall, quads)) > len(quads):
            quads, turns = self._find(np.rot90(pixels)), 1
        if self._is_upside_down(np.rot90(pixels, turns), quads):
            turns += 2
            quads = self._find(np.rot90(pixels, turns))
        return list(self._read(np.rot90(pixels, turns).copy(), quads)), turns

    def _find(self, pixels: Any) -> list[Any]:
        """The corners of what looks like a line."""
        boxes = self._detector(pixels.copy()).boxes
        return [] if boxes is None else list(boxes)

    def _is_upside_down(self, pixels: Any, quads: Sequence[Any]) -> bool:
        """Whether most of the longest lines are."""
        longest = sorted(quads, key=lambda quad: -math.dist(quad[0], quad[1]))[:_BATCH]
        crops = [_crop(pixels.copy(), quad) for quad in longest]
        # Of a long line only the start: the model squeezes what it gets to the same width.
        starts = [crop[:, : _BATCH * crop.shape[0]] for crop in crops]
        told = self._turner(starts).cls_res if starts else []
        return bool(2 * sum(label == "180" for label, _ in told) > len(told))

    def _read(self, pixels: Any, quads: Sequence[Any]) -> Iterator[ScannedLine]:
        """What the lines say, those that say something."""
        import numpy as np

        usual = median(math.dist(quad[0], quad[3]) for quad in quads) if quads else 0.0
        crops = [
            (_crop(pixels, quad), quad)
            for quad in quads
            # What is tall is a line along the side, but for a single letter or digit.
            if not _is_tall(quad) or math.dist(quad[0], quad[3]) < _TALL * usual
        ]
        crops.sort(key=lambda pair: pair[0].shape[1] / pair[0].shape[0])
        for start in range(0, len(crops), _BATCH):
            batch = crops[start : start + _BATCH]
            ratios = [crop.shape[1] / crop.shape[0] for crop, _ in batch]
            widest = max(320 / 48, *ratios)
            shaped = [self._reader.resize_norm_img(crop, widest) for crop, _ in batch]
            likely = self._reader.session(np.stack(shaped).astype(np.float32))
            told = self._reader.postprocess_op(
                likely, True, wh_ratio_list=ratios, max_wh_ratio=widest
            )
            for (text, mean), info, (_, quad) in zip(*told, batch, strict=True):
                if text.strip() and mean >= _LEAST_SURE_LINE:
                    yield _placed(text, info, tuple((float(x), float(y)) for x, y in quad))


@cache
def _rapidocr() -> _RapidOcr:
    return _RapidOcr()


def _is_tall(quad: Any) -> bool:
    return math.dist(quad[0], quad[3]) > _TALL * math.dist(quad[0], quad[1])


def _crop(pixels: Any, quad: Any) -> Any:
    """What is within four corners, as a level picture."""
    import cv2
    import numpy as np

    width = max(1, int(max(math.dist(quad[0], quad[1]), math.dist(quad[2], quad[3]))))
    height = max(1, int(max(math.dist(quad[0], quad[3]), math.dist(quad[1], quad[2]))))
    level = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    turned = cv2.getPerspectiveTransform(quad.astype(np.float32), level)
    return cv2.warpPerspective(
        pixels, turned, (width, height), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_CUBIC
    )


def _placed(text: str, info: Any, corners: tuple[tuple[float, float], ...]) -> ScannedLine:
    """The characters of a line, each around the middle that the model tells of it."""
    columns = [column for word in info.word_cols for column in word]
    half = median([b - a for a, b in pairwise(columns)] or [1]) / 2
    middles = iter(columns)
    boxes, sure = [], []
    for char, value in zip(text, info.confs, strict=True):
        middle = 0 if char.isspace() else next(middles) + 0.5
        shares = [min(1.0, max(0.0, (middle + by) / info.line_txt_len)) for by in (-half, half)]
        points = [
            (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
            for a, b in (corners[:2], corners[:1:-1])
            for share in shares
        ]
        xs, ys = zip(*points, strict=True)
        boxes.append((min(xs), min(ys), max(xs), max(ys)))
        sure.append(1.0 if char.isspace() else value)
    return ScannedLine(text, sure, boxes, corners)


class _Laid(NamedTuple):
    """A line with its box on the page when that is turned so that most lines are level."""

    line: ScannedLine
    left: float
    top: float
    right: float
    bottom: float


def rows_of(lines: Sequence[ScannedLine]) -> list[list[ScannedLine]]:
    """The lines in reading order, those side by side as one row; an empty row parts paragraphs."""
    if not lines:
        return []
    laid = _level(lines)
    height = median(one.bottom - one.top for one in laid)
    laid.sort(key=lambda one: (one.top + one.bottom, one.left))
    return [row for block in _blocks(laid, height) for row in _rows(block, height)]


def _level(lines: Sequence[ScannedLine]) -> list[_Laid]:
    slants = [
        math.atan2(b[1] - a[1], b[0] - a[0])
        for a, b, _, d in (line.corners for line in lines)
        if math.dist(a, b) > _LONG_LINE * math.dist(a, d)
    ]
    turn = cmath.rect(1, -median(slants or [0.0]))
    laid = []
    for line in lines:
        points = [complex(*corner) * turn for corner in line.corners]
        xs, ys = [point.real for point in points], [point.imag for point in points]
        laid.append(_Laid(line, min(xs), min(ys), max(xs), max(ys)))
    return laid


def _blocks(laid: Sequence[_Laid], height: float) -> Iterator[list[_Laid]]:
    """Stretches of lines that are read from top to bottom: columns one after the other."""
    plain: list[_Laid] = []
    at = 0
    while at < len(laid):
        end, gutter = _columns_at(laid, at, height)
        if end == at:
            plain.append(laid[at])
            at += 1
            continue
        if plain:
            yield plain
            plain = []
        for is_right in (False, True):
            yield from _blocks([o for o in laid[at:end] if (o.right > gutter) is is_right], height)
        at = end
    if plain:
        yield plain


def _columns_at(laid: Sequence[_Laid], at: int, height: float) -> tuple[int, float]:
    """Where columns that start with a line end, and an x between two; `at` if none start there."""
    free = {(-math.inf, math.inf)}
    found = at, 0.0
    for end, one in enumerate(laid[at:], at + 1):
        free = {
            (start, stop)
            for low, high in free
            for start, stop in ((low, min(high, one.left)), (max(low, one.right), high))
            if stop - start >= _GUTTER * height
        }
        gutters = sorted(
            (low + high) / 2 for low, high in free if -math.inf < low and high < math.inf
        )
        good = [x for x in gutters if _are_columns(laid[at:end], x, height)]
        if good:
            found = end, good[0]
        elif found[0] > at:
            break
    return found


def _are_columns(lines: Sequence[_Laid], gutter: float, height: float) -> bool:
    """Whether there is prose on both sides; the cells of a table are read row by row."""
    widths: tuple[list[float], list[float]] = [], []
    for one in lines:
        widths[one.right > gutter].append(one.right - one.left)
    return all(
        len(side) >= _LEAST_COLUMN_LINES and median(side) >= _LEAST_COLUMN_WIDTH * height
        for side in widths
    )


def _rows(block: Sequence[_Laid], height: float) -> Iterator[list[ScannedLine]]:
    rows: list[list[_Laid]] = []
    for one in block:
        last = rows[-1][0] if rows else one
        shared = min(last.bottom, one.bottom) - max(last.top, one.top)
        if rows and shared >= _SAME_ROW * min(last.bottom - last.top, one.bottom - one.top):
            rows[-1].append(one)
        else:
            rows.append([one])
    gaps = [below[0].top - above[0].bottom for above, below in pairwise(rows)]
    usual = median(gaps or [0.0])
    for row, gap in zip(rows, [usual, *gaps], strict=True):
        if gap > usual + _PARAGRAPH_GAP * height:
            yield []
        yield [one.line for one in sorted(row, key=attrgetter("left"))]
