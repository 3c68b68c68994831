"""Words whose change changes the meaning of a quote. Each list is the one place for its words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from veridical.text.lexicon import english, pairs

NEGATIONS = english("negations") | frozenset(
    """
    neither nor without nothing nowhere hardly barely scarcely rarely seldom non unless except
    excluding lacks lack fails fail
    aint arent cant couldnt darent didnt doesnt dont hadnt hasnt havent isnt mightnt mustnt neednt
    oughtnt shant shouldnt wasnt werent wont wouldnt
    nicht kein keine keinen keinem keiner keines nie niemals ohne weder
    ne pas jamais aucun aucune sans ni
    nunca jamas ningun ninguna ninguno sin tampoco
    mai nessun nessuno nessuna senza
    nao nenhum nenhuma sem
    niet geen nooit zonder inte ingen aldrig ikke aldri utan uten
    """.split()
)

RESTRICTIONS = frozenset(
    """
    only if provided providing subject unlikely unable refuse refused refuses refusing prohibit
    prohibited prohibits forbid forbids forbidden deny denied denies cease ceased false wrong
    allegedly
    """.split()
)
"""Words that an ellipsis may not take out of the sentence that it keeps."""

OPPOSITES = pairs("opposites")


def by_word(opposed: Iterable[Iterable[str]]) -> dict[str, frozenset[str]]:
    """Words of pairs with all that they are paired with."""
    both = [pair for one, other in opposed for pair in ((one, other), (other, one))]
    found = groupby(sorted(both), key=itemgetter(0))
    return {word: frozenset(other for _, other in others) for word, others in found}


_OPPOSITES_OF = by_word(OPPOSITES | pairs("opposites-in-quotes"))


def opposites_of(word: str) -> frozenset[str]:
    """What may not stand in a quote in place of a word, or of its plural or possessive: its
    partners in `OPPOSITES`, which oppose each other wherever they stand in two sentences, and in
    the list of those that do so only in each other's place.
    """
    return _OPPOSITES_OF.get(word) or _OPPOSITES_OF.get(singular(word), frozenset())


def singular(word: str) -> str:
    """A word without the `s` of a plural or possessive."""
    return word.removesuffix("s")


MODALS = {
    **dict.fromkeys(("may", "can", "might", "could"), "may"),
    **dict.fromkeys(("must", "shall", "will"), "must"),
    **dict.fromkeys(("should", "would"), "should"),
}
"""Words that permit, bind or advise, each with the one that stands for its kind."""

NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "mis", "anti", "counter", "de")

DENYING_BEFORE_HYPHEN = frozenset({*NEGATIVE_PREFIXES, "ex", "pseudo", "quasi"})
"""What denies a word that it is joined to by a hyphen."""

NOT_DENIED: dict[str, tuple[str, ...]] = {
    prefix: tuple(beginnings.split())
    for prefix, beginnings in {
        "un": "animous der iq ion ison it iver less til",
        "non": "etheless",
        "in": "ch clu come coming creas crement curr dee dex dic dividu dust fant ference ferior "
        "ferr flat flic flu format formed forming forms gred habit herit herent hibit iti ject jur "
        "let mate ner nov put quir sert side sight sist spect spir stall stan stead stit struct "
        "strum sul sura sure surg teg tel ten ter tim tro vent vest vit voic volv ward",
        "im": "age agi bu med mens mig mun pact pair ped pend peri pet plem pli ply port pose posi "
        "pres pris prov pul put",
        "il": "lness lum lus",
        "ir": "onic rig rit",
        "dis": "aster chan ciplin count cover cret crim cuss ease mal may miss patch pens perse "
        "play posa pose posi put sem sert solv tan tinc tort tress trib tric turb",
        "mis": "cell chie sion sile sing tak ter",
        "anti": "cip que qui",
        "counter": "part",
    }.items()
}
"""How words go on after a prefix that denies nothing in them: under, include, discuss, ..."""

DENIED_BY_DE = ("activat", "certif", "classif", "commission", "centrali", "regulat")
"""How words go on after `de` where it does deny them, which is seldom."""

NUMBERS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
} | {
    word: 10 * value
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
"""Words that are a number by themselves, each with its value."""

ONES = frozenset(word for word, value in NUMBERS.items() if 0 < value < 10)
TENS = frozenset(word for word, value in NUMBERS.items() if value >= 20)
MAGNITUDES = frozenset("hundred thousand million billion trillion".split())
CARDINALS = MAGNITUDES | NUMBERS.keys() - {"zero"}
"""Words that stand beside each other in one number: two hundred (and) twenty-five."""

NUMBER_WORDS = (
    MAGNITUDES
    | NUMBERS.keys()
    | frozenset(
        """
        dozen score half halves third thirds quarter quarters fifth
        sixth seventh eighth ninth tenth first second fourth eleventh twelfth thirteenth fourteenth
        fifteenth twentieth thirtieth once twice thrice double triple quadruple single both
        hundreds thousands millions billions dozens
        null ein eine eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf hundert tausend
        un deux trois quatre cinq six sept huit neuf dix onze douze cent mille
        uno dos tres cuatro cinco seis siete ocho nueve diez cien ciento mil
        """.split()
    )
)

UNITS = english("units")

DATE_WORDS = english("months", "months-cut-short", "weekdays") | frozenset(
    """
    mon tue tues wed thu thur thurs fri sat
    sun today tomorrow yesterday tonight spring summer autumn winter
    januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag
    samstag sonntag janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    """.split()
)

AMBIGUOUS_DATE_WORDS = frozenset({"may", "march", "mar", "sat", "sun", "spring"})
"""Words that are a date only when written with a capital, inside a sentence or beside a number."""

CONFUSABLE = pairs("confusable")
"""Pairs one slip apart that are both words: never taken for a misspelling."""
