"""Words of English that several modules of speech go by. Each list is the one place for its words.

The words are keys of `veridical.text.spoken`: lower case, without apostrophes.
"""

from __future__ import annotations

from collections.abc import Sequence

_COMMON = frozenset(
    """
    the of to and that is it its you your with this for have are be not but they what when from
    there which would about been will their she his her our than my we i do dont how all one
    """.split()
)
"""Words that stand in every English speech and, most of them, in no other language."""

_LEAST_SHARE = 1 / 10
_TOO_FEW_TO_TELL = 12


def reads_as_english(keys: Sequence[str], language: str | None = None) -> bool:
    """Whether rules about English words apply: by the named language, else by its common words."""
    if language:
        name = language.strip().casefold()
        return name == "english" or name.replace("_", "-").split("-")[0] in ("en", "eng")
    if len(keys) < _TOO_FEW_TO_TELL:
        return all(key.isascii() for key in keys)
    return sum(key in _COMMON for key in keys) >= _LEAST_SHARE * len(keys)


IMPERATIVES = frozenset(
    """
    add aim allow answer ask begin bring breathe build call carry change check choose climb close
    come connect consider continue count cut decide describe divide do drop end explore face feel
    fill find finish follow forgive get give go guide hand hear help hold imagine invite join keep
    learn leave let lets lift linger listen look lower make mark meet move name offer open paint
    pause pick picture place plan plant play practise practice prepare put raise reach read record
    rehearse remember repeat replace rest return say see send set share shorten show slow smile
    speak split stand start stay step stop swap take talk tell think tie trim try turn use vary
    visit vote wait walk warm watch work write
    """.split()
)
"""Verbs with which one asks somebody to do something."""

NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"
)
