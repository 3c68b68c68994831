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
from itertools import groupby, pairwise
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from veridical.errors import DocumentParsingError
from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits, UnreadPages
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
_MODELS = "PP-OCRv6_det_small", "PP-OCRv6_rec_small", "ch_ppocr_mobile_v2.0_cls_mobile"
_TALL = 1.5
_LONG_LINE = 5
_LEAST_COLUMN_LINES = 3
_LEAST_COLUMN_WIDTH = 8
_SAME_ROW = 0.5
_PARAGRAPH_GAP = 0.6
"""The last five in heights of a line."""

Pages = Mapping[str, Any] | None
Found = tuple[TracedPage, list[tuple[int, int, int]]]
"""A page with the place of each character, and its unsure words: line, start and end."""


def can_recognise(limits: SourceLimits = DEFAULT_LIMITS) -> bool:
    """Whether a recogniser is installed and may be used."""
    return limits.max_ocr_pages > 0 and find_spec("rapidocr") is not None


def recognise_pages(
    data: bytes, name: str, *, pages: Sequence[int], limits: SourceLimits = DEFAULT_LIMITS
) -> dict[str, Any]:
    """Pages of a PDF or an image, from 1, as the fields of `PageText`."""
    import pypdfium2

    found = {}
    for page in pages:
        if image_kind(data):
            traced, unsure = _traced(_frame(data, name, page, limits), 1.0, 0)
        else:
            with closing(pypdfium2.PdfDocument(data)) as pdf:
                traced, unsure = trace_scanned(pdf[page - 1])
        found[str(page)] = {"text": traced.text, "unsure": unsure, "recognised": True}
    return found


def read_image(
    data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS, recognised: Pages = None
) -> Document:
    """The words in an image; an image in several parts (TIFF) has as many pages.

    Raises UnreadPages where `recognised` is not given; DocumentParsingError where there are
    no words or no recogniser, or the image is broken.
    """
    from veridical.sources.pdf import document_of_pages

    if not can_recognise(limits):
        raise _error(name, f"this is an image. {INSTALL_OCR} Or give its text")
    with _opened(data, name) as image:
        pages = range(1, min(getattr(image, "n_frames", 1), limits.max_pages) + 1)
    if recognised is None:
        raise UnreadPages(*pages)
    readings = [PageText(**recognised[str(page)]) for page in pages]
    return document_of_pages(readings, [], name, Format.IMAGE, len(data))


def trace_scanned(page: Any) -> Found:
    """A `pypdfium2.PdfPage` without text, recognised."""
    scale = _LONGEST_SIDE / max(*page.get_size(), 1.0)
    drawn = page.render(scale=scale, draw_annots=False).to_pil()
    return _traced(drawn, scale, page.get_rotation())


@contextmanager
def _opened(data: bytes, name: str) -> Iterator[Any]:
    """The image, not decoded yet; whatever is done with it, one that is broken is told of."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # `SourceLimits.max_ocr_pixels` is looked at before decoding
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "TIFF", "WEBP")) as image:
            yield image
    except (DocumentParsingError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - Pillow has no one error for what is broken
        raise _error(name, "this image is damaged or cut short. Save it again") from None


def _error(name: str, reason: str) -> DocumentParsingError:
    return DocumentParsingError(f"{name}: {reason}.", Format.IMAGE.value)


def _frame(data: bytes, name: str, page: int, limits: SourceLimits) -> Any:
    """One picture of an image, turned as the camera told that it was held."""
    from PIL import ImageOps

    with _opened(data, name) as image:
        image.seek(page - 1)
        width, height = image.size
        if width * height > limits.max_ocr_pixels:
            told = f"{width:,} x {height:,} pixels are over the limit of {limits.max_ocr_pixels:,}"
            raise _error(name, f"{told} for an image. Shrink it")
        image.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
        return ImageOps.exif_transpose(image)


def _traced(image: Any, scale: float, rotation: int) -> Found:
    """What a `PIL.Image` says, in reading order; places are in its pixels divided by `scale`."""
    import numpy as np
    from PIL import Image

    width, height = (round(side / scale, 2) for side in image.size)
    image, before = image.convert("RGBA"), image.width
    image.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE), reducing_gap=3.0)
    scale *= image.width / before
    # On white, where it can be seen through, and no strip: that would be enlarged out of measure.
    least = max(image.size) // 4
    page = Image.new("RGBA", (max(image.width, least), max(image.height, least)), "white")
    page.alpha_composite(image)
    lines, turns = _rapidocr().read(np.asarray(page.convert("RGB"))[:, :, ::-1])
    across, up = page.size[::-1] if turns % 2 else page.size
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
    """How sure each character is, and where it and the corners are, from the upper left one on."""

    text: str
    sure: list[float]
    boxes: list[Box]
    corners: tuple[tuple[float, float], ...]


class _RapidOcr:
    """The models of RapidOCR, called one by one: the package's own call gives each word the
    sureness of another, and may fetch a font.
    """

    def __init__(self) -> None:
        import rapidocr
        from rapidocr.ch_ppocr_cls import TextClassifier
        from rapidocr.ch_ppocr_det import TextDetector
        from rapidocr.ch_ppocr_rec import TextRecognizer
        from rapidocr.utils.parse_parameters import ParseParams
        from rapidocr.utils.process_img import get_rotate_crop_image

        folder = Path(rapidocr.__file__).parent
        config = ParseParams.load(folder / "config.yaml")
        engine = config.EngineConfig.onnxruntime
        engine.intra_op_num_threads = engine.inter_op_num_threads = 1
        for part, model in zip((config.Det, config.Rec, config.Cls), _MODELS, strict=True):
            part.model_path = str(folder / "models" / f"{model}.onnx")  # so that none is fetched
            part.engine_cfg = engine
        self._cut_out = get_rotate_crop_image
        self._detector: Any = TextDetector(config.Det)
        self._reader: Any = TextRecognizer(config.Rec)
        self._turner: Any = TextClassifier(config.Cls)

    def read(self, pixels: Any) -> tuple[list[ScannedLine], int]:
        """The lines of a picture, and by how many quarters, anticlockwise, it was turned."""
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
        longest = sorted(quads, key=lambda quad: -math.dist(quad[0], quad[1]))[:6]
        crops = [self._crop(pixels.copy(), quad) for quad in longest]
        # Of a long line only the start: the model squeezes what it gets to the same width.
        starts = [crop[:, : 6 * crop.shape[0]] for crop in crops]
        told = self._turner(starts).cls_res if starts else []
        return bool(2 * sum(label == "180" for label, _ in told) > len(told))

    def _read(self, pixels: Any, quads: Sequence[Any]) -> Iterator[ScannedLine]:
        """What the lines say, those that say something."""
        import numpy as np

        usual = median(math.dist(quad[0], quad[3]) for quad in quads) if quads else 0.0
        for quad in quads:
            # What is tall is a line along the side, but for a single letter or digit.
            if _is_tall(quad) and math.dist(quad[0], quad[3]) > _TALL * usual:
                continue
            crop = self._crop(pixels, quad)
            ratio = crop.shape[1] / crop.shape[0]
            widest = max(320 / 48, ratio)
            shaped = self._reader.resize_norm_img(crop, widest)[np.newaxis].astype(np.float32)
            [(text, mean)], [info] = self._reader.postprocess_op(
                self._reader.session(shaped), True, wh_ratio_list=[ratio], max_wh_ratio=widest
            )
            if text.strip() and mean >= _LEAST_SURE_LINE:
                yield _placed(text, info, tuple((float(x), float(y)) for x, y in quad))

    def _crop(self, pixels: Any, quad: Any) -> Any:
        """What is within four corners; the package lays down what is tall."""
        crop = self._cut_out(pixels, quad.copy())
        is_laid = crop.shape[0] < crop.shape[1] and _is_tall(quad)
        return crop.swapaxes(0, 1)[:, ::-1] if is_laid else crop


@cache
def _rapidocr() -> _RapidOcr:
    return _RapidOcr()


def _is_tall(quad: Any) -> bool:
    return math.dist(quad[0], quad[3]) > _TALL * math.dist(quad[0], quad[1])


def _placed(text: str, info: Any, corners: tuple[tuple[float, float], ...]) -> ScannedLine:
    """The characters of a line, each around the middle that the model tells of it."""
    columns = [column for word in info.word_cols for column in word]
    half = median([b - a for a, b in pairwise(columns)] or [1]) / 2
    middles = iter(columns)
    boxes, sure = [], []
    for char, value in zip(text, info.confs, strict=True):
        middle = 0 if char.isspace() else next(middles) + 0.5
        shares = [min(1.0, max(0.0, (middle + by) / info.line_txt_len)) for by in (-half, half)]
        ends = [(a, b, share) for a, b in (corners[:2], corners[:1:-1]) for share in shares]
        xs, ys = ([a[k] + share * (b[k] - a[k]) for a, b, share in ends] for k in (0, 1))
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


def _blocks(laid: Sequence[_Laid], height: float) -> Iterator[Sequence[_Laid]]:
    """Stretches of lines that are read from top to bottom: columns one after the other."""
    edges = sorted({one.right + height / 2 for one in laid})
    found = [columns for x in edges for columns in _columns(laid, x, height)]
    if not found:
        yield laid
        return
    start, end, x = max(found, key=lambda columns: columns[1] - columns[0])
    run = laid[start:end]
    sides = [one for one in run if one.right < x], [one for one in run if one.right >= x]
    for part in (laid[:start], *sides, laid[end:]):
        yield from _blocks(part, height) if part else ()


def _columns(laid: Sequence[_Laid], x: float, height: float) -> Iterator[tuple[int, int, float]]:
    """Where lines start and end that leave a gutter at x, with prose on both sides of it: the cells
    of a table are read row by row.
    """
    free = [max(x - one.right, one.left - x) >= height / 2 for one in laid]
    for is_free, run in groupby(range(len(laid)), free.__getitem__):
        lines = list(run)
        sides: tuple[list[float], list[float]] = [], []
        for one in laid[lines[0] : lines[-1] + 1]:
            sides[one.right > x].append(one.right - one.left)
        if is_free and all(
            len(side) >= _LEAST_COLUMN_LINES and median(side) >= _LEAST_COLUMN_WIDTH * height
            for side in sides
        ):
            yield lines[0], lines[-1] + 1, x


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
