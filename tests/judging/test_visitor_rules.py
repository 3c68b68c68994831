"""A page of rules as visitors read it, with claims that nearly say what it says."""

from __future__ import annotations

from functools import cache

import pytest

from veridical import GroundingChecker, document_from_text

RULES = """# Visitor rules

## Opening hours

The museum is open from Tuesday to Sunday, 10 am to 6 pm, and on Thursdays until 9 pm. Last
admission is 45 minutes before closing. It is closed on 24, 25 and 31 December.

## Tickets

| Ticket | Price | Audio guide |
|---|---|---|
| Adult | 14 euros | 3 euros |
| Student | 9 euros | 2 euros |
| Family (two adults, up to three children) | 32 euros | included |

Children under 12 are admitted free if accompanied by an adult. Groups of ten or more pay 11 euros
a person and must book at least five days ahead. A ticket is valid on the day of purchase only and
is not refunded.

## In the galleries

Photographs may be taken for private use without flash or tripod. In the special exhibition
photography is not permitted. Visitors who wish to sketch may use pencils, but not ink or paint.
Bags larger than A4 must be left in the lockers, which take a two-euro coin that is returned.
Prams are allowed in all rooms except the Print Cabinet.

The museum was founded in 1893 by the merchant Otto Lind, whose daughter Clara gave the collection
of glass in 1921. The east wing, designed by Ruth Mayer, opened in 1974 and was extended in 2011.
"""

FALSE = """
The museum is open from Monday to Sunday.
The museum is open until 9 pm from Tuesday to Sunday.
The museum closes at 9 pm.
Last admission is 45 minutes after opening.
The museum is closed in December.
A student ticket costs 14 euros.
The audio guide costs adults 2 euros.
An adult ticket with audio guide costs 14 euros.
Children under 12 are admitted free.
Children of 12 are admitted free if accompanied by an adult.
Groups of more than ten pay 11 euros a person.
Groups of ten or more pay 11 euros.
Groups must book at least five days ahead.
A ticket is valid for a year.
Photographs may be taken without flash or tripod.
Photographs may be taken for private use.
Photographs may be taken for private use with a tripod.
Photography is not permitted.
Visitors may use pencils or ink.
Visitors who wish to sketch may use ink.
Bags must be left in the lockers.
Bags of A4 must be left in the lockers.
Lockers take a two-euro coin that is not returned.
Prams are allowed in the Print Cabinet.
Prams are allowed in all rooms.
The museum was founded in 1921.
The museum was founded by Clara Lind.
Otto Lind gave the collection of glass in 1921.
The east wing opened in 2011.
The museum opened in 1974.
Ruth Mayer designed the museum.
The east wing was extended in 1974.
The merchant Otto Lind designed the east wing.
Clara founded the museum in 1893.
A family ticket is for two adults and three children or more.
The audio guide is included in an adult ticket.
In the special exhibition photography without flash is permitted.
A ticket is refunded on the day of purchase.
The museum is open on 24 December.
The lockers are for bags of up to A4.
The museum is open on Thursdays only.
A group of nine pays 11 euros a person.
The family ticket costs 32 euros a person.
Clara Mayer designed the east wing.
"""

TRUE = """
Last admission is 45 minutes before closing.
The museum is closed on 24, 25 and 31 December.
An adult ticket costs 14 euros.
A student ticket costs 9 euros.
The price of a student ticket is 9 euros.
Children under 12 are admitted free if accompanied by an adult.
Groups of ten or more must book at least five days ahead.
Groups of ten or more pay 11 euros a person.
A ticket is not refunded.
Photographs may be taken for private use without flash or tripod.
In the special exhibition photography is not permitted.
Photography is prohibited in the special exhibition.
Visitors who wish to sketch may use pencils.
Bags larger than A4 must be left in the lockers.
The lockers take a two-euro coin that is returned.
Prams are allowed in all rooms except the Print Cabinet.
The museum was founded in 1893.
Otto Lind founded the museum in 1893.
The museum was founded in 1893 by the merchant Otto Lind.
Clara gave the collection of glass in 1921.
The east wing opened in 1974.
The east wing was designed by Ruth Mayer.
Ruth Mayer designed the east wing, which opened in 1974.
The east wing was extended in 2011.
Tickets are valid only on the day they are bought.
"""


@cache
def checker() -> GroundingChecker:
    return GroundingChecker([document_from_text(RULES, "rules.md")])


@pytest.mark.parametrize("claim", FALSE.strip().splitlines())
def test_what_the_rules_do_not_say_is_not_supported(claim: str) -> None:
    assert not checker().check(claim).grounded


@pytest.mark.parametrize("claim", TRUE.strip().splitlines())
def test_what_the_rules_say_is_supported(claim: str) -> None:
    found = checker().check(claim)
    assert found.grounded, [one.reason for one in found.claims]
