"""What a change is called: by the words alone, without a search."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from veridical.validation import lexicon
from veridical.validation.alterations import CANNOT, compare, negates
from veridical.validation.differences import AlterationKind, Rule

N, G, U, D, P, W = (
    AlterationKind.NUMBER,
    AlterationKind.NEGATION,
    AlterationKind.UNIT,
    AlterationKind.DATE,
    AlterationKind.NAME,
    AlterationKind.WORDING,
)


@pytest.mark.parametrize(
    ("source", "quote", "kind"),
    [
        ("within 15 days", "within 16 days", N),
        ("within 1.5 days", "within 15 days", N),
        ("within 1.5 days", "within 1,5 days", N),
        ("a total of 1.000 marks", "a total of 1,000 marks", N),
        ("it fell to -5 at noon", "it fell to 5 at noon", N),
        ("it fell to 5 at noon", "it fell to −5 at noon", N),
        ("about 10^2 cells", "about 102 cells", N),
        ("about 10² cells", "about 102 cells", N),
        ("of 1½ cups", "of 11/2 cups", N),
        ("3/4 of all", "34 of all", N),
        ("5*3 is odd", "53 is odd", N),
        ("10-15 men", "1015 men", N),
        ("at 10:30 sharp", "at 1030 sharp", N),
        ("≥5 of them", ">5 of them", N),
        ("~5 of them", "5 of them", N),
        ("two of them", "three of them", N),
        ("twenty-five of them", "twenty-six of them", N),
        ("about ١٥ men", "about 16 men", N),
        ("an x₁ of it", "an x₂ of it", W),
        ("the 21st case", "the 22nd case", N),
        ("费用是15万元", "费用是15元", W),
        ("they may go", "they may not go", G),
        ("they can't go", "they can go", G),
        ("we now agree", "we not agree", G),
        ("he was notable", "he was not able", G),
        ("it is invalid", "it is in valid", G),
        ("it is invalid", "it is valid", G),
        ("a careful man", "a careless man", G),
        ("never again", "ever again", G),
        ("without a fee", "with a fee", G),
        ("all but unless he", "all but if he", G),
        ("kein Geld", "ein Geld", N),
        ("er ist nicht da", "er ist da", G),
        ("il ne part pas", "il part", G),
        ("nobody came", "somebody came", G),
        ("more than that", "less than that", G),
        ("it rises fast", "it falls fast", G),
        ("the minimums apply", "the maximums apply", G),
        ("the buyer's costs", "the seller's costs", G),
        ("within the yard", "outside the yard", G),
        ("a 5% rise", "a 5 rise", U),
        ("a 5% rise", "a 5‰ rise", U),
        ("a 5 % rise", "a 5 percent rise", U),
        ("pay $5 now", "pay €5 now", U),
        ("5 days of it", "5 weeks of it", U),
        ("5mg of it", "5g of it", U),
        ("5 mW of it", "5 MW of it", U),
        ("5 Mb of it", "5 MB of it", U),
        ('a 5" board', "a 5' board", U),
        ("a 5″ board", "a 5 board", U),
        ("9 am sharp", "9 pm sharp", U),
        ("in the last quarter", "in the last year", N),
        ("on 5 June", "on 5 July", D),
        ("on 05/06/2024", "on 06/05/2024", D),
        ("in May, they", "in June, they", D),
        ("and Anna went", "and Emma went", P),
        ("and went", "and Anna went", P),
        ("and ANNA WENT", "and EMMA WENT", P),
        ("and Katherine went", "and Katharine went", P),
        ("must pay", "may pay", W),
        ("dogs chase cats", "cats chase dogs", W),
        ("post and mail", "post or mail", W),
        ("all the rooms", "the rooms", W),
        ("the rooms", "only the rooms", W),
        ("the charge today", "the change today", W),
        ("the lender pays", "the leader pays", W),
        ("the price was", "the prince was", W),
        ("a trial run", "a trail run", W),
        ("Pаyment now", "Payment now", W),
    ],
)
def test_a_change_has_the_kind_of_what_it_touches(
    source: str, quote: str, kind: AlterationKind
) -> None:
    comparison = compare(quote, source)
    assert kind in [alteration.kind for alteration in comparison.alterations]
    assert comparison.rules == ()
    assert comparison.diff


@pytest.mark.parametrize(
    ("source", "quote", "expected"),
    [
        ("as it stands", "as it stands", []),
        ("As It Stands", "as it stands", [Rule.CASE]),
        ("Straße", "STRASSE", [Rule.CASE]),
        ("as  it\nstands", "as it stands", [Rule.WHITESPACE]),
        ("as it stands", "as\u00a0it\u3000stands", [Rule.WHITESPACE]),
        ("red, white, and blue", "red, white and blue", [Rule.PUNCTUATION]),
        ("he came: late", "he came late", [Rule.PUNCTUATION]),
        ("“it's”", '"it’s"', [Rule.TYPOGRAPHY]),
        ("−5 of it", "-5 of it", [Rule.TYPOGRAPHY]),
        ("co\u00adop", "coop", [Rule.TYPOGRAPHY]),
        ("e\u0301te\u0301", "été", [Rule.TYPOGRAPHY]),
        ("R&D team", "R and D team", [Rule.TYPOGRAPHY]),
        ("1,000 men", "1000 men", [Rule.TYPOGRAPHY]),
        ("½ of it", "1/2 of it", [Rule.PUNCTUATION, Rule.TYPOGRAPHY]),
        ("CO₂ gas", "CO2 gas", [Rule.TYPOGRAPHY]),
        ("１５ men", "15 men", [Rule.TYPOGRAPHY]),
        ("infor-\nmation", "information", [Rule.HYPHENATION]),
        ("Well,  “yes”", 'well, "yes"', [Rule.CASE, Rule.WHITESPACE, Rule.TYPOGRAPHY]),
    ],
)
def test_a_harmless_difference_is_a_rule(source: str, quote: str, expected: list[Rule]) -> None:
    comparison = compare(quote, source)
    assert comparison.alterations == ()
    assert list(comparison.rules) == expected


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("You may. Not all do.", "You may not all do."),
        ("You may not all do.", "You may. Not all do."),
        ("You may\n\nnot all do.", "You may not all do."),
        ("No, fees are due.", "No fees are due."),
        ("No fees are due.", "No, fees are due."),
    ],
)
def test_a_negation_moved_into_another_sentence_is_vetoed(source: str, quote: str) -> None:
    comparison = compare(quote, source)
    assert comparison.vetoed
    assert {alteration.kind for alteration in comparison.alterations} == {G}


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("He went. No fees are due.", "He went no fees are due."),
        ("They don't. Go on.", "They don't go on."),
    ],
)
def test_sentences_run_together_are_an_alteration(source: str, quote: str) -> None:
    assert compare(quote, source).alterations


def test_the_diff_tells_what_is_equal() -> None:
    comparison = compare("staff may carry 9 days", "staff may not carry 5 days")
    parts = [(part.quoted, part.source, part.equal) for part in comparison.diff]
    assert parts == [
        ("staff may", "staff may", True),
        ("", "not", False),
        ("carry", "carry", True),
        ("9", "5", False),
        ("days", "days", True),
    ]
    assert [a.describe() for a in comparison.alterations] == [
        "negation: left out 'not'",
        "number: '5' became '9'",
    ]


def test_a_change_of_wording_alone_is_no_veto() -> None:
    assert not compare("must pay", "may pay").vetoed
    assert compare("may not pay", "may pay").vetoed


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("days cannot be saved", "days can not be saved"),
        ("days can not be saved", "days cannot be saved"),
        ("days can\nnot be saved", "days cannot be saved"),
        ("It is late. Cannot it wait?", "It is late. Can not it wait?"),
    ],
)
def test_cannot_and_can_not_are_the_same_words(source: str, quote: str) -> None:
    comparison = compare(quote, source)
    assert comparison.alterations == ()
    assert comparison.rules == (Rule.WHITESPACE,)


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("days cannot be saved", "days can be saved"),
        ("days cannot be saved", "days may not be saved"),
        ("days cannot be saved", "days could not be saved"),
        ("days can't be saved", "days can be saved"),
        ("you can not only swim but dive", "you cannot only swim but dive"),
        ("you can not only swim but dive", "you can't only swim but dive"),
        ("you can not", "you cannot"),
        ("do what you can. Not all is lost", "do what you cannot all is lost"),
        ("do what you can, not what you want", "do what you cannot what you want"),
        ("do what you can\n\nnot what you want", "do what you cannot what you want"),
        ("it can not not be saved", "it cannot be saved"),
    ],
)
def test_what_is_only_like_cannot_is_vetoed(source: str, quote: str) -> None:
    assert compare(quote, source).vetoed
    assert compare(source, quote).vetoed


words = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *sorted(lexicon.NEGATIONS),
                *"helpful helpless help less ful able unable in inin do".split(),
                *"happy unhappy nonunhappy dis disable legal illegal x less".split(),
            ]
        ),
        st.text("undisfle", max_size=8),
    ),
    max_size=6,
)


def _negates_by_pairs(quoted: list[str], source: list[str]) -> bool:
    same = {"cant": CANNOT}
    one = Counter(same.get(key, key) for key in quoted if key in lexicon.NEGATIONS)
    other = Counter(same.get(key, key) for key in source if key in lexicon.NEGATIONS)
    return one != other or any(
        _denied(a, b) or _opposed(a, b) for a in quoted for b in source if a != b
    )


def _opposed(one: str, other: str) -> bool:
    return bool({other, lexicon.singular(other)} & lexicon.opposites_of(one))


def _denied(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) < 3:
        return False
    if long.endswith(short) and long.removesuffix(short) in lexicon.NEGATIVE_PREFIXES:
        return True
    if any(long == short + ending for ending in ("less",)):
        return True
    stems = {one[: -len(end)] for end in ("ful", "less") if one.endswith(end)}
    return bool(stems & {other[: -len(end)] for end in ("ful", "less") if other.endswith(end)})


@settings(max_examples=80)
@given(words, words)
@example(["less"], ["ful"])
@example(["unin"], ["in"])
@example(["helpless", "a"], ["b", "helpful"])
@example(["more"], ["less"])
@example(["buyers"], ["sellers"])
def test_denials_are_those_of_all_pairs(quoted: list[str], source: list[str]) -> None:
    assert negates(quoted, source) == _negates_by_pairs(quoted, source)
