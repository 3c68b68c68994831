"""The words by which something is denied, taken back, ordered, planned, supposed or doubted.

Compared and listed as in `words`: in doubt a word is listed.
"""

from __future__ import annotations

import re

from veridical.scoring.offline.words import NUMBER, phrases
from veridical.validation.lexicon import NEGATIONS

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

CORRECTING = re.compile(r"(?:\S+ ){0,3}?(?:correction|negative)(?!\S)")
CORRECTED = phrases("not|no longer|isnt|arent|wasnt|werent|hasnt|havent|never")
"""With the words of before, of which `CORRECTING` needs one and these need most."""

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
