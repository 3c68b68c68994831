"""Does a text say a word of something, or does the word only qualify a noun in it?

"The alarm was false" says that something is false. "False alarms must be reported" does not, and
"This is false." behind it denies it all the same.
"""

from __future__ import annotations

import re

_BE = (
    r"(?:is|are|was|were|be|been|being|gets?|got|becomes?|became|remains?|proved?|proves"
    r"|(?:isn|aren|wasn|weren)['\u2019]t)"
)
_ADVERBS = (
    r"(?:(?:not|never|no longer|now|also|already|since|later|then|again|all|both|simply|quite|just"
    r"|only|\w+ly),? )*"
)
_ARTICLE = r"(?:(?:an?|the) (?:[\w-]+ )?)?"
_NO_NOUN_FOLLOWS = (
    r"(?=\W*$|[.,;:!?)]| (?:that|to|and|or|but|because|since|if|when|as|by|in|on|for|of|from|at"
    r"|after|before|\d+)\b)"
)
_OBJECT = (
    r"(?= (?:the|an?|this|that|these|those|it|its|their|his|her|our|all|any|both|every|them)\b)"
)


def is_predicated(text: str, stem: str) -> bool:
    """Whether a text says a word that begins with `stem` of something: "was rejected last year",
    "is a myth", "rejected the plan".
    """
    word = rf"{re.escape(stem)}\w*"
    ways = (
        rf"\b{_BE} {_ADVERBS}{word}(?<=ed|wn|ck)\b",
        rf"\b{_BE} {_ADVERBS}{_ARTICLE}{word}{_NO_NOUN_FOLLOWS}",
        rf"\b{word}{_OBJECT}",
    )
    line = " ".join(text.split())
    return any(re.search(way, line, re.IGNORECASE) for way in ways)
