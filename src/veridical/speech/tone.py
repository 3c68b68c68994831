"""Whether an evaluation is supportive, specific and actionable: rules over its sentences.

The rules know English. They look for what a careful evaluator never says; they cannot tell that a
sentence is wise. What the speaker said, as evidence or between quotation marks, is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from veridical.speech.evaluation import EvaluationItem, ItemType, StructuredEvaluation
from veridical.speech.lexicon import IMPERATIVES, any_of, listed, reads_as_english
from veridical.speech.results import ToneRule, ToneViolation
from veridical.text.reading import CLAUSE_ENDS, SENTENCE_ENDS, sentence_spans
from veridical.text.spoken import spoken_keys
from veridical.validation.lexicon import NUMBERS

# What the rules of tone look for, as patterns over one sentence in lower case, quotes blanked.


_WORD = r"\w{1,30}"
_DIGITS = r"\d{1,9}(?:[.,]\d{1,9})?"
_MANY = "|".join([*NUMBERS][2:]) + "|hundred"
_NUMBER = rf"(?:{_DIGITS}|an? (?:dozen|hundred)|{_MANY})"
_COUNT = rf"(?:{_NUMBER}(?:[- ](?:one|{_MANY}))?)"
_SMALL = "|".join([*NUMBERS][1:11])


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{alternative})" for alternative in alternatives))


REPORTED = re.compile(
    rf"\byou (?:{_WORD} )?(?:said|say|told (?:us|me|everyone|everybody|the {_WORD})|shared|admitted"
    rf"|mentioned|explained|described|revealed) (?:openly |how |of how |that )?"
    r"(?:you|your|he|she|they|we|i|my|people|nobody|no one|(?<=that )(?:it|this|the))\b"
    r"[^,;:.!?…]{0,200}"
)
"""What the speaker said, told without quotation marks: "you said that you failed". Not judged."""

_TALK = any_of("talk")
_OF_YOU = any_of("talk", "of-you")
_BAD = any_of("bad")
_HARSH = any_of("bad", "harsh")
_NAME_FOR_A_PERSON = any_of("names-for-a-person")
_LINK = (
    r"(?:was|were|is|are|sounded|felt|seemed|looked|came across as|came over as|sound|sounds|seem"
    r"|look|looks)"
)
_DEGREES = rf"(?:(?!not|never|far|no|anything|hardly){_WORD} ){{0,4}}?"
UNKIND = _pattern(
    rf"\b(?:you|your (?:{_WORD} )?{_OF_YOU}|(?:this|the) (?:{_WORD} )?{_TALK}) {_LINK} "
    rf"{_DEGREES}{_HARSH}\b(?! (?:at|for) )",
    rf"(?:^|[;:–—.] ?)(?:and |but |honestly,? |frankly,? )?(?:it|that|this|(?:it|that|this) all"
    rf"|all of (?:it|that|this)|everything|the (?:whole )?(?:thing|evening)) (?:was|is) "
    rf"(?:(?:so|just|simply|really|rather|quite|very|pretty|all|a bit|truly) ){{0,3}}(?:{_BAD}"
    r"|a joke)\b(?=\s*(?:$|[.!;]|, (?:honestly|frankly|sorry)\b|to (?:listen|watch|sit)\b))",
    rf"(?<!not )(?<!never )\b(?:an?|such|your|this|the) (?:{_WORD} )?{_HARSH} {_TALK}\b",
    rf"\byou (?:{_WORD} )?(?:are|were|sounded|looked|acted|behaved|came across|seemed)"
    rf"(?: like| as)?(?: such| just| really)? (?:an?|the) (?:{_WORD} )?{_NAME_FOR_A_PERSON}\b",
    rf"\byou (?:{_WORD}ly )?(?:bored|ruined|failed|rambled|mumbled|droned|wasted|butchered|botched"
    r"|bungled|embarrassed)\b",
    rf"\b(?:(?<!to )(?<!for )(?<!of )you|your {_TALK}|^it|^that|^this) (?:{_WORD} )?"
    r"(?:put|sent|lulled) (?:us|me|everyone|everybody|people|the (?:room|audience|hall)) "
    r"(?:all |right )?to sleep\b",
    r"^(?:please |just |next time,? ){0,2}shut up\b|\byou should (?:just )?(?:shut up|give up)\b",
    r"\b(?:nobody|no one) (?:cared|cares|wants|wanted|was listening|understood)\b",
    r"\b(?:i|we) (?:was|were|got) bored\b|\bwaste of (?:my|our|everyone's) time\b",
    rf"\bshame on you\b|\byou should be ashamed\b|\bthe worst (?:{_WORD} )?{_TALK}",
)

_CONDITION = (
    r"(?:(?:social |performance )?anxiety(?: disorder)?|adhd|add|autism|autistic"
    r"|depression|depressed|bipolar|ocd|stutter(?:ing)?|stammer(?:ing)?|lisp|dyslexi[ac]"
    rf"|speech (?:impediment|defect|disorder)|(?:{_WORD} )?disorder|phobia|glossophobia"
    rf"|panic attacks?|trauma|ptsd|neurosis|neurotic|narcissis{_WORD}|paranoi{_WORD}|hearing loss"
    r"|dementia|apraxia|aphasia|low self-esteem|(?:tourette|asperger|parkinson|alzheimer)(?:'?s)?"
    r"(?: syndrome)?)"
)
_DEGREE = (
    r"(?:(?:an?|some|severe|mild|slight|clear|strong|real|bit|touch|of|possible|undiagnosed"
    r"|untreated|obvious|obviously|clearly|probably|likely|maybe|perhaps|form|signs|symptoms|case"
    r"|serious|chronic|on|the|spectrum|your|also|very|rather|quite|so) )"
)
DIAGNOSIS = _pattern(
    rf"\byou (?:{_WORD} ){{0,2}}?(?:have|had|has|are|were|suffer(?:ed)?|struggle[ds]?|live"
    r"|show(?:ed)?|display(?:ed)?|seem(?:ed)?|sound(?:ed)?|exhibit(?:ed)?)(?: (?:from|with|to have"
    rf"|to be|to suffer from|like you have))? {_DEGREE}{{0,5}}{_CONDITION}\b",
    rf"(?<!about )(?<!of )(?<!shared )(?<!named )(?<!described )(?<!on )\byour (?:{_WORD} )?"
    rf"{_CONDITION}\b(?! (?:story|research|charity|project|clinic))",
    rf"\byou (?:{_WORD} )?(?:stutter|stammer|lisp)(?:ed|s)?\b",
    rf"\b(?:symptoms?|signs?) of (?:an? )?{_CONDITION}\b",
    rf"\byou (?:are|were|seem(?:ed)?|must be|may be|might be|could be) (?:{_WORD} )?on the"
    r" spectrum\b",
    rf"\byou're (?:{_WORD} )?{_CONDITION}\b",
    r"\b(?:have|were|are|should|could|might|may|ought to|need to|want to|get|getting)(?: you)?"
    r"(?: ever)?(?: been| be| get)?(?: tested| assessed| checked| screened| treated| diagnosed"
    rf"| evaluated| help| therapy| treatment| medication) (?:for|with|about) {_DEGREE}{{0,3}}"
    rf"{_CONDITION}\b",
    rf"\b(?:this|that|it) (?:all )?(?:sound|look|seem|felt|feel)(?:s|ed)?(?: a bit| very| much)?"
    rf" like {_DEGREE}{{0,5}}{_CONDITION}\b",
)

_OUT_OF = r"(?:5|10|20|100|five|ten|twenty|(?:a|one) hundred)"
_GRADED = r"(?:give|gave|earn|deserve|award|get|grade|mark|rate|score)"
_SCORED_END = r"(?=\s*(?:$|[.,;:!?)—–-]|(?:for|on|in|overall|from|because|and|to)\b))"
SCORE = _pattern(
    r"(?<!on )(?<!\w)\d{1,3}(?:[.,]\d{1,3})?\s?/\s?(?:5|10|20|100)\b(?!/)",
    rf"\b(?:\d{{1,3}}(?:[.,]\d{{1,3}})?|{_SMALL})(?: points?)? out of {_OUT_OF}{_SCORED_END}",
    rf"\ban? (?:\d{{1,2}}|{_SMALL}) of {_OUT_OF}{_SCORED_END}",
    rf"\b(?:score|grade|mark|rating|result|verdict)s? ?[:=] ?(?:\d|(?:{_SMALL})\b|(?:an? )?"
    rf"[a-f](?:[+-]|[- ](?:plus|minus)\b)?{_SCORED_END})",
    rf"\b(?:you|i|we|i'd|i would|i'll|this|that|your {_TALK}) {_GRADED}(?:s|d|ed)? "
    rf"(?:you |this |it |your {_TALK} )?(?:an? )?(?:\d{{1,3}}|{_NUMBER}) ?(?:%|per ?cent)"
    r"(?=\s*(?:$|[.;!?)]|(?:for (?:this|that|your|the)|overall|from me)\b))",
    rf"\b{_GRADED}(?:s|ed|d|ing)?\b[^.]{{0,40}}\b(?:an?|of|is|at) (?:solid |strong |clear )?"
    rf"[a-f](?:[+-]|[- ](?:plus|minus))?{_SCORED_END}",
    r"\b(?:a|an) (?:solid |strong |clear )?[a-f](?:[+-](?!\w)|[- ](?:plus|minus)\b)",
    rf"\b{_GRADED}(?:s|ed|d|ing)?\b[^.]{{0,40}}\b(?:\d|{_SMALL}) stars?\b",
    rf"\b(?:\d|{_SMALL})[- ]stars?\b (?:{_TALK}|overall|from me|for you)",
    rf"\b(?:\d|{_SMALL}) stars[.!]?$|[★⭐]",
    r"\b(?:your|my|final|overall|total) (?:score|grade|mark|rating)\b (?:is|was|would be|of|for)\b",
    r"\b(?:i|i'd|i would|i'll|we|let me) (?:score|rate|grade|mark) (?:you|this|it|your)\b",
    r"\b(?:full|top) marks\b|\byou (?:score|scored) (?:an? )?(?:\d|high|low|well)",
    r"\b\d{1,3}(?:[.,]\d{1,3})? ?(?:points|pts)\b",
)

_FILLER = r"(?:fillers?|filler[- ]words?|ums?|uhs?|ahs?|ers?|erms?|crutch words?)"
_UNIT = "(?:minutes|seconds|words)"
_LENGTH = rf"(?:{_COUNT} {_UNIT}\b|\d{{1,2}}:\d\d\b)"
METRIC = _pattern(
    r"\bwpm\b|\bwords[- ](?:per|a|each)[- ]minute\b",
    rf"\b{_COUNT} (?:{_WORD} )?{_FILLER}\b",
    rf"\b{_FILLER}\b[^.]{{0,30}}\b{_COUNT} times\b|\b{_COUNT} times\b[^.]{{0,20}}\b{_FILLER}\b",
    r"\b(?:filler|pause|word) (?:count|rate|ratio|density)\b",
    rf"\b(?:pace|rate|speed) (?:of|was|is|at|averaged)(?: about| around| roughly)? {_COUNT}\b",
    rf"\b{_TALK} (?:lasted|ran|took|was)(?: for)?(?: about| exactly)? {_LENGTH}",
    rf"^(?:it|this|that|all of it|the whole thing) (?:lasted|ran|went on)(?: for)?"
    rf"(?: about| exactly| over)? {_LENGTH}",
    rf"\byou (?:spoke|talked) (?:for|at)(?: about| exactly| over)? {_LENGTH}",
    rf"\byou (?:used|said|spoke) (?:{_WORD} )?{_COUNT} words\b",
    rf"\byou (?:{_WORD} )?paused (?:{_WORD} )?(?:for )?{_COUNT} (?:seconds|times)\b",
    rf"\b{_DIGITS} ?(?:%|per ?cent) (?:of (?:your|the|all) (?:{_TALK}|words?|time|sentences"
    r"|pauses)|slower|faster|quicker|higher|lower"
    r"|longer|shorter|more|fewer|filler)",
)
"""What tells the speaker a measured number."""

SILENCE = _pattern(
    r"\b(?:pause|silence|gap|break)s? (?:of|lasting|was|were|lasted)(?: about| over| only)? "
    rf"{_COUNT}[- ]?(?:seconds?|s)\b",
    rf"\b{_COUNT}[- ](?:seconds?|s)[- ](?:{_WORD} )?(?:pause|silence|gap)s?\b",
    rf"\b(?:\d{{1,9}}|{_MANY.removeprefix('two|')}) (?:{_WORD} )?pauses\b",
    rf"\b(?:there were|you (?:{_WORD} )?(?:left|made|had|took)|i (?:counted|heard)) "
    rf"(?:\d{{1,9}}|{_MANY}) (?:{_WORD} )?(?:pauses|silences)\b",
)
"""The same of silences, which advice may name: "try a pause of two seconds"."""

MENTIONED_TIMES = re.compile(
    r"[\"“'‘](?:um+|uh+|erm?|ah+|like|you know|so|i mean|sort of|kind of|actually|basically)[,.]?"
    rf"[\"”'’][^.]{{0,25}}\b{_COUNT} times\b"
)
"""Counting a filler that is quoted; for the sentence with its quotes."""

_SELF = rf"(?:an?|the|your|this) (?:{_WORD} )?"
_MACHINE = any_of("machines")
_PRODUCT = r"(?:chat ?gpt|gpt(?:-?\w{1,6})?|claude|gemini|copilot|llama|mistral|an? (?:chat)?bot)"
MODEL_TALK = _pattern(
    rf"\b(?:as|i am|i'm|i was|being|only|just|merely) {_SELF}?{_MACHINE}\b",
    rf"\b(?:i am|i'm) (?:only |just |merely |really ){{0,2}}(?:{_PRODUCT}|an? (?:{_WORD} )?"
    r"(?:bot|robot|machine|program|computer|algorithm|model))\b(?= ?(?:$|[.,;:!?]|and\b|that\b"
    r"|which\b|made\b|trained\b|without\b|so\b|but\b))",
    r"\bi (?:was|am|have been|had been) (?:trained|made|built|created|developed|programmed"
    r"|designed) (?:by (?:openai|anthropic|google|meta|microsoft|mistral|a company|engineers)"
    r"|on (?:text|data|texts|speeches|millions|the internet)|to (?:evaluate|assist|help|be|write"
    r"|generate|produce|respond))\b",
    r"\bmy (?:programming|developers|creators|training|knowledge cutoff|system prompt)"
    r" (?:tells?|says?|allows?|does|do|did|has|have|is|was|made|forbids?|ends?)\b",
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

_GLOWING = any_of("glowing")
_MILD = r"(?:good|great)"
_FEAT = any_of("feats")
UNGROUNDED_PRAISE = _pattern(
    rf"\b{_GLOWING} (?:{_WORD} )?{_FEAT}\b",
    rf"\b(?:you|your (?:{_WORD} )?{_TALK}|this|that|it|(?:this|the) {_TALK}|everything) "
    rf"(?:was|were|is|are) (?:{_WORD}ly |so |just |very |an? ){{0,4}}(?!{_MILD}\b){_GLOWING}\b"
    r"(?=\s*(?:$|[.,!;—–-]|and\b|from\b|in every))",
    rf"\b(?:the |my )(?:{_WORD} )?(?:best|greatest|finest|most {_WORD}) (?:{_WORD} )?{_FEAT}\b",
    r"\b(?:you are|you're|you were) (?:simply |truly |such )?(?:an? |the )?(?:natural|star"
    r"|genius|best|gifted)\b",
    r"\bblew (?:me|us|everyone|everybody) away\b|\b(?:could not|couldn't|cannot) be better\b",
    r"\b(?:absolutely|simply|truly|totally) (?:loved|nailed|perfect|brilliant|amazing)\b",
    r"\byou nailed\b",
    rf"^(?:simply |just |truly |absolutely |how |oh,? |wow,? )?{_GLOWING}\s?[.!…]{{0,10}}$",
    rf"\b(?:it|this|that|you|your (?:{_WORD} )?{_TALK}) (?:was|were|is|are) (?:{_WORD} )?(?:an? )"
    rf"?(?:{_WORD} )?(?:masterpiece|masterclass|triumph|tour de force|work of art|home run"
    r"|knockout)\b(?=\s*(?:$|[.,!;—–-]|and\b|from\b|of (?:speaking|storytelling|rhetoric)))",
    rf"\byou (?:{_WORD} )?have (?:such )?(?:an? )?(?:(?:real|rare|true|great|natural|huge|special"
    r"|amazing|lot of|so much) ){1,2}(?:talent|gift|charisma|skill)\b(?! (?:show|shop|card))",
    r"\byou have (?:talent|charisma)\b(?! (?:show|contest|scout))|\byou(?:'re| are) (?:so |very"
    r" |truly |really )?(?:talented|gifted)\b",
)

_ADVISING = (
    r"\b(?:try|consider|next time|next speech|you (?:could|can|might|may)(?! not|n't)|could help"
    r"|would help|might help|may help|it helps|one way|i suggest|i'd suggest|i would suggest"
    r"|i recommend|i encourage|i invite|how about|why not|what if you|you may want|experiment with"
    r"|aim|let the|let your|could be (?:\w{1,30}ed|cut|split|moved|said|put)"
    r"|could (?:come|go|stand|open|close|start|begin|end|wait|follow|move|carry|use)"
    r"|(?:would|could|might) (?:let|help|give|allow|bring|show) (?:us|me|people|listeners|them|the"
    r"|your|it|each))\b"
)
ADVICE = re.compile(_ADVISING)
"""What makes a sentence hold something to do; an imperative does as well."""

LEADS_TO_IMPERATIVE = frozenset(
    "please then and so now first instead simply just always also maybe perhaps or next".split()
)

GENERIC = listed("generic")
"""Words of which a sentence may be made up that says nothing of this speech."""

LEAST_QUOTED = 3
"""Praise needs at least so many quoted tokens to rest on."""

_QUOTED = re.compile(
    r"\"[^\"]{1,500}\"|“[^”]{1,500}”|«[^»]{1,500}»|„[^“”]{1,500}[“”]|「[^」]{1,500}」"
    r"|(?<!\w)'[^']{1,300}'(?!\w)|(?<!\w)‘[^’]{1,300}’(?!\w)"
)
_CLAUSES = re.compile(rf"[{CLAUSE_ENDS}()]|\s-\s")

_OF_THE_SPEAKER = (ToneRule.UNKIND, ToneRule.DIAGNOSIS)
"""What the speaker may well say of himself or herself, and an evaluation may tell again."""
_EVERYWHERE = (
    (ToneRule.UNKIND, UNKIND),
    (ToneRule.DIAGNOSIS, DIAGNOSIS),
    (ToneRule.SCORE, SCORE),
    (ToneRule.METRIC, METRIC),
    (ToneRule.MODEL_TALK, MODEL_TALK),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as written, and `plain`: in lower case, what it quotes blanked out."""

    written: str
    plain: str


def check_tone(evaluation: StructuredEvaluation) -> tuple[ToneViolation, ...]:
    """Every sentence that breaks a rule of tone, in the order in which they stand.

    A sentence may break several rules and is listed once for each. Rules about English words are
    silent on other languages.
    """
    found = list(_check_frame("opening", evaluation.opening))
    for index, item in enumerate(evaluation.items):
        found.extend(_check_item(f"items[{index}]", item))
    found.extend(_check_frame("closing", evaluation.closing))
    return tuple(found)


LACKS = (ToneRule.NOT_ACTIONABLE, ToneRule.UNSPECIFIC)
"""Rules that are broken by what is missing: there is no sentence to take out."""


def check_item(item: EvaluationItem) -> tuple[ToneViolation, ...]:
    """What breaks a rule of tone in one item; the field is its own, such as `summary`."""
    return tuple(
        replace(violation, field=violation.field.removeprefix("."))
        for violation in _check_item("", item)
    )


def stripped_item(item: EvaluationItem) -> EvaluationItem | None:
    """The item without the sentences that break a rule; None where nothing is left to say.

    Where the summary is gone, the first sentence of the explanation stands in for it.
    """
    broken = {v.sentence for v in check_item(item) if v.rule not in LACKS}
    if not broken:
        return item
    summary, explanation = (_kept(text, broken) for text in (item.summary, item.explanation))
    summary, explanation = (summary, explanation) if summary else (explanation[:1], explanation[1:])
    if not summary:
        return None
    return replace(item, summary=" ".join(summary), explanation=" ".join(explanation))


def check_frame(opening: str, closing: str) -> tuple[ToneViolation, ...]:
    """What breaks a rule of tone in what an evaluation begins and ends with."""
    return (*_check_frame("opening", opening), *_check_frame("closing", closing))


def stripped_frame(text: str) -> str:
    """An opening or a closing without the sentences that break a rule."""
    broken = {violation.sentence for violation in _check_frame("", text)}
    return " ".join(_kept(text, broken)) if broken else text


def _kept(text: str, broken: set[str]) -> list[str]:
    return [each.written for each in sentences(text) if each.written not in broken]


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text, quoted ones not cut up."""
    blanked = _QUOTED.sub(_blank, text)
    return [
        Sentence(text[start:end], " ".join(blanked[start:end].lower().replace("’", "'").split()))
        for start, end in sentence_spans(blanked)
    ]


def _check_frame(field: str, text: str) -> Iterator[ToneViolation]:
    """The opening or closing: what holds everywhere, and no praise, which has no quote here."""
    for sentence in sentences(text):
        yield from _check_sentence(field, sentence)
        if UNGROUNDED_PRAISE.search(sentence.plain):
            yield ToneViolation(ToneRule.UNGROUNDED_PRAISE, field, sentence.written)


def _check_item(field: str, item: EvaluationItem) -> Iterator[ToneViolation]:
    summary, explanation = sentences(item.summary), sentences(item.explanation)
    for name, part in (("summary", summary), ("explanation", explanation)):
        for sentence in part:
            yield from _check_sentence(f"{field}.{name}", sentence)
    if _is_generic(item.summary):
        yield ToneViolation(ToneRule.UNSPECIFIC, f"{field}.summary", item.summary.strip())
    if item.type is ItemType.COMMENDATION:
        if len(spoken_keys(item.evidence_quote)) < LEAST_QUOTED:
            place = f"{field}.evidence_quote"
            yield ToneViolation(ToneRule.UNGROUNDED_PRAISE, place, item.summary.strip())
    elif not _is_actionable([*summary, *explanation]):
        yield ToneViolation(ToneRule.NOT_ACTIONABLE, f"{field}.summary", item.summary.strip())


def _check_sentence(field: str, sentence: Sentence) -> Iterator[ToneViolation]:
    own = REPORTED.sub("_", sentence.plain)
    for rule, pattern in _EVERYWHERE:
        judged = own if rule in _OF_THE_SPEAKER else sentence.plain
        if pattern.search(judged) or (rule is ToneRule.METRIC and _recites(sentence)):
            yield ToneViolation(rule, field, sentence.written)


def _recites(sentence: Sentence) -> bool:
    """Whether it tells how long a silence was, or how often a quoted filler was said."""
    if SILENCE.search(sentence.plain):
        return not _advises(sentence.plain)
    return MENTIONED_TIMES.search(sentence.written.lower()) is not None


def _is_generic(summary: str) -> bool:
    """Whether it would fit any speech: no word in it says anything of this one."""
    if _QUOTED.search(summary):
        return False
    return all(key in GENERIC for key in spoken_keys(summary))


def _is_actionable(said: list[Sentence]) -> bool:
    keys = spoken_keys(" ".join(sentence.plain for sentence in said))
    return not reads_as_english(keys) or any(_advises(sentence.plain) for sentence in said)


def _advises(plain: str) -> bool:
    return ADVICE.search(plain) is not None or any(
        _is_imperative(spoken_keys(clause)) for clause in _CLAUSES.split(plain)
    )


def _is_imperative(clause: list[str]) -> bool:
    at = 0
    while at < len(clause) and clause[at] in LEADS_TO_IMPERATIVE:
        at += 1
    return at + 1 < len(clause) and clause[at] in IMPERATIVES


def _blank(quoted: re.Match[str]) -> str:
    """Something of the same length without words; what ends a sentence still ends it."""
    inside = quoted.group()[1:-1]
    last = inside[-1] if inside[-1] in SENTENCE_ENDS else "_"
    return quoted.group()[0] + "_" * (len(inside) - 1) + last + quoted.group()[-1]
