"""Variants of a quote that two honest copies of it can have."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

DASHES = ("-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212")


def parts(sentence: str, rng: random.Random, count: int) -> Iterator[str]:
    """The sentence, and up to `count` stretches of at least four of its words."""
    yield sentence
    begins = [0] + [found.end() for found in re.finditer(r"\s+", sentence)]
    ends = [found.start() for found in re.finditer(r"\s+", sentence)] + [len(sentence)]
    for _ in range(count):
        first = rng.randrange(max(1, len(begins) - 4))
        last = rng.randrange(min(first + 3, len(ends) - 1), len(ends))
        yield sentence[begins[first] : ends[last]].rstrip(" ,;–—-(")


def case(text: str, rng: random.Random) -> Iterator[str]:
    """Capitals and small letters."""
    yield text.upper()
    yield text.lower()
    yield text[:1].swapcase() + text[1:]


def dashes(text: str, rng: random.Random) -> Iterator[str]:
    """Another dash of the same kind: the hyphen of a word, or the dash of a clause."""
    pattern = r"(?<= )[–—-](?= )|(?<=\w)[–—-](?=\w)|(?<= )[-–](?=\d)"
    if re.search(pattern, text):
        for dash in DASHES:
            yield re.sub(pattern, dash, text)
        yield re.sub(pattern, lambda _: rng.choice(DASHES), text)


def quotation_marks(text: str, rng: random.Random) -> Iterator[str]:
    """Straight or curly quotation marks and apostrophes, or those of another language."""
    yield re.sub(r"['’‘]", "'", text).replace("“", '"').replace("”", '"')
    yield text.replace("'", "’").replace("‘", "’")
    yield re.sub(r'(?<!\w)["“]', "“", re.sub(r'["”](?!\w)', "”", text))
    yield re.sub(r'(?<!\w)["“]', "«", re.sub(r'["”](?!\w)', "»", text))
    yield re.sub(r'(?<!\w)["“]', "„", re.sub(r'["”](?!\w)', "“", text))
    yield re.sub(r"(?<=\w)['’](?=\w)", "ʼ", text)
    yield re.sub('["“”]', "", text)
    yield f"“{text}”"
    yield f'"{text}"'


def spacing(text: str, rng: random.Random) -> Iterator[str]:
    """More white space, or other."""
    for space in ("  ", "\n", "\t", "\u00a0", "\u2009", "\u202f", " \r\n ", "\u3000"):
        yield re.sub(" ", space, text)
    yield re.sub(" ", lambda _: rng.choice((" ", "  ", "\n", "\t")), text)
    yield f"  {text} "


def oxford_comma(text: str, rng: random.Random) -> Iterator[str]:
    """The comma before the last of a list, put in or left out."""
    listed = r"(?<=\w, )((?:[\w'’]+ ){0,3}[\w'’]+)(,?) (?=(?:and|or) )"
    for found in re.finditer(listed, text):
        comma = "" if found[2] else ","
        yield text[: found.end(1)] + comma + text[found.end(2) :]


KINDS: dict[str, Callable[[str, random.Random], Iterator[str]]] = {
    "case": case,
    "dash": dashes,
    "quotation mark": quotation_marks,
    "spacing": spacing,
    "oxford comma": oxford_comma,
}
