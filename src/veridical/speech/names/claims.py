"""Where a text says that a word is a person's name.

Three things say so: words before it that announce a name ("thank you", "my brother"), a given name
that is hardly anything else, and an unknown word with a capital where people stand. Every rule
looks at a bounded number of words, so a text takes linear time. In doubt a word is a name: one
word too many taken out does less harm than a person's name left in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from veridical.speech.lexicon import is_common, is_national, listed
from veridical.speech.names.text import NameWord
from veridical.validation.lexicon import CARDINALS

MOTION = listed("motion")

_REACH = 3
"""Words between a name and the institution that it belongs to: Maria Lopez Senior High School."""

_LOWER_INSTITUTIONS = listed("lower-institutions")
_INSTITUTIONS = listed("institutions", "lower-institutions")
_LOWER_BEFORE_PLACES = listed("lower-before-places")
_BEFORE_PLACES = listed("before-places", "lower-before-places")
_LOCATIVES = listed("locatives")
_PLACES = listed("places")
_NAMES_AND_PLACES = listed("places", "place-names")
_ORGANISATIONS = frozenset(tuple(pair.split("_")) for pair in listed("organisations"))


def stays(words: Sequence[NameWord], first: int, last: int) -> bool:
    """Whether `words[first..last]` belong to the name of a place or an organisation, or a date."""
    return (
        _before_institution(words, last)
        or _after_place_word(words, first)
        or _is_organisation(words, first, last)
        or (first == last and (_is_located(words, first) or _is_date(words, first)))
    )


def _before_institution(words: Sequence[NameWord], last: int) -> bool:
    """Whether "Street", "Hospital" and the like follow."""
    for word in words[last + 1 : last + 1 + _REACH]:
        if not word.joined or word.opens:
            return False
        if not word.capital:
            near = word is words[last + 1] and not words[last].owner and not words[last].capital
            return near and word.key in _LOWER_INSTITUTIONS
        if word.key in _INSTITUTIONS:
            return True
    return False


def _after_place_word(words: Sequence[NameWord], first: int) -> bool:
    """Whether "Mount", "St." or "University of" stand before."""
    for index in range(first, max(0, first - _REACH), -1):
        word, previous = words[index], words[index - 1]
        if not (word.joined or word.after_dot) or (word.opens and not word.after_dot):
            return False
        if previous.key in (_BEFORE_PLACES if previous.capital else _LOWER_BEFORE_PLACES):
            return word.capital or not previous.capital
        if not previous.capital:
            of = index - 3 if previous.key == "and" else index - 1
            if of < 1 or words[of].key != "of":
                return False
            return words[of - 1].capital and words[of - 1].key in _INSTITUTIONS
        if previous.key in listed("never-names"):
            return False
    return False


def _is_organisation(words: Sequence[NameWord], first: int, last: int) -> bool:
    """Whether it is one of two words that name an organisation, with or without "and" between."""
    for index in range(first, last + 1):
        for step in (-1, 1):
            other = index + step
            if 0 <= other + step < len(words) and words[other].key == "and":
                other += step
            if 0 <= other < len(words):
                pair = (words[min(index, other)].key, words[max(index, other)].key)
                if pair in _ORGANISATIONS or (first == last and listed("brands").issuperset(pair)):
                    return True
    following = words[last + 1 : last + 2]
    return any(w.before.strip() == "&" and w.key in listed("partnerships") for w in following)


def _is_located(words: Sequence[NameWord], index: int) -> bool:
    """Whether a name that is a place's too is used of the place."""
    word, previous = words[index], words[index - 1] if index else None
    following = words[index + 1].key if index + 1 < len(words) else ""
    behind = previous is not None and word.joined and not word.opens
    located = behind and previous is not None and previous.key in _LOCATIVES
    in_a_state = word.after.startswith(",") and following in _PLACES
    if word.key not in _NAMES_AND_PLACES:
        return in_a_state and located
    if behind and previous is not None and previous.key in ("to", "for", "of"):
        return in_a_state or (index > 1 and words[index - 2].key in listed("motion", "heads"))
    return in_a_state or located


def _is_date(words: Sequence[NameWord], index: int) -> bool:
    word = words[index]
    if word.key not in listed("dates"):
        return False
    if word.after.strip(" ,")[:1].isdigit() or word.before.strip()[-1:].isdigit():
        return True
    return index > 0 and word.joined and words[index - 1].key in listed("before-dates")


GIVEN_NAMES = listed("given-names")
THING_NAMES = listed("thing-names", "thing-and-verb-names")
VERB_NAMES = listed("verb-names", "thing-and-verb-names")
PLACE_NAMES = listed("place-names")
WORD_NAMES = listed("word-names", "thing-names", "verb-names", "thing-and-verb-names")
SURNAMES = listed("surnames")
NO_PEOPLE = listed("places", "brands", "bodies", "things") | (
    listed("institutions", "lower-institutions") - listed("building-surnames")
)
PARTICLES = listed("particles")
COURTESY = listed("courtesy")
TITLES = listed("courtesy", "ranks", "titles")
NUMBERS = CARDINALS

_AMBIGUOUS = WORD_NAMES | PLACE_NAMES
_EVERYDAY_SURNAMES = listed("everyday-surnames")
_CLEAR_SURNAMES = SURNAMES - _EVERYDAY_SURNAMES
_BUILDINGS = listed("building-surnames")
_RANKS = listed("ranks")
_NEVER = listed("never-names") | NUMBERS
_DATES = listed("dates")
_SPEECH_VERBS = listed("speech-verbs")
_AND = frozenset(("and", "und", "et", "y"))
_AFTER_NAMES = listed("speech-verbs", "after-names")
_BEFORE_THINGS = listed("locatives", "determiners") | {"at", "of", "on"}
_PLACE_NOUNS = listed("place-nouns")
_NO_UNKNOWN = listed("roles", "capitalised", "before-places", "lower-before-places")
_NOT_HYPHENED = listed("not-hyphened")
_EVERYDAY = WORD_NAMES | _EVERYDAY_SURNAMES | _NEVER
_SHOW_A_WORD = listed("pronouns", "prepositions") | NUMBERS | {"not", "be"}
"""What follows an everyday word that begins a sentence: Will you, Mark two places."""
_NOT_NAME_ENDINGS = ("tion", "ness", "ment", "ings", "ists", "ians", "ship", "ology")
_WORDY_ENDINGS = (*_NOT_NAME_ENDINGS, "ing", "ly", "ty", "ism", "ance", "ence", "wise")

_MOST_OF_NAME = 5
"""Words of one name: "Maria del Carmen Lopez Garcia"."""
_MOST_ACRONYM = 5
"""Letters of what is taken for an abbreviation where all are capitals."""
_LEAST_UNKNOWN = 3
"""Letters of an unknown word that is taken for a name in a text without capitals."""
_LOOK_BACK = 4
"""Words before an unknown word that may say that it is no person's name."""


Phrases = Mapping[str, Sequence[Sequence[frozenset[str]]]]
"""Phrases by their last word, each as what its words may be from the last but one to the first."""


def _phrases(*patterns: str) -> Phrases:
    """Phrases that names follow. A part is a word, `one|another`, or `{a list of words}`."""
    phrases: defaultdict[str, list[list[frozenset[str]]]] = defaultdict(list)
    for pattern in patterns:
        *before, last = (
            listed(part[1:-1]) if part.startswith("{") else frozenset(part.split("|"))
            for part in pattern.replace("_", " ").split()
        )
        for word in last:
            phrases[word].append(before[::-1])
    return phrases


_CALLS = _phrases(*listed("calls"))
_INTRODUCTIONS = _phrases(
    *listed("introductions"), *(f"{{{who}}} name|names is|was" for who in ("roles", "persons"))
)
_BY_ROLE = _phrases(
    "{roles}",
    "{possessives} {groups}",
    "{offices} is|was",
    "he|she is|was named|called",
    *(f"{{{who}}} named|called" for who in ("roles", "groups", "persons")),
    *(f"{{{who}}} is|was|are|were named|called" for who in ("roles", "groups", "persons")),
)
_TOLD = _phrases("{told}", "{callers} called")
_POINTED_AT = _phrases("{name-verbs} him|her|me|us", "it is|was", "this is", "i am", "its", "im")
_PRESENTED = _phrases(*listed("presented"))


def _behind(phrases: Phrases, words: Sequence[NameWord], index: int) -> bool:
    """Whether one of the phrases stands directly before `words[index]`."""
    return any(
        len(phrase) < index
        and all(words[index - 2 - step].key in allowed for step, allowed in enumerate(phrase))
        for phrase in phrases.get(words[index - 1].key, ())
    )


def claims(words: Sequence[NameWord]) -> list[tuple[int, int]]:
    """The names of people, each as its first and last word's index, in order, not overlapping."""
    found: list[tuple[int, int]] = []
    foreign = _is_foreign(words)
    index = 0
    while index < len(words):
        last = _claim(words, index, found[-1][1] if found else -1, foreign=foreign)
        if last is not None:
            found.append((index, last))
        index = (index if last is None else last) + 1
    return found


def people(words: Sequence[NameWord]) -> Iterator[int]:
    """The indices of the words that `claims` takes for names."""
    for first, last in claims(words):
        yield from range(first, last + 1)


def is_everyday(key: str) -> bool:
    """Whether a word means something of its own, and alone does not say that it is a name."""
    return key in _EVERYDAY


def reads_as_everyday(words: Sequence[NameWord], index: int) -> bool:
    """Whether an everyday word is used as one: in lower case, or as the start of a sentence."""
    word, following = words[index], _joined_after(words, index)
    if not word.capital:
        speaks = following in _SPEECH_VERBS
        return not speaks or (index > 0 and words[index - 1].key in listed("determiners"))
    return word.opens and (word.key in _NEVER or following in _SHOW_A_WORD)


def _joined_after(words: Sequence[NameWord], index: int) -> str:
    """The key of the next word where nothing but a space is between; empty where it is not so."""
    if index + 1 < len(words) and words[index + 1].joined:
        return words[index + 1].key
    return ""


def _is_foreign(words: Sequence[NameWord]) -> bool:
    """Whether a text is in a language of whose words we know few; German ones have capitals."""
    foreign = sum(word.key in listed("foreign") for word in words)
    return foreign > sum(word.key in listed("english") for word in words)


def _claim(words: Sequence[NameWord], index: int, before: int, *, foreign: bool) -> int | None:
    """The last word of the name that starts at `index`; `before` is where the last one ended."""
    word = words[index]
    if len(word.key) < 2:
        return None
    if _is_announced(words, index):
        last = _extent(words, index, announced=True)
        family = last > index and words[last].key in _BUILDINGS
        return None if stays(words, index, last) and not family else last
    reads = _reads_as_name(words, index, before)
    if word.key in GIVEN_NAMES or reads or _stands_as_person(words, index, foreign=foreign):
        last = _extent(words, index, announced=False)
        return None if stays(words, index, last) else last
    return None


# What one word can be.


def _nameable(word: NameWord) -> bool:
    """Whether a word with a capital that is announced as a name can be one."""
    key = word.key
    if key in GIVEN_NAMES or key in _AMBIGUOUS:
        return True
    if key in _NEVER or key in NO_PEOPLE or key.endswith(_NOT_NAME_ENDINGS):
        return False
    return not (word.acronym and len(key) <= _MOST_ACRONYM)


def _is_unknown(word: NameWord) -> bool:
    """Whether a word with a capital is none that we know."""
    key = word.key
    return not (is_common(key) or is_national(key) or key in _NO_UNKNOWN) and _nameable(word)


def _is_unknown_in_lower_case(word: NameWord) -> bool:
    """Whether a word is no English word that we know, in a text without capitals."""
    key = word.key
    if not word.uncased or len(key) < _LEAST_UNKNOWN or key in NO_PEOPLE or key in _SPEECH_VERBS:
        return False
    return key not in VERB_NAMES and not is_common(key)


# Names that are announced.


def _is_announced(words: Sequence[NameWord], index: int) -> bool:
    """Whether the words before `words[index]` announce a name, and it can be one."""
    word, previous = words[index], words[index - 1]
    if not index or (word.opens and not word.after_dot):
        return False
    with_title = word.joined or (word.after_dot and previous.key in COURTESY)
    shown = previous.capital or previous.key not in _RANKS or word.key in _CLEAR_SURNAMES
    if previous.key in TITLES and with_title and shown:
        return _is_titled(word)
    near = word.joined or word.before.strip() in {",", "\u2013", "\u2014", "-", ":"}
    if not near or word.key in _NEVER or word.key in PARTICLES:
        return False
    called = "\n" not in word.before and _behind(_CALLS, words, index)
    if word.capital:
        by_name = _behind(_INTRODUCTIONS, words, index) or _behind(_BY_ROLE, words, index)
        told = called or _is_addressed(words, index) or (word.joined and _is_told(words, index))
        return (by_name or told) and _nameable(word)
    if _behind(_INTRODUCTIONS, words, index):
        return word.key not in _EVERYDAY_SURNAMES or word.key in WORD_NAMES
    if _behind(_BY_ROLE, words, index) or _behind(_TOLD, words, index):
        return _is_elder(words, index) or _is_unknown_in_lower_case(word)
    return called and _is_called(words, index)


def _is_titled(word: NameWord) -> bool:
    """Whether a word behind a title is a name: "Lord Ashcombe", "mr patel", not "Doctor he"."""
    if word.key in _NEVER or word.key in NO_PEOPLE:
        return False
    return word.capital or word.key in SURNAMES or word.key not in _EVERYDAY_SURNAMES


def _is_told(words: Sequence[NameWord], index: int) -> bool:
    pointed = _behind(_TOLD, words, index) or _behind(_POINTED_AT, words, index)
    return pointed and not is_national(words[index].key) and words[index].key not in _NO_UNKNOWN


def _is_addressed(words: Sequence[NameWord], index: int) -> bool:
    """Whether commas set a name off: "Can you hear me, Gwenllian?", "Go on, Leofric, tell us"."""
    word, previous = words[index], words[index - 1]
    if word.before.strip() != "," or word.after.strip()[:1] not in {*",.!?;:\u2026\u2014", ""}:
        return False
    if (previous.capital and not previous.opens) or is_national(word.key):
        return False
    known = is_common(word.key) and word.key not in WORD_NAMES
    return previous.key == "you" or not (known or _behind_place(words, index))


def _is_elder(words: Sequence[NameWord], index: int) -> bool:
    """Whether a name that is a word too follows as one: "uncle bob", "aunt sue", not "my aunt"."""
    key = words[index].key
    if key in VERB_NAMES:
        elder = words[index - 1].key in ("aunt", "auntie", "uncle")
        return elder and (index < 2 or words[index - 2].key not in listed("possessives"))
    return key in WORD_NAMES


def _is_called(words: Sequence[NameWord], index: int) -> bool:
    """Whether a word in lower case behind a call is a name: "thank you mark and good evening"."""
    word, following = words[index], _joined_after(words, index)
    if word.key not in WORD_NAMES:
        return _is_unknown_in_lower_case(word)
    if word.key in VERB_NAMES and following in ("your", "this", "it", "i"):
        return False
    return not following or following in listed("after-calls")


# Names that nothing announces.


def _reads_as_name(words: Sequence[NameWord], index: int, before: int) -> bool:
    """Whether a word reads as a name by how it is written and what stands around it."""
    word, following = words[index], _joined_after(words, index)
    coupled = _is_coupled(words, index, before)
    if not word.capital:
        clear = coupled and word.key not in VERB_NAMES
        return word.key in WORD_NAMES and (clear or following in _CLEAR_SURNAMES)
    if word.key in _NEVER or _is_tied(words, index):
        return False
    if following in _SPEECH_VERBS and not word.opens and _nameable(word):
        return True
    if word.key in _EVERYDAY_SURNAMES and following in _CLEAR_SURNAMES and words[index + 1].capital:
        return True
    if word.after_dot and len(words[index - 1].key) == 1 and words[index - 1].capital:
        letters = "_".join(w.key for w in words[max(0, index - 2) : index])
        return _nameable(word) and letters not in listed("initials")
    if coupled and _nameable(word) and word.key not in _DATES:
        return True
    return word.key in _AMBIGUOUS and _is_word_name(words, index)


def _is_tied(words: Sequence[NameWord], index: int) -> bool:
    """Whether it is a part of an address or a path: "docs.example/Pip"."""
    return words[index].before[-1:] in {*"/._@="} or words[index].after in {*"/._@="} - {"."}


def _is_coupled(words: Sequence[NameWord], index: int, before: int) -> bool:
    """Whether it goes on from a name: "Maria and Zbigniew", "Maria, Xiulan and Tom"."""
    word = words[index]
    if before >= 0 and before == index - 2:
        linked = word.joined and words[index - 1].joined
        return linked and words[index - 1].key in _AND
    if before < 0 or before != index - 1 or word.before.strip() != ",":
        return False
    return word.after.strip() == "," or _joined_after(words, index) in _AND


def _is_word_name(words: Sequence[NameWord], index: int) -> bool:
    """Whether a word with a capital that is a name and something else is a name here."""
    word, following = words[index], _joined_after(words, index)
    follows = words[index + 1] if following else None
    if following in _SPEECH_VERBS or following in SURNAMES:
        return True
    if word.opens:
        return _opens_as_name(words, index) and not is_common(word.key)
    surname = follows is not None and follows.capital and _nameable(follows)
    if surname and word.key in WORD_NAMES - THING_NAMES:
        return True
    if word.key in _DATES or words[index - 1].key in _BEFORE_THINGS - {"from", "of"}:
        return False
    if follows is not None and follows.capital and word.key in THING_NAMES | PLACE_NAMES:
        return _is_unknown(follows)
    return word.key in WORD_NAMES or word.owner or _behind(_PRESENTED, words, index)


def _stands_as_person(words: Sequence[NameWord], index: int, *, foreign: bool) -> bool:
    """Whether an unknown word with a capital stands where people do, and not where places do.

    In a `foreign` text one word alone says nothing: every noun of German has a capital.
    """
    word, following = words[index], _joined_after(words, index)
    if not word.capital or word.key in _AMBIGUOUS or not _is_unknown(word):
        return False
    with_surname = bool(following) and words[index + 1].capital
    if with_surname and not (_is_unknown(words[index + 1]) or following in SURNAMES):
        return False
    plural = word.opens and word.key.endswith("s")
    if following in _SPEECH_VERBS and not plural:
        return True
    if _is_tied(words, index) or (foreign and (word.opens or not with_surname)):
        return False
    if word.opens:
        pair = with_surname and following not in PLACE_NAMES
        acts = following in _AFTER_NAMES and not plural
        wordy = word.key.endswith(_WORDY_ENDINGS)
        return _opens_as_name(words, index) or ((pair or acts) and not wordy)
    return not word.acronym and not _behind_thing(words, index)


def _opens_as_name(words: Sequence[NameWord], index: int) -> bool:
    """Whether a sentence calls somebody or speaks of what is somebody's: "Karim, you asked"."""
    word, following = words[index], words[index + 1 : index + 2]
    if word.key.endswith(("ly", *_NOT_NAME_ENDINGS)):
        return False
    addressed = any(w.key in listed("after-addresses") for w in following)
    return word.owner or word.after[:1] in {*"!?"} or (word.after[:1] == "," and addressed)


def _behind_thing(words: Sequence[NameWord], index: int) -> bool:
    """Whether what stands before an unknown word says that it is a place, a thing or a title."""
    previous = words[index - 1]
    if previous.capital and not (previous.opens and is_common(previous.key)):
        return True
    if previous.key in _BEFORE_THINGS - {"of"} or _behind_place(words, index):
        return True
    return previous.key == "to" and index > 1 and words[index - 2].key in MOTION


def _behind_place(words: Sequence[NameWord], index: int) -> bool:
    """Whether one of the words before says that what is named is no person: "the town, Ardara"."""
    return any(word.key in _PLACE_NOUNS for word in words[max(0, index - _LOOK_BACK) : index])


# How far a name reaches.


def _extent(words: Sequence[NameWord], first: int, *, announced: bool) -> int:
    """The last word of a name: surnames, particles and initials are taken along."""
    last = index = first
    while index + 1 < len(words) and index + 1 - first < _MOST_OF_NAME and not words[index].owner:
        index += 1
        word = words[index]
        if not (word.joined or (word.after_dot and len(words[index - 1].key) == 1)):
            break
        if word.key in PARTICLES or (len(word.key) == 1 and word.capital and word.key != "i"):
            last = index if word.capital and len(word.key) > 1 else last  # a surname such as Le
            continue
        if not _goes_on(words, index, announced=announced):
            break
        last = index
    return last


def _goes_on(words: Sequence[NameWord], index: int, *, announced: bool) -> bool:
    """Whether a word behind a part of a name is another part of it."""
    previous, word = words[index - 1], words[index]
    hyphened = word.before.strip() != "" and word.joined
    if not word.capital:
        if hyphened:
            return is_second_half(previous, word)
        unknown = (announced or previous.key in GIVEN_NAMES) and _is_unknown_in_lower_case(word)
        return not previous.capital and (word.key in _CLEAR_SURNAMES or unknown)
    if word.opens and len(previous.key) != 1:
        return False
    if word.key in SURNAMES or word.key in GIVEN_NAMES or (hyphened and previous.acronym):
        return True
    if announced and (word.key in _BUILDINGS or word.key in listed("places")):
        return True
    return _nameable(word) and word.key not in _DATES and word.key not in _BUILDINGS


def is_second_half(name: NameWord, word: NameWord) -> bool:
    """Whether what is hyphened to a name is part of it: Gwenllian-Mae, Hyun-woo."""
    if len(word.key) < 2 or is_common(word.key):
        return False
    if word.key in _NOT_HYPHENED or word.key in PARTICLES or word.key in COURTESY:
        return False
    return word.capital or word.uncased or not name.capital or len(word.key) <= _MOST_ACRONYM
