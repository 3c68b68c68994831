"""What the rules of tone look for, as patterns over one sentence in lower case, quotes blanked."""

from __future__ import annotations

import re

from veridical.speech.lexicon import NUMBER_WORDS

_NUMBER = rf"(?:\d+(?:[.,]\d+)?|an? (?:dozen|hundred)|{'|'.join(NUMBER_WORDS.split())})"
_COUNT = rf"(?:{_NUMBER}(?:[- ](?:one|{'|'.join(NUMBER_WORDS.split())}))?)"
_SMALL = "one|two|three|four|five|six|seven|eight|nine|ten"


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{alternative})" for alternative in alternatives))


# What an evaluation speaks of when it speaks of the speech.
_TALK = (
    "(?:speech|talk|presentation|delivery|performance|voice|story|opening|ending|conclusion|"
    "introduction|structure|pace|joke|humou?r|argument|message|effort|language|manner|evaluation)"
)
_HARSH = (
    "(?:boring|terrible|awful|horrible|dreadful|dull|lazy|stupid|silly|idiotic|embarrassing|"
    "pathetic|useless|annoying|sloppy|amateurish|incompetent|ridiculous|unprofessional|hopeless|"
    "tedious|painful|disastrous|laughable|worthless|lousy|lame|poor|weak|bad|a mess|a disaster|"
    "a failure|nonsense|rubbish)"
)
_LINK = (
    r"(?:was|were|is|are|sounded|felt|seemed|looked|came across as|came over as|sound|seem|look)"
)
UNKIND = _pattern(
    rf"\b(?:you|(?:your|this|the) (?:\w+ )?{_TALK}) {_LINK} "
    rf"(?:(?!not|never|far|no|anything|hardly)\w+ ){{0,4}}?{_HARSH}\b(?! (?:at|for) )",
    rf"(?<!not )(?<!never )\b(?:an?|such|your|this|the) (?:\w+ )?{_HARSH} {_TALK}\b",
    r"\byou (?:\w+ly )?(?:bored|ruined|failed|rambled|mumbled|droned|wasted|butchered|botched"
    r"|bungled|embarrassed)\b",
    r"\b(?:nobody|no one) (?:cared|cares|wants|wanted|was listening|understood)\b",
    r"\b(?:i|we) (?:was|were|got) bored\b|\bwaste of (?:my|our|everyone's) time\b",
    r"\bshame on you\b|\byou should be ashamed\b|\bthe worst (?:\w+ )?" + _TALK,
)

_CONDITION = (
    r"(?:(?:social |performance )?anxiety(?: disorder)?|anxiety|adhd|add|autism|autistic"
    r"|depression|depressed|bipolar|ocd|stutter(?:ing)?|stammer(?:ing)?|lisp|dyslexi[ac]"
    r"|speech (?:impediment|defect|disorder)|(?:\w+ )?disorder|phobia|glossophobia|panic attacks?"
    r"|trauma|ptsd|neurosis|neurotic|narcissis\w+|paranoi\w+|hearing loss|dementia|apraxia"
    r"|aphasia|low self-esteem)"
)
_DEGREE = (
    r"(?:(?:an?|some|severe|mild|slight|clear|strong|real|bit|touch|of|possible|undiagnosed"
    r"|untreated|obvious|obviously|clearly|probably|likely|maybe|perhaps|form|signs|symptoms|case"
    r"|serious|chronic|on|the|spectrum|your|also|very|rather|quite|so) )"
)
DIAGNOSIS = _pattern(
    r"\byou (?:\w+ ){0,2}?(?:have|had|has|are|were|suffer(?:ed)?|struggle[ds]?|live|show(?:ed)?"
    r"|display(?:ed)?|seem(?:ed)?|sound(?:ed)?|exhibit(?:ed)?)(?: (?:from|with|to have|to be"
    rf"|to suffer from|like you have))? {_DEGREE}{{0,5}}{_CONDITION}\b",
    r"(?<!about )(?<!of )(?<!shared )(?<!named )(?<!described )(?<!on )\byour (?:\w+ )?"
    rf"{_CONDITION}\b(?! (?:story|research|charity|project|clinic))",
    r"\byou (?:\w+ )?(?:stutter|stammer|lisp)(?:ed|s)?\b",
    rf"\b(?:symptoms?|signs?) of (?:an? )?{_CONDITION}\b",
    r"\byou (?:are|were|seem(?:ed)?|must be|may be|might be|could be) (?:\w+ )?on the spectrum\b",
    r"\byou(?:'re|’re) (?:\w+ )?" + _CONDITION + r"\b",
)

_OUT_OF = r"(?:5|10|20|100|five|ten|twenty|(?:a|one) hundred)"
_GRADED = r"(?:give|gave|earn|deserve|award|get|grade|mark|rate|score)"
_SCORED_END = r"(?=\s*(?:$|[.,;:!?)—–-]|(?:for|on|in|overall|from|because|and|to)\b))"
SCORE = _pattern(
    r"(?<!on )(?<!\w)\d{1,3}(?:[.,]\d+)?\s?/\s?(?:5|10|20|100)\b(?!/)",
    rf"\b(?:\d{{1,3}}(?:[.,]\d+)?|{_SMALL})(?: points?)? out of {_OUT_OF}{_SCORED_END}",
    rf"\b{_GRADED}(?:s|ed|d|ing)?\b[^.]{{0,40}}\b(?:an?|of|is|at) (?:solid |strong |clear )?"
    rf"[a-f](?:[+-]|[- ](?:plus|minus))?{_SCORED_END}",
    r"\b(?:a|an) (?:solid |strong |clear )?[a-f](?:[+-](?!\w)|[- ](?:plus|minus)\b)",
    rf"\b{_GRADED}(?:s|ed|d|ing)?\b[^.]{{0,40}}\b(?:\d|{_SMALL}) stars?\b",
    rf"\b(?:\d|{_SMALL})[- ]stars?\b (?:{_TALK}|overall|from me|for you)",
    rf"\b(?:\d|{_SMALL}) stars[.!]?$|[★⭐]",
    r"\b(?:your|my|final|overall|total) (?:score|grade|mark|rating)\b (?:is|was|would be|of|for)\b",
    r"\b(?:i|i'd|i would|i'll|we|let me) (?:score|rate|grade|mark) (?:you|this|it|your)\b",
    r"\b(?:full|top) marks\b|\byou (?:score|scored) (?:an? )?(?:\d|high|low|well)",
    r"\b\d{1,3}(?:[.,]\d+)? ?(?:points|pts)\b",
)

_FILLER = r"(?:fillers?|filler[- ]words?|ums?|uhs?|ahs?|ers?|erms?|crutch words?)"
_UNIT = "(?:minutes|seconds|words)"
METRIC = _pattern(
    r"\bwpm\b|\bwords[- ](?:per|a|each)[- ]minute\b",
    rf"\b{_COUNT} (?:\w+ )?{_FILLER}\b",
    rf"\b{_FILLER}\b[^.]{{0,30}}\b{_COUNT} times\b|\b{_COUNT} times\b[^.]{{0,20}}\b{_FILLER}\b",
    r"\b(?:filler|pause|word) (?:count|rate|ratio|density)\b",
    rf"\b(?:pace|rate|speed) (?:of|was|is|at|averaged)(?: about| around| roughly)? {_COUNT}\b",
    rf"\b{_TALK} (?:lasted|ran|took|was)(?: for)?(?: about| exactly)? {_COUNT} {_UNIT}\b",
    rf"\byou (?:spoke|talked) (?:for|at)(?: about| exactly| over)? {_COUNT} {_UNIT}\b",
    rf"\byou (?:used|said|spoke) (?:\w+ )?{_COUNT} words\b",
    rf"\byou (?:\w+ )?paused (?:\w+ )?(?:for )?{_COUNT} (?:seconds|times)\b",
    r"\b\d+(?:[.,]\d+)? ?(?:%|per ?cent) (?:of (?:your|the|all)|\w*er\b|slower|faster|filler)",
)
"""What tells the speaker a measured number."""

SILENCE = _pattern(
    r"\b(?:pause|silence|gap|break)s? (?:of|lasting|was|were|lasted)(?: about| over| only)? "
    rf"{_COUNT}[- ]?(?:seconds?|s)\b",
    rf"\b{_COUNT}[- ](?:seconds?|s)[- ](?:\w+ )?(?:pause|silence|gap)s?\b",
    r"\b(?:\d+|" + "|".join(NUMBER_WORDS.split()[1:]) + r") (?:\w+ )?pauses\b",
)
"""The same of silences, which advice may name: "try a pause of two seconds"."""

MENTIONED_TIMES = re.compile(
    r"[\"“'‘](?:um+|uh+|erm?|ah+|like|you know|so|i mean|sort of|kind of|actually|basically)[,.]?"
    rf"[\"”'’][^.]{{0,25}}\b{_COUNT} times\b"
)
"""Counting a filler that is quoted; for the sentence with its quotes."""

_SELF = r"(?:an?|the|your|this) (?:\w+ )?"
_MACHINE = (
    r"(?:ai|a\.i\.|artificial intelligence|language model|llm|chatbot|large model|neural network"
    r"|machine learning model|computer program|virtual assistant|ai assistant|text[- ]based model)"
)
MODEL_TALK = _pattern(
    rf"\b(?:as|i am|i'm|i was|being|only|just|merely) {_SELF}?{_MACHINE}\b",
    rf"\b(?:this|our) {_MACHINE}\b|\b{_MACHINE} (?:cannot|can't|like me|such as me|wrote|has"
    r" no|have no|generated)\b",
    r"\b(?:i|me|my)\b[^.]{0,60}\b(?:language model|llm|training data|trained on|algorithm)\b",
    r"\b(?:the|this|your|provided) (?:provided |written |given |speech )?transcri(?:pt|ption)s?\b"
    r"(?! of (?:the|a|an|his|her|that|their)\b)",
    r"\b(?:i|we) (?:cannot|can't|could not|couldn't|am unable to|was unable to"
    r"|am not able to|did not|didn't|do not|don't) (?:actually |really )?(?:hear|see|listen to"
    r"|watch|judge|assess)(?: (?:you|your|how|any|the (?:audio|recording|tone|speech|delivery|talk"
    r"|video))\b|$|[.,])",
    r"\b(?:the|this|your) (?:audio|input|prompt|provided text|text provided|given text"
    r"|speech recognition)\b(?! (?:guide|book|tour|to))",
    r"\b(?:automatically|machine|ai)[- ]generated\b",
    r"\bgenerated by (?:an? |the )?(?:ai|model|machine)\b",
)

_GLOWING = (
    r"(?:amazing|incredible|outstanding|perfect|fantastic|flawless|phenomenal|brilliant|excellent"
    r"|superb|awesome|wonderful|exceptional|extraordinary|magnificent|marvell?ous|spectacular"
    r"|stunning|terrific|fabulous|splendid|great|impeccable|masterful|world[- ]class|remarkable"
    r"|impressive|unforgettable|good)"
)
_MILD = r"(?:good|great)"
_FEAT = (
    r"(?:speech|talk|job|work|performance|presentation|delivery|speaker|effort|storyteller"
    r"|communicator|orator|evening of speaking)"
)
UNGROUNDED_PRAISE = _pattern(
    rf"\b{_GLOWING} (?:\w+ )?{_FEAT}\b",
    rf"\b(?:you|your (?:\w+ )?{_TALK}|this|that|it|(?:this|the) {_TALK}|everything) "
    rf"(?:was|were|is|are) (?:\w+ly |so |just |really |very |an? )*(?!{_MILD}\b){_GLOWING}\b"
    r"(?=\s*(?:$|[.,!;—–-]|and\b|from\b|in every))",
    rf"\b(?:the |my )(?:\w+ )?(?:best|greatest|finest|most \w+) (?:\w+ )?{_FEAT}\b",
    r"\b(?:you are|you're|you were) (?:simply |truly |such )?(?:an? |the )?(?:natural|star"
    r"|genius|best|gifted)\b",
    r"\bblew (?:me|us|everyone|everybody) away\b|\b(?:could not|couldn't|cannot) be better\b",
    r"\b(?:absolutely|simply|truly|totally) (?:loved|nailed|perfect|brilliant|amazing)\b",
    r"\byou nailed\b",
)

_ADVISING = (
    r"\b(?:try|consider|next time|next speech|you (?:could|can|might|may)(?! not|n't)|could help"
    r"|would help|might help|may help|it helps|one way|i suggest|i'd suggest|i would suggest"
    r"|i recommend|i encourage|i invite|how about|why not|what if you|you may want|experiment with"
    r"|aim|let the|let your|could be (?:\w+ed|cut|split|moved|said|put))\b"
)
ADVICE = re.compile(_ADVISING)
"""What makes a sentence hold something to do; an imperative does as well."""

LEADS_TO_IMPERATIVE = frozenset(
    "please then and so now first instead simply just always also maybe perhaps or next".split()
)

GENERIC = frozenset(
    """
    a an the this that it its is was were be been are and or but so very really quite just more
    most better best good great nice fine well done job work effort speech talk presentation
    delivery performance speaking speaker you your yours me i my we our to of in on at for with as
    keep up going overall all everything improve improved improving improvement practice practise
    practicing skills skill confidence confident content style things thing some something bit
    little lot much interesting excellent wonderful amazing fantastic lovely strong clear clearly
    engaging effective powerful again next time try harder should could can do did work thank
    thanks enjoyed liked loved like love
    """.split()
)
"""Words of which a sentence may be made up that says nothing of this speech."""
