"""The words that tell how something is meant: asked, denied, ordered, doubted, repeated.

The tables of `phrases.txt` are regular expressions of any of their phrases, compared as
`text.tokens.word_key` writes words, joined by single spaces: lower case, no apostrophes but in
"we're", "we'll" and the like, which are other words without. In doubt a word is listed: a cue that
is passed over is looked for by a person, a false "met" is not.
"""

from __future__ import annotations

import re
from pathlib import Path

from veridical.scoring.offline.heard import BREAKING_OFF, EMPTY_WORDS, SPOKEN_NUMBERS
from veridical.text.lexicon import english
from veridical.validation.lexicon import NEGATIONS


def _tables() -> dict[str, str]:
    text = Path(__file__).with_name("phrases.txt").read_text("utf-8").strip()
    tables = (part.split("\n") for part in text.split("\n\n"))
    listed = {name.strip("[]"): "|".join(lines) for name, *lines in tables}
    named = {"@called": listed["called"], "@number": NUMBER}
    return {
        name: re.sub("@[a-z]+", lambda found: named[found[0]], phrases)
        for name, phrases in listed.items()
    }


NUMBER = r"\d\S*|" + "|".join(sorted(SPOKEN_NUMBERS))
_OF = _tables()


def _anywhere(*listed: str) -> re.Pattern[str]:
    """A pattern that finds each of the listed phrases as whole words."""
    return re.compile(rf"(?<!\S)(?:{'|'.join(listed)})(?!\S)")


def _whole(*listed: str) -> re.Pattern[str]:
    """The same where one of them is all that there is, but for names."""
    return re.compile(rf"\A{_ADDRESS}(?:{'|'.join(listed)})\s*\Z")


def _first(*listed: str) -> re.Pattern[str]:
    """The same where one of them stands first, but for names."""
    return re.compile(rf"\A{_ADDRESS}(?:{'|'.join(listed)})(?!\S)")


def _words(name: str) -> frozenset[str]:
    return frozenset(_OF[name].split("|"))


_CALLED = _OF["called"]
_ADDRESS = (
    rf"(?:(?:{NUMBER}|{_CALLED}|{_OF['leading']}|\S+(?= (?:command|division)(?!\S)))(?!\S)\s*)*+"
)
"""What a transmission or a clause begins with before it says anything."""

ADDRESS = re.compile(_ADDRESS)
UNIT = re.compile(rf"(?<!\S)(?:{_CALLED}) \d+(?!\S)")
"""A unit that has a number: "Medic 3"."""

_UNIT = rf"(?:{_CALLED})(?: (?:{NUMBER}))*"
CALL = re.compile(rf"(?:\S+ )?{_UNIT} (?:(?:from|to|this is) |{_UNIT} )")
"""How a new call begins: "Command from Engine 7", "Command, Engine 7". It answers nothing."""

SUBJECTS = english("subjects") | {"who", "there"}
"""Who does what follows; a verb after one of them is no order, and "have you" no question."""

_OF_NOBODY = "".join(rf"(?<!\b{subject} )" for subject in sorted(SUBJECTS))
FIRST_PERSON = _anywhere(_OF["first person"])
AUXILIARIES = english("be", "have", "do", "modals") - {"must", "shall"}
DENYING_VERBS = _words("denying verbs")
BARE_VERBS = _words("verbs") | _words("verbs that are nouns too")

# --- What is asked, denied, planned, doubted ---------------------------------------------------

QUESTION = (
    re.compile(
        r"\A(?:(?:and|so|okay|ok|copy|well) )*(?:do|does|did|has|are|is|was|can|could|will|would"
        rf"|should|may|{_OF['asked of']})(?!\S)"
    ),
    _first(
        rf"(?:{_OF['asking']}) (?:the|there|your|that|this|it|all|my|our|everyone|everybody)",
        _OF["asked of"],
    ),
    _anywhere(
        rf"(?<!\bto ){_OF_NOBODY}(?:{_OF['asking']}|dont|didnt|havent|wont|cant|couldnt|wouldnt)"
        r" (?:you|we|they|anyone|anybody|any|i|he|she|it|somebody|someone)",
        r"(?:whats?|hows?|why)(?! (?:we|weve|we're|i|ive|im|about)(?!\S))",
        "(?:status|update|progress|word|eta|report) (?:on|of|for)|whether|wondering",
        "did you say|any (?:word|sign|update|luck)",
    ),
)
CHECKING = _anywhere(
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )(?<!\bi can )(?<!\bwe can )(?<!\bim )(?<!\bwe're )"
    r"(?<!\bcannot )(?<!\bcant )"
    "(?:confirm|confirming|verify|verifying|check|clarify)"
)
TAG = re.compile(f"(?:{_OF['tags']})")
TO_CHECK = ("to confirm", "to verify", "to check")
GOVERNING = _anywhere(_OF["governing"])
"""Words that make what follows a part of what they say: "I do not think that we have ..."."""

DENIED = _anywhere(
    "|".join(sorted(re.escape(word) for word in NEGATIONS if len(word) > 1)), _OF["denied"]
)
HARMLESS = re.compile(
    r"(?<!\S)(?:no (?:doubt|problems?|worries|later)|not only"
    r"|(?:we|i|they|he|she) (?:were|was|have been|has been|are now|is now) able to)(?!\S)"
)
"""What only looks like a denial, or like a plan."""

NO_ALONE = _whole(_OF["no"])
DENIED_AFTER = re.compile(
    rf"\A(?:(?!(?:{'|'.join(sorted(SUBJECTS))}|we're|weve|ive|im|and|with)(?!\S))\S+ ){{0,3}}"
    "(?:not|never|unable|impossible|failed|lost|negative|denied|cancell?ed|delayed"
    rf"|hadnt|{'|'.join(sorted(DENYING_VERBS))})(?!\S)"
)
"""A "not" so near behind is that of the words: "water on the fire is not established"."""

DENIED_NEXT = re.compile(
    r"\A(?:(?:(?:thats a )?negative|nope|not|(?:oh )?no)\Z|(?:oh )?no (?:wait|not|stand|sorry"
    r"|actually|hold|hang|cancel|scratch|that|we|i|it|its|he|she|they|they're|you)(?!\S)"
    r"|(?:(?:is|are|was|were|has|have|had) (?:not|never|no longer)"
    r"|isnt|arent|wasnt|werent|hasnt|havent)(?!\S)|not (?!\S+ing(?!\S))"
    rf"|(?:(?:can|will|do|does|did) not|{'|'.join(sorted(DENYING_VERBS))})"
    r"(?:\Z| (?:confirm|verify|say|tell|yet|be|work|happen|count|apply)(?!\S)))"
)
EXCEPTED = re.compile(
    r"\A(?:\S+ ){0,2}?(?:bar(?:ring)?|save(?: for)?|minus|except(?:ing)?|excluding|(?:all )?but"
    r" (?:for|one|two|three)|(?:apart|aside) from|other than|besides)(?! (?:that|this))(?!\S)"
    r"|\Abut(?: \S+){1,3}\Z(?<! too)(?<! also)"
    r"|\A(?:is |are |was |were )?(?:off the table|out of the question|in doubt|my foot|my eye"
    r"|like hell)(?!\S)"
)
"""What follows is left out ("accounted for, bar one"), or all of it is."""

LOST_AGAIN = _anywhere(_OF["lost again"])
WITHDRAWN = re.compile(
    r"\A(?:(?:oh |uh |ah |no |wait )*(?:sorry(?! (?:about|for|to)(?!\S))|wrong)(?!\S)"
    r"|negative(?! (?:on(?! that)|for|findings|results)(?!\S))(?!\S)"
    r"|(?:oh |uh |ah |no |but )*(?:wait(?! (?:for|on|until|till)(?!\S))|hold (?:on|that)|hang on"
    r"|stop)(?! to)(?!\S)|cancel\Z"
    r"|(?:but )?(?:that|this|it|thats|its)(?: (?:is|was))? (?:not (?:right|so|true|quite)|wrong"
    r"|incorrect|false)(?!\S)|or so (?:they|we|he|she|i|im|people)(?!\S)"
    r"|(?:uh |um |well )*(?:almost|nearly|not quite)\Z"
    rf"|(?:\S+ ){{0,3}}?(?:{_OF['taking back']})(?!\S))"
)
"""How a clause or sentence begins that takes back what was said before it."""

WITHDRAWN_LATER = re.compile(
    r"\A(?:\S+ ){0,4}?(?:(?:strike|disregard|belay|cancel|scratch) (?:my last|the last|that)"
    r"|i take (?:that|it) back)(?!\S)"
)
"""The same when somebody else has spoken in between."""

PUT_RIGHT = re.compile(r"\A(?:\S+ ){0,3}?(?:correction|negative)(?!\S)")
CORRECTED = _anywhere("not|no longer|isnt|arent|wasnt|werent|hasnt|havent|never")
"""With the words of before, of which `PUT_RIGHT` needs one and these need most."""

MOST_OF = 2 / 3

CONDITION = _anywhere(_OF["conditions"], _OF["conditions inside"])
CONDITION_AFTER = _anywhere("if|unless|until|till|once|whenever|when|as soon as|in case|pending")
CONDITION_FIRST = _first(_OF["conditions"], "should|had (?:it|we|i|you|they|he|she|the|this|that)")
"""Those that hold for the clauses after their own too."""

CONDITION_NEXT = _first(_OF["conditions"], "pending|subject to|depending")
"""Those that a clause of its own may add: "it is approved, pending review"."""

FUTURE = _anywhere(_OF["future"])
TO_DO = _anywhere(
    r"(?<!\bable )(?<!\bmanaged )(?<!\bmanaging )(?<!\bgot )(?<!\bhappy )(?<!\bglad )"
    rf"to (?:(?:\S+ly|then|now) )?(?:{'|'.join(sorted(BARE_VERBS))})"
)
LATER_ANYWHERE = _anywhere(_OF["later"])
LATER_FIRST = re.compile(rf"(?:{_OF['would']}|{_OF['later']})(?!\S)")
AT_ONCE = "(?:right )?now|at once|immediately|asap"
"""At the end of a call, after a comma: "water on the fire, now" is an order."""

IS_GIVEN, GIVEN_FIRST = _whole(_OF["given"]), _first(_OF["given"])
"""What gives somebody something to do: "your job is", "you've got the roof"."""

PICKED = _anywhere(_OF["picked"])
"""Whose being somewhere is what picks them: "the first unit on scene will take command"."""

ORDER = (
    _anywhere(rf"{_OF_NOBODY}(?:{_OF['orders']})"),
    # Verbs that are nouns too, where an order begins.
    re.compile(
        rf"(?:\A|(?<!\S)(?:and|then|so|now|please|or) ){_ADDRESS}"
        rf"(?:{_OF['verbs']}|report(?! of)|attack)(?!\S)"
    ),
)
DOUBTED, DOUBT_ALONE = _anywhere(_OF["doubts"]), _whole(_OF["doubts"])
PRETENDED = _anywhere(_OF["pretended"])

# --- One thing in the place of another, or repeated --------------------------------------------

CHANGING, CORRECTING = _anywhere(_OF["changing"]), _anywhere(_OF["correcting"])
ACKNOWLEDGING = _anywhere(_OF["acknowledged"], _OF["acknowledging"])
AGREEING = _anywhere(_OF["agreeing"])
"""Acknowledgements of an order; to a question they are the answer."""

TAKING_NOTE = _anywhere(
    rf"(?:{_OF['acknowledged']}|hear|read)"
    "(?: (?:that|the|your|you have|youve got|youve|youre|you|on))*"
)
"""Acknowledgements that take what is acknowledged for their object: "copy water on the fire"."""

# --- Where a clause ends, and what may stand beside a cue that is said plainly ------------------

STOP = re.compile(r"[,;:()\u2013\u2014]|(?<!\S)-+(?!\S)|\.\.|\u2026|[.?!]")
PARENTHETICAL = re.compile(f"(?:{_OF['parenthetical']})")
"""Words between two commas that do not part what stands around them."""

ASIDE = re.compile(r"(?:at|by|for|in|as|of|to|on|with|despite|unfortunately)(?!\S)")
"""How words between two commas begin that part what stands around them no more than those."""

SPLITTING = frozenset("but however although though because".split())
UNSPLIT = frozenset("anything all nothing none".split())
"""Before a "but" that parts nothing: "anything but clear"."""

MOST_UNKNOWN = 2
"""Unknown words before a cue that may say more of it: "second floor". More say something else."""

KNOWN_BEFORE = EMPTY_WORDS | _words("known before")
"""Words by which a speaker says that something is so: "we now have", "I can confirm that"."""

GOES_ON = re.compile(rf"(?:{_OF['goes on']})(?!\S)")
"""How a clause may go on behind a cue and leave it what it is."""

PARTICLES = frozenset("off out on up down in over through back".split())
AFTER_PARTICLE = re.compile(rf"(?:{_OF['after particle']})(?!\S)")
"""The same behind a particle, of which the next word may make another verb: "out of", "off to"."""

TAKES_MORE = (BREAKING_OFF | BARE_VERBS | {"you", "me", "him", "them", "us", "over"}) - frozenset(
    "clear complete open secure control search report".split()
)
"""Words that a cue ends with to be gone on from, with whatever comes."""
