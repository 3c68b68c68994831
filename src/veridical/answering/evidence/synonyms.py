"""Words that say the same in the policies of an organisation, where vectors of words do not tell.

A question is put in everyday words ("my boss", "time off", "a doctor's note"), a policy in those of
an office ("line manager", "leave", "medical certificate").
"""

from __future__ import annotations

import re
from types import MappingProxyType

from veridical.judging.words import stem

_GROUPS = """
    vacation holiday pto leave annual
    sick ill illness sickness unwell
    doctor medical physician
    note certificate attestation
    boss manager supervisor superior
    employee staff worker colleague coworker teammate
    company employer organisation organization firm cooperative
    reimburse repay refund claim expense
    reimburse pay cover contribute
    pay paid salary wage paycheck payroll remuneration
    money amount payment sum
    quit resign resignation leave depart
    fire dismiss dismissal terminate termination redundant redundancy
    severance redundancy
    baby child newborn birth
    mother father parent mum dad
    mother father parent brother sister spouse relative family
    dies death die bereavement funeral deceased
    maternity paternity parental
    laptop computer notebook device
    phone telephone mobile cell smartphone
    phone mobile smartphone tablet device
    email mail message
    text sms message
    bully bullying harass harassment
    keep retain retention store kept
    remote remotely home telework teleworking telecommute
    abroad overseas foreign international country
    deadline limit latest within
    limit maximum cap highest most ceiling
    maximum most least minimum
    enrol enroll enrolment enrollment join register sign
    buy purchase order procure
    broken damage break defective
    lose lost stolen theft loss
    wireless wifi network
    password passphrase credential
    login signin logon attempt
    meal food dinner lunch breakfast
    hotel lodging accommodation room
    trip travel journey
    car vehicle mileage drive
    flight fly plane airline
    pension retirement
    insurance cover coverage insured
    job position role post
    hire recruit recruitment employ
    rehire again
    training course learning education
    tuition degree university
    start begin beginning commence
    end finish stop expire
    first initial
    last final
    permit allow approve authorise authorize consent permission
    forbid prohibit ban forbidden prohibited
    disclose declare reveal tell report notify inform
    report raise complain complaint concern
    gift present
    need require must necessary
    request ask apply application
    advance before beforehand ahead
    delete erase destroy dispose
    secret confidential confidentiality
    leak breach incident disclosure
    visitor guest
    badge pass card
    tax taxation
    yearly annual annually year
    monthly month
    weekly week
    daily day
    quarterly quarter
    compensation bereavement severance
    compensation pay
    fee cost price charge
    bonus premium award
    share percentage percent proportion part
    probation trial
    overtime extra
    carry carryover carried roll rollover
    unused remaining leftover
    return hand back
    borrow loan lend lent
    anonymous anonymously identity
    whistleblower whistleblowing
    weekend saturday sunday
    reply answer respond response hear
    decide decision approve
    handle investigate process deal
    talk speak discuss conversation
    film movie video
    jury court
    grant allow give granted
    print printing printer
    suspicious phishing
    participation voluntary optional mandatory compulsory attend
    switch remove disable revoke deactivate block
    call phone telephone dial hotline
    paste pasted enter entered type insert upload
    sign signature signatory
    hand submit submitted enter entered
    simulated simulation test
    electricity energy
    internet broadband
    social media
    supplier vendor contractor
    charity volunteer
    nursery childcare
"""

_PHRASES = (
    (re.compile(r"\b(?:time|days?) off\b", re.IGNORECASE), "leave"),
    (re.compile(r"\be-mail", re.IGNORECASE), "email"),
    (re.compile(r"\bwi-fi\b", re.IGNORECASE), "wifi"),
    (re.compile(r"\b(?:sign|log)(?:ged|ging|s)?[ -](?:in|on)(?:s?)\b", re.IGNORECASE), "login"),
    (re.compile(r"\btime limits?\b", re.IGNORECASE), "deadline"),
    (re.compile(r"\b(?:takes?|taking|took|taken) part\b", re.IGNORECASE), "participation"),
    (
        re.compile(r"\bnew (?:hire|starter|joiner|recruit)(?=s?\b)", re.IGNORECASE),
        "new employee",
    ),
    (re.compile(r"\bpassed? away\b", re.IGNORECASE), "death"),
)


def _read_groups() -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(_GROUPS.strip().splitlines()):
        for word in line.split():
            groups.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in groups.items()}


GROUPS = MappingProxyType(_read_groups())
"""The groups that the stem of a word belongs to, by number."""


def with_plain_phrases(text: str) -> str:
    """A text with phrases that stand for one word replaced by it."""
    for pattern, word in _PHRASES:
        text = pattern.sub(word, text)
    return text
