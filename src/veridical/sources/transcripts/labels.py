"""The label of a speaker before what they say: `MARIA:`, `Tom Reed:`, `[SPEAKER_00]:`.

A sentence may begin like one ("Remember: ..."). A label that is missed costs a name; words taken
for a label would be lost, and what follows given to nobody who said it. So labels must be certain,
or come again in the file; all else stays in the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from veridical.sources.patterns import lazy

MAX_LABEL_WORDS = 4

_BRACKETED = lazy(r"\s*+(?:>>+|-)?\s*+\[([^\[\]:]{1,60}+)\]\s*+[:\uff1a]\s*+")
_PLAIN = lazy(
    r"\s*+(>>+\s*+)?([^\W_](?:[\w .'\u2019&()/-]{0,58}[\w.)])?)\s{0,3}"
    r"[:\uff1a](?:\s++|\Z|(?<=\uff1a))"
)
_CLOCK_ONLY = lazy(r"[\d:.,\s]*+")
_NUMBERED = lazy(
    r"(?i)(?:unknown )?(?:s|p|spk|speaker|voice|participant|person|caller|guest|host|interviewer|"
    r"interviewee|respondent|channel|moderator|student|witness|juror|panelist)[ _-]?\d{1,4}"
)
_ROLES = frozenset(
    "speaker host cohost co-host interviewer interviewee moderator narrator chair chairman "
    "chairwoman chairperson presenter announcer operator caller respondent participant anchor "
    "reporter translator".split()
)
_PARTICLES = frozenset("al and bin da de del der di du el la le of the van von und et y".split())
_EVERYDAY = frozenset(
    "a about above actually after again all also always an and another answer any anyway are "
    "article as ask at attention background basically because before below bonus bottom both "
    "breaking but by can case caution chapter clearly conclusion consider correct correction "
    "danger date day definition details disclaimer do does each edit eight error even every "
    "everybody everyone everything exactly example exhibit fact figure final finally first five "
    "follow for four fourth from fun get go goal good great guess he hello her here hers hi his "
    "hint history how however i idea if imagine important in information instead introduction is "
    "it item its just key last later law lesson let like listen look lunch main many maybe mind "
    "mission more most motto my myth name never new news next nine no not note nothing notice now "
    "number of ok okay on once one only option or order other our over part perhaps picture plan "
    "plus point pro problem promise proof purpose question quick quote read reason recap remember "
    "reminder result right rule second secret section see seven she simple simply six slide so "
    "solution some someone something sorry spoiler step still stop story summary surprise table "
    "task ten thank thanks that the their then there therefore these they thing think third this "
    "those thought three time tip title to today tomorrow topic translation trick truth two update "
    "version very wait warning was watch we well were what when where which while who why will "
    "wisdom with word words would yes yesterday yet you your".split()
)
"""Words that begin sentences and headings, in lower case."""


@dataclass(frozen=True, slots=True)
class Label:
    """What may be a label, and the rest of its line.

    `is_certain` where it is marked as one or names a role; else only the whole file can tell.
    """

    name: str
    rest: str
    is_certain: bool


def split_label(line: str) -> Label | None:
    """What a line begins with that may be a label; None where it is surely none.

    A name is up to `MAX_LABEL_WORDS` words in capitals, or each with a capital, without digits.
    """
    found = _BRACKETED().match(line)
    if found is not None:
        if _CLOCK_ONLY().fullmatch(found[1]):
            return None
        return Label(" ".join(found[1].split()), line[found.end() :], is_certain=True)
    found = _PLAIN().match(line)
    if found is None or not may_be_name(found[2]):
        return None
    name = " ".join(found[2].split())
    is_certain = found[1] is not None or is_role(name)
    return Label(name, line[found.end() :], is_certain)


def is_role(name: str) -> bool:
    """Whether a label says that it is one: `SPEAKER_00`, `Speaker 1`, `Interviewer`."""
    return _NUMBERED().fullmatch(name) is not None or name.casefold() in _ROLES


def may_be_name(name: str) -> bool:
    """Whether a label is written as names are, and begins with no everyday word."""
    if is_role(name):
        return True
    words = name.split()
    if len(words) > MAX_LABEL_WORDS or any(character.isdigit() for character in name):
        return False
    if _is_initial(name):
        return True
    first = words[0]
    if not first[0].isalpha() or first[0].islower() or first.casefold() in _EVERYDAY:
        return False
    return all(not word[0].islower() or word in _PARTICLES for word in words)


def _is_initial(name: str) -> bool:
    """Whether a label is one capital, as in "Q:" and "A:"."""
    return len(name) == 1 and name.isalpha() and name.isupper()


def accepted_names(labels: Sequence[Label | None]) -> frozenset[str]:
    """Which names are speakers in a file whose lines begin with `labels`, None where with none.

    Those that are certain or come again. A full name or one in capitals that comes once is one
    where every line has a label, or most have and the first and another one come again.
    """
    found = [label for label in labels if label is not None]
    counts = Counter(label.name for label in found)
    initials = {name for name in counts if _is_initial(name)}
    # Where several take turns they are speakers; alone, "I:" or a rare "A:" begins a sentence.
    is_alone = len(initials) == 1 and (2 * len(found) < len(labels) or initials == {"I"})
    doubtful = initials if is_alone else set()
    accepted = {label.name for label in found if label.is_certain or counts[label.name] > 1}
    accepted = (accepted | (initials if len(initials) > 1 else set())) - doubtful
    is_dialogue = len(counts) > 1 and len(found) == len(labels)
    is_labelled = bool(accepted) and labels[0] is not None and 2 * len(found) >= len(labels)
    if is_dialogue or is_labelled:
        accepted |= {name for name in counts if " " in name or name == name.upper()}
    return frozenset(accepted)
