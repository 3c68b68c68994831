"""`python -m benchmarks.scans`: how well quotes are found on pages that are pictures.

Pages of the example PDFs are drawn, made worse, read back by text recognition, and quotes from
their own text, verbatim and altered, are checked against what was read.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter

from veridical.sources.document import Document
from veridical.sources.loader import load_document, load_document_bytes
from veridical.validation.claims import Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.results import Status
from veridical.validation.validator import Validator

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PDFS = ("sources/expense-handbook.pdf", "policies/benefits-guide.pdf")
SEED = 7
_SENTENCE = re.compile(r"(?<=[.!?] )[A-Z][^.!?|]{40,180}[.!?](?= )")


def _noisy(image: Image.Image) -> Image.Image:
    noise = np.random.default_rng(SEED).normal(0, 25, (image.height, image.width, 1))
    return Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8))


def _as_jpeg(image: Image.Image) -> Image.Image:
    with io.BytesIO() as file:
        image.save(file, "JPEG", quality=30)
        return Image.open(io.BytesIO(file.getvalue())).convert("RGB")


def _rotated(degrees: float) -> Callable[[Image.Image], Image.Image]:
    return lambda image: image.rotate(degrees, Image.Resampling.BICUBIC, True, fillcolor="white")


WAYS: dict[str, tuple[int, Callable[[Image.Image], Image.Image]]] = {
    **{f"{dpi} dpi": (dpi, lambda image: image) for dpi in (300, 200, 150, 100)},
    "200 dpi, blurred": (200, lambda image: image.filter(ImageFilter.GaussianBlur(1.5))),
    "200 dpi, noise": (200, _noisy),
    "200 dpi, 2 degrees askew": (200, _rotated(2)),
    "200 dpi, JPEG quality 30": (200, _as_jpeg),
    "200 dpi, low contrast": (200, lambda image: image.point(lambda value: 130 + value // 4)),
    "200 dpi, on its side": (200, _rotated(90)),
    "100 dpi, blurred, noise, JPEG": (
        100,
        lambda image: _as_jpeg(_noisy(image.filter(ImageFilter.GaussianBlur(0.5)))),
    ),
}


def quotes(document: Document) -> list[str]:
    """Sentences of a document, each once, as a person would copy them."""
    flat = re.sub(r"-\n(?=[a-z])", "", document.text)
    return sorted(set(_SENTENCE.findall(" ".join(flat.split()))))


def altered(quote: str, words: list[str], chance: random.Random) -> Iterator[str]:
    """The quote with another digit, with `not` put in, and with a word of the document instead."""
    digits = [at for at, char in enumerate(quote) if char.isdigit()]
    if digits:
        at = chance.choice(digits)
        yield f"{quote[:at]}{(int(quote[at]) + chance.randint(1, 9)) % 10}{quote[at + 1 :]}"
    parts = quote.split()
    at = chance.randrange(1, len(parts) - 1)
    yield " ".join([*parts[:at], "not", *parts[at:]])
    other = chance.choice([word for word in words if word.casefold() != parts[at].casefold()])
    yield " ".join([*parts[:at], other, *parts[at + 1 :]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=4, help="pages of each PDF")
    parser.add_argument("--way", action="append", choices=WAYS, help="one of the ways; repeatable")
    asked = parser.parse_args()
    print("page | quotes | VALIDATED | LOW_CONFIDENCE | else | altered, passed | seconds a page")
    for way in asked.way or WAYS:
        dpi, worse = WAYS[way]
        counts: Counter[str] = Counter()
        seconds, pages = 0.0, 0
        for path in PDFS:
            original = load_document(EXAMPLES / path)
            with pypdfium2.PdfDocument(EXAMPLES / path) as pdf:
                count = min(asked.pages + 2, len(pdf))
                drawn = [
                    worse(pdf[n].render(scale=dpi / 72).to_pil().convert("RGB"))
                    for n in range(2, count)
                ]
            with io.BytesIO() as file:
                drawn[0].save(file, "PDF", save_all=True, append_images=drawn[1:], resolution=dpi)
                data = file.getvalue()
            started = time.perf_counter()
            read = load_document_bytes(data, "scan.pdf")
            seconds, pages = seconds + time.perf_counter() - started, pages + len(drawn)
            first, last = original.pages[2].span, original.pages[count - 1].span
            part = Document("part", original.text[first.start : last.end])
            chance, words = random.Random(SEED), part.text.split()
            validator = Validator([read], ValidationConfig())
            for quote in quotes(part):
                status = validator.validate([Claim(id="q", quote=quote)]).results[0].status
                counts[status] += 1
                for wrong in altered(quote, words, chance):
                    result = validator.validate([Claim(id="a", quote=wrong)]).results[0]
                    counts["altered"] += 1
                    counts["passed"] += result.passed
        total = sum(counts[status] for status in Status)
        good, doubted = counts[Status.VALIDATED], counts[Status.LOW_CONFIDENCE]
        print(
            f"{way} | {total} | {good / total:.1%} | {doubted / total:.1%} | "
            f"{(total - good - doubted) / total:.1%} | {counts['passed']} of {counts['altered']} | "
            f"{seconds / pages:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
