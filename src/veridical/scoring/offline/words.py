"""The words that tell how something is meant: asked, denied, ordered, doubted, repeated.

Those of the patterns are compared as `text.tokens.word_key` writes them, joined by single spaces:
lower case, no apostrophes but in "we're", "we'll" and the like, which are other words without. In
doubt a word is listed: a cue that is passed over is looked for by a person, a false "met" is not.
"""

from __future__ import annotations

import re

from veridical.validation.lexicon import CARDINALS, NEGATIONS

FILLERS = frozenset("uh um er erm ah eh hm hmm mm".split())
ARTICLES = frozenset({"a", "an", "the"})

SPOKEN_NUMBERS = CARDINALS | {"zero", "oh", "niner"}
"""Words of numbers as they are said on the radio."""

COUNTS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
"""Numbers that are written either way: "Engine 7", "Engine seven", "two-story"."""

EMPTY_WORDS = frozenset(
    """
    a an the of on in at to for with from by and or is are was were be been am i we you he she it
    they this that these those my our your their its me us him her them now just have has had do
    does did here there so up im ive we're weve youre theyre thats
    """.split()
)
"""Words that say nothing of what a sentence is about."""

PREPOSITIONS = frozenset("of on in at to for with from by up".split())
"""Those of the empty words without which "water on the fire" is no other than "water for it"."""


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

NUMBER = r"\d\S*|" + "|".join(sorted(SPOKEN_NUMBERS))
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

# --- Denied ------------------------------------------------------------------------------------

DENIED = phrases(
    "|".join(sorted(re.escape(word) for word in NEGATIONS if len(word) > 1)),
    "unable|negative|nope|lost|lose|losing|failed|failing|failure|refuse|refuses|refused|denied"
    "|disregard|cancel|cancels|cancelled|canceled|impossible|false|wrong|incorrect|instead of"
    "|anything but|doubt|doubtful|doubts"
    "|rather than|out of|zero|lacking|missing|yet to|short of|far from|stop|stopped|too late"
    r"|too early|held off|hold off|holding off|avoid|avoided|avoiding|delayed|delay|late|forgot"
    r"|forgotten|forget|ran out|aborted|abort|aborting|too \S+ (?:\S+ )?(?:for|to)",
)
NOT_DENYING = phrases(
    "no doubt|no problem|no problems|not only|no worries|negative pressure|no later"
)
DENIED_ALONE = re.compile(r"(?:no|nope|negative|thats a negative|no no|that is negative|not)")
DENIED_AFTER = phrases(
    "not|never|isnt|wasnt|arent|werent|hasnt|havent|hadnt|didnt|doesnt|dont|cannot|cant|wont"
    "|couldnt|unable|impossible|failed|lost|negative|denied|cancelled|canceled|delayed"
)
DENIED_NEXT = re.compile(
    r"(?:(?:thats a )?negative|nope|not|(?:oh )?no(?: (?:wait|not|stand|sorry|actually|hold|hang"
    r"|cancel|scratch|that|we|i|it|its|he|she|they|they're|you)(?!\S).*)?"
    r"|(?:is|are|was|were|has|have|had) (?:not|never|no longer)(?!\S).*"
    r"|(?:isnt|arent|wasnt|werent|hasnt|havent)(?!\S).*"
    r"|(?:(?:can|will|do|does|did) not|cant|cannot|wont|doesnt|dont|didnt)"
    r"(?: (?:confirm|verify|say|tell|yet|be|work|happen|count|apply)(?!\S).*)?"
    r"|not (?!\S+ing(?!\S)).*)"
)
OTHER_IDIOM = re.compile(r"of (?:control|service|order|luck|position|date|water|air)(?!\S)")
"""After "out": "the fire is out of control" does not say that it is out."""

HAD = phrases("had")
LOST_AGAIN = phrases(
    "lost|lose|losing|gone|burst|but|stopped|until|anymore|any more|earlier|before"
)
"""After "we had": what was, and is no more."""

OUT_OF_QUESTION = re.compile(
    r"(?:is |are |was |were )?(?:off the table|out of the question|in doubt|my foot|my eye"
    r"|like hell)(?!\S)"
)
EXCEPTED = re.compile(
    r"(?:\S+ ){0,2}?(?:bar(?:ring)?|save(?: for)?|minus|except(?:ing)?|excluding|(?:all )?but"
    r" (?:for|one|two|three)|(?:apart|aside) from|other than|besides)(?! (?:that|this))(?!\S)"
    r"|but(?: \S+){1,3}\Z(?<! too)(?<! also)"
)
"""What follows is left out: "everyone is accounted for, bar one"."""

_TAKING_BACK = (
    "correction|disregard|scratch that|strike (?:that|my last)|belay|cancel that|check that"
    "|i take (?:that|it) back|i misspoke|i was wrong|my mistake|false alarm|negative on that"
)
WITHDRAWN = re.compile(
    r"(?:oh |uh |ah |no |wait )*(?:sorry(?! (?:about|for|to)(?!\S))|wrong)(?!\S)"
    r"|negative(?! (?:on(?! that)|for|findings|results)(?!\S))(?!\S)"
    r"|(?:oh |uh |ah |no |but )*(?:wait(?! (?:for|on|until|till)(?!\S))|hold (?:on|that)|hang on"
    r"|stop)(?! to)(?!\S)|cancel\Z"
    r"|(?:but )?(?:that|this|it|thats|its)(?: (?:is|was))? (?:not (?:right|so|true|quite)|wrong"
    r"|incorrect|false)(?!\S)|or so (?:they|we|he|she|i|im|people)(?!\S)"
    r"|(?:uh |um |well )*(?:almost|nearly|not quite)\Z"
    rf"|(?:\S+ ){{0,3}}?(?:{_TAKING_BACK}|wait no|no wait|i mean)(?!\S)"
)
"""How a clause or sentence begins that takes back what was said before it."""

WITHDRAWN_LATER = re.compile(
    r"(?:\S+ ){0,4}?(?:(?:strike|disregard|belay|cancel|scratch) (?:my last|the last|that)"
    r"|i take (?:that|it) back)(?!\S)"
)
"""The same when somebody else has spoken in between."""

PUT_RIGHT = re.compile(r"(?:\S+ ){0,3}?(?:correction|negative)(?!\S)")
CORRECTED = phrases("not|no longer|isnt|arent|wasnt|werent|hasnt|havent|never")
"""With the words of before, of which `PUT_RIGHT` needs one and these need most."""

# --- Ordered, planned, on a condition ----------------------------------------------------------

CONDITION = phrases(
    "if|unless|until|till|once|whenever|when|as soon as|in case|in the event|before|provided"
    "|pending|after|upon|on (?:my |our |your |their )?arrival|assuming|supposing|effective"
    "|whether|the minute|the moment|by the time|as long as|providing|on condition"
)
CONDITION_AHEAD = phrases(
    "if|unless|until|till|once|whenever|when|as soon as|in case|provided|providing|should"
    "|as long as|assuming|supposing|on condition|had (?:it|we|i|you|they|he|she|the|this|that)"
)
"""Those that hold for the clauses after their own too."""

CONDITION_NEXT = re.compile(
    r"(?:if|unless|pending|subject to|provided|assuming|depending|as long as|in case)(?!\S)"
)
"""Those that a clause of its own may add: "it is approved, pending review"."""

CONDITION_AFTER = phrases("if|unless|until|till|once|whenever|when|as soon as|in case|pending")
FUTURE = phrases(
    rf"soon|(?:{NUMBER}|a few|some|any) more|after that",
    "mightve|couldve|wouldve|shouldve|mustve|i'd|we'd|he'd|she'd|theyd|youd|itd|ideally|prefer"
    "|feel better|for(?: an?| the)?$|will|we'll|i'll|she'll|he'll|youll|theyll|itll|thatll"
    "|therell|shall|gonna|going to|would|could"
    "|should|might|must|wish|may",
    r"(?:can|able to)(?! (?:see|hear|confirm|report|smell|advise|tell)(?!\S))",
    "need|needs|needed|want|wants|wanted|require|requires|request|requests|requesting|requested"
    "|looking for|asking for|calling for|try|tries|trying|tried|attempt|attempts|attempting"
    "|attempted|plan|plans|planning|planned|prepare|preparing|prepared|about to|ready to"
    "|ready for|working on|working to|working toward|working towards|work on|stand by|standby"
    "|standing by|wait|waiting|await|awaiting|expect|expects|expecting|expected|eta|lets|let us"
    "|almost|nearly|getting|make sure|making sure|ensure|hope|hoping|hopefully|supposed|scheduled"
    "|tomorrow|ought|intend|intends|intending|used to|close to"
    "|(?:minutes|way|out|away|off) from|have to|has to|had to"
    "|as soon as possible|promise|order|orders|ordered|recommend|suggest|remember to|start to"
    "|otherwise|or else|(?:more|another) (?:minutes?|seconds?)|(?:minutes?|seconds?) to"
    "|starting (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|in|on|from)"
    "|priority|priorities|assignment|assigned|objective|objectives|goal|task|tasked|next step"
    "|mission"
    "|job is|next up|up next|beginning to|begin to|fixing to|promised|meant to|how to|time to"
    "|en route to|heading",
)
DONE_AT_LAST = phrases(
    "(?:we|i|they|he|she) (?:were|was|have been|has been|are now|is now) able to"
)
MANAGED = phrases(
    "able to|managed to|managing to|get to|got to|happy to|pleased to|sorry to|glad to"
)
LATER_AFTER = phrases(
    r"in (?:about |another |approximately |around |just )*(?:\S+ )?(?:\S+ )?(?:minutes?|seconds?"
    r"|mikes?|hours?|moment)",
    rf"in (?:about |another |around )*(?:{NUMBER})",
    "shortly|soon|momentarily|tomorrow|asap|as soon as possible|later on",
    r"next(?! (?:to|door)(?!\S))",
    r"(?:up)?on (?:(?:my|our|your|their) )?arrival|on (?:your|my|our) (?:order|command|call|mark|go"
    r"|signal)|after (?:the|this|that|your|my|we|i|you)|at the end of",
)
WOULD_AFTER = re.compile(r"(?:would|could|might|should|may|will|wont|needs?)(?!\S)")
AT_ONCE = re.compile(r"(?:right )?now|at once|immediately|asap")
"""At the end of a call, after a comma: "water on the fire, now" is an order."""

GIVEN = re.compile(
    r"(?:your \S+(?: \S+)? is|you(?:ve| have)? got|youve|you have|youre on|thats your)(?!\S)"
)
"""How a clause begins that gives somebody something to do: "your job is", "you've got the roof"."""

ANYBODY = phrases("first|next|any|anyone|anybody|whoever|who|which|units|companies|everyone|crews")
"""Whose being somewhere is what picks them: "the first unit on scene will take command"."""

ORDERING = phrases(
    r"show me|you tell me|(?:get|give|bring|send|keep|tell|notify|advise|proceed|prepare|pull|lay)"
    r"(?! (?:of|from)(?!\S))",
    r"put(?! (?:me|us)(?!\S))|go(?! ahead(?!\S))|make|take|let|try|ensure|ask|have (?:them|him|her)"
    "|make sure|go ahead and",
)
"""Verbs in the form of an order. No noun is like them, so they may stand anywhere in a clause."""

ORDERING_FIRST = re.compile(
    r"(?:start|begin|complete|establish|conduct|perform|initiate|provide|deploy|assign|switch|move"
    r"|continue|check|search|report(?! of)|call|hold|stage|assist|open|vent|ventilate|secure"
    r"|stretch|advance|attack|cover|evacuate|leave|meet|stand|use|set|charge|flow|hit|knock|find"
    r"|locate"
    r"|confirm|verify|make|do|be|announce|declare|say|read|repeat|state|offer|apply|process|issue)"
    r"(?!\S)"
)
"""As above, at the beginning of a clause only."""

BARE_VERBS = frozenset(
    """
    be have get put make take give go bring send keep tell do start begin complete establish conduct
    perform initiate provide deploy assign switch move continue check search report call hold stage
    assist open vent ventilate secure stretch advance attack cover evacuate leave meet stand use set
    charge flow hit knock find locate confirm verify announce declare say read repeat state offer
    apply process issue assume pull lay extinguish contain control clear gain force enter rescue
    remove protect refund credit cancel transfer schedule book resolve fix pass see
    """.split()
)
TO_DO = phrases(rf"to (?:(?:\S+ly|then|now) )?(?:{'|'.join(sorted(BARE_VERBS))})")

# --- Doubted -----------------------------------------------------------------------------------

DOUBTED = phrases(
    "maybe|possibly|possible|perhaps|probably|probable|i think|we think|i thought|we thought|thinks"
    "|thinking|i believe|we believe|believes|i guess|guess|guessing|suppose|i assume|unconfirmed"
    "|allegedly|reportedly|report of|reports of|caller|callers|neighbor|neighbors|neighbour"
    "|neighbours|bystander|bystanders|supposedly|sounds like|unclear|unknown if|unsure|could be"
    "|may be|might be|said to be|rumor|partly|partially|half|drill|exercise|simulated|imagine"
    "|pretend|example|tells|telling|seems|seemed|seemingly|as if|take it|gather|chances are"
    "|think of|usually|normally|generally|typically|in principle|subject to|depending|apparently"
    "|presumably|says|said|saying|claims|claimed|homeowner|owner|hope|hoping|or at least|all but"
    "|but one|except|only|not all|some of|most of|part of|says here|told me|told us|wondered"
    "|thought|sort of|kind of|reckons?|reckoned|looks? like|looked like|odds are|in theory"
    "|in practice|states|stated|mentions?|mentioned|swears?|swore|insists?|insisted|claiming"
    r"|as far as (?:i|we)(?: \S+){1,2}|to (?:my|our) knowledge|per (?:the|a) \S+"
    "|per (?:dispatch|pd)"
    "|according to|hard to believe|believe that|a lie|(?:was|were|been|got) told|you tell me"
    "|praying|pray|bet"
)
REPORTED_AHEAD = re.compile(
    r".*(?<!\S)(?:is|are|was|were|reads?|says?|said|states?|goes|means|called|like|to hear)"
)
"""How a clause ends whose meaning is what comes after the comma: "the list reads, ..."."""

PRETENDED = phrases("drill|exercise|scenario|checklist|is (?:only |just )?a test|training purposes")
"""In any clause of the sentence, or the one before."""
