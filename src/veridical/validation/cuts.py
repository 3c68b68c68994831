"""Changes that no word shows: a place that begins or ends inside a word, so that the cut makes
another word or number of it, and other signs around the same words.

"5 days" stands, letter for letter, in "15 days", and "able to cancel" in "unable to cancel". The
search is right to find them, and a reader would be wrong to believe them. "You may. Not all do." is
not "You may not all do.", 5 mW are not 5 MW, and 5' are not 5".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from veridical.text.lexicon import any_of
from veridical.text.tokens import Token, TokenKind, is_word_character, prepare
from veridical.validation import lexicon
from veridical.validation.differences import Alteration, AlterationKind

_CURRENCY = "$\u00a2-\u00a5\u20a0-\u20cf"
_RAISED = "\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209c\u2150-\u215f"
_GAP = "[ \u00a0\u2009\u202f]"
_JOINTS = r".,:/'\u2019_^*\u00b7\u00d7\u2044-"
"""What stands between two digits of one number, date, time, range or product."""

_DIGIT_BEFORE = re.compile(rf"(?:[^\W_]+[{_JOINTS}])*[^\W_]*[\d{_RAISED}][{_JOINTS}]{{0,2}}\Z")
_DIGIT_AFTER = re.compile(
    rf"^[{_JOINTS}]{{0,2}}[\d{_RAISED}][^\W_]*(?:[{_JOINTS}]\d[^\W_]*)*|^{_GAP}\d{{1,3}}[/\u2044]\d{{1,3}}(?![/\u2044\d])"
)
_POINT_BEFORE = re.compile(r"(?<![\w.)])\.\Z")
_SIGN_BEFORE = re.compile(
    rf"(?:(?<![^\W_])[-+]|[{_CURRENCY}]{_GAP}?"
    rf"|(?<![\n>-])[~<>\u00b1\u221a\u2248\u2264\u2265]{_GAP}?)$"
)
_GROUP_BEFORE = re.compile(rf"(?<![\w.,])\d{{1,3}}(?:{_GAP}\d{{3}})*{_GAP}\Z")
_GROUP = re.compile(r"^\d{3}(?!\d)")
_ENDS_IN_GROUP = re.compile(rf"(?<![\w.,])\d{{1,3}}(?:{_GAP}\d{{3}})*\Z")
_GROUP_AFTER = re.compile(rf"^{_GAP}\d{{3}}(?!\d)")
_SIGN_AFTER = re.compile(rf"^{_GAP}?[%\u2030\u00b0{_CURRENCY}](?!{_GAP}?\d)|^{_GAP}?[{_RAISED}]")
_HAN_NUMERALS = frozenset(
    "\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343"
    "\u4e07\u842c\u4ebf\u5104\u5146\u4e24\u5169"
)

_LETTERS_BEFORE = re.compile(r"[^\W\d_]*\Z")
_LETTERS_AFTER = re.compile(r"^[^\W\d_]*")
_CONTRACTION = re.compile(r"^[^\W\d_]*(?:['\u2019\u02bc][^\W\d_]+)?")
_PREFIX_AND_HYPHEN = re.compile(r"(?<![^\W_])([^\W\d_]+)-\s*\Z")
_WITHOUT = re.compile(r"^-(?:free|less)\b", re.IGNORECASE)
_BREAK_BEFORE = re.compile(r"(?<=[^\W\d_])-[ \t\r\f]*\n[ \t]*\Z")
_BREAK_AFTER = re.compile(r"^-[ \t\r\f]*\n[ \t]*(?=[^\W\d_])")
_LAST_WORD = re.compile(r"([^\W_]+)(?:-|\s+|\s+and\s+)?\Z", re.IGNORECASE)
_FIRST_WORD = re.compile(r"^(?:-|\s+|\s+and\s+)?([^\W_]+)", re.IGNORECASE)
_MEASURE = re.compile(r"\d\s?[^\W\d_]{1,4}\Z")
_EXPONENT = re.compile(r"^(?:\^-?\d|[\u00b2\u00b3])")
_SIGN_AT_END = re.compile(rf"[{_CURRENCY}]\Z")
_LATER_PARTS = lexicon.ONES | lexicon.MAGNITUDES | lexicon.CARDINALS
_DEGREE = "\u00b0"
_NUMBER_KEPT_FIRST = re.compile(r"^[\w.,]*")
_NUMBER_KEPT_LAST = re.compile(r"[\d.,:]*\Z")
_EDGE = 64
"""Characters at either edge that are looked at."""

_SENTENCE_END = ".!?:\u2026\n"
_SHORTEST_STEM = 3
_SHORTEST_NAME = 2


def cut_alterations(quoted: str, source: str, before: str, after: str) -> tuple[Alteration, ...]:
    """What cutting the source at the edges of `source` changed, for a quote that stands there.

    `before` and `after` are what a reader sees next to `source`. A cut that leaves the beginning or
    end of the same word is no alteration; one that leaves another number, drops a negation or makes
    a name is.
    """
    found: list[Alteration | None] = []
    before = _BREAK_BEFORE.sub("", prepare(before))
    after = _BREAK_AFTER.sub("", prepare(after))
    if before and (head := prepare(source[:_EDGE]).lstrip("^")):
        found.append(_number_before(head, before) or _word_before(quoted, head, before))
    if after and (tail := prepare(source[-_EDGE:])):
        found.append(_number_after(tail, after) or _word_after(quoted, tail, after))
    return tuple(alteration for alteration in found if alteration)


def _number_before(source: str, before: str) -> Alteration | None:
    """The number, its sign or its currency that the first number of `source` was cut from."""
    if _splits_han_number(before[-1], source[0]):
        return Alteration(AlterationKind.NUMBER, source[0], before[-1] + source[0])
    if not source[0].isnumeric():
        return _number_word_cut(before, source, at_start=True)
    if source[0] not in _HAN_NUMERALS:
        patterns = [_DIGIT_BEFORE, _POINT_BEFORE, _SIGN_BEFORE]
        if _GROUP.match(source):
            patterns.append(_GROUP_BEFORE)
        head = next((h for p in patterns if (h := _match(p, before))), "")
        if not head and is_word_character(before[-1]):
            head = _match(_LETTERS_BEFORE, before)
        if head:
            kept = _match(_NUMBER_KEPT_FIRST, source)
            return Alteration(AlterationKind.NUMBER, kept, head + kept)
    return None


def _number_after(source: str, after: str) -> Alteration | None:
    """What belongs to the last number of `source` and was cut from its end."""
    if _splits_han_number(source[-1], after[0]):
        return Alteration(AlterationKind.NUMBER, source[-1], source[-1] + after[0])
    if not source[-1].isnumeric():
        if _SIGN_AT_END.search(source) and after[0].isdigit():
            return Alteration(AlterationKind.NUMBER, source[-1], source[-1] + after[0])
        if _EXPONENT.match(after) and _MEASURE.search(source):
            kept = _match(_LETTERS_BEFORE, source)
            return Alteration(AlterationKind.NUMBER, kept, kept + _match(_DIGIT_AFTER, after))
        return _number_word_cut(source, after, at_start=False)
    patterns = [_DIGIT_AFTER, _SIGN_AFTER]
    if _ENDS_IN_GROUP.search(source):
        patterns.append(_GROUP_AFTER)
    rest = next((r for p in patterns if (r := _match(p, after))), "")
    if not rest and is_word_character(after[0]):
        rest = _match(_LETTERS_AFTER, after)
    if rest:
        kept = _match(_NUMBER_KEPT_LAST, source)
        return Alteration(AlterationKind.NUMBER, kept, kept + rest)
    return _number_word_cut(source, after, at_start=False)


def _splits_han_number(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one number written in Chinese numerals."""
    return (left in _HAN_NUMERALS and (right in _HAN_NUMERALS or right.isdigit())) or (
        left.isdigit() and right in _HAN_NUMERALS
    )


def _number_word_cut(left: str, right: str, *, at_start: bool) -> Alteration | None:
    """The number that was cut in two between its words: "twenty-five", "two hundred"."""
    other = _FIRST_WORD.match(right)
    if other is None or (left[-1:].isalnum() and right[:1].isalnum()):
        return None
    second = other[1].casefold()
    if not (second in _LATER_PARTS or second.isdecimal()):  # so the search below is spared
        return None
    one = _LAST_WORD.search(left)
    if one is None:
        return None
    first = one[1].casefold()
    if not (
        (first in lexicon.TENS and second in lexicon.ONES)
        or (second in lexicon.MAGNITUDES and (first.isdecimal() or first in lexicon.CARDINALS))
        or (first in lexicon.MAGNITUDES and (second.isdecimal() or second in lexicon.CARDINALS))
    ):
        return None
    return Alteration(
        AlterationKind.NUMBER, other[1] if at_start else one[1], f"{one[1]} {other[1]}"
    )


def _word_before(quoted: str, source: str, before: str) -> Alteration | None:
    """The word of whose end `source` begins with, where that end says something else."""
    if not source[0].isalpha():
        return None
    kept = _match(_LETTERS_AFTER, source)
    prefixed = _PREFIX_AND_HYPHEN.search(before)
    if prefixed and prefixed[1].casefold() in lexicon.DENYING_BEFORE_HYPHEN:
        return Alteration(AlterationKind.NEGATION, kept, f"{prefixed[1]}-{kept}")
    if before[-1] == _DEGREE and kept.casefold() in lexicon.UNITS:
        return Alteration(AlterationKind.UNIT, kept, _DEGREE + kept)
    if not is_word_character(before[-1]) or not is_word_character(source[0]):
        return None
    head = _match(_LETTERS_BEFORE, before)
    if {kept.casefold(), (head + kept).casefold()} <= lexicon.UNITS:
        return Alteration(AlterationKind.UNIT, kept, head + kept)
    whole = (head + kept).casefold()
    if whole in lexicon.NEGATIONS or _denies(head.casefold(), kept.casefold()):
        return Alteration(AlterationKind.NEGATION, kept, head + kept)
    first = quoted.lstrip()[:1]
    if first.isupper() and not quoted.isupper() and not (head + kept).isupper():
        return Alteration(AlterationKind.NAME, quoted.split(maxsplit=1)[0], head + kept)
    return None


def _denies(prefix: str, stem: str) -> bool:
    """Whether the prefix denies what is left; words where it does not are listed."""
    if prefix == "de":
        return stem.startswith(lexicon.DENIED_BY_DE)
    return (
        prefix in lexicon.NOT_DENIED
        and len(stem) >= _SHORTEST_STEM
        and not stem.startswith(lexicon.NOT_DENIED[prefix])
    )


def _word_after(quoted: str, source: str, after: str) -> Alteration | None:
    """The word of whose beginning `source` ends with, where that beginning says something else."""
    if not source[-1].isalpha():
        return None
    kept, tail = _match(_LETTERS_BEFORE, source), _match(_CONTRACTION, after)
    whole = kept + tail
    folded = re.sub(r"\W", "", whole).casefold()
    if tail and (
        folded in lexicon.NEGATIONS or (folded.endswith("less") and len(tail) >= len("less"))
    ):
        return Alteration(AlterationKind.NEGATION, kept, whole)
    if _WITHOUT.match(after):
        return Alteration(AlterationKind.NEGATION, kept, kept + _match(_WITHOUT, after))
    if after[0].isdigit() and (kept[:1].isupper() or len(kept) < _SHORTEST_STEM):
        return Alteration(AlterationKind.NUMBER, kept, kept + _match(_DIGIT_AFTER, after))
    if kept.casefold() in lexicon.CARDINALS and whole.casefold() in lexicon.NUMBER_WORDS:
        return Alteration(AlterationKind.NUMBER, kept, whole) if tail else None
    if tail[:1].isalpha() and _is_cut_unit(source, kept, tail):
        return Alteration(AlterationKind.UNIT, kept, whole)
    if tail[:1].isalpha() and (
        _is_cut_name(source, kept, tail) or _is_cut_name(*_last_word(quoted), tail)
    ):
        return Alteration(AlterationKind.NAME, kept, whole)
    return None


def _last_word(quoted: str) -> tuple[str, str]:
    """The end of a quote up to its last letter, and its last word."""
    text = prepare(quoted[-_EDGE:]).rstrip(" .,;:!?'\"")
    return text, _match(_LETTERS_BEFORE, text)


def _is_cut_unit(source: str, kept: str, tail: str) -> bool:
    """Whether `kept` is a unit of the number before it, and another one than what it is cut of."""
    if kept.casefold() not in lexicon.UNITS or tail.casefold() in ("s", "es"):
        return False
    number = _LAST_WORD.search(source[: -len(kept)])
    return number is not None and (
        number[1][-1].isdigit() or number[1].casefold() in lexicon.CARDINALS
    )


def _is_cut_name(source: str, kept: str, tail: str) -> bool:
    """Whether `kept` is a name, and another one than the word it was cut from: John of Johnson."""
    if len(kept) < _SHORTEST_NAME or not kept[0].isupper():
        return False
    lead = source[: -len(kept)].rstrip()
    return bool(lead) and lead[-1] not in _SENTENCE_END and not (kept + tail).isupper()


def _match(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group() if found else ""


# Changes that leave every word in its place, and still say something else.


_NEGATION = re.compile(
    rf"\b(?:can\s+not|{any_of('negations')}|nothing|neither|nor|without|unless|except)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
_BORDER = re.compile(
    r"[.!?;:\u2026][\"'\u201d\u2019)\]]*\s+[^\W\d]|\n[ \t\r]*\n|\b[Nn][Oo]\s?[,\u2013\u2014-]\s"
)
_BORDER_BEFORE = re.compile(
    r"(?:[.!?;:\u2026][\"'\u201d\u2019)\]]*\s|\n[ \t\r]*\n)[\s\"'\u201c\u2018(\[]*$"
)
_BORDER_AFTER = re.compile(r"[.!?;:\u2026][\"'\u201d\u2019)\]]*\s+[^\W\d]|\s*\n[ \t\r]*\n")
_PAUSE = re.compile(r"\s?[,\u2013\u2014-]\s")
_NEAR = 8

_CASED_UNIT = re.compile(r"\d\s?(m[wavgj]|[kmgt]b(?:ps)?|mhz|mpa|mbit|mohm)\b", re.IGNORECASE)


_PRIME = re.compile(r"(?<=\d)(?:[\"\u2033\u201d]|['\u2032\u2019])(?!\w)")
_OPENING = {'"': re.compile(r"[\"\u201c]"), "'": re.compile(r"(?<![^\W_])['\u2018](?=\w)")}


def subtle_alterations(quoted: str, source: str) -> tuple[Alteration, ...]:
    """What differs between two texts of the same words that a reader would not call the same."""
    return (*_units(quoted, source), *_primes(quoted, source), *_borders(quoted, source))


def _units(quoted: str, source: str) -> list[Alteration]:
    """Units whose capitals make another unit: mW and MW, Mb and MB."""
    if quoted.isupper() or quoted.islower() or source.isupper():
        return []
    pairs = zip(_CASED_UNIT.finditer(quoted), _CASED_UNIT.finditer(source), strict=False)
    return [
        Alteration(AlterationKind.UNIT, one[1], other[1])
        for one, other in pairs
        if one[1] != other[1] and one[1].casefold() == other[1].casefold()
    ]


def _primes(quoted: str, source: str) -> list[Alteration]:
    """Marks of feet and inches, or minutes and seconds, that were changed or left out."""
    one, other = _primes_of(quoted), _primes_of(source)
    return [] if one == other else [Alteration(AlterationKind.UNIT, " ".join(one), " ".join(other))]


def _primes_of(text: str) -> list[str]:
    """Each mark right after a digit, as `'` or `"`, that closes no quotation."""
    found: list[str] = []
    for mark in _PRIME.finditer(text):
        kind = '"' if mark.group() in '"\u2033\u201d' else "'"
        if not _OPENING[kind].search(text, 0, mark.start()):
            found.append(kind)
    return found


def _borders(quoted: str, source: str) -> list[Alteration]:
    """Negations that stand at a border of sentences in one of the texts only."""
    if not (_BORDER.search(quoted) or _BORDER.search(source)):
        return []
    denials = list(_NEGATION.finditer(quoted))
    if not denials:
        return []
    pairs = zip(denials, _NEGATION.finditer(source), strict=False)
    return [
        Alteration(AlterationKind.NEGATION, _around(one), _around(other))
        for one, other in pairs
        if _at_border(one) != _at_border(other)
    ]


def _at_border(found: re.Match[str]) -> tuple[bool, bool]:
    text, start, end = found.string, found.start(), found.end()
    after = text[end : end + _NEAR]
    return (
        _BORDER_BEFORE.search(text[max(0, start - _NEAR) : start]) is not None,
        _BORDER_AFTER.match(after) is not None
        or (found.group().casefold() == "no" and _PAUSE.match(after) is not None),
    )


def _around(found: re.Match[str]) -> str:
    """The words next to a negation, with what stands between them."""
    text = found.string
    low = text.rfind(" ", 0, max(0, found.start() - 2)) + 1
    high = text.find(" ", found.end() + 2)
    return text[low : high if high >= 0 else len(text)]


_FULL_STOP = re.compile(r"[.!?][\"'\u201d\u2019)\]]*\s")
_LINE_BORDER = re.compile(r"[\n|]")
_LONGEST_ABBREVIATION = 3


def run_on_alterations(
    quoted_tokens: Sequence[Token], source_tokens: Sequence[Token], quoted: str, source: str
) -> list[Alteration]:
    """Sentences that the quote runs together, and numbers of two lines that it makes one of.

    The tokens are the same, one for one. What parts two of them in the source (a full stop before a
    capital; a line or cell border between numbers) must part them in the quote, by whatever sign.
    """
    found: list[Alteration] = []
    pairs = zip(pairwise(quoted_tokens), pairwise(source_tokens), strict=True)
    for (one, other), (left, right) in pairs:
        parted = source[left.end : right.start]
        if quoted[one.end : other.start].strip(" \u00a0") or not parted.strip(" "):
            continue
        if left.kind is right.kind is TokenKind.NUMBER and _LINE_BORDER.search(parted):
            kind = AlterationKind.NUMBER
        elif (
            _FULL_STOP.match(parted)
            and right.capitalised
            and len(left.text) > _LONGEST_ABBREVIATION
        ):
            kind = AlterationKind.WORDING
        else:
            continue
        found.append(
            Alteration(kind, quoted[one.start : other.end], source[left.start : right.end])
        )
    return found
