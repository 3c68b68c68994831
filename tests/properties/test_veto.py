"""No altered direct quote is ever validated; harmless variants are."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from tests.properties import harmless
from tests.properties.alter import KINDS, Altered, opposites
from tests.properties.sentences import AFTER, BEFORE, DASHES, LISTS, QUOTATIONS, SENTENCES

from veridical import Claim, Format, Status, Validator, document_from_text
from veridical.validation.differences import VETOED

pytestmark = pytest.mark.no_cover  # what they run is covered by the tests of validation

STANDING = {Status.VALIDATED, Status.AMBIGUOUS}
LEAST = 500


def quotes_of(altered: Altered) -> list[str]:
    """The whole sentence, and parts in which the change stands first, last or amid few words."""
    text, start, end = altered
    begins = [0] + [found.end() for found in re.finditer(r"\s+", text)]
    ends = [found.start() for found in re.finditer(r"\s+", text)] + [len(text)]
    first = max(b for b in begins if b <= start)
    last = min(e for e in ends if e >= end)
    low = [b for b in begins if b <= first]
    high = [e for e in ends if e >= last]
    parts = [
        text,
        text[first : high[min(6, len(high) - 1)]],
        text[low[max(0, len(low) - 7)] : last],
        text[low[max(0, len(low) - 4)] : high[min(3, len(high) - 1)]],
    ]
    return [part for part in dict.fromkeys(parts) if sum(map(str.isalnum, part)) >= 8]


def words(text: str) -> str:
    kept = re.sub(r"[.,;:]+(?=\s|$)|[^\w$£€¥₹%‰°/.:,+~<>²^]+", " ", text.casefold())
    return " " + " ".join(kept.split()) + " "


def is_true(quote: str, sentence: str) -> bool:
    """Whether the altered quote happens to be a true one: it stands there in whole words."""
    return words(quote) in words(sentence)


def claims_of(sentence: str, kind: str) -> list[str]:
    quotes = [
        quote
        for altered in KINDS[kind](sentence)
        if altered.text != sentence
        for quote in quotes_of(altered)
        if not is_true(quote, sentence)
    ]
    return list(dict.fromkeys(quotes))


PLACES = {
    "plain text": (lambda s: BEFORE + s + AFTER, Format.PLAIN_TEXT, str),
    "alone": (str, Format.PLAIN_TEXT, str),
    "capitals": (lambda s: (BEFORE + s + AFTER).upper(), Format.PLAIN_TEXT, str),
    "all capitals": (lambda s: (BEFORE + s + AFTER).upper(), Format.PLAIN_TEXT, str.upper),
    "shouted quote": (lambda s: BEFORE + s + AFTER, Format.PLAIN_TEXT, str.upper),
    "small letters": (lambda s: (BEFORE + s + AFTER).lower(), Format.PLAIN_TEXT, str.lower),
    "markdown": (lambda s: f"# Minutes\n\n{BEFORE}\n\n- {s}\n\n{AFTER}", Format.MARKDOWN, str),
    "html": (lambda s: f"<h1>Minutes</h1><p>{BEFORE}<p>{s}<p>{AFTER}", Format.HTML, str),
}

CASELESS = ("all capitals", "small letters")
EVERYWHERE = "plain text"


@cache
def cases(kind: str) -> list[tuple[str, str]]:
    """Sentence and quote, all of a kind, in an order that mixes sentences and changes."""
    made = [(sentence, quote) for sentence in SENTENCES for quote in claims_of(sentence, kind)]
    random.Random(7).shuffle(made)
    return made


def cases_in(kind: str, place: str) -> dict[str, list[str]]:
    """By sentence, the quotes to be tried in a place: all of them in plain text.

    Each other place takes a share of at least `LEAST`, and each quote is in one such share or more.
    """
    spelled = PLACES[place][2]
    shown = {sentence: words(spelled(sentence)) for sentence in SENTENCES}
    quotes = [(sentence, spelled(quote)) for sentence, quote in cases(kind)]
    if kind == "name" and place in CASELESS:
        # Where nothing is told by capitals, nobody knows a name that is cut at its end.
        quotes = [(s, quote) for s, quote in quotes if words(quote).rstrip() not in shown[s]]
    if place != EVERYWHERE:
        shares = min(len(quotes) // LEAST, len(PLACES) - 1)
        quotes = quotes[list(PLACES).index(place) % shares :: shares]
    grouped: dict[str, list[str]] = {}
    for sentence, quote in quotes:
        grouped.setdefault(sentence, []).append(quote)
    return grouped


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_alteration_is_validated(kind: str, place: str) -> None:
    around, kind_of_text, _ = PLACES[place]
    tried = 0
    passed: list[str] = []
    for sentence, quotes in cases_in(kind, place).items():
        validator = Validator([document_from_text(around(sentence), "minutes", kind_of_text)])
        for at in range(0, len(quotes), 1000):
            claims = [Claim(f"EV{i}", q) for i, q in enumerate(quotes[at : at + 1000])]
            results = validator.validate(claims).results
            tried += len(results)
            passed += [f"{r.claim.quote} | {sentence}" for r in results if r.status in STANDING]
    print(f"{kind}, {place}: {tried} alterations, {len(passed)} validated")
    assert tried >= LEAST
    assert passed == []


def test_no_word_becomes_its_opposite() -> None:
    tried = 0
    for sentence in SENTENCES:
        quotes = [
            quote
            for altered in opposites(sentence)
            for quote in quotes_of(altered)
            if not is_true(quote, sentence)
        ]
        validator = Validator([document_from_text(BEFORE + sentence + AFTER, "d")])
        claims = [Claim(f"EV{i}", quote) for i, quote in enumerate(dict.fromkeys(quotes))]
        for result in validator.validate(claims).results:
            tried += 1
            said = f"{result.claim.quote!r} | {sentence}"
            assert result.status is Status.FAILED, said
            assert not result.alterations or any(a.kind in VETOED for a in result.alterations), said
    assert tried >= LEAST


def test_each_kind_has_enough_different_alterations() -> None:
    counts = {
        kind: sum(len({a.text for a in make(s) if a.text != s}) for s in SENTENCES)
        for kind, make in KINDS.items()
    }
    print(counts)
    assert all(count >= LEAST for count in counts.values()), counts


def variants(kind: str) -> Iterator[tuple[str, str]]:
    """Sentence and harmless variant, each different from what stands in the sentence."""
    rng = random.Random(7)
    for sentence in (*SENTENCES, *LISTS, *QUOTATIONS, *DASHES):
        seen = set()
        for part in harmless.parts(sentence, rng, 150 if kind == "oxford comma" else 12):
            for variant in harmless.KINDS[kind](part, rng):
                if variant not in sentence and variant not in seen:
                    seen.add(variant)
                    yield sentence, variant


@pytest.mark.parametrize("kind", harmless.KINDS)
def test_harmless_variants_are_validated(kind: str) -> None:
    counts: Counter[bool] = Counter()
    refused: list[str] = []
    grouped: dict[str, list[str]] = {}
    for sentence, variant in variants(kind):
        grouped.setdefault(sentence, []).append(variant)
    for sentence, quotes in grouped.items():
        validator = Validator([document_from_text(BEFORE + sentence + AFTER, "d")])
        for at in range(0, len(quotes), 1000):
            claims = [Claim(f"EV{i}", q) for i, q in enumerate(quotes[at : at + 1000])]
            for result in validator.validate(claims).results:
                counts[result.passed] += 1
                if not result.passed:
                    changes = [a.describe() for a in result.alterations]
                    refused.append(f"{result.claim.quote!r} | {sentence} | {changes}")
    share = counts[True] / counts.total()
    print(f"{kind}: {counts.total()} variants, {share:.1%} validated")
    print("\n".join(refused[:20]))
    assert counts.total() >= LEAST
    assert share >= 0.95
