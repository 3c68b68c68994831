"""Claims over whole handbooks, false and true, as somebody would put them who tries the judge.

A false one has a number or a rate that the deciding sentence lacks or has of something else, or
says what a sentence denies, in other verbs than that sentence. A true one says what stands there in
other words. The policies are those of `examples/policies`; the other texts are in here.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.ledger.policy_probes import FALSE_OF_POLICIES, TRUE_OF_POLICIES


@dataclass(frozen=True)
class Probes:
    """A handbook, None for the policies, with claims on it."""

    name: str
    text: str | None
    false: tuple[str, ...]
    true: tuple[str, ...]


_LIBRARY = """\
# Staff Handbook of the Marlow Street Library

## Opening and shifts

The library opens at 9:30 on weekdays and stays closed on Sundays. Shifts are posted two weeks in
advance by the duty librarian. Nobody works more than five Saturdays in a quarter. A shift may be
swapped with a colleague, except on the day of the book sale. The reading room no longer stays open
on Thursday evenings. Volunteers are never left alone at the desk. Breaks of 20 minutes are paid;
the lunch hour is not.

## Lending

Members may borrow up to 12 books at a time. Children may borrow 6 books. Loans run for 21 days and
are renewed twice at most. Reference works do not leave the building. Films are lent to adults
only. A lost book is charged at its current price. Fines are no longer collected from children.
Late fees of 20 cents a day are charged for films and for nothing else. Reservations are kept at
the desk for 8 days. Interlibrary loans cost 3 dollars and arrive within 10 working days. No
deposit is asked for, except for the lending of instruments.

## Pay and leave

Wages are transferred on the 25th of each month. Overtime is compensated with free time and is not
remunerated. Staff have 24 days of leave in a calendar year. Leave that has not been taken by 31
January is forfeited. Leave cannot be turned into money. Staff who care for a relative get 4
additional days. Travel to the branch in Haddon is refunded, but the daily way to work is not.
Probation lasts four months. The pension plan is open to everyone except trainees. The library
contributes 6 percent of the wage to it.

## Rooms and equipment

The lecture hall is hired out for 80 dollars an evening. Only the caretaker switches the heating on
and off. Food is not consumed in the reading room. Printers are serviced every two months. Staff
computers are not to be used for private mail. Keys are handed out by the caretaker against a
signature. Bicycles are kept in the yard and not in the corridor. Photographs of readers are not
published without their consent.
"""

_FALSE_OF_LIBRARY = (
    "Members may borrow up to 20 books at a time",
    "Adults may borrow 6 films",
    "Staff have 30 days of leave in a calendar year",
    "Staff who care for a relative get 10 additional days",
    "Children pay fines for late books",
    "Unused leave is paid out in January",
    "Overtime is paid",
    "The way to work is refunded every month",
    "The reading room stays open on Thursday evenings",
    "Eating is allowed in the reading room",
    "The librarians switch the heating on and off",
    "Trainees can join the pension plan",
)

_TRUE_OF_LIBRARY = (
    "Members can borrow up to twelve books at a time",
    "Children may borrow six books",
    "Staff have 24 days of leave every year",
    "Staff caring for a relative get 4 additional days",
    "Reservations are kept at the desk for eight days",
    "Interlibrary loans cost $3 and arrive within 10 working days",
    "Reference works must not leave the building",
    "Films are only lent to adults",
    "The lecture hall costs 80 dollars an evening to hire",
    "Printers are serviced every two months",
    "Leave not taken by 31 January is forfeited",
    "Fines are no longer collected from children",
    "Volunteers are never left alone at the desk",
    "Probation lasts four months",
)

_FERRY = """\
# Handbook of the Corrie Ferry Company

## Crews and hours

Deck crews work 10 days and are then free for 5 days. A shift aboard lasts no more than 12 hours.
Engineers are relieved every 6 hours. Trainees do not stand watch by night. Meals aboard are free
for the crew; guests pay for theirs. Crew members are fetched from the station by the company's
van. Overnight stays ashore are not at the company's expense, except in a storm. Wages are remitted
fortnightly. The Christmas gratuity was abolished in 2021. Sea pay of 18 pounds a day is granted to
deck crews alone. Holiday that was not used by the end of February is lost. Nobody is rostered for
more than two weekends in succession.

## Passengers

Tickets are valid for 30 days. Children under 4 travel free of charge and those under 14 pay half.
Dogs are carried on the car deck only. A ticket that was lost is not replaced. Passengers with
wheelchairs are boarded first. Smoking is forbidden on all decks. Bicycles cost 4 pounds,
motorcycles 9 pounds and cars 35 pounds. Group discounts of 15 percent start at 10 people. Refunds
are made up to 48 hours before departure, not later. Luggage is not insured by the company.
Pushchairs are taken along without charge. Meals are no longer served on the evening crossing.

## Safety

The lifeboats are lowered for practice every 3 weeks. Life jackets are stowed under the seats and
are inspected twice a year. The master alone decides whether the ship sails. Only engineers have
access to the engine room. Fuel is never taken on while passengers are aboard. Accidents are
entered in the log within 4 hours. The radio is tested daily. Private drones may not be flown from
the deck. Doors to the bridge are kept locked, except in port. Crew certificates are renewed every
5 years and the company bears the fee.
"""

_FALSE_OF_FERRY = (
    "Deck crews work 14 days and are then free for 7 days",
    "Engineers are relieved every 8 hours",
    "Engineers receive sea pay of 18 pounds a day",
    "Wages are paid monthly",
    "Guests eat for free aboard",
    "The company pays for overnight stays ashore",
    "The crew receives a Christmas gratuity",
    "Unused holiday is carried over into March",
    "Children under 14 travel free of charge",
    "Bicycles cost 9 pounds",
    "Motorcycles cost 35 pounds",
    "Lost tickets are reissued",
    "A lost ticket is replaced for 4 pounds",
    "Luggage is covered by the company's insurance",
    "Refunds are made up to 24 hours before departure",
    "Meals are served on the evening crossing",
    "The lifeboats are lowered every month",
    "Life jackets are inspected monthly",
    "The engineers decide whether the ship sails",
    "Passengers may visit the engine room",
    "Crew members pay the fee for their certificates",
    "Crew certificates are renewed every 2 years",
    "Trainees stand watch at night",
    "Refuelling takes place with passengers aboard",
    "Dogs may come into the saloon",
    "The radio is tested weekly",
    "A fee is charged for pushchairs",
    "Group discounts of 20 percent start at 10 people",
    "Group discounts start at 15 people",
    "Tickets are valid for 48 hours",
)

_TRUE_OF_FERRY = (
    "Deck crews work 10 days and then have 5 days off",
    "Engineers get relieved every six hours",
    "A shift aboard lasts at most 12 hours",
    "Tickets are valid for thirty days",
    "A lost ticket is not replaced",
    "Smoking is not allowed on any deck",
    "Luggage isn't insured by the company",
    "Bicycles cost £4",
    "Passengers with wheelchairs board first",
    "Pushchairs are taken along free of charge",
    "Meals are no longer served on the evening crossing",
    "The lifeboats are lowered for practice every three weeks",
    "Life jackets are inspected two times a year",
    "Life jackets are stowed under the seats",
    "The radio is tested every day",
    "Accidents are entered in the log within four hours",
    "Crew certificates are renewed every five years",
    "The company bears the fee for crew certificates",
    "Wages are remitted every two weeks",
    "Fuel is never taken on with passengers aboard",
    "Group discounts of 15 % start at ten people",
    "Trainees don't stand watch at night",
    "Deck crews are granted sea pay of £18 a day",
    "Holiday not used by the end of February is lost",
)

_POOL = """\
# Rules of the Brannock Community Pool

## Staff

Lifeguards work shifts of 6 hours and rest for 10 minutes in every hour. Each lifeguard has 22 days
of holiday a year. The chief lifeguard approves holiday within 4 days. Holiday is not granted in
the school summer break. Uniforms are handed over free of cost; lost items are billed at 15 euros
each. Staff swim without paying before opening time. Overtime hours are not settled in cash.
Courses in first aid take place every 2 years and count as working time. Sick staff inform the
office before 7 a.m. A doctor's note is not asked for during the first 3 days. Staff who resign
hand in their keys within 5 days. Lockers are not shared. The kiosk is leased and is not run by the
pool.

## Guests

A day ticket costs 7 euros, an evening ticket 4 euros. Season tickets cost 120 euros and are not
refundable. Children below 8 are admitted only with an adult. Guests with a disability card get in
at half price, as do pupils. The sauna is open to guests over 16 and closed on Tuesdays. Diving is
prohibited in the shallow basin. Glass bottles are kept out of the pool area. The slide is out of
use when it thunders. Barbecues are not tolerated on the lawn. Towels are rented for 2 euros with a
deposit of 10 euros. Lost property is stored for 6 weeks and then donated. The car park is no
longer free. Swimming lessons comprise 10 units of 45 minutes. Photographs may not be taken in the
changing rooms.

## Water

The water is sampled 3 times a day. Filters are flushed weekly and exchanged every 4 years. The
large basin is heated to 26 degrees, the toddlers' basin to 32 degrees. Chlorine is delivered on
Mondays and never on weekends. The basins are drained once a year, except the sauna plunge pool,
which is drained each quarter. Only trained staff handle chlorine. Reports go to the health office
monthly.
"""

_FALSE_OF_POOL = (
    "Each lifeguard has 28 days of holiday a year",
    "Lifeguards rest for 30 minutes in every hour",
    "Overtime is paid out",
    "Overtime hours are paid in cash",
    "Holiday is granted in the school summer break",
    "Lost items are billed at 10 euros each",
    "Towels are rented for 10 euros",
    "An evening ticket costs 7 euros",
    "Season tickets can be returned for a refund",
    "The money for a season ticket is given back on request",
    "Lost property is stored for 4 weeks",
    "Lost property is sold after 6 weeks",
    "Parking is free of charge",
    "Guests may grill on the lawn",
    "The sauna is open on Tuesdays",
    "The sauna is open to guests over 12",
    "The large basin is heated to 32 degrees",
    "Filters are flushed monthly",
    "Filters are exchanged every 2 years",
    "The sauna plunge pool is drained once a year",
    "The basins are drained each quarter",
    "Chlorine is delivered on weekends",
    "Lifeguards share their lockers",
    "The pool operates the kiosk",
    "Pupils get in free",
    "A doctor's note is required on the first day",
    "Swimming lessons comprise 12 units of 45 minutes",
    "Reports go to the health office weekly",
    "The water is sampled once a day",
    "Children below 8 may come without an adult",
)

_TRUE_OF_POOL = (
    "Each lifeguard has 22 days of holiday per year",
    "Lifeguards rest for ten minutes in every hour",
    "Overtime hours aren't settled in cash",
    "Holiday is not granted during the school summer break",
    "Lost property is stored for six weeks",
    "Barbecues are not tolerated on the lawn",
    "The car park is no longer free",
    "A day ticket costs 7 euros",
    "Season tickets are not refundable",
    "Diving is not allowed in the shallow basin",
    "Filters are flushed every week",
    "Filters are exchanged every four years",
    "The large basin is heated to 26 degrees",
    "Lockers are not shared",
    "Swimming lessons comprise ten units of 45 minutes",
    "Reports go to the health office every month",
    "Only trained staff handle chlorine",
    "The water is sampled three times a day",
    "Staff who resign hand their keys in within five days",
    "The kiosk isn't run by the pool",
)

_HOSTEL = """\
# House Rules of the Tarn Valley Hostel

Beds cost 24 pounds a night, private rooms 61 pounds. Guests under 16 are put up at half price. The
front door is locked at 11:30 p.m. and the code is changed daily. Breakfast is dished up between 7
and 9:30 and is not part of the price. Sheets are changed every 3 days. Guests stay for no longer
than 14 nights in a row. Deposits of 20 pounds are handed back on departure, except where damage
was done. Cancellations within 2 days of arrival are not refunded. Cooking in the dormitories is
not tolerated. The drying room is for boots alone. Washing machines take tokens and no coins. Pets,
except guide dogs, stay outside. Wardens work 5 nights and are off for 2. Wardens have 26 days of
leave, seasonal helpers 12 days. Night work is made up for with time off and never with extra
wages. Helpers get board and lodging but no pay. Accidents go into the book within 2 hours. The
boiler is inspected each quarter by an outside engineer. Fire drills happen monthly in summer. The
hostel no longer lends out bicycles. Only the warden opens the safe. Luggage can be left for 6
hours without charge, afterwards for 2 pounds an hour.
"""

_FALSE_OF_HOSTEL = (
    "Private rooms cost 24 pounds a night",
    "Beds cost 20 pounds a night",
    "Guests under 16 stay for free",
    "Breakfast is included in the price",
    "Sheets are changed every day",
    "Sheets are changed weekly",
    "Guests may stay for 21 nights in a row",
    "Deposits of 24 pounds are handed back on departure",
    "Cancellations within 2 days of arrival are repaid",
    "Money is returned for late cancellations",
    "Guests may cook in the dormitories",
    "Washing machines take coins",
    "All pets stay outside",
    "Dogs sleep in the dormitories",
    "Seasonal helpers have 26 days of leave",
    "Wardens have 30 days of leave",
    "Night work is paid extra",
    "Helpers are paid",
    "Helpers receive wages every month",
    "The boiler is inspected monthly",
    "The hostel lends out bicycles",
    "Helpers open the safe",
    "Luggage can be left for 12 hours without charge",
    "The code is changed weekly",
)

_TRUE_OF_HOSTEL = (
    "Beds cost 24 pounds per night",
    "Sheets are changed every three days",
    "Cooking in the dormitories isn't tolerated",
    "Accidents go into the book within two hours",
    "The boiler is inspected every quarter by an outside engineer",
    "Bicycles are no longer lent out by the hostel",
    "Wardens have 26 days of leave",
    "The code is changed every day",
    "Only the warden opens the safe",
)

HANDBOOKS = (
    Probes("policies", None, FALSE_OF_POLICIES, TRUE_OF_POLICIES),
    Probes("library", _LIBRARY, _FALSE_OF_LIBRARY, _TRUE_OF_LIBRARY),
    Probes("ferry", _FERRY, _FALSE_OF_FERRY, _TRUE_OF_FERRY),
    Probes("pool", _POOL, _FALSE_OF_POOL, _TRUE_OF_POOL),
    Probes("hostel", _HOSTEL, _FALSE_OF_HOSTEL, _TRUE_OF_HOSTEL),
)
