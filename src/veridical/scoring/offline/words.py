"""The words that tell how something is meant: asked, denied, ordered, doubted, repeated.

They are compared as `text.tokens.word_key` writes them, joined by single spaces: lower case, no
apostrophes but in "we're", "we'll" and the like, which are other words without. In doubt a word is
listed: a cue that is passed over is looked for by a person, a false "met" is not.
"""

from __future__ import annotations

import re

from veridical.scoring.offline.heard import BREAKING_OFF, EMPTY_WORDS, SPOKEN_NUMBERS
from veridical.text.lexicon import english
from veridical.validation.lexicon import NEGATIONS

# --- Words of which the rules are made ---------------------------------------------------------


def _anywhere(*listed: str) -> re.Pattern[str]:
    """A pattern that finds each of the listed phrases, regular expressions, as whole words."""
    return re.compile(rf"(?<!\S)(?:{'|'.join(listed)})(?!\S)")


def _whole(*listed: str) -> re.Pattern[str]:
    """The same where one of them is all that there is, but for names."""
    return re.compile(rf"\A{_ADDRESS}(?:{'|'.join(listed)})\s*\Z")


def _first(*listed: str) -> re.Pattern[str]:
    """The same where one of them stands first, but for names."""
    return re.compile(rf"\A{_ADDRESS}(?:{'|'.join(listed)})(?!\S)")


NUMBER = r"\d\S*|" + "|".join(sorted(SPOKEN_NUMBERS))
_CALLED = (
    "engines?|ladders?|trucks?|medics?|rescue|squad|battalion|chiefs?|tower|tanker|tender|car"
    "|units?|company|companies|crews?|teams?|division|group|interior|exterior|attack|command"
    "|commander|dispatch|dispatcher|central|control|base|staging|safety|rit|alpha|bravo|charlie"
    "|delta|all|everybody|everyone|sir|maam|operations|ops"
)
_LEADING = (
    "and|so|then|now|please|okay|ok|alright|right|yes|yeah|yep|affirmative|hey|hi|hello|uh|um|er"
    "|go ahead|just|also|this is|tenfour|ten-four|copy|copies|copied|roger|received|thanks"
    "|thank you|be advised|to|from"
)
_ADDRESS = rf"(?:(?:{NUMBER}|{_CALLED}|{_LEADING}|\S+(?= (?:command|division)(?!\S)))(?!\S)\s*)*+"
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
FIRST_PERSON = _anywhere("we|i|we're|weve|ive|im|our|my|us|me")
AUXILIARIES = english("be", "have", "do", "modals") - {"must", "shall"}
DENYING_VERBS = frozenset(
    "hasnt havent isnt arent wasnt werent didnt cant cannot couldnt wont dont doesnt".split()
)
_VERBS = (
    "start|begin|complete|establish|conduct|perform|initiate|provide|deploy|assign|switch|move"
    "|continue|check|search|call|hold|stage|assist|open|vent|ventilate|secure|stretch|advance"
    "|cover|evacuate|leave|meet|stand|use|set|charge|flow|hit|knock|find|locate|confirm|verify"
    "|make|do|be|announce|declare|say|read|repeat|state|offer|apply|process|issue"
)
BARE_VERBS = frozenset(
    f"{_VERBS}|have|get|put|take|give|go|bring|send|keep|tell|report|attack|assume|pull|lay"
    "|extinguish|contain|control|clear|gain|force|enter|rescue|remove|protect|refund|credit|cancel"
    "|transfer|schedule|book|resolve|fix|pass|see".split("|")
)
RESTART = _anywhere(
    "(?:we|i|they|there|it|he|she) (?:now )?(?:have|has|had|are|is|was|were|got|did|do|see|found)",
    "we're|weve|ive|im|theres|theyre|theyve|its|hes|shes",
)
"""Where a new statement begins in a clause without commas."""

# --- What is asked, denied, planned, doubted ---------------------------------------------------

_ASKING = "do|does|did|have|has|had|are|is|was|were|can|could|will|would|should|may|arent|isnt"
_NOT_OF_WHAT = r"what(?! (?:we|weve|we're|i|ive)(?!\S))"
_ASKED_OF = "any|anyone|anybody|which|who|whos|where|wheres|hows?|why|whats|" + _NOT_OF_WHAT
QUESTION = (
    re.compile(
        r"\A(?:(?:and|so|okay|ok|copy|well) )*(?:do|does|did|has|are|is|was|can|could|will|would"
        rf"|should|may|{_ASKED_OF})(?!\S)"
    ),
    _first(
        f"(?:{_ASKING}) (?:the|there|your|that|this|it|all|my|our|everyone|everybody)", _ASKED_OF
    ),
    _anywhere(
        rf"(?<!\bto ){_OF_NOBODY}(?:{_ASKING}|dont|didnt|havent|wont|cant|couldnt|wouldnt)"
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
TAG = re.compile(
    r"(?:right|correct|yeah|huh|eh|yes or no|is (?:that|this) \S+|isnt (?:it|that)\b.*|am i right"
    r"|do you agree|(?:\S+ )?or (?:not|no(?: \S+)?)|true|(?:\S+ )?question mark)"
)
GOVERNING = _anywhere(
    "think|thought|believe|know|sure|certain|confirm|confirmed|verify|see|tell|say|said|saying"
    "|advise|reports?|clear|whether|if|when|once|until|unless|that|hope|hear|heard|notify|wait"
    "|understand|guess|ask|ensure|because|before|after|what|how|where|who|why|otherwise|then|else"
    "|minutes?|till"
)
"""Words that make what follows a part of what they say: "I do not think that we have ..."."""

DENIED = _anywhere(
    "|".join(sorted(re.escape(word) for word in NEGATIONS if len(word) > 1)),
    "unable|negative(?! pressure)|nope|lost|lose|losing|failed|failing|failure|refuses?|refused"
    "|denied|disregard|cancels?|cancell?ed|impossible|false|wrong|incorrect|instead of|anything but"
    "|doubt|doubtful|doubts|rather than|out of|zero|lacking|missing|yet to|short of|far from|stop"
    "|stopped|too late|too early|(?:held|hold|holding) off|avoid|avoided|avoiding|delayed|delay"
    r"|late|forgot|forgotten|forget|ran out|aborted|abort|aborting|too \S+ (?:\S+ )?(?:for|to)",
)
HARMLESS = re.compile(
    r"(?<!\S)(?:no (?:doubt|problems?|worries|later)|not only"
    r"|(?:we|i|they|he|she) (?:were|was|have been|has been|are now|is now) able to)(?!\S)"
)
"""What only looks like a denial, or like a plan."""

_NO = "no|nope|negative|(?:thats a|that is) negative|no no|not"
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

_TAKING_BACK = (
    "correction|disregard|scratch that|strike (?:that|my last)|belay|cancel that|check that"
    "|i take (?:that|it) back|i misspoke|i was wrong|my mistake|false alarm|negative on that"
)
WITHDRAWN = re.compile(
    r"\A(?:(?:oh |uh |ah |no |wait )*(?:sorry(?! (?:about|for|to)(?!\S))|wrong)(?!\S)"
    r"|negative(?! (?:on(?! that)|for|findings|results)(?!\S))(?!\S)"
    r"|(?:oh |uh |ah |no |but )*(?:wait(?! (?:for|on|until|till)(?!\S))|hold (?:on|that)|hang on"
    r"|stop)(?! to)(?!\S)|cancel\Z"
    r"|(?:but )?(?:that|this|it|thats|its)(?: (?:is|was))? (?:not (?:right|so|true|quite)|wrong"
    r"|incorrect|false)(?!\S)|or so (?:they|we|he|she|i|im|people)(?!\S)"
    r"|(?:uh |um |well )*(?:almost|nearly|not quite)\Z"
    rf"|(?:\S+ ){{0,3}}?(?:{_TAKING_BACK}|wait no|no wait|i mean)(?!\S))"
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

_CONDITIONS = (
    "if|unless|until|till|once|whenever|when|as soon as|in case|provided|providing|as long as"
    "|assuming|supposing|on condition"
)
CONDITION = _anywhere(
    _CONDITIONS,
    "in the event|before|pending|after|upon|on (?:my |our |your |their )?arrival|effective"
    "|whether|the minute|the moment|by the time",
)
CONDITION_FIRST = _first(_CONDITIONS, "should|had (?:it|we|i|you|they|he|she|the|this|that)")
"""Those that hold for the clauses after their own too."""

CONDITION_NEXT = _first(_CONDITIONS, "pending|subject to|depending")
"""Those that a clause of its own may add: "it is approved, pending review"."""

FUTURE = _anywhere(
    rf"soon|(?:{NUMBER}|a few|some|any) more|after that",
    "mightve|couldve|wouldve|shouldve|mustve|[a-z]+'d|theyd|youd|itd|ideally|prefer|feel better"
    "|for(?: an?| the)?$|will|[a-z]+'ll|youll|theyll|itll|thatll|therell|shall|gonna|going to"
    "|would|could|should|might|must|wish|may",
    r"(?:can|able to)(?! (?:see|hear|confirm|report|smell|advise|tell)(?!\S))",
    "needs?|needed|wants?|wanted|requires?|required|requests?|requesting|requested|looking for"
    "|asking for|calling for|try|tries|trying|tried|attempts?|attempting|attempted|plans?|planning"
    "|planned|prepare|preparing|prepared|about to|ready (?:to|for)|working (?:on|to|towards?)"
    "|work on|stand by|standby|standing by|wait|waiting|await|awaiting|expects?|expecting|expected"
    "|eta|lets|let us|almost|nearly|getting|mak(?:e|ing) sure|ensure|hope|hoping|hopefully"
    "|supposed|scheduled|tomorrow|ought|intends?|intending|used to|close to"
    "|(?:minutes|way|out|away|off) from|ha(?:ve|s|d) to|as soon as possible|promised?|orders?"
    "|ordered|recommend|suggest|remember to|start to|otherwise|or else"
    "|(?:more|another) (?:minutes?|seconds?)|(?:minutes?|seconds?) to|starting (?:[a-z]+day|next"
    "|in|on|from)|priority|priorities|assignment|assigned|objectives?|goal|task|tasked|next step"
    "|mission|job is|next up|up next|begin(?:ning)? to|fixing to|meant to|how to|time to"
    "|en route to|heading",
)
_MANAGED = r"(?<!\bable )(?<!\bmanaged )(?<!\bmanaging )(?<!\bgot )(?<!\bhappy )(?<!\bglad )"
TO_DO = _anywhere(rf"{_MANAGED}to (?:(?:\S+ly|then|now) )?(?:{'|'.join(sorted(BARE_VERBS))})")
_ABOUT = r"in (?:about |another |approximately |around |just )*"
_LATER = (
    rf"{_ABOUT}(?:(?:\S+ ){{0,2}}(?:minutes?|seconds?|mikes?|hours?|moment)|{NUMBER})",
    "shortly|soon|momentarily|tomorrow|asap|as soon as possible|later on",
    r"next(?! (?:to|door)(?!\S))|(?:up)?on (?:(?:my|our|your|their) )?arrival",
    r"on (?:your|my|our) (?:order|command|call|mark|go|signal)",
    r"after (?:the|this|that|your|my|we|i|you)|at the end of",
)
_WOULD = "would|could|might|should|may|will|wont|needs?"
AT_ONCE = "(?:right )?now|at once|immediately|asap"
"""At the end of a call, after a comma: "water on the fire, now" is an order."""

_GIVEN = r"your \S+(?: \S+)? is|you(?:ve| have)? got|youve|you have|youre on|thats your"
"""What gives somebody something to do: "your job is", "you've got the roof"."""

PICKED = _anywhere("first|next|any|anyone|anybody|whoever|who|which|units|companies|everyone|crews")
"""Whose being somewhere is what picks them: "the first unit on scene will take command"."""

ORDER = (
    _anywhere(
        rf"{_OF_NOBODY}(?:show me|you tell me|(?:get|give|bring|send|keep|tell|notify|advise"
        r"|proceed|prepare|pull|lay)(?! (?:of|from)(?!\S))|put(?! (?:me|us)(?!\S))"
        r"|go(?! ahead(?!\S))|make|take|let|try|ensure|ask|have (?:them|him|her)|go ahead and)"
    ),
    # Verbs that are nouns too, where an order begins.
    re.compile(
        rf"(?:\A|(?<!\S)(?:and|then|so|now|please|or) ){_ADDRESS}"
        rf"(?:{_VERBS}|report(?! of)|attack)(?!\S)"
    ),
)
_DOUBTS = (
    "maybe|possibly|possible|perhaps|probably|probable|i think|we think|i thought|we thought|thinks"
    "|thinking|i believe|we believe|believes|i guess|guess|guessing|suppose|i assume|unconfirmed"
    "|allegedly|reportedly|reports? of|caller|callers|neighbou?rs?|bystanders?|supposedly"
    "|sounds like|unclear|unknown if|unsure|could be|may be|might be|said to be|rumor|partly"
    "|partially|half|drill|exercise|simulated|imagine|pretend|example|tells|telling|seems|seemed"
    "|seemingly|as if|take it|gather|chances are|think of|usually|normally|generally|typically"
    "|in principle|subject to|depending|apparently|presumably|says|said|saying|claims|claimed"
    "|homeowner|owner|hope|hoping|or at least|all but|but one|except|only|not all|some of|most of"
    "|part of|says here|told me|told us|wondered|thought|sort of|kind of|reckons?|reckoned"
    "|looks? like|looked like|odds are|in theory|in practice|states|stated|mentions?|mentioned"
    "|swears?|swore|insists?|insisted|claiming|as far as (?:i|we)(?: \\S+){1,2}"
    "|to (?:my|our) knowledge|per (?:the|a) \\S+|per (?:dispatch|pd)|according to|hard to believe"
    "|believe that|a lie|(?:was|were|been|got) told|you tell me|praying|pray|bet"
)
REPORTED = re.compile(
    r"(?<!\S)(?:is|are|was|were|reads?|says?|said|states?|goes|means|called|like|to hear)\Z"
)
"""How a clause ends whose meaning is what comes after the comma: "the list reads, ..."."""

PRETENDED = _anywhere(
    "drill|exercise|scenario|checklist|is (?:only |just )?a test|training purposes"
)

# --- One thing in the place of another ---------------------------------------------------------

CHANGING = _anywhere(
    "going|switch|switching|switched|change|changing|changed|transition|transitioning|transitioned"
    "|moving to|move to|correction|instead|now|no longer|upgrade|upgrading|downgrade|downgrading"
    "|declaring|becoming|converting|from here on"
)
CORRECTING = _anywhere("correction|i misspoke|i was wrong|my mistake|disregard|i stand corrected")

TO_CHECK = ("to confirm", "to verify", "to check")
CALLED_YOU = re.compile(
    rf"(?:(?:{_CALLED}|{NUMBER}|to|from)\s+)+(?:youre|youve got|youve|you have|you got|you)\s*"
)
NO_ALONE = _whole(_NO)
LOST_AGAIN = _anywhere(
    "lost|lose|losing|gone|burst|but|stopped|until|anymore|any more|earlier|before"
)
OTHER_IDIOM = re.compile(r"of (?:control|service|order|luck|position|date|water|air)(?!\S)")
CONDITION_AFTER = _anywhere("if|unless|until|till|once|whenever|when|as soon as|in case|pending")
IS_GIVEN, GIVEN_FIRST = _whole(_GIVEN), _first(_GIVEN)
LATER_ANYWHERE = _anywhere(*_LATER)
LATER_FIRST = re.compile(rf"(?:{_WOULD}|{'|'.join(_LATER)})(?!\S)")
LATER_ALONE = re.compile("|".join(_LATER))
DOUBTED, DOUBT_ALONE = _anywhere(_DOUBTS), _whole(_DOUBTS)

# --- Repeated ----------------------------------------------------------------------------------

_ACKNOWLEDGED = (
    "copy|copies|copied|copying|roger|received|receiving|acknowledged?|acknowledges|understood"
    "|understands?|noted"
)
ACKNOWLEDGING = _anywhere(
    _ACKNOWLEDGED,
    "okay|ok|104|10 4|ten four|got (?:it|that|you)|wilco|thanks|thank you|alright|all right"
    rf"|(?:hear|read) you|loud and clear|per (?:{_CALLED})",
)
AGREEING = _anywhere("yes|yeah|yep|yes sir|yes maam|affirm|affirmative|aye|will do|on it")
"""Acknowledgements of an order; to a question they are the answer."""

TAKING_NOTE = _anywhere(
    rf"(?:{_ACKNOWLEDGED}|hear|read)(?: (?:that|the|your|you have|youve got|youve|youre|you|on))*"
)
"""Acknowledgements that take what is acknowledged for their object: "copy water on the fire"."""


# --- Where a clause ends, and what may stand beside a cue that is said plainly ------------------

STOP = re.compile(r"[,;:()\u2013\u2014]|(?<!\S)-+(?!\S)|\.\.|\u2026|[.?!]")
PARENTHETICAL = re.compile(
    r"(?:uh|um|er|erm|ah|hm|hmm|mm|like|well|you know|at this time|right now|at the moment"
    r"|repeat|i repeat|again|i say again|so far|as of now|currently|now)"
)
"""Words between two commas that do not part what stands around them."""

ASIDE = re.compile(r"(?:at|by|for|in|as|of|to|on|with|despite|unfortunately)(?!\S)")
"""How words between two commas begin that part what stands around them no more than those."""

SPLITTING = frozenset("but however although though because".split())
UNSPLIT = frozenset("anything all nothing none".split())
"""Before a "but" that parts nothing: "anything but clear"."""


MOST_UNKNOWN = 2
"""Unknown words before a cue that may say more of it: "second floor". More say something else."""

KNOWN_BEFORE = EMPTY_WORDS | frozenset(
    """
    all both some full good now already still also again finally then okay yes well no be got do
    did can see confirm confirmed report say advise advised able managed put made thisll heres
    theres its please note checked while minute
    """.split()
)
"""Words by which a speaker says that something is so: "we now have", "I can confirm that"."""

GOES_ON = re.compile(
    r"(?:and|or|at|from|with|for|to(?! (?:me|you|us)(?!\S))|on|in|of|by order|side|here|there|now"
    r"|yet|today|again|already|yesterday|completely|fully|entirely|over|sir|maam|chief|as of"
    r"|because|so|since|while|is|are|was|were|has|have|that|this|who|which|i|we|you|\d\S*|\S+ly"
    rf"|{_CALLED})(?!\S)"
)
"""How a clause may go on behind a cue and leave it what it is."""

PARTICLES = frozenset("off out on up down in over through back".split())
AFTER_PARTICLE = re.compile(
    r"(?:and(?! on(?!\S))|at|here|now|yet|over|today|again|already|side|sir|chief|\d\S*"
    rf"|{_CALLED})(?!\S)"
)
"""The same behind a particle, of which the next word may make another verb: "out of", "off to"."""

TAKES_MORE = (BREAKING_OFF | BARE_VERBS | {"you", "me", "him", "them", "us", "over"}) - frozenset(
    "clear complete open secure control search report".split()
)
"""Words that a cue ends with to be gone on from, with whatever comes."""
