"""A quote that begins or ends inside a word, number or measure of its source."""

from __future__ import annotations

import pytest

from veridical.validation.cuts import cut_alterations
from veridical.validation.differences import AlterationKind

N, G, U, P = (
    AlterationKind.NUMBER,
    AlterationKind.NEGATION,
    AlterationKind.UNIT,
    AlterationKind.NAME,
)


def cut(marked: str) -> list[AlterationKind]:
    """The kinds for the quote that stands between bars in a marked source."""
    before, source, after = marked.split("|")
    return [a.kind for a in cut_alterations(source, source, before, after)]


@pytest.mark.parametrize(
    ("marked", "kind"),
    [
        ("within 1|5 days|", N),
        ("within 1.|5 days|", N),
        ("a dose of .|5 mg|", N),
        ("within 10–|15 days|", N),
        ("at 10:|30 sharp|", N),
        ("on 05/|06/2024|", N),
        ("of 1 |500 men|", N),
        ("of 1\u202f|500 men|", N),
        ("of 3×|10 cells|", N),
        ("of 10^|2 cells|", N),
        ("of 10⁻|⁵ cells|", N),
        ("of 1|½ cups|", N),
        ("of 1\u00ad|5 days|", N),
        ("it fell to −|5 degrees|", N),
        ("costs $|5 a day|", N),
        ("is ≥|5 of them|", N),
        ("vitamin B|12 is|", N),
        ("twenty |five days|", N),
        ("two hundred and |five days|", N),
        ("5 |million men|", N),
        ("第十|五日|", N),
        ("|about 1|5 days", N),
        ("|about 1| 500 men", N),
        ("|about 1|½ cups", N),
        ("|about 10|⁻⁵ cells", N),
        ("|about 5|% of it", N),
        ("|about 5| % of it", N),
        ("|about 5|mg of it", N),
        ("|about 5| million of it", N),
        ("|about six|ty of it", N),
        ("|an area of 5 m|² in all", N),
        ("|we need B|12 for it", N),
        ("|a fee of $|5 a day", N),
        ("|费用是15|万元", N),
        ("he was un|able to pay|", G),
        ("and n|either party|", G),
        ("an in|finite supply|", G),
        ("it is im|possible|", G),
        ("he is dis|honest|", G),
        ("a non|refundable fee|", G),
        ("a non-|refundable fee|", G),
        ("at 5 °|C in all|", U),
        ("a non\u2011|refundable fee|", G),
        ("an anti|social act|", G),
        ("an un-\n|able man|", G),
        ("|they can|not go", G),
        ("|they do|n’t go", G),
        ("|with care|less hands", G),
        ("|it is sugar|-free", G),
        ("20 m|g a day|", U),
        ("|it is 350 m|etres away", U),
        ("|and asked John|son to go", P),
        ("|and saw Leed|s in May", P),
        ("and Mc|Donald went|", P),
    ],
)
def test_a_cut_that_makes_something_else_is_an_alteration(
    marked: str, kind: AlterationKind
) -> None:
    assert cut(marked) == [kind]


@pytest.mark.parametrize(
    "marked",
    [
        "|all of it|",
        "within |15 days|.",
        "see page 3. |5 days|",
        "COVID-|19 cases|",
        "point (3) |5 days|",
        "- |5 days|",
        "|about 15| days",
        "|about 15|, or so",
        "|about 15|. Then",
        "|about 15|日間",
        "the com|mittee met|",
        "the in|formation given|",
        "of un|der the roof|",
        "a dis|trict office|",
        "|the commit|tee met",
        "|Employ|ees may go",
        "|the hous|es of it",
        "|as they can| say",
        "|AND JOHN|SON WENT",
        "no |refund is|",
        "|it is sugar| free",
        "|it is 5 m| wide",
    ],
)
def test_a_cut_that_leaves_a_part_of_the_same_is_none(marked: str) -> None:
    assert cut(marked) == []


def test_a_capital_makes_no_name_of_the_end_of_a_word() -> None:
    (alteration,) = cut_alterations("Ann went", "ann went", "and Jo", "")
    assert (alteration.kind, alteration.quoted, alteration.source) == (P, "Ann", "Joann")
    assert cut_alterations("ANN WENT", "ann went", "and Jo", "") == ()


def test_both_edges_are_looked_at_and_described() -> None:
    found = cut_alterations("5 men and 2", "5 men and 2", "of 1", "0 dogs")
    assert [a.describe() for a in found] == ["number: '15' became '5'", "number: '20' became '2'"]


@pytest.mark.parametrize("noise", ["1" * 48, "1." * 24, "a1" * 24, "a-" * 24, "\u00b2" * 48])
def test_hostile_neighbours_take_no_time(noise: str) -> None:
    cut_alterations(noise * 40, noise * 40, noise, noise)
    cut_alterations(noise * 40 + "x", "x" + noise * 40 + "x", noise + "x", "x" + noise)
