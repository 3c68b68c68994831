"""The words that tell how something is meant: asked, denied, ordered, doubted, repeated.

They are compared as `text.tokens.word_key` writes them, joined by single spaces: lower case, no
apostrophes but in "we're", "we'll" and the like, which are other words without. In doubt a word is
listed: a cue that is passed over is looked for by a person, a false "met" is not.
"""

from __future__ import annotations

import re

from veridical.validation.lexicon import CARDINALS


def phrases(*listed: str) -> re.Pattern[str]:
    """A pattern that finds each of the listed phrases, regular expressions, as whole words."""
    return re.compile(rf"(?<!\S)(?:{'|'.join(listed)})(?!\S)")


def _any(words: str) -> str:
    return "|".join(sorted(words.split()))


SUBJECTS = frozenset("i we you they he she it who there".split())
"""Who does what follows; a verb after one of them is no order, and "have you" no question."""

BREAKING_OFF = frozenset(
    """
    a an the of on in at to for with from by and or but if when once until that is are was we're
    have has had do does did not no dont cant cannot unable still we i you they our your my
    will we'll going be been get getting advise confirm verify
    """.split()
)
"""Nobody ends a sentence with these. What comes after a pause, or a comma, belongs to them."""

TITLES = frozenset("mr mrs ms dr lt capt sgt st prof approx".split())
"""Their full stop ends no sentence."""

PARENTHETICAL = phrases(
    "uh|um|er|erm|ah|hm|hmm|mm|like|well|you know|at this time|right now|at the moment"
    "|repeat|i repeat|again|i say again|so far|as of now|currently|now"
)
"""Words between two commas that do not part what stands around them."""

ASIDE = re.compile(r"(?:at|by|for|in|as|of|to|on|with|despite|unfortunately)(?!\S)")
"""How words between two commas begin that part what stands around them no more than those."""

BUT = frozenset("anything all nothing none".split())
"""Before a "but" that parts nothing: "anything but clear"."""

SPLITTING = frozenset("but however although though because".split())

NUMBER = r"\d\S*|" + "|".join(sorted(CARDINALS | {"zero", "oh", "niner"}))
NUMBER_WORD = re.compile(rf"(?:{NUMBER})")
_CALLED = _any(
    """
    engine engines ladder ladders truck trucks medic medics rescue squad battalion chief chiefs
    tower tanker tender car unit units company companies crew crews team teams division group
    interior exterior attack command commander dispatch dispatcher central control base staging
    safety rit alpha bravo charlie delta all everybody everyone sir maam operations ops
    """
)
_LEADING = (
    "and|so|then|now|please|okay|ok|alright|right|yes|yeah|yep|affirmative|hey|hi|hello|uh|um|er|go"
    " ahead|just|also|this is|tenfour|ten-four|copy|copies|copied|roger|received"
    "|thanks|thank you|be advised|to|from"
)
ADDRESS = re.compile(
    rf"(?:(?>(?:{NUMBER}|{_CALLED}|{_LEADING}|\S+(?= (?:command|division)(?!\S)))(?!\S)\s*))*"
)
"""What a transmission or a clause begins with before it says anything."""

_UNIT = rf"(?:{_CALLED})(?: (?:{NUMBER}))*"
NAME = re.compile(rf"(?:{_CALLED})(?!\S)")
UNIT = re.compile(rf"(?<!\S)(?:{_CALLED}) \d+(?!\S)")
"""A unit that has a number: "Medic 3"."""

CALL = re.compile(rf"(?:\S+ )?{_UNIT} (?:(?:from|to|this is) |{_UNIT} )")
"""How a new call begins: "Command from Engine 7", "Command, Engine 7". It answers nothing."""

CALLED_YOU = re.compile(
    rf"(?:(?:{_CALLED}|{NUMBER}|to|from)\s+)+"
    r"(?:youre|youve got|youve|you have|you got|you)"
)
"""Who tells others what they have asks them, or repeats it."""


# --- Where a new statement begins in a sentence without commas ---------------------------------

RESTART = phrases(
    "(?:we|i|they|there|it|he|she) (?:now )?(?:have|has|had|are|is|was|were|got|did|do|see|found)",
    "we're|weve|ive|im|theres|theyre|theyve|its|hes|shes",
)
GOVERNING = phrases(
    _any(
        """
        think thought believe know sure certain confirm confirmed verify see tell say said saying
        advise report reports clear whether if when once until till unless that hope hear heard
        notify wait understand guess ask ensure because before after what how where who why
        otherwise then else minute minutes
        """
    ),
)
"""Words that make what follows a part of what they say: "I do not think that we have ..."."""

AUXILIARIES = frozenset(
    "do does did have has had are is was were can could will would should am may might".split()
)

PERFECT = frozenset(
    "hasnt havent isnt arent wasnt werent didnt cant cannot couldnt wont dont doesnt".split()
)

# --- Asked -------------------------------------------------------------------------------------

_ASKING = "do|does|did|have|has|had|are|is|was|were|can|could|will|would|should|may|arent|isnt"
INVERTED = phrases(
    rf"(?:{_ASKING}|dont|didnt|havent|wont|cant|couldnt|wouldnt)"
    r" (?:you|we|they|anyone|anybody|any|i|he|she|it|somebody|someone)"
)
INVERTED_FIRST = re.compile(
    rf"(?:{_ASKING}) (?:the|there|your|that|this|it|all|my|our|everyone|everybody)(?!\S)"
)
ASKING_FIRST = re.compile(
    r"(?:do|does|did|has|are|is|was|can|could|will|would|should|may|any|anyone|anybody|which|who"
    r"|whos|where|wheres|how|hows|why|whats|what(?! (?:we|weve|we're|i|ive)(?!\S)))(?!\S)"
)
ASKING_AFTER_NAME = re.compile(
    r"(?:any|anyone|anybody|which|who|whos|where|wheres|how|hows|why|whats"
    r"|what(?! (?:we|weve|we're|i|ive)(?!\S)))(?!\S)"
)
WONDERING = phrases(
    r"(?:what|whats|how|hows|why)(?! (?:we|weve|we're|i|ive|im|about)(?!\S))",
    r"(?:status|update|progress|word|eta|report) (?:on|of|for)|whether|wondering",
    r"did you say|any (?:word|sign|update|luck)",
)
CHECKING = phrases("confirm|confirming|verify|verifying|check|double check|clarify")
TAGS = re.compile(
    r"(?:right|correct|yeah|huh|eh|yes or no|is (?:that|this) \S+|isnt (?:it|that)\b.*|am i right"
    r"|do you agree|(?:\S+ )?or (?:not|no(?: \S+)?)|true|(?:\S+ )?question mark)"
)

# --- Repeated ----------------------------------------------------------------------------------

ACKNOWLEDGING = phrases(
    "copy|copies|copied|copying|roger|received|receiving|acknowledged|acknowledge|acknowledges"
    "|understood|understand|understands|okay|ok|104|10 4|ten four|got it|got that|got you|wilco"
    "|thanks|thank you|alright|all right|noted|hear you|read you|loud and clear"
    rf"|per (?:{_CALLED})"
)
AGREEING = phrases("yes|yeah|yep|yes sir|yes maam|affirm|affirmative|aye|will do|on it")
"""Acknowledgements of an order; to a question they are the answer."""

TAKING_NOTE = phrases(
    r"(?:copy|copies|copied|copying|roger|received|receiving|acknowledges?|acknowledged"
    r"|understands?"
    r"|understood|noted|hear|read)(?: (?:that|the|your|you have|youve got|youve|youre|you|on))*"
)
"""Acknowledgements that take what is acknowledged for their object: "copy water on the fire"."""

FIRST_PERSON = phrases("we|i|we're|weve|ive|im|our|my|us|me")

# --- One thing in the place of another ---------------------------------------------------------

CHANGING = phrases(
    "going|switch|switching|switched|change|changing|changed|transition|transitioning|transitioned"
    "|moving to|move to|correction|instead|now|no longer|upgrade|upgrading|downgrade|downgrading"
    "|declaring|becoming|converting|from here on"
)
CORRECTING = phrases("correction|i misspoke|i was wrong|my mistake|disregard|i stand corrected")
