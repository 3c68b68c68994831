"""Alterations of a sentence, one change each: all that can be made of a kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from veridical.validation import lexicon


class Altered(NamedTuple):
    """A sentence with one change: `text[start:end]` is what was put in (nothing, if left out)."""

    text: str
    start: int
    end: int


def put(text: str, start: int, end: int, new: str) -> Altered:
    """`text` with `new` in place of `text[start:end]`."""
    if not new:
        while start and text[start - 1] == " " and (end == len(text) or not text[end].isalnum()):
            start -= 1
        while end < len(text) and text[end] == " " and (not start or text[start - 1] == " "):
            end += 1
    return Altered(text[:start] + new + text[end:], start, start + len(new))


def _swaps(text: str, words: str, *, drop: bool = True) -> Iterator[Altered]:
    """Each of `words` that stands in the text replaced by the others, and left out."""
    listed = words.split()
    for found in re.finditer(
        r"(?<![\w'’])(?:" + "|".join(map(re.escape, listed)) + r")(?!\w)", text
    ):
        for other in listed:
            if other.casefold() != found.group().casefold():
                yield put(text, *found.span(), other)
        if drop:
            yield put(text, *found.span(), "")


def digits(text: str) -> Iterator[Altered]:
    """Numbers in digits: another digit, one more, one less, a moved or lost point, a sign."""
    for found in re.finditer(r"(?<![A-Za-z\d])\d+(?:[.,:/]\d+)*", text):
        start, end = found.span()
        number = found.group()
        plain = re.sub(r"\D", "", number)
        variants = {
            str((int(number[0]) % 9) + 1) + number[1:],
            number[:-1] + str((int(number[-1]) + 1) % 10),
            number + "0",
            number + "5",
            "1" + number,
            number[1:].lstrip(".,:/"),
            number[:-1].rstrip(".,:/"),
            "-" + number,
            number + ".5",
            number + "^2",
            number + "²",
            f"{number}–{int(plain) + 1}",
            f"1/{number}",
            f"{number[0]}.{number[1:] or 7}",
            number.replace(".", ","),
            number.replace(".", " "),
            number.replace(":", ""),
            number.replace("/", "-"),
            number.replace("/", ""),
            plain[::-1],
            number + " million",
            "~" + number,
            ">" + number,
            "",
        }
        if text[:start].endswith(("-", "–")):
            variants.discard("-" + number)
        if not re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", number):
            variants.add(number.replace(",", ""))
        yield from (put(text, start, end, new) for new in sorted(variants) if new != number)


def number_words(text: str) -> Iterator[Altered]:
    """Number words: another one, or left out."""
    yield from _swaps(
        text,
        "one two three four five six seven eight nine ten eleven twelve thirteen fifteen eighteen "
        "twenty thirty fifty sixty ninety hundred",
    )
    yield from _swaps(text, "first second third fourth", drop=False)
    yield from _swaps(text, "twice once thrice", drop=False)
    for found in re.finditer(r"\b(?:two|three|four|five|seven|nine|ten|twelve|thirty)\b", text):
        for other in ("twenty-{}", "{} hundred", "{} or six", "{} dozen", "half of {}", "{}teen"):
            yield put(text, *found.span(), other.format(found.group()))
    yield from _swaps(text, "half third quarter million billion")


def negations(text: str) -> Iterator[Altered]:
    """Negations put in, left out, or made of a prefix."""
    for found in re.finditer(
        r"\b(?:may|must|shall|can|is|are|was|were|has|had|have|will|does|did)\b(?! (?:not|never))",
        text,
    ):
        for word in ("not", "never", "no longer"):
            yield put(text, found.end(), found.end(), f" {word}")
        yield put(text, found.end(), found.end(), "n't")
        yield put(text, found.end(), found.end(), "n’t")
    for found in re.finditer(r" (?:not|never|neither|nor|without)\b|n['’]t\b", text):
        yield put(text, *found.span(), "")
    for found in re.finditer(r"\b(?:No|no|Nobody|Neither|cannot|unless|never|without|not)\b", text):
        for other in ("a", "all", "always", "can", "if", "with", "now"):
            yield put(text, *found.span(), other)
    opposites = re.compile(
        r"\b(un|in|ir|dis)(able|used|lawful|valid|correct|effective|admissible|revocable|honest"
        r"|satisfied)\b"
    )
    for found in opposites.finditer(text):
        yield put(text, *found.span(1), "")
    stems = (
        r"\b(refundable|signed|paid|approved|filed|legal|binding|complete|possible|safe|normal"
        r"|renewable|agree|effective|resident|sold|cover|covered|entitled|decided|free|dry|final"
        r"|considered|accepted|finished|published|changed|frozen|heard|seen|used)\b"
    )
    for found in re.finditer(stems, text):
        for prefix in ("un", "in", "im", "ir", "il", "dis", "non-", "non", "not-"):
            yield put(text, found.start(), found.start(), prefix)


def units(text: str) -> Iterator[Altered]:
    """Units, currencies and per cent signs."""
    groups = (
        ("days weeks months years hours minutes quarters decades nights", True),
        ("mg kg tonnes grams g lbs tons ounces µg", True),
        ("km m cm metres miles feet mm yards", False),
        ("litres gallons bar", True),
        ("dollars euros francs pounds USD EUR cents yen", True),
        ("am pm", True),
        ("day week month year hour quarter minute", False),
        ("rpm UTC characters", True),
    )
    for words, drop in groups:
        yield from _swaps(text, words, drop=False)
        if drop:
            for found in re.finditer(rf"(?<=\d) ?\b({'|'.join(words.split())})\b", text):
                yield put(text, *found.span(1), "")
    for found in re.finditer(r"[$£€¥](?=\d)", text):
        yield from (
            put(text, *found.span(), sign)
            for sign in ("$", "£", "€", "¥", "₹", "₩", "₽", "CHF ", "")
        )
    for found in re.finditer(r"(?<=\d)%", text):
        yield from (
            put(text, *found.span(), sign) for sign in ("", "‰", " points", "°", " pts", " kg")
        )
    for found in re.finditer(r"°[CF]", text):
        yield from (put(text, *found.span(), unit) for unit in ("°C", "°F", "K", "C", "%", ""))


_MONTHS = "January February March April May June July August September October November December"
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"


def _numeric_dates(text: str) -> Iterator[Altered]:
    for found in re.finditer(r"\b(\d\d)/(\d\d)/(\d{4})|\b(\d{4})-(\d\d)-(\d\d)", text):
        one, two, three = [part for part in found.groups() if part]
        mark = "/" if "/" in found.group() else "-"
        for parts in ((two, one, three), (one, three, two), (three, two, one), (one, two)):
            yield put(text, *found.span(), mark.join(parts))


def dates(text: str) -> Iterator[Altered]:
    """Months, weekdays, years, and the order in numeric dates."""
    yield from _swaps(text, _MONTHS)
    yield from _swaps(text, _DAYS)
    for found in re.finditer(rf"({'|'.join(_DAYS.split())})s\b", text):
        for other in _DAYS.split():
            yield put(text, *found.span(1), other)
    for found in re.finditer(r"\b(1[89]|20)\d\d\b(?![.,]\d)", text):
        year = int(found.group())
        for other in (year + 1, year - 1, year + 10, year - 10, year - 100, year % 100):
            yield put(text, *found.span(), str(other))
    yield from _numeric_dates(text)
    for found in re.finditer(rf"\b({'|'.join(_MONTHS.split())})\b", text):
        for other in ("Jan", "Mar", "Sept", "Dec", "Easter", "spring", "Q3", "Advent"):
            if not found.group().startswith(other):
                yield put(text, *found.span(), other)
    for found in re.finditer(rf"\b(\d\d?) ({'|'.join(_MONTHS.split())})\b", text):
        for day in (
            int(found[1]) + 1,
            int(found[1]) + 10,
            max(1, int(found[1]) - 1),
            int(found[1]) + 7,
        ):
            if day != int(found[1]):
                yield put(text, *found.span(1), str(day))


NAMES = (
    "Maria Lopez Peter Brandt Geneva Vienna Okafor Lyon Helen Ito Northern Aldridge Tamar Ruth "
    "Adeyemi Oslo Kenya Uganda Tanzania Tanaka Weiss Ghent Leeds Quebec Elena Petrova Bergen Hull "
    "Anna Kowalska Harlow Patel Andes Omar Haddad Cairo Rotterdam Ohio"
)
_OTHERS = ("Karin", "Sofia", "Marie", "Petra", "Brand", "Genoa", "Ottawa", "Kent", "Ann")


def names(text: str) -> Iterator[Altered]:
    """Proper names: another one, one letter off, in lower case, left out, or put in."""
    for found in re.finditer(rf"\b(?:{'|'.join(NAMES.split())})\b", text):
        name = found.group()
        near = (name[:-1], name + "s", name + "a", name[0] + name[2:], name[:2] + "x" + name[3:])
        for other in (*_OTHERS, *near, name[:-2] + name[-1] + name[-2], "", "Emma " + name):
            if other.casefold() != name.casefold():
                yield put(text, *found.span(), other)


def opposites(text: str) -> Iterator[Altered]:
    """Words for their opposites, each way: less for more."""
    for found in re.finditer(r"[A-Za-z]+", text):
        for other in sorted(lexicon.opposites_of(found.group().casefold())):
            yield put(text, *found.span(), _cased(other, found.group()))


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[0].isupper() else word


KINDS: dict[str, Callable[[str], Iterator[Altered]]] = {
    "number in digits": digits,
    "number word": number_words,
    "negation": negations,
    "unit": units,
    "date": dates,
    "name": names,
}
