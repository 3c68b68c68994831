"""Any slice of a document validates at its own place, and still does after a change of its form.

Three kinds of slices are excepted by design. A slice that rests on words which no reader sees, or
is markup for the most part, or is struck out. A slice of white space. A slice whose edge cuts a
word so that another number, unit, name or a denied word is left: that one must not validate, and
the alteration must say so.
"""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.properties.documents import WORDS, documents

from veridical import (
    AlterationKind,
    Document,
    Fidelity,
    Format,
    Rule,
    Span,
    Status,
    Validator,
    document_from_text,
)

STANDING = {Status.VALIDATED, Status.AMBIGUOUS}
LEAST = 10
MOST_PLACES = 4

CUTS = {
    AlterationKind.NUMBER,
    AlterationKind.UNIT,
    AlterationKind.NAME,
    AlterationKind.NEGATION,
}
DENIALS = {"not", "no", "none", "nothing", "nobody", "never", "nor", "neither", "cannot", "without"}
PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "mis", "de", "anti", "counter")


def is_seen(document: Document, span: Span) -> bool:
    """Whether a reader sees the words of a span, and more of them than of markup."""
    total = written = sum(map(str.isalnum, document.text[span.start : span.end]))
    for mask in document.masks.between(span.start, span.end):
        inside = document.text[max(mask.start, span.start) : min(mask.end, span.end)]
        letters = sum(map(str.isalnum, inside))
        if mask.unseen and letters:
            return False
        written -= letters - sum(map(str.isalnum, mask.shown))
    return 2 * written >= total


def may_be_cut(document: Document, span: Span) -> bool:
    """Whether an edge of the span stands inside a word or number, or beside a sign of one."""
    before = document.shown(Span(max(0, span.start - 24), span.start))
    after = document.shown(Span(span.end, min(len(document.text), span.end + 24)))
    shown = document.shown(span)
    if not shown:
        return True
    return torn_start(before, shown) or torn_end(shown, after)


def torn_start(before: str, shown: str) -> bool:
    before, shown = visible(before), visible(shown)
    if not before or not shown:
        return False
    head = re.search(r"[a-z]*$", before).group()
    if head and shown[0].islower() and shown[0].isascii():
        whole = before[: -len(head)][-1:]
        denied = head + re.match(r"[a-z]*", shown).group() in DENIALS
        return denied or head in PREFIXES or not (whole.isspace() or not whole)
    return not before[-1].isspace() or shown[0].isnumeric() or number_word(before, shown)


def torn_end(shown: str, after: str) -> bool:
    shown, after = visible(shown), visible(after)
    if not after or not shown:
        return False
    tail = re.match(r"[a-z]*", after).group()
    if tail and re.search(r"(?:^|\s)[a-z]+$", shown):
        last = re.search(r"[a-z]+$", shown).group()
        rest = after[len(tail) :][:1]
        torn = last + tail in DENIALS or tail.endswith("less")
        return torn or rest in ("'", "’") or bool(re.search(r"\d\s*[a-z]+$", shown))
    return not after[0].isspace() or shown[-1].isnumeric() or number_word(shown, after)


def number_word(left: str, right: str) -> bool:
    """Whether two words, or words and signs, beside the edge may be one amount."""
    return bool(re.search(r"[\d$<>~±]\s*$", left)) or bool(re.match(r"\s*[\d$%°½²₂]", right))


def visible(text: str) -> str:
    return "".join(c for c in text if unicodedata.category(c) != "Cf")


UNSEEN = ("Cc", "Cf", "Cn", "Cs", "Zl", "Zp", "Zs")


def own_place(document: Document, span: Span) -> None:
    quote = document.text[span.start : span.end]
    result = Validator([document]).check(quote)
    if not any(unicodedata.category(c) not in UNSEEN for c in quote):
        assert result.match is None  # nothing to be seen is no quote
        return
    cuts = {alteration.kind for alteration in result.alterations}
    if result.fidelity is not Fidelity.VERBATIM and may_be_cut(document, span):
        # Refused for the cut, or found in another place that is not cut.
        assert cuts <= CUTS
        assert cuts or result.status in STANDING
        return
    assert result.status in STANDING, (quote, result)
    assert result.match is not None
    assert result.fidelity is Fidelity.VERBATIM
    assert result.match.text == quote
    places = [result.match, *result.alternatives]
    if len(places) < MOST_PLACES:
        assert span in [match.span for match in places], (quote, places)


@st.composite
def slices(draw: st.DrawFn, document: Document) -> Span:
    start = draw(st.integers(0, max(0, len(document.text) - LEAST)))
    end = draw(st.integers(start + LEAST, start + 200))
    return Span(start, min(end, len(document.text)))


@pytest.mark.no_cover
@given(st.data())
@settings(max_examples=150)
def test_any_slice_validates_at_its_own_place(data: st.DataObject) -> None:
    document = data.draw(documents())
    assume(len(document.text) >= LEAST)
    span = data.draw(slices(document))
    assume(not document.text[span.start : span.end].isspace())
    assume(is_seen(document, span))
    own_place(document, span)


PROSE = (
    "A draft of the charter was read aloud by the clerk. Those present were asked to send their "
    "remarks to the office, which they did with great care; none of it was lost. Under the old "
    "rules an unpaid bill had to be sent twice, and the careless use of an invalid form could cost "
    "a firm its seat. The kettle was moved to the hall, where the lamps are."
)


@pytest.mark.no_cover
def test_every_slice_of_plain_prose_validates_unless_it_drops_a_denial() -> None:
    document = document_from_text(PROSE, "prose", Format.PLAIN_TEXT)
    validator = Validator([document])
    refused: dict[str, str] = {}
    for start in range(len(PROSE) - LEAST):
        for end in (start + LEAST, start + 25, start + 80):
            quote = PROSE[start:end]
            result = validator.check(quote)
            if result.status in STANDING:
                assert result.fidelity is Fidelity.VERBATIM
                assert any(
                    match.span.start == start for match in (result.match, *result.alternatives)
                )
            else:
                refused[quote] = result.alterations[0].source
                assert {a.kind for a in result.alterations} == {AlterationKind.NEGATION}
    assert set(refused.values()) == {"unpaid", "invalid", "careless", "none"}


NUMBERS = "The bill of 1,250.75 francs and the fee of 3/4 of 10:30 or -42.5 % of 2019-2021 remain."


def test_no_slice_that_cuts_a_number_validates() -> None:
    document = document_from_text(NUMBERS, "numbers", Format.PLAIN_TEXT)
    validator = Validator([document])
    for found in re.finditer(r"[-\d][\d.,:/-]*\d", NUMBERS):
        for edge in range(found.start() + 1, found.end()):
            for span in (Span(edge, min(edge + 30, len(NUMBERS))), Span(max(0, edge - 30), edge)):
                quote = NUMBERS[span.start : span.end]
                if not quote.strip(".,:/- ")[0].isdigit() and span.start == edge:
                    continue
                result = validator.check(quote)
                if quote[0] in ".,:/-" or quote[-1] in ".,:/-":
                    continue
                assert result.status not in STANDING, quote
                assert AlterationKind.NUMBER in {a.kind for a in result.alterations}


FORMS = {
    Rule.CASE: (str.upper, str.lower, str.swapcase),
    Rule.WHITESPACE: (
        lambda text: text.replace(" ", "  "),
        lambda text: text.replace(" ", "\n"),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: text.replace(" ", " \t\r\n "),
    ),
    Rule.TYPOGRAPHY: (
        lambda text: text.replace("'", "’").replace('"', "”").replace(" - ", " – "),
        lambda text: text.replace("fi", "ﬁ").replace("ff", "ﬀ"),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: re.sub(r"(?<=[a-z]{3})(?=[a-z]{3})", "\u00ad", text),
        lambda text: re.sub(r"(?<=[a-z]{3})(?=[a-z]{3})", "\u200b", text),
    ),
    Rule.MARKUP: (
        lambda text: f"*{text}*",
        lambda text: f"**{text}**",
        lambda text: re.sub(r"\b(\w{4,})\b", r"**\1**", text, count=2),
        lambda text: re.sub(r"\b(\w{4,})\b", r"[\1](http://a.b/c)", text, count=1),
        lambda text: re.sub(r"\b(\w{4,})\b", r"<b>\1</b>", text, count=1),
    ),
}

FAITHFUL = (
    'The offices\' staff said "we affirm it" - all of them did so first.',
    "Die Prüfung fällt in fünf Fällen aus, sagte der Müller - und ging.",
    "Étant donné l'affaire, le café offert fut bientôt fini - hélas.",
    "Ο δήμαρχος είπε πως η πόλη είναι έτοιμη - και χάρηκε.",
    "Новый офис открыли весной - его ждали все жители улицы.",
)


@pytest.mark.no_cover
def test_a_slice_in_another_form_validates_and_the_rule_is_named() -> None:
    for source in FAITHFUL:
        document = document_from_text(f"It is so. {source} It was so.", "d", Format.PLAIN_TEXT)
        validator = Validator([document])
        words = [found.span() for found in re.finditer(r"\S+", source)]
        for first in range(len(words) - 3):
            for last in range(first + 2, len(words)):
                quote = source[words[first][0] : words[last][1]].strip(" -")
                if len(quote) < LEAST:
                    continue
                for rule, changes in FORMS.items():
                    for change in changes:
                        changed = change(quote)
                        if changed == quote or changed in document.text:
                            continue
                        result = validator.check(changed)
                        assert result.status in STANDING, (changed, result.alterations)
                        assert rule in result.rules, (changed, result.rules)
                        assert result.fidelity is Fidelity.NORMALISED


@pytest.mark.no_cover
@given(st.data())
@settings(max_examples=80)
def test_a_slice_of_whole_words_validates_after_a_change_of_case_and_spacing(
    data: st.DataObject,
) -> None:
    words = data.draw(st.lists(st.sampled_from(WORDS), min_size=6, max_size=30))
    text = " ".join(word for word in words if word.replace(" ", "").isalpha()) + " At the end."
    document = document_from_text(text, "d", Format.PLAIN_TEXT)
    begins = [found.start() for found in re.finditer(r"(?<!\S)\S", text)]
    first = data.draw(st.sampled_from(begins))
    quote = text[first : first + data.draw(st.integers(10, 90))].rsplit(" ", 1)[0]
    assume(len(quote) >= LEAST)
    changed = "  ".join(quote.split()).upper()
    assume(changed.casefold() == "  ".join(quote.split()).casefold())
    assert Validator([document]).check(changed).status in STANDING
