"""Do two texts of the same tokens say the same?

The tokens of speech forget all punctuation, so that "3.5" is "35" and "we're" is "were". Here what
they forget is compared. Punctuation that carries no value may differ; everything else must be the
same: signs, units, currencies, and whatever stands in or at a number.
"""

from __future__ import annotations

import re
import unicodedata

from veridical.text.tokens import INVISIBLE, word_key

_HARMLESS = frozenset(".,;:!?\"'()[]{}*_-—«»¿¡·•、。「」『』・")
_OPENING = "\"'([{«¿¡*_"
_NOTES = "♪♫♬♩©®™"
_EDGES = '.,;:!?"…“”'
_UNITS = "%‰°′″٪％"

_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc\u00b4`\u201b", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"),
        "\u2015": "\u2014",
        **dict.fromkeys(INVISIBLE + _NOTES, None),
    }
)
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_SHORT_FORM = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)+")
_RUN = re.compile(r"(?:[^\W_]|[\u0300-\u036f])+|\s+|(?:[^\w\s]|_)+")


def same_values(quote: str, said: str) -> bool:
    """Whether a quote changes nothing that its tokens do not show."""
    return _as_copied(quote) == _as_copied(said) or _values(quote) == _values(said)


def is_unit(character: str) -> bool:
    """Whether a sign makes another value of the number next to it, also over a space."""
    return character in _UNITS or unicodedata.category(character) in ("Sc", "Sm")


def _as_copied(text: str) -> str:
    """A text but for case, white space and punctuation at its ends.

    Most quotes differ in no more, and need not be taken apart.
    """
    plain = " ".join(text.lower().split()).strip(_EDGES)
    return plain if not plain[-1:].isdigit() else " ".join(text.lower().split()).lstrip(_EDGES)


def _values(text: str) -> str:
    """The text run together, with only such punctuation as can carry a value.

    Run together, because the contract takes "well-known" and "wellknown" for the same word.
    """
    plain = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY)).lower()
    plain = _GROUPED.sub(lambda found: found[0].replace(",", ""), plain)
    plain = _SHORT_FORM.sub(lambda found: word_key(found[0]), plain)
    runs = _RUN.findall(plain)
    kept: list[str] = []
    for index, run in enumerate(runs):
        if run.isspace():
            continue
        if run[0].isalnum():
            kept.append(run)
            continue
        before = runs[index - 1] if index else " "
        after = runs[index + 1] if index + 1 < len(runs) else " "
        next_run = runs[index + 2] if index + 2 < len(runs) else " "
        kept.append(_of_value(run, before, after, next_run))
    return "".join(kept).strip("&@")


def _of_value(run: str, before: str, after: str, next_run: str) -> str:
    """What a run of signs between two other runs has to do with a value."""
    if before[-1].isdigit() and after[0].isdigit():
        return run
    if not _HARMLESS.issuperset(run):
        run = run.lstrip(_OPENING) if before.isspace() else run
        return run.rstrip("".join(_HARMLESS)) if after.isspace() else run
    if after[0].isdigit():
        if before.isspace():
            return "".join(sign for sign in run if sign in ".,-")
        return "-" if "-" in run else ""
    if before[-1].isdigit() and after[0].isalpha():
        return "-" if "-" in run else ""
    if before[-1].isalpha() and after[0].isalpha():
        return "".join(sign for sign in run if sign in "'\u2014")
    if before[-1].isdigit():
        return "".join(sign for sign in run if sign in "'\"")  # feet and inches, minutes, seconds
    is_minus = before.isspace() and (next_run[0].isdigit() or is_unit(next_run[0]))
    is_grade = len(before) == 1 and before.isalpha()
    return run if run == "-" and after.isspace() and (is_minus or is_grade) else ""
